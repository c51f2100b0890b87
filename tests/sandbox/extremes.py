"""Sends requests with one extreme value each, and advances the time. None of this may break a sandbox.

`run(seed, cases)` creates valid requests for all operations, replaces one value in each request, and advances the time
by a month. To repeat a case, pass its seed and its number: `run(seed, first=number, cases=1)`. If an operation is in
none of the tables, the request is that of a case in `tests/billing`.
"""

from __future__ import annotations

import copy
import json
import logging
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from billing.cases import Case
from billing.tables import WITH_ROWS
from sandbox.wire import CREDENTIALS, Wire
from subscribekit.sandbox import Sandbox, SandboxRequest
from subscribekit.sandbox.http.router import Route
from subscribekit.sandbox.routes import ROUTER, ROUTES
from subscribekit.sandbox.store import CONVENTIONAL_COLLECTIONS

DEEP: Any = json.loads("[" * 60 + "]" * 60)
NOTHING: list[Any] = []
EMPTY: dict[str, Any] = {}

VALUES: tuple[Any, ...] = (
    None, True, False, "", " ", "x", "x" * 1024, "x" * 1025, "\x00", "\ud800", "..", "a/b", "é" * 300, "Fortnight",
    0, 1, -1, 31, 32, 12, 10_000, 10_001, 2**31, 2**63, 10**12, 10**12 + 1, 10**27, 10**28, 10**40, -(10**27),
    0.1, -0.0, 1e15, 1e300, 1e-50, 1e-12, 1e-13, Decimal("1e999"),
    "0", "-1", "1.5", "1e99", "1e400", "1e999999999", "-1e99", "NaN", "sNaN", "Infinity", "1_000", "٣", "0x10",
    "9999-12-31", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "0001-01-01",
    "2026-02-31", "2026-02-30T00:00:00Z", "2028-02-29", "2026-13-01", "2026-03-02T25:00:00Z", "2026-03-02T09:00:00Z",
    "1969-12-31T23:59:59.999999Z", "2999-01-01", "203112", "99991231",
    NOTHING, EMPTY, [NOTHING], [None], [None, None], [EMPTY], {"": ""}, {"data": NOTHING}, {"data": None},
    {"object": "List", "data": [None]},
    {"object": "List", "data": [EMPTY]}, {"object": "Nonsense"}, {"id": ""}, {"id": None}, {"id": 5}, {"vid": EMPTY},
    {"id": "acct-0001"}, {"id": "prod-basic"}, {"id": "plan-annual"}, {"id": "pm-card-0001"}, {"id": "sub-basic-0001"},
    "acct-0001", "sub-basic-0001", "pm-declined-0025", DEEP, {"a": {"b": {"c": DEEP}}}, ["x", 1, None, EMPTY],
)  # fmt: skip
NAMES = ("_next", "_begins", "_cycle", "_billed", "_plan_history", "_item_history", "_policy", "_account", "_events")
"""Names under which the sandbox stores its own values."""

ADDRESS = {
    "name": "A",
    "line1": "1 Main Street",
    "city": "Austin",
    "postal_code": "1",
    "country": "US",
    "latitude": 1.5,
}
CARD = {"account": "4111111111111129", "expiration_date": "203112", "cvn": "123", "account_length": 16}
METHOD = {
    "id": "new-method", "type": "CreditCard", "credit_card": CARD, "account_holder": "A", "billing_address": ADDRESS,
    "policy": {"validate": 1, "min_chargeback_probability": 99}, "primary": True, "active": 1, "currency": "USD",
    "metadata": {"a": "b"}, "direct_debit": {"account": "DE89370400440532013000", "country_code": "DE"},
    "merchant_accepted_payment": {"amount": 1, "account": "cash", "payment_type": "Cash"},
    "carrier_billing": {"carrier": "c", "phone_number": {"country_code": "1", "local_number": "5550122"}},
}  # fmt: skip
MONEY = {"currency": "USD", "amount": 5, "reason": "r", "sort_value": 1, "metadata": {"a": "b"}}
CREDIT = {"currency_amounts": [MONEY], "token_amounts": [{"token": {"id": "purchasePoints"}, "amount": 2}]}
PERIOD = {"type": "Month", "quantity": 1, "cycles": 2, "prices": [{"amount": 3, "currency": "USD"}]}
ENTITLEMENT = {"id": "gift", "description": "d", "starts": "2026-03-01", "ends": "2027-03-01", "active": True}
PLAN = {
    "description": "d", "status": "Active", "trial": PERIOD | {"type": "Day", "quantity": 7, "cycles": 1},
    "periods": [PERIOD, PERIOD | {"cycles": 0}], "entitlements": [ENTITLEMENT], "grace_period_override": 3,
    "end_of_life": "2030-01-01", "times_to_run": "1", "season_set": {"id": "season-football"}, "metadata": {"a": "b"},
}  # fmt: skip
PRODUCT = {
    "status": "Active", "prices": [{"amount": "4.99", "currency": "USD"}], "entitlements": [ENTITLEMENT],
    "descriptions": [{"language": "en", "description": "d"}], "default_billing_plan": {"id": "plan-monthly"},
    "default_rate_plan": {"id": "rate-api-calls"}, "credit_granted": CREDIT, "metadata": {"a": "b"},
}  # fmt: skip
ITEM = {
    "id": "i", "product": {"id": "prod-basic"}, "quantity": 2, "amount": "2.50", "campaign_code": "SUMMER",
    "metadata": {"a": 1}, "rate_plan": {"id": "rate-api-calls"}, "cycles": 3, "starts": "2026-03-01",
}  # fmt: skip
ORDER = {
    "id": "new-order", "account": {"id": "acct-0009"}, "billing_plan": {"id": "plan-trial-monthly"}, "currency": "USD",
    "items": [ITEM, {"product": {"id": "prod-api"}}], "payment_method": METHOD, "billing_day": 15, "credit": CREDIT,
    "minimum_commitment": 0, "metadata": {"vin:MandateFlag": 1}, "starts": "2026-03-20T10:00:00Z",
    "policy": {"immediate_auth_failure_policy": "putAutoBillInRetryCycle", "validate_for_future_payment": 1},
    "billing_plan_campaign_code": "SUN", "unkonwn_starts": False, "source_ip": "1.2.3.4", "ends": "9999-12-31",
}  # fmt: skip
LINE = {"sku": "s", "name": "n", "price": "5.00", "quantity": 2, "discount": -1, "tax_classification": "x"}
TIER = {
    "name": "t",
    "charge_customer": "PerUnit",
    "begins_at_level": 1,
    "rate_price": [{"amount": 2, "currency": "USD"}],
}
CAMPAIGN = {
    "name": "n", "state": "Active", "type": "Promotion", "percentage_discount": 10, "promotion_code": "NEW",
    "offer_start_date": "2026-01-01", "offer_end_date": "2026-03-20", "promotion_code_aliases": ["N"],
    "number_of_periods": 3, "products": [{"id": "prod-basic"}], "restrict_to_new_subscription": "0",
    "voucher_credit": CREDIT, "metadata": {"a": "b"}, "expiration_date": "9999-12-31",
}  # fmt: skip
ACCOUNT = {
    "id": "new-account", "email": "a@example.com", "email_type": "html", "notify_before_billing": "0", "name": "N",
    "default_currency": "USD", "shipping_address": ADDRESS, "metadata": {"a": "b"}, "external_id": "x",
    "tax_exemptions": [{"region": "r", "exemption_id": "e", "active": True}], "payment_methods": [METHOD],
}  # fmt: skip
BODIES: dict[str, Any] = {
    "/accounts": ACCOUNT,
    "/accounts/{account}": {name: value for name, value in ACCOUNT.items() if name != "id"},
    "/accounts/{account}/children": ACCOUNT | {"parent": {"id": "acct-0001"}},
    "/accounts/{account}/credits": CREDIT,
    "/accounts/{account}/entitlements": ENTITLEMENT,
    "/activities": {
        "type": "Phone", "account": {"id": "acct-0001"}, "timestamp": "2026-03-01",
        "phone_args": {"type": "FromCustomerToMerchant", "duration_seconds": "300", "note": "n"},
    },
    "/billing_plans": PLAN | {"id": "new-plan"},
    "/billing_plans/{billing_plan}": PLAN,
    "/campaigns": CAMPAIGN | {"id": "new-campaign"},
    "/campaigns/{campaign}": CAMPAIGN,
    "/events": {
        "id": "new-event", "subscription": {"id": "order"}, "amount": 5, "timestamp": "2026-03-02T08:00:00Z",
        "subscription_item": {"id": "usage"}, "metadata": {"a": "b"},
    },
    "/payment_methods": METHOD,
    "/payment_methods/{payment_method}": {name: value for name, value in METHOD.items() if name != "id"},
    "/payments": {
        "id": "new-payment", "account": {"id": "acct-0001"}, "subscription": "sub-cash-0006", "amount": 1,
        "invoice": "sub-cash-0006-00000000", "currency": "USD", "payment_method": {"id": "pm-cash-0001"},
        "overage_disposition": "applyToThisAutoBill", "metadata": {"a": "b"},
    },
    "/products": PRODUCT | {"id": "new-product"},
    "/products/{product}": PRODUCT,
    "/rate_plans": {
        "id": "new-rate", "description": "d", "tier": [TIER, TIER | {"begins_at_level": 11}], "included_units": 1,
        "minimum_fee": [{"amount": 1, "currency": "USD"}], "maximum_fee": [{"amount": 9, "currency": "USD"}],
        "rated_unit": {"name_singular": "call", "name_plural": "calls"}, "rounding_decimals": 2, "status": "Active",
        "multiply_rated_units_by": "EachRespectiveTier", "rate_plan_model": "UsageBased",
    },
    "/season_sets": {
        "id": "new-season", "metadata": {"a": "b"},
        "seasons": [{"description": "d", "starts": "2026-01-01", "ends": "2026-12-31"}],
    },
    "/subscriptions": ORDER,
    "/subscriptions/{subscription}": {
        "items": [{"id": "two", "product": {"id": "prod-premium"}, "replaces": {"id": "sub-premium-0002-item-0"}}],
        "billing_plan": {"id": "plan-monthly"}, "payment_method": METHOD, "metadata": {"a": None, "b": 2},
        "billing_plan_campaign_code": "SUMMER", "billing_descriptor": "d", "billing_day": 31,
        "ends": "2030-01-01", "minimum_commitment": 0,
    },
    "/transactions": {
        "id": "new-transaction", "account": {"id": "acct-0011"}, "to_be_captured": True, "items": [LINE, LINE],
        "amount": "10.00", "currency": "USD", "shipping_address": ADDRESS, "sales_tax_address": ADDRESS,
        "source_payment_method": METHOD, "policy": {"min_chargeback_probability": 99}, "metadata": {"a": 1},
        "original_billing_date": "2026-03-01", "credit": CREDIT,
    },
    "/transactions/{transaction}/refunds": {
        "id": "new-refund", "amount": "1.00", "currency": "USD", "note": "n", "amount_includes_tax": True,
        "refund_distribution_strategy": "SpecifiedItems", "token_action": "None", "metadata": {"a": "b"},
        "refund_items": [{"transaction_item_index_number": 1, "amount": 1, "tax_only": False}],
    },
    "/v1/entitlement/{id}/charge": {
        "transactionId": "t", "productCode": "p", "amount": -1, "currency": "USD", "originalTransactionId": "o",
        "taxIncluded": True, "taxAmount": 0, "chargeDate": "2026-03-01T00:00:00Z",
    },
    "/storefront/paymentMethod/account/{id}": {"paymentMethodId": "pm-card-0001", "primary": True, "active": True},
}  # fmt: skip
BODIES["/season_sets/{season_set}"] = BODIES["/season_sets"]
BODIES["/rate_plans/{rate_plan}"] = BODIES["/rate_plans"]

PAGE = {"limit": "2"}
QUERIES: dict[tuple[str, str], dict[str, str]] = {
    ("GET", "/accounts"): PAGE | {"email": "customer-0001@example.com", "created_after": "2020-01-01"},
    ("POST", "/accounts/{account}"): {"update_behavior": "CatchUp", "replace_on_all_subscriptions": "1"},
    ("GET", "/billing_plans"): PAGE | {"status": "active"},
    ("GET", "/entitlements"): PAGE | {"account": "acct-0001", "include_children": "1", "show_all": "1"},
    ("GET", "/event_summaries"): PAGE | {
        "account": "acct-0007", "start": "2020-01-01", "end": "2030-01-01", "billed": "0",
    },
    ("GET", "/invoices"): PAGE | {"account": "acct-0001", "status": "Paid", "invoice_date": "2026-02-10"},
    ("GET", "/products"): PAGE | {"account": "acct-0001", "include_children": "1", "entitlement": "ent-basic"},
    ("GET", "/subscriptions"): PAGE | {"account": "acct-0001", "include_children": "true"},
    ("GET", "/transactions"): PAGE | {"subscription": "sub-basic-0001"},
    ("POST", "/subscriptions"): {"dryrun": "0"},
    ("POST", "/transactions"): {"dryrun": "0"},
    ("POST", "/subscriptions/{subscription}"): {"effective_date": "today", "bill_prorated_period": "1"},
    ("POST", "/subscriptions/{subscription}/actions/cancel"): {
        "disentitle": "1", "settle": "Yes", "force": "1", "reason_code": "106",
    },
    ("GET", "/submgmt/v2/subscriptions/{id}"): {"include_billing_plan_history": "1"},
    ("DELETE", "/customData/v1/user/{userId}/{propertyArrayName}"): {"filter": 'age gt 3 and not (kind eq "tv")'},
}  # fmt: skip
IDS = {
    "account": "acct-0001", "child": "acct-0002", "entitlement": "gift", "billing_plan": "plan-monthly",
    "campaign": "camp-summer", "invoice": "sub-basic-0001-00000000", "payment_method": "pm-card-0001",
    "payment": "pay-cash-0001", "product": "prod-basic", "rate_plan": "rate-api-calls", "season_set": "season-football",
    "token": "purchasePoints", "refund": "refund", "subscription": "sub-premium-0002", "transaction": "paid",
    "userId": "me", "propertyArrayName": "devices", "groupId": "2001", "accountId": "4001", "subscriptionId": "5001",
    "featureId": "6001", "runtimeId": "3001",
}  # fmt: skip
OTHER_IDS = {
    ("POST", "/subscriptions/{subscription}/actions/finish"): "waiting",
    ("POST", "/transactions/{transaction}/actions/capture"): "authorized",
    ("POST", "/transactions/{transaction}/actions/cancel"): "authorized",
    ("GET", "/entitlements/{id}"): "ent-basic",
    ("GET", "/submgmt/v2/subscriptions/{id}"): "sub-basic-0001",
    ("POST", "/partnersub/v2/partnerSubscription/{id}/cancel"): "psub-billing-0001",
    ("POST", "/v1/entitlement/{id}/charge"): "psub-entitlement-0001",
    ("PUT", "/storefront/paymentMethod/account/{id}"): "acct-0001",
}


def of_cases() -> Iterator[tuple[Route, Case]]:
    """Yield the operations that are in none of the tables, with a case that uses the sandbox's data."""
    for case in WITH_ROWS:
        found = ROUTER.find(SandboxRequest(case.group, case.method, case.path))
        if found is None:
            continue  # test_complete.py says that the route is missing
        route = found[0]
        if route.template not in BODIES and (route.method, route.template) not in {*QUERIES, *OTHER_IDS}:
            yield route, case


CASES = dict(of_cases())
CHANGING = [
    route
    for route in ROUTES
    if route.method != "GET"
    and (route.template in BODIES or (route.method, route.template) in QUERIES or route in CASES)
]
"""The operations whose requests have the most values. Most cases use these operations."""
LISTS = frozenset({
    "accounts", "billing_plans", "campaigns", "entitlements", "event_summaries", "invoices", "payment_methods",
    "payments", "products", "rate_plans", "refunds", "season_sets", "subscriptions", "transactions",
})  # fmt: skip


@dataclass
class Sent:
    """A request as plain values. `changed` describes the replaced value."""

    route: Route
    path: str
    query: dict[str, Any]
    body: Any
    changed: str = ""


class Failures(logging.Handler):
    """A log handler that collects the sandbox's errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(logging.Formatter().format(record))


@dataclass
class Extremes:
    """A sandbox with data for every operation, and functions that create and send requests to it."""

    wire: Wire
    ids: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    def prepare(self) -> None:
        """Create the resources that the seeded merchant doesn't have."""
        made = self.wire.made
        items = [{"sku": "s", "name": "n", "price": 50, "quantity": 1}]
        made("/transactions", {"id": "paid", "account": {"id": "acct-0011"}, "items": items, "to_be_captured": True})
        made("/transactions", {"id": "authorized", "account": {"id": "acct-0011"}, "items": items})
        self.wire.sandbox.advance(hours=1)
        made("/transactions/paid/refunds", {"id": "refund", "amount": 1})
        made("/accounts/acct-0001/entitlements", {"id": "gift"})
        made("/products/prod-api", {"default_rate_plan": {"id": "rate-api-calls"}})
        usage = {"id": "usage", "product": {"id": "prod-api"}}
        made("/subscriptions", {"id": "order", "account": {"id": "acct-0012"}, "items": [usage]})
        basic = {"product": {"id": "prod-basic"}}
        made("/subscriptions", {"id": "waiting", "account": {"id": "acct-0024"}, "items": [basic]})
        for name in CONVENTIONAL_COLLECTIONS:
            made(f"/{name}", {"id": "one"})
        activity = made("/activities", BODIES["/activities"])
        self.ids["GET", "/activities/{id}"] = activity["vid"]
        summaries = self.wire.good("/event_summaries", {"limit": 1})
        self.ids["GET", "/event_summaries/{id}"] = summaries["next"].rpartition("=")[2]

    def valid(self, route: Route) -> Sent:
        """Return a valid request for an operation."""
        if route in CASES:
            case = CASES[route]
            return Sent(route, case.path, dict(case.query), None if case.body is None else json.loads(case.body))
        key = (route.method, route.template)
        path = route.template
        for part in route.parts:
            name = part.strip("{}")
            if part != name:
                own = OTHER_IDS.get(key) or self.ids.get(key)
                path = path.replace(part, own or ("one" if name == "id" else IDS[name]), 1)
        body = copy.deepcopy(BODIES.get(route.template)) if route.method in ("POST", "PUT") else None
        family = route.template.strip("/").removesuffix("/{id}")
        if body is None and route.method == "POST" and family in CONVENTIONAL_COLLECTIONS:
            body = {"id": "new-one", "metadata": {"a": "b"}, "amount": 1, "description": "d", "created": "2026-03-01"}
        query = QUERIES.get(key, {})
        if not query and route.is_list and not route.template.endswith("history"):
            query = PAGE if route.group == "billing" else {"size": "2", "offset": "1"}
        return Sent(route, path, dict(query), body)

    def send(self, sent: Sent) -> Any:
        """Send a request. Its body may be invalid JSON."""
        raw = None if sent.body is None else json.dumps(sent.body, default=str).encode()
        return self.wire.call(sent.route.group, sent.route.method, sent.path, sent.query, raw)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each value in a body."""
    names: Iterable[Any] = value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for name in names:
        yield (*path, name)
        yield from places(value[name], (*path, name))


def at(value: Any, path: tuple[Any, ...]) -> Any:
    for part in path:
        value = value[part]
    return value


def altered(sent: Sent, chance: random.Random) -> Sent:
    """Replace a value in the query or the body of a request, or add a value under one of the sandbox's own names."""
    value = copy.deepcopy(chance.choice(VALUES))
    found = list(places(sent.body))
    where = chance.random()
    if sent.query and (where < 0.15 or not found):
        name = chance.choice(sorted(sent.query))
        sent.query[name] = value if isinstance(value, str) and value != "\ud800" else json.dumps(value, default=str)
        sent.changed = f"query {name} = {sent.query[name]!r}"
    elif found and where < 0.92:
        path = chance.choice(found)
        at(sent.body, path[:-1])[path[-1]] = value
        sent.changed = f"{'.'.join(map(str, path))} = {value!r}"
    elif found:
        objects = [path for path in ((), *found) if isinstance(at(sent.body, path), dict)]
        name = chance.choice(NAMES)
        at(sent.body, chance.choice(objects))[name] = value
        sent.changed = f"added {name} = {value!r}"
    return sent


def check(made: Extremes, sent: Sent, failures: Failures) -> list[str]:
    """Send a request, list the resources, advance the time by a month, and list again. Return all failures."""
    wrong: list[str] = []
    result = made.send(sent)
    if result.status >= 500:
        wrong.append(f"{result.status} {result.body}")
    touched = sent.route.template.split("/")[1]
    wrong += listed(made, {touched})
    made.wire.sandbox.advance(days=31)
    wrong += listed(made, {touched, "subscriptions"})
    wrong += failures.records
    failures.records.clear()
    return wrong


def listed(made: Extremes, names: set[str]) -> list[str]:
    """List all resources of the given kinds. Return the failures."""
    wrong: list[str] = []
    for name in names & LISTS:
        request = SandboxRequest("billing", "GET", f"/{name}", (("limit", "100"),), CREDENTIALS["billing"])
        status = made.wire.sandbox.handle(request).status
        if status != 200:
            wrong.append(f"then GET /{name}: {status}")
    return wrong


def run(seed: int, cases: int, first: int = 0) -> list[str]:
    """Run cases. Return a description of each failed case, with its seed and number."""
    made = [Extremes(Wire(Sandbox(responses=form))) for form in ("specification", "published")]
    for each in made:
        each.prepare()
    kept = [each.wire.sandbox.snapshot() for each in made]
    failures = Failures()
    logger = logging.getLogger("subscribekit.sandbox")
    logger.addHandler(failures)
    found: list[str] = []
    try:
        for number in range(first, first + cases):
            chance, form = random.Random(f"{seed}:{number}"), number % len(made)
            sandbox = made[form].wire.sandbox
            sandbox.restore(kept[form])
            sandbox.service.requests.clear()
            routes = CHANGING if chance.random() < 0.8 else ROUTES
            sent = altered(made[form].valid(chance.choice(routes)), chance)
            if wrong := check(made[form], sent, failures):
                told = f"run({seed}, cases=1, first={number}): {sent.route.method} {sent.path} {sent.changed[:300]}"
                found.append("\n".join([told, *wrong]))
    finally:
        logger.removeHandler(failures)
    return found
