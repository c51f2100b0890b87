"""Examples for the catalog of the billing API: products, billing plans, seasons, and campaigns."""

from __future__ import annotations

from .kit import Example, Family, setup

FAMILIES = (
    Family(
        "billing",
        "products",
        "Products",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import Product, ProductPrice",
        ),
        (
            Example(
                "list",
                "List products",
                """\
for product in billing.products.list():
    print(product.id, product.status)""",
            ),
            Example(
                "create",
                "Create a product",
                """\
price = ProductPrice(amount=Decimal("2.50"), currency="USD")
product = billing.products.create(Product(id="prod-1", prices=[price]))
print(product.id, [each.amount for each in product.prices or ()])""",
            ),
            Example(
                "retrieve",
                "Read a product",
                """\
product = billing.products.retrieve("prod-basic")
print(product.id, [(each.amount, each.currency) for each in product.prices or ()])""",
            ),
            Example(
                "update",
                "Update a product",
                """\
product = billing.products.update("prod-1", Product(status="Suspended"))
print(product.status)""",
            ),
        ),
    ),
    Family(
        "billing",
        "billing_plans",
        "Billing plans",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import BillingPlan, BillingPlanPeriod, BillingPlanPrice",
        ),
        (
            Example(
                "list",
                "List billing plans",
                """\
for plan in billing.billing_plans.list():
    print(plan.id, plan.description)""",
            ),
            Example(
                "create",
                "Create a billing plan",
                """\
price = BillingPlanPrice(amount=Decimal("1.00"), currency="USD")
period = BillingPlanPeriod(type="Month", quantity=1, cycles=0, prices=[price])
print(billing.billing_plans.create(BillingPlan(id="plan-1", description="New", periods=[period])).id)""",
            ),
            Example(
                "retrieve",
                "Read a billing plan",
                """\
plan = billing.billing_plans.retrieve("plan-trial-monthly")
print([(period.type, period.quantity) for period in plan.periods or ()])""",
            ),
            Example(
                "update",
                "Update a billing plan",
                """\
plan = billing.billing_plans.update("plan-1", BillingPlan(description="Newer"))
print(plan.description)""",
            ),
        ),
    ),
    Family(
        "billing",
        "season_sets",
        "Season sets",
        setup(
            "BillingClient",
            "billing",
            "from datetime import date",
            "from subscribekit.models import Season, SeasonSet",
        ),
        (
            Example(
                "list",
                "List season sets",
                """\
for seasons in billing.season_sets.list():
    print(seasons.id)""",
            ),
            Example(
                "create",
                "Create a season set",
                """\
summer = Season(description="Summer", starts=date(2027, 5, 1), ends=date(2027, 8, 1))
seasons = billing.season_sets.create(SeasonSet(id="season-1", seasons=[summer]))
print(seasons.id, [each.description for each in seasons.seasons or ()])""",
            ),
            Example(
                "retrieve",
                "Read a season set",
                """\
seasons = billing.season_sets.retrieve("season-football")
print(seasons.id, [each.description for each in seasons.seasons or ()])""",
            ),
        ),
    ),
    Family(
        "billing",
        "campaigns",
        "Campaigns",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import Campaign",
        ),
        (
            Example(
                "list",
                "List campaigns (discounts)",
                """\
for campaign in billing.campaigns.list():
    print(campaign.id, campaign.type, campaign.state)""",
            ),
            Example(
                "create",
                "Create a campaign (discount)",
                """\
ten = Campaign(id="camp-1", type="Promotion", percentage_discount=Decimal(10), promotion_code="TEN")
print(billing.campaigns.create(ten).promotion_code)""",
            ),
            Example(
                "retrieve",
                "Read a campaign (discount)",
                """\
campaign = billing.campaigns.retrieve("camp-summer")
print(campaign.promotion_code, campaign.percentage_discount)""",
            ),
            Example(
                "update",
                "Update a campaign (discount)",
                """\
campaign = billing.campaigns.update("camp-1", Campaign(max_redemptions=10))
print(campaign.id, campaign.max_redemptions)""",
            ),
        ),
    ),
)
