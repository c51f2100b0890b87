"""If a signal handler raises an exception anywhere in a call that uses the ledger, no later call waits forever."""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import Ledgered, charge, client_of, jobs, opened
from bulk.test_interrupted import within
from kit.interrupts import InterruptAtCheck
from samples import points
from subscribekit.bulk import Run
from subscribekit.errors import SubscribekitError

pytestmark = pytest.mark.hazard("H391")


def record(run: Run) -> None:
    for item in run.items("unknown"):
        item.record_outcome("not_applied")


USES: dict[str, Callable[[Run, Any], object]] = {
    "counts": lambda run, _: run.counts(),
    "items": lambda run, _: list(run.items()),
    "add": lambda run, client: run.add(jobs(client, 1)),
    "preview": lambda run, _: run.preview(),
    "record_outcome": lambda run, _: record(run),
    "resolve": lambda run, _: run.resolve(wait=False),
    "forget": lambda run, _: run.purge_data(),
    "once": lambda run, client: run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1))),
    "results": lambda run, _: list(run.send()),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("use", USES)
def test_a_use_of_the_ledger_may_be_interrupted_anywhere(path: Path, use: str) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client, concurrency=2, lease=60.0) as run:
        run.add(jobs(client, 1))
        for number in points(2):
            interrupt = InterruptAtCheck(number, __file__)
            try:
                with interrupt:
                    USES[use](run, client)
            except KeyboardInterrupt as error:
                error.with_traceback(None)
            within(5, run.counts)
            if interrupt.left > 0:
                break
        assert number > 20
        within(5, lambda: run.send_once("b", client.prepare.entitlements.charge("ps-2", charge(2))))
        within(5, lambda: list(run.send()))
        assert run.counts().sent == run.counts().ready == run.counts().unknown == 0
    assert set(service.effects.values()) == {1}


# Python reports an exception in the callback of a weak reference, and continues.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_opening_and_closing_may_be_interrupted_anywhere(path: Path) -> None:
    with client_of() as client:
        for number in points(2):
            run: list[Run] = []
            interrupt = InterruptAtCheck(number, __file__)
            try:
                with interrupt:
                    run.append(Run(path, client))
                    run[0].close()
            except KeyboardInterrupt as error:
                error.with_traceback(None)
            for each in run:
                within(5, each.close)
            with opened(path, client) as after:
                within(5, after.counts)
            if interrupt.left > 0:
                break
        assert number > 50
    end = time.monotonic() + 10
    while descriptors(path):
        assert time.monotonic() < end, "a ledger file stays open"
        time.sleep(0.001)


def descriptors(path: Path) -> int:
    """Return the number of open files of a ledger, if the system lists them."""
    listed = Path("/proc/self/fd")
    places = [each.readlink() for each in listed.iterdir() if each.is_symlink()] if listed.exists() else []
    return sum(str(path) in str(place) for place in places)


# Python reports an exception of a function that runs before a fork, and continues.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.posix("there is no fork")
def test_a_fork_while_runs_are_open_may_be_interrupted_anywhere(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        for number in itertools.takewhile(lambda number: number < 50, points()):
            interrupt = InterruptAtCheck(number, __file__)
            child = 0
            try:
                with interrupt:
                    child = os.fork()
                    if child == 0:
                        os._exit(0)
            except KeyboardInterrupt as error:
                error.with_traceback(None)
            if child:
                os.waitpid(child, 0)
            within(15, run.counts)


def test_a_run_reports_that_an_interrupted_call_closed_it(path: Path) -> None:
    with client_of() as client:
        run = opened(path, client)
        with pytest.raises(KeyboardInterrupt), InterruptAtCheck(5, __file__):
            run.close()
        within(5, run.close)
        with pytest.raises(SubscribekitError, match="closed"):
            run.counts()
