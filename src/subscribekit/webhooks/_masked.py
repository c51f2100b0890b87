"""Received values that are used like any `dict` and `list`, and never printed: they hold personal data."""

from __future__ import annotations

from typing import Self

from .._json import JSON
from .._shown import MASK


class MaskedDict(dict[str, JSON]):
    """A `dict` whose names are printed and whose values are not.

    Nothing below is printed either, so that the depth of what was received cannot matter.
    """

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {MASK!r}" for name in self) + "}"

    def copy(self) -> Self:
        """Return a copy that is masked as well."""
        return type(self)(self)


class MaskedList(list[JSON]):
    """A `list` that prints how many items it has."""

    def __repr__(self) -> str:
        return f"[{len(self)} items: {MASK}]"

    def copy(self) -> Self:
        """Return a copy that is masked as well."""
        return type(self)(self)


def masked(value: JSON) -> JSON:
    """Return a value with every object and array in it masked."""
    if isinstance(value, dict):
        return masked_object(value)
    return MaskedList(masked(item) for item in value) if isinstance(value, list) else value


def masked_object(value: dict[str, JSON]) -> MaskedDict:
    """Return an object with every object and array in it masked."""
    return MaskedDict((name, masked(item)) for name, item in value.items())
