"""Payments that only your table has: found, prepared, previewed, charged within a limit, and compared once more.

    python examples/reconcile_repair.py

needs no setup: it runs against the sandbox of the package. The job that charges orders was down for a night: 30 orders
are in the table and have no payment at the service, and one payment differs. The comparison finds all of them by reads.
Missing payments become a bulk run: a preview, a canary of 20, an amount limit, then the rest. A person looks at what
differs or is only at the service. A second comparison says that nothing is missing.
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
    """Compare the table with the payments of the service, by reads only; each difference is looked at twice."""
    with Reconciliation(
        file, billing.payments.list(), key="id", fields={"amount": "amount", "currency": "currency"}
    ) as check:
        check.read()
        check.compare(rows)
        found = list(check.differences())
        print(check.counts())
        check.report(file.with_suffix(".csv"))
        check.reset()  # the next comparison reads the list anew
    return found


def payments(
    billing: BillingClient, found: Iterable[Difference[Payment]], rows: Iterable[Row]
) -> Iterator[tuple[str, PreparedRequest[Payment]]]:
    """Prepare a payment for each order that the service does not have; its id is the key and the payment's id."""
    missing = {difference.key for difference in found if difference.kind == "local_only"}
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
    """Look first, send 20, look again, send the rest; never more money than the limit, over both runs."""
    canary = StopPolicy(max_items=20, max_rejected=1, max_unknown=1, max_amount=LIMIT, currency="USD")
    with Run(ledger, billing, stop=canary) as run:
        run.add(jobs)
        preview = run.preview(2)
        print(*preview.amounts, sep="\n")
        for item in preview:
            print(f"    {item.method} {item.path_template}  {(item.body or b'').decode()}")
        for _ in run.send():
            pass
        print(f"The canary: {run.counts()}")
    with Run(ledger, billing, stop=StopPolicy(max_rejected=1, max_unknown=1, max_amount=LIMIT, currency="USD")) as run:
        for _ in run.send():
            pass
        print(f"The rest:   {run.counts()}")


def main() -> None:
    """Find, repair, and look once more."""
    sandbox = Sandbox()
    billing = sandbox.billing()
    rows: list[Row] = [{"id": p.id, "amount": p.amount, "currency": p.currency} for p in billing.payments.list()]
    rows[0]["amount"] = Decimal("1.00")
    lost: list[Row] = [{"id": f"order-{number:02}", "amount": "4.90", "currency": "USD"} for number in range(1, 31)]
    rows += lost
    with tempfile.TemporaryDirectory() as folder:
        found = find(billing, Path(folder, "nightly.db"), rows)
        by_key = {str(row["id"]): row for row in rows}
        for difference in found:
            if difference.kind != "local_only":
                print(f"For a person: {difference}")
                by_key[difference.key]["amount"] = difference.remote  # here: the table was wrong
        repair(billing, Path(folder, "repair.db"), payments(billing, found, rows))
        left = find(billing, Path(folder, "nightly.db"), rows)
    print(f"{len(left)} differences are left.")
    made = [each for each in sandbox.requests if each.method == "POST" and each.status == 200]
    print(f"The platform made {len(made)} payments for 30 orders.")


if __name__ == "__main__":
    main()
