"""Finds the nested models of a value, and the fields that are set in each model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import cast

from pydantic import BaseModel

from ._lists import ModelList

_LONGEST_NAME = 60
"""Maximum length of a name in an error message. No field name is longer."""
_PLAIN = frozenset({bool, datetime, Decimal, int, str, type(None)})
"""The types of most field values. Values of these types can't contain a model."""


def shortened(name: str) -> str:
    """Shorten a name for an error message, because a caller's key can have any length."""
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def models_in(path: str, value: object) -> Iterator[tuple[str, BaseModel]]:
    """Yield every model in a value with its path, outer models first."""
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
    """Return the fields that are set. After `model_copy` or `model_construct`, a model can have unknown field names."""
    given = model.model_fields_set
    return {field: value for field, value in model.__dict__.items() if field in given}
