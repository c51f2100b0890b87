"""Prevent a second charge if a Celery task runs twice, with `run.send_once`.

    pip install celery
    python examples/bulk_celery.py

The example needs no broker, because the tasks run immediately (`task_always_eager`). It uses the sandbox inside the
package. A queue delivers a task again if its worker dies before the worker confirms the task. The ledger stores the
outcome under the key of the task. If the task runs again, `send_once` sends nothing. It returns the first result,
raises the error of a rejected request, or raises `OutcomeUnknownError` if the outcome is unknown.
"""

# Celery is untyped.
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
    from celery import Celery  # type: ignore[import-untyped,import-not-found,unused-ignore]  # it's untyped
except ImportError:
    sys.exit("This example needs Celery: pip install celery")

CHARGE = "/v1/entitlement/{id}/charge"

app = Celery("charges")
app.conf.task_always_eager = True  # with a broker: task_acks_late = True, which repeats the tasks of a dead worker


class Worker:
    """The state of a worker process, which it keeps between its tasks."""

    def __init__(self, ledger: Path, gateway: GatewayClient) -> None:
        self.gateway = gateway
        self.run = Run(ledger, gateway)


workers: list[Worker] = []
"""The worker of this process. With a broker, create it in a handler of `worker_process_init`."""


def charge(order: str, partner_subscription: str, amount: str) -> str:
    """Charge an order once, even if the queue runs this task several times."""
    (worker,) = workers
    body = EntitlementCharge(transaction_id=order, amount=Decimal(amount), currency="USD")
    request = worker.gateway.prepare.entitlements.charge(partner_subscription, body)
    try:
        return f"receipt {worker.run.send_once(order, request).transaction_reference_id}"
    except OutcomeUnknownError:
        return "outcome unknown; the charge isn't sent again until you record the outcome"


task = app.task(charge)


def main() -> None:
    """Run each task twice, as a queue can."""
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
        print(f"The SDK sent {len(sent)} requests for 4 deliveries.")


if __name__ == "__main__":
    main()
