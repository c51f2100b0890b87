"""Examples for bills and payments in the billing API: subscriptions, transactions, refunds, payments, and invoices."""

from __future__ import annotations

from .kit import Example, Family, setup

FAMILIES = (
    Family(
        "billing",
        "subscriptions",
        "Subscriptions",
        setup(
            "BillingClient",
            "billing",
            "from datetime import date",
            "from subscribekit.models import Account, BillingPlan, Product, Subscription, SubscriptionItem",
            "from subscribekit.models.subscription_changes import add_item",
        ),
        (
            Example(
                "list",
                "List subscriptions",
                """\
for subscription in billing.subscriptions.list(account="acct-0001"):
    print(subscription.id, subscription.status)""",
            ),
            Example(
                "create",
                "Sign up a customer: create a subscription",
                """\
plan, item = BillingPlan(id="plan-monthly"), SubscriptionItem(product=Product(id="prod-basic"))
order = Subscription(id="sub-1", account=Account(id="acct-0009"), billing_plan=plan, items=[item])
print(billing.subscriptions.create(order).status)""",
            ),
            Example(
                "retrieve",
                "Read a subscription",
                """\
subscription = billing.subscriptions.retrieve("sub-1")
print(subscription.status, subscription.billing_state)""",
            ),
            Example(
                "update",
                "Update a subscription: plan, products, or payment method",
                """\
preview = billing.subscriptions.update("sub-1", add_item("sub-1", "prod-addon"), dryrun=True)
changed = billing.subscriptions.update("sub-1", add_item("sub-1", "prod-addon"), effective_date="nextBill")
print(preview.status, [item.product and item.product.id for item in changed.items or ()])""",
            ),
            Example(
                "list_item_history",
                "List the product changes of a subscription",
                """\
for change in billing.subscriptions.list_item_history("sub-1"):
    print(change.action)""",
            ),
            Example(
                "list_billing_plan_history",
                "List the billing plans that a subscription had",
                """\
for past in billing.subscriptions.list_billing_plan_history("sub-1"):
    print(past.billing_plan and past.billing_plan.id)""",
            ),
            Example(
                "change_billing_day",
                "Bill a subscription on a later day",
                """\
later = billing.subscriptions.change_billing_day("sub-1", to_date=date(2026, 4, 6))
print(later.next_billing and later.next_billing.created)""",
            ),
            Example(
                "finish",
                "Finish a sign-up after the customer approved it at PayPal",
                """\
order = Subscription(id="sub-2", account=Account(id="acct-0024"), billing_plan=plan, items=[item])
print(billing.subscriptions.create(order).status)
print(billing.subscriptions.finish("sub-2").status)""",
            ),
            Example(
                "cancel",
                "Cancel a subscription",
                """\
ended = billing.subscriptions.cancel("sub-1", send_cancellation_notice=True)
print(ended.status)""",
            ),
        ),
    ),
    Family(
        "billing",
        "transactions",
        "Transactions",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import Account, Transaction, TransactionItem",
        ),
        (
            Example(
                "list",
                "List transactions",
                """\
for transaction in billing.transactions.list(account="acct-0001"):
    print(transaction.amount, transaction.currency)""",
            ),
            Example(
                "create",
                "Charge a customer once",
                """\
account, item = Account(id="acct-0009"), TransactionItem(sku="gift", price=Decimal("9.50"), quantity=2)
sale = Transaction(id="sale-1", account=account, currency="USD", items=[item], to_be_captured=True)
print(billing.transactions.create(sale).amount)""",
            ),
            Example(
                "retrieve",
                "Read a transaction",
                """\
transaction = billing.transactions.retrieve("sale-1")
print(transaction.amount, transaction.currency)""",
            ),
            Example(
                "capture",
                "Capture an authorized transaction",
                """\
billing.transactions.create(sale.model_copy(update={"id": "sale-2", "to_be_captured": False}))
billing.transactions.capture("sale-2")
print(billing.transactions.retrieve("sale-2").status)""",
            ),
            Example(
                "cancel",
                "Void an authorized transaction",
                """\
held = sale.model_copy(update={"id": "sale-3", "to_be_captured": False})
billing.transactions.create(held)
print(billing.transactions.cancel("sale-3").status)""",
            ),
        ),
    ),
    Family(
        "billing",
        "refunds",
        "Refunds",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import Refund",
        ),
        (
            Example(
                "create",
                "Refund a transaction",
                """\
paid = "SBX00000001"  # the id of a transaction, as transactions.list gives it
refund = billing.refunds.create(paid, Refund(id="refund-1", amount=Decimal("5.00"), note="late delivery"))
print(refund.amount, refund.currency)""",
            ),
            Example(
                "list",
                "List the refunds of a transaction",
                """\
for refund in billing.refunds.list(paid):
    print(refund.id, refund.amount)""",
            ),
            Example(
                "retrieve",
                "Read a refund",
                """\
refund = billing.refunds.retrieve("refund-1")
print(refund.amount, refund.status)""",
            ),
        ),
    ),
    Family(
        "billing",
        "payments",
        "Payments",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import Account, Payment, PaymentMethod",
        ),
        (
            Example(
                "list",
                "List payments",
                """\
for payment in billing.payments.list(limit=2).take(2):
    print(payment.id, payment.amount, payment.status)""",
            ),
            Example(
                "create",
                "Pay an outstanding balance",
                """\
cash, account = PaymentMethod(id="pm-cash-0001"), Account(id="acct-0001")
paid = Payment(id="pay-1", account=account, payment_method=cash, amount=Decimal("7.00"), currency="USD")
print(billing.payments.create(paid).status)""",
            ),
            Example(
                "retrieve",
                "Read a payment",
                """\
payment = billing.payments.retrieve("pay-1")
print(payment.amount, payment.status)""",
            ),
            Example(
                "reverse",
                "Reverse a payment",
                """\
payment = billing.payments.reverse("pay-1")
print(payment.status)""",
            ),
        ),
    ),
    Family(
        "billing",
        "invoices",
        "Invoices",
        setup("BillingClient", "billing"),
        (
            Example(
                "list",
                "List invoices",
                """\
invoices = billing.invoices.list(limit=2).take(2)
for invoice in invoices:
    print(invoice.id, invoice.gross_charges_total, invoice.status)""",
            ),
            Example(
                "retrieve",
                "Read an invoice",
                """\
invoice = billing.invoices.retrieve(invoices[0].id or "")
print(invoice.gross_charges_total, invoice.invoice_currency, invoice.status)""",
            ),
        ),
    ),
)
