"""Checks that the models read every response of the sandbox without unknown, unparsed, or missing fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import pytest

import subscribekit.models
from contract import story
from contract.styles import STYLES, Shop, Style
from subscribekit._core.operations.readers import Page
from subscribekit.models import (
    AccountAssociation,
    AccountAssociationAttributes,
    Activity,
    Campaign,
    DiscountTicket,
    Entitlement,
    EntitlementChargeReceipt,
    Entity,
    EventSummary,
    ModelList,
    PartnerSubscription,
    Payment,
    RatableUsageMetric,
    RatePlan,
    StorefrontPaymentMethod,
    Subscription,
)
from subscribekit.models._base import Model, read
from subscribekit.sandbox import Sandbox, SandboxRequest
from subscribekit.sandbox.http.router import Route
from subscribekit.sandbox.routes import ROUTER, ROUTES


def model_of(name: str) -> type[Model]:
    kind: type[Model] = getattr(subscribekit.models, name)
    return kind


STORY: dict[str, story.Call] = {
    **story.ACCOUNTS,
    **story.CATALOGUE,
    **story.BILLING,
    **story.OTHERS,
    **dict(story.entity_lists()),
    **dict(story.families(model_of)),
    **dict(story.of_cases()),
}

NO_VID = {
    # The specification lists no `vid` for these, although it says that every resource has one.
    "EventSummary",
    "Entitlement",
    "EntitlementCheck",
    "Invoice",
    # Observed without a `vid`.
    "Credit",
}
REQUIRED: dict[type[Model], tuple[str, ...]] = {
    PartnerSubscription: ("id", "type", "billing_status", "created_date", "updated_date"),
    EntitlementChargeReceipt: ("transaction_reference_id",),
    AccountAssociation: ("id", "type", "status", "association", "attributes"),
    StorefrontPaymentMethod: ("id", "type", "primary", "active"),
}
OPEN_SETS = {
    # No source documents all values of these fields, so an undocumented value isn't a fault.
    ("Payment", "status"),
    ("PaymentMethod", "type"),
    ("TransactionStatus", "status"),
    ("TransactionStatus", "payment_method_type"),
    ("Transaction", "status"),
    ("TransactionItem", "item_type"),
    ("Refund", "status"),
    ("InvoiceItem", "type"),
}


def models(value: object, at: str) -> Iterator[tuple[str, Model]]:
    """Yield every model in a result, with its place in the result."""
    if isinstance(value, Page):
        value = value.data
    if isinstance(value, Model):
        yield at, value
        for name in type(value).model_fields:
            yield from models(getattr(value, name), f"{at}.{name}")
    elif isinstance(value, list | tuple | ModelList):
        for number, item in enumerate(value):
            yield from models(item, f"{at}[{number}]")


def may_be_unknown(model: Model, name: str) -> bool:
    """Return whether the specification allows a response to contain this name, although the model doesn't have it."""
    if isinstance(model, AccountAssociationAttributes):
        return name.endswith(".account.AccountNumber")
    if isinstance(model, RatableUsageMetric):
        return name.startswith("_")
    if isinstance(model, Entity):
        return True  # the specification shows only the fields that all entities have
    if isinstance(model, Subscription):
        return name == "billing_plan_history"  # E6 doesn't show where the response contains it
    # The specification says that many resources also have `created` (Conventions), but doesn't say which ones.
    return name == "created" and isinstance(model, Campaign | RatePlan | DiscountTicket)


def documented(model: Model, name: str) -> tuple[str, ...]:
    """Return the documented values of an enumerated field."""
    options = get_args(type(model).model_fields[name].annotation)
    return next((get_args(option) for option in options if get_origin(option) is Literal), ())


def faults(at: str, model: Model) -> Iterator[str]:
    kind = type(model).__name__
    for name in model.model_extra or {}:
        if not may_be_unknown(model, name):
            yield f"{at}: {kind} does not know {name}"
    for name in model.unparsed_fields:
        yield f"{at}: {kind} cannot read {name}"
    given = model.model_fields_set
    is_whole = "." not in at
    # If a caller sent an inner object without `object`, the response contains the inner object as it was sent.
    if (is_whole or "vid" in given) and "object" in type(model).model_fields and "object" not in given:
        yield f"{at}: {kind} has no object"
    if is_whole and "vid" in type(model).model_fields and kind not in NO_VID and not getattr(model, "vid", None):
        yield f"{at}: {kind} has no vid"
    for name in REQUIRED.get(type(model), ()):
        if getattr(model, name) is None:
            yield f"{at}: {kind} has no {name}"
    for name in given & type(model).model_fields.keys():
        values = documented(model, name)
        if values and (kind, name) not in OPEN_SETS and getattr(model, name) not in (*values, None):
            yield f"{at}: {kind}.{name} is {getattr(model, name)!r}"


@pytest.fixture(params=STYLES)
def style(request: pytest.FixtureRequest) -> Style:
    """The kind of the clients: sync or async."""
    chosen: Style = request.param
    return chosen


@pytest.fixture(params=["specification", "published"])
def shop(style: Style, request: pytest.FixtureRequest) -> Iterator[Shop]:
    """The clients of a sandbox, for each form of its responses."""
    with Shop(style, Sandbox(responses=request.param)) as opened:
        yield opened


def reached(shop: Shop) -> set[Route]:
    found: set[Route] = set()
    for recorded in shop.sandbox.requests:
        assert recorded.status in (200, 204), (recorded.method, recorded.path, recorded.status)
        route = ROUTER.find(SandboxRequest(recorded.group, recorded.method, recorded.path))
        assert route is not None
        found.add(route[0])
    return found


def test_every_response_of_every_operation_is_read_completely(shop: Shop) -> None:
    wrong: list[str] = []
    for name, call in STORY.items():
        result = shop(call(shop))
        wrong += [fault for at, model in models(result, name) for fault in faults(at, model)]
    invoices = shop(shop.billing.invoices.list())
    result = shop(shop.billing.invoices.retrieve(invoices[0].id))
    wrong += [fault for at, model in models(result, "retrieve invoice") for fault in faults(at, model)]
    for name, kind in (("activities", Activity), ("entitlements", Entitlement), ("event_summaries", EventSummary)):
        listed = shop(getattr(shop.billing, name).list())[0]
        # An event summary has no ID, so the test uses the cursor of its list.
        named = next(iter(shop.sandbox.service.store["usage"])) if kind is EventSummary else dict(listed)
        key = named.get("id") or named["vid"]
        result = shop(shop.billing.resource(name, kind).retrieve(key))
        wrong += [fault for at, model in models(result, f"retrieve {name}") for fault in faults(at, model)]
    assert sorted(set(wrong)) == []
    missed = set(ROUTES) - reached(shop)
    assert sorted((route.group, route.method, route.template) for route in missed) == []


def test_the_untouched_sandbox_sends_only_documented_values(shop: Shop) -> None:
    calls = list(LISTS.values())
    calls += [lambda it: it.user_mgmt.accounts.list(), lambda it: it.billing.resource("payments", Payment).list()]
    found: set[tuple[str, str, object]] = set()
    for number, call in enumerate(calls):
        for at, model in models(shop(call(shop)), str(number)):
            kind = type(model).__name__
            for name in model.model_fields_set & type(model).model_fields.keys():
                value, values = getattr(model, name), documented(model, name)
                if value == "" or (values and value not in (*values, None)):
                    found.add((kind, name, value))
            assert not model.unparsed_fields, at
    assert found == set()


def test_responses_after_time_has_passed_are_read_completely(shop: Shop) -> None:
    """Some states, such as a completed refund, occur only after bills, retries, and endings, so time must pass."""
    for name in ("create subscription", "cancel subscription", "create transaction", "capture transaction"):
        shop(STORY[name](shop))
    wrong: list[str] = []
    for _ in range(4):
        shop.sandbox.advance(days=31)
        for name, call in LISTS.items():
            wrong += [fault for at, model in models(shop(call(shop)), name) for fault in faults(at, model)]
    assert sorted(set(wrong)) == []


OF_ONE = ("list children", "list refunds of a transaction", "list entitlements")
"""Lists of one resource, which doesn't exist before the story creates it."""
LISTS = {
    name: call
    for name, call in (story.ACCOUNTS | story.CATALOGUE | story.BILLING).items()
    if name.startswith("list ") and name not in OF_ONE
}


def test_every_list_of_the_billing_api_has_its_envelope(shop: Shop) -> None:
    for name, call in LISTS.items():
        page = shop(call(shop.raw).first()).data
        assert page.total_count is not None, name
        assert page.total_count >= len(page.data), name
        assert page.url, name
        assert page.data == [] or page.next, name


def test_the_checks_report_faults() -> None:
    """The checks above can fail, and they report faults in nested models, too."""
    raw: Any = {
        "object": "Subscription",
        "status": "Gone",
        "account": {"object": "Account", "vid": "v", "novelty": 1, "created": "yesterday"},
    }
    assert sorted(fault for at, model in models(read(Subscription, raw), "it") for fault in faults(at, model)) == [
        "it.account: Account cannot read created",
        "it.account: Account does not know created",
        "it.account: Account does not know novelty",
        "it: Subscription has no vid",
        "it: Subscription.status is 'Gone'",
    ]
