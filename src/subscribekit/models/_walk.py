"""The models in a value, and what is set in each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import cast

from pydantic import BaseModel

from ._lists import ModelList

_LONGEST_NAME = 60
"""Longer than the names of all fields."""
_PLAIN = frozenset({bool, datetime, Decimal, int, str, type(None)})
"""Types of most values, which hold no model."""


def shortened(name: str) -> str:
    """Cut down a name that an error shows; a key of the caller's own may be of any length."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def models_in(path: str, value: object) -> Iterator[tuple[str, BaseModel]]:
    """Give every model in a value with its path, outer ones first."""
    inner: Iterator[tuple[object, object]] = iter(())
    if isinstance(value, BaseModel):
        yield path, value
        inner = iter((given_fields(value) | (value.model_extra or {})).items())
    elif isinstance(value, Mapping):
        inner = iter(cast("Mapping[object, object]", value).items())
    elif isinstance(value, ModelList | list | tuple):
        inner = enumerate(cast("Sequence[object]", value))
    for step, content in inner:
        if type(content) not in _PLAIN:
            yield from models_in(f"{path}.{shortened(str(step))}", content)


def given_fields(model: BaseModel) -> dict[object, object]:
    """Give the fields that are set; a copy or a construction may have put a name among them that is no field."""
    given = model.model_fields_set
    return {field: value for field, value in model.__dict__.items() if field in given}
