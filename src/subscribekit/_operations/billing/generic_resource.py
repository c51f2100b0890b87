"""A resource by the conventions of the specification: by convention, not published.

GET reads one resource or a list, POST creates or updates, DELETE removes an association. Whether the service
supports such a call for one of them, and with which fields, is not published.
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

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)

_NAME = re.compile(r"[a-z_]{1,128}")
_WITHOUT_ID = frozenset({"event_summaries"})
"""Collections whose resources show no ID, as `event_summaries.retrieve` reads them."""
_ACTIONS = ("gdpr", "diagnostics")


@dataclass(slots=True, eq=False, repr=False)
class Family(Generic[M]):
    """A family of resources.

    Attributes:
        name: The collection in the paths.
        model: The model of its resources.
    """

    name: str
    model: type[M]


def resource(name: str, model: type[M]) -> Family[M]:
    """Call a family without published operations, by the conventions of the specification.

    `client.resource("chargebacks", Chargeback).retrieve("cb1")` gives a `Chargeback`. The families are named in
    the specification; that the service supports these calls for one of them is not published.

    Args:
        name: The family's collection, in the plural: lower-case letters and `_`, such as `gift_cards`.
        model: The model of its resources.

    Returns:
        The family, with `list`, `create`, `retrieve`, `update` and `delete`.

    Raises:
        InvalidArgumentError: The name is not one of a family. GDPR erase and Diagnostics are actions: use
            `request`.
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

    No filter is published; `request` sends one that you know.

    Args:
        limit: Page size, 1 to 100; the service uses 20 when absent.
        starting_after: Begin after the resource with this id.
        ending_before: Read backwards from before the resource with this id; within a page the order stays.
        params: Further query parameters, by their names on the wire; several values send one several times.
        checkpoint: Go on where an earlier iteration of the same list stopped.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead while the present one is used.

    Returns:
        A pager of the model.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: While iterating: the service does not know the call.
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

    Nothing is known about the call, so it is never retried with an unknown outcome. A response without a body
    gives a model without fields.

    Args:
        body: The resource, an instance of the model.

    Returns:
        The resource, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: The service does not know the call.
        OutcomeUnknownError: It may or may not exist; ask `client.resolve(error)`.
    """
    return submit(f"/{family.name}", body=body, result=family.model, is_shown=False, safety=Safety.MONEY)


@describes("billing", "generic_resource.retrieve", source=BY_CONVENTION)
def retrieve_resource(family: Family[M], /, identifier: str) -> Operation[M]:
    """Read one resource.

    Args:
        identifier: Its id or vid, at most 128 characters.

    Returns:
        The resource.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is no such resource, or the service does not know the call.
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

    Nothing is known about the call, so it is never retried with an unknown outcome. A response without a body
    gives a model without fields.

    Args:
        identifier: Its id or vid, at most 128 characters.
        body: The changes, as an instance of the model.

    Returns:
        The resource, as far as the service shows it.

    Raises:
        InvalidArgumentError: An argument is refused; nothing was sent.
        NotFoundError: There is no such resource, or the service does not know the call.
        OutcomeUnknownError: It may or may not have been updated; ask `client.resolve(error)`.
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
    """Remove what an identifier names.

    By the conventions DELETE removes an ownership or hierarchical association, not a record.

    Args:
        identifier: Its id or vid, at most 128 characters.

    Raises:
        InvalidArgumentError: The identifier is not one; nothing was sent.
        NotFoundError: There is nothing of that name, or the service does not know the call.
        OutcomeUnknownError: It may or may not have been removed; ask `client.resolve(error)`.
    """
    return delete(f"/{family.name}/{{identifier}}", identifier, safety=Safety.DELETE)


def _collection(name: str) -> str:
    """Check the name of a collection: one path segment of lower-case letters, not an action."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InvalidArgumentError(
            "name must be the plural of a family in lower-case letters and '_', such as 'chargebacks'"
        )
    if name.startswith(_ACTIONS):
        raise InvalidArgumentError(
            "GDPR erase and Diagnostics are actions without a published path, not families of resources; call what "
            "your operator told you with request(method, path, ...)"
        )
    return name
