"""Runs the operations of a merchant's day against the sandbox, with sync and async clients."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any, get_args

import pytest

from kit.calls import Run
from subscribekit.errors import BadRequestError, NotFoundError
from subscribekit.models import (
    Account,
    Activity,
    ActivityNote,
    BillingPlan,
    BillingPlanPeriod,
    Campaign,
    Credit,
    CreditCard,
    CurrencyAmount,
    Entitlement,
    Payment,
    PaymentMethod,
    Product,
    ProductPrice,
    RatePlan,
    Refund,
    Season,
    SeasonSet,
    Subscription,
    SubscriptionItem,
    Transaction,
    TransactionItem,
)
from subscribekit.models.money import refundable_amount
from subscribekit.models.subscription_changes import add_item, change_payment_method, change_plan, remove_item
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.settings import Responses

Story = Callable[["Day"], Awaitable[None]]
STORIES: list[Story] = []


class Day:
    """A sync or async client, and its sandbox."""

    def __init__(self, run: Run, client: Any, sandbox: Sandbox) -> None:
        self.client, self.sandbox, self._run = client, sandbox, run

    async def now(self, result: Any) -> Any:
        """Return the result of a call."""
        return await self._run.now(result)

    async def all(self, pager: Any) -> list[Any]:
        """Read a list to its end."""
        return [item async for item in self._run.every(pager)]


def play(run: Run, told: Story, responses: Responses = "specification") -> Sandbox:
    """Play a story with the kind of client that `run` opens, on a new sandbox with one form of responses."""
    sandbox = Sandbox(responses=responses)

    async def use(client: Any) -> None:
        await told(Day(run, client, sandbox))

    transport = sandbox.transport if run.style == "blocking" else sandbox.async_transport
    run("billing", use, environment=sandbox.environment, transport=transport)
    return sandbox


def story(told: Story) -> Story:
    """Add a function to the stories that `test_a_story` plays."""
    STORIES.append(told)
    return told


def card(identifier: str) -> PaymentMethod:
    """Return a card that the sandbox accepts."""
    details = CreditCard(account="4111111111111111", expiration_date="203112")
    return PaymentMethod(id=identifier, type="CreditCard", credit_card=details)


@story
async def accounts(day: Day) -> None:
    accounts = day.client.accounts
    made = await day.now(accounts.create(Account(id="new", email="new@example.com", notify_before_billing=True)))
    assert made.vid
    assert await day.now(accounts.retrieve(made.vid)) == made
    assert await day.all(accounts.list(email="new@example.com")) == [made]
    changed = await day.now(accounts.update("new", Account(company="Example"), ignore_avs=True))
    assert (changed.company, changed.email) == ("Example", "new@example.com")
    child = await day.now(accounts.add_child("new", Account(id="kid", parent=Account(id="new"))))
    assert child.parent.id == "new"
    assert await day.all(accounts.list_children("new")) == [child]
    assert await day.now(accounts.retrieve_child("new", "kid")) == child
    assert await day.now(accounts.remove_child("new", "kid")) is None
    assert await day.all(accounts.list_children("new")) == []
    assert (await day.now(accounts.retrieve("kid"))).parent is None


@story
async def credit_and_entitlements_of_an_account(day: Day) -> None:
    accounts, account = day.client.accounts, "acct-0009"
    assert (await day.now(accounts.retrieve_credit(account))).currency_amounts is None
    grant = Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=Decimal("7.50"), reason="outage")])
    await day.now(accounts.grant_credit(account, grant))
    (kept,) = (await day.now(accounts.retrieve_credit(account))).currency_amounts
    assert (kept.amount, str(kept.amount), kept.reason) == (Decimal("7.50"), "7.50", "outage")
    granted = await day.now(accounts.grant_entitlement(account, Entitlement(id="films", description="All films")))
    assert granted.id == "films"
    assert (await day.now(accounts.check_entitlement(account, "films"))).state is True
    assert [each.id for each in await day.all(day.client.entitlements.list(account=account))] == ["films"]
    assert await day.now(accounts.revoke_entitlement(account, "films")) is None
    assert (await day.now(accounts.check_entitlement(account, "films"))).state is False


@story
async def payment_methods(day: Day) -> None:
    methods = day.client.payment_methods
    made = await day.now(methods.create(card("pm-new")))
    assert made.credit_card.account == "411111XXXXXX1111"
    linked = Account(payment_methods=[PaymentMethod(vid=made.vid, primary=True)])
    await day.now(day.client.accounts.update("acct-0009", linked, replace_on_all_subscriptions=True))
    found = await day.all(methods.list(account="acct-0009"))
    assert [(each.id, each.primary) for each in found] == [("pm-card-0009", False), ("pm-new", True)]
    await day.now(methods.update("pm-new", PaymentMethod(active=False)))
    assert (await day.now(methods.retrieve("pm-new"))).active is False


@story
async def a_subscription_from_sign_up_to_cancellation(day: Day) -> None:
    subscriptions = day.client.subscriptions
    wanted = Subscription(
        id="new",
        account=Account(id="acct-new", payment_methods=[card("pm-new")], default_currency="USD"),
        billing_plan=BillingPlan(id="plan-monthly"),
        items=[SubscriptionItem(id="item-1", product=Product(id="prod-basic"), campaign_code="SUMMER")],
    )
    assert (await day.now(subscriptions.create(wanted, dryrun=True))).status == "Dryrun"
    with pytest.raises(NotFoundError):
        await day.now(subscriptions.retrieve("new"))
    made = await day.now(subscriptions.create(wanted))
    assert (made.status, made.billing_state) == ("Active", "Good Standing")
    assert made.most_recent_billing.amount == Decimal("7.99")
    assert made.items[0].campaign_id == "camp-summer"
    assert made.entitlement_at(day.sandbox.now).decision == "yes"
    read = await day.now(subscriptions.retrieve("new"))
    assert read.model_copy(update={"most_recent_billing": made.most_recent_billing}) == made
    assert [each.id for each in await day.all(subscriptions.list(account="acct-new"))] == ["new"]

    more = add_item("new", "prod-addon", item="item-2")
    more_now = await day.now(subscriptions.update("new", more, effective_date="today", bill_prorated_period=True))
    assert [item.product.id for item in more_now.items] == ["prod-basic", "prod-addon"]
    less = await day.now(subscriptions.update("new", remove_item("new", item="item-2"), effective_date="today"))
    assert less.items[-1].ends is not None
    await day.now(subscriptions.update("new", change_plan("new", "plan-annual"), effective_date="nextBill"))
    other = await day.now(day.client.payment_methods.create(card("pm-other")))
    paid = await day.now(subscriptions.update("new", change_payment_method("new", vid=other.vid)))
    assert paid.payment_method.id == "pm-other"
    plans = await day.all(subscriptions.list_billing_plan_history("new"))
    assert [each.billing_plan.id for each in plans] == ["plan-monthly", "plan-annual"]
    items = await day.all(subscriptions.list_item_history("new"))
    assert [each.action for each in items] == ["Add", "Add", "Remove"]

    late = (made.next_billing.created + timedelta(days=9)).date()
    delayed = await day.now(subscriptions.change_billing_day("new", to_date=late, perm=True))
    assert delayed.billing_day == late.day
    ended = await day.now(subscriptions.cancel("new", disentitle=True, settle=True, reason_code="106"))
    assert (ended.status, ended.cancel_reason.reason_code) == ("Cancelled", "106")
    assert ended.entitlement_at(day.sandbox.now).decision == "no"


@story
async def a_subscription_that_runs_out(day: Day) -> None:
    ended = await day.now(day.client.subscriptions.cancel("sub-basic-0001"))
    assert ended.status == "Pending Cancel"
    assert ended.next_billing is None
    assert ended.entitlement_at(day.sandbox.now).decision == "yes"
    with pytest.raises(BadRequestError):
        await day.now(day.client.subscriptions.cancel("sub-basic-0001"))


@story
async def a_sign_up_that_the_customer_approves_elsewhere(day: Day) -> None:
    wanted = Subscription(
        id="new",
        account=Account(id="acct-0024"),
        payment_method=PaymentMethod(id="pm-paypal-0024"),
        billing_plan=BillingPlan(id="plan-monthly"),
        items=[SubscriptionItem(product=Product(id="prod-basic"))],
    )
    made = await day.now(day.client.subscriptions.create(wanted))
    assert (made.status, made.billing_state) == ("Pending Activation", "Pending Acceptance")
    done = await day.now(day.client.subscriptions.finish(made.most_recent_billing.id))
    assert (done.id, done.status) == ("new", "Active")


@story
async def transactions_and_refunds(day: Day) -> None:
    transactions, refunds = day.client.transactions, day.client.refunds
    wanted = Transaction(
        id="t1",
        account=Account(id="acct-0003"),
        currency="USD",
        to_be_captured=False,
        items=[TransactionItem(sku="film", name="Film", price=Decimal("19.90"), quantity=1)],
    )
    await day.now(transactions.create(wanted, dryrun=True))
    with pytest.raises(NotFoundError):
        await day.now(transactions.retrieve("t1"))
    made = await day.now(transactions.create(wanted))
    assert (made.amount, made.status_log[0].status) == (Decimal("19.90"), "Authorized")
    captured = await day.now(transactions.capture("t1"))
    assert (captured.id, captured.vid) == ("t1", made.vid)

    refund = Refund(id="r1", amount=Decimal("5.00"), note="late")
    assert (await day.now(refunds.create("t1", refund))).amount == Decimal("5.00")
    left = refundable_amount(await day.now(transactions.retrieve("t1")), await day.all(refunds.list("t1")))
    assert str(left) == "14.90"
    with pytest.raises(BadRequestError):
        await day.now(refunds.create("t1", Refund(amount=left + Decimal("0.01"))))
    await day.now(refunds.create("t1", Refund(amount=left)))
    assert refundable_amount(await day.now(transactions.retrieve("t1")), await day.all(refunds.list("t1"))) == 0

    wanted.id = "t2"
    await day.now(transactions.create(wanted))
    assert (await day.now(transactions.cancel("t2"))).status_log[0].status == "Cancelled"
    assert {each.id for each in await day.all(transactions.list(account="acct-0003"))} >= {"t1", "t2"}


@story
async def payments_and_invoices(day: Day) -> None:
    due = await day.all(day.client.invoices.list(subscription="sub-cash-0006", status="Due"))
    assert [each.invoice_balance for each in due] == [Decimal("19.99")]
    cash = PaymentMethod(id="cash-1", type="MerchantAcceptedPayment")
    await day.now(day.client.payment_methods.create(cash))
    paid = Payment(
        id="y1",
        account=Account(id="acct-0001"),
        subscription="sub-cash-0006",
        invoice=due[0].id,
        currency="USD",
        amount=due[0].invoice_balance,
        payment_method=PaymentMethod(id="cash-1"),
    )
    await day.now(day.client.payments.create(paid))
    assert (await day.now(day.client.invoices.retrieve(due[0].id))).status == "Paid"
    assert (await day.now(day.client.subscriptions.retrieve("sub-cash-0006"))).balance == 0
    assert (await day.now(day.client.payments.reverse("y1"))).status == "Failure"
    assert (await day.now(day.client.invoices.retrieve(due[0].id))).status == "Due"
    when = due[0].invoice_date.astimezone(UTC).date()
    assert due[0].id in [each.id for each in await day.all(day.client.invoices.list(invoice_date=when))]
    assert await day.all(day.client.invoices.list(invoice_date=date(1999, 1, 1))) == []


@story
async def the_catalog(day: Day) -> None:
    client = day.client
    priced = Product(id="p1", prices=[ProductPrice(amount=Decimal("1.10"), currency="EUR")])
    assert (await day.now(client.products.create(priced))).status == "Active"
    await day.now(client.products.update("p1", Product(status="Suspended")))
    product = await day.now(client.products.retrieve("p1"))
    assert (product.status, str(product.prices[0].amount)) == ("Suspended", "1.10")
    assert [each.id for each in await day.all(client.products.list(status="Suspended"))] == ["p1"]
    bought = await day.all(client.products.list(account="acct-0001", include_children=True))
    assert {"prod-basic", "prod-premium", "prod-addon"} == {each.id for each in bought}
    period = BillingPlanPeriod(type="Month", quantity=1, cycles=0)
    plan = await day.now(client.billing_plans.create(BillingPlan(id="b1", periods=[period])))
    assert (plan.times_to_run, plan.used_on_subscriptions) == ("1", False)
    await day.now(client.billing_plans.update("b1", BillingPlan(status="Suspended")))
    assert await day.now(client.billing_plans.retrieve("b1")) != plan
    assert [each.id for each in await day.all(client.billing_plans.list(status="suspended"))] == ["b1"]
    seasons = SeasonSet(id="s1", seasons=[Season(description="Winter", starts=date(2026, 12, 1))])
    await day.now(client.season_sets.create(seasons))
    assert "s1" in [each.id for each in await day.all(client.season_sets.list())]
    await day.now(client.rate_plans.create(RatePlan(id="r1", rate_plan_model="UsageBased")))
    assert (await day.now(client.rate_plans.retrieve("r1"))).has_event_recorded is False
    assert "r1" in [each.id for each in await day.all(client.rate_plans.list(limit=1))]


@story
async def campaigns_activities_and_usage(day: Day) -> None:
    client = day.client
    await day.now(client.campaigns.create(Campaign(id="c1", name="Winter", percentage_discount=Decimal(15))))
    changed = await day.now(client.campaigns.update("c1", Campaign(name="Spring")))
    assert (changed.name, changed.percentage_discount) == ("Spring", 15)
    assert "c1" in [each.id for each in await day.all(client.campaigns.list(limit=2))]
    note = Activity(
        account=Account(id="acct-0001"),
        timestamp=datetime(2026, 1, 2, tzinfo=UTC),
        type="Note",
        note_args=ActivityNote(note="called"),
    )
    made = await day.now(client.activities.create(note))
    assert made.vid
    assert await day.all(client.activities.list(account="acct-0001")) == [made]
    usage = await day.all(client.event_summaries.list(subscription="sub-usage-0007", billed=False))
    assert [each.event_count for each in usage] == [2]


@story
async def reading_by_convention(day: Day) -> None:
    client = day.client
    campaign = await day.now(client.campaigns.retrieve("camp-summer"))
    assert campaign.id == "camp-summer"
    payments = await day.all(client.payments.list())
    assert "pay-cash-0001" in [each.id for each in payments]
    for payment in payments:
        assert await day.now(client.payments.retrieve(payment.id)) == payment
    for each in await day.all(client.season_sets.list()):
        assert await day.now(client.season_sets.retrieve(each.vid)) == each
    with pytest.raises(NotFoundError):
        await day.now(client.refunds.retrieve("no-such-refund"))


@pytest.mark.parametrize("responses", get_args(Responses))
@pytest.mark.parametrize("told", STORIES, ids=lambda told: told.__name__)
def test_a_story(told: Story, responses: Responses, run: Run) -> None:
    play(run, told, responses)
