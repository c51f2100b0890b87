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
        """Set the primary flag, the active flag or both of a payment method (E11).

        A flag that is left out (`UNSET`) is not sent; whether the service then leaves it as it is, is not shown. The
        specification shows one object as the response and describes a list of the account's methods; of a list, the
        method that was asked for is returned. The call sets absolute values, so it is retried after a lost response.

        Args:
            account: The account's id, 1 to 1,024 characters (the specification shows no limit).
            payment_method_id: The payment method's id, 1 to 1,024 characters.
            primary: Whether it is the account's primary payment method.
            active: Whether it may be used.

        Returns:
            A `Response` whose `data` is: the payment method after the update.

        Raises:
            RequestError: An argument is refused, or neither flag is given; nothing was sent.
            NotFoundError: There is no such account or payment method.
            OutcomeUnknownError: No response came on any attempt; the flags may or may not be set. Calling again sets
                the same flags and does no harm.
        """

class AsyncRawStorefrontResources:
    """The resources of the storefront."""

    @property
    def payment_methods(self) -> AsyncRawPaymentMethods:
        """Payment methods of an account."""

    @overload
    async def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> Response[M]:
        """Call something that the SDK has no method for, with all its rules.

        Nothing is known about the call, so it is treated at least as carefully as a method: a POST moves money and is
        never retried once a byte of it has left, a DELETE with a query or a body selects and is not retried with an
        unknown outcome.

        Args:
            method: `GET`, `POST`, `PUT` or `DELETE`; none of the interfaces has a PATCH.
            path: Path below the base address, not quoted: `/accounts/a1`.
            result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
            params: Query parameters; booleans are sent as 1 and 0, times in ISO 8601, several values one by one.
                `None` leaves a parameter out, an empty text sends it empty (not in a DELETE).
            json: The body; in the billing API its texts and keys have at most 1,024 characters.

        Returns:
            A `Response` whose `data` is: the result as the class that was asked for.

        Raises:
            RequestError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused argument.
            SubscribekitError: As every call.
        """

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
        """Call something that the SDK has no method for, with all its rules.

        Nothing is known about the call, so it is treated at least as carefully as a method: a POST moves money and is
        never retried once a byte of it has left, a DELETE with a query or a body selects and is not retried with an
        unknown outcome.

        Args:
            method: `GET`, `POST`, `PUT` or `DELETE`; none of the interfaces has a PATCH.
            path: Path below the base address, not quoted: `/accounts/a1`.
            result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
            params: Query parameters; booleans are sent as 1 and 0, times in ISO 8601, several values one by one.
                `None` leaves a parameter out, an empty text sends it empty (not in a DELETE).
            json: The body; in the billing API its texts and keys have at most 1,024 characters.

        Returns:
            A `Response` whose `data` is: the result as the class that was asked for.

        Raises:
            RequestError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused argument.
            SubscribekitError: As every call.
        """

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
        """Call something that the SDK has no method for, with all its rules.

        Nothing is known about the call, so it is treated at least as carefully as a method: a POST moves money and is
        never retried once a byte of it has left, a DELETE with a query or a body selects and is not retried with an
        unknown outcome.

        Args:
            method: `GET`, `POST`, `PUT` or `DELETE`; none of the interfaces has a PATCH.
            path: Path below the base address, not quoted: `/accounts/a1`.
            result: A model class, `dict` for a plain JSON object, or `list` for a plain JSON array.
            params: Query parameters; booleans are sent as 1 and 0, times in ISO 8601, several values one by one.
                `None` leaves a parameter out, an empty text sends it empty (not in a DELETE).
            json: The body; in the billing API its texts and keys have at most 1,024 characters.

        Returns:
            A `Response` whose `data` is: the result as the class that was asked for.

        Raises:
            RequestError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused argument.
            SubscribekitError: As every call.
        """
