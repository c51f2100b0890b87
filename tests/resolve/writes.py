"""Each write of the SDK as a call to the sandbox, with its true verdicts long after sending.

`done` is the verdict for a call that was carried out, and `lost` the verdict for a call that never arrived. The cases
that have `verdicts` add rows to the table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from billing.cases import Case
from billing.tables import ALL
from kit.calls import Group
from subscribekit._core.operations.operation import Safety
from subscribekit.filters import field
from subscribekit.models import (
    Account,
    Activity,
    BillingPlan,
    Campaign,
    Chargeback,
    Credit,
    CurrencyAmount,
    Entitlement,
    EntitlementCharge,
    Event,
    Payment,
    PaymentMethod,
    Product,
    RatePlan,
    Refund,
    SeasonSet,
    Subscription,
    SubscriptionItem,
    Transaction,
    TransactionItem,
)
from subscribekit.models.activity import ActivityNote

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Write:
    """A write and its verdicts.

    Attributes:
        name: The SDK's name of the operation, and after a space the kind of the call if there are several kinds.
        use: Makes the call.
        done: The verdict if the call was carried out.
        lost: The verdict if the call never arrived.
        before: Makes the calls that must come first.
        group: The API of the operation.
        safe_to_retry: Whether the call may be repeated if its outcome is unknown.
    """

    name: str
    use: Callable[[Any], Any]
    done: str
    lost: str
    before: Callable[[Any], object] | None = None
    group: Group = "billing"
    safe_to_retry: bool = False

    def __str__(self) -> str:
        return f"{self.group}.{self.name}"

    @property
    def operation(self) -> str:
        return self.name.partition(" ")[0]


def _transaction(identifier: str | None = "t-own") -> Transaction:
    made = Transaction(
        account=Account(id="acct-0001"),
        source_payment_method=PaymentMethod(id="pm-card-0001"),
        currency="USD",
        items=[TransactionItem(sku="x", name="Thing", price=Decimal("19.90"), quantity=Decimal(2))],
    )
    if identifier is not None:
        made.id = identifier
    return made


def _subscription() -> Subscription:
    return Subscription(
        id="s-own",
        account=Account(id="acct-0001"),
        billing_plan=BillingPlan(id="plan-monthly"),
        items=[SubscriptionItem(product=Product(id="prod-basic"))],
        payment_method=PaymentMethod(id="pm-card-0001"),
        currency="USD",
    )


def _credit(amount: str = "4.90") -> Credit:
    return Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=Decimal(amount))])


def _payment() -> Payment:
    return Payment(
        id="y-own",
        subscription="sub-cash-0006",
        payment_method=PaymentMethod(id="pm-cash-0001"),
        amount=Decimal("3.50"),
        currency="USD",
    )


def row(case: Case) -> Write:
    """Return the row of a case that states the verdicts of its call."""
    assert case.verdicts is not None
    is_harmless = case.safety in (Safety.PUT, Safety.DELETE)
    return Write(case.name, case.use, *case.verdicts, group=case.group, safe_to_retry=is_harmless)


WRITES = (
    Write(
        "accounts.create",
        lambda c: c.accounts.create(Account(id="a-own", name="Ann Example", email="ann@example.com")),
        "applied",
        "not_applied",
    ),
    Write("accounts.create without id", lambda c: c.accounts.create(Account(name="Ann")), "undecided", "undecided"),
    Write(
        "accounts.update",
        lambda c: c.accounts.update("acct-0001", Account(name="Renamed", metadata={"tier": "gold"})),
        "in_effect",
        "not_applied",
    ),
    Write(
        "accounts.update of one field",
        lambda c: c.accounts.update("acct-0001", Account(name="Renamed")),
        "in_effect",
        "not_applied",
    ),
    Write(
        "accounts.update that bills",
        lambda c: c.accounts.update("acct-0001", Account(name="Renamed"), update_behavior="CatchUp"),
        "undecided",
        "undecided",
    ),
    Write(
        "accounts.add_child",
        lambda c: c.accounts.add_child("acct-0003", Account(id="acct-0004")),
        "in_effect",
        "not_applied",
    ),
    Write(
        "accounts.remove_child",
        lambda c: c.accounts.remove_child("acct-0001", "acct-0002"),
        "in_effect",
        "not_applied",
        safe_to_retry=True,
    ),
    Write("accounts.grant_credit", lambda c: c.accounts.grant_credit("acct-0009", _credit()), "in_effect", "undecided"),
    Write(
        "accounts.grant_entitlement",
        lambda c: c.accounts.grant_entitlement("acct-0009", Entitlement(id="vip")),
        "in_effect",
        "not_applied",
    ),
    Write(
        "accounts.revoke_entitlement",
        lambda c: c.accounts.revoke_entitlement("acct-0009", "vip"),
        "in_effect",
        "not_applied",
        before=lambda c: c.accounts.grant_entitlement("acct-0009", Entitlement(id="vip")),
        safe_to_retry=True,
    ),
    Write(
        "payment_methods.create",
        lambda c: c.payment_methods.create(
            PaymentMethod(id="pm-own", type="MerchantAcceptedPayment", account_holder="Ann Example")
        ),
        "applied",
        "not_applied",
    ),
    Write(
        "payment_methods.update",
        lambda c: c.payment_methods.update("pm-card-0001", PaymentMethod(active=False)),
        "in_effect",
        "not_applied",
    ),
    Write("subscriptions.create", lambda c: c.subscriptions.create(_subscription()), "applied", "not_applied"),
    Write(
        "subscriptions.update",
        lambda c: c.subscriptions.update("sub-basic-0001", Subscription(notify_on_transition=True)),
        "in_effect",
        "undecided",
    ),
    Write(
        "subscriptions.update of unnamed items",
        lambda c: c.subscriptions.update(
            "sub-basic-0001", Subscription(items=[SubscriptionItem(product=Product(id="prod-addon"))])
        ),
        "undecided",
        "undecided",
    ),
    Write(
        "subscriptions.update of a named item",
        lambda c: c.subscriptions.update(
            "sub-basic-0001", Subscription(items=[SubscriptionItem(id="i-own", product=Product(id="prod-addon"))])
        ),
        "in_effect",
        "undecided",
    ),
    Write(
        "subscriptions.cancel",
        lambda c: c.subscriptions.cancel("sub-basic-0001", reason_code="106"),
        "in_effect",
        "not_applied",
    ),
    Write(
        "subscriptions.cancel at once",
        lambda c: c.subscriptions.cancel("sub-cancelling-0004", disentitle=True),
        "in_effect",
        "not_applied",
    ),
    Write(
        "subscriptions.cancel with a refund",
        lambda c: c.subscriptions.cancel("sub-basic-0001", disentitle=True, settle=True, force=True),
        "undecided",
        "not_applied",
    ),
    Write(
        "products.create",
        lambda c: c.products.create(Product(id="p-own", tax_classification="None")),
        "applied",
        "not_applied",
    ),
    Write(
        "products.update",
        lambda c: c.products.update("prod-basic", Product(default_billing_plan=BillingPlan(id="plan-annual"))),
        "in_effect",
        "not_applied",
    ),
    Write(
        "products.update of a field that is not shown",
        lambda c: c.products.update("prod-basic", Product(tax_classification="Other")),
        "in_effect",
        "undecided",
    ),
    Write("billing_plans.create", lambda c: c.billing_plans.create(BillingPlan(id="b-own")), "applied", "not_applied"),
    Write(
        "billing_plans.update",
        lambda c: c.billing_plans.update("plan-monthly", BillingPlan(description="Another")),
        "in_effect",
        "not_applied",
    ),
    Write("rate_plans.create", lambda c: c.rate_plans.create(RatePlan(id="r-own")), "applied", "not_applied"),
    Write("season_sets.create", lambda c: c.season_sets.create(SeasonSet(id="z-own")), "applied", "not_applied"),
    Write(
        "campaigns.create",
        lambda c: c.campaigns.create(Campaign(id="c-own", name="New", percentage_discount=Decimal("12.50"))),
        "applied",
        "not_applied",
    ),
    Write(
        "campaigns.update",
        lambda c: c.campaigns.update("camp-draft", Campaign(name="Better", percentage_discount=Decimal("33.0"))),
        "in_effect",
        "not_applied",
    ),
    Write("transactions.create", lambda c: c.transactions.create(_transaction()), "applied", "not_applied"),
    Write(
        "transactions.create without id",
        lambda c: c.transactions.create(_transaction(None)),
        "undecided",
        "undecided",
    ),
    Write(
        "transactions.capture",
        lambda c: c.transactions.capture("t-own"),
        "in_effect",
        "not_applied",
        before=lambda c: c.transactions.create(_transaction()),
    ),
    Write(
        "transactions.cancel",
        lambda c: c.transactions.cancel("t-own"),
        "in_effect",
        "not_applied",
        before=lambda c: c.transactions.create(_transaction()),
    ),
    Write(
        "refunds.create",
        lambda c: c.refunds.create("SBX00000001", Refund(id="f-own", amount=Decimal("1.50"))),
        "applied",
        "not_applied",
    ),
    Write(
        "refunds.create without id",
        lambda c: c.refunds.create("SBX00000001", Refund(amount=Decimal("1.50"))),
        "in_effect",
        "undecided",
    ),
    Write("payments.create", lambda c: c.payments.create(_payment()), "applied", "undecided"),
    Write(
        "activities.create",
        lambda c: c.activities.create(
            Activity(account=Account(id="acct-0001"), timestamp=NOON, type="Note", note_args=ActivityNote(note="Hi"))
        ),
        "in_effect",
        "undecided",
    ),
    Write("events.create", lambda c: c.events.create(Event(id="ev-own")), "applied", "undecided"),
    Write(
        "events.update",
        lambda c: c.events.update("ev-own", Event(metadata={"seen": "yes"})),
        "in_effect",
        "undecided",
        before=lambda c: c.events.create(Event(id="ev-own", metadata={"seen": "no"})),
    ),
    Write(
        "generic_resource.create",
        lambda c: c.resource("chargebacks", Chargeback).create(Chargeback(id="cb-own")),
        "applied",
        "undecided",
    ),
    Write(
        "generic_resource.update",
        lambda c: c.resource("chargebacks", Chargeback).update("cb-own", Chargeback(metadata={"seen": "yes"})),
        "in_effect",
        "undecided",
        before=lambda c: c.resource("chargebacks", Chargeback).create(Chargeback(id="cb-own", metadata={"seen": "no"})),
    ),
    Write(
        "generic_resource.delete",
        lambda c: c.resource("chargebacks", Chargeback).delete("cb-own"),
        "undecided",
        "undecided",
        before=lambda c: c.resource("chargebacks", Chargeback).create(Chargeback(id="cb-own")),
        safe_to_retry=True,
    ),
    Write(
        "request",
        lambda c: c.request("POST", "/accounts", json={"id": "a-own"}),
        "undecided",
        "undecided",
    ),
    Write(
        "campaigns.activate", lambda c: c.campaigns.activate("camp-summer"), "undecided", "undecided", group="gateway"
    ),
    Write(
        "partner_subscriptions.cancel",
        lambda c: c.partner_subscriptions.cancel("psub-billing-0001"),
        "undecided",
        "undecided",
        group="gateway",
    ),
    Write(
        "entitlements.charge",
        lambda c: c.entitlements.charge(
            "psub-entitlement-0001", EntitlementCharge(transaction_id="x1", amount=Decimal("4.90"), currency="USD")
        ),
        "undecided",
        "undecided",
        group="gateway",
    ),
    Write(
        "custom_data.delete",
        lambda c: c.custom_data.delete("me", "devices", filter=field("kind").eq("phone")),
        "undecided",
        "undecided",
        group="user_mgmt",
    ),
    Write(
        "payment_methods.update",
        lambda c: c.payment_methods.update("acct-0001", payment_method_id="pm-card-0001", active=False),
        "undecided",
        "undecided",
        group="storefront",
        safe_to_retry=True,
    ),
    *(row(case) for case in ALL if case.verdicts is not None),
)
