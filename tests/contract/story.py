"""A story that uses every operation of the sandbox once, through the clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, get_args

from billing.tables import WITH_ROWS
from contract.styles import Shop
from subscribekit import ME, new_transaction_id
from subscribekit.filters import field
from subscribekit.models import (
    Account,
    Activity,
    ActivityNote,
    BillingPlan,
    BillingPlanPeriod,
    BillingPlanPrice,
    Campaign,
    Credit,
    CreditCard,
    CurrencyAmount,
    Entitlement,
    EntitlementCharge,
    Payment,
    PaymentMethod,
    Product,
    ProductDescription,
    ProductPrice,
    RatedUnit,
    RatePlan,
    RatePlanPrice,
    RatePlanTier,
    Refund,
    Season,
    SeasonSet,
    Subscription,
    SubscriptionItem,
    Token,
    Transaction,
    TransactionItem,
)
from subscribekit.models._base import Model
from subscribekit.models.subscription_changes import add_item
from subscribekit.sandbox.store import CONVENTIONAL_COLLECTIONS
from subscribekit.user_mgmt import EntityPath

Call = Callable[[Shop], Any]

FAMILIES = {
    "campaign_codes": "CampaignCode",
    "cancel_fee_policies": "CancelFeePolicy",
    "cancel_reasons": None,
    "chargebacks": "Chargeback",
    "charges": "Charge",
    "discount_tickets": "DiscountTicket",
    "events": "Event",
    "gift_card_redemptions": "GiftCardRedemption",
    "gift_cards": "GiftCard",
    "reason_codes": "ReasonCode",
}
"""The model of each resource without published operations. A cancel reason is documented only in a subscription."""
CARD = CreditCard(account="4111111111111111", expiration_date="203112")
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def card(name: str) -> PaymentMethod:
    return PaymentMethod(id=name, type="CreditCard", credit_card=CARD, account_holder="A. Holder")


def order(name: str, account: str, product: str = "prod-basic", **more: Any) -> Subscription:
    item = SubscriptionItem(product=Product(id=product))
    return Subscription(
        id=name, account=Account(id=account), billing_plan=BillingPlan(id="plan-monthly"), items=[item], **more
    )


ACCOUNTS: dict[str, Call] = {
    "create account": lambda it: it.billing.accounts.create(
        Account(id="new", email="n@example.com", name="New", payment_methods=[card("pm-new")])
    ),
    "retrieve account": lambda it: it.billing.accounts.retrieve("new"),
    "update account": lambda it: it.billing.accounts.update("new", Account(company="New & Co", metadata={"a": "b"})),
    "list accounts": lambda it: it.billing.accounts.list(limit=10),
    "add child": lambda it: it.billing.accounts.add_child("acct-0010", Account(id="acct-0011")),
    "list children": lambda it: it.billing.accounts.list_children("acct-0010"),
    "retrieve child": lambda it: it.billing.accounts.retrieve_child("acct-0010", "acct-0011"),
    "remove child": lambda it: it.billing.accounts.remove_child("acct-0010", "acct-0011"),
    "grant credit": lambda it: it.billing.accounts.grant_credit(
        "new", Credit(currency_amounts=[CurrencyAmount(amount=Decimal("5.00"), currency="USD")])
    ),
    "retrieve credit": lambda it: it.billing.accounts.retrieve_credit("new"),
    "grant entitlement": lambda it: it.billing.accounts.grant_entitlement("new", Entitlement(id="ent-gift")),
    "check entitlement": lambda it: it.billing.accounts.check_entitlement("new", "ent-gift"),
    "list entitlements": lambda it: it.billing.entitlements.list(account="new"),
    "revoke entitlement": lambda it: it.billing.accounts.revoke_entitlement("new", "ent-gift"),
    "record activity": lambda it: it.billing.activities.create(
        Activity(type="Note", account=Account(id="new"), timestamp=START, note_args=ActivityNote(note="called"))
    ),
    "list activities": lambda it: it.billing.activities.list(),
    "create payment method": lambda it: it.billing.payment_methods.create(card("pm-loose")),
    "retrieve payment method": lambda it: it.billing.payment_methods.retrieve("pm-loose"),
    "update payment method": lambda it: it.billing.payment_methods.update("pm-loose", PaymentMethod(active=False)),
    "list payment methods": lambda it: it.billing.payment_methods.list(),
}

CATALOGUE: dict[str, Call] = {
    "create plan": lambda it: it.billing.billing_plans.create(
        BillingPlan(
            id="plan-new",
            description="New",
            periods=[
                BillingPlanPeriod(
                    type="Month",
                    quantity=1,
                    cycles=0,
                    prices=[BillingPlanPrice(amount=Decimal("1.00"), currency="USD")],
                )
            ],
        )
    ),
    "retrieve plan": lambda it: it.billing.billing_plans.retrieve("plan-trial-monthly"),
    "update plan": lambda it: it.billing.billing_plans.update("plan-new", BillingPlan(description="Newer")),
    "list plans": lambda it: it.billing.billing_plans.list(),
    "create product": lambda it: it.billing.products.create(
        Product(
            id="prod-new",
            descriptions=[ProductDescription(language="en", description="New")],
            prices=[ProductPrice(amount=Decimal("2.50"), currency="USD")],
        )
    ),
    "retrieve product": lambda it: it.billing.products.retrieve("prod-basic"),
    "update product": lambda it: it.billing.products.update("prod-new", Product(status="Suspended")),
    "list products": lambda it: it.billing.products.list(),
    "create rate plan": lambda it: it.billing.rate_plans.create(
        RatePlan(
            id="rate-new",
            description="New",
            rate_plan_model="UsageBased",
            rated_unit=RatedUnit(name_singular="minute", name_plural="minutes"),
            tier=[
                RatePlanTier(
                    name="all",
                    charge_customer="PerUnit",
                    begins_at_level=Decimal(0),
                    rate_price=[RatePlanPrice(amount=Decimal("0.01"), currency="USD")],
                )
            ],
        )
    ),
    "retrieve rate plan": lambda it: it.billing.rate_plans.retrieve("rate-api-calls"),
    "update rate plan": lambda it: it.billing.request(
        "POST", "/rate_plans/rate-new", json={"description": "Newer"}, result=RatePlan
    ),
    "list rate plans": lambda it: it.billing.rate_plans.list(),
    "create season set": lambda it: it.billing.season_sets.create(
        SeasonSet(id="season-new", seasons=[Season(description="S", starts=date(2026, 5, 1), ends=date(2026, 8, 1))])
    ),
    "list season sets": lambda it: it.billing.season_sets.list(),
    "retrieve season set": lambda it: it.billing.request("GET", "/season_sets/season-football", result=SeasonSet),
    "update season set": lambda it: it.billing.request(
        "POST", "/season_sets/season-new", json={"metadata": {"a": "b"}}, result=SeasonSet
    ),
    "list tokens": lambda it: it.billing.resource("tokens", Token).list(),
    "retrieve token": lambda it: it.billing.resource("tokens", Token).retrieve("purchasePoints"),
    "create campaign": lambda it: it.billing.campaigns.create(
        Campaign(id="camp-new", type="Promotion", percentage_discount=Decimal(10), promotion_code="NEW")
    ),
    "update campaign": lambda it: it.billing.campaigns.update(
        "camp-new",
        Campaign(state="Active", offer_start_date=START, offer_end_date=START + timedelta(days=9), max_redemptions=10),
    ),
    "list campaigns": lambda it: it.billing.campaigns.list(),
    "retrieve campaign": lambda it: it.billing.request("GET", "/campaigns/camp-flat", result=Campaign),
}

BILLING: dict[str, Call] = {
    "create subscription": lambda it: it.billing.subscriptions.create(
        order("sub-new", "acct-0012", billing_plan_campaign_code="SUMMER")
    ),
    "preview subscription": lambda it: it.billing.subscriptions.create(order("sub-dry", "acct-0012"), dryrun=True),
    "retrieve subscription": lambda it: it.billing.subscriptions.retrieve("sub-new"),
    "update subscription": lambda it: it.billing.subscriptions.update(
        "sub-new", add_item("sub-new", "prod-addon"), effective_date="today", bill_prorated_period=True
    ),
    "list subscriptions": lambda it: it.billing.subscriptions.list(),
    "plan history": lambda it: it.billing.subscriptions.list_billing_plan_history("sub-new"),
    "item history": lambda it: it.billing.subscriptions.list_item_history("sub-new"),
    "delay billing": lambda it: it.billing.subscriptions.change_billing_day("sub-new", to_date=date(2026, 4, 20)),
    "cancel subscription": lambda it: it.billing.subscriptions.cancel("sub-new", settle=True, disentitle=True),
    "sign up with PayPal": lambda it: it.billing.subscriptions.create(order("sub-paypal", "acct-0024")),
    "finish sign-up": lambda it: it.billing.subscriptions.finish("sub-paypal"),
    "create transaction": lambda it: it.billing.transactions.create(sale("t-new", to_be_captured=False)),
    "preview transaction": lambda it: it.billing.transactions.create(sale("t-dry"), dryrun=True),
    "capture transaction": lambda it: it.billing.transactions.capture("t-new"),
    "retrieve transaction": lambda it: it.billing.transactions.retrieve("t-new"),
    "create transaction to cancel": lambda it: it.billing.transactions.create(sale("t-gone")),
    "cancel transaction": lambda it: it.billing.transactions.cancel("t-gone"),
    "list transactions": lambda it: it.billing.transactions.list(),
    "create refund": lambda it: it.billing.refunds.create("t-new", Refund(id="r-new", amount=Decimal("1.00"))),
    "list refunds of a transaction": lambda it: it.billing.refunds.list("t-new"),
    "list refunds": lambda it: it.billing.refunds.list(),
    "retrieve refund": lambda it: it.billing.resource("refunds", Refund).retrieve("r-new"),
    "create payment": lambda it: it.billing.payments.create(
        Payment(
            id="pay-new",
            account=Account(id="acct-0001"),
            payment_method=PaymentMethod(id="pm-cash-0001"),
            amount=Decimal("7.00"),
            currency="USD",
        )
    ),
    "list payments": lambda it: it.billing.resource("payments", Payment).list(),
    "retrieve payment": lambda it: it.billing.resource("payments", Payment).retrieve("pay-new"),
    "list invoices": lambda it: it.billing.invoices.list(),
    "list event summaries": lambda it: it.billing.event_summaries.list(billed=False),
}

OTHERS: dict[str, Call] = {
    "activate campaign": lambda it: it.gateway.campaigns.activate("camp-summer"),
    "gateway subscription": lambda it: it.gateway.subscriptions.retrieve(
        "sub-premium-0002", partner_code="PARTNER", include_billing_plan_history=True
    ),
    "cancel partner subscription": lambda it: it.gateway.partner_subscriptions.cancel("psub-billing-0001"),
    "charge entitlement": lambda it: it.gateway.entitlements.charge(
        "psub-entitlement-0001",
        EntitlementCharge(transaction_id=new_transaction_id(), amount=Decimal("4.90"), currency="USD"),
    ),
    "delete custom data": lambda it: it.user_mgmt.custom_data.delete(ME, "devices", filter=field("age").ge(5)),
    "user accounts": lambda it: it.user_mgmt.accounts.list(size=10),
    "storefront payment method": lambda it: it.storefront.payment_methods.update(
        "acct-0001", payment_method_id="pm-cash-0001", primary=True, active=True
    ),
}

ENTITY_IDS = {
    "user_id": "user-0001",
    "group_id": "2001",
    "account_id": "4001",
    "subscription_id": "5001",
    "feature_id": "6001",
    "runtime_id": "3001",
}


def sale(name: str, **more: Any) -> Transaction:
    item = TransactionItem(sku="sku-1", name="Thing", price=Decimal("9.50"), quantity=2)
    return Transaction(id=name, account=Account(id="acct-0009"), currency="USD", items=[item], **more)


def of_cases() -> Iterator[tuple[str, Call]]:
    """Yield the calls of the cases that use the sandbox's data."""
    for number, case in enumerate(WITH_ROWS):
        yield f"case {number}, {case.name}", lambda it, case=case: case.use(getattr(it, case.group))


def entity_lists() -> Iterator[tuple[str, Call]]:
    for path in get_args(EntityPath):
        given = {name: value for name, value in ENTITY_IDS.items() if "{" + name.replace("_id", "Id") + "}" in path}
        yield f"entities {path}", lambda it, path=path, given=given: it.user_mgmt.entities.list(path, **given)


def families(model_of: Callable[[str], type[Model]]) -> Iterator[tuple[str, Call]]:
    for name in CONVENTIONAL_COLLECTIONS:
        model = FAMILIES[name]
        steps = plain_family(name) if model is None else typed_family(name, model_of(model))
        for step, call in steps.items():
            yield f"{step} in {name}", call


def typed_family(name: str, kind: Any) -> dict[str, Call]:
    return {
        "create": lambda it: it.billing.resource(name, kind).create(kind(id="one", metadata={"a": "b"})),
        "retrieve": lambda it: it.billing.resource(name, kind).retrieve("one"),
        "update": lambda it: it.billing.resource(name, kind).update("one", kind(metadata={"a": "c"})),
        "list": lambda it: it.billing.resource(name, kind).list(),
        "delete": lambda it: it.billing.resource(name, kind).delete("one"),
    }


def plain_family(name: str) -> dict[str, Call]:
    return {
        "create": lambda it: it.billing.request("POST", f"/{name}", json={"id": "one"}),
        "retrieve": lambda it: it.billing.request("GET", f"/{name}/one"),
        "update": lambda it: it.billing.request("POST", f"/{name}/one", json={"description": "new"}),
        "list": lambda it: it.billing.request("GET", f"/{name}"),
        "delete": lambda it: it.billing.request("DELETE", f"/{name}/one"),
    }
