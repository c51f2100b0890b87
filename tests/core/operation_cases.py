"""Calls of the eleven operations for `test_operations`, with the exact bytes of each request and response."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from kit.calls import URL, Group
from subscribekit import ME, WireNames, __version__
from subscribekit.filters import field as property_named
from subscribekit.models import (
    Account,
    AccountAssociation,
    Campaign,
    EntitlementCharge,
    EntitlementChargeReceipt,
    EventSummary,
    FlatAmountDiscount,
    PartnerSubscription,
    Payment,
    StorefrontPaymentMethod,
    Subscription,
)

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
IN_LIMA = datetime(2026, 3, 1, 7, 0, 30, 250000, tzinfo=timezone(timedelta(hours=-5)))

# The headers that every group sends, besides the credential and the two B3 IDs. No other header may be sent (H32).
COMMON = {
    "Accept": "application/json",
    "Accept-Encoding": "gzip",
    "User-Agent": re.compile(rf"subscribekit/{re.escape(__version__)} python/3\.\d+"),
}
JSON_BODY = {"Content-Type": "application/json"}
GROUP_A = {"X-API-Version": "20190501"}
NO_BODY_IN_GROUP_A = {"Content-Encoding": "gzip"}


@dataclass(frozen=True, kw_only=True)
class Case:
    """A call, the only request that it sends, and the result of its response."""

    group: Group
    use: Callable[[Any], Any]
    method: str
    path: str
    query: str = ""
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict[str, str])
    status: int = 200
    answer: bytes = b""
    answer_headers: dict[str, str] = field(default_factory=dict[str, str])
    shown: Callable[[Any], Any]
    result: Any
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    authenticated: bool = True


CASES = {
    "E1": Case(
        group="billing",
        use=lambda client: client.payments.reverse("pay-1"),
        method="POST",
        path="/payments/pay-1/actions/reverse",
        headers={"Content-Length": "0", **GROUP_A, **NO_BODY_IN_GROUP_A},
        answer=b'{"object": "Payment", "id": "pay-1", "status": "Failure", "amount": 12.50}',
        shown=lambda payment: (type(payment), payment.id, payment.status, str(payment.amount)),
        result=(Payment, "pay-1", "Failure", "12.50"),
    ),
    "E1, empty response": Case(
        group="billing",
        use=lambda client: client.payments.reverse("pay-1"),
        method="POST",
        path="/payments/pay-1/actions/reverse",
        headers={"Content-Length": "0", **GROUP_A, **NO_BODY_IN_GROUP_A},
        status=204,
        shown=lambda payment: (type(payment), payment.id, payment.status, payment.model_fields_set),
        result=(Payment, None, None, set()),
    ),
    "E2": Case(
        group="billing",
        use=lambda client: client.campaigns.update(
            "spring sale",
            Campaign(
                name="Früh\u2028ling",
                flat_amount_discounts=[FlatAmountDiscount(currency="EUR", amount=Decimal("5.00"))],
                offer_end_date=IN_LIMA,
                on_demand_codes_allowed=True,
                expiration_date=None,
                max_redemptions=10,
            ),
        ),
        method="POST",
        path="/campaigns/spring%20sale",
        body=(
            '{"name":"Früh\u2028ling","offer_end_date":"2026-03-01T12:00:30.250000+00:00",'
            '"flat_amount_discounts":[{"currency":"EUR","amount":5.00}],"expiration_date":null,'
            '"max_redemptions":10,"on_demand_codes_allowed":true}'
        ).encode(),
        headers={"Content-Length": "…", **JSON_BODY, **GROUP_A},
        answer=b'{"object":"Campaign","id":"spring sale","state":"Active","percentage_discount":12.500,"novel":[1]}',
        shown=lambda campaign: (
            type(campaign),
            campaign.id,
            campaign.state,
            str(campaign.percentage_discount),
            campaign.model_extra,
        ),
        result=(Campaign, "spring sale", "Active", "12.500", {"novel": [1]}),
    ),
    "E3": Case(
        group="billing",
        use=lambda client: client.accounts.list(),
        method="GET",
        path="/accounts",
        headers={**GROUP_A, **NO_BODY_IN_GROUP_A},
        answer=b'{"object":"List","data":[{"object":"Account","id":"a1"},{"id":"a2"}],"total_count":2,"url":"/accounts"}',
        shown=lambda accounts: [(type(account), account.id) for account in accounts],
        result=[(Account, "a1"), (Account, "a2")],
    ),
    "E3, published filters": Case(
        group="billing",
        use=lambda client: client.accounts.list(
            limit=100,
            starting_after="a 0",
            email="ann+shop@example.com",
            created_after=IN_LIMA,
            created_before=NOON,
            payment_method="pm/1",
        ),
        method="GET",
        path="/accounts",
        query=(
            "email=ann%2Bshop%40example.com&created_after=2026-03-01T07%3A00%3A30.250000-05%3A00"
            "&created_before=2026-03-01T12%3A00%3A00%2B00%3A00&payment_method=pm%2F1&limit=100&starting_after=a%200"
        ),
        headers={**GROUP_A, **NO_BODY_IN_GROUP_A},
        answer=b'{"object":"List","data":[]}',
        shown=lambda accounts: accounts,
        result=[],
    ),
    "E4": Case(
        group="billing",
        use=lambda client: client.event_summaries.list(limit=1, account="a1", subscription="s1", billed=False),
        method="GET",
        path="/event_summaries",
        query="account=a1&subscription=s1&billed=0&limit=1",
        headers={**GROUP_A, **NO_BODY_IN_GROUP_A},
        answer=(
            b'{"object":"List","data":[{"object":"EventSummary","account":{"object":"Account","id":"a1","vid":"v1"},'
            b'"subscription":{"object":"Subscription","id":"s1"},"event_count":3,'
            b'"rated_unit":{"ratable_usage_metric.name_plural":"minutes","_id":7}}]}'
        ),
        shown=lambda summaries: [
            (type(each), each.account.id, each.event_count, each.rated_unit.name_plural) for each in summaries
        ],
        result=[(EventSummary, "a1", 3, "minutes")],
    ),
    "E4, billed": Case(
        group="billing",
        use=lambda client: client.event_summaries.list(billed=True),
        method="GET",
        path="/event_summaries",
        query="billed=1",
        headers={**GROUP_A, **NO_BODY_IN_GROUP_A},
        answer=b'{"object":"List","data":[]}',
        shown=lambda summaries: summaries,
        result=[],
    ),
    "E5": Case(
        group="gateway",
        use=lambda client: client.campaigns.activate("SUMMER"),
        method="POST",
        path="/gateway/v1/campaigns/SUMMER/actions/activate",
        headers={"Content-Length": "0"},
        answer=b'{"object":"Campaign","id":"SUMMER","type":"Voucher"}',
        shown=lambda campaign: (type(campaign), campaign.id, campaign.type),
        result=(Campaign, "SUMMER", "Voucher"),
    ),
    "E5, no key": Case(
        group="gateway",
        use=lambda client: client.campaigns.activate("SUMMER"),
        options={"base_url": URL["gateway"]},
        authenticated=False,
        method="POST",
        path="/gateway/v1/campaigns/SUMMER/actions/activate",
        headers={"Content-Length": "0"},
        answer=b'{"object":"Campaign","vid":"SUMMER"}',
        shown=type,
        result=Campaign,
    ),
    "E6": Case(
        group="gateway",
        use=lambda client: client.subscriptions.retrieve("sub-1"),
        method="GET",
        path="/submgmt/v2/subscriptions/sub-1",
        answer=b'{"object":"Subscription","id":"sub-1","status":"Active","unkonwn_starts":true,"account":{"id":"a1"}}',
        shown=lambda it: (type(it), it.id, it.status, it.unkonwn_starts, type(it.account), it.account.id),
        result=(Subscription, "sub-1", "Active", True, Account, "a1"),
    ),
    "E6, partner code and history": Case(
        group="gateway",
        use=lambda client: client.subscriptions.retrieve(
            "sub-1", partner_code="ACME Media 7", include_billing_plan_history=True
        ),
        options={"wire_names": WireNames(partner_code_header="X-Partner", billing_plan_history_param="history")},
        method="GET",
        path="/submgmt/v2/subscriptions/sub-1",
        query="history=1",
        headers={"X-Partner": "ACME Media 7"},
        answer=b'{"object":"Subscription","id":"sub-1"}',
        shown=type,
        result=Subscription,
    ),
    "E7": Case(
        group="gateway",
        use=lambda client: client.partner_subscriptions.cancel("ps-1"),
        method="POST",
        path="/partnersub/v2/partnerSubscription/ps-1/cancel",
        headers={"Content-Length": "0"},
        answer=b'{"id":"ps-1","type":"BILLING","billingStatus":"CANCELLED","createdDate":"2026-03-01T13:00:00+01:00"}',
        shown=lambda it: (type(it), it.id, it.type, it.billing_status, it.created_date),
        result=(PartnerSubscription, "ps-1", "BILLING", "CANCELLED", NOON),
    ),
    "E8": Case(
        group="gateway",
        use=lambda client: client.entitlements.charge(
            "ps-1",
            EntitlementCharge(
                transaction_id="t-1",
                product_code="movie",
                amount=Decimal("19.90"),
                currency="EUR",
                tax_included=True,
                tax_amount=Decimal("3.180"),
                charge_date=IN_LIMA,
            ),
        ),
        method="POST",
        path="/v1/entitlement/ps-1/charge",
        body=(
            b'{"transactionId":"t-1","productCode":"movie","amount":19.90,"currency":"EUR","taxIncluded":true,'
            b'"taxAmount":3.180,"chargeDate":"2026-03-01T12:00:30.250000+00:00"}'
        ),
        headers={"Content-Length": "…", **JSON_BODY},
        answer=b'{"transactionReferenceId":"ref-9"}',
        shown=lambda receipt: (type(receipt), receipt.transaction_reference_id),
        result=(EntitlementChargeReceipt, "ref-9"),
    ),
    "E8, refund": Case(
        group="gateway",
        use=lambda client: client.entitlements.charge(
            "ps-1", EntitlementCharge(transaction_id="t-2", amount=-5, original_transaction_id="t-1")
        ),
        method="POST",
        path="/v1/entitlement/ps-1/charge",
        body=b'{"transactionId":"t-2","amount":-5,"originalTransactionId":"t-1"}',
        headers={"Content-Length": "…", **JSON_BODY},
        answer=b'{"transactionReferenceId":"ref-10"}',
        shown=lambda receipt: receipt.transaction_reference_id,
        result="ref-10",
    ),
    "E9": Case(
        group="user_mgmt",
        use=lambda client: client.custom_data.delete(
            ME, "bookmarks", filter=property_named("age").ge(18) & ~property_named("name").co("x y")
        ),
        options={"wire_names": WireNames(custom_data_filter_param="filter")},
        method="DELETE",
        path="/customData/v1/user/me/bookmarks",
        query="filter=age%20ge%2018%20and%20not%20%28name%20co%20%22x%20y%22%29",
        headers=JSON_BODY,
        status=204,
        shown=lambda nothing: nothing,
        result=None,
    ),
    "E9, plain filter, body in the response": Case(
        group="user_mgmt",
        use=lambda client: client.custom_data.delete("user 7", "book marks", filter="a eq 'x+1'"),
        options={"wire_names": WireNames(custom_data_filter_param="q")},
        method="DELETE",
        path="/customData/v1/user/user%207/book%20marks",
        query="q=a%20eq%20%27x%2B1%27",
        headers=JSON_BODY,
        status=200,
        answer=b'"deleted"',
        answer_headers={"Content-Type": "text/plain"},
        shown=lambda nothing: nothing,
        result=None,
    ),
    "E10": Case(
        group="user_mgmt",
        use=lambda client: client.accounts.list(),
        method="GET",
        path="/platform/rest/v85/user/accounts",
        query="offset=0",
        headers=JSON_BODY,
        answer=(
            b'[{"id":7,"type":"account","status":"activated","createdDate":1000,"attributes":{"bssName":"b"},'
            b'"association":{"flags":{"owner":"true"}}}]'
        ),
        answer_headers={"X-Total-Count": "1"},
        shown=lambda items: [
            (type(it), it.id, it.status, it.created_date, it.attributes.bss_name, it.association.flags) for it in items
        ],
        result=[
            (AccountAssociation, 7, "activated", datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC), "b", {"owner": "true"})
        ],
    ),
    "E10, offset and size": Case(
        group="user_mgmt",
        use=lambda client: client.accounts.list(offset=40, size=100),
        method="GET",
        path="/platform/rest/v85/user/accounts",
        query="offset=40&size=100",
        headers=JSON_BODY,
        answer=b"[]",
        answer_headers={"X-Total-Count": "40"},
        shown=lambda items: items,
        result=[],
    ),
    "E11": Case(
        group="storefront",
        use=lambda client: client.payment_methods.update("acc 1", payment_method_id="pm-1", primary=True, active=False),
        method="PUT",
        path="/storefront/paymentMethod/account/acc%201",
        body=b'{"paymentMethodId":"pm-1","primary":true,"active":false}',
        headers={"Content-Length": "…", **JSON_BODY},
        answer=(
            b'{"id":"pm-1","primary":true,"active":false,"type":"DebitCard","debitCard":{"lastDigits":"4242"},'
            b'"carrierBilling":{"country_code":"DE"}}'
        ),
        shown=lambda it: (
            type(it),
            it.id,
            it.primary,
            it.active,
            it.debit_card.last_digits,
            it.carrier_billing.country_code,
        ),
        result=(StorefrontPaymentMethod, "pm-1", True, False, "4242", "DE"),
    ),
    "E11, array": Case(
        group="storefront",
        use=lambda client: client.payment_methods.update("a1", payment_method_id="pm-2", primary=False, active=True),
        method="PUT",
        path="/storefront/paymentMethod/account/a1",
        body=b'{"paymentMethodId":"pm-2","primary":false,"active":true}',
        headers={"Content-Length": "…", **JSON_BODY},
        answer=b'[{"id":"pm-1","primary":true},{"id":"pm-2","primary":false}]',
        shown=lambda it: (it.id, it.primary),
        result=("pm-2", False),
    ),
    "one of the 30 lists of group C": Case(
        group="user_mgmt",
        use=lambda client: client.entities.list("/group/{groupId}/users", group_id="g 1", size=2),
        method="GET",
        path="/platform/rest/v85/group/g%201/users",
        query="offset=0&size=2",
        headers=JSON_BODY,
        answer=b'[{"id":1,"type":"user","attributes":{"novel":1.50}}]',
        answer_headers={"X-Total-Count": "1"},
        shown=lambda items: [(type(it).__name__, it.id, it.type) for it in items],
        result=[("Entity", 1, "user")],
    ),
}
