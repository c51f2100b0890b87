"""The operations of `storefront.py`, asynchronous raw; written by scripts/faces.py."""

from typing import TypeVar, overload

from subscribekit._core.calls.response import Response
from subscribekit._core.client.resources import Body
from subscribekit._core.config.unset import UNSET, Unset
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._json import JSON
from subscribekit.models._base import Model
from subscribekit.models.storefront import StorefrontPaymentMethod

M = TypeVar("M", bound=Model)

class AsyncRawPaymentMethods:
    """Payment methods of an account."""
    async def update(
        self, account: str, *, payment_method_id: str, primary: bool | Unset = UNSET, active: bool | Unset = UNSET
    ) -> Response[StorefrontPaymentMethod]:
        """Set the primary flag, the active flag or both of a payment method (E11)."""

class AsyncRawStorefrontResources:
    """The resources of the storefront."""
    @property
    def payment_methods(self) -> AsyncRawPaymentMethods:
        """Payment methods of an account."""
    @overload
    async def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> Response[M]:
        """Call something that the SDK has no method for, with all its rules."""
    @overload
    async def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Response[dict[str, JSON]]:
        """Call something that the SDK has no method for, with all its rules."""
    @overload
    async def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> Response[list[JSON]]:
        """Call something that the SDK has no method for, with all its rules."""
