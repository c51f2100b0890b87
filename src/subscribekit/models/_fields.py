"""Returns the IDs of resources, and the wire names and sensitive fields of models."""

from __future__ import annotations

from functools import cache
from typing import get_args

from pydantic import AliasChoices, BaseModel

from ._masked_numbers import Test
from ._scalars import MaskedInResponses, Sensitive


def identity_of(model: BaseModel) -> str | None:
    """Return the `id` of a resource, or its `vid` if it has no `id`."""
    found: object = getattr(model, "id", None)
    found = getattr(model, "vid", None) if found in (None, "") else found
    return None if found is None else str(found)


@cache
def sensitive_fields(kind: type[BaseModel]) -> frozenset[str]:
    """Return the names of the fields that contain personal or payment data and are masked in `repr`."""
    return frozenset(
        name for name, field in kind.model_fields.items() if any(isinstance(item, Sensitive) for item in field.metadata)
    )


@cache
def maskable_numbers(kind: type[BaseModel]) -> dict[str, Test]:
    """Return the fields whose numbers the service masks, each with the function that recognizes a masked number."""
    return {
        name: mark.test
        for name, field in kind.model_fields.items()
        for option in get_args(field.annotation)
        for mark in get_args(option)
        if isinstance(mark, MaskedInResponses)
    }


@cache
def dumped_names(kind: type[BaseModel]) -> frozenset[str]:
    """Return the fields that a dump contains even if you don't set them: only `object`, if it has a fixed value."""
    field = kind.model_fields.get("object")
    return frozenset() if field is None or field.default is None else frozenset({"object"})


@cache
def wire_names(kind: type[BaseModel]) -> dict[str, str]:
    """Return the wire name of each field, in the order of the fields."""
    return {name: field.serialization_alias or name for name, field in kind.model_fields.items()}


@cache
def field_by_wire_name(kind: type[BaseModel]) -> dict[str, str]:
    """Return the field name for each wire name. In responses, a field can have several wire names."""
    names = {wire: name for name, wire in wire_names(kind).items()}
    for name, field in kind.model_fields.items():
        if isinstance(field.validation_alias, AliasChoices):
            names |= {choice: name for choice in field.validation_alias.choices if isinstance(choice, str)}
    return names
