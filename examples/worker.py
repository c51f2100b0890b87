"""Charge entitlements in a pool of worker processes, which return their errors to the main process.

    python examples/worker.py

By default, the example uses the sandbox inside the package. To use a real environment, set `SUBSCRIBEKIT_ENVIRONMENT`,
and pass the partner subscriptions and the product. There, the example charges only if you pass `--write`.

You can use the same pattern with Celery, RQ, or any other queue:

- Send IDs and amounts to the workers as text.
- Create the clients in the worker process, once, when it starts. A client can't be pickled, because it holds
  credentials and connections.
- Let the workers raise the SDK's errors. Every error can be pickled with all its attributes.
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
    """One charge, as a queue would store it. The merchant has stored its transaction ID with the order."""

    partner_subscription: str
    product: str
    amount: str
    transaction_id: str


def connect() -> GatewayClient:
    """Create a client. Each process needs its own."""
    return GatewayClient(environment="sandbox" if IN_SANDBOX else None, deadline=20)


class Worker:
    """The state of a worker process, which it keeps between its jobs."""

    gateway: GatewayClient | None = None

    @classmethod
    def start(cls) -> None:
        """Create the client of this process. With Celery, connect this function to `worker_process_init`."""
        cls.gateway = connect()


def charge(job: Job) -> str:
    """Make one charge in a worker process."""
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
    """Describe the outcome of a job. The worker's error arrives with all its attributes, so `resolve` works here."""
    try:
        return f"charged, receipt {done.result()}"
    except OutcomeUnknownError as error:
        verdict = gateway.resolve(error)  # sends only reads; no read shows a charge, so ask the operator
        question = f"Ask the operator: {verdict.support_details}"
        return f"outcome unknown, verdict {verdict.state}: do not queue it again. {question}"
    except SubscribekitError as error:
        return f"{type(error).__name__}, outcome {error.outcome}, {error.attempts} attempt(s): nothing was charged"


def read_jobs() -> list[Job]:
    """Read the jobs from the command line. In the sandbox, the last of three jobs names a missing subscription."""
    parser = argparse.ArgumentParser(description="Charge entitlements in worker processes.")
    seeded = ["psub-entitlement-0001", "psub-entitlement-0002", "psub-missing"]
    names = "*" if IN_SANDBOX else "+"
    parser.add_argument(
        "partner_subscriptions",
        nargs=names,
        default=seeded,
        metavar="PARTNER_SUBSCRIPTION",
        help="ID of a partner subscription to charge.",
    )
    parser.add_argument(
        "--product",
        default="prod-addon" if IN_SANDBOX else None,
        required=not IN_SANDBOX,
        help="Code of the product.",
    )
    parser.add_argument("--amount", default="4.90", help="Amount of each charge, in US dollars.")
    parser.add_argument(
        "--write", action="store_true", help="Send the charges. In the sandbox, the example always sends them."
    )
    options = parser.parse_args()
    jobs = [Job(each, options.product, options.amount, new_transaction_id()) for each in options.partner_subscriptions]
    if IN_SANDBOX or options.write:
        return jobs
    for job in jobs:
        print(f"Would charge {job.partner_subscription}: {job.amount} USD for {job.product}")
    print("Pass --write to send the charges.")
    return []


def main() -> None:
    """Submit the charges to the workers, and print the outcome of each one."""
    jobs = read_jobs()
    fresh = multiprocessing.get_context("spawn")  # doesn't copy the state of this process into the workers
    with connect() as gateway, ProcessPoolExecutor(2, mp_context=fresh, initializer=Worker.start) as pool:
        waiting = {pool.submit(charge, job): job for job in jobs}
        for done in as_completed(waiting):
            print(f"{waiting[done].partner_subscription:<24} {report(done, gateway)}")


if __name__ == "__main__":
    main()
