"""Contents of a value, as types that a checker can follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast


def entries_of(value: object) -> Mapping[str, object] | None:
    """Give the entries of a JSON object or of any mapping; `None` for everything else."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def items_of(value: object) -> Sequence[object] | None:
    """Give the items of a list or of a nested collection; `None` for everything else, texts included."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return cast("Sequence[object]", value)
    return None
