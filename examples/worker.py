"""A worker pool that charges in other processes: arguments and errors cross process borders, clients do not.

    python examples/worker.py

The same holds for Celery, RQ or any queue: send identifiers and amounts as text, make the clients in the worker process
(once, when it starts), let errors travel back as they are. Every error of the SDK can be pickled with all its
attributes; a client refuses to be pickled, because it holds credentials and connections.
"""

import multiprocessing
import os
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from subscribekit import GatewayClient, new_transaction_id
from subscribekit.errors import OutcomeUnknownError, SubscribekitError
from subscribekit.models import EntitlementCharge


@dataclass(frozen=True)
class Job:
    """One charge, as it would lie in a queue; its transaction id was stored with the order."""

    partner_subscription: str
    transaction_id: str
    amount: str


class Worker:
    """What one worker process keeps between its jobs."""

    gateway: GatewayClient | None = None

    @classmethod
    def start(cls) -> None:
        """Make the process's own client; with Celery, connect this to `worker_process_init`."""
        environment: Literal["sandbox"] | None = None if os.environ.get("SUBSCRIBEKIT_ENVIRONMENT") else "sandbox"
        cls.gateway = GatewayClient(environment=environment, deadline=20)


def charge(job: Job) -> str:
    """Make one charge, in a worker process."""
    if Worker.gateway is None:
        raise RuntimeError("Worker.start() has not run in this process")
    order = EntitlementCharge(
        transaction_id=job.transaction_id,
        product_code="prod-addon",
        amount=Decimal(job.amount),
        currency="USD",
    )
    receipt = Worker.gateway.entitlements.charge(job.partner_subscription, order)
    return receipt.transaction_reference_id or ""


def report(done: "Future[str]") -> str:
    """Say what became of a job; the error is the worker's own, with its attributes."""
    try:
        return f"charged, receipt {done.result()}"
    except OutcomeUnknownError as error:
        return f"UNKNOWN: look up {error.reconcile_key}, do not queue it again"
    except SubscribekitError as error:
        return f"{type(error).__name__}, outcome {error.outcome}, {error.attempts} attempt(s): nothing was charged"


def main() -> None:
    """Queue three charges, one of them for a subscription that does not exist."""
    subscriptions = ("psub-entitlement-0001", "psub-entitlement-0002", "psub-missing")
    jobs = [Job(each, new_transaction_id(), "4.90") for each in subscriptions]
    fresh = multiprocessing.get_context("spawn")  # no state of this process is copied into the workers
    with ProcessPoolExecutor(2, mp_context=fresh, initializer=Worker.start) as pool:
        waiting = {pool.submit(charge, job): job for job in jobs}
        lines = [f"{waiting[done].partner_subscription:<24} {report(done)}" for done in as_completed(waiting)]
    print("\n".join(sorted(lines)))


if __name__ == "__main__":
    main()
