"""Cases of billing and payment: subscriptions, transactions, refunds, payments, invoices, and event summaries."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

from subscribekit._core.operations.operation import Safety
from subscribekit.models import (
    Account,
    BillingPlan,
    BillingPlanHistory,
    EventSummary,
    Invoice,
    Payment,
    PaymentMethod,
    Product,
    Refund,
    Subscription,
    SubscriptionItem,
    SubscriptionItemHistory,
    Transaction,
    TransactionItem,
)
from subscribekit.models._base import read
from subscribekit.models.subscription_changes import replace_item

from .cases import IF_MINE, MINE, PAGED, PAGING, Case

_NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
_NEW = Subscription(id="s1", account=Account(id="a1"), items=[SubscriptionItem(product=Product(id="p1"))])
_NEW_SENT = '{"id":"s1","account":{"id":"a1"},"items":[{"product":{"id":"p1"}}]}'
_REPLACED_SENT = (
    '{"object":"Subscription","id":"s1","items":[{"object":"SubscriptionItem","product":{"object":"Product","id":"new"},'
    '"replaces":{"object":"SubscriptionItem","product":{"object":"Product","id":"old"}}}]}'
)
_ENDED = Subscription(id="s1", status="Cancelled", balance=Decimal("0.00"))
_CHARGE = Transaction(
    id="t1", to_be_captured=True, items=[TransactionItem(sku="x", price=Decimal("19.90"), quantity=Decimal(2))]
)
_CHARGE_SENT = '{"id":"t1","to_be_captured":true,"items":[{"sku":"x","price":19.90,"quantity":2}]}'
_PAYMENT = Payment(id="y1", subscription="s1", payment_method=PaymentMethod(id="pm1"), amount=Decimal("62.20"))

CASES = (
    Case(
        "subscriptions.list",
        lambda c: c.subscriptions.list(**PAGING, account="a1", include_children=False, email="a@example.com"),
        "GET /subscriptions",
        [Subscription(id="s1")],
        query=(("account", "a1"), ("include_children", "0"), ("email", "a@example.com"), *PAGED),
    ),
    Case(
        "subscriptions.create",
        lambda c: c.subscriptions.create(_NEW),
        "POST /subscriptions",
        Subscription(id="s1", status="Active"),
        body=_NEW_SENT,
        safety=Safety.MONEY,
        key="s1",
    ),
    Case(
        "subscriptions.create",
        lambda c: c.subscriptions.create(_NEW, dryrun=True),
        "POST /subscriptions",
        Subscription(id="s1", status="Dryrun"),
        query=(("dryrun", "1"),),
        body=_NEW_SENT,
        safety=Safety.WRITE,
        key="s1",
    ),
    Case(
        "subscriptions.create",
        lambda c: c.subscriptions.create(_NEW, dryrun=False),
        "POST /subscriptions",
        Subscription(id="s1"),
        query=(("dryrun", "0"),),
        body=_NEW_SENT,
        safety=Safety.MONEY,
        key="s1",
    ),
    Case(
        "subscriptions.retrieve",
        lambda c: c.subscriptions.retrieve("s1"),
        "GET /subscriptions/s1",
        Subscription(id="s1", next_billing=Transaction(amount=Decimal("9.99"), created=_NOON)),
        key="s1",
    ),
    Case(
        "subscriptions.update",
        lambda c: c.subscriptions.update(
            "s1", replace_item("s1", "old", "new"), effective_date="today", bill_prorated_period=True
        ),
        "POST /subscriptions/s1",
        Subscription(id="s1"),
        query=(("effective_date", "today"), ("bill_prorated_period", "1")),
        body=_REPLACED_SENT,
        safety=Safety.MONEY,
        key="s1",
    ),
    Case(
        "subscriptions.update",
        lambda c: c.subscriptions.update(
            "vid1", Subscription(billing_plan=BillingPlan(id="b2")), effective_date="nextBill", dryrun=True
        ),
        "POST /subscriptions/vid1",
        Subscription(id="s1"),
        query=(("effective_date", "nextBill"), ("dryrun", "1")),
        body='{"billing_plan":{"id":"b2"}}',
        safety=Safety.WRITE,
        key="vid1",
    ),
    Case(
        "subscriptions.cancel",
        lambda c: c.subscriptions.cancel("s1"),
        "POST /subscriptions/s1/actions/cancel",
        _ENDED,
        safety=Safety.WRITE,
        key="s1",
    ),
    Case(
        "subscriptions.cancel",
        lambda c: c.subscriptions.cancel(
            "s1", disentitle=True, force=False, settle=True, send_cancellation_notice=False, reason_code="106"
        ),
        "POST /subscriptions/s1/actions/cancel",
        _ENDED,
        query=(
            ("disentitle", "1"),
            ("force", "0"),
            ("settle", "1"),
            ("send_cancellation_notice", "0"),
            ("reason_code", "106"),
        ),
        safety=Safety.MONEY,
        key="s1",
    ),
    Case(
        "subscriptions.finish",
        lambda c: c.subscriptions.finish("t1"),
        "POST /subscriptions/t1/actions/finish",
        Subscription(id="s1"),
        safety=Safety.MONEY,
        key="t1",
        empty=True,
    ),
    Case(
        "subscriptions.change_billing_day",
        lambda c, at="sub-basic-0001": c.subscriptions.change_billing_day(at, to_date=date(2026, 3, 20), perm=True),
        "POST /subscriptions/sub-basic-0001/billing_day_changes",
        Subscription(id="sub-basic-0001", billing_day=20),
        query=(("to_date", "2026-03-20"), ("perm", "1")),
        safety=Safety.WRITE,
        key="sub-basic-0001",
        shows=MINE,
        verdicts=("in_effect", "not_applied"),
    ),
    Case(
        "subscriptions.list_billing_plan_history",
        lambda c: c.subscriptions.list_billing_plan_history("s1"),
        "GET /subscriptions/s1/billing_plan_history",
        [BillingPlanHistory(billing_plan=BillingPlan(id="b1"), starts=_NOON)],
        key="s1",
    ),
    Case(
        "subscriptions.list_item_history",
        lambda c: c.subscriptions.list_item_history("s1"),
        "GET /subscriptions/s1/subscription_item_history",
        [SubscriptionItemHistory(action="Add", effective=_NOON)],
        key="s1",
    ),
    Case(
        "transactions.list",
        lambda c: c.transactions.list(**PAGING, account="a1", include_children=True, subscription="s1"),
        "GET /transactions",
        [Transaction(id="t1", amount=Decimal("31.10"))],
        query=(("account", "a1"), ("include_children", "1"), ("subscription", "s1"), *PAGED),
    ),
    Case(
        "transactions.create",
        lambda c: c.transactions.create(_CHARGE),
        "POST /transactions",
        Transaction(id="t1", amount=Decimal("39.80")),
        body=_CHARGE_SENT,
        safety=Safety.MONEY,
        key="t1",
    ),
    Case(
        "transactions.create",
        lambda c: c.transactions.create(_CHARGE, dryrun=True),
        "POST /transactions",
        Transaction(id="t1"),
        query=(("dryrun", "1"),),
        body=_CHARGE_SENT,
        safety=Safety.WRITE,
        key="t1",
    ),
    Case(
        "transactions.retrieve",
        lambda c: c.transactions.retrieve("t1"),
        "GET /transactions/t1",
        Transaction(id="t1"),
        key="t1",
    ),
    Case(
        "transactions.capture",
        lambda c: c.transactions.capture("t1"),
        "POST /transactions/t1/actions/capture",
        Transaction(id="t1", vid="v1"),
        safety=Safety.MONEY,
        key="t1",
    ),
    Case(
        "transactions.cancel",
        lambda c: c.transactions.cancel("t1"),
        "POST /transactions/t1/actions/cancel",
        Transaction(id="t1"),
        safety=Safety.WRITE,
        key="t1",
        empty=True,
    ),
    Case(
        "refunds.list",
        lambda c: c.refunds.list("t1", **PAGING),
        "GET /transactions/t1/refunds",
        [Refund(id="f1", amount=Decimal("29.00"))],
        query=PAGED,
        key="t1",
    ),
    Case(
        "refunds.create",
        lambda c: c.refunds.create("t1", Refund(id="f1", amount=Decimal("29.00"), amount_includes_tax=False)),
        "POST /transactions/t1/refunds",
        Refund(id="f1", status="Processing"),
        body='{"id":"f1","amount":29.00,"amount_includes_tax":false}',
        safety=Safety.MONEY,
        key="f1",
    ),
    Case(
        "refunds.create",
        lambda c: c.refunds.create("t1", Refund(amount=Decimal(1))),
        "POST /transactions/t1/refunds",
        Refund(id="generated"),
        body='{"amount":1}',
        safety=Safety.MONEY,
        key="t1",
    ),
    Case(
        "refunds.create",
        lambda c: c.refunds.create("t1"),
        "POST /transactions/t1/refunds",
        Refund(id="generated"),
        safety=Safety.MONEY,
        key="t1",
    ),
    Case(
        "payments.create",
        lambda c: c.payments.create(_PAYMENT),
        "POST /payments",
        _PAYMENT,
        body='{"id":"y1","subscription":"s1","payment_method":{"id":"pm1"},"amount":62.20}',
        safety=Safety.MONEY,
        key="y1",
        empty=True,
    ),
    Case(
        "payments.reverse",
        lambda c, at="pay-cash-0001": c.payments.reverse(at),
        "POST /payments/pay-cash-0001/actions/reverse",
        Payment(id="pay-cash-0001", status="Failure"),
        safety=Safety.WRITE,
        key="pay-cash-0001",
        empty=True,
        shows=IF_MINE,
        verdicts=("in_effect", "not_applied"),
    ),
    Case(
        "invoices.list",
        lambda c: c.invoices.list(
            **PAGING, account="a1", subscription="s1", status="Due", invoice_date=date(2026, 1, 2)
        ),
        "GET /invoices",
        [Invoice(id="s1-00000000")],
        query=(
            ("account", "a1"),
            ("subscription", "s1"),
            ("status", "Due"),
            ("invoice_date", "2026-01-02"),
            *PAGED,
        ),
    ),
    Case(
        "invoices.retrieve",
        lambda c: c.invoices.retrieve("s" * 128 + "-00000000"),
        f"GET /invoices/{'s' * 128}-00000000",
        read(Invoice, {"id": "s" * 128 + "-00000000", "invoice_balance": Decimal("0.00")}),
        key="s" * 128 + "-00000000",
    ),
    Case(
        "event_summaries.list",
        lambda c: c.event_summaries.list(
            **PAGING,
            account="a1",
            subscription="s1",
            product="p1",
            rate_plan="r1",
            start=_NOON,
            end=_NOON,
            billed=False,
        ),
        "GET /event_summaries",
        [EventSummary(account=Account(id="a1"), event_count=3)],
        query=(
            ("account", "a1"),
            ("subscription", "s1"),
            ("product", "p1"),
            ("rate_plan", "r1"),
            ("start", "2026-01-02T12:00:00+00:00"),
            ("end", "2026-01-02T12:00:00+00:00"),
            ("billed", "0"),
            *PAGED,
        ),
    ),
)
