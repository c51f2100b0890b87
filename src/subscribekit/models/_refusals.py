"""Improves the errors of invalid models: uses Python names instead of wire names, adds a fix, and removes values."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import wraps
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError, core_schema

from .._interrupts import is_of_signal
from .._shown import MASK
from ._fields import field_by_wire_name, wire_names
from ._ref import models_of
from ._walk import shortened

# For these types of errors, the message recommends `from_json`, which accepts JSON values, such as a timestamp in a
# string.
_READ_FROM_TEXT = frozenset({"bool_type", "int_type", "money_type", "string_type", "timestamp_type"})

_KNOWN = frozenset(get_args(core_schema.ErrorType))


def interrupt_in(error: ValidationError) -> BaseException | None:
    """Return the exception of a signal handler that pydantic treated as a validation error, or `None` (H441)."""
    causes = [line.get("ctx", {}).get("error") for line in error.errors(include_url=False, include_input=False)]
    return next((each for each in causes if isinstance(each, BaseException) and is_of_signal(each)), None)


def explained(kind: type[BaseModel], error: ValidationError) -> BaseException:
    """Return a copy of an error with a fix but no values, or the signal handler's exception that the error contains."""
    return interrupt_in(error) or _again(error, [_line(kind, line) for line in error.errors(include_url=False)])


def without_input(error: ValidationError) -> BaseException:
    """Return a copy of an error without values, or the signal handler's exception that the error contains."""
    return interrupt_in(error) or _again(
        error, [_hidden(line) for line in error.errors(include_url=False, include_input=False)]
    )


def _again(error: ValidationError, lines: list[InitErrorDetails]) -> ValidationError:
    return ValidationError.from_exception_data(error.title, lines, input_type="python", hide_input=True)


def _hidden(line: ErrorDetails) -> InitErrorDetails:
    kind, context = line["type"], line.get("ctx", {})
    if kind not in _KNOWN or "error" in context:
        # Leave out the error's context, because an exception in the context has frames that contain the value. If an
        # error has a context, pydantic also treats braces in the error's text as placeholders.
        reason = PydanticCustomError(kind, line["msg"])  # pyright: ignore[reportArgumentType]  # a name of pydantic's own
        return {"type": reason, "loc": line["loc"], "input": MASK}
    return {"type": kind, "loc": line["loc"], "input": MASK, "ctx": context}


def hiding(method: Any) -> Any:
    """Wrap a class method of pydantic that reads values, so that the errors don't contain the values."""

    @wraps(method.__func__)
    def read(cls: type[BaseModel], /, *given: object, **options: object) -> object:
        __tracebackhide__ = True
        try:
            return method.__func__(cls, *given, **options)
        except ValidationError as error:
            hidden = without_input(error)
        # Delete the values, so that no frame of a traceback contains the values (test_models_building.py). Raise the
        # error outside the handler, so that its `__context__` isn't the first error, which contains the values.
        del given, options
        raise hidden

    return classmethod(read)


def _line(kind: type[BaseModel], line: ErrorDetails) -> InitErrorDetails:
    place, owner = _in_python(kind, line["loc"])
    text = line["msg"] + _advice(owner, line) + wire_note(kind, place)
    # Leave out the error's context, because pydantic would use the context to replace text in braces.
    reason = PydanticCustomError(line["type"], text)  # pyright: ignore[reportArgumentType]  # a name of pydantic's own
    location = tuple(shortened(part) if isinstance(part, str) else part for part in place)
    return {"type": reason, "loc": location, "input": MASK}


def wire_note(kind: type[BaseModel], place: Sequence[int | str]) -> str:
    """Return a note about the first field in a path whose wire name differs from its Python name, if any."""
    inner = kind
    for name in place:
        if isinstance(name, str) and name in inner.model_fields:
            if (wire := wire_names(inner)[name]) != name:
                return f" (wire name `{wire}`)"
            inner = next(models_of(inner.model_fields[name].annotation), inner)
    return ""


def _in_python(kind: type[BaseModel], location: tuple[int | str, ...]) -> tuple[list[int | str], type[BaseModel]]:
    """Return an error's location with Python names, and the model that contains the last field of the location."""
    place: list[int | str] = []
    owner, inner = kind, kind
    for part in location:
        name = field_by_wire_name(inner).get(part, part) if isinstance(part, str) else part
        place.append(name)
        if isinstance(name, str):
            owner = inner
            field = inner.model_fields.get(name)
            inner = inner if field is None else next(models_of(field.annotation), inner)
    return place, owner


def _is_of_a_float(value: Decimal) -> bool:
    return value != value.to_integral_value() and float(value).as_integer_ratio() == value.as_integer_ratio()


def _advice(kind: type[BaseModel], line: ErrorDetails) -> str:
    """Return the fix to append to an error message, or an empty string."""
    value, fault = line["input"], line["type"]
    if fault in ("extra_forbidden", "no_such_attribute"):
        from .._hints.names import did_you_mean  # this module is needed only if a field name is wrong

        name = shortened(str(line["loc"][-1]))
        plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        return f": no field {name!r}" + did_you_mean(plain, kind.model_fields)
    if fault == "money_type":
        return "; write Decimal('4.90')"
    if fault == "timezone_aware":
        return "; write datetime.now(UTC), or .replace(tzinfo=UTC)"
    if fault == "timestamp_type" and isinstance(value, str | date):
        return "; write datetime(2026, 1, 31, tzinfo=UTC)"
    if fault == "number_digits" and isinstance(value, Decimal) and _is_of_a_float(value):
        return ". A Decimal that is created from a float has more; write Decimal('4.90')"
    if fault in _READ_FROM_TEXT:
        return "; to read values from JSON, call from_json"
    return ""
