"""Error texts of building: the name that Python knows, and what to write in place of what was refused."""

from __future__ import annotations

from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError

from ._fields import field_by_wire_name

# A value of these kinds is read by `from_json`, and refused when it is built.
_READ_FROM_TEXT = frozenset({"bool_type", "int_type", "money_type", "string_type", "timestamp_type"})

_LONGEST_NAME = 60
"""Longer than the names of all fields."""


def explained(kind: type[BaseModel], error: ValidationError) -> ValidationError:
    """Return the error again, with texts that say what to write. Values stay hidden in its text."""
    lines = error.errors(include_url=False)
    return ValidationError.from_exception_data(
        error.title, [_line(kind, line) for line in lines], input_type="python", hide_input=True
    )


def shortened(name: str) -> str:
    """Cut down a name that an error shows; a key of the caller's own may be of any length."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _line(kind: type[BaseModel], line: ErrorDetails) -> InitErrorDetails:
    location = line["loc"]
    name = str(location[0]) if location else ""
    field = field_by_wire_name(kind).get(name, name)
    text = line["msg"] + _advice(kind, line)
    if field != name:
        text += f" (`{name}` on the wire)"
    # Without a context the text is no template, whatever braces are in it.
    reason = PydanticCustomError(line["type"], text)  # pyright: ignore[reportArgumentType]  # a name of pydantic's own
    place = (shortened(part) if isinstance(part, str) else part for part in (field, *location[1:]))
    return {"type": reason, "loc": tuple(place), "input": line["input"]}


def _advice(kind: type[BaseModel], line: ErrorDetails) -> str:
    is_text = isinstance(line["input"], str)
    if line["type"] == "extra_forbidden" and len(line["loc"]) == 1:
        name = shortened(str(line["loc"][0]))
        near = get_close_matches(name, kind.model_fields, n=1)
        return f": no field {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")
    if line["type"] == "model_type" and is_text:
        return f": write {line.get('ctx', {}).get('class_name', 'a model')}(id=...)"
    if line["type"] == "money_type":
        return "; write Decimal('4.90'). `from_json` reads numbers in text" if is_text else "; write Decimal('4.90')"
    if line["type"] in _READ_FROM_TEXT:
        return ". `from_json` reads what the service sends, such as numbers and times in text"
    return ""
