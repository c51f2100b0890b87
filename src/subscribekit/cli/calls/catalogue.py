"""Finds operations by their SDK names, such as `billing.accounts.list`, in the classes that define them."""

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
    "billing": (BillingResources, "Accounts, subscriptions, and transactions"),
    "gateway": (GatewayResources, "Partner subscriptions and entitlement charges"),
    "user_mgmt": (UserMgmtResources, "The signed-in user's accounts and custom data"),
    "storefront": (StorefrontResources, "The flags of payment methods"),
}
"""For each API, the class that defines the resources, and the API's description in help texts."""

_WITH_ARGUMENTS: dict[tuple[Group, str], tuple[type, Callable[..., object]]] = {
    ("billing", "resource"): (GenericResource, BillingResources.resource),
    ("billing", "collection"): (CursorCollection, BillingResources.collection),
    ("user_mgmt", "collection"): (OffsetCollection, UserMgmtResources.collection),
}
"""The resources that clients return from a method with arguments, such as `collection`.

Each value contains the class of the resource, and the method that returns the resource.
"""
_OTHER_FORMS = ("with_raw_response", "prepare")
REQUEST = "request"
"""The name of the operation that is a method of the client, and not of a resource."""


@dataclass(frozen=True)
class Parameter:
    """One argument of an operation.

    Attributes:
        name: The name in Python.
        hint: The type.
        is_required: Whether the argument has no default.
        is_keyword: Whether the argument can be passed only by name.
        is_positional: Whether the argument can be passed only by position.
        is_of_resource: Whether the argument belongs to the method that creates the resource, not to the operation.
    """

    name: str
    hint: object
    is_required: bool
    is_keyword: bool
    is_positional: bool
    is_of_resource: bool


@dataclass(frozen=True)
class Entry:
    """One operation.

    Attributes:
        group: The API.
        resource: The attribute of the client, such as `accounts`; empty for `request`.
        method: The method of the resource.
        call: The unbound method of the sync class.
        factory: The method that creates the resource, if this method has arguments.
    """

    group: Group
    resource: str
    method: str
    call: Callable[..., object]
    factory: Callable[..., object] | None

    @property
    def name(self) -> str:
        """The name of the operation in the command line, such as `billing.accounts.list`."""
        return ".".join(part for part in (self.group, self.resource, self.method) if part)

    @property
    def summary(self) -> str:
        """The first line of the operation's docstring."""
        return (self.call.__doc__ or "").strip().partition("\n")[0]

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The arguments of the resource, followed by the arguments of the operation."""
        of_resource = () if self.factory is None else _parameters(self.factory, is_of_resource=True)
        return (*of_resource, *_parameters(self.call, is_of_resource=False))

    @cached_property
    def is_list(self) -> bool:
        """Whether the operation returns a pager."""
        return get_origin(self._returned) is Pager

    @cached_property
    def item(self) -> type[Model] | None:
        """The model of the result, or of the items of a list.

        `None` if the arguments determine the model, or if the operation has no result.
        """
        found: object = get_args(self._returned)[0] if self.is_list else self._returned
        return found if isinstance(found, type) and issubclass(found, Model) else None

    @cached_property
    def _returned(self) -> object:
        return get_type_hints(self.call)["return"]


def _parameters(function: Callable[..., object], *, is_of_resource: bool) -> Iterator[Parameter]:
    for each in list(inspect.signature(function).parameters.values())[1:]:
        yield Parameter(
            name=each.name,
            hint=each.annotation,
            is_required=each.default is each.empty,
            is_keyword=each.kind is each.KEYWORD_ONLY,
            is_positional=each.kind is each.POSITIONAL_ONLY,
            is_of_resource=is_of_resource,
        )


def entries() -> dict[str, Entry]:
    """Return all operations, by their names."""
    found = (each for group in GROUPS for each in _of_group(group))
    return {each.name: each for each in found}


def find(name: str) -> Entry | None:
    """Return the operation with this name, or `None`. Imports only the class of the resource that the name contains."""
    group, _, rest = name.partition(".")
    resource, _, method = rest.rpartition(".")
    known: Group | None = next((each for each in GROUP_NAMES if group == each), None)
    if known is None or (not resource and method != REQUEST):
        return None
    return next((each for each in _of_resource(known, resource) if each.method == method), None)


def resources_of(group: Group) -> list[str]:
    """Return the names of an API's resources. The list ends with the resources in `_WITH_ARGUMENTS`."""
    own = [name for name, value in vars(GROUPS[group][0]).items() if isinstance(value, cached_property)]
    return [
        *(name for name in own if name not in _OTHER_FORMS),
        *(name for each, name in _WITH_ARGUMENTS if each == group),
    ]


def _of_group(group: Group) -> Iterator[Entry]:
    for resource in resources_of(group):
        yield from _of_resource(group, resource)
    yield from _of_resource(group, "")


def _of_resource(group: Group, resource: str) -> Iterator[Entry]:
    client = GROUPS[group][0]
    if not resource:
        yield Entry(group, "", REQUEST, client.request, None)
        return
    kind, factory = _WITH_ARGUMENTS.get((group, resource), (None, None))
    if kind is None and resource in resources_of(group):
        # Reading the client's attribute imports the class of the resource. The driver can be `None`, because this
        # code calls no operation.
        found: object = getattr(client(cast("Driver", None)), resource)
        kind = type(found)
    members: Mapping[str, object] = {} if kind is None else vars(kind)
    for name, value in members.items():
        if not name.startswith("_") and callable(value):
            yield Entry(group, resource, name, value, factory)
