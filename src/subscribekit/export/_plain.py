"""Converts values to types that JSON can hold, without personal fields by default."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import cast

from .._shown import MASK
from ..models._base import Model
from ..models._fields import sensitive_fields
from ..models._lists import ModelList

UNKNOWN = "unknown_fields"
"""The column for received data for which the model has no field."""


def plain(value: object, *, include_personal: bool) -> object:
    """Convert a value to types that JSON can hold. A model becomes a dict with the Python names of its fields."""
    if isinstance(value, Model):
        hidden = frozenset[str]() if include_personal else sensitive_fields(type(value))
        names = [name for name in type(value).model_fields if name not in hidden]
        return {
            name: plain(found, include_personal=include_personal)
            for name in names
            if (found := getattr(value, name)) is not None
        }
    if isinstance(value, Mapping):
        content = cast("Mapping[object, object]", value)
        return {str(name): plain(item, include_personal=include_personal) for name, item in content.items()}
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [plain(item, include_personal=include_personal) for item in cast("Sequence[object]", value)]
    if isinstance(value, date):
        return value.isoformat()
    return value if value is None or isinstance(value, (str, int, Decimal)) else str(value)


def unknown_fields(model: Model, *, include_personal: bool) -> dict[str, object]:
    """Return the received data for which the models have no fields, from every level of nesting.

    The key for the data of a nested object is the name of the field that contains the object. Unless `include_personal`
    is set, the values are masked, because unknown values can be personal.
    """
    found: dict[str, object] = {
        name: plain(value, include_personal=True) if include_personal else MASK
        for name, value in (model.model_extra or {}).items()
    }
    hidden = frozenset[str]() if include_personal else sensitive_fields(type(model))
    for name in type(model).model_fields:
        value: object = None if name in hidden else getattr(model, name)
        nested: dict[str, object] = {}
        if isinstance(value, Model):
            nested = unknown_fields(value, include_personal=include_personal)
        elif isinstance(value, (ModelList, list)):
            elements = enumerate(cast("Sequence[object]", value))
            inside = {
                str(i): unknown_fields(e, include_personal=include_personal)
                for i, e in elements
                if isinstance(e, Model)
            }
            nested = {index: content for index, content in inside.items() if content}
        if nested:
            found.setdefault(name, nested)
    return found
