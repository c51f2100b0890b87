"""The catalog of the seeded merchant: plans, products, a rate plan, a season set, and campaigns."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from ..values import Document, Value
from .seeder import Seeder


class CatalogSeeder(Seeder):
    """Creates the plans, products, rate plan, season set, token, and campaigns of the seeded merchant."""

    def run(self) -> None:
        """Add the seeded catalog to the store."""
        self._catalog()
        self._campaigns()

    def _catalog(self) -> None:
        created = self._ago(500)
        plans: tuple[tuple[str, str, Document], ...] = (
            ("plan-monthly", "Monthly", {"periods": [_period("Month", 0)]}),
            # An annual bill is the price of the plan plus the price of the product. For example, an annual bill for
            # `prod-basic` (99.99) is lower than the sum of twelve monthly bills (119.88).
            ("plan-annual", "Annual", {"periods": [_period("Year", 0, price=Decimal("90.00"))]}),
            (
                "plan-trial-monthly",
                "Seven days free, then monthly",
                {"trial": _period("Day", 1, quantity=7), "periods": [_period("Month", 0)]},
            ),
            ("plan-three-months", "Three months", {"periods": [_period("Month", 3)]}),
        )
        for key, description, fields in plans:
            plan: Document = {"id": key, "created": created, "description": description, "status": "Active", **fields}
            plan |= {"times_to_run": "1", "entitlements": []}
            plan |= {"skip_initial_billing_notification": False, "used_on_subscriptions": True}
            self._store.add("billing_plans", plan)
        for key, description, price in (
            ("prod-basic", "Basic stream", "9.99"),
            ("prod-premium", "Premium stream", "19.99"),
            ("prod-addon", "Sports add-on", "4.99"),
            ("prod-api", "Programming interface", "0.00"),
        ):
            self._product(key, description, Decimal(price))
        self._store.add("rate_plans", {"id": "rate-api-calls", **_rate_plan()})
        season: Document = {"object": "Season", "description": "Main season"}
        season |= {"starts": self._ago(30), "ends": self._start + timedelta(days=120)}
        self._store.add("season_sets", {"id": "season-football", "created": created, "seasons": [season]})
        self._store.add("tokens", {"id": "purchasePoints", "description": "Points of purchases"})

    def _product(self, key: str, description: str, price: Decimal) -> None:
        self._store.add(
            "products",
            {
                "id": key,
                "created": self._ago(500),
                "descriptions": [{"object": "ProductDescription", "language": "en-US", "description": description}],
                "status": "Active",
                "default_billing_plan": self._link("billing_plans", "plan-monthly"),
                "entitlements": [
                    {"object": "Entitlement", "id": key.replace("prod-", "ent-"), "description": description}
                ],
                "prices": [{"object": "ProductPrice", "amount": price, "currency": "USD"}],
            },
        )

    def _campaigns(self) -> None:
        window: Document = {"offer_start_date": self._ago(60), "offer_end_date": self._start + timedelta(days=300)}
        common: Document = {"stackability": "Stackable", "number_of_periods": 3, "period_length": "BillingCycle"}
        summer: Document = {
            "type": "Promotion",
            "state": "Active",
            "percentage_discount": 20,
            "promotion_code": "SUMMER",
            "promotion_code_aliases": ["SUN"],
        }
        flat: Document = {
            "type": "Coupon",
            "state": "Active",
            "flat_amount_discounts": [{"currency": "USD", "amount": Decimal("5.00")}],
            "coupon_code_prefix": "FIVE",
            "_codes": ["FIVE-0001", "FIVE-0002", "FIVE-0003"],
        }
        self._campaign("camp-summer", "Summer promotion", common | window | summer)
        self._campaign("camp-flat", "Five dollars off", common | window | flat)
        draft: Document = {"type": "Promotion", "state": "Pending", "percentage_discount": 10}
        self._campaign("camp-draft", "Draft", common | draft)
        past: Document = {"offer_start_date": self._ago(300), "offer_end_date": self._ago(200)}
        old: Document = {"type": "Promotion", "state": "Complete", "percentage_discount": 50}
        self._campaign("camp-old", "Last year", common | past | old)

    def _campaign(self, key: str, name: str, fields: Document) -> None:
        self._store.add("campaigns", {"id": key, "name": name, "description": name, **fields})


def _period(kind: str, cycles: int, *, quantity: int = 1, price: Decimal | None = None) -> Document:
    prices: list[Value] = []
    if price is not None:
        prices.append({"object": "BillingPlanPrice", "amount": price, "currency": "USD"})
    return {"object": "BillingPlanPeriod", "type": kind, "quantity": quantity, "cycles": cycles, "prices": prices}


def _rate_plan() -> Document:
    def tier(name: str, price: int, begins: int) -> Document:
        return {
            "object": "RatePlanTier",
            "name": name,
            "charge_customer": "PerUnit",
            "begins_at_level": begins,
            "rate_price": [{"object": "RatePlanPrice", "amount": price, "currency": "USD"}],
        }

    return {
        "description": "Calls of the programming interface",
        "status": "Active",
        "rate_plan_model": "UsageBased",
        "multiply_rated_units_by": "EachRespectiveTier",
        "rated_unit": {"object": "RatedUnit", "name_singular": "call", "name_plural": "calls"},
        "included_units": 0,
        "rounding_decimals": 2,
        "tier": [tier("first ten", 2, 1), tier("further", 1, 11)],
        "minimum_fee": [],
        "maximum_fee": [],
        "has_event_recorded": True,
    }
