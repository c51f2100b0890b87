"""A worker pool that charges in other processes: arguments and errors cross process borders, clients do not.

    python examples/worker.py

runs against the sandbox inside the package. With `SUBSCRIBEKIT_ENVIRONMENT` set, name the partner subscriptions and the
product; nothing is charged there unless `--write` is given.

The same holds for Celery, RQ or any queue: send identifiers and amounts as text, make the clients in the worker process
(once, when it starts), let errors travel back as they are. Every error of the SDK can be pickled with all its
attributes; a client refuses to be pickled, because it holds credentials and connections.
"""

import argparse
import multiprocessing
import os
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from decimal import Decimal

from subscribekit import GatewayClient, new_transaction_id
from subscribekit.errors import OutcomeUnknownError, SubscribekitError
from subscribekit.models import EntitlementCharge

IN_SANDBOX = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"


@dataclass(frozen=True)
class Job:
    """One charge, as it would lie in a queue; its transaction id was stored with the order."""

    partner_subscription: str
    product: str
    amount: str
    transaction_id: str


def connect() -> GatewayClient:
    """Make a client, once in each process."""
    return GatewayClient(environment="sandbox" if IN_SANDBOX else None, deadline=20)


class Worker:
    """The state that one worker process keeps between its jobs."""

    gateway: GatewayClient | None = None

    @classmethod
    def start(cls) -> None:
        """Make the process's own client; with Celery, connect this to `worker_process_init`."""
        cls.gateway = connect()


def charge(job: Job) -> str:
    """Make one charge, in a worker process."""
    if Worker.gateway is None:
        raise RuntimeError("Worker.start() has not run in this process")
    order = EntitlementCharge(
        transaction_id=job.transaction_id,
        product_code=job.product,
        amount=Decimal(job.amount),
        currency="USD",
    )
    receipt = Worker.gateway.entitlements.charge(job.partner_subscription, order)
    return receipt.transaction_reference_id or ""


def report(done: "Future[str]", gateway: GatewayClient) -> str:
    """Say what became of a job; the error is the worker's own, with its attributes, and is resolved here."""
    try:
        return f"charged, receipt {done.result()}"
    except OutcomeUnknownError as error:
        verdict = gateway.resolve(error)  # reads at most; for a charge there is none, so it is the operator's to say
        return f"UNKNOWN, {verdict.state}: do not queue it again. Ask the operator: {verdict.support_details}"
    except SubscribekitError as error:
        return f"{type(error).__name__}, outcome {error.outcome}, {error.attempts} attempt(s): nothing was charged"


def read_jobs() -> list[Job]:
    """Read what to charge; in the sandbox three jobs, one of them for a subscription that does not exist."""
    parser = argparse.ArgumentParser(description="Charge entitlements in worker processes.")
    seeded = ["psub-entitlement-0001", "psub-entitlement-0002", "psub-missing"]
    names = "*" if IN_SANDBOX else "+"
    parser.add_argument("partner_subscriptions", nargs=names, default=seeded, metavar="PARTNER_SUBSCRIPTION")
    parser.add_argument("--product", default="prod-addon" if IN_SANDBOX else None, required=not IN_SANDBOX)
    parser.add_argument("--amount", default="4.90")
    parser.add_argument("--write", action="store_true", help="really charge (always done in the sandbox)")
    options = parser.parse_args()
    jobs = [Job(each, options.product, options.amount, new_transaction_id()) for each in options.partner_subscriptions]
    if IN_SANDBOX or options.write:
        return jobs
    for job in jobs:
        print(f"Would charge {job.partner_subscription}: {job.amount} USD for {job.product}")
    print("Give --write to charge.")
    return []


def main() -> None:
    """Queue the charges and wait for what became of them."""
    jobs = read_jobs()
    fresh = multiprocessing.get_context("spawn")  # no state of this process is copied into the workers
    with connect() as gateway, ProcessPoolExecutor(2, mp_context=fresh, initializer=Worker.start) as pool:
        waiting = {pool.submit(charge, job): job for job in jobs}
        for done in as_completed(waiting):
            print(f"{waiting[done].partner_subscription:<24} {report(done, gateway)}")


if __name__ == "__main__":
    main()
