"""Validation contexts: tell validators whether a response is read or a request is built."""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic_core import core_schema

Info: TypeAlias = core_schema.ValidationInfo[Any]

READING: dict[str, bool] = {"reading": True}
"""Validation context of reading a response."""
BUILDING: dict[str, bool] = {"building": True}
"""Validation context of a class call, an assignment, and the check before sending: numbers and times are Python's own.

Without one of the two contexts the values come from JSON (`model_validate`, a web framework), which has neither.
"""


def is_built(info: Info) -> bool:
    """Tell whether values are given in Python."""
    return info.context is BUILDING or info.context is READING  # what was read may be assigned to
