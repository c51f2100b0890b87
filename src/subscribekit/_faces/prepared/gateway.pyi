"""The operations of `gateway.py`, prepared; written by scripts/faces.py."""

from typing import TypeVar, overload

from subscribekit._core.calls.response import PreparedRequest
from subscribekit._core.client.resources import Body
from subscribekit._core.operations.arguments import QueryParams
from subscribekit._core.operations.operation import Method
from subscribekit._json import JSON
from subscribekit.models._base import Model
from subscribekit.models.billing import Subscription
from subscribekit.models.campaign import Campaign
from subscribekit.models.entitlement_charge import EntitlementCharge, EntitlementChargeReceipt
from subscribekit.models.partner_subscription import PartnerSubscription

M = TypeVar("M", bound=Model)

class PreparedCampaigns:
    """Discounts: coupons and promotions."""
    def activate(self, campaign: str) -> PreparedRequest[Campaign]:
        """The unsent request to check whether a coupon or promotion can be used (E5)."""

class PreparedSubscriptions:
    """Subscriptions as the gateway shows them."""
    def retrieve(
        self, subscription: str, *, partner_code: str | None = None, include_billing_plan_history: bool = False
    ) -> PreparedRequest[Subscription]:
        """The unsent request to read a subscription (E6)."""

class PreparedPartnerSubscriptions:
    """Subscriptions that a partner manages or provides."""
    def cancel(self, partner_subscription: str) -> PreparedRequest[PartnerSubscription]:
        """The unsent request to cancel an active partner subscription of type `BILLING` (E7)."""

class PreparedEntitlements:
    """Charges of content and service providers for subscriptions that the platform manages."""
    def charge(self, partner_subscription: str, charge: EntitlementCharge) -> PreparedRequest[EntitlementChargeReceipt]:
        """The unsent request to submit an entitlement charge, or a refund when the amount is negative (E8)."""

class PreparedGatewayResources:
    """The resources of the gateway."""
    @property
    def campaigns(self) -> PreparedCampaigns:
        """Discounts: coupons and promotions."""
    @property
    def subscriptions(self) -> PreparedSubscriptions:
        """Subscriptions as the gateway shows them."""
    @property
    def partner_subscriptions(self) -> PreparedPartnerSubscriptions:
        """Subscriptions that a partner manages or provides."""
    @property
    def entitlements(self) -> PreparedEntitlements:
        """Charges for subscriptions that the platform manages."""
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
