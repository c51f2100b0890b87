"""Writes and parses the JSON of `model_dump_json` and `model_validate_json`, with exact numbers."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from secrets import token_hex
from typing import cast

from pydantic_core import to_json

from ._values import WrittenFloat


def parsed(text: str | bytes | bytearray) -> object:
    """Parse JSON, and keep all digits of its numbers.

    Raises:
        ValueError: The text isn't JSON.
        RecursionError: The JSON is nested too deeply.
    """
    return cast("object", json.loads(text, parse_float=WrittenFloat))


def to_text(data: object, *, indent: int | None, ensure_ascii: bool) -> str:
    """Write JSON like pydantic, except that a `Decimal` stays a number with all of its digits."""
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
