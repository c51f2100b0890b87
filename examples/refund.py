"""Refund a part of a transaction, and never more than is left.

    python examples/refund.py

runs against the sandbox inside the package. With `SUBSCRIBEKIT_ENVIRONMENT` set it runs against that environment: name
a captured transaction with `--transaction`. Nothing is refunded there unless `--write` is given.
"""

import argparse
import os
from decimal import Decimal
from uuid import uuid4

from subscribekit import BillingClient
from subscribekit.errors import BadRequestError, OutcomeUnknownError
from subscribekit.models import Refund
from subscribekit.models.money import refundable_amount

IN_SANDBOX = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"


def some_transaction(client: BillingClient) -> str:
    """Take a captured transaction of the sandbox's first customer."""
    for transaction in client.transactions.list(account="acct-0001"):
        if transaction.id and transaction.status_log and transaction.status_log[0].status == "Captured":
            return transaction.id
    raise LookupError("the customer has no captured transaction")


def left(client: BillingClient, transaction: str) -> Decimal:
    """Tell what is not refunded yet, from the transaction and all its refunds, exact to the last digit."""
    return refundable_amount(client.transactions.retrieve(transaction), client.refunds.list(transaction))


def refund(client: BillingClient, transaction: str, amount: Decimal, note: str) -> None:
    """Refund once. The id is ours: after an unknown outcome it tells whether the refund was made."""
    body = Refund(id=f"refund-{uuid4().hex[:12]}", amount=amount, note=note)
    try:
        made = client.refunds.create(transaction, body)
    except BadRequestError as error:
        print(f"  {amount:>8}  refused: {error.message}")
    except OutcomeUnknownError:
        known = any(each.id == body.id for each in client.refunds.list(transaction))
        print(f"  {amount:>8}  no response; the list of refunds {'has' if known else 'does not show'} {body.id}")
    else:
        print(f"  {made.amount:>8}  {made.status}, {made.id}")


def main() -> None:
    """Show what is left, refund a part of it, and show it again."""
    parser = argparse.ArgumentParser(description="Refund a part of a transaction.")
    parser.add_argument("--transaction", help="id or vid of a captured transaction")
    parser.add_argument("--amount", type=Decimal, default=Decimal("5.00"))
    parser.add_argument("--write", action="store_true", help="do refund (always done in the sandbox)")
    options = parser.parse_args()
    if not IN_SANDBOX and options.transaction is None:
        parser.error("a real environment needs --transaction")

    with BillingClient(environment="sandbox" if IN_SANDBOX else None) as client:
        name = options.transaction or some_transaction(client)
        transaction = client.transactions.retrieve(name)
        print(f"Transaction {transaction.id}: {transaction.amount} {transaction.currency}")
        print(f"Not refunded yet: {left(client, name)}\n")
        if not (IN_SANDBOX or options.write):
            print("Give --write to refund.")
            return
        refund(client, name, options.amount, "part of the service was down")
        rest = left(client, name)
        print(f"\nNot refunded yet: {rest}")
        if IN_SANDBOX:
            print("One cent more than that is refused, and nothing happens:\n")
            refund(client, name, rest + Decimal("0.01"), "too much")


if __name__ == "__main__":
    main()
