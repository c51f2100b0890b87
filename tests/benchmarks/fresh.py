"""Measurements in a new process: the time of an import, the time until the first response, and the peak memory."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from typing import Any

from benchmarks.loopback import Loopback
from benchmarks.measure import Contender, Measure, Sample

_TIMED = """
import json, time
cpu, wall = time.process_time(), time.perf_counter()
{code}
print(json.dumps([time.process_time() - cpu, time.perf_counter() - wall]))
"""

# On Linux, `ru_maxrss` starts with the memory of the parent process, so read the peak from /proc if possible.
_PEAK = """
{code}
import json, pathlib, re, resource, sys
status = pathlib.Path("/proc/self/status")
if status.exists():
    peak = int(re.search(r"VmHWM:\\s+(\\d+)", status.read_text())[1])
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(json.dumps(peak))
"""

_SDK_CLIENT = """
from subscribekit import BillingClient
client = BillingClient(base_url="{url}", api_user="u", api_key="k", allow_insecure_loopback=True)
"""

# If click is installed, httpx imports its command line, with rich and other packages, which a handwritten call doesn't
# need.
_PLAIN_HTTPX = """
import sys
sys.modules["click"] = None
import httpx
"""

FIRST_REPLY: Mapping[str, str] = {
    "raw socket": """
import json, socket
sock = socket.create_connection(("127.0.0.1", {port}))
sock.sendall(b"GET /accounts/small HTTP/1.1\\r\\nHost: h\\r\\n\\r\\n")
json.loads(sock.recv(65536).partition(b"\\r\\n\\r\\n")[2])
""",
    "httpx by hand": _PLAIN_HTTPX
    + """
import json
client = httpx.Client(base_url="{url}", auth=("u", "k"))
json.loads(client.get("/accounts/small").content)
""",
    "httpx + pydantic by hand": _PLAIN_HTTPX
    + """
from benchmarks.hand_models import Account
client = httpx.Client(base_url="{url}", auth=("u", "k"))
Account.model_validate_json(client.get("/accounts/small").content)
""",
    "subscribekit": _SDK_CLIENT
    + """
from subscribekit.models import Account
client.request("GET", "/accounts/small", result=Account)
""",
    "subscribekit, direct()": """
from subscribekit import BillingClient
from subscribekit.transports import direct
client = BillingClient(
    base_url="{url}", api_user="u", api_key="k", allow_insecure_loopback=True, transport=direct()
)
from subscribekit.models import Account
client.request("GET", "/accounts/small", result=Account)
""",
    "openai": """
from openai import BaseModel, OpenAI
class Account(BaseModel):
    id: str
OpenAI(api_key="k", base_url="{url}").get("/accounts/small", cast_to=Account)
""",
    "orb": """
from orb import BaseModel, Orb
class Account(BaseModel):
    id: str
Orb(api_key="k", base_url="{url}").get("/accounts/small", cast_to=Account)
""",
    "stripe": """
import stripe
stripe.StripeClient("sk_test_k", base_addresses={{"api": "{url}"}}).v1.customers.retrieve("small")
""",
    "recurly": """
import http.client, recurly
from recurly.base_client import BaseClient
client = recurly.Client("k")
setattr(client, f"_{{BaseClient.__name__}}__conn", http.client.HTTPConnection("127.0.0.1", {port}))
client._make_request("GET", "/lower/accounts/small", None)
""",
    "paddle_billing": """
import types
from paddle_billing import Client, Options
Client("k", options=Options(environment=types.SimpleNamespace(base_url="{url}"))).customers.get("small")
""",
}
"""Code from the start of the process to the first response, by contender or by the import name of a peer."""

MEMORY: Mapping[str, str] = {
    "httpx + pydantic by hand, page by page": """
import httpx
from benchmarks.hand_models import AccountPage
client = httpx.Client(base_url="{url}")
params = {{"limit": "100"}}
while True:
    page = AccountPage.model_validate_json(client.get("/accounts", params=params).content)
    if page.next is None:
        break
    params["starting_after"] = page.data[-1].id
""",
    "subscribekit": _SDK_CLIENT
    + """
for _ in client.accounts.list(limit=100):
    pass
""",
}
"""Code that reads the whole list and keeps no item, by contender."""


def timed(code: str) -> Contender:
    """Measure the time of code in new processes."""

    @contextlib.contextmanager
    def opened() -> Generator[Measure]:
        def measure(units: int) -> Sample:
            found = [_run(_TIMED.format(code=code)) for _ in range(units)]
            return Sample(sum(cpu for cpu, _ in found) / units, sum(wall for _, wall in found) / units)

        yield measure

    return opened


def importing(module: str) -> Contender:
    """Measure the time of an import in new processes."""
    return timed(f"import {module}")


def first_reply(name: str, server: Loopback) -> Contender:
    """Measure the time of the import, the creation of a client, and the first response, in new processes."""
    return timed(FIRST_REPLY[name].format(url=server.url, port=server.port))


def peak_kilobytes(name: str, server: Loopback) -> int:
    """Return the peak memory of a process that reads a server's list."""
    return int(_run(_PEAK.format(code=MEMORY[name].format(url=server.url))))


def _run(code: str) -> Any:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    # The first run isn't measured and compiles the checkout, because installed packages are compiled too.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    if finished.returncode:
        raise RuntimeError(finished.stderr.strip().rpartition("\n")[2])
    return json.loads(finished.stdout)
