"""Named a real environment, every example reaches it, and none changes anything there before it is told to.

The real environment is a sandbox behind TLS on loopback ports, named by variables as a merchant's would be. It counts
what arrives.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from subscribekit.sandbox import RecordedRequest
from subscribekit.sandbox.server import SandboxServer
from test_examples import HEAVY, IS_HEAVY, NEEDS

EXAMPLES = Path(__file__).parent.parent / "examples"
TRUSTING = "import certifi\ncertifi.where = lambda: {authority!r}\n"
"""Runs first in every process of an example, workers too: the server's own authority is trusted."""

CREDENTIALS = ("api_user", "api_key", "gateway_api_key", "session_id", "access_token")
WRITES: dict[str, list[str]] = {
    "quickstart.py": ["--payment", "pay-cash-0001"],
    "quickstart_async.py": ["--payment", "pay-cash-0001"],
    "create_subscription.py": ["--payment-method", "{card}"],
    "modify_subscription.py": ["--subscription", "sub-basic-0001"],
    "refund.py": ["--transaction", "txn-pay-card-0002"],
    "entitlement_charge.py": ["psub-entitlement-0001", "prod-addon", "4.90"],
    "worker.py": ["psub-entitlement-0001", "psub-entitlement-0002", "--product", "prod-addon"],
    "fastapi_service.py": [],
}
"""The examples that write, with the names that they need in an environment of one's own."""

READS = {"export_parquet.py", "nightly_drift.py"}
SANDBOX_ONLY = {
    "bulk_celery.py", "bulk_dask.py", "bulk_processes.py", "fault_drill.py", "price_change.py", "test_checkout.py",
    "webhooks_django.py", "webhooks_fastapi.py", "webhooks_flask.py",
}  # fmt: skip


@dataclass(frozen=True)
class Elsewhere:
    """A service under other addresses and credentials."""

    server: SandboxServer
    folder: Path

    def run(self, script: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run an example against it, as a merchant does."""
        runner = ["-m", "pytest", "-q", "-p", "no:cacheprovider"] if script.startswith("test_") else []
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}
        return subprocess.run(
            [sys.executable, "-W", "error", *runner, str(EXAMPLES / script), *arguments],
            cwd=self.folder,
            env={**kept, "PYTHONPATH": str(self.folder), **self.variables(), **variables},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def variables(self) -> dict[str, str]:
        """Give the variables that name it."""
        sandbox, addresses = self.server.sandbox.environment, self.server.addresses
        named = {"SUBSCRIBEKIT_ENVIRONMENT": "pilot", "SUBSCRIBEKIT_PILOT_BASE_URL": addresses["billing"]}
        for group in ("gateway", "user_mgmt", "storefront"):
            named[f"SUBSCRIBEKIT_PILOT_{group.upper()}_URL"] = addresses[group]
        for name in CREDENTIALS:
            secret = getattr(sandbox, name)
            named[f"SUBSCRIBEKIT_PILOT_{name.upper()}"] = secret if isinstance(secret, str) else secret.reveal()
        return named

    @property
    def arrived(self) -> list[RecordedRequest]:
        """What arrived."""
        return self.server.sandbox.requests

    @property
    def writes(self) -> list[RecordedRequest]:
        """What arrived and was to change something; a dry run changes nothing."""
        return [each for each in self.arrived if each.method != "GET" and ("dryrun", "1") not in each.query]


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Elsewhere]:
    with SandboxServer(name="pilot") as server:
        (tmp_path / "sitecustomize.py").write_text(TRUSTING.format(authority=str(server.authority)))
        yield Elsewhere(server, tmp_path)


def arguments(script: str, elsewhere: Elsewhere) -> list[str]:
    with elsewhere.server.sandbox.billing() as client:
        card = client.payment_methods.retrieve("pm-card-0001").vid or ""
    return [each.format(card=card) for each in WRITES[script]]


def test_every_example_is_known_here() -> None:
    assert WRITES.keys() | READS | SANDBOX_ONLY == {path.name for path in EXAMPLES.glob("*.py")}


@pytest.mark.parametrize("script", WRITES)
def test_nothing_is_changed_without_leave(script: str, elsewhere: Elsewhere) -> None:
    done = elsewhere.run(script, *arguments(script, elsewhere))
    assert done.returncode == 0, done.stderr
    assert elsewhere.writes == []
    assert "--write" in done.stdout or "MERCHANT_MAY_CHARGE" in done.stdout


@pytest.mark.parametrize("script", WRITES)
def test_what_was_allowed_is_done(script: str, elsewhere: Elsewhere) -> None:
    if script == "fastapi_service.py":
        done = elsewhere.run(script, MERCHANT_MAY_CHARGE="yes")
    else:
        done = elsewhere.run(script, *arguments(script, elsewhere), "--write")
    assert done.returncode == 0, done.stderr
    assert elsewhere.writes


@pytest.mark.parametrize("value", ["", "no", "0", "1", "YES "])
def test_only_the_one_word_allows_a_service_to_charge(value: str, elsewhere: Elsewhere) -> None:
    done = elsewhere.run("fastapi_service.py", MERCHANT_MAY_CHARGE=value)
    assert "403" in done.stdout
    assert elsewhere.writes == []


@pytest.mark.parametrize("script", ["quickstart.py", "quickstart_async.py"])
def test_quickstart_reads_and_says_what_it_left_out(script: str, elsewhere: Elsewhere) -> None:
    options = ("--subscription", "sub-basic-0001", "--payment", "pay-cash-0001", "--partner", "psub-billing-0001")
    done = elsewhere.run(script, *options)
    assert done.returncode == 0, done.stderr
    assert "against pilot" in done.stdout
    assert "Active, Good Standing" in done.stdout
    assert "skipped: changes data; give --write to do it" in done.stdout
    assert "skipped: needs --entitlement and --product" in done.stdout


@pytest.mark.parametrize("script", ["quickstart.py", "quickstart_async.py"])
def test_quickstart_writes_what_has_its_ids(script: str, elsewhere: Elsewhere) -> None:
    variable = {"SUBSCRIBEKIT_QUICKSTART_PAYMENT": "pay-cash-0001"}
    done = elsewhere.run(script, "--write", "--partner", "psub-billing-0001", **variable)
    assert done.returncode == 0, done.stderr
    assert {request.path for request in elsewhere.writes} == {
        "/payments/pay-cash-0001/actions/reverse",
        "/partnersub/v2/partnerSubscription/psub-billing-0001/cancel",
    }


def test_an_export_reads_a_real_environment(elsewhere: Elsewhere) -> None:
    pytest.importorskip("pyarrow")
    done = elsewhere.run("export_parquet.py", "out")
    assert (done.returncode, done.stdout) == (0, "out holds 25 accounts in 3 files.\n"), done.stderr
    assert {request.method for request in elsewhere.arrived} == {"GET"}


def test_the_nightly_job_reads_a_real_environment(elsewhere: Elsewhere) -> None:
    done = elsewhere.run("nightly_drift.py")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "Nothing new."), done.stderr
    assert {request.method for request in elsewhere.arrived} == {"GET"}
    assert {request.group for request in elsewhere.arrived} == {"billing", "user_mgmt"}


@pytest.mark.parametrize(
    "script", ["create_subscription.py", "refund.py", "modify_subscription.py", "entitlement_charge.py", "worker.py"]
)
def test_a_real_environment_needs_names(script: str, elsewhere: Elsewhere) -> None:
    done = elsewhere.run(script, "--write")
    assert done.returncode == 2
    assert "usage:" in done.stderr
    assert elsewhere.arrived == []


@pytest.mark.parametrize("script", sorted(SANDBOX_ONLY))
def test_the_others_never_leave_the_process(script: str, elsewhere: Elsewhere) -> None:
    if script in HEAVY and not IS_HEAVY:
        pytest.skip("takes ten seconds: set SUBSCRIBEKIT_HEAVY=1")
    for module in NEEDS.get(script, ()):
        pytest.importorskip(module)
    done = elsewhere.run(script)
    assert done.returncode == 0, done.stdout + done.stderr
    assert elsewhere.arrived == []
