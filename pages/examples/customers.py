"""Examples for the customers of the billing API: accounts, payment methods, and entitlements."""

from __future__ import annotations

from .kit import Example, Family, setup

FAMILIES = (
    Family(
        "billing",
        "accounts",
        "Accounts",
        setup(
            "BillingClient",
            "billing",
            "from decimal import Decimal",
            "from subscribekit.models import Account, Credit, CurrencyAmount, Entitlement",
        ),
        (
            Example(
                "list",
                "List accounts, or find one by email",
                """\
for account in billing.accounts.list(email="customer-0001@example.com"):
    print(account.id, account.default_currency)""",
            ),
            Example(
                "create",
                "Create an account",
                """\
customer = Account(id="cust-1", email="ada@example.com", name="Ada", default_currency="USD")
account = billing.accounts.create(customer)
print(account.id, account.default_currency)""",
            ),
            Example(
                "retrieve",
                "Read an account",
                """\
account = billing.accounts.retrieve("cust-1")
print(account.id, account.default_currency)""",
            ),
            Example(
                "update",
                "Update an account",
                """\
account = billing.accounts.update("cust-1", Account(company="Analytical Engines", language="en-GB"))
print(account.company, account.language)""",
            ),
            Example(
                "add_child",
                "Add a child account",
                """\
child = billing.accounts.add_child("acct-0001", Account(id="cust-1"))
print(child.id, child.parent and child.parent.id)""",
            ),
            Example(
                "list_children",
                "List child accounts",
                """\
for child in billing.accounts.list_children("acct-0001"):
    print(child.id)""",
            ),
            Example(
                "retrieve_child",
                "Read a child account",
                """\
child = billing.accounts.retrieve_child("acct-0001", "cust-1")
print(child.id)""",
            ),
            Example(
                "remove_child",
                "Remove a child account from its parent",
                """\
billing.accounts.remove_child("acct-0001", "cust-1")
print([child.id for child in billing.accounts.list_children("acct-0001")])""",
            ),
            Example(
                "grant_credit",
                "Grant credit to a customer",
                """\
five = Credit(currency_amounts=[CurrencyAmount(amount=Decimal("5.00"), currency="USD")])
credit = billing.accounts.grant_credit("cust-1", five)
print([(each.amount, each.currency) for each in credit.currency_amounts or ()])""",
            ),
            Example(
                "retrieve_credit",
                "Read a customer's credit",
                """\
credit = billing.accounts.retrieve_credit("cust-1")
print([(each.amount, each.currency) for each in credit.currency_amounts or ()])""",
            ),
            Example(
                "grant_entitlement",
                "Grant an entitlement to a customer",
                """\
billing.accounts.grant_entitlement("cust-1", Entitlement(id="ent-gift"))
print(billing.accounts.check_entitlement("cust-1", "ent-gift").state)""",
            ),
            Example(
                "check_entitlement",
                "Check whether a customer has an entitlement",
                """\
answer = billing.accounts.check_entitlement("cust-1", "ent-gift")
print(answer.state)""",
            ),
            Example(
                "revoke_entitlement",
                "Revoke an entitlement",
                """\
billing.accounts.revoke_entitlement("cust-1", "ent-gift")
print(billing.accounts.check_entitlement("cust-1", "ent-gift").state)""",
            ),
        ),
    ),
    Family(
        "billing",
        "payment_methods",
        "Payment methods",
        setup("BillingClient", "billing", "from subscribekit.models import CreditCard, PaymentMethod"),
        (
            Example(
                "list",
                "List payment methods",
                """\
for method in billing.payment_methods.list(account="acct-0001"):
    print(method.id, method.type)""",
            ),
            Example(
                "create",
                "Add a payment method, such as a card",
                """\
card = CreditCard(account="4111111111111111", expiration_date="203112")
method = billing.payment_methods.create(PaymentMethod(id="pm-1", type="CreditCard", credit_card=card))
print(method.id, method.credit_card and method.credit_card.last_digits)""",
            ),
            Example(
                "retrieve",
                "Read a payment method",
                """\
method = billing.payment_methods.retrieve("pm-1")
print(method.id, method.type, method.active)""",
            ),
            Example(
                "update",
                "Update or deactivate a payment method",
                """\
method = billing.payment_methods.update("pm-1", PaymentMethod(active=False))
print(method.active)""",
            ),
        ),
    ),
    Family(
        "billing",
        "entitlements",
        "Entitlements",
        setup("BillingClient", "billing"),
        (
            Example(
                "list",
                "List the entitlements of a customer",
                """\
for entitlement in billing.entitlements.list(account="acct-0001"):
    by = entitlement.subscription and entitlement.subscription.id
    print(entitlement.id, by, entitlement.ends and entitlement.ends.date())""",
            ),
            Example(
                "retrieve",
                "Read an entitlement",
                """\
entitlement = billing.entitlements.retrieve("ent-basic")
print(entitlement.id)""",
            ),
        ),
    ),
)
