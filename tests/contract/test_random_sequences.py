"""Compares the sandbox with the reference after random sequences of operations, with sync and async clients."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from contract.reference import PRICES, Ending, Reference
from contract.styles import Shop, Style
from subscribekit import ME
from subscribekit.errors import BadRequestError, NotFoundError
from subscribekit.filters import Filter, field
from subscribekit.models import (
    Account,
    BillingPlan,
    Campaign,
    Credit,
    CurrencyAmount,
    EntitlementCharge,
    FlatAmountDiscount,
    Payment,
    PaymentMethod,
    Product,
    Refund,
    Subscription,
    SubscriptionItem,
    Transaction,
)
from subscribekit.models.money import refundable_amount

Selection = tuple[Filter, Callable[[Mapping[str, Any]], bool]]

PAYMENTS = st.sampled_from(["pay-cash-0001", "pay-card-0002", "pay-a", "pay-b", "pay-c"])
PARTNERS = st.sampled_from(["psub-billing-0001", "psub-billing-0002", "psub-entitlement-0001", "psub-nobody"])
AMOUNTS = st.decimals("0.01", "999.99", places=2)
METHODS = st.sampled_from(
    [
        ("acct-0001", "pm-card-0001"),
        ("acct-0001", "pm-cash-0001"),
        ("acct-0002", "pm-card-0002"),
        ("acct-0002", "pm-card-0001"),
        ("acct-nobody", "pm-card-0001"),
    ]
)
CAMPAIGNS = st.sampled_from(["camp-summer", "camp-flat", "camp-nothing"])
SUBSCRIPTIONS = st.sampled_from(["s-1", "s-2", "s-3"])
CUSTOMERS = st.sampled_from(["acct-0009", "acct-0010"])
SALES = st.sampled_from(["sale-1", "sale-2", "sale-3"])
ACCOUNTS = st.sampled_from(["acct-0001", "acct-0017", "fresh-1", "fresh-2", "fresh 3", "naïve-4"])
EMAILS = st.sampled_from(["ann@example.com", "bob+shop@example.com", "customer-0003@example.com"])
CODES = st.lists(st.text("ABC", min_size=1, max_size=3), max_size=3)


def is_below(limit: int) -> Selection:
    return field("age").lt(limit), lambda item: "age" in item and item["age"] < limit


def is_called(name: str) -> Selection:
    return field("name").sw(name), lambda item: str(item.get("name", "")).startswith(name)


def is_active(value: bool) -> Selection:
    return field("active").eq(value), lambda item: item.get("active") is value


def both(one: Selection, other: Selection) -> Selection:
    return one[0] & other[0], lambda item: one[1](item) and other[1](item)


def either(one: Selection, other: Selection) -> Selection:
    return one[0] | other[0], lambda item: one[1](item) or other[1](item)


SINGLE = st.one_of(
    st.integers(0, 12).map(is_below),
    st.sampled_from(["t", "old", "n", "none"]).map(is_called),
    st.booleans().map(is_active),
)
SELECTIONS: st.SearchStrategy[Selection] = st.recursive(
    SINGLE, lambda inner: st.one_of(st.builds(both, inner, inner), st.builds(either, inner, inner)), max_leaves=3
)


class Sequences(RuleBasedStateMachine):
    """One sandbox, and one reference. Each rule carries out the same operation in both, and compares the results."""

    style: ClassVar[Style]

    @initialize()
    def begin(self) -> None:
        self.shop = Shop(self.style)
        self.reference = Reference(items=self.shop.sandbox.custom_data("user-0001", "devices"))
        self.receipts: set[str] = set()

    def teardown(self) -> None:
        if hasattr(self, "shop"):
            self.shop.close()

    def attempt(self, expected: Ending, call: Callable[[], Any]) -> Any:
        """Make a call, check that it ends as the reference expects, and return its result."""
        ended: Ending = "done"
        result = None
        try:
            result = self.shop(call())
        except NotFoundError:
            ended = "missing"
        except BadRequestError:
            ended = "refused"
        assert ended == expected
        return result

    @rule(name=PAYMENTS, amount=AMOUNTS, cash=st.booleans())
    def pay(self, name: str, amount: Decimal, cash: bool) -> None:
        method = PaymentMethod(id="pm-cash-0001" if cash else "pm-card-0001")
        body = Payment(id=name, account=Account(id="acct-0001"), payment_method=method, amount=amount, currency="USD")
        made = self.attempt(self.reference.pay(name, cash=cash), lambda: self.shop.billing.payments.create(body))
        if made is not None:
            assert (made.id, made.amount, made.status) == (name, amount, "Success")

    @rule(name=PAYMENTS)
    def reverse_payment(self, name: str) -> None:
        payment = self.attempt(self.reference.reverse(name), lambda: self.shop.billing.payments.reverse(name))
        if payment is not None:
            assert payment.status == self.reference.payments[name] == "Failure"

    @rule(name=PARTNERS)
    def cancel_partner_subscription(self, name: str) -> None:
        record = self.attempt(self.reference.cancel(name), lambda: self.shop.gateway.partner_subscriptions.cancel(name))
        if record is not None:
            assert (record.id, record.billing_status) == (name, "CANCELLED")

    @rule(name=PARTNERS, number=st.integers(1, 3), amount=AMOUNTS)
    def charge(self, name: str, number: int, amount: Decimal) -> None:
        self.submit(name, EntitlementCharge(transaction_id=f"t-{number}", amount=amount, currency="USD"))

    @precondition(lambda self: self.reference.charges)
    @rule(which=st.integers(0, 99), number=st.integers(4, 6))
    def refund(self, which: int, number: int) -> None:
        name, original, amount = self.reference.charges[which % len(self.reference.charges)]
        self.submit(
            name,
            EntitlementCharge(
                transaction_id=f"t-{number}", amount=-abs(amount), currency="USD", original_transaction_id=original
            ),
        )

    @rule(account=CUSTOMERS, amount=AMOUNTS)
    def grant_credit(self, account: str, amount: Decimal) -> None:
        body = Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=amount)])
        self.attempt(
            self.reference.grant(account, amount), lambda: self.shop.billing.accounts.grant_credit(account, body)
        )

    @rule(account=CUSTOMERS)
    def read_credit(self, account: str) -> None:
        credit = self.shop(self.shop.billing.accounts.retrieve_credit(account))
        left = sum(one.amount for one in credit.currency_amounts or ())
        assert left == self.reference.credit.get(account, 0)

    @rule(name=SUBSCRIPTIONS, account=CUSTOMERS, product=st.sampled_from(list(PRICES)))
    def subscribe(self, name: str, account: str, product: str) -> None:
        body = Subscription(
            id=name,
            account=Account(id=account),
            billing_plan=BillingPlan(id="plan-monthly"),
            items=[SubscriptionItem(product=Product(id=product))],
        )
        made = self.attempt(self.reference.subscribe(name), lambda: self.shop.billing.subscriptions.create(body))
        if made is not None:
            charge = made.most_recent_billing
            assert charge.amount == self.reference.bill(name, account, product, charge.id)
            assert (made.status, made.balance) == ("Active", 0)

    @rule(name=SUBSCRIPTIONS, now=st.booleans(), settle=st.booleans())
    def end_subscription(self, name: str, now: bool, settle: bool) -> None:
        expected = self.reference.end(name, now=now, settle=settle)
        ended = self.attempt(
            expected, lambda: self.shop.billing.subscriptions.cancel(name, disentitle=now, settle=settle)
        )
        if ended is not None:
            assert ended.status == self.reference.subscriptions[name][0]

    @rule(name=SALES, amount=AMOUNTS, captured=st.booleans())
    def sell(self, name: str, amount: Decimal, captured: bool) -> None:
        body = Transaction(
            id=name, account=Account(id="acct-0009"), amount=amount, currency="USD", to_be_captured=captured
        )
        expected = self.reference.sell(name, amount, captured=captured)
        self.attempt(expected, lambda: self.shop.billing.transactions.create(body))

    @rule(name=SALES)
    def capture(self, name: str) -> None:
        self.attempt(self.reference.capture(name), lambda: self.shop.billing.transactions.capture(name))

    @rule(name=SALES, amount=AMOUNTS)
    def refund_sale(self, name: str, amount: Decimal) -> None:
        self.refund_transaction(name, amount)

    @precondition(lambda self: self.reference.sales)
    @rule(which=st.integers(0, 99), share=st.sampled_from([Decimal(1), Decimal("0.5"), Decimal("1.01")]))
    def refund_what_was_charged(self, which: int, share: Decimal) -> None:
        name, sale = list(self.reference.sales.items())[which % len(self.reference.sales)]
        self.refund_transaction(name, max((sale.amount * share).quantize(Decimal("0.01")), Decimal("0.01")))

    def refund_transaction(self, name: str, amount: Decimal) -> None:
        expected = self.reference.refund(name, amount)
        made = self.attempt(expected, lambda: self.shop.billing.refunds.create(name, Refund(amount=amount)))
        if made is not None:
            assert (made.amount, made.status, made.transaction.id) == (amount, "Processing", name)

    @precondition(lambda self: self.reference.sales)
    @rule(which=st.integers(0, 99))
    def list_refunds(self, which: int) -> None:
        name, sale = list(self.reference.sales.items())[which % len(self.reference.sales)]
        refunds = self.shop(self.shop.billing.refunds.list(name))
        assert sum(refund.amount for refund in refunds) == sale.refunded
        transaction = self.shop(self.shop.billing.transactions.retrieve(name))
        assert transaction.amount == sale.amount
        assert refundable_amount(transaction, refunds) == sale.amount - sale.refunded

    def submit(self, name: str, charge: EntitlementCharge) -> None:
        assert charge.amount is not None
        expected = self.reference.charge(name, charge.transaction_id, charge.amount)
        receipt = self.attempt(expected, lambda: self.shop.gateway.entitlements.charge(name, charge))
        if receipt is not None:
            assert receipt.transaction_reference_id not in self.receipts
            self.receipts.add(receipt.transaction_reference_id)

    @rule(method=METHODS, primary=st.booleans(), active=st.booleans())
    def set_flags(self, method: tuple[str, str], primary: bool, active: bool) -> None:
        account, name = method
        expected = self.reference.set_flags(account, name, primary=primary, active=active)
        shown = self.attempt(
            expected,
            lambda: self.shop.storefront.payment_methods.update(
                account, payment_method_id=name, primary=primary, active=active
            ),
        )
        if shown is not None:
            assert (shown.id, shown.primary, shown.active) == (name, primary, active)

    @rule(account=st.sampled_from(["acct-0001", "acct-0002"]))
    def read_flags(self, account: str) -> None:
        methods = self.shop(self.shop.billing.payment_methods.list(account=account, limit=1))
        assert {each.id: (each.primary, each.active) for each in methods} == self.reference.flags[account]

    @rule(selection=SELECTIONS)
    def delete_custom_data(self, selection: Selection) -> None:
        chosen, wanted = selection
        self.reference.delete_items(wanted)
        self.attempt("done", lambda: self.shop.user_mgmt.custom_data.delete(ME, "devices", filter=chosen))

    @rule(name=CAMPAIGNS, percentage=st.integers(1, 90))
    def discount_by_percentage(self, name: str, percentage: int) -> None:
        expected = self.reference.discount(name, percentage=Decimal(percentage), flat=None)
        self.update_campaign(name, Campaign(percentage_discount=Decimal(percentage)), expected)

    @rule(name=CAMPAIGNS, amount=AMOUNTS)
    def discount_by_amount(self, name: str, amount: Decimal) -> None:
        expected = self.reference.discount(name, percentage=None, flat=amount)
        body = Campaign(flat_amount_discounts=[FlatAmountDiscount(currency="USD", amount=amount)])
        self.update_campaign(name, body, expected)

    @rule(name=CAMPAIGNS, codes=CODES)
    def replace_aliases(self, name: str, codes: list[str]) -> None:
        self.update_campaign(name, Campaign(promotion_code_aliases=codes), self.reference.rename(name, codes))

    def update_campaign(self, name: str, body: Campaign, expected: Ending) -> None:
        shown = self.attempt(expected, lambda: self.shop.billing.campaigns.update(name, body))
        if shown is not None:
            flat = shown.flat_amount_discounts
            assert {
                "percentage_discount": shown.percentage_discount,
                "flat": flat[0].amount if flat else None,
                "aliases": list(shown.promotion_code_aliases) if shown.promotion_code_aliases is not None else None,
            } == self.reference.campaigns[name]

    @rule(name=ACCOUNTS, email=EMAILS)
    def open_account(self, name: str, email: str) -> None:
        self.attempt(
            self.reference.open_account(name, email),
            lambda: self.shop.billing.accounts.create(Account(id=name, email=email)),
        )

    @rule(name=ACCOUNTS, email=EMAILS)
    def move_account(self, name: str, email: str) -> None:
        account = self.attempt(
            self.reference.move(name, email),
            lambda: self.shop.billing.accounts.update(name, Account(email=email)),
        )
        if account is not None:
            assert (account.id, account.email) == (name, email)

    @rule(limit=st.sampled_from([3, 25, 100]))
    def list_accounts(self, limit: int) -> None:
        found = self.shop(self.shop.billing.accounts.list(limit=limit))
        assert {account.id: account.email for account in found} == self.reference.accounts
        assert [account.id for account in found] == list(self.reference.accounts)

    @rule(email=EMAILS)
    def find_accounts(self, email: str) -> None:
        found = self.shop(self.shop.billing.accounts.list(email=email))
        assert [account.id for account in found] == [
            name for name, kept in self.reference.accounts.items() if kept == email
        ]

    @invariant()
    def nothing_else_has_changed(self) -> None:
        if not hasattr(self, "shop"):
            return
        sandbox = self.shop.sandbox
        ledger = [
            (each.partner_subscription, each.fields["transactionId"], each.fields["amount"])
            for each in sandbox.entitlement_charges
        ]
        assert ledger == self.reference.charges
        assert sandbox.custom_data("user-0001", "devices") == self.reference.items
        assert all(each.status in (200, 204, 400, 404) for each in sandbox.requests)


class BlockingSequences(Sequences):
    style = "blocking"


class AsyncSequences(Sequences):
    style = "async"


SETTINGS = settings(max_examples=17, stateful_step_count=30)
BlockingSequences.TestCase.settings = SETTINGS
AsyncSequences.TestCase.settings = SETTINGS
TestBlockingSequences = BlockingSequences.TestCase
TestAsyncSequences = AsyncSequences.TestCase
