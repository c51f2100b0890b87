"""Dumps of pydantic: what `model_dump` and `model_dump_json` wrote is read back as the same model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from secrets import token_hex
from typing import TypeVar, cast

from pydantic import BaseModel
from pydantic_core import to_json

from ._fields import wire_names
from ._walk import models_in

M = TypeVar("M", bound=BaseModel)


def dump_of(kind: type[BaseModel], given: object) -> Mapping[str, object] | None:
    """Give data, or JSON text, that names every field of a model, as a dump does."""
    if isinstance(given, str | bytes | bytearray):
        try:
            given = cast("object", json.loads(given, parse_float=Decimal))
        except (ValueError, RecursionError):  # pydantic says what is wrong with it
            return None
    if not isinstance(given, Mapping):
        return None
    fields = cast("Mapping[str, object]", given)
    is_whole = all(wire in fields or name in fields for name, wire in wire_names(kind).items())
    return fields if is_whole else None


def without_nulls(model: M) -> M:
    """Take the fields that are null for not set, in a model and in those that it holds."""
    for _, each in models_in("", model):
        each.model_fields_set.difference_update([name for name in each.model_fields_set if _is_null(each, name)])
    return model


def _is_null(model: BaseModel, name: str) -> bool:
    return name in model.__dict__ and model.__dict__[name] is None


def to_text(data: object, *, indent: int | None, ensure_ascii: bool) -> str:
    """Write JSON as pydantic does, but for a `Decimal`, which stays a number, digit for digit."""
    mark = token_hex(16)
    text = to_json(_marked(data, mark), indent=indent, ensure_ascii=ensure_ascii).decode()
    return re.sub(rf'"{mark}([^"]*)"', r"\1", text)


def _marked(value: object, mark: str) -> object:
    if isinstance(value, Decimal):
        return f"{mark}{value}" if value.is_finite() else value
    if isinstance(value, dict):
        return {name: _marked(each, mark) for name, each in cast("dict[str, object]", value).items()}
    if isinstance(value, list):
        return [_marked(each, mark) for each in cast("list[object]", value)]
    return value
