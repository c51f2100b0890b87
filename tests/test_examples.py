"""Every example runs as it is: from its own folder or another, against the sandbox, without a warning."""

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from subscribekit._core.config.environments import SANDBOX

from subscribekit._core.client import base as client
from subscribekit._core.config.secret import Secret
from subscribekit._core.http import intercepted_async
from subscribekit._core.http.httpx_transport import AsyncHttpxTransport, HttpxTransport
from subscribekit.sandbox import Sandbox

EXAMPLES = Path(__file__).parent.parent / "examples"
SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NEEDS = {"fastapi_service.py": ("fastapi",), "billing_states.ipynb": ("matplotlib",)}
"""What an example needs beyond the package; it is skipped where that is not installed."""

PRINTS = {
    "quickstart.py": (
        "billing.accounts.list(limit=3)",
        "25 accounts, the first: acct-0001, acct-0002, acct-0003",
        r"200  request req-\d{8}  trace [0-9a-f]{32}",
        "gateway.subscriptions.retrieve('sub-basic-0001')",
        "4.90 USD, receipt ptx-",
        "19.99 USD, status Failure",
        "BILLING, now CANCELLED",
        "Checked by the quickstart",
        "items where age ge 5 and active eq false",
        "pm-cash-0001: MerchantAcceptedPayment, primary True, active True",
    ),
    "quickstart_async.py": (
        "25 accounts, the first: acct-0001, acct-0002, acct-0003",
        "21 units",
        "4.90 USD, receipt ptx-",
        "19.99 USD, status Failure",
        "BILLING, now CANCELLED",
        "primary True, active True",
    ),
    "entitlement_charge.py": (
        "ConnectionFailedError, outcome not_sent, 3 attempts",
        r"12\.00 USD  unknown",
        "the operator says: charged, receipt ptx-0000000002",
        "2 charges reached the platform, none of them twice",
    ),
    "fastapi_service.py": (r'200  \{"id":"sub-basic-0001"', '404  {"outcome":"rejected"', '201  {"receipt":"ptx-'),
    "worker.py": (
        "psub-entitlement-0001 +charged, receipt ptx-",
        r"psub-missing +NotFoundError, outcome rejected, 1 attempt\(s\)",
    ),
}
"""What the examples print, as patterns."""


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}
    return {**kept, "PYTHONWARNINGS": "error"}


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_runs_without_setup(script: Path, tmp_path: Path) -> None:
    for module in NEEDS.get(script.name, ()):
        pytest.importorskip(module)
    done = subprocess.run(
        [sys.executable, *(["-m", "pytest", "-q", "-p", "no:cacheprovider"] if is_test(script) else []), str(script)],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout.strip()
    for pattern in PRINTS.get(script.name, ()):
        assert re.search(pattern, done.stdout) or pattern in done.stdout, (pattern, done.stdout)


def is_test(script: Path) -> bool:
    return script.name.startswith("test_")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_speaks_to_the_reader(script: Path) -> None:
    docstring = script.read_text(encoding="utf-8").split('"""')[1]
    assert docstring[0].isupper()
    assert script.name in docstring


def test_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SUBSCRIBEKIT_ENVIRONMENT", raising=False)
    notebook = json.loads((EXAMPLES / "billing_states.ipynb").read_text(encoding="utf-8"))
    namespace: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert not cell["outputs"]
            exec("".join(cell["source"]), namespace)
    assert "2026-04-04 {'Good Standing': 15, 'Billing Completed': 2, 'Failed To Collect': 3}" in capsys.readouterr().out
    assert (tmp_path / "billing-states.svg").read_text(encoding="utf-8").count("<svg") == 1


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sandbox]:
    """A service under other addresses and credentials, given by variables as a real environment's are."""
    sandbox = Sandbox()
    monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "staging")
    for name in ("base_url", "gateway_url", "user_mgmt_url", "storefront_url"):
        monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{name.upper()}", str(getattr(SANDBOX, name)))
    for name in ("api_user", "api_key", "gateway_api_key", "session_id", "access_token"):
        secret = getattr(SANDBOX, name)
        assert isinstance(secret, Secret)
        monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{name.upper()}", secret.reveal())

    def network(route: object) -> HttpxTransport:
        return HttpxTransport.over(sandbox.transport)

    def async_network(route: object) -> AsyncHttpxTransport:
        return AsyncHttpxTransport.over(sandbox.async_transport)

    monkeypatch.setattr(client, "InterceptableConnectionPool", network)
    monkeypatch.setattr(intercepted_async, "InterceptableAsyncConnectionPool", async_network)
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    yield sandbox
    sys.modules.pop("quickstart", None)


def run(script: str, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(sys, "argv", [script, *arguments])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(EXAMPLES / script), run_name="__main__")
    return ended.value.code


@pytest.mark.parametrize("script", ["quickstart.py", "quickstart_async.py"])
def test_quickstart_only_reads_a_real_environment(
    script: str, elsewhere: Sandbox, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--subscription", "sub-basic-0001", "--payment", "pay-cash-0001", "--partner", "psub-billing-0001")
    assert run(script, *options, monkeypatch=monkeypatch) == 0
    printed = capsys.readouterr().out
    assert "against staging" in printed
    assert "Active, Good Standing" in printed
    assert "skipped: changes data; give --write to do it" in printed
    assert "skipped: needs --entitlement and --product" in printed
    assert {request.method for request in elsewhere.requests} == {"GET"}


@pytest.mark.parametrize("script", ["quickstart.py", "quickstart_async.py"])
def test_quickstart_writes_when_told_to(script: str, elsewhere: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_QUICKSTART_PAYMENT", "pay-cash-0001")
    assert run(script, "--write", "--partner", "psub-billing-0001", monkeypatch=monkeypatch) == 0
    assert {request.path for request in elsewhere.requests if request.method != "GET"} == {
        "/payments/pay-cash-0001/actions/reverse",
        "/partnersub/v2/partnerSubscription/psub-billing-0001/cancel",
    }


def test_quickstart_names_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "staging")
    assert run("quickstart.py", monkeypatch=monkeypatch) == 1
    assert "set SUBSCRIBEKIT_STAGING_BASE_URL" in capsys.readouterr().err
