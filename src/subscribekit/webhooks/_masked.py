"""A `dict` and a `list` that don't print their values, because received values can be personal data."""

from __future__ import annotations

from typing import Self

from .._json import JSON
from .._shown import MASK


class MaskedDict(dict[str, JSON]):
    """A `dict` that prints its names, but not its values.

    Nested names aren't printed, so that deeply nested data can't cause a `RecursionError`.
    """

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {MASK!r}" for name in self) + "}"

    def copy(self) -> Self:
        """Return a shallow copy of the same class, which doesn't print its values."""
        return type(self)(self)


class MaskedList(list[JSON]):
    """A `list` that prints only its number of items."""

    def __repr__(self) -> str:
        return f"[{len(self)} items: {MASK}]"

    def copy(self) -> Self:
        """Return a shallow copy of the same class, which doesn't print its values."""
        return type(self)(self)


def masked(value: JSON) -> JSON:
    """Convert a JSON value so that the objects and arrays at every level don't print their values."""
    if isinstance(value, dict):
        return masked_object(value)
    return MaskedList(masked(item) for item in value) if isinstance(value, list) else value


def masked_object(value: dict[str, JSON]) -> MaskedDict:
    """Convert a JSON object so that the object, and all nested objects and arrays, don't print their values."""
    return MaskedDict((name, masked(item)) for name, item in value.items())
