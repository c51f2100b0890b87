"""The operations of `user_mgmt.py`, prepared; written by scripts/faces.py."""

from typing import TypeVar, overload

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.client.resources import Body
from subscribekit._core.lists.parameters import ListParams
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._core.operations.readers import Page
from subscribekit._faces.prepared.collections import PreparedOffsetCollection
from subscribekit._json import JSON
from subscribekit.filters import Filter
from subscribekit.models._base import Model
from subscribekit.models.account_association import AccountAssociation
from subscribekit.models.entity import Entity
from subscribekit.user_mgmt import EntityPath

M = TypeVar("M", bound=Model)

class PreparedCustomData:
    """Custom data arrays of users."""
    def delete(self, user_id: str | int, property_array_name: str, *, filter: Filter | str) -> PreparedRequest[None]:
        """The unsent request to delete the items of a custom data array that match a filter (E9)."""

class PreparedAccounts:
    """Accounts of the authenticated user."""
    def list(
        self,
        *,
        offset: int = 0,
        size: int | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
        concurrency: int = 1,
    ) -> PreparedRequest[Page[AccountAssociation]]:
        """The unsent request to list the accounts of the authenticated user, with their subscriptions (E10)."""

class PreparedEntities:
    """Users, groups, accounts, subscriptions, features and runtimes, and how they belong together."""
    def list(
        self,
        path: EntityPath,
        *,
        user_id: str | int | None = None,
        group_id: str | int | None = None,
        account_id: str | int | None = None,
        subscription_id: str | int | None = None,
        feature_id: str | int | None = None,
        runtime_id: str | int | None = None,
        offset: int = 0,
        size: int | None = None,
        params: ListParams | None = None,
        checkpoint: str | None = None,
        max_pages: int | None = None,
        prefetch: bool = False,
        concurrency: int = 1,
    ) -> PreparedRequest[Page[Entity]]:
        """The unsent request to list entities by one of the 30 paginated calls (specification, Limits, rule 6)."""

class PreparedUserMgmtResources:
    """The resources of the account lifecycle interfaces."""
    @property
    def custom_data(self) -> PreparedCustomData:
        """Custom data arrays of users."""
    @property
    def accounts(self) -> PreparedAccounts:
        """Accounts of the authenticated user."""
    @property
    def entities(self) -> PreparedEntities:
        """Users, groups, accounts, subscriptions, features and runtimes."""
    def collection(self, path: str, item: type[M]) -> PreparedOffsetCollection[M]:
        """List what is at your own path, such as a list that your operator told you about."""
    @overload
    def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> PreparedRequest[M]:
        """The unsent request to call something that the SDK has no method for, with all its rules."""
    @overload
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> PreparedRequest[dict[str, JSON]]:
        """The unsent request to call something that the SDK has no method for, with all its rules."""
    @overload
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> PreparedRequest[list[JSON]]:
        """The unsent request to call something that the SDK has no method for, with all its rules."""
