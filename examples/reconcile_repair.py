"""Find payments that exist only in your table, and send these payments in a bulk run with a canary and an amount limit.

    python examples/reconcile_repair.py

The example needs no setup, because it uses the sandbox inside the package. The job that charges orders didn't run for a
night. The table therefore contains 30 orders that have no payment at the service, and one payment differs. The
comparison finds all of them, and sends only reads. The example sends the missing payments in a bulk run: first a
preview, then a canary of 20 payments, then the rest, with an amount limit for both. A person must check the payments
that differ or exist only at the service. A second comparison finds no differences.
"""

import tempfile
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path

from subscribekit import BillingClient, PreparedRequest
from subscribekit.bulk import Run, StopPolicy
from subscribekit.models import Account, Payment, PaymentMethod
from subscribekit.reconcile import Difference, Reconciliation
from subscribekit.sandbox import Sandbox

Row = dict[str, object]
LIMIT = Decimal("200.00")


def find(billing: BillingClient, file: Path, rows: Iterable[Row]) -> list[Difference[Payment]]:
    """Compare the table with the payments of the service. Sends only reads, and checks each difference twice."""
    with Reconciliation(
        file, billing.payments.list(), key="id", fields={"amount": "amount", "currency": "currency"}
    ) as check:
        check.read()
        check.compare(rows)
        differences = list(check.differences())
        print(check.counts())
        check.report(file.with_suffix(".csv"))
        check.reset()  # so that the next comparison reads the list again
    return differences


def payments(
    billing: BillingClient, differences: Iterable[Difference[Payment]], rows: Iterable[Row]
) -> Iterator[tuple[str, PreparedRequest[Payment]]]:
    """Prepare a payment for each order without one. The ID of the order is the key and the ID of the payment."""
    missing = {difference.key for difference in differences if difference.kind == "local_only"}
    for row in rows:
        if row["id"] in missing:
            payment = Payment(
                id=str(row["id"]),
                account=Account(id="acct-0001"),
                payment_method=PaymentMethod(id="pm-card-0001"),
                amount=Decimal(str(row["amount"])),
                currency=str(row["currency"]),
            )
            yield str(row["id"]), billing.prepare.payments.create(payment)


def repair(billing: BillingClient, ledger: Path, jobs: Iterable[tuple[str, PreparedRequest[Payment]]]) -> None:
    """Preview the payments, send a canary of 20, and then send the rest. The amount limit covers both runs."""
    canary = StopPolicy(max_items=20, max_rejected=1, max_unknown=1, max_amount=LIMIT, currency="USD")
    with Run(ledger, billing, stop=canary) as run:
        run.add(jobs)
        preview = run.preview(2)
        print(*preview.amounts, sep="\n")
        for item in preview:
            print(f"    {item.method} {item.path_template}  {(item.body or b'').decode()}")
        for _ in run.send():
            pass
        print(f"After the canary: {run.counts()}")
    with Run(ledger, billing, stop=StopPolicy(max_rejected=1, max_unknown=1, max_amount=LIMIT, currency="USD")) as run:
        for _ in run.send():
            pass
        print(f"After the rest:   {run.counts()}")


def main() -> None:
    """Compare, send the missing payments, and compare again."""
    sandbox = Sandbox()
    billing = sandbox.billing()
    rows: list[Row] = [{"id": p.id, "amount": p.amount, "currency": p.currency} for p in billing.payments.list()]
    rows[0]["amount"] = Decimal("1.00")
    missing: list[Row] = [{"id": f"order-{number:02}", "amount": "4.90", "currency": "USD"} for number in range(1, 31)]
    rows += missing
    with tempfile.TemporaryDirectory() as folder:
        differences = find(billing, Path(folder, "nightly.db"), rows)
        by_key = {str(row["id"]): row for row in rows}
        for difference in differences:
            if difference.kind != "local_only":
                print(f"A person must check: {difference}")
                by_key[difference.key]["amount"] = difference.remote  # in this case, the table is wrong
        repair(billing, Path(folder, "repair.db"), payments(billing, differences, rows))
        left = find(billing, Path(folder, "nightly.db"), rows)
    print(f"The second comparison found {len(left)} differences.")
    made = [each for each in sandbox.requests if each.method == "POST" and each.status == 200]
    print(f"The platform made {len(made)} payments for 30 orders.")


if __name__ == "__main__":
    main()
