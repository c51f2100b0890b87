"""Error texts of building: the name that Python knows, and what to write in place of what was refused."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import wraps
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError, core_schema

from .._interrupts import is_of_signal
from .._shown import MASK
from ._fields import field_by_wire_name
from ._ref import models_of
from ._walk import shortened

# A value of these kinds is read by `from_json`, and refused when it is built.
_READ_FROM_TEXT = frozenset({"bool_type", "int_type", "money_type", "string_type", "timestamp_type"})

_KNOWN = frozenset(get_args(core_schema.ErrorType))


def interrupt_in(error: ValidationError) -> BaseException | None:
    """Find what the handler of a signal raised in a validator: pydantic takes some errors for a refusal (H441)."""
    causes = [line.get("ctx", {}).get("error") for line in error.errors(include_url=False, include_input=False)]
    return next((each for each in causes if isinstance(each, BaseException) and is_of_signal(each)), None)


def explained(kind: type[BaseModel], error: ValidationError) -> BaseException:
    """Return the error again, with texts that say what to write, and without any value; or an interrupt in it."""
    return interrupt_in(error) or _again(error, [_line(kind, line) for line in error.errors(include_url=False)])


def without_input(error: ValidationError) -> BaseException:
    """Return the error again without any value that was refused; or an interrupt in it."""
    return interrupt_in(error) or _again(
        error, [_hidden(line) for line in error.errors(include_url=False, include_input=False)]
    )


def _again(error: ValidationError, lines: list[InitErrorDetails]) -> ValidationError:
    return ValidationError.from_exception_data(error.title, lines, input_type="python", hide_input=True)


def _hidden(line: ErrorDetails) -> InitErrorDetails:
    kind, context = line["type"], line.get("ctx", {})
    if kind not in _KNOWN or "error" in context:  # what a validator of ours raised, whose frames hold the value
        # Without a context the text is no template, whatever braces are in it.
        reason = PydanticCustomError(kind, line["msg"])  # pyright: ignore[reportArgumentType]  # a name of pydantic's own
        return {"type": reason, "loc": line["loc"], "input": MASK}
    return {"type": kind, "loc": line["loc"], "input": MASK, "ctx": context}


def hiding(method: Any) -> Any:
    """Let a class method of pydantic that reads values raise errors without them."""

    @wraps(method.__func__)
    def read(cls: type[BaseModel], /, *given: object, **options: object) -> object:
        __tracebackhide__ = True
        try:
            return method.__func__(cls, *given, **options)
        except ValidationError as error:
            hidden = without_input(error)
        del given, options  # test_models_building.py expects that no frame of the error shows a value
        raise hidden  # outside of the handler: the first error is no context of it

    return classmethod(read)


def _line(kind: type[BaseModel], line: ErrorDetails) -> InitErrorDetails:
    place, owner = _in_python(kind, line["loc"])
    text = line["msg"] + _advice(owner, line)
    wire = next((str(part) for part, own in zip(line["loc"], place, strict=True) if part != own), None)
    if wire is not None:
        text += f" (`{wire}` on the wire)"
    # Without a context the text is no template, whatever braces are in it.
    reason = PydanticCustomError(line["type"], text)  # pyright: ignore[reportArgumentType]  # a name of pydantic's own
    location = tuple(shortened(part) if isinstance(part, str) else part for part in place)
    return {"type": reason, "loc": location, "input": MASK}


def _in_python(kind: type[BaseModel], location: tuple[int | str, ...]) -> tuple[list[int | str], type[BaseModel]]:
    """Write a location with the names of Python, and return the model that has its last field."""
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
    """Return what to write, for an unknown field and for what would become another amount or another time."""
    value, fault = line["input"], line["type"]
    if fault in ("extra_forbidden", "no_such_attribute"):
        from .._hints.names import did_you_mean  # imported only for a wrong name

        name = shortened(str(line["loc"][-1]))
        plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
        return f": no field {name!r}" + did_you_mean(plain, kind.model_fields)
    if fault == "money_type":
        return "; write Decimal('4.90')"
    if fault == "timezone_aware":
        return "; write datetime.now(UTC), or .replace(tzinfo=UTC)"
    if fault == "timestamp_type" and isinstance(value, str | date):
        return ": write datetime(2026, 1, 31, tzinfo=UTC)"
    if fault == "number_digits" and isinstance(value, Decimal) and _is_of_a_float(value):
        return ": a Decimal of a float has all digits of the float; write Decimal('4.90')"
    if fault in _READ_FROM_TEXT:
        return ". `from_json` reads numbers and times in text"
    return ""
