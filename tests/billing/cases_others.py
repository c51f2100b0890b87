"""Cases of operations that follow the conventions of the billing API, and cases of the other APIs."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any, get_args

from subscribekit import ME
from subscribekit._core.operations.operation import Safety
from subscribekit.filters import field
from subscribekit.models import (
    AccountAssociation,
    Activity,
    Campaign,
    Chargeback,
    Entitlement,
    EntitlementCharge,
    EntitlementChargeReceipt,
    Entity,
    Event,
    EventSummary,
    PartnerSubscription,
    Payment,
    Refund,
    SeasonSet,
    StorefrontPaymentMethod,
    Subscription,
)
from subscribekit.user_mgmt import EntityPath

from .cases import PAGED, PAGING, Case

_CHARGE = EntitlementCharge(transaction_id="tx1", product_code="film", amount=Decimal("4.90"), currency="USD")

BY_CONVENTION = (
    Case(
        "activities.retrieve", lambda c: c.activities.retrieve("v1"), "GET /activities/v1", Activity(vid="v1"), key="v1"
    ),
    Case("campaigns.retrieve", lambda c: c.campaigns.retrieve("c1"), "GET /campaigns/c1", Campaign(id="c1"), key="c1"),
    Case(
        "entitlements.retrieve",
        lambda c: c.entitlements.retrieve("e1"),
        "GET /entitlements/e1",
        Entitlement(id="e1"),
        key="e1",
    ),
    Case(
        "event_summaries.retrieve",
        lambda c: c.event_summaries.retrieve("v1"),
        "GET /event_summaries/v1",
        EventSummary(event_count=2),
        key="v1",
    ),
    Case(
        "events.list",
        lambda c: c.events.list(**PAGING, params={"account": "a1"}),
        "GET /events",
        [Event.model_validate({"id": "ev1", "amount": Decimal("2.50")})],
        query=(("account", "a1"), *PAGED),
    ),
    Case(
        "events.create",
        lambda c: c.events.create(Event.model_validate({"id": "ev1", "amount": Decimal("2.50")})),
        "POST /events",
        Event(id="ev1", vid="v1"),
        body='{"id":"ev1","amount":2.50}',
        safety=Safety.MONEY,
        key="ev1",
        empty=True,
    ),
    Case("events.retrieve", lambda c: c.events.retrieve("ev1"), "GET /events/ev1", Event(id="ev1"), key="ev1"),
    Case(
        "events.update",
        lambda c: c.events.update("ev1", Event(metadata={"note": "checked"})),
        "POST /events/ev1",
        Event(id="ev1"),
        body='{"metadata":{"note":"checked"}}',
        safety=Safety.MONEY,
        key="ev1",
        empty=True,
    ),
    Case(
        "payments.list",
        lambda c: c.payments.list(**PAGING, params={"account": "a1"}),
        "GET /payments",
        [Payment(id="y1", amount=Decimal("62.20"))],
        query=(("account", "a1"), *PAGED),
    ),
    Case("payments.retrieve", lambda c: c.payments.retrieve("y1"), "GET /payments/y1", Payment(id="y1"), key="y1"),
    Case("refunds.list", lambda c: c.refunds.list(**PAGING), "GET /refunds", [Refund(id="r1")], query=PAGED),
    Case("refunds.retrieve", lambda c: c.refunds.retrieve("r1"), "GET /refunds/r1", Refund(id="r1"), key="r1"),
    Case(
        "season_sets.retrieve",
        lambda c: c.season_sets.retrieve("x1"),
        "GET /season_sets/x1",
        SeasonSet(id="x1"),
        key="x1",
    ),
)
GENERIC = (
    Case(
        "generic_resource.list",
        lambda c: c.resource("chargebacks", Chargeback).list(**PAGING),
        "GET /chargebacks",
        [Chargeback(id="cb1")],
        query=PAGED,
    ),
    Case(
        "generic_resource.create",
        lambda c: c.resource("chargebacks", Chargeback).create(Chargeback(id="cb1")),
        "POST /chargebacks",
        Chargeback(id="cb1", vid="v1"),
        body='{"id":"cb1"}',
        safety=Safety.MONEY,
        key="cb1",
        empty=True,
    ),
    Case(
        "generic_resource.retrieve",
        lambda c: c.resource("chargebacks", Chargeback).retrieve("cb1"),
        "GET /chargebacks/cb1",
        Chargeback(id="cb1"),
        key="cb1",
    ),
    Case(
        "generic_resource.update",
        lambda c: c.resource("chargebacks", Chargeback).update("cb1", Chargeback(metadata={"note": "lost"})),
        "POST /chargebacks/cb1",
        Chargeback(id="cb1"),
        body='{"metadata":{"note":"lost"}}',
        safety=Safety.MONEY,
        key="cb1",
        empty=True,
    ),
    Case(
        "generic_resource.delete",
        lambda c: c.resource("chargebacks", Chargeback).delete("cb1"),
        "DELETE /chargebacks/cb1",
        None,
        safety=Safety.DELETE,
        key="cb1",
        empty=True,
    ),
)


def _entities(path: str) -> Callable[[Any], Any]:
    arguments = {f"{name}_id": f"{name}-1" for name in re.findall(r"\{(\w+)Id\}", path)}
    return lambda c: c.entities.list(path, offset=2, size=3, **arguments)


ENTITIES = tuple(
    Case(
        "entities.list",
        _entities(path),
        "GET /platform/rest/v85" + re.sub(r"\{(\w+)Id\}", r"\1-1", path),
        [Entity(id=4001, type="account")],
        query=(("offset", "2"), ("size", "3")),
        key=re.sub(r".*\{(\w+)Id\}.*", r"\1-1", path) if "{" in path else None,
        group="user_mgmt",
    )
    for path in get_args(EntityPath)
)

GROUPS_B_TO_D = (
    Case(
        "campaigns.activate",
        lambda c: c.campaigns.activate("c1"),
        "POST /gateway/v1/campaigns/c1/actions/activate",
        Campaign(id="c1"),
        safety=Safety.WRITE,
        key="c1",
        group="gateway",
    ),
    Case(
        "subscriptions.retrieve",
        lambda c: c.subscriptions.retrieve("s1", partner_code="ACME", include_billing_plan_history=True),
        "GET /submgmt/v2/subscriptions/s1",
        Subscription(id="s1"),
        query=(("include_billing_plan_history", "1"),),
        key="s1",
        group="gateway",
    ),
    Case(
        "partner_subscriptions.cancel",
        lambda c: c.partner_subscriptions.cancel("ps1"),
        "POST /partnersub/v2/partnerSubscription/ps1/cancel",
        PartnerSubscription(id="ps1", billing_status="CANCELLED"),
        safety=Safety.WRITE,
        key="ps1",
        group="gateway",
    ),
    Case(
        "entitlements.charge",
        lambda c: c.entitlements.charge("ps1", _CHARGE),
        "POST /v1/entitlement/ps1/charge",
        EntitlementChargeReceipt(transaction_reference_id="ref1"),
        body='{"transactionId":"tx1","productCode":"film","amount":4.90,"currency":"USD"}',
        safety=Safety.MONEY,
        key="tx1",
        group="gateway",
    ),
    Case(
        "custom_data.delete",
        lambda c: c.custom_data.delete(ME, "devices", filter=field("age").ge(4)),
        "DELETE /customData/v1/user/me/devices",
        None,
        query=(("filter", "age ge 4"),),
        safety=Safety.DELETE_MATCHING,
        key="me/devices",
        empty=True,
        group="user_mgmt",
    ),
    Case(
        "accounts.list",
        lambda c: c.accounts.list(offset=2, size=3),
        "GET /platform/rest/v85/user/accounts",
        [AccountAssociation(id=4001)],
        query=(("offset", "2"), ("size", "3")),
        group="user_mgmt",
    ),
    Case(
        "payment_methods.update",
        lambda c: c.payment_methods.update("a1", payment_method_id="pm1", primary=True, active=False),
        "PUT /storefront/paymentMethod/account/a1",
        StorefrontPaymentMethod(id="pm1", primary=True, active=False),
        body='{"paymentMethodId":"pm1","primary":true,"active":false}',
        safety=Safety.PUT,
        key="a1",
        group="storefront",
    ),
)
