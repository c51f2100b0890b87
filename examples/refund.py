"""Refund a part of a transaction, and never more than the remaining amount.

    python examples/refund.py

By default, the example uses the sandbox inside the package. To use a real environment, set `SUBSCRIBEKIT_ENVIRONMENT`,
and pass a captured transaction with `--transaction`. There, the example sends only reads, and refunds only if you pass
`--write`.
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


def captured_transaction(client: BillingClient) -> str:
    """Return the ID of a captured transaction of the sandbox's first customer."""
    for transaction in client.transactions.list(account="acct-0001"):
        if transaction.id and transaction.status_log and transaction.status_log[0].status == "Captured":
            return transaction.id
    raise LookupError("the customer has no captured transaction")


def refundable(client: BillingClient, transaction: str) -> Decimal:
    """Return the exact amount that isn't refunded yet, from the transaction and all its refunds."""
    return refundable_amount(client.transactions.retrieve(transaction), client.refunds.list(transaction))


def refund(client: BillingClient, transaction: str, amount: Decimal, note: str) -> None:
    """Refund once. The merchant chooses the ID, which shows after an unknown outcome whether the refund was made."""
    body = Refund(id=f"refund-{uuid4().hex[:12]}", amount=amount, note=note)
    try:
        created = client.refunds.create(transaction, body)
    except BadRequestError as error:
        print(f"  {amount:>8}  rejected: {error.message}")
    except OutcomeUnknownError:
        is_listed = any(each.id == body.id for each in client.refunds.list(transaction))
        contains = "contains" if is_listed else "doesn't contain"
        print(f"  {amount:>8}  outcome unknown; the list of refunds {contains} {body.id}")
    else:
        print(f"  {created.amount:>8}  {created.status}, {created.id}")


def main() -> None:
    """Print the remaining amount, refund a part of it, and print it again."""
    parser = argparse.ArgumentParser(description="Refund a part of a transaction.")
    parser.add_argument("--transaction", help="ID or vid of a captured transaction. Required in a real environment.")
    parser.add_argument(
        "--amount", type=Decimal, default=Decimal("5.00"), help="Amount to refund, in units of the currency."
    )
    parser.add_argument(
        "--write", action="store_true", help="Create the refund. In the sandbox, the example always creates it."
    )
    options = parser.parse_args()
    if not IN_SANDBOX and options.transaction is None:
        parser.error("--transaction is required in a real environment")

    with BillingClient(environment="sandbox" if IN_SANDBOX else None) as client:
        name = options.transaction or captured_transaction(client)
        transaction = client.transactions.retrieve(name)
        print(f"Transaction {transaction.id}: {transaction.amount} {transaction.currency}")
        print(f"Not refunded yet: {refundable(client, name)}\n")
        if not (IN_SANDBOX or options.write):
            print("Pass --write to create the refund.")
            return
        refund(client, name, options.amount, "part of the service was down")
        rest = refundable(client, name)
        print(f"\nNot refunded yet: {rest}")
        if IN_SANDBOX:
            print("The service rejects a refund that is one cent larger than this amount:\n")
            refund(client, name, rest + Decimal("0.01"), "too much")


if __name__ == "__main__":
    main()
