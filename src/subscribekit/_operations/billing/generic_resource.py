"""Generic resources, whose operations aren't documented, but follow the specification's conventions.

A GET reads one resource or a list, a POST creates or updates a resource, and a DELETE removes an association. The
sources don't document which resources support these operations, or which fields the resources have.
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
"""The collections for which the response to `retrieve` contains no ID."""
_ACTIONS = ("gdpr", "diagnostics")


@dataclass(slots=True, eq=False, repr=False)
class Family(Generic[M]):
    """A generic resource.

    Attributes:
        name: The name of the collection in paths.
        model: The model of the collection's resources.
    """

    name: str
    model: type[M]


def resource(name: str, model: type[M]) -> Family[M]:
    """Return a resource whose operations aren't documented, but follow the specification's conventions.

    `client.resource("chargebacks", Chargeback).retrieve("cb1")` returns a `Chargeback`. The specification names
    resources such as chargebacks, but doesn't document whether the service supports operations for these resources.

    Args:
        name: The name of the resource's collection in the plural, with lowercase letters and `_`, such as
            `gift_cards`.
        model: The model of the resource.

    Returns:
        The resource, which has the methods `list`, `create`, `retrieve`, `update`, and `delete`.

    Raises:
        InvalidArgumentError: `name` isn't a valid name of a collection, or `model` isn't a model class. GDPR erase
            and Diagnostics are actions, not resources, so call these actions with `request`.
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

    No source describes the filters of this list. To send a filter that you know, pass the filter in `params`.

    Args:
        limit: Page size, from 1 to 100; the service's default is 20.
        starting_after: Start after the resource with this ID.
        ending_before: Read backward, starting before the resource with this ID. Within each page, the items stay in the
            service's order.
        params: Additional query parameters, by their wire names. If a value is a list, the SDK sends the parameter once
            for each element.
        checkpoint: Resume from this checkpoint of an earlier iteration of the same list.
        max_pages: Stop after this many pages.
        prefetch: Fetch the next page while you use the current one.

    Returns:
        A pager of instances of the model.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: During iteration, the service responds that it doesn't support this operation.
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

    The SDK doesn't know the effect of this call, so the SDK never retries the call if the outcome is unknown. If the
    response is empty, the result is a model with no fields set.

    Args:
        body: The resource, as an instance of the model.

    Returns:
        The resource, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The service doesn't support this operation.
        OutcomeUnknownError: The resource may or may not have been created. Call `client.resolve(error)`.
    """
    return submit(f"/{family.name}", body=body, result=family.model, is_shown=False, safety=Safety.MONEY)


@describes("billing", "generic_resource.retrieve", source=BY_CONVENTION)
def retrieve_resource(family: Family[M], /, identifier: str) -> Operation[M]:
    """Retrieve one resource.

    Args:
        identifier: The resource's `id` or `vid`, up to 128 characters.

    Returns:
        The resource.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The resource doesn't exist, or the service doesn't support this operation.
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

    The SDK doesn't know the effect of this call, so the SDK never retries the call if the outcome is unknown. If the
    response is empty, the result is a model with no fields set.

    Args:
        identifier: The resource's `id` or `vid`, up to 128 characters.
        body: The changes, as an instance of the model.

    Returns:
        The resource, with the fields that the service returns.

    Raises:
        InvalidArgumentError: An argument is invalid. Nothing was sent.
        NotFoundError: The resource doesn't exist, or the service doesn't support this operation.
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
    """Remove an association of a resource.

    By the specification's conventions, a DELETE removes an ownership or hierarchical association, not a record.

    Args:
        identifier: The resource's `id` or `vid`, up to 128 characters.

    Raises:
        InvalidArgumentError: The identifier is invalid. Nothing was sent.
        NotFoundError: The resource doesn't exist, or the service doesn't support this operation.
        OutcomeUnknownError: The association may or may not have been removed. Call `client.resolve(error)`.
    """
    return delete(f"/{family.name}/{{identifier}}", identifier, safety=Safety.DELETE)


def _collection(name: str) -> str:
    """Check the name of a collection, and return it. The name must be one path segment, and can't be an action."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidArgumentError(
            "name must be the plural name of a resource, with lowercase letters and '_', such as 'chargebacks'"
        )
    if name.startswith(_ACTIONS):
        raise InvalidArgumentError(
            "name can't be GDPR erase or Diagnostics, which are actions without a published path; ask your operator "
            "for the path, and call request(method, path, ...)"
        )
    return name
