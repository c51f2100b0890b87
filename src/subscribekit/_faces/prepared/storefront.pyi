"""The operations of `storefront.py`, prepared; written by scripts/faces.py."""

from typing import TypeVar, overload

from subscribekit._core.calls.prepared.prepared_request import PreparedRequest
from subscribekit._core.client.resources import Body
from subscribekit._core.config.unset import UNSET, Unset
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._json import JSON
from subscribekit.models._base import Model
from subscribekit.models.storefront import StorefrontPaymentMethod

M = TypeVar("M", bound=Model)

class PreparedPaymentMethods:
    """Payment methods of an account."""
    def update(
        self, account: str, *, payment_method_id: str, primary: bool | Unset = UNSET, active: bool | Unset = UNSET
    ) -> PreparedRequest[StorefrontPaymentMethod]:
        """The unsent request to set the primary flag, the active flag or both of a payment method (E11)."""

class PreparedStorefrontResources:
    """The resources of the storefront."""
    @property
    def payment_methods(self) -> PreparedPaymentMethods:
        """Payment methods of an account."""
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
