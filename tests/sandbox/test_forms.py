"""Tests that, after random calls, every response has the keys of its kind, and consistent sums and counts."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from samples import SHARE
from sandbox.forms import check
from sandbox.wire import Wire
from subscribekit.errors import BadRequestError, NotFoundError, PaymentAuthorizationError
from subscribekit.models import (
    Account,
    BillingPlan,
    Credit,
    CreditCard,
    CurrencyAmount,
    DirectDebit,
    PaymentMethod,
    Product,
    Refund,
    Subscription,
    SubscriptionItem,
    Transaction,
    TransactionItem,
)
from subscribekit.sandbox import Sandbox, SandboxRequest, SandboxResponse, Settings
from subscribekit.sandbox.settings import Responses

PRODUCTS = st.sampled_from(["prod-basic", "prod-premium", "prod-addon", "prod-api"])
PLANS = st.sampled_from(["plan-monthly", "plan-annual", "plan-trial-monthly", "plan-three-months"])
ACCOUNTS = st.sampled_from(["acct-0001", "acct-0002", "acct-0021", "acct-0024", "acct-0025"])
CODES = st.sampled_from(["", "", "SUMMER", "FIVE-0001"])
METHODS = st.sampled_from(
    [
        PaymentMethod(type="CreditCard", credit_card=CreditCard(account="4111111111111129", expiration_date="203112")),
        PaymentMethod(type="DirectDebit", direct_debit=DirectDebit(account="DE34697856")),
    ]
)


def item(product: str, code: str = "", replaces: str = "") -> SubscriptionItem:
    made = SubscriptionItem(product=Product(id=product), campaign_code=code)
    return made.model_copy(update={"replaces": SubscriptionItem(product=Product(id=replaces))}) if replaces else made


class Forms(RuleBasedStateMachine):
    """Calls random methods of the clients of one sandbox, and checks every response of the service."""

    @initialize(published=st.booleans(), percent=st.sampled_from(["0", "8.25", "19"]))
    def begin(self, published: bool, percent: str) -> None:
        responses: Responses = "published" if published else "specification"
        self.sandbox = Sandbox(settings=Settings(tax_percent={"US": Decimal(percent)}), responses=responses)
        self.billing = self.sandbox.billing()
        self.made = 0
        handle = self.sandbox.service.handle

        def looked_at(request: SandboxRequest) -> SandboxResponse:
            answer = handle(request)
            if answer.body and answer.status == 200:
                packed = answer.headers.get("Content-Encoding") == "gzip"
                plain = gzip.decompress(answer.body) if packed else answer.body
                check(json.loads(plain, parse_float=Decimal), published=published)
            return answer

        vars(self.sandbox.service)["handle"] = looked_at

    def attempt(self, call: Callable[[], object]) -> None:
        with suppress(PaymentAuthorizationError, BadRequestError, NotFoundError):
            call()

    @rule(account=ACCOUNTS, plan=PLANS, products=st.lists(PRODUCTS, min_size=1, max_size=3), code=CODES)
    def subscribe(self, account: str, plan: str, products: list[str], code: str) -> None:
        self.made += 1
        body = Subscription(
            id=f"s{self.made}",
            account=Account(id=account),
            billing_plan=BillingPlan(id=plan),
            items=[item(product, code) for product in products],
            metadata={"vin:MandateFlag": "1"},
        )
        self.attempt(lambda: self.billing.subscriptions.create(body))

    @rule(at=st.integers(1, 3), product=PRODUCTS, old=st.none() | PRODUCTS, today=st.booleans(), plan=st.none() | PLANS)
    def change(self, at: int, product: str, old: str | None, today: bool, plan: str | None) -> None:
        body = Subscription(items=[item(product, replaces=old or "")])
        if plan is not None:
            body = body.model_copy(update={"billing_plan": BillingPlan(id=plan)})
        effective = "today" if today else "nextBill"
        update = self.billing.subscriptions.update
        self.attempt(lambda: update(f"s{at}", body, effective_date=effective, bill_prorated_period=True))

    @rule(at=st.integers(1, 3), method=METHODS)
    def pay_otherwise(self, at: int, method: PaymentMethod) -> None:
        self.attempt(lambda: self.billing.subscriptions.update(f"s{at}", Subscription(payment_method=method)))

    @rule(at=st.integers(1, 3), now=st.booleans())
    def cancel(self, at: int, now: bool) -> None:
        self.attempt(lambda: self.billing.subscriptions.cancel(f"s{at}", disentitle=now, settle=now))

    @rule(account=ACCOUNTS, cents=st.integers(1, 5000), off=st.none() | st.integers(1, 99), captured=st.booleans())
    def charge(self, account: str, cents: int, off: int | None, captured: bool) -> None:
        self.made += 1
        line = TransactionItem(sku="one", name="One", price=Decimal(cents) / 100, quantity=Decimal(2))
        if off is not None:
            line = line.model_copy(update={"discount": -(Decimal(cents) * off / 10_000).quantize(Decimal("0.01"))})
        body = Transaction(id=f"t{self.made}", account=Account(id=account), items=[line], to_be_captured=captured)
        self.attempt(lambda: self.billing.transactions.create(body))

    @rule(at=st.integers(1, 6), cents=st.integers(1, 300))
    def refund(self, at: int, cents: int) -> None:
        self.attempt(lambda: self.billing.refunds.create(f"t{at}", Refund(amount=Decimal(cents) / 100)))

    @rule(account=ACCOUNTS, cents=st.integers(1, 3000))
    def grant(self, account: str, cents: int) -> None:
        credit = Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=Decimal(cents) / 100)])
        self.attempt(lambda: self.billing.accounts.grant_credit(account, credit))

    @rule(days=st.sampled_from([0.01, 1, 20, 40]))
    def wait(self, days: float) -> None:
        self.sandbox.advance(days=days)

    @invariant()
    def lists_agree(self) -> None:
        if not hasattr(self, "billing"):
            return
        for pager in (
            self.billing.transactions.list(limit=7),
            self.billing.invoices.list(),
            self.billing.refunds.list(),
        ):
            assert len(list(pager)) == pager.total_count()
        for path in ("/subscriptions", "/payment_methods", "/accounts/acct-0001/children"):
            told = Wire(self.sandbox).good(path, {"limit": 3})
            parts = urlsplit(told["url"])
            assert Wire(self.sandbox).good(parts.path, dict(parse_qsl(parts.query))) == told


Forms.TestCase.settings = settings(max_examples=12 // SHARE, stateful_step_count=10, deadline=None)
TestForms = Forms.TestCase


@pytest.fixture
def taxed() -> Wire:
    return Wire(Sandbox(settings=Settings(tax_percent={"US": Decimal("8.25")})))


def order(**more: object) -> dict[str, object]:
    return {"id": "new", "account": {"id": "acct-0009"}, "items": [{"product": {"id": "prod-basic"}}]} | more


def test_a_flat_tax_is_in_the_lines_the_total_and_the_invoice(taxed: Wire) -> None:
    made = taxed.made("/subscriptions", order())
    charge = made["most_recent_billing"]
    _, product, total = charge["items"]["data"]
    (tax,) = product["tax"]["data"]
    assert (tax["object"], tax["jurisdiction"], tax["amount"]) == ("TaxItem", "COUNTRY_US", Decimal("0.82"))
    assert tax["tax_rate"] == Decimal("0.0825")
    assert (product["subtotal"], product["total"], total["total"]) == (
        Decimal("9.99"),
        Decimal("10.81"),
        Decimal("0.82"),
    )
    assert charge["amount"] == Decimal("10.81")
    assert charge["sales_tax_address"]["country"] == "US"
    assert made["next_billing"]["amount"] == Decimal("9.99")  # without tax
    invoice = taxed.good("/invoices/new-00000000")
    assert (invoice["gross_charges_total"], invoice["tax_charges_total"]) == (Decimal("9.99"), Decimal("0.82"))
    assert (invoice["payments_received_total"], invoice["invoice_balance"]) == (Decimal("10.81"), 0)
    (listed,) = invoice["invoice_tax_items"]["data"]
    assert (listed["sku"], listed["unit_amount"]) == ("VIN_SALES_TAX", Decimal("0.82"))


def test_the_country_of_the_address_determines_the_tax(taxed: Wire) -> None:
    line = {"sku": "one", "name": "One", "price": "10.00", "quantity": 1}
    body = {"account": {"id": "acct-0009"}, "items": [line]}
    assert taxed.made("/transactions", body)["amount"] == Decimal("10.83")
    abroad = taxed.made("/transactions", {**body, "shipping_address": {"country": "DE"}})
    assert abroad["amount"] == Decimal("10.00")
    assert "tax" not in abroad["items"]["data"][0]


def test_a_discount_reduces_the_tax_and_a_settlement_refunds_tax(taxed: Wire) -> None:
    items = [{"product": {"id": "prod-basic"}, "campaign_code": "SUMMER"}]
    charge = taxed.made("/subscriptions", order(items=items))["most_recent_billing"]
    assert charge["amount"] == Decimal("8.65")  # 7.99, plus 0.66 tax
    ended = taxed.made("/subscriptions/new/actions/cancel", None, {"disentitle": 1, "settle": 1})
    assert sum(refund["amount"] for refund in ended["most_recent_refunds"]["data"]) == Decimal("8.65")


def test_the_checks_notice_a_missing_key_a_wrong_sum_and_a_wrong_count() -> None:
    body = Wire().made("/subscriptions", order())
    check(body, published=False)
    for broken in (
        {**body, "payment_method": {**body["payment_method"], "credit_card": {"object": "CreditCard", "bin": "1"}}},
        {**body, "most_recent_billing": {**body["most_recent_billing"], "amount": Decimal(1)}},
        {**body, "items": {**body["items"], "total_count": 7}},
    ):
        with pytest.raises(AssertionError):
            check(broken, published=False)
    with pytest.raises(AssertionError):
        check(body, published=True)  # the specification's form has more keys
