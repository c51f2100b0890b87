"""Checks whether a value is a mapping or a sequence, and returns the value with that type for type checkers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast


def entries_of(value: object) -> Mapping[str, object] | None:
    """Return a mapping as it is, and `None` for any other value."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def items_of(value: object) -> Sequence[object] | None:
    """Return a sequence as it is, and `None` for any other value, such as a string."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return cast("Sequence[object]", value)
    return None
