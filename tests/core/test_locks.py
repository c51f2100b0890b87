"""A signal handler and a forked child never wait forever for a lock of the SDK (H252, H253)."""

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
def test_a_signal_handler_can_acquire_a_lock_that_its_thread_holds(name: str) -> None:
    """H252: The handler makes a call, which needs the same lock."""
    make, use = HOLDERS[name]
    holder, done = make(), threading.Event()

    def interrupted() -> None:
        with guard_of(holder).lock:
            use(holder)
        done.set()

    threading.Thread(target=interrupted, daemon=True).start()
    assert done.wait(5)


@pytest.mark.posix("there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python warns about a fork while threads run
@pytest.mark.parametrize("name", HOLDERS)
def test_a_forked_child_starts_with_an_unlocked_lock(name: str) -> None:
    """H252: The thread that holds the lock doesn't exist in the child, so it can't release the lock there."""
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
def test_a_forked_child_can_repeat_the_calls_that_the_parent_made_before_it_started_threads() -> None:
    """H253: If another thread imports a module during the fork, Python's lock of this module stays locked in the child.

    The parent avoids this if it makes the calls once before it starts threads.
    """
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
