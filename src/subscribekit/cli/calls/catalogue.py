"""Every operation of the package by its SDK name, read from the classes that define them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias, cast, get_args, get_origin, get_type_hints

from ..._core.calls.driver import Driver
from ..._core.config.environments import GROUP_NAMES, Group
from ..._core.lists.pager import Pager
from ..._generated.sync.billing.cursor_collection import CursorCollection
from ..._generated.sync.billing.generic_resource import GenericResource
from ..._generated.sync.billing.resources import BillingResources
from ..._generated.sync.gateway.resources import GatewayResources
from ..._generated.sync.storefront.resources import StorefrontResources
from ..._generated.sync.user_mgmt.offset_collection import OffsetCollection
from ..._generated.sync.user_mgmt.resources import UserMgmtResources
from ...models import Model

_Resources: TypeAlias = type[BillingResources | GatewayResources | UserMgmtResources | StorefrontResources]

GROUPS: dict[Group, tuple[_Resources, str]] = {
    "billing": (BillingResources, "The billing REST API (group A)"),
    "gateway": (GatewayResources, "The gateway interfaces (group B)"),
    "user_mgmt": (UserMgmtResources, "The account lifecycle interfaces (group C)"),
    "storefront": (StorefrontResources, "The storefront (group D)"),
}

# Families that are made with their own arguments: their class, and the method that makes one.
_MADE: dict[tuple[Group, str], tuple[type, Callable[..., object]]] = {
    ("billing", "resource"): (GenericResource, BillingResources.resource),
    ("billing", "collection"): (CursorCollection, BillingResources.collection),
    ("user_mgmt", "collection"): (OffsetCollection, UserMgmtResources.collection),
}
_OTHER_FORMS = ("with_raw_response", "prepare")
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
        call: The method of the sync class, not bound.
        make: The method that makes the family, where it takes arguments.
    """

    group: Group
    family: str
    method: str
    call: Callable[..., object]
    make: Callable[..., object] | None

    @property
    def name(self) -> str:
        """The name that a person types."""
        return ".".join(part for part in (self.group, self.family, self.method) if part)

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        return (self.call.__doc__ or "").strip().partition("\n")[0]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its arguments, those of the family first."""
        made = () if self.make is None else _parameters(self.make, of_family=True)
        return (*made, *_parameters(self.call, of_family=False))

    @cached_property
    def is_list(self) -> bool:
        """Whether it gives a list."""
        return get_origin(self._returned) is Pager

    @cached_property
    def item(self) -> type[Model] | None:
        """The model that it gives; `None` when the arguments decide, or when it gives nothing."""
        found: object = get_args(self._returned)[0] if self.is_list else self._returned
        return found if isinstance(found, type) and issubclass(found, Model) else None

    @cached_property
    def _returned(self) -> object:
        return get_type_hints(self.call)["return"]


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


def families(group: Group) -> list[str]:
    """Give the families of a group: first those with their own operations."""
    own = [name for name, value in vars(GROUPS[group][0]).items() if isinstance(value, cached_property)]
    return [*(name for name in own if name not in _OTHER_FORMS), *(name for each, name in _MADE if each == group)]


def _of_group(group: Group) -> Iterator[Entry]:
    for family in families(group):
        yield from _of_family(group, family)
    yield from _of_family(group, "")


def _of_family(group: Group, family: str) -> Iterator[Entry]:
    resources = GROUPS[group][0]
    if not family:
        yield Entry(group, "", REQUEST, resources.request, None)
        return
    kind, make = _MADE.get((group, family), (None, None))
    if kind is None and family in families(group):
        # The class is imported when the family is first used; nothing is called on this one.
        resource: object = getattr(resources(cast("Driver", None)), family)
        kind = type(resource)
    members: Mapping[str, object] = {} if kind is None else vars(kind)
    for name, value in members.items():
        if not name.startswith("_") and callable(value):
            yield Entry(group, family, name, value, make)
