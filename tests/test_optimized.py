"""`python -O` and `python -OO` remove asserts and docstrings, and the SDK works without both."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from samples import IN_GATE

pytestmark = pytest.mark.hazard("H429")

PROGRAM = """
import asyncio, contextlib, io, sys
import subscribekit
from subscribekit import AsyncBillingClient, bulk, export, models, reconcile, testing, transports, webhooks
from subscribekit.sandbox import Sandbox

for module in (subscribekit, bulk, export, models, reconcile, testing, transports, webhooks):
    for name in module.__all__:
        getattr(module, name)

sandbox = Sandbox()
with sandbox.billing() as billing:
    print("call:", billing.accounts.retrieve("acct-0001").id)
    print("export:", export.to_arrow(billing.accounts.list(limit=10)).read_all().num_rows)
    with bulk.Run("run.ledger", billing) as run:
        run.add([("reverse-1", billing.prepare.payments.reverse("pay-cash-0001"))])
        print("bulk:", [(item.key, item.state) for item in run.send()])


async def read() -> None:
    async with AsyncBillingClient(environment="sandbox") as client:
        print("async call:", (await client.accounts.retrieve("acct-0002")).id)


asyncio.run(read())

from subscribekit.cli import main

for command in {commands!r}:
    with contextlib.redirect_stdout(io.StringIO()):
        code = main(command)
    print(" ".join(command), code)
"""

COMMANDS = (
    ("--help",),
    ("call", "--help"),
    ("call", "billing.accounts.retrieve", "--help"),
    ("call", "billing.accounts.retrieve", "acct-0001", "--environment", "sandbox"),
    ("call", "billing.payments.reverse", "pay-cash-0001", "--environment", "sandbox", "--yes"),
    ("export", "billing.accounts", "accounts.csv", "--environment", "sandbox"),
    ("bulk", "resume", "--help"),
    ("doctor", "--environment", "sandbox"),
)


PRINTED = """\
call: acct-0001
export: 25
bulk: [('reverse-1', 'done')]
async call: acct-0002
"""


def run_python(flag: str, arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, flag, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("flag", [pytest.param("-O", marks=IN_GATE), "-OO"])
def test_calls_bulk_runs_exports_and_commands_work(flag: str, tmp_path: Path) -> None:
    program = PROGRAM.replace("{commands!r}", repr([list(each) for each in COMMANDS]))
    done = run_python(flag, ["-c", program], tmp_path)
    expected = PRINTED + "".join(f"{' '.join(each)} 0\n" for each in COMMANDS)
    assert (done.stdout, done.returncode) == (expected, 0), done.stderr
    assert "Traceback" not in done.stderr


LAZY = (
    ("subscribekit", "BillingClient", "subscribekit.billing"),
    ("subscribekit.models", "Account", "subscribekit.models.billing"),
    ("subscribekit.export", "AsyncRecordBatches", "subscribekit.export._batches"),
    ("subscribekit.testing", "Factory", "subscribekit.testing.factories"),
    ("subscribekit.transports", "PooledTransport", "subscribekit._core.http.backends.pooled"),
)

BROKEN = """
import sys

class Broken:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            raise AttributeError("'NoneType' object has no attribute 'partition'")

sys.meta_path.insert(0, Broken())
from {package} import {name}
"""


@pytest.mark.parametrize(("package", "name", "module"), LAZY)
def test_an_attribute_error_in_a_module_is_not_a_missing_name(
    package: str, name: str, module: str, tmp_path: Path
) -> None:
    done = run_python("-I", ["-c", BROKEN.format(package=package, name=name, module=module)], tmp_path)
    last = done.stderr.strip().splitlines()[-1]
    assert last == f"ImportError: {module} can't be imported: 'NoneType' object has no attribute 'partition'"
