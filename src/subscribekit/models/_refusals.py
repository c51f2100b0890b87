"""Error texts of building: the name that Python knows, and what to write in place of what was refused."""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from functools import wraps
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError, core_schema

from ._fields import field_by_wire_name
from ._late import Late

# A value of these kinds is read by `from_json`, and refused when it is built.
_READ_FROM_TEXT = frozenset({"bool_type", "int_type", "money_type", "string_type", "timestamp_type"})

_LONGEST_NAME = 60
"""Longer than the names of all fields."""


REFUSED = "***"
"""What `errors()` and `json()` show in place of a refused value; pydantic hides it in the text alone."""
_KNOWN = frozenset(get_args(core_schema.ErrorType))


def explained(kind: type[BaseModel], error: ValidationError) -> ValidationError:
    """Return the error again, with texts that say what to write, and without any value."""
    return _again(error, [_line(kind, line) for line in error.errors(include_url=False)])


def without_input(error: ValidationError) -> ValidationError:
    """Return the error again without any value that was refused."""
    return _again(error, [_hidden(line) for line in error.errors(include_url=False, include_input=False)])


def _again(error: ValidationError, lines: list[InitErrorDetails]) -> ValidationError:
    return ValidationError.from_exception_data(error.title, lines, input_type="python", hide_input=True)


def _hidden(line: ErrorDetails) -> InitErrorDetails:
    kind, context = line["type"], line.get("ctx", {})
    if kind not in _KNOWN or "error" in context:  # what a validator of ours raised, whose frames hold the value
        # Without a context the text is no template, whatever braces are in it.
        reason = PydanticCustomError(kind, line["msg"])  # pyright: ignore[reportArgumentType]  # a name of pydantic's own
        return {"type": reason, "loc": line["loc"], "input": REFUSED}
    return {"type": kind, "loc": line["loc"], "input": REFUSED, "ctx": context}


def hiding(method: Any) -> Any:
    """Let a class method of pydantic that reads values raise errors without them."""

    @wraps(method.__func__)
    def read(cls: type[BaseModel], /, *given: object, **options: object) -> object:
        __tracebackhide__ = True
        try:
            return method.__func__(cls, *given, **options)
        except ValidationError as error:
            hidden = without_input(error)
        del given, options  # nor do the frames of the traceback hold a value
        raise hidden  # outside of the handler: the first error is no context of it

    return classmethod(read)


def shortened(name: str) -> str:
    """Cut down a name that an error shows; a key of the caller's own may be of any length."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _line(kind: type[BaseModel], line: ErrorDetails) -> InitErrorDetails:
    place, owner, inner = _in_python(kind, line["loc"])
    text = line["msg"] + _advice(owner, inner, line)
    wire = next((str(part) for part, own in zip(line["loc"], place, strict=True) if part != own), None)
    if wire is not None:
        text += f" (`{wire}` on the wire)"
    # Without a context the text is no template, whatever braces are in it.
    reason = PydanticCustomError(line["type"], text)  # pyright: ignore[reportArgumentType]  # a name of pydantic's own
    location = tuple(shortened(part) if isinstance(part, str) else part for part in place)
    return {"type": reason, "loc": location, "input": REFUSED}


def _in_python(
    kind: type[BaseModel], location: tuple[int | str, ...]
) -> tuple[list[int | str], type[BaseModel], type[BaseModel]]:
    """Write a location with the names of Python; give the model that has its last field, and the model in that."""
    place: list[int | str] = []
    owner, inner = kind, kind
    for part in location:
        name = field_by_wire_name(inner).get(part, part) if isinstance(part, str) else part
        place.append(name)
        if isinstance(name, str):
            owner = inner
            field = inner.model_fields.get(name)
            inner = inner if field is None else (_model_in(field.annotation) or inner)
    return place, owner, inner


def _model_in(annotation: object) -> type[BaseModel] | None:
    """Find the model in the type of a field, such as `Address | None` or `ModelList[PaymentMethod] | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    if isinstance(annotation, Late):
        return annotation.resolve()
    return next((found for each in get_args(annotation) if (found := _model_in(each))), None)


_MEANT = {
    "number": ("account", "local_number"), "card_number": ("account",), "cvv": ("cvn",), "cvc": ("cvn",),
    "expiry": ("expiration_date",), "exp_date": ("expiration_date",), "expires": ("expiration_date", "ends"),
    "holder": ("account_holder",), "street": ("line1",), "address1": ("line1",), "address_line1": ("line1",),
    "zip": ("postal_code",), "zip_code": ("postal_code",), "plan": ("billing_plan",), "price": ("amount", "prices"),
    "customer": ("account",), "customer_id": ("account",), "user": ("account",), "currency": ("default_currency",),
    "first_name": ("name",), "last_name": ("name",), "start": ("starts",), "start_date": ("starts",),
    "end": ("ends",), "end_date": ("ends",), "order_id": ("transaction_id",), "sku": ("product_code", "id"),
    "address": ("shipping_address",), "card": ("credit_card",), "coupon": ("campaigns", "billing_plan_campaign"),
}  # fmt: skip
"""Names that other services have for a field."""


def instead_of_dict(key: object, kind: type[BaseModel]) -> str:
    """Say how a field is read that somebody took for the key of a dict."""
    near = near_field(key, kind) if isinstance(key, str) else None
    return f"{kind.__name__} is no dict: " + ("its fields are attributes" if near is None else f"write .{near}")


def instead_of_attribute(name: str, kind: type[BaseModel]) -> str | None:
    """Say what to write instead of an attribute that a model does not have."""
    if name in _METHODS:
        return _METHODS[name]
    near = near_field(name, kind)
    return _fields_of(kind) if near is None else f"did you mean {near!r}?"


def _fields_of(kind: type[BaseModel]) -> str | None:
    """Name the fields of a model, or where they stand when they are many."""
    *others, last = [each for each in kind.model_fields if each != "object"] or [""]
    if len(others) >= _FEW:
        return f"{kind.__name__}.model_fields names its fields"
    return f"its fields are {', '.join(others)} and {last}" if others else last and f"its field is {last}"


_FEW = 10


def by_name(kind: type[BaseModel]) -> str:
    """Say how a model is built, to who gave a field without its name."""
    fields = kind.model_fields
    needed = [name for name, each in fields.items() if each.is_required()]
    first = needed[0] if needed else "id" if "id" in fields else next(iter(fields))
    return f"{kind.__name__}() takes its fields by name: write {kind.__name__}({first}=...)"


_STORED = "write .model_dump(), or models.to_json(...) for text to store"
_SENDS_NOTHING = "a model sends nothing: give it to a call, such as client.accounts.update(...)"
_METHODS = {
    "get": "a field is an attribute, such as .id",
    "keys": "write .model_fields_set",
    "to_dict": _STORED,
    "as_dict": _STORED,
    "to_dict_recursive": _STORED,
    "asdict": _STORED,
    "to_json": _STORED,
    "serialize": _STORED,
    "save": _SENDS_NOTHING,
    "update": _SENDS_NOTHING,
    "delete": _SENDS_NOTHING,
    "refresh": "a model reads nothing: write a call, such as client.accounts.retrieve(...)",
}
"""What other libraries' resources have."""


def near_field(name: str, kind: type[BaseModel]) -> str | None:
    """Find the field that somebody may have meant."""
    plain = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    if plain in kind.model_fields:
        return plain
    meant = next((each for each in _MEANT.get(plain, ()) if each in kind.model_fields), None)
    from difflib import get_close_matches  # of no use to who names it right

    return meant or next(iter(get_close_matches(plain, kind.model_fields, n=1)), None)


def _is_of_a_float(value: Decimal) -> bool:
    return value != value.to_integral_value() and Decimal(float(value)) == value


_BY_REFERENCE = {"SubscriptionItem": "product=Product(id=...)"}
"""What a text in their place names, where that is not the `id` of their own."""


def _advice(kind: type[BaseModel], inner: type[BaseModel], line: ErrorDetails) -> str:
    value, fault = line["input"], line["type"]
    is_text = isinstance(value, str)
    if fault in ("extra_forbidden", "no_such_attribute"):
        name = shortened(str(line["loc"][-1]))
        near = near_field(name, kind)
        return f": no field {name!r}" + (f"; did you mean {near!r}?" if near else "")
    if fault == "model_type" and is_text and inner.__name__ in _BY_REFERENCE:
        return f": write {inner.__name__}({_BY_REFERENCE[inner.__name__]})"
    if fault == "model_type":
        return f": write {inner.__name__}({'id=' if is_text and 'id' in inner.model_fields else ''}...)"
    if fault == "list_type" and isinstance(value, BaseModel):
        return f": write [{type(value).__name__}(...)]"
    if fault == "money_type":
        return "; write Decimal('4.90'). `from_json` reads numbers in text" if is_text else "; write Decimal('4.90')"
    if fault == "timezone_aware":
        return "; write datetime.now(UTC), or .replace(tzinfo=UTC)"
    if fault == "timestamp_type" and isinstance(value, str | date):
        return ": write datetime(2026, 1, 31, tzinfo=UTC)" + (". `from_json` reads times in text" if is_text else "")
    if fault == "number_digits" and isinstance(value, Decimal) and _is_of_a_float(value):
        return ": a Decimal of a float has all digits of the float; write Decimal('4.90')"
    if fault == "string_type" and isinstance(value, date):
        is_card = line["loc"][-1] == "expiration_date"
        return ": write '203112', the year and the month" if is_card else ": write .isoformat() after it"
    if fault == "string_type" and isinstance(value, BaseModel) and "id" in type(value).model_fields:
        return ": give its `id`"
    if fault == "string_type" and isinstance(value, int | Decimal):
        return ": write it in quotes. `from_json` reads numbers there, too"
    if fault in _READ_FROM_TEXT:
        return ". `from_json` reads what the service sends, such as numbers and times in text"
    return ""
