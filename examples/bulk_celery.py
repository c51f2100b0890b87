"""Charges as Celery tasks: `run.send_once` makes a task that may run twice charge once.

    python examples/bulk_celery.py

needs Celery (`pip install celery`) and no broker: tasks run at once (`task_always_eager`), against the sandbox inside
the package. A queue gives a task again when its worker dies before it says that the task is done. The ledger
remembers under the task's key what came of it: done gives the first result again, rejected its error, and a request
of unknown outcome raises `OutcomeUnknownError` and is not sent.
"""

# Celery has no types that checkers can follow.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false, reportFunctionMemberAccess=false

import sys
import tempfile
from decimal import Decimal
from pathlib import Path

from subscribekit import GatewayClient
from subscribekit.bulk import Run
from subscribekit.errors import OutcomeUnknownError
from subscribekit.models import EntitlementCharge
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import drop_after_commit

try:
    from celery import Celery  # type: ignore[import-untyped,import-not-found,unused-ignore]  # it has no types
except ImportError:
    sys.exit("This example needs Celery: pip install celery")

CHARGE = "/v1/entitlement/{id}/charge"

app = Celery("charges")
app.conf.task_always_eager = True  # with a broker: task_acks_late = True, so that a task of a dead worker runs again


class Worker:
    """The state that one worker process keeps between its tasks."""

    def __init__(self, ledger: Path, gateway: GatewayClient) -> None:
        self.gateway = gateway
        self.run = Run(ledger, gateway)


workers: list[Worker] = []
"""The one of this process; with a broker, made when `worker_process_init` is sent."""


def charge(order: str, partner_subscription: str, amount: str) -> str:
    """Charge one order, however often the queue runs this task."""
    (worker,) = workers
    wanted = EntitlementCharge(transaction_id=order, amount=Decimal(amount), currency="USD")
    request = worker.gateway.prepare.entitlements.charge(partner_subscription, wanted)
    try:
        return f"receipt {worker.run.send_once(order, request).transaction_reference_id}"
    except OutcomeUnknownError:
        return "unknown: it was sent once, and is not sent again before you record its outcome"


task = app.task(charge)


def main() -> None:
    """Run each task twice, as a queue may."""
    sandbox = Sandbox()
    with tempfile.TemporaryDirectory() as folder, sandbox.gateway() as gateway:
        workers.append(Worker(Path(folder, "charges.db"), gateway))
        for order in ("order-1", "order-2"):
            if order == "order-2":
                sandbox.faults.add(CHARGE, drop_after_commit())
            for delivery in (1, 2):
                result = task.delay(order, "psub-entitlement-0001", "4.90").get()
                print(f"{order}, delivery {delivery}: {result}")
        workers.pop().run.close()
        sent = [each for each in sandbox.requests if each.method == "POST"]
        print(f"{len(sent)} requests for 4 deliveries")


if __name__ == "__main__":
    main()
