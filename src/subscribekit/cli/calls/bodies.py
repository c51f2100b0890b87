"""Models from JSON text: as strict as one built in Python, with exact numbers."""

from __future__ import annotations

import re
import sys
from datetime import date, datetime
from io import BytesIO
from pathlib import Path
from typing import TypeVar, cast

import typer
from pydantic import ValidationError

from ... import _json as json
from ..._json import JSON
from ...models import Model
from ..encodings import problem_in
from ..output.screen import printable

M = TypeVar("M", bound=Model)


def read_text(option: str, given: str) -> str:
    """Give the text of an option: itself, that of a file (`@name`), or standard input (`-`).

    Raises:
        typer.BadParameter: The file cannot be read.
    """
    try:
        if given == "-":
            # In a C locale, Python decodes a byte that isn't UTF-8 as a surrogate.
            return sys.stdin.read().encode(errors="surrogateescape").decode("utf-8-sig")
        return Path(given[1:]).read_text(encoding="utf-8-sig") if given.startswith("@") else given
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else problem_in(BytesIO(error.object))
        raise typer.BadParameter(f"{printable(given)} cannot be read: {reason}", param_hint=option) from None


def document(option: str, text: str) -> dict[str, JSON] | list[JSON]:
    """Parse a JSON object or array, numbers exact.

    Raises:
        typer.BadParameter: It is none. The text is never shown.
    """
    try:
        value = json.decode(text.encode())
        json.check_numbers(value)
    except (json.DamagedJSONError, UnicodeEncodeError):
        raise typer.BadParameter(
            "the text is not complete, standard JSON; write @file for a file and - for standard input",
            param_hint=option,
        ) from None
    if not isinstance(value, dict | list):
        raise typer.BadParameter("a JSON object is needed", param_hint=option)
    return value


def model(option: str, kind: type[M], text: str) -> M:
    """Build a model from JSON text, with names as in Python or on the wire.

    A field that the model does not have is refused, as in Python: a misspelt amount must not be left out.

    Raises:
        typer.BadParameter: The service would refuse it. Values are never shown.
    """
    raw = document(option, text)
    if not isinstance(raw, dict):
        raise typer.BadParameter(f"{kind.__name__} is a JSON object, not an array", param_hint=option)
    while True:  # times are turned into values level by level
        try:
            return kind(**raw)
        except ValidationError as error:
            faults = error.errors(include_url=False, include_context=False)
            # All that can be turned is turned; the next round tells whether anything else is wrong.
            if not [each for each in faults if _turn(raw, each["loc"], each["type"])]:
                lines = [f"{_place(each['loc'])}: {_needed(each['type'], each['msg'])}" for each in faults]
                raise typer.BadParameter(f"{kind.__name__}: {printable('; '.join(lines))}", param_hint=option) from None


_NEEDED = {
    "bool_type": "true or false is needed",
    "int_type": "a whole number is needed: 3",
    "list_type": "an array is needed: [...]",
    "money_type": "an exact number is needed, without quotes: 4.90",
    "string_type": 'a text is needed: "..."',
    "timestamp_type": 'a time with its time zone is needed: "2026-01-31T00:00:00Z"',
    "timezone_aware": 'a time with its time zone is needed: "2026-01-31T00:00:00Z"',
}
"""The JSON form of advice that messages give for programs."""


_OF_ITS_OWN = '{"id": "..."}'
_OF_A_PRODUCT = '{"product": {"id": "..."}}'


def _needed(kind: str, text: str) -> str:
    """Say what a field takes, in JSON."""
    if kind == "model_type":
        return f"an object is needed: {_OF_A_PRODUCT if 'SubscriptionItem' in text else _OF_ITS_OWN}"
    wire = re.search(r" \(`\w+` on the wire\)$", text)
    return f"{_NEEDED[kind]}{wire[0] if wire else ''}" if kind in _NEEDED else text


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(each) for each in location) or "the object"


def _turn(raw: JSON, location: tuple[int | str, ...], kind: str) -> bool:
    """Turn the text of a time into a value in place; tell whether there was one."""
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
    """Find what holds a value, past the tags of unions that pydantic puts into locations."""
    current: object = raw
    found: tuple[dict[int | str, object], int | str] | None = None
    for step in location:
        holder = cast("dict[int | str, object]", current)
        if isinstance(current, dict) and step in holder:
            found = holder, step
        elif isinstance(current, list) and isinstance(step, int) and step < len(holder):
            found = holder, step  # a list takes an index as a dict takes a key
        else:
            continue
        current = holder[step]
    return found


def _time(text: str) -> datetime | date | None:
    """Read a day, or a time with its zone; one without is refused by the model."""
    try:
        return date.fromisoformat(text) if len(text) == len("2026-01-31") else datetime.fromisoformat(text)
    except ValueError:
        return None
