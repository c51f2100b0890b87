"""Printing that never raises: crash reporters and debuggers print whatever a failed call left behind."""

from __future__ import annotations


def shown(value: object) -> str:
    """Return the `repr` of a value, or its type where that raises (an `int` of 5,000 digits, a nesting too deep)."""
    try:
        return repr(value)
    except Exception:  # noqa: BLE001  any class may raise anything here, and the text says that it did
        return f"<{type(value).__name__} that cannot be printed>"
