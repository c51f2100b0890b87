"""Thirty tasks of merchants, each with a program that follows the pages and one that follows other habits."""

from __future__ import annotations

from .measured import Task

ORDER = """\
order = Transaction(
    id="order-1", account=Account(id="acct-0009"), amount=Decimal("19.90"), currency="USD", to_be_captured=True
)
"""
NAMELESS = ORDER.replace('id="order-1", ', "")
CHARGE = 'charge = EntitlementCharge(transaction_id="order-1", amount=Decimal("4.90"), currency="USD")\n'
SIGN_UP = """\
order = Subscription(
    id="sub-1", account=Account(id="acct-0009"), billing_plan=BillingPlan(id="plan-monthly"),
    items=[SubscriptionItem(product=Product(id="prod-basic"))],
)
"""
NEW_SIGN_UP = SIGN_UP.replace('"sub-1"', 'f"sub-{attempt}"')
PAID = 'paid = billing.subscriptions.retrieve("sub-basic-0001").most_recent_billing\n'


def lost(operation: str) -> str:
    return f'sandbox.faults.add("{operation}", drop_after_commit())\n'


def resolved(call: str, client: str = "billing") -> str:
    return f"""\
try:
    {call}
except OutcomeUnknownError as error:
    if {client}.resolve(error).safe_to_retry:
        {call}
"""


def until_it_works(body: str, call: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"""\
for attempt in range(3):
{lines}    try:
        {call}
        break
    except Exception:
        continue
"""


LEDGER = """\
jobs = [
    (key, gateway.prepare.entitlements.charge(
        "psub-entitlement-0001", EntitlementCharge(transaction_id=key, amount=Decimal("4.90"), currency="USD")
    ))
    for key in ("order-1", "order-2", "order-3")
]
with Run("charges.db", gateway, concurrency=1) as run:
    run.add(jobs)
    for item in run.send():
        print(item.key, item.state)
    run.resolve(wait=False)
"""
BY_HAND = """\
for key in ("order-1", "order-2", "order-3"):
    for attempt in range(3):
        charge = EntitlementCharge(transaction_id=new_transaction_id(), amount=Decimal("4.90"), currency="USD")
        try:
            gateway.entitlements.charge("psub-entitlement-0001", charge)
            break
        except Exception:
            continue
"""
CREATE, GATEWAY, REFUND = "transactions.create", "entitlements.charge", "refunds.create"
SEND = "billing.transactions.create(order)"
SEND_CHARGE = 'gateway.entitlements.charge("psub-entitlement-0001", charge)'
NEW_CHARGE = CHARGE.replace('"order-1"', "new_transaction_id()")
SEND_REFUND = "billing.refunds.create(paid.id, wanted)"
NAMED_REFUND = PAID + 'wanted = Refund(id="refund-1", amount=Decimal("4.00"))\n'
ANY_REFUND = PAID + 'wanted = Refund(amount=Decimal("4.00"))\n'
CREDIT = 'credit = Credit(currency_amounts=[CurrencyAmount(amount=Decimal("5.00"), currency="USD")])\n'
SEND_CREDIT = 'billing.accounts.grant_credit("acct-0001", credit)'
CASH = """\
payment = Payment(
    id="pay-1", account=Account(id="acct-0001"), payment_method=PaymentMethod(id="pm-cash-0001"),
    amount=Decimal("7.00"), currency="USD",
)
"""
SEND_CASH = "billing.payments.create(payment)"
SEND_SIGN_UP = "billing.subscriptions.create(order)"

TASKS: tuple[Task, ...] = (
    Task("Charge a card once and handle a lost response", lost(CREATE),
         ORDER + resolved(SEND), until_it_works(NAMELESS, SEND)),
    Task("Charge a card once and handle a 500 error after the charge",
         f'sandbox.faults.add("{CREATE}", server_error_after_commit())\n',
         ORDER + resolved(SEND), until_it_works(NAMELESS, SEND)),
    Task("Charge a card once and handle a truncated response", f'sandbox.faults.add("{CREATE}", truncated())\n',
         ORDER + resolved(SEND), until_it_works(NAMELESS, SEND)),
    Task("Prevent a second card charge if a script runs twice", "",
         "for start in range(2):\n    " + ORDER.replace("\n", "\n    ") + "try:\n        " + SEND
         + "\n    except BadRequestError:\n        print('charged before')\n",
         "for start in range(2):\n    " + NAMELESS.replace("\n", "\n    ") + SEND + "\n"),
    Task("Charge an entitlement and handle a lost response", lost(GATEWAY),
         CHARGE + resolved(SEND_CHARGE, "gateway"), until_it_works(NEW_CHARGE, SEND_CHARGE)),
    Task("Charge an entitlement and handle a 502 error after the charge",
         f'sandbox.faults.add("{GATEWAY}", server_error_after_commit(502))\n',
         CHARGE + resolved(SEND_CHARGE, "gateway"), until_it_works(NEW_CHARGE, SEND_CHARGE)),
    Task("Prevent a second entitlement charge if a worker starts twice", "",
         'for start in range(2):\n    with Run("charges.db", gateway) as run:\n'
         '        charge = EntitlementCharge(transaction_id="order-1", amount=Decimal("4.90"), currency="USD")\n'
         '        run.send_once("order-1", gateway.prepare.entitlements.charge("psub-entitlement-0001", charge))\n',
         "for start in range(2):\n    " + NEW_CHARGE + "    " + SEND_CHARGE + "\n"),
    Task("Charge an amount from a CSV file", "",
         'text = "4.90"\ncharge = EntitlementCharge(transaction_id="order-1", amount=Decimal(text), currency="USD")\n'
         + SEND_CHARGE,
         'text = "4.90"\ncharge = EntitlementCharge(transaction_id="order-1", amount=float(text), currency="USD")\n'
         + SEND_CHARGE),
    Task("Charge an amount that is stored in cents", "",
         "charge = EntitlementCharge(\n"
         '    transaction_id="order-1", amount=Decimal(490).scaleb(-2), currency="USD"\n)\n' + SEND_CHARGE,
         'charge = EntitlementCharge(transaction_id="order-1", amount=Decimal(490), currency="USD")\n' + SEND_CHARGE),
    Task("Charge three orders and handle a lost response", lost(GATEWAY), LEDGER, BY_HAND),
    Task("Prevent repeated charges of three orders if a job runs twice", "", LEDGER + LEDGER, BY_HAND + BY_HAND),
    Task("Stop a bulk run whose amounts are in cents instead of dollars", "",
         LEDGER.replace('Decimal("4.90")', "Decimal(490)").replace(
             "concurrency=1", 'concurrency=1, stop=StopPolicy(max_amount=Decimal("20"), currency="USD")'),
         BY_HAND.replace('Decimal("4.90")', "Decimal(490)")),
    Task("Show the request of a charge without sending it", "",
         CHARGE + SEND_CHARGE.replace("gateway.", "print(gateway.prepare.") + ".body)",
         CHARGE + "print(" + SEND_CHARGE + ")"),
    Task("Authorize 19.90, and capture the amount later", "",
         ORDER.replace("True", "False") + SEND + '\nbilling.transactions.capture("order-1")',
         ORDER.replace("True", "False") + SEND + "\n" + NAMELESS + SEND),
    Task("Capture an authorization and handle a lost response", lost("transactions.capture"),
         ORDER.replace("True", "False") + SEND + "\n" + resolved('billing.transactions.capture("order-1")'),
         ORDER.replace("True", "False") + SEND + "\ntry:\n    billing.transactions.capture('order-1')\n"
         "except Exception:\n" + "".join(f"    {line}\n" for line in (NAMELESS + SEND).splitlines())),
    Task("Refund 4.00 and handle a lost response", lost(REFUND),
         NAMED_REFUND + resolved(SEND_REFUND), ANY_REFUND + until_it_works("", SEND_REFUND)),
    Task("Refund 4.00 and handle a 500 error after the refund",
         f'sandbox.faults.add("{REFUND}", server_error_after_commit())\n',
         NAMED_REFUND + resolved(SEND_REFUND), ANY_REFUND + until_it_works("", SEND_REFUND)),
    Task("Refund the rest of a partly refunded bill", "",
         NAMED_REFUND + SEND_REFUND + "\nleft = refundable_amount(paid, billing.refunds.list(paid.id))\n"
         'billing.refunds.create(paid.id, Refund(id="refund-2", amount=left))',
         NAMED_REFUND + SEND_REFUND + "\nbilling.refunds.create(paid.id, Refund(amount=paid.amount))"),
    Task("Prevent a second refund if an employee clicks a button twice", "",
         NAMED_REFUND + "for click in range(2):\n"
         '    if not any(each.id == "refund-1" for each in billing.refunds.list(paid.id)):\n        ' + SEND_REFUND,
         ANY_REFUND + "for click in range(2):\n    " + SEND_REFUND),
    Task("Refund an entitlement charge and handle a lost response", "",
         CHARGE + SEND_CHARGE + "\n" + lost(GATEWAY)
         + 'charge = EntitlementCharge(\n    transaction_id="back-1", original_transaction_id="order-1",\n'
         '    amount=Decimal("-4.90"), currency="USD",\n)\n' + resolved(SEND_CHARGE, "gateway"),
         CHARGE + SEND_CHARGE + "\n" + lost(GATEWAY) + until_it_works(
             'charge = EntitlementCharge(\n    transaction_id=new_transaction_id(),\n'
             '    original_transaction_id="order-1",\n'
             '    amount=Decimal("-4.90"), currency="USD",\n)', SEND_CHARGE)),
    Task("Sign up a customer and handle a lost response", lost("subscriptions.create"),
         SIGN_UP + resolved(SEND_SIGN_UP), until_it_works(NEW_SIGN_UP, SEND_SIGN_UP)),
    Task("Show the price before a customer signs up", "",
         SIGN_UP + "preview = billing.subscriptions.create(order, dryrun=True)",
         SIGN_UP + SEND_SIGN_UP + '\nbilling.subscriptions.cancel("sub-1")'),
    Task("Sign up a customer with a free period that has already started", "",
         SIGN_UP + "order.starts = datetime(2026, 6, 1, tzinfo=UTC)\n" + SEND_SIGN_UP, SIGN_UP + SEND_SIGN_UP),
    Task("Show the price of another plan", "",
         'change = change_plan("sub-basic-0001", "plan-annual")\n'
         'billing.subscriptions.update("sub-basic-0001", change, bill_prorated_period=True, dryrun=True)',
         'change = change_plan("sub-basic-0001", "plan-annual")\n'
         'billing.subscriptions.update("sub-basic-0001", change, bill_prorated_period=True)'),
    Task("Bill a subscription to a new card", "",
         'change = change_payment_method("sub-premium-0002", payment_method="pm-card-0002")\n'
         'billing.subscriptions.update("sub-premium-0002", change)',
         SIGN_UP.replace("acct-0009", "acct-0002") + SEND_SIGN_UP),
    Task("Cancel a subscription at the end of the paid period", "",
         'billing.subscriptions.cancel("sub-premium-0002")',
         'billing.subscriptions.cancel("sub-premium-0002", disentitle=True, settle=True)'),
    Task("Cancel a subscription immediately, refund the unused part, and handle a lost response",
         lost("subscriptions.cancel"),
         resolved('billing.subscriptions.cancel("sub-premium-0002", disentitle=True, settle=True)'),
         until_it_works("", 'billing.subscriptions.cancel("sub-premium-0002", disentitle=True, settle=True)')
         + 'bill = billing.subscriptions.retrieve("sub-premium-0002").most_recent_billing\n'
         'billing.refunds.create(bill.id, Refund(amount=Decimal("5.00")))'),
    Task("Grant a credit of 5.00 and handle a lost response", lost("accounts.grant_credit"),
         CREDIT + resolved(SEND_CREDIT), CREDIT + until_it_works("", SEND_CREDIT)),
    Task("Record a cash payment and handle a lost response", lost("payments.create"),
         CASH + resolved(SEND_CASH), until_it_works(CASH.replace('"pay-1"', 'f"pay-{attempt}"'), SEND_CASH)),
    Task("Prevent writes in a notebook that reads customer data", "",
         "look = BillingClient(environment=sandbox.environment, transport=sandbox.transport, read_only=True)\n"
         + ORDER + "look.transactions.create(order)", ORDER + SEND),
)  # fmt: skip
