"""The base of all models: strict when built, tolerant when read, exact when written, masked when printed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import AliasChoices, BaseModel, ConfigDict, ValidationError, model_serializer
from pydantic.alias_generators import to_camel
from pydantic_core import core_schema

from ._late import READING, late
from ._lists import Many, ModelList
from ._scalars import (
    SENSITIVE,
    UNSET,
    DateOrTimestamp,
    EpochMillis,
    FreeText,
    Identifier,
    Integer,
    JsonObject,
    Masked,
    Metadata,
    Money,
    MoneyField,
    Number,
    Quantity,
    Sensitive,
    Text,
    TextLimit,
    Timestamp,
)

__all__ = [
    "READING",
    "SENSITIVE",
    "UNSET",
    "CamelModel",
    "DateOrTimestamp",
    "EpochMillis",
    "FreeText",
    "Identifier",
    "Integer",
    "JsonObject",
    "Many",
    "Masked",
    "Metadata",
    "Model",
    "ModelList",
    "Money",
    "MoneyField",
    "Number",
    "OpenModel",
    "Quantity",
    "Sensitive",
    "Text",
    "TextLimit",
    "Timestamp",
    "late",
    "read",
    "sensitive_fields",
    "wire_names",
    "write",
]

MASK = "***"


class Model(BaseModel):
    """A resource of the service.

    Built by an application, a model refuses what the service would refuse: an unknown field, a float for money, a naive
    datetime, a text over its limit. Read from an answer, it takes any field as absent or null, keeps unknown fields in
    `model_extra`, and keeps there, under the name it came with, also the value of a known field that it cannot read
    (`unread_fields` names those).

    `None` that was given means "send null"; a field that was not given is left out. `object` is left out in the same
    way, as the service allows in request bodies, unless it was received or given.
    """

    model_config: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid",
        strict=True,
        validate_assignment=True,
        hide_input_in_errors=True,
        defer_build=True,
        serialize_by_alias=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    @property
    def unread_fields(self) -> frozenset[str]:
        """Wire names of the fields whose received value could not be read; the values are in `model_extra`."""
        return frozenset(self.model_extra or ()) & field_by_wire_name(type(self)).keys()

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # models are mutable

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model) or type(self) is not type(other):
            return NotImplemented
        # A model that was read has an empty dict of unknown fields where a built one has none at all.
        return self.__dict__ == other.__dict__ and (self.model_extra or {}) == (other.model_extra or {})

    if not TYPE_CHECKING:  # checkers must go on reporting assignments to unknown attributes

        def __setattr__(self, name: str, value: object) -> None:
            extra = self.__pydantic_extra__
            before = {field: self.__dict__[field] for field in extra or () if field in self.__dict__}
            super().__setattr__(name, value)
            if (
                extra is not None
                and self.__pydantic_extra__ is not extra
                and self.model_config.get("extra") == "forbid"
            ):
                # Where unknown fields are forbidden when built, an assignment puts the received ones among the known,
                # where they are printed in clear; here they stay what they are.
                extra.pop(wire_names(type(self)).get(name, name), None)
                for field in extra:
                    self.__dict__.pop(field, None)
                self.__dict__.update((field, before[field]) for field in extra if field in before)
                object.__setattr__(self, "__pydantic_extra__", extra)

    def __repr_args__(self) -> Iterable[tuple[str | None, object]]:
        masked = sensitive_fields(type(self))
        given = self.model_fields_set
        for name, value in self.__dict__.items():
            if name in given:
                yield name, MASK if name in masked and value is not None else value
        for name in self.model_extra or ():
            yield name, MASK

    @model_serializer(mode="wrap")
    def _write_with_extra(self, handler: core_schema.SerializerFunctionWrapHandler) -> dict[str, Any]:
        data: dict[str, Any] = handler(self)
        # Unknown fields are not serialized where the class forbids them, but they must survive being sent again.
        if self.__pydantic_extra__ and self.model_config.get("extra") == "forbid":
            data.update(self.__pydantic_extra__)
        return data


class CamelModel(Model):
    """A resource of groups B, C and D: snake_case in Python, camelCase on the wire."""

    model_config: ClassVar[ConfigDict] = ConfigDict(alias_generator=to_camel)


class OpenModel(Model):
    """An object whose fields are not documented: any field may be given."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow")


M = TypeVar("M", bound=Model)


def read(kind: type[M], raw: object) -> M:
    """Read an answer that was parsed from JSON, with `Decimal` for fractional numbers.

    A value inside that cannot be read leaves its field unset and stays in `model_extra`.

    Raises:
        pydantic.ValidationError: The answer is not a JSON object, or says that it is an object of another kind.
    """
    try:
        return kind.model_validate(raw, strict=False, extra="allow", context=READING)
    except ValidationError as error:
        from ._reading import read_around  # only damaged answers pay for it

        return read_around(kind, raw, error)


def write(model: Model) -> dict[str, object]:
    """Return what is sent for a model: wire names, the fields that were given, unknown fields on every level.

    Amounts stay `Decimal` for the JSON encoder; points in time are ISO 8601 text with offset, or epoch milliseconds.
    """
    # A warning of pydantic would show the value.
    return model.model_dump(mode="wire", by_alias=True, exclude_unset=True, warnings=False)


@cache
def sensitive_fields(kind: type[Model]) -> frozenset[str]:
    """Return the names of the fields of a model that hold personal or payment data and are masked when printed."""
    return frozenset(
        name for name, field in kind.model_fields.items() if any(isinstance(item, Sensitive) for item in field.metadata)
    )


@cache
def wire_names(kind: type[Model]) -> dict[str, str]:
    """Return the name on the wire of each field of a model."""
    return {name: field.serialization_alias or name for name, field in kind.model_fields.items()}


@cache
def field_by_wire_name(kind: type[Model]) -> dict[str, str]:
    """Return the field for each name that it may be received under."""
    names = {wire: name for name, wire in wire_names(kind).items()}
    for name, field in kind.model_fields.items():
        if isinstance(field.validation_alias, AliasChoices):
            names |= {choice: name for choice in field.validation_alias.choices if isinstance(choice, str)}
    return names
