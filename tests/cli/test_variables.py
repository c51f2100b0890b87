"""`SUBSCRIBEKIT_LOG`, `SUBSCRIBEKIT_<NAME>_PROXY`, and completion in a shell (H335, H336)."""

from __future__ import annotations

import logging
import os
import subprocess
import sys

import pytest

from cli.kit import Shell
from subscribekit.sandbox.faults import server_error
from subscribekit.sandbox.platform import Platform

READ = ("call", "billing.payments.retrieve", "pay-cash-0001")
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}


@pytest.mark.hazard("H335")
def test_the_log_is_shown_only_if_the_variable_is_set(
    shell: Shell, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = shell(*READ)
    assert "GET /payments" not in quiet.err
    monkeypatch.setenv("SUBSCRIBEKIT_LOG", "info")
    platform.faults.add("payments.retrieve", server_error())
    done = shell(*READ)
    assert done.out == quiet.out
    retried, ended = [line for line in done.err.splitlines() if "GET /payments" in line]
    assert "INFO GET /payments/{payment} attempt 1 failed" in retried
    assert "INFO GET /payments/{payment} -> 200, 2 attempt(s)" in ended
    assert "pay-cash-0001" not in done.err
    assert logging.getLogger("subscribekit").level == logging.NOTSET
    assert not [each for each in logging.getLogger("subscribekit").handlers if isinstance(each, logging.StreamHandler)]
    monkeypatch.setenv("SUBSCRIBEKIT_LOG", "")
    assert "GET /payments" not in shell(*READ).err


@pytest.mark.hazard("H335")
def test_an_unknown_log_level_is_refused(shell: Shell, platform: Platform, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_LOG", "DEBUG\x1b[2J")
    done = shell(*READ)
    assert (done.code, done.err, platform.requests) == (2, "SUBSCRIBEKIT_LOG must be debug or info\n", [])


@pytest.mark.hazard("H336")
def test_a_variable_sets_the_proxy_of_an_environment(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "BASE_URL": "https://billing.invalid", "API_USER": "u", "API_KEY": "k",
        "PROXY": "http://user:hunter2@127.0.0.1:1",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{name}", value)
    done = shell(*READ, environment="staging")
    assert done.code == 3
    assert "127.0.0.1:1" in done.err
    assert "hunter2" not in done.err
    assert shell(*READ).code == 0  # the sandbox uses no proxy


@pytest.mark.hazard("H336")
def test_the_doctor_connects_through_the_proxy(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client may be unable to resolve the host, because only the proxy can."""
    for name, value in {"BASE_URL": "https://billing.invalid", "API_USER": "u", "API_KEY": "k"}.items():
        monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{name}", value)
    monkeypatch.setenv("SUBSCRIBEKIT_STAGING_PROXY", "http://127.0.0.1:1")
    done = shell("doctor", environment="staging")
    assert done.code == 3
    assert "through the proxy in SUBSCRIBEKIT_STAGING_PROXY" in done.out
    assert "127.0.0.1:1" in done.out  # the doctor tried the read


COMPLETE = {
    "bash": lambda words: {"COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)},
    "zsh": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words)},
    "fish": lambda words: {"_TYPER_COMPLETE_ARGS": " ".join(words), "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
}


@pytest.mark.parametrize(
    ("kind", "words", "expected"),
    [
        ("bash", ["exp"], "export"),
        ("zsh", ["call", "billing.payments.rev"], "billing.payments.reverse"),
        ("fish", ["export", "billing.transac"], "billing.transactions"),
        ("bash", ["reconcile", "billing.subscr"], "billing.subscriptions"),
        ("fish", ["bulk", "res"], "resume"),
        ("zsh", ["call", "billing.payments.reverse", "--no-s"], "--no-send"),
    ],
)
def test_a_shell_completes_commands_operations_and_options(kind: str, words: list[str], expected: str) -> None:
    line = ["subscribekit", *words]
    variables = {**CLEAN, "_SUBSCRIBEKIT_COMPLETE": f"complete_{kind}", **COMPLETE[kind](line)}
    code = "import sys; from subscribekit.cli import main; sys.exit(main([]))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False, timeout=60
    )
    assert expected in done.stdout, done.stderr
    assert done.stderr == ""
