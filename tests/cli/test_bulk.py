"""The `bulk` commands show, resume, and resolve a run, record outcomes, and write a report (H164)."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest

from cli.kit import Shell
from subscribekit import BillingClient
from subscribekit._sealed import Sealed
from subscribekit.bulk import Run, StopPolicy
from subscribekit.bulk._ledger.database import Database
from subscribekit.models import Account, Refund
from subscribekit.sandbox.faults import drop_after_commit, drop_before_commit, server_error
from subscribekit.sandbox.platform import Platform


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    """Return a ledger with three accounts to create, none of them sent so far."""
    file = str(tmp_path / "accounts.db")
    with BillingClient(environment="sandbox") as billing, Run(file, billing) as run:
        run.add((f"row-{n}", billing.prepare.accounts.create(Account(id=f"new-{n}", name="Ada"))) for n in range(3))
    return file


def counts(shell: Shell, ledger: str) -> dict[str, object]:
    done = shell("bulk", "status", ledger, "--json")
    assert done.code == 0, done.err
    shown_counts: dict[str, object] = json.loads(done.out)
    return shown_counts


def test_status(shell: Shell, ledger: str) -> None:
    shown_counts = counts(shell, ledger)
    assert shown_counts["ready"] == 3
    assert shown_counts["place"] == "billing of sandbox (https://billing.sandbox.invalid)"
    assert "ready\t3" in shell("bulk", "status", ledger).lines
    assert "ready" in shell("bulk", "status", ledger, tty=True).out
    # The ledger itself names its environment.
    assert shell("bulk", "status", ledger, environment=None).code == 0


def test_resume_asks_shows_the_first_request_and_sends(shell: Shell, ledger: str, platform: Platform) -> None:
    asked = shell("bulk", "resume", ledger, tty=True, typed="n\n")
    assert asked.code == 3
    assert "Send 3 items to billing of sandbox" in asked.err
    assert '"id": "new-0"' in asked.err
    assert shell("bulk", "resume", ledger).code == 2
    shown = shell("bulk", "resume", ledger, "--preview")
    assert shown.out.count("POST https://billing.sandbox.invalid/accounts") == 3
    assert platform.requests == []
    done = shell("bulk", "resume", ledger, "--yes", "--rate-limit", "1000", "--concurrency", "2")
    assert done.code == 0
    assert "done\t3" in done.lines
    assert len(platform.requests) == 3
    again = shell("bulk", "resume", ledger)
    assert again.code == 0
    assert len(platform.requests) == 3


@pytest.mark.hazard("H333")
@pytest.mark.parametrize("more", [(), ("--yes",)], ids=["asked", "yes"])
def test_a_read_only_resume_neither_asks_nor_sends(
    shell: Shell, ledger: str, platform: Platform, more: tuple[str, ...]
) -> None:
    before = len(platform.requests)
    done = shell("--read-only", "bulk", "resume", ledger, *more, tty=True, typed="y\n")
    assert (done.code, "read-only" in done.err, "[y/N]" in done.err) == (2, True, False)
    assert len(platform.requests) == before
    assert shell("--read-only", "bulk", "resume", ledger, "--preview").code == 0
    assert shell("--read-only", "bulk", "status", ledger).code == 0


def test_a_canary_leaves_the_rest(shell: Shell, ledger: str) -> None:
    done = shell("bulk", "resume", ledger, "--yes", "--max-items", "1", "--concurrency", "1")
    assert done.code == 3
    assert "Stopped: " in done.err
    assert counts(shell, ledger)["ready"] == 2


def test_unknown_outcomes_are_resolved(shell: Shell, ledger: str, platform: Platform) -> None:
    platform.faults.add("POST /accounts", drop_after_commit(), times=1)
    done = shell("bulk", "resume", ledger, "--yes", "--concurrency", "1")
    assert done.code == 4
    resolved = shell("bulk", "resolve", ledger)
    assert resolved.code == 0
    assert "applied\t1" in resolved.lines
    assert counts(shell, ledger)["done"] == 3
    assert json.loads(shell("bulk", "resolve", ledger, "--json").out)["applied"] == 0


def test_items_that_stay_unknown_are_shown(shell: Shell, ledger: str, platform: Platform) -> None:
    platform.faults.add("POST /accounts", drop_after_commit(), times=1)
    assert shell("bulk", "resume", ledger, "--yes", "--concurrency", "1").code == 4
    platform.faults.add("GET /accounts/new-0", server_error(), times=10)
    resolved = shell("bulk", "resolve", ledger)
    assert resolved.code == 4
    assert "undecided\t1" in resolved.lines
    assert "row-0" in resolved.out


def test_a_rejected_item_ends_the_command_with_1(shell: Shell, tmp_path: Path) -> None:
    file = str(tmp_path / "refunds.db")
    with BillingClient(environment="sandbox") as billing, Run(file, billing) as run:
        run.add([("row", billing.prepare.refunds.create("nobody", Refund(id="r", amount=Decimal(1))))])
    done = shell("bulk", "resume", file, "--yes")
    assert (done.code, counts(shell, file)["rejected"]) == (1, 1)


def test_an_empty_ledger_is_explained(shell: Shell, tmp_path: Path) -> None:
    with closing(Database(Sealed(tmp_path / "empty.db"))):
        pass
    done = shell("bulk", "status", str(tmp_path / "empty.db"), columns=300)
    assert done.code == 2
    assert "is empty. Add items with the program that creates the run" in done.err


def test_an_unknown_outcome_is_recorded_by_hand(shell: Shell, ledger: str, platform: Platform) -> None:
    platform.faults.add("POST /accounts", drop_before_commit(), times=1)
    assert shell("bulk", "resume", ledger, "--yes", "--concurrency", "1").code == 4
    assert shell("bulk", "record-outcome", ledger, "row-0", "applied").code == 2
    assert shell("bulk", "record-outcome", ledger, "nobody", "applied", "--yes").code == 2
    refused = shell("bulk", "record-outcome", ledger, "row-0", "not_applied", tty=True, typed="\n")
    assert refused.code == 3
    assert "will be sent again by the next resume" in refused.err
    recorded = shell("bulk", "record-outcome", ledger, "row-0", "not_applied", "--note", "ticket 88", "--yes")
    assert (recorded.code, recorded.err) == (0, "The state of row-0 is now ready.\n")
    assert counts(shell, ledger)["ready"] == 1
    again = shell("bulk", "record-outcome", ledger, "row-1", "rejected", "--yes")
    assert again.code == 2
    assert "Traceback" not in again.err


def test_the_report(shell: Shell, ledger: str, platform: Platform, tmp_path: Path) -> None:
    assert shell("bulk", "resume", ledger, "--yes", "--max-items", "1", "--concurrency", "1").code == 3
    rows = list(csv.DictReader(io.StringIO(shell("bulk", "report", ledger).out)))
    assert [row["key"] for row in rows] == ["row-0", "row-1", "row-2"]
    assert [row["state"] for row in rows] == ["done", "ready", "ready"]
    assert "Ada" not in str(rows)
    shown = shell("bulk", "report", ledger, tty=True)
    assert "row-1" in shown.out
    assert "row-0" not in shown.out
    assert shell("bulk", "report", ledger, "--to", str(tmp_path / "report.csv")).code == 0
    assert (tmp_path / "report.csv").read_text().count("\n") == 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["status", "nowhere.db"], "nowhere.db doesn't exist"),
        (["status", "other.txt"], "isn't a ledger"),
        (["status", "postgresql+psycopg://me:hunter2@127.0.0.1/x"], "PGPASSWORD"),
        (["status", "postgresql+psycopg://me:hunter2#x@127.0.0.1/x"], "PGPASSWORD"),
        (["status", "postgresql+psycopg://me:/hunter2?x@127.0.0.1/x"], "PGPASSWORD"),
        (["status", "postgresql+psycopg://me:x@hunter2@127.0.0.1/x"], "PGPASSWORD"),
        (["status", "postgresql+psycopg://127.0.0.1/x?user=me&PASSWORD=hunter2"], "PGPASSWORD"),
        (["resume", "nowhere.db", "--rate-limit", "0"], "--rate-limit"),
        (["record-outcome", "nowhere.db", "k", "perhaps"], "perhaps"),
    ],
)
def test_wrong_arguments_are_refused(
    shell: Shell, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.txt").write_text("a file of another kind")
    done = shell("bulk", *arguments, columns=300)
    assert done.code == 2
    assert message in done.err
    assert "hunter2" not in done.err
    assert not (tmp_path / "nowhere.db").exists()


def test_another_environment_is_refused(shell: Shell, ledger: str, platform: Platform) -> None:
    done = shell("bulk", "resume", ledger, "--yes", "--environment", "production")
    assert done.code == 2
    assert "belongs to the environment 'sandbox'" in done.err
    assert shell("bulk", "resume", ledger, "--yes", environment="production").code == 2
    assert platform.requests == []


def test_a_missing_extra_is_explained_in_one_sentence(
    shell: Shell, ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each.startswith(("subscribekit.bulk", "subscribekit.cli.runs.bulk"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "subscribekit.cli.runs.ledgers", raising=False)
    monkeypatch.setitem(sys.modules, "sqlalchemy", None)
    done = shell("bulk", "status", ledger)
    assert done.code == 2
    assert done.err == "The command bulk requires the 'bulk' extra; run: pip install 'subscribekit[bulk]'\n"
    assert "bulk" in shell("--help").out


def test_another_merchant_is_refused_until_a_new_key_is_accepted(
    shell: Shell, tmp_path: Path, platform: Platform
) -> None:
    ledger = str(tmp_path / "other.db")
    with BillingClient(environment="sandbox", api_user="another-shop") as billing, Run(ledger, billing) as run:
        run.add([("row-1", billing.prepare.accounts.create(Account(id="new-1", name="Ada")))])
    refused = shell("bulk", "resume", ledger, "--yes")
    assert refused.code == 2
    assert "--accept-new-key" in refused.err
    for words in (["resolve", ledger], ["record-outcome", ledger, "row-1", "applied", "--yes"], ["report", ledger]):
        assert shell("bulk", *words).code == 2
    assert platform.requests == []
    assert shell("bulk", "resume", ledger, "--yes", "--accept-new-key").code == 0
    assert shell("bulk", "status", ledger).code == 0
    assert len(platform.requests) == 1


@pytest.mark.hazard("H383")
def test_a_moved_ledger_is_refused_until_it_is_accepted(
    shell: Shell, ledger: str, tmp_path: Path, platform: Platform
) -> None:
    with BillingClient(environment="sandbox") as billing, Run(ledger, billing, stop=StopPolicy(max_items=1)) as run:
        assert [item.state for item in run.send()] == ["done"]
        for end in ("", "-wal"):  # another process copies, because closing a descriptor here would drop SQLite's locks
            subprocess.run(["cp", f"{ledger}{end}", tmp_path / f"moved.db{end}"], check=True)
    moved, before = str(tmp_path / "moved.db"), len(platform.requests)
    for words in (["resume", moved, "--yes"], ["status", moved], ["report", moved]):
        refused = shell("bulk", *words)
        assert refused.code == 2
        assert "nothing was sent" in refused.err
        assert "--accept-moved" in refused.err
    assert len(platform.requests) == before
    assert shell("bulk", "resume", moved, "--yes", "--accept-moved").code == 0
    assert counts(shell, moved)["done"] == 3
    assert len(platform.requests) == before + 2


def test_an_amount_limit_refuses_items_without_an_amount(shell: Shell, ledger: str, platform: Platform) -> None:
    done = shell("bulk", "resume", ledger, "--yes", "--max-amount", "10", "--currency", "USD")
    assert "can't count 'row-0' toward the amount limit: the request body has no amount or no currency" in done.err
    assert (done.code, platform.requests) == (2, [])


@pytest.mark.parametrize(
    "options", [["10"], ["1e3", "--currency", "USD"], ["-5", "--currency", "USD"], ["5", "--currency", "usd"]]
)
def test_an_invalid_amount_limit_is_refused(shell: Shell, ledger: str, options: list[str], platform: Platform) -> None:
    done = shell("bulk", "resume", ledger, "--yes", "--max-amount", *options)
    assert (done.code, platform.requests) == (2, [])


def test_an_amount_limit_ends_the_run(shell: Shell, tmp_path: Path, platform: Platform) -> None:
    path = tmp_path / "refunds.db"
    with BillingClient(environment="sandbox") as client, Run(path, client) as run:
        for number in range(3):
            request = client.prepare.refunds.create(
                "SBX00000001", Refund(id=f"r-{number}", amount=Decimal("1.10"), currency="USD")
            )
            run.add([(f"r-{number}", request)])
    shown = shell("bulk", "resume", str(path), "--preview")
    assert shown.lines[0] == "3 items with a total of 3.30 USD, the largest 1.10, the smallest 1.10"
    done = shell("bulk", "resume", str(path), "--yes", "--max-amount", "2.20", "--currency", "USD")
    assert done.code == 3
    assert "the amount limit is reached" in done.err
    assert counts(shell, str(path))["done"] == 2
