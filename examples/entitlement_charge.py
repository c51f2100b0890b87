"""Save the transaction ID, send an entitlement charge, and handle a lost response without charging twice.

    python examples/entitlement_charge.py

The example stores the order's transaction ID before it sends the charge, and the order's state afterwards. If the
outcome is unknown, the order stays "unknown", with the text for the operator. No call reads a charge, so
`gateway.resolve(error)` returns `undecided`. Do not send it again, even with another transaction ID, until the operator
confirms that it was not made. In the sandbox, the second of three responses is lost after the charge was made, and the
third connection is refused.

To use a real environment, set `SUBSCRIBEKIT_ENVIRONMENT`, and pass the partner subscription, the product, and the
amount. There, the example charges only if you pass `--write`.
"""

import argparse
import json
import os
import tempfile
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

from subscribekit import GatewayClient, new_transaction_id
from subscribekit.errors import OutcomeUnknownError, SubscribekitError
from subscribekit.models import EntitlementCharge
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import connection_refused, drop_after_commit

CHARGE_PATH = "/v1/entitlement/{id}/charge"


@dataclass
class Order:
    """An order as the merchant stores it."""

    transaction_id: str
    amount: str
    state: Literal["new", "charged", "not charged", "unknown"] = "new"
    receipt: str | None = None
    support_details: str | None = None


class Ledger:
    """The merchant's own record: one line of JSON for each change, written before the next step."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def store(self, order: Order) -> None:
        """Write an order to the file."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(order)) + "\n")

    def orders(self) -> list[Order]:
        """Return the latest state of each order."""
        lines = self._path.read_text(encoding="utf-8").splitlines()
        return list({order.transaction_id: order for order in (Order(**json.loads(line)) for line in lines)}.values())


def charge(gateway: GatewayClient, ledger: Ledger, order: Order, partner_subscription: str, product: str) -> None:
    """Charge one order, and store the outcome."""
    ledger.store(order)  # before the request is sent, so that a crash can't lose the transaction ID
    body = EntitlementCharge(
        transaction_id=order.transaction_id, product_code=product, amount=Decimal(order.amount), currency="USD"
    )
    try:
        receipt = gateway.entitlements.charge(partner_subscription, body)
    except OutcomeUnknownError as error:
        order.state, order.support_details = "unknown", gateway.resolve(error).support_details
    except SubscribekitError as error:
        order.state = "not charged"  # not_sent or rejected, so you can charge it again with the same ID
        print(f"{order.transaction_id}  {type(error).__name__}, outcome {error.outcome}, {error.attempts} attempts")
    else:
        order.state, order.receipt = "charged", receipt.transaction_reference_id
    ledger.store(order)


def reconcile(sandbox: Sandbox, ledger: Ledger) -> None:
    """Store what the operator confirms about each unknown charge. Here, the sandbox takes the part of the operator."""
    charged = {str(each.fields["transactionId"]): each.transaction_reference_id for each in sandbox.entitlement_charges}
    for order in ledger.orders():
        if order.state == "unknown":
            print(f"\nQuestion for the operator: was this charge made? {order.support_details}")
            order.receipt = charged.get(order.transaction_id)
            order.state = "charged" if order.receipt else "not charged"
            ledger.store(order)
            receipt = f", receipt {order.receipt}" if order.receipt else ""
            print(f"{order.transaction_id}  confirmed by the operator: {order.state}{receipt}")


def show(ledger: Ledger) -> None:
    """Print the orders of the ledger."""
    for order in ledger.orders():
        print(f"{order.transaction_id}  {order.amount:>6} USD  {order.state:<12} {order.receipt or ''}")
    print()


def in_the_sandbox(ledger: Ledger) -> None:
    """Charge three orders with simulated faults, and then reconcile."""
    sandbox = Sandbox()
    with sandbox.gateway() as gateway:
        for number, amount in enumerate(("4.90", "12.00", "7.50")):
            if number == 1:
                sandbox.faults.add(CHARGE_PATH, drop_after_commit())
            if number == 2:
                sandbox.faults.add(CHARGE_PATH, connection_refused(), times=3)
            charge(gateway, ledger, Order(new_transaction_id(), amount), "psub-entitlement-0001", "prod-addon")
    print("\nAfter charging:")
    show(ledger)
    reconcile(sandbox, ledger)
    print("\nAfter reconciling:")
    show(ledger)
    charged = {str(each.fields["transactionId"]) for each in sandbox.entitlement_charges}
    print(f"The platform made {len(sandbox.entitlement_charges)} charges for {len(charged)} orders.")


def for_real(ledger: Ledger) -> None:
    """Charge one order in a real environment, or print the request."""
    parser = argparse.ArgumentParser(description="Charge an entitlement once.")
    parser.add_argument("partner_subscription", help="ID of the partner subscription.")
    parser.add_argument("product", help="Code of the product.")
    parser.add_argument("amount", help="Amount in US dollars, such as 4.90.")
    parser.add_argument(
        "--write", action="store_true", help="Send the charge. Without --write, the example only prints the request."
    )
    options = parser.parse_args()
    order = Order(new_transaction_id(), options.amount)
    with GatewayClient() as gateway:
        if options.write:
            charge(gateway, ledger, order, options.partner_subscription, options.product)
            show(ledger)
        else:
            body = EntitlementCharge(
                transaction_id=order.transaction_id,
                product_code=options.product,
                amount=Decimal(options.amount),
                currency="USD",
            )
            request = gateway.prepare.entitlements.charge(options.partner_subscription, body)
            print(f"Would send: {request}\n{(request.body or b'').decode()}\nPass --write to send the charge.")


def main() -> None:
    """Charge in the environment that is set. The ledger of the sandbox is temporary."""
    if os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") != "sandbox":
        for_real(Ledger(Path("charges.jsonl")))
        return
    with tempfile.TemporaryDirectory() as folder:
        in_the_sandbox(Ledger(Path(folder) / "charges.jsonl"))


if __name__ == "__main__":
    main()
