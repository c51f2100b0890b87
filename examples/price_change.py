"""A price change for all subscriptions: prepared, previewed, killed in the middle, run again, resolved and reported.

    python examples/price_change.py

needs no setup: it serves the sandbox of the package on this machine and changes the billing plan of every subscription
in it, in its own process, which is killed with `kill -9` while it works. The ledger knows what was sent. Running
again sends the rest, resolving looks what became of the requests that were under way, and in the end the platform says
that nothing was changed twice. Items that no read can tell are recorded as the operator says.
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
    """Make a client of the served sandbox; its credentials are no secret."""
    return BillingClient(
        base_url=address, api_user="sandbox-merchant", api_key="sandbox-key", allow_insecure_loopback=True
    )


def jobs(billing: BillingClient) -> Iterator[tuple[str, PreparedRequest[Subscription]]]:
    """Prepare the change of each subscription; its id is the key, so adding it twice does no harm."""
    for subscription in billing.subscriptions.list():
        if subscription.id is not None:
            change = change_plan(subscription.id, NEW_PLAN)
            yield (
                subscription.id,
                billing.prepare.subscriptions.update(subscription.id, change, effective_date="nextBill"),
            )


def work(address: str, ledger: Path) -> None:
    """Send what is left, slowly enough to be killed in the middle; the process that does it knows only the ledger."""
    with connect(address) as billing, Run(ledger, billing, rate_limit=RateLimit(20), concurrency=4, lease=1.0) as run:
        for _ in run.send():
            pass


def killed_in_the_middle(address: str, ledger: Path, run: Run) -> None:
    """Start the work in another process, and kill it when some of it is done."""
    process = multiprocessing.get_context("spawn").Process(target=work, args=(address, ledger))
    process.start()
    begun = run.counts().done
    while run.counts().done < begun + 5 and process.is_alive():
        time.sleep(0.01)
    process.kill()
    process.join()


def show(title: str, counts: Counts) -> None:
    """Print the numbers of a ledger in a line."""
    states = ("ready", "sent", "done", "rejected", "unknown")
    print(f"{title:<34}" + "".join(f"{name} {getattr(counts, name):<4}" for name in states))


def sign_up(billing: BillingClient, number: int) -> None:
    """Give the sandbox some more customers, on the old plan."""
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
    """Prepare, look, send; be killed; send the rest, resolve what is unknown, and report."""
    address = server.addresses["billing"]
    with Run(ledger, billing, concurrency=4, lease=1.0, stop=StopPolicy(max_items=2)) as canary:
        canary.add(jobs(billing))
        show("Added, nothing sent", canary.counts())
        for request in canary.preview(2):
            print(f"    {request.method} {request.url.removeprefix(address)}  {(request.body or b'').decode()}")
        for item in canary.send():
            print(f"    {item.key}: {item.state}")
        show(f"A canary; {canary.stopped}", canary.counts())

    with Run(ledger, billing, concurrency=4, lease=1.0) as run:
        server.sandbox.faults.add(UPDATE, read_timeout(committed=True))  # carried out, and no response comes
        killed_in_the_middle(address, ledger, run)
        show("Killed while it sent", run.counts())
        server.sandbox.faults.add(UPDATE, drop_before_commit())  # lost on its way
        endings = Counter(item.state for item in run.send())
        show(f"Run again: {endings.total()} more have ended", run.counts())
        for item in run.items("unknown"):
            print(f"    {item.key}: {item.error}"[:100] + "...")
        resolved = run.resolve(not_applied_after=1.0)  # 30 seconds by default; the sandbox responds at once or never
        show("Resolved, by reads only", run.counts())
        print(f"    {resolved}")
        for item in run.items("unknown"):
            print(f"    {item.key}: {item.note}"[:110] + "...")
            item.record_outcome("not_applied", note="ticket 88: the operator says that it was not made")
        for item in run.send():
            print(f"    {item.key}: sent again as the operator says, {item.state}")
        for item in run.items("rejected"):
            print(f"    {item.key}: {item.error}"[:100] + "...")
        show("In the end", run.counts())
        print(f"The report has {run.report(ledger.with_suffix('.csv'))} lines; its first two:")
        print("    " + "\n    ".join(ledger.with_suffix(".csv").read_text().splitlines()[:2]))
        print(f"{run.purge_data()} requests and results were removed from the ledger; keys and outcomes stay.")


def main() -> None:
    """Change all prices, and ask the platform what really happened."""
    with tempfile.TemporaryDirectory() as folder, SandboxServer(plain=True) as server:
        sign_up(server.sandbox.billing(), 40)
        with connect(server.addresses["billing"]) as billing:
            change_prices(server, billing, Path(folder, "price-change.db"))
        changed = Counter(
            each.path
            for each in server.sandbox.requests
            if each.method == "POST" and each.status == 200 and each.path.startswith("/subscriptions/")
        )
        print(
            f"The platform changed {len(changed)} subscriptions, none of them more often than "
            f"{max(changed.values())} time(s)."
        )


if __name__ == "__main__":
    main()
