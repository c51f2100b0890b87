"""The outcome decides the exit code even if the output can't be written, and stderr reports the failure (H444)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from cli.kit import FULL, Shell
from subscribekit import BillingClient
from subscribekit.bulk import Run
from subscribekit.cli.output.outcomes import Code
from subscribekit.errors import ConfigurationError, LedgerError, SubscribekitError
from subscribekit.models import Account
from subscribekit.sandbox.faults import connection_refused, drop_after_commit
from subscribekit.sandbox.platform import Platform

pytestmark = [
    pytest.mark.hazard("H444"),
    pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full"),
]
REVERSE = ("call", "billing.payments.reverse", "pay-cash-0001", "--yes")
CREATE = ("call", "billing.accounts.create", "--body", '{"id": "new-1"}', "--yes")
FAILED = "Input or output failed: No space left on device\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def ledger(folder: Path) -> str:
    with BillingClient(environment="sandbox") as billing, Run("run.db", billing) as run:
        run.add((f"row-{n}", billing.prepare.accounts.create(Account(id=f"new-{n}"))) for n in range(2))
    return "run.db"


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_write_that_was_carried_out_ends_with_0(shell: Shell, platform: Platform, form: tuple[str, ...]) -> None:
    done = shell(*REVERSE, *form, full="stdout")
    assert (done.code, done.err) == (0, f"{FAILED}The request was carried out.\n")
    assert [request.method for request in platform.requests] == ["POST"]


def test_a_write_that_was_carried_out_ends_with_0_whatever_fails_afterwards(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr("subscribekit.cli.calls.call.write_json", fails)
    done = shell(*REVERSE, "--json")
    assert done.code == 0
    assert done.err.endswith("RuntimeError: a fault\nThe request was carried out.\n")


def test_a_closed_pipe_does_not_hide_a_write_that_was_carried_out(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("subscribekit.cli.calls.call.write_json", fails)
    done = shell(*REVERSE, "--json")
    assert (done.code, done.err.splitlines()[-1]) == (0, "The request was carried out.")


@pytest.mark.parametrize("full", ["stdout", "stderr", "stdout, stderr"])
def test_a_failed_call_keeps_its_exit_code(shell: Shell, platform: Platform, full: str) -> None:
    assert shell("call", "billing.payments.reverse", "pay-card-0002", "--yes", full=full).code == Code.REJECTED
    platform.faults.add("POST /accounts", connection_refused(), times=None)
    assert shell(*CREATE, full=full).code == Code.NOT_SENT
    platform.reset()
    platform.faults.add("POST /accounts", drop_after_commit())
    assert shell(*CREATE, full=full).code == Code.UNKNOWN


def test_an_interrupt_does_not_hide_an_unknown_outcome(
    shell: Shell, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(BillingClient, "resolve", interrupted)
    platform.faults.add("POST /accounts", drop_after_commit())
    done = shell(*CREATE)
    assert done.code == Code.UNKNOWN
    assert done.err.endswith("Interrupted.\n")


@pytest.mark.parametrize("arguments", [("call", "billing.accounts.list", "--limit", "x"), ("--nonsense",), REVERSE[:3]])
def test_a_usage_error_that_cannot_be_shown_ends_with_2(shell: Shell, arguments: tuple[str, ...]) -> None:
    assert shell(*arguments, full="stderr").code == Code.USAGE


@pytest.mark.parametrize(
    "arguments",
    [
        ("call", "billing.accounts.list"), ("call", "billing.accounts.retrieve", "acct-0001", "--json"),
        ("call", "--list"), ("call",), ("--version",), ("--help",), (*REVERSE, "--no-send"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_command_that_only_writes_output_ends_with_74(
    shell: Shell, platform: Platform, arguments: tuple[str, ...]
) -> None:
    done = shell(*arguments, full="stdout")
    assert (done.code, done.err) == (Code.OUTPUT, FAILED)
    assert [request for request in platform.requests if request.method != "GET"] == []


@pytest.mark.parametrize("full", ["stdout", "stderr"])
def test_the_outcome_of_a_run_decides_the_exit_code(shell: Shell, platform: Platform, ledger: str, full: str) -> None:
    resume = ("bulk", "resume", ledger, "--yes", "--concurrency", "1")
    platform.faults.add("POST /accounts", drop_after_commit())
    unknown = shell(*resume, full=full)
    assert (unknown.code, unknown.err) == (Code.UNKNOWN, FAILED if full == "stdout" else "")
    assert shell("bulk", "record-outcome", ledger, "row-0", "applied", "--yes", full=full).code == Code.DONE
    assert shell("bulk", "resolve", ledger, full=full).code == Code.DONE
    assert shell("bulk", "resolve", ledger, "--json", full=full).code == Code.DONE
    assert shell(*resume, full=full).code == Code.DONE


@pytest.mark.parametrize("kind", [LedgerError, ConfigurationError])
def test_a_run_that_fails_after_the_first_item_does_not_say_that_nothing_was_sent(
    shell: Shell, ledger: str, monkeypatch: pytest.MonkeyPatch, kind: type[SubscribekitError]
) -> None:
    send = Run.send

    def fails(run: Run, **_: object) -> Iterator[object]:
        yield next(send(run))
        raise kind("the disk is full")

    monkeypatch.setattr(Run, "send", fails)
    done = shell("bulk", "resume", ledger, "--yes", "--concurrency", "1", "--max-items", "1")
    assert (done.code, done.err) == (Code.NOT_SENT, "the disk is full\n")  # one item is left
    monkeypatch.setattr(Run, "counts", lambda _: raising(LedgerError("no ledger")))
    assert shell("bulk", "resume", ledger, "--yes").code == Code.USAGE  # before anything is sent


def test_a_run_whose_ledger_can_no_longer_be_read_has_an_unknown_outcome(
    shell: Shell, ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(run: Run, **_: object) -> Iterator[object]:
        monkeypatch.setattr(Run, "counts", lambda _: raising(LedgerError("no ledger")))
        raise LedgerError("the disk is full")

    monkeypatch.setattr(Run, "send", fails)
    done = shell("bulk", "resume", ledger, "--yes")
    assert (done.code, done.err) == (Code.UNKNOWN, "the disk is full\n")


def test_a_run_that_fails_before_it_sends_is_a_usage_error(
    shell: Shell, ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Run, "send", lambda *_, **__: raising(ConfigurationError("no credential")))
    done = shell("bulk", "resume", ledger, "--yes")
    assert (done.code, done.err) == (Code.USAGE, "no credential\nNothing was sent.\n")


def raising(error: SubscribekitError) -> NoReturn:
    raise error


def test_the_outcome_of_a_comparison_decides_the_exit_code(shell: Shell, folder: Path) -> None:
    with BillingClient(environment="sandbox") as billing:
        names = [str(each.id) for each in billing.subscriptions.list()]
    Path("t.csv").write_text("\n".join(["id", *names, ""]))
    for form in (), ("--json",):
        equal = shell("reconcile", "subscriptions", "t.csv", "--key", "id", *form, full="stdout")
        assert (equal.code, form or equal.err.endswith(FAILED)) == (Code.DONE, form or True)
    Path("t.csv").write_text("id\nmine\n")
    differs = shell("reconcile", "subscriptions", "t.csv", "--key", "id", full="stdout")
    assert (differs.code, differs.err.endswith(FAILED)) == (Code.DIFFERENCES, True)
    Path("report.csv").mkdir()
    reported = shell("reconcile", "subscriptions", "t.csv", "--key", "id", "--report", "report.csv")
    assert (reported.code, "the report can't be written" in reported.err) == (Code.DIFFERENCES, True)


@pytest.mark.parametrize("full", ["stdout", "stderr"])
def test_the_findings_of_doctor_decide_the_exit_code(shell: Shell, full: str) -> None:
    for form in (), ("--json",):
        assert shell("doctor", *form, full=full).code == Code.DONE
        assert shell("doctor", *form, full=full, environment=None).code == Code.USAGE
    assert shell("doctor", full="stdout").err == FAILED


def test_an_export_is_complete_even_if_stderr_is_full(shell: Shell, folder: Path) -> None:
    done = shell("export", "accounts", "a.csv", full="stderr")
    assert (done.code, [each.name for each in folder.iterdir()]) == (Code.DONE, ["a.csv"])
    assert shell("export", "accounts", "parts", "--workers", "2", full="stderr").code == Code.DONE


def test_every_error_after_an_outcome_keeps_its_code(
    shell: Shell, ledger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: Run) -> None:
        raise SubscribekitError("cannot be closed")

    monkeypatch.setattr(Run, "close", fails)
    done = shell("bulk", "resume", ledger, "--yes")
    assert (done.code, "cannot be closed" in done.err, "Nothing was sent" in done.err) == (Code.DONE, True, False)
