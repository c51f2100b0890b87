"""The operations of `gateway.py`, blocking; written by scripts/faces.py."""

from collections.abc import Mapping
from typing import TypeVar, overload

from subscribekit._core.calls.telemetry.trace import Trace
from subscribekit._core.client.base import BlockingClient
from subscribekit._core.client.resources import Body
from subscribekit._core.config.retry_policy import RetryPolicy
from subscribekit._core.config.timeouts import Timeouts
from subscribekit._core.config.unset import UNSET, Unset
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._faces.prepared.gateway import PreparedGatewayResources
from subscribekit._faces.raw.gateway import RawGatewayResources
from subscribekit._json import JSON
from subscribekit.gateway import GatewayClient
from subscribekit.models._base import Model
from subscribekit.models.billing import Subscription
from subscribekit.models.campaign import Campaign
from subscribekit.models.entitlement_charge import EntitlementCharge, EntitlementChargeReceipt
from subscribekit.models.partner_subscription import PartnerSubscription

M = TypeVar("M", bound=Model)

class Campaigns:
    """Discounts: coupons and promotions."""

    def activate(self, campaign: str) -> Campaign:
        """Check whether a coupon or promotion can be used (E5).

        The specification calls it a check and does not show which state results, so it is treated as a write. It does
        not show how the call authenticates either: the API key is sent when the client has one.

        Args:
            campaign: Its id or vid, at most 128 characters.

        Returns:
            The campaign.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            NotFoundError: There is no such campaign.
            OutcomeUnknownError: The campaign may or may not have been activated, and no call reads it:
                `client.resolve(error).support_details` is what to tell the operator.
        """

class Subscriptions:
    """Subscriptions as the gateway shows them."""

    def retrieve(
        self, subscription: str, *, partner_code: str | None = None, include_billing_plan_history: bool = False
    ) -> Subscription:
        """Read a subscription (E6).

        The specification does not show the names of the partner code header and of the history flag: set them with
        `WireNames(partner_code_header=..., billing_plan_history_param=...)` before they can be used.

        Args:
            subscription: Its id or vid, at most 128 characters.
            partner_code: The partner code, at most 32 printable ASCII characters.
            include_billing_plan_history: Ask for the whole billing plan history.

        Returns:
            The subscription.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            ConfigurationError: The client has no API key, or the wire name of an argument is not set.
            NotFoundError: There is no such subscription.
        """

class PartnerSubscriptions:
    """Subscriptions that a partner manages or provides."""

    def cancel(self, partner_subscription: str) -> PartnerSubscription:
        """Cancel an active partner subscription of type `BILLING` (E7).

        Args:
            partner_subscription: Its id, at most 36 characters in this call.

        Returns:
            The record, its `billing_status` now `CANCELLED`.

        Raises:
            InvalidArgumentError: The identifier is not one; nothing was sent.
            ConfigurationError: The client has no API key.
            PartnerSubscriptionNotFoundError: There is no such partner subscription.
            OutcomeUnknownError: It may or may not have been cancelled, and no call reads it:
                `client.resolve(error).support_details` is what to tell the operator.
        """

class Entitlements:
    """Charges of content and service providers for subscriptions that the platform manages."""

    def charge(self, partner_subscription: str, charge: EntitlementCharge) -> EntitlementChargeReceipt:
        """Submit an entitlement charge, or a refund when the amount is negative (E8).

        Nothing says that the platform recognises a repeated `transaction_id`, so a charge is sent again only when no
        byte of it left the machine. Store `charge.transaction_id` before the call: it is what to reconcile by.

        Args:
            partner_subscription: The partner subscription's id, at most 36 characters in this call.
            charge: The charge: `amount` in units of the currency (4.90 is 4 dollars 90), exact, and negative for a
                refund, which names the charge by `original_transaction_id`.

        Returns:
            The receipt with the platform's reference.

        Raises:
            InvalidArgumentError: An argument is refused; nothing was sent.
            ConfigurationError: The client has no API key.
            OutcomeUnknownError: The charge may or may not have been made; `reconcile_key` is its transaction id. Do not
                send it again, even with another transaction ID, until the operator confirms that it was not made. Send
                `client.resolve(error).support_details` to the operator, because no call reads the charge.
        """

class BlockingGatewayResources(BlockingClient):
    """The resources of the gateway."""

    @property
    def campaigns(self) -> Campaigns:
        """Discounts: coupons and promotions."""

    @property
    def subscriptions(self) -> Subscriptions:
        """Subscriptions as the gateway shows them."""

    @property
    def partner_subscriptions(self) -> PartnerSubscriptions:
        """Subscriptions that a partner manages or provides."""

    @property
    def entitlements(self) -> Entitlements:
        """Charges for subscriptions that the platform manages."""

    @overload
    def request(
        self, method: Method, path: str, *, result: type[M], params: QueryParams | None = None, json: Body | None = None
    ) -> M:
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
            The result as the class that was asked for.

        Raises:
            InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused
                argument.
            SubscribekitError: As every call.
        """

    @overload
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[dict[str, JSON]] = ...,
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> dict[str, JSON]:
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
            The result as the class that was asked for.

        Raises:
            InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused
                argument.
            SubscribekitError: As every call.
        """

    @overload
    def request(
        self,
        method: Method,
        path: str,
        *,
        result: type[list[JSON]],
        params: QueryParams | None = None,
        json: Body | None = None,
    ) -> list[JSON]:
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
            The result as the class that was asked for.

        Raises:
            InvalidArgumentError: An absolute URL, a path with `?`, `#`, `%` or a dot segment, or another refused
                argument.
            SubscribekitError: As every call.
        """

    @property
    def with_raw_response(self) -> RawGatewayResources:
        """The same methods, returning `Response` with status, headers, ids, attempts and time."""

    @property
    def prepare(self) -> PreparedGatewayResources:
        """The same methods, returning the exact request and sending nothing."""

    def with_options(
        self,
        *,
        timeouts: Timeouts | Unset = UNSET,
        deadline: float | Unset | None = UNSET,
        retry: RetryPolicy | Unset = UNSET,
        trace: Trace | Unset = UNSET,
        headers: Mapping[str, str] | Unset = UNSET,
    ) -> GatewayClient:
        """Copy the client with other settings; the copy shares connections, and closing one closes both.

        Args:
            timeouts: Seconds that one step of a call may take.
            deadline: Seconds for a whole call, retries included; `None` for none.
            retry: How often and how soon a call is retried.
            trace: `"auto"`, `"off"` or the caller's span.
            headers: Extra headers for each request; those that the client sets itself are refused.

        Raises:
            InvalidArgumentError: A header that is not allowed.
            ConfigurationError: A deadline or trace that is not one.
        """

    def preload(self) -> None:
        """Import every module and build every model that a call of this client may need, before the first call.

        For programs that are started for few calls, such as serverless functions: call it while the program starts.
        Nothing is sent. It takes about a second; `python -m subscribekit preload` does it for all clients while an
        image is built, so that Python has compiled the modules.

        Raises:
            OSError: A file cannot be opened.
            ImportError: A module cannot be imported.
        """
