"""Change the price of all subscriptions in a bulk run that survives a crash: preview, send, resume, resolve, report.

    python examples/price_change.py

The example needs no setup. It serves the sandbox on this machine, and changes the billing plan of every subscription in
a separate process, which it kills with `kill -9` during the run. The ledger records which items were sent. A second run
sends the remaining items, and `resolve` finds out whether the requests that were in flight were carried out. The
operator confirms the outcome of items that no read can resolve. At the end, the requests that the sandbox received show
that no subscription was changed twice.
"""

import multiprocessing
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from subscribekit import BillingClient, PreparedRequest
from subscribekit.bulk import Counts, RateLimit, Run, StopPolicy
from subscribekit.models import Account, BillingPlan, CreditCard, PaymentMethod, Product, Subscription, SubscriptionItem
from subscribekit.models.subscription_changes import change_plan
from subscribekit.sandbox.faults import drop_before_commit, read_timeout
from subscribekit.sandbox.server import SandboxServer

NEW_PLAN = "plan-annual"
UPDATE = "POST /subscriptions/{subscription}"


def connect(address: str) -> BillingClient:
    """Create a client for the served sandbox, whose credentials aren't secret."""
    return BillingClient(
        base_url=address, api_user="sandbox-merchant", api_key="sandbox-key", allow_insecure_loopback=True
    )


def jobs(billing: BillingClient) -> Iterator[tuple[str, PreparedRequest[Subscription]]]:
    """Prepare the change of each subscription. Its ID is the key, so the ledger ignores a subscription added twice."""
    for subscription in billing.subscriptions.list():
        if subscription.id is not None:
            change = change_plan(subscription.id, NEW_PLAN)
            yield (
                subscription.id,
                billing.prepare.subscriptions.update(subscription.id, change, effective_date="nextBill"),
            )


def work(address: str, ledger: Path) -> None:
    """Send the remaining items in another process, slowly enough that the process can be killed during the run."""
    with connect(address) as billing, Run(ledger, billing, rate_limit=RateLimit(20), concurrency=4, lease=1.0) as run:
        for _ in run.send():
            pass


def send_and_kill(address: str, ledger: Path, run: Run) -> None:
    """Send items in another process, and kill the process after some of them are done."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=(address, ledger))
    process.start()
    done_before = run.counts().done
    while run.counts().done < done_before + 5 and process.is_alive():
        time.sleep(0.01)
    process.kill()
    process.join()


def show(title: str, counts: Counts) -> None:
    """Print the number of items in each state."""
    states = ("ready", "sent", "done", "rejected", "unknown")
    print(f"{title:<34}" + "".join(f"{name} {getattr(counts, name):<4}" for name in states))


def sign_up(billing: BillingClient, number: int) -> None:
    """Add customers with the old billing plan to the sandbox."""
    card = CreditCard(account="4111111111111111", expiration_date="203112")
    for each in range(1, number + 1):
        billing.subscriptions.create(
            Subscription(
                id=f"sub-{each:03}",
                account=Account(id=f"customer-{each:03}", default_currency="USD"),
                billing_plan=BillingPlan(id="plan-monthly"),
                payment_method=PaymentMethod(
                    id=f"card-{each:03}", type="CreditCard", credit_card=card, account_holder="Ada Example"
                ),
                items=[SubscriptionItem(id=f"item-{each:03}", product=Product(id="prod-basic"))],
                currency="USD",
            )
        )


def change_prices(server: SandboxServer, billing: BillingClient, ledger: Path) -> None:
    """Preview and send the first items, survive a kill, send the rest, resolve unknown outcomes, and write a report."""
    address = server.addresses["billing"]
    with Run(ledger, billing, concurrency=4, lease=1.0, stop=StopPolicy(max_items=2)) as canary:
        canary.add(jobs(billing))
        show("Items added, nothing sent", canary.counts())
        for request in canary.preview(2):
            print(f"    {request.method} {request.url.removeprefix(address)}  {(request.body or b'').decode()}")
        for item in canary.send():
            print(f"    {item.key}: {item.state}")
        show(f"Canary: {canary.stopped}", canary.counts())

    with Run(ledger, billing, concurrency=4, lease=1.0) as run:
        server.sandbox.faults.add(UPDATE, read_timeout(committed=True))  # carried out, but without a response
        send_and_kill(address, ledger, run)
        show("Process killed while sending", run.counts())
        server.sandbox.faults.add(UPDATE, drop_before_commit())  # the request never arrives
        finished = sum(1 for _ in run.send())
        show(f"Resumed: {finished} more items finished", run.counts())
        for item in run.items("unknown"):
            print(f"    {item.key}: {item.error}"[:100] + "...")
        resolved = run.resolve(not_applied_after=1.0)  # the default is 30; the sandbox responds at once or never
        show("Resolved with reads only", run.counts())
        print(f"    {resolved}")
        for item in run.items("unknown"):
            print(f"    {item.key}: {item.note}"[:110] + "...")
            item.record_outcome("not_applied", note="ticket 88: the operator confirmed that the change was not made")
        for item in run.send():
            print(
                f"    {item.key}: sent again, because the operator confirmed that the change was not made; {item.state}"
            )
        for item in run.items("rejected"):
            print(f"    {item.key}: {item.error}"[:100] + "...")
        show("Final state", run.counts())
        print(f"The report contains {run.report(ledger.with_suffix('.csv'))} items. The first two lines are:")
        print("    " + "\n    ".join(ledger.with_suffix(".csv").read_text().splitlines()[:2]))
        print(f"Erased the requests and results of {run.purge_data()} items. Keys and outcomes stay in the ledger.")


def main() -> None:
    """Change all prices, and count the changes that the platform made."""
    with tempfile.TemporaryDirectory() as folder, SandboxServer(plain=True) as server:
        sign_up(server.sandbox.billing(), 40)
        with connect(server.addresses["billing"]) as billing:
            change_prices(server, billing, Path(folder, "price-change.db"))
        changed = Counter(
            each.path
            for each in server.sandbox.requests
            if each.method == "POST" and each.status == 200 and each.path.startswith("/subscriptions/")
        )
        print(f"The platform made {changed.total()} changes to {len(changed)} subscriptions.")


if __name__ == "__main__":
    main()
