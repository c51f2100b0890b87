"""Resources that the specification names and no source documents, called by its conventions."""

import re
from typing import Generic, TypeVar

from .._core.client.binding import Resource, StyledDriver, listing, operation
from .._core.client.rule_of import resolved
from .._core.lists.listing import ByCursor, Listing, cursor_list
from .._core.lists.parameters import ListParams
from .._core.operations.bodies import model_class
from .._core.operations.identity import KIND, named
from .._core.operations.operation import Operation, Safety, delete, get
from .._core.resolving.rules import Rule
from ..errors import InvalidArgumentError
from ..models._base import Model
from ._describe import submit

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)

_NAME = re.compile(r"[a-z_]{1,128}")
_WITHOUT_ID = frozenset({"event_summaries"})
"""Collections whose resources show no ID, as `event_summaries.retrieve` reads them."""
_ACTIONS = ("gdpr", "diagnostics")


class GenericResource(Resource[StyledDriver], Generic[M]):
    """A resource by the conventions of the specification: by convention, not published.

    GET reads one resource or a list, POST creates or updates, DELETE removes an association. Whether the service
    supports such a call for one of them, and with which fields, is not published.
    """

    def __init__(self, driver: StyledDriver, name: str, model: type[M]) -> None:
        super().__init__(driver)
        self._name, self._model = _collection(name), model_class("model", model)

    def _family(self) -> str:
        return self._name

    @listing
    def list(
        self,
        *,
        limit: int | None = None,
        starting_after: str | None = None,
        ending_before: str | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
    ) -> Listing[M]:
        """List the resources (by convention, not published).

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
            f"/{self._name}",
            item=self._model,
            paging=ByCursor(limit, starting_after, ending_before, params, checkpoint, max_pages, prefetch),
        )

    @resolved(Rule("created", "generic_resource.retrieve", by_convention=True))
    @operation
    def create(self, body: M) -> Operation[M]:
        """Create a resource (by convention, not published).

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
        return submit(f"/{self._name}", body=body, result=self._model, is_shown=False, safety=Safety.MONEY)

    @operation
    def retrieve(self, identifier: str) -> Operation[M]:
        """Read one resource (by convention, not published).

        Args:
            identifier: Its id or vid, at most 128 characters.

        Returns:
            The resource.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such resource, or the service does not know the call.
        """
        identity = KIND if self._name in _WITHOUT_ID else named(identifier)
        return get(f"/{self._name}/{{identifier}}", identifier, result=self._model, identity=identity)

    @resolved(Rule("values", "generic_resource.retrieve", by_convention=True))
    @operation
    def update(self, identifier: str, body: M) -> Operation[M]:
        """Update a resource (by convention, not published).

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
            f"/{self._name}/{{identifier}}",
            identifier,
            body=body,
            result=self._model,
            is_shown=False,
            safety=Safety.MONEY,
        )

    @operation
    def delete(self, identifier: str) -> Operation[None]:
        """Remove what an identifier names (by convention, not published).

        By the conventions DELETE removes an ownership or hierarchical association, not a record.

        Args:
            identifier: Its id or vid, at most 128 characters.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is nothing of that name, or the service does not know the call.
            OutcomeUnknownError: It may or may not have been removed; ask `client.resolve(error)`.
        """
        return delete(f"/{self._name}/{{identifier}}", identifier, safety=Safety.DELETE)


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
