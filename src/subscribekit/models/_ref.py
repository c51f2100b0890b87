"""The type `Ref[Account]`, for a field whose model is built when the SDK reads the first value of the field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar, get_args

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from ._context import READING, Info

T = TypeVar("T", bound=BaseModel)


_DEFINED: dict[str, type[BaseModel]] = {}
"""The registered models by class name, for references such as `Ref["Account"]`."""


def define(*models: type[BaseModel]) -> None:
    """Register models by class name, so that references such as `Ref["Account"]` find their model."""
    _DEFINED.update({model.__name__: model for model in models})


@dataclass(frozen=True, slots=True)
class Reference:
    """The schema of a field that refers to another model.

    Attributes:
        to: The model that the field refers to, or the model's name.
    """

    to: type[BaseModel] | str

    @property
    def model(self) -> type[BaseModel]:
        """The model that the field refers to."""
        return _DEFINED[self.to] if isinstance(self.to, str) else self.to

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.lax_or_strict_schema(
            core_schema.no_info_plain_validator_function(self._read),
            core_schema.with_info_plain_validator_function(self._build),
            serialization=core_schema.simple_ser_schema("any"),
        )

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "object", "title": self.model.__name__}

    def _read(self, value: object) -> BaseModel:
        model: BaseModel = self._built().__pydantic_validator__.validate_python(
            value, strict=False, extra="allow", context=READING
        )
        return model

    def _build(self, value: object, info: Info) -> BaseModel:
        model: BaseModel = self._built().__pydantic_validator__.validate_python(value, context=info.context)
        return model

    def _built(self) -> type[BaseModel]:
        model = self.model
        if not model.__pydantic_complete__:
            # If another thread has built the validator, but not yet the serializer, this call waits for that thread.
            model.model_rebuild()
        return model


if TYPE_CHECKING:
    Ref: TypeAlias = Annotated[T, "a reference"]
else:

    class Ref:
        """Type of a field that refers to another resource. For type checkers, `Ref[Account]` is the same as `Account`.

        Accounts, subscriptions, and transactions refer to each other. If a field had the model as its type, the first
        response would build nearly all models, and FastAPI would describe nearly all models for a route that returns
        only one.

        If the file defines the class of the model after the field, write the class name in quotes, as in
        `Ref["Account"]`.
        """

        def __class_getitem__(cls, model):
            return Annotated[Any, Reference(model)]


def models_of(hint: object) -> Iterator[type[BaseModel]]:
    """Return the models in the type of a field, such as `ModelList[Address] | None` or `Ref[Account] | None`."""
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        yield hint
    if isinstance(hint, Reference):
        yield hint.model
    for part in get_args(hint):
        yield from models_of(part)


def build_all(model: type[BaseModel]) -> None:
    """Build a model and all models that the model can contain, so that reading a response builds no model (H251)."""
    found, waiting = {model}, [model]
    while waiting:
        each = waiting.pop()
        each.model_rebuild()
        inside = {part for field in each.model_fields.values() for part in models_of(field.annotation)}
        waiting += inside - found
        found |= inside
