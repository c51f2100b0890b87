"""Locks that the handler of a signal and a forked child do not wait for without end (H252, H253)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from typing import Any

import pytest

from subscribekit._core.calls.backoff import Budget, Pause
from subscribekit._core.config.locks import Guard
from subscribekit.drift import DriftDetector
from subscribekit.models import Account
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.clock import SandboxClock

HOLDERS: dict[str, tuple[Callable[[], Any], Callable[[Any], object]]] = {
    "budget: retry": (Budget, lambda budget: budget.spend()),
    "budget: success": (Budget, lambda budget: budget.succeed()),
    "pause": (Pause, lambda pause: pause.extend(5.0)),
    "sandbox": (lambda: Sandbox().service, lambda service: service.catch_up()),
    "clock of a sandbox": (SandboxClock, lambda clock: clock.sleep(1.0)),
    "faults of a sandbox": (lambda: Sandbox().faults, lambda faults: faults.clear()),
    "drift": (DriftDetector, lambda drift: drift.result_read("billing", "accounts.retrieve", Account(id="a1"))),
}


def guard_of(holder: Any) -> Guard:
    guard = holder._guard
    assert isinstance(guard, Guard)
    return guard


@pytest.mark.parametrize("name", HOLDERS)
def test_the_handler_of_a_signal_may_come_while_its_thread_has_the_lock(name: str) -> None:
    """H252: it makes a call, which needs the same lock."""
    make, use = HOLDERS[name]
    holder, done = make(), threading.Event()

    def interrupted() -> None:
        with guard_of(holder).lock:
            use(holder)
        done.set()

    threading.Thread(target=interrupted, daemon=True).start()
    assert done.wait(5)


@pytest.mark.posix("there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork beside threads
@pytest.mark.parametrize("name", HOLDERS)
def test_a_forked_child_finds_the_lock_free(name: str) -> None:
    """H252: the thread that held it is not there to give it back."""
    make, use = HOLDERS[name]
    holder, held, end = make(), threading.Event(), threading.Event()

    def hold() -> None:
        with guard_of(holder).lock:
            held.set()
            end.wait()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        use(holder)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    end.set()
    thread.join()
    assert status == 0


@pytest.mark.posix("there is no fork here")
def test_a_child_may_call_what_was_called_before_the_threads_began() -> None:
    """H253: Python's own locks of modules that another thread imports stay taken in a child; this is the way out."""
    program = """
        import os, signal, threading, time
        from subscribekit import BillingClient

        client = BillingClient(environment="sandbox")
        client.subscriptions.retrieve("sub-basic-0001")
        for pause in (0.0, 0.01, 0.05):
            other = BillingClient(environment="sandbox")
            thread = threading.Thread(target=lambda: [other.accounts.list().first(), other.products.list().first()])
            thread.start()
            time.sleep(pause)
            child = os.fork()
            if child == 0:
                signal.alarm(20)
                client.subscriptions.retrieve("sub-basic-0001")
                os._exit(0)
            print(os.waitpid(child, 0)[1])
            thread.join()
    """
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["0", "0", "0"], done.stderr
