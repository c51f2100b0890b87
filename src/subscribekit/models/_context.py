"""Validation contexts, from which validators know whether the SDK reads a response or you create a model."""

from __future__ import annotations

from typing import Any, TypeAlias

from pydantic_core import core_schema

Info: TypeAlias = core_schema.ValidationInfo[Any]

READING: dict[str, bool] = {"reading": True}
"""The validation context for responses, and for assignments to a model from a response."""
BUILDING: dict[str, bool] = {"building": True}
"""The validation context for creating a model, for assignments to a created model, and for the check before sending.

In the context `BUILDING`, values have Python types, such as `Decimal` and `datetime`. `model_validate` and web
frameworks use neither `READING` nor `BUILDING`, and their values have JSON types.
"""


def is_built(info: Info) -> bool:
    """Return whether a validator receives Python types instead of JSON types."""
    return info.context is BUILDING or info.context is READING  # an assignment to a received model uses `READING`
