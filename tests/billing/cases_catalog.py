"""Cases of the catalog: products, billing plans, season sets, rate plans, and campaigns."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from subscribekit._core.operations.operation import Safety
from subscribekit.models import (
    BillingPlan,
    BillingPlanPeriod,
    Campaign,
    FlatAmountDiscount,
    Product,
    ProductPrice,
    RatePlan,
    RatePlanPrice,
    RatePlanTier,
    Season,
    SeasonSet,
)

from .cases import PAGED, PAGING, Case

_PRICED = Product(id="p1", prices=[ProductPrice(amount=Decimal("9.90"), currency="EUR")])
_PRICED_SENT = '{"id":"p1","prices":[{"amount":9.90,"currency":"EUR"}]}'
_PLAN = BillingPlan(id="b1", periods=[BillingPlanPeriod(type="Month", quantity=1, cycles=0)])
_RATES = RatePlan(id="r1", tier=[RatePlanTier(rate_price=[RatePlanPrice(amount=Decimal("0.0015"), currency="USD")])])

CASES = (
    Case(
        "products.list",
        lambda c: c.products.list(**PAGING, account="a1", include_children=True, entitlement="films", status="Active"),
        "GET /products",
        [Product(id="p1")],
        query=(("account", "a1"), ("include_children", "1"), ("entitlement", "films"), ("status", "Active"), *PAGED),
    ),
    Case(
        "products.create",
        lambda c: c.products.create(_PRICED),
        "POST /products",
        _PRICED,
        body=_PRICED_SENT,
        safety=Safety.WRITE,
        key="p1",
        empty=True,
    ),
    Case("products.retrieve", lambda c: c.products.retrieve("p1"), "GET /products/p1", _PRICED, key="p1"),
    Case(
        "products.update",
        lambda c: c.products.update("vid1", _PRICED),
        "POST /products/vid1",
        _PRICED,
        body=_PRICED_SENT,
        safety=Safety.WRITE,
        key="p1",
        empty=True,
    ),
    Case(
        "billing_plans.list",
        lambda c: c.billing_plans.list(**PAGING, status="active"),
        "GET /billing_plans",
        [BillingPlan(id="b1", status="Active")],
        query=(("status", "active"), *PAGED),
    ),
    Case(
        "billing_plans.create",
        lambda c: c.billing_plans.create(_PLAN),
        "POST /billing_plans",
        _PLAN,
        body='{"id":"b1","periods":[{"type":"Month","quantity":1,"cycles":0}]}',
        safety=Safety.WRITE,
        key="b1",
    ),
    Case(
        "billing_plans.retrieve",
        lambda c: c.billing_plans.retrieve("Plan of the month"),
        "GET /billing_plans/Plan%20of%20the%20month",
        BillingPlan(id="Plan of the month"),
        key="Plan of the month",
    ),
    Case(
        "billing_plans.update",
        lambda c: c.billing_plans.update("b1", BillingPlan(status="Suspended")),
        "POST /billing_plans/b1",
        BillingPlan(id="b1", status="Suspended"),
        body='{"status":"Suspended"}',
        safety=Safety.WRITE,
        key="b1",
        empty=True,
    ),
    Case(
        "season_sets.list",
        lambda c: c.season_sets.list(**PAGING),
        "GET /season_sets",
        [SeasonSet(id="s1")],
        query=PAGED,
    ),
    Case(
        "season_sets.create",
        lambda c: c.season_sets.create(SeasonSet(id="s1", seasons=[Season(starts=date(2026, 1, 2))])),
        "POST /season_sets",
        SeasonSet(id="s1"),
        body='{"id":"s1","seasons":[{"starts":"2026-01-02"}]}',
        safety=Safety.WRITE,
        key="s1",
        empty=True,
    ),
    Case(
        "rate_plans.list",
        lambda c: c.rate_plans.list(**PAGING),
        "GET /rate_plans",
        [_RATES],
        query=PAGED,
    ),
    Case(
        "rate_plans.create",
        lambda c: c.rate_plans.create(_RATES),
        "POST /rate_plans",
        _RATES,
        body='{"id":"r1","tier":[{"rate_price":[{"amount":0.0015,"currency":"USD"}]}]}',
        safety=Safety.WRITE,
        key="r1",
        empty=True,
    ),
    Case("rate_plans.retrieve", lambda c: c.rate_plans.retrieve("r1"), "GET /rate_plans/r1", _RATES, key="r1"),
    Case("campaigns.list", lambda c: c.campaigns.list(**PAGING), "GET /campaigns", [Campaign(id="c1")], query=PAGED),
    Case(
        "campaigns.create",
        lambda c: c.campaigns.create(
            Campaign(id="c1", flat_amount_discounts=[FlatAmountDiscount(currency="USD", amount=Decimal("5.00"))])
        ),
        "POST /campaigns",
        Campaign(id="c1", state="Pending"),
        body='{"id":"c1","flat_amount_discounts":[{"currency":"USD","amount":5.00}]}',
        safety=Safety.WRITE,
        key="c1",
        empty=True,
    ),
    Case(
        "campaigns.update",
        lambda c: c.campaigns.update("c1", Campaign(percentage_discount=Decimal("12.5"), promotion_code=None)),
        "POST /campaigns/c1",
        Campaign(id="c1", percentage_discount=Decimal("12.5")),
        body='{"percentage_discount":12.5,"promotion_code":null}',
        safety=Safety.WRITE,
        key="c1",
    ),
)
