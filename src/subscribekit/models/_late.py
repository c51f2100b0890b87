"""References between models of different files, bound when a value is first met.

Accounts, subscriptions and transactions refer to each other. Bound at definition, every model would have to build the
validators of nearly all others before its first use; bound late, each file can be imported alone and each model builds
only what it holds. `_references.py` has one for each model that other files name.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

READING: dict[str, bool] = {"reading": True}
"""Validation context that tells validators of whole models that a response is being read, not a request built."""
BUILDING: dict[str, bool] = {"building": True}
"""Validation context of a class call, an assignment and the check before sending: numbers and times are Python's own.

Without one of the two contexts the values come from JSON (`model_validate`, a web framework), which has neither.
"""


def is_built(info: core_schema.ValidationInfo[Any]) -> bool:
    """Tell whether values are given in Python."""
    return info.context is BUILDING or info.context is READING  # what was read may be assigned to


@dataclass(slots=True, eq=False)
class Late:
    """The schema of a model that is imported when its first value arrives."""

    _module: str
    _name: str
    _kind: type[BaseModel] | None = None

    def resolve(self) -> type[BaseModel]:
        """Import and build the model, once."""
        if self._kind is None:
            kind: type[BaseModel] = getattr(import_module(f"subscribekit.models.{self._module}"), self._name)
            # The validator of a model that another thread builds exists before its serializer does.
            kind.model_rebuild()
            self._kind = kind
        return self._kind

    def _read(self, value: object) -> BaseModel:
        model: BaseModel = self.resolve().__pydantic_validator__.validate_python(
            value, strict=False, extra="allow", context=READING
        )
        return model

    def _build(self, value: object, info: core_schema.ValidationInfo[Any]) -> BaseModel:
        model: BaseModel = self.resolve().__pydantic_validator__.validate_python(value, context=info.context)
        return model

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        _bound.append(self)
        return core_schema.lax_or_strict_schema(
            core_schema.no_info_plain_validator_function(self._read),
            core_schema.with_info_plain_validator_function(self._build),
            serialization=core_schema.simple_ser_schema("any"),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        # The schema of the model itself would bring those of nearly all others with it.
        return {"type": "object", "title": self._name}


_bound: list[Late] = []
"""The references in all models that were built."""


def load(kind: type[BaseModel]) -> None:
    """Import and build a model with all that its values may hold: reading one opens no file afterwards (H251).

    Raises:
        OSError: A file cannot be opened.
        ImportError: A module cannot be imported.
    """
    kind.model_rebuild()
    for each in _bound:  # grows on the way
        each.resolve()
