"""After `preload()`, no call imports a module or builds a model (H325)."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from reliability.kit import hazard

PROGRAM = """
import asyncio, json, sys
import subscribekit
from subscribekit.errors import SubscribekitError

style, url, loads = sys.argv[1], sys.argv[2], sys.argv[3] == "preload"
kind = subscribekit.BillingClient if style == "blocking" else subscribekit.AsyncBillingClient
client = kind(base_url=url, api_user="u", api_key="k", allow_insecure_loopback=True)
gateway = getattr(subscribekit, kind.__name__.replace("Billing", "Gateway"))(
    base_url=url, api_key="k", allow_insecure_loopback=True
)
if loads:
    client.preload()
    gateway.preload()
from decimal import Decimal
from subscribekit.models import Account, EntitlementCharge, Model, Refund

def kinds(kind):
    return {kind, *(each for child in kind.__subclasses__() for each in kinds(child))}

charge = EntitlementCharge(transaction_id="t", amount=Decimal(1), currency="EUR")
body = Refund(id="a1", amount=Decimal("1.50"))
calls = [
    lambda: client.accounts.retrieve("a1"),
    lambda: client.accounts.list().to_list(),
    lambda: client.refunds.create("t1", body),
    lambda: client.accounts.retrieve("missing"),
    lambda: client.with_raw_response.transactions.retrieve("t1"),
    lambda: client.request("GET", "/accounts/a1"),
    lambda: client.refunds.create("t1", body),
    lambda: gateway.entitlements.charge("ps1", charge),
    lambda: client.subscriptions.retrieve("s1"),
]
def before():
    return set(sys.modules), {kind for kind in kinds(Model) if kind.__pydantic_complete__}
async def run():
    seen = []
    for call in calls:
        try:
            found = call()
            seen.append(type(await found if style == "async" else found).__name__)
        except SubscribekitError as error:
            seen.append(type(error).__name__)
            if error.outcome == "unknown":
                verdict = client.resolve(error, wait=False)
                seen.append((await verdict if style == "async" else verdict).state)
    return seen
modules, models = before()
if style == "async":
    seen = asyncio.run(run())
else:
    task = run()
    try:
        task.send(None)
    except StopIteration as end:
        seen = end.value
after = before()
print(json.dumps({
    "modules": sorted(after[0] - modules), "models": sorted(map(str, after[1] - models)), "seen": seen,
}))
"""
ACCOUNT = {
    "object": "Account",
    "id": "a1",
    "payment_methods": {"object": "List", "data": [{"object": "PaymentMethod"}]},
}
REFUND = {"object": "Refund", "id": "a1", "transaction": {"object": "Transaction", "account": {"object": "Account"}}}
SUBSCRIPTION = {"object": "Subscription", "id": "s1", "items": [{"product": {"object": "Product"}}]}


def run(srv: FaultServer, style: str, *, loads: bool) -> dict[str, list[str]]:
    srv.script(
        f.ok(ACCOUNT),
        f.page([ACCOUNT]),
        f.ok(REFUND),
        f.status(404),
        f.ok({"object": "Transaction", "id": "t1"}),
        f.ok(ACCOUNT),
        f.html(502),
        f.page([REFUND]),
        f.status(402),
        f.ok(SUBSCRIPTION),
    )
    command = [sys.executable, "-c", PROGRAM, style, srv.url, "preload" if loads else ""]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


@hazard("H325")
@pytest.mark.parametrize("style", ["blocking", "async"])
def test_no_call_loads_anything_after_preload(style: str, srv: FaultServer) -> None:
    found = run(srv, style, loads=True)
    assert found["modules"] == found["models"] == []
    assert found["seen"][:2] == ["Account", "list"]
    assert "NotFoundError" in found["seen"]
    assert "ServerError" in found["seen"] or "OutcomeUnknownError" in found["seen"]


def test_without_preload_calls_import_modules_and_build_models(srv: FaultServer) -> None:
    found = run(srv, "blocking", loads=False)
    assert len(found["modules"]) > 20
    assert len(found["models"]) > 5


def test_the_preload_command_works_without_the_cli_extra() -> None:
    program = "import sys; sys.modules['typer'] = sys.modules['rich'] = None; sys.argv = ['subscribekit', 'preload']\n"
    program += "import runpy; runpy.run_module('subscribekit', run_name='__main__')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
