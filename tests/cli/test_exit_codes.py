"""The exit code reports the outcome of the request, even if the output can't be written (H240)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.kit import Shell
from subscribekit.cli.output.outcomes import Code, code_of
from subscribekit.errors import (
    BulkError,
    ConfigurationError,
    DeadlineExceededError,
    InvalidArgumentError,
    SubscribekitError,
)
from subscribekit.sandbox.faults import server_error
from subscribekit.sandbox.platform import Platform

PROGRAM = """
import sys
from subscribekit.sandbox import default_sandbox
from subscribekit.sandbox.faults import server_error
default_sandbox().faults.add("/v1/entitlement/{id}/charge", server_error())
from subscribekit.cli import main
sys.exit(main(sys.argv[1:]))
"""
CHARGE = (
    "call", "gateway.entitlements.charge", "psub-entitlement-0001", "--yes", "--body",
    '{"transactionId": "t9", "amount": 1.00, "currency": "USD"}',
)  # fmt: skip
FULL = Path("/dev/full")
REVERSE = ("call", "billing.payments.reverse", "pay-cash-0001")
pytestmark = pytest.mark.hazard("H240")


def run_with(arguments: tuple[str, ...], out: int, err: int) -> int:
    environment = {"PATH": os.environ["PATH"], "SUBSCRIBEKIT_ENVIRONMENT": "sandbox"}
    command = [sys.executable, "-I", "-c", PROGRAM, *arguments]
    return subprocess.run(command, env=environment, stdout=out, stderr=err, check=False, timeout=120).returncode


@pytest.fixture
def closed() -> int:
    """Return the write end of a pipe whose read end is closed."""
    read, write = os.pipe()
    os.close(read)
    return write


@pytest.mark.parametrize("broken", ["stdout", "stderr", "both"])
def test_a_closed_pipe_does_not_hide_an_unknown_charge(closed: int, broken: str) -> None:
    try:
        out, err = (closed if broken in (name, "both") else subprocess.DEVNULL for name in ("stdout", "stderr"))
        assert run_with(CHARGE, out, err) == Code.UNKNOWN
    finally:
        os.close(closed)


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize(
    ("arguments", "code"),
    [(CHARGE, 4), (("call", "billing.payments.reverse", "no-such", "--yes"), 1), (("call", "x", "--api-key", "k"), 2)],
    ids=["unknown", "rejected", "usage"],
)  # fmt: skip
def test_a_full_disk_does_not_change_the_exit_code(arguments: tuple[str, ...], code: int) -> None:
    with FULL.open("wb") as full:
        assert run_with(arguments, full.fileno(), full.fileno()) == code


@pytest.mark.parametrize(
    "name", ["SIGTERM", pytest.param("SIGHUP", marks=pytest.mark.posix("there is no such signal"))]
)
def test_a_signal_during_a_write_shows_the_outcome(shell: Shell, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    number = getattr(signal, name)
    monkeypatch.setattr(
        "subscribekit.sandbox.transport.SandboxTransport.handle_request",
        lambda *_: signal.raise_signal(number),
    )
    before = signal.signal(number, signal.SIG_DFL)
    try:
        done = shell(*REVERSE, "--yes")
        assert signal.getsignal(number) is signal.SIG_DFL
    finally:
        signal.signal(number, before)
    assert done.code == 128 + number
    assert done.err.startswith("Terminated.")
    assert done.err.endswith("payments.reverse was interrupted; outcome unknown, reconcile by 'pay-cash-0001'\n")


def test_a_signal_that_the_process_ignores_stays_ignored(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """For example, `nohup` makes a process ignore a signal."""
    before = signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        assert shell("call", "billing.accounts.retrieve", "acct-0001").code == 0
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(
    "kind", [SubscribekitError, DeadlineExceededError, InvalidArgumentError, BulkError, ConfigurationError]
)
def test_every_error_with_an_unknown_outcome_ends_with_4(kind: type[SubscribekitError]) -> None:
    assert code_of(kind("lost", outcome="unknown")) is Code.UNKNOWN


def test_the_exit_code_of_a_command_does_not_affect_the_next_command(shell: Shell, platform: Platform) -> None:
    platform.faults.add("/v1/entitlement/{id}/charge", server_error())
    assert shell(*CHARGE).code == Code.UNKNOWN
    assert shell("call", "billing.accounts.retrieve", "acct-0001").code == Code.DONE
