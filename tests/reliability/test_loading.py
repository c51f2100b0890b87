"""The SDK imports the modules for a response before it sends a write (H251).

If no file descriptor is free for an import, the SDK raises its own errors.
"""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from reliability.kit import hazard

_BEGIN = """
import asyncio, json, os, resource, sys, threading
import subscribekit
from decimal import Decimal
from subscribekit.errors import SubscribekitError
from subscribekit.models import EntitlementCharge, Refund

arguments = json.loads(sys.argv[1])
group, style = arguments["group"], arguments["style"]
credentials = {"billing": {"api_user": "u", "api_key": "k"}, "gateway": {"api_key": "k"}}[group]
options = dict(base_url=arguments["url"], allow_insecure_loopback=True, deadline=20.0, **credentials)
prefix = "Async" if style == "async" else ""
client = getattr(subscribekit, prefix + {"billing": "BillingClient", "gateway": "GatewayClient"}[group])(**options)
body = Refund(id="a1", amount=Decimal("1.50"))
charge = EntitlementCharge(transaction_id="t", product_code="p", amount=Decimal(1), currency="EUR")
# What an application touches before it calls.
family = client.refunds if group == "billing" else client.entitlements
"""

_OPENED = """
opened, armed = [], []
def note(event, args):
    if armed and event == "open":
        opened.append(str(args[0]))
sys.addaudithook(note)

from subscribekit._core.http.progress import Progress
reach = Progress.reach
def reached(self, phase):
    if phase == "headers_started":
        armed.append(True)
    reach(self, phase)
Progress.reach = reached

def call():
    if arguments["kind"] == "read":
        return family.retrieve("a1")
    return family.create("t", body) if group == "billing" else family.charge("ps1", charge)
async def story():
    return await call()
try:
    asyncio.run(story()) if style == "async" else call()
except SubscribekitError:
    pass
armed, done = [], bool(armed)
print(json.dumps({"opened": opened, "sent": done}))
"""

_THREADS = """
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
held, outcomes, ready = [], [], threading.Barrier(16)
try:
    while True:
        held.append(os.dup(0))
except OSError:
    for _ in range(arguments["free"]):
        os.close(held.pop())

def call(number):
    ready.wait()
    try:
        family.create("t", body) if number % 2 else family.retrieve("a1")
        outcomes.append([number % 2, "done"])
    except SubscribekitError as error:
        outcomes.append([number % 2, error.outcome])
    except BaseException as error:
        outcomes.append([number % 2, repr(error)])
threads = [threading.Thread(target=call, args=(number,)) for number in range(16)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for each in held:
    os.close(each)
print(json.dumps(outcomes))
"""


def fresh(program: str, **arguments: object) -> Any:
    """Run a program in a new process without imported modules, and return the JSON that the program prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_BEGIN + program), json.dumps(arguments)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


NESTED: dict[str, object] = {
    "object": "Refund",
    "id": "a1",
    "transaction": {"object": "Transaction", "account": {"object": "Account"}},
}
ENDINGS = {
    "result": f.ok(NESTED),
    "declined": f.status(402),
    "a date in Retry-After": f.rate_limited("Thu, 01 Jan 2026 00:00:00 GMT"),
    "damage": f.html(200),
}


@hazard("H251")
@pytest.mark.parametrize("style", ["blocking", "async"])
@pytest.mark.parametrize(
    ("group", "ending"), [*(("billing", name) for name in ENDINGS), ("gateway", "declined")], ids=str
)
def test_no_file_is_opened_after_a_write_was_sent(group: str, ending: str, style: str, srv: FaultServer) -> None:
    srv.script(ENDINGS[ending])
    assert fresh(_OPENED, group=group, style=style, url=srv.url, kind="write") == {"opened": [], "sent": True}
    assert len(srv.requests) == 1


@hazard("H251")
@pytest.mark.parametrize("style", ["blocking", "async"])
def test_no_file_is_opened_while_the_result_of_a_read_is_built(style: str, srv: FaultServer) -> None:
    srv.script(f.ok(NESTED))
    assert fresh(_OPENED, group="billing", style=style, url=srv.url, kind="read") == {"opened": [], "sent": True}


@hazard("H251")
@pytest.mark.parametrize("passes", [True, False], ids=["done", "refused"])
@pytest.mark.parametrize("free", [0, 2, 5])
def test_threads_without_free_descriptors_get_errors_of_the_sdk(free: int, passes: bool, srv: FaultServer) -> None:
    """Partial imports cause no other errors.

    A write that arrived is never reported as not sent, and a write that was carried out is never reported as unknown.
    """
    if not passes:
        srv.script(*[f.rate_limited("Thu, 01 Jan 2026 00:00:00 GMT", code=503)] * 60)
    outcomes = fresh(_THREADS, group="billing", style="blocking", url=srv.url, free=free)
    writes = [outcome for is_write, outcome in outcomes if is_write]
    reads = [outcome for is_write, outcome in outcomes if not is_write]
    assert set(reads) <= {"done", "not_sent", "rejected"}
    assert set(writes) <= ({"done", "not_sent"} if passes else {"unknown", "not_sent"})
    arrived = [request for request in srv.requests if request.method == "POST" and request.complete]
    assert len(arrived) == len(writes) - writes.count("not_sent")
