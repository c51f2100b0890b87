"""Every operation of the package by its SDK name, read from the classes that define them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import cast, get_args, get_type_hints

from ..._core.client.binding import Preparer, listing, operation
from ..._core.client.resources import Resources
from ..._core.config.environments import GROUP_NAMES, Group
from ...models import Model

GROUPS: dict[Group, tuple[str, str]] = {
    "billing": ("subscribekit.billing.client", "The billing REST API (group A)"),
    "gateway": ("subscribekit.gateway", "The gateway interfaces (group B)"),
    "user_mgmt": ("subscribekit.user_mgmt", "The account lifecycle interfaces (group C)"),
    "storefront": ("subscribekit.storefront", "The storefront (group D)"),
}

# Families that are made with their own arguments: the module of their class.
_MADE: dict[tuple[Group, str], tuple[str, str]] = {
    ("billing", "resource"): ("subscribekit.billing.generic", "GenericResource"),
    ("billing", "collection"): ("subscribekit._core.client.collections", "CursorCollection"),
    ("user_mgmt", "collection"): ("subscribekit._core.client.collections", "OffsetCollection"),
}
REQUEST = "request"
"""The call that needs no family."""


@dataclass(frozen=True)
class Parameter:
    """One argument of an operation.

    Attributes:
        name: Its name in Python.
        hint: Its type.
        is_required: Whether there is no default.
        is_keyword: Whether it is given by name only.
        is_positional: Whether it is given without its name only.
        of_family: Whether it makes the family instead of the call.
    """

    name: str
    hint: object
    is_required: bool
    is_keyword: bool
    is_positional: bool
    of_family: bool


@dataclass(frozen=True)
class Entry:
    """One operation of the package.

    Attributes:
        group: The client that has it.
        family: Attribute of the client; empty for `request`.
        method: Method of the family.
        describe: The function that describes the call.
        make: The function that makes the family, where it takes arguments.
        is_list: Whether it gives a list.
    """

    group: Group
    family: str
    method: str
    describe: Callable[..., object]
    make: Callable[..., object] | None
    is_list: bool

    @property
    def name(self) -> str:
        """The name that a person types."""
        return ".".join(part for part in (self.group, self.family, self.method) if part)

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        return (self.describe.__doc__ or "").strip().partition("\n")[0]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its arguments, those of the family first."""
        made = () if self.make is None else _parameters(self.make, of_family=True)
        return (*made, *_parameters(self.describe, of_family=False))

    @cached_property
    def item(self) -> type[Model] | None:
        """The model that it gives; `None` when the arguments decide, or when it gives nothing."""
        inner = () if self.method == REQUEST else get_args(get_type_hints(self.describe).get("return"))
        return inner[0] if inner and isinstance(inner[0], type) and issubclass(inner[0], Model) else None


def _parameters(function: Callable[..., object], *, of_family: bool) -> Iterator[Parameter]:
    for each in list(inspect.signature(function).parameters.values())[1:]:
        is_required, by_name = each.default is each.empty, each.kind is each.KEYWORD_ONLY
        yield Parameter(each.name, each.annotation, is_required, by_name, each.kind is each.POSITIONAL_ONLY, of_family)


def entries() -> dict[str, Entry]:
    """Give all operations by their names."""
    found = (each for group in GROUPS for each in _of_group(group))
    return {each.name: each for each in found}


def find(name: str) -> Entry | None:
    """Give one operation and import no more than its family."""
    group, _, rest = name.partition(".")
    family, _, method = rest.rpartition(".")
    known: Group | None = next((each for each in GROUP_NAMES if group == each), None)
    if known is None or (not family and method != REQUEST):
        return None
    return next((each for each in _of_family(known, family) if each.method == method), None)


def _resources(group: Group) -> type[Resources[Preparer]]:
    module = import_module(GROUPS[group][0])
    return cast("type[Resources[Preparer]]", getattr(module, f"{GROUP_NAMES[group]}Resources"))


def families(group: Group) -> list[str]:
    """Give the families of a group: first those with their own operations."""
    own = [name for name, value in vars(_resources(group)).items() if isinstance(value, cached_property)]
    return [*own, *(name for each, name in _MADE if each == group)]


def _of_group(group: Group) -> Iterator[Entry]:
    for family in families(group):
        yield from _of_family(group, family)
    yield from _of_family(group, "")


def _of_family(group: Group, family: str) -> Iterator[Entry]:
    kind, make = _resources(group), None
    if not family:
        yield Entry(group, "", REQUEST, Resources.request, None, is_list=False)
        return
    if (group, family) in _MADE:
        module, name = _MADE[group, family]
        members: type[object] = getattr(import_module(module), name)
        make = getattr(kind, family)
    elif isinstance(vars(kind).get(family), cached_property):
        # The classes are imported when a family is first used; nothing is called on this one.
        held: object = getattr(kind(cast("Preparer", None)), family)
        members = type(held)
    else:
        return
    for name, value in vars(members).items():
        if isinstance(value, operation | listing):
            yield Entry(group, family, name, getattr(members, name), make, isinstance(value, listing))
