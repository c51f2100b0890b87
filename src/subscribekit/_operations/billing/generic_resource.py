"""Calls a resource by the conventions of the specification (by convention, not published).

A GET reads one resource or a list, a POST creates or updates a resource, and a DELETE removes an association. No
source says whether the service supports such a call for a resource, or which fields it has.
"""

import re
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..._core.client.described import BY_CONVENTION, describes
from ..._core.lists.listing import ByCursor, Listing, cursor_list
from ..._core.lists.parameters import ListParams
from ..._core.operations.bodies import model_class
from ..._core.operations.identity import KIND, named
from ..._core.operations.operation import Operation, Safety, delete, get
from ..._core.resolving.rules import Rule
from ...errors import InvalidArgumentError
from ...models._base import Model
from ._writes import submit

__tracebackhide__ = True

M = TypeVar("M", bound=Model)

_NAME = re.compile(r"[a-z_]{1,128}")
_WITHOUT_ID = frozenset({"event_summaries"})
"""Collections whose resources have no ID in responses. See `event_summaries.retrieve`."""
_ACTIONS = ("gdpr", "diagnostics")


@dataclass(slots=True, eq=False, repr=False)
class Family(Generic[M]):
    """The name and the model of a resource.

    Attributes:
        name: The name of the collection in paths.
        model: The model of the resource.
    """

    name: str
    model: type[M]


def resource(name: str, model: type[M]) -> Family[M]:
    """Return a resource that has no published operations, with operations by the specification's conventions.

    `client.resource("chargebacks", Chargeback).retrieve("cb1")` returns a `Chargeback`. The specification mentions
    these resources, but no source says whether the service supports these operations for them.

    Args:
        name: The plural name of the resource, in lowercase letters and `_`, such as `gift_cards`.
        model: The model of the resource.

    Returns:
        The resource, with the methods `list`, `create`, `retrieve`, `update`, and `delete`.

    Raises:
        InvalidArgumentError: The name isn't valid. GDPR erase and Diagnostics are actions; use `request` for them.
    """
    return Family(_collection(name), model_class("model", model))


@describes("billing", "generic_resource.list", source=BY_CONVENTION)
def list_resources(
    family: Family[M],
    /,
    *,
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    params: ListParams | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
) -> Listing[M]:
    """List the resources.

    No filter is published. To use a filter that your operator told you, pass it in `params`.

    Args:
        limit: Page size, from 1 to 100. The service uses 20 by default.
        starting_after: Start after the resource with this ID.
        ending_before: Read backward, starting before the resource with this ID. Each page keeps its order.
        params: Other query parameters, by their wire names. A list of values is sent as a repeated parameter.
        checkpoint: Resume an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of the model.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service doesn't know this call.
    """
    return cursor_list(
        f"/{family.name}",
        item=family.model,
        paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
    )


@describes(
    "billing",
    "generic_resource.create",
    source=BY_CONVENTION,
    rule=Rule("created", "generic_resource.retrieve", by_convention=True),
)
def create_resource(family: Family[M], /, body: M) -> Operation[M]:
    """Create a resource.

    The SDK doesn't know the effect of the call, so it doesn't retry it if the outcome is unknown. If the response has
    no body, the result is a model without fields.

    Args:
        body: The resource, as an instance of the model.

    Returns:
        The resource, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The service doesn't know this call.
        OutcomeUnknownError: The resource may or may not have been created. Call `client.resolve(error)`.
    """
    return submit(f"/{family.name}", body=body, result=family.model, is_shown=False, safety=Safety.MONEY)


@describes("billing", "generic_resource.retrieve", source=BY_CONVENTION)
def retrieve_resource(family: Family[M], /, identifier: str) -> Operation[M]:
    """Retrieve a resource.

    Args:
        identifier: The resource's `id` or `vid`, up to 128 characters.

    Returns:
        The resource.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The resource doesn't exist, or the service doesn't know this call.
    """
    identity = KIND if family.name in _WITHOUT_ID else named(identifier)
    return get(f"/{family.name}/{{identifier}}", identifier, result=family.model, identity=identity)


@describes(
    "billing",
    "generic_resource.update",
    source=BY_CONVENTION,
    rule=Rule("values", "generic_resource.retrieve", by_convention=True),
)
def update_resource(family: Family[M], /, identifier: str, body: M) -> Operation[M]:
    """Update a resource.

    The SDK doesn't know the effect of the call, so it doesn't retry it if the outcome is unknown. If the response has
    no body, the result is a model without fields.

    Args:
        identifier: The resource's `id` or `vid`, up to 128 characters.
        body: The changes, as an instance of the model.

    Returns:
        The resource, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The resource doesn't exist, or the service doesn't know this call.
        OutcomeUnknownError: The resource may or may not have been updated. Call `client.resolve(error)`.
    """
    return submit(
        f"/{family.name}/{{identifier}}",
        identifier,
        body=body,
        result=family.model,
        is_shown=False,
        safety=Safety.MONEY,
    )


@describes("billing", "generic_resource.delete", source=BY_CONVENTION)
def delete_resource(family: Family[M], /, identifier: str) -> Operation[None]:
    """Remove the association of a resource.

    By the conventions of the specification, a DELETE removes an ownership or a hierarchical association, not a record.

    Args:
        identifier: The resource's `id` or `vid`, up to 128 characters.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The resource doesn't exist, or the service doesn't know this call.
        OutcomeUnknownError: The association may or may not have been removed. Call `client.resolve(error)`.
    """
    return delete(f"/{family.name}/{{identifier}}", identifier, safety=Safety.DELETE)


def _collection(name: str) -> str:
    """Check and return the name of a collection, which is one path segment of lowercase letters."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidArgumentError(
            "name must be the plural name of a resource, in lowercase letters and '_', such as 'chargebacks'"
        )
    if name.startswith(_ACTIONS):
        raise InvalidArgumentError(
            "GDPR erase and Diagnostics are actions, not resources; ask your operator for the path, and call it with "
            "request(method, path, ...)"
        )
    return name
