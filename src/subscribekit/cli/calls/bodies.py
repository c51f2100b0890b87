"""Builds models from JSON text, with exact numbers and the same validation as in Python."""

from __future__ import annotations

import sys
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import TypeVar, cast

import typer
from pydantic import BaseModel, ValidationError

from ... import _json as json
from ..._json import JSON
from ...models import Model, SubscriptionItem
from ...models._ref import models_of
from ...models._refusals import wire_note
from ..encodings import problem_in
from ..output.screen import printable

M = TypeVar("M", bound=Model)


def read_text(option: str, given: str) -> str:
    """Return the text of an option, from a file if the value is `@name`, or from standard input if the value is `-`.

    Raises:
        typer.BadParameter: The file or standard input can't be read.
    """
    try:
        if given == "-":
            # Convert surrogates back to bytes, because Python decodes invalid UTF-8 as surrogates in a C locale.
            return sys.stdin.read().encode(errors="surrogateescape").decode("utf-8-sig")
        return Path(given[1:]).read_text(encoding="utf-8-sig") if given.startswith("@") else given
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else problem_in(BytesIO(error.object))
        raise typer.BadParameter(f"{printable(given)} can't be read: {reason}", param_hint=option) from None


def document(option: str, text: str) -> dict[str, JSON] | list[JSON]:
    """Parse a JSON object or array, with exact numbers.

    Raises:
        typer.BadParameter: The text isn't a JSON object or array. The error message doesn't quote the text.
    """
    try:
        value = json.decode(text.encode())
        json.check_numbers(value)
    except (json.DamagedJSONError, UnicodeEncodeError):
        raise typer.BadParameter(
            "the value must be complete, standard JSON without duplicate names; write @FILE for a file, or - for "
            "standard input",
            param_hint=option,
        ) from None
    if not isinstance(value, dict | list):
        raise typer.BadParameter("the value must be a JSON object or array", param_hint=option)
    return value


def model(option: str, kind: type[M], text: str) -> M:
    """Build a model from JSON text, with Python names or wire names.

    Unknown fields are rejected, as in Python, so that a misspelled amount isn't ignored.

    Raises:
        typer.BadParameter: The JSON isn't valid for the model. The error message doesn't quote values of the JSON.
    """
    raw = document(option, text)
    if not isinstance(raw, dict):
        raise typer.BadParameter(f"{kind.__name__} must be a JSON object, not an array", param_hint=option)
    while True:  # each iteration converts the times at one level of the JSON
        try:
            return kind(**raw)
        except ValidationError as error:
            faults = error.errors(include_url=False, include_context=False)
            # If a time was converted, validate the JSON again before any error is reported.
            if not [each for each in faults if _turn(raw, each["loc"], each["type"])]:
                lines = [
                    f"{_place(each['loc'])}: {_needed(kind, each['loc'], each['type'], each['msg'])}" for each in faults
                ]
                raise typer.BadParameter(f"{kind.__name__}: {printable('; '.join(lines))}", param_hint=option) from None


_NEEDED = {
    "bool_type": "must be true or false",
    "int_type": "must be a whole number, such as 3",
    "list_type": "must be an array: [...]",
    "money_type": "must be a number without quotes, such as 4.90",
    "string_type": 'must be a string: "..."',
    "timestamp_type": 'must be a time with a time zone, such as "2026-01-31T00:00:00Z"',
    "timezone_aware": 'must be a time with a time zone, such as "2026-01-31T00:00:00Z"',
}
"""Error messages for invalid fields. The messages use the terms of JSON, not of Python."""


_OF_ITS_OWN = '{"id": "..."}'
_OF_A_PRODUCT = '{"product": {"id": "..."}}'


def _needed(kind: type[Model], location: tuple[int | str, ...], fault: str, text: str) -> str:
    """Return the error message for an invalid field, if possible in the terms of JSON instead of Python."""
    if fault == "model_type":
        return f"must be an object: {_OF_A_PRODUCT if _model_at(kind, location) is SubscriptionItem else _OF_ITS_OWN}"
    return _NEEDED[fault] + wire_note(kind, location) if fault in _NEEDED else text


def _model_at(kind: type[BaseModel], location: tuple[int | str, ...]) -> type[BaseModel]:
    """Return the model of the value at a location."""
    inner = kind
    for name in location:
        if isinstance(name, str) and name in inner.model_fields:
            inner = next(models_of(inner.model_fields[name].annotation), inner)
    return inner


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(each) for each in location) or "the object"


def _turn(raw: JSON, location: tuple[int | str, ...], kind: str) -> bool:
    """If the string at a location is a date or a time, replace the string with the parsed value and return `True`."""
    found = _holder(raw, location)
    if found is None:
        return False
    holder, key = found
    text = holder[key]
    turned = _time(text) if isinstance(text, str) and kind == "timestamp_type" else None
    if turned is None:
        return False
    holder[key] = turned
    return True


def _holder(raw: JSON, location: tuple[int | str, ...]) -> tuple[dict[int | str, object], int | str] | None:
    """Return the container of a value, and the value's key in the container.

    pydantic adds union tags to the location, and this function ignores the tags.
    """
    current: object = raw
    found: tuple[dict[int | str, object], int | str] | None = None
    for step in location:
        holder = cast("dict[int | str, object]", current)
        if isinstance(current, dict) and step in holder:
            found = holder, step
        elif isinstance(current, list) and isinstance(step, int) and step < len(holder):
            found = holder, step  # the index of a list is used like the key of a dict
        else:
            continue
        current = holder[step]
    return found


def _time(text: str) -> datetime | date | None:
    """Parse a date or a time. A time without a time zone is parsed, but the model rejects the time later."""
    try:
        return date.fromisoformat(text) if len(text) == len("2026-01-31") else datetime.fromisoformat(text)
    except ValueError:
        return None
