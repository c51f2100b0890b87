"""If the ledger fails during a run or the process stalls, nothing is sent twice and no known outcome is lost.

Hazards: H152.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from bulk.kit import KEY, URL, Ledgered, charge, client_of, jobs, opened
from subscribekit import AsyncGatewayClient
from subscribekit.bulk import AsyncRun, Counts, Run
from subscribekit.bulk._sending import engine as _engine
from subscribekit.bulk._sending.engine import Engine
from subscribekit.errors import LeaseLostError, LedgerError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


@contextmanager
def failing_commits(run: Run, *, after: bool) -> Iterator[list[int]]:
    """While a switch is on, let commits fail before or after they take effect, as if the connection were lost."""
    database, switch = run._open().database, [0]
    plain = database.write

    @contextmanager
    def write() -> Iterator[sa.Connection]:
        with plain() as connection:
            yield connection
            if switch[0] and not after:
                switch[0] -= 1
                raise LedgerError("the ledger can't be written")
        if switch[0] and after:
            switch[0] -= 1
            raise LedgerError("the connection was lost during a commit")

    database.write = write  # type: ignore[method-assign]
    yield switch
    database.write = plain  # type: ignore[method-assign]


class HeldBack(Ledgered):
    """Holds back the eighth request and later ones, so that the run doesn't end before its commits fail."""

    def __init__(self) -> None:
        self.go = threading.Event()
        super().__init__(self.wait)

    def wait(self, _: str) -> None:
        assert len(self.arrived) < 8 or self.go.wait(60)


@pytest.mark.parametrize("after", [False, True], ids=["not committed", "committed"])
def test_a_commit_that_fails_sends_nothing_twice(path: Path, after: bool) -> None:
    service = HeldBack()
    with client_of(service) as client, opened(path, client, concurrency=2) as run:
        run.add(jobs(client, 20))
        with failing_commits(run, after=after) as switch:
            results = run.send()
            for _ in range(4):
                next(results)
            switch[0] = 1
            service.go.set()
            with pytest.raises(LedgerError):
                list(results)
            list(run.send())
        counts = run.counts()
        assert (counts.ready, counts.sent, counts.unknown) == (0, 0, 0)
        assert counts.done == 20
    assert set(service.effects.values()) == {1}


def test_items_whose_results_were_discarded_are_not_sent_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.0)
    service = HeldBack()
    with client_of(service) as client, opened(path, client, concurrency=2, lease=0.6) as run:
        run.add(jobs(client, 20))
        with failing_commits(run, after=False) as switch:
            results = run.send()
            next(results)
            switch[0] = 3
            service.go.set()
            with pytest.raises((LedgerError, LeaseLostError)):  # LeaseLostError occurs on a busy machine
                list(results)
        for _ in range(2):
            with opened(path, client) as again:
                list(again.send())
        assert run.counts().ready == 0
    with client_of(service) as client, opened(path, client) as run:
        list(run.send())
        counts = run.counts()
        assert counts.done + counts.unknown == 20
    assert set(service.effects.values()) == {1}


def test_a_stalled_process_stops_and_keeps_its_results(path: Path) -> None:
    ended = threading.Event()

    def hold_up(charged: str) -> None:
        if charged == "t0":
            with sqlite3.connect(path, timeout=5) as other:
                other.execute("UPDATE subscribekit_owners SET ended = 1")
                other.execute("UPDATE subscribekit_items SET state = 'unknown' WHERE state = 'sent'")
            other.close()
            ended.wait(0.3)  # longer than a quarter of the lease, so that the engine renews the lease

    service = Ledgered(hold_up)
    with client_of(service) as client:
        with opened(path, client, concurrency=1, lease=0.4) as run:
            run.add(jobs(client, 5))
            with pytest.raises(LeaseLostError, match="stalled"):
                list(run.send())
            assert run.counts() == Counts(done=1, ready=4)
        with opened(path, client) as run:
            assert len(list(run.send())) == 4
    assert set(service.effects.values()) == {1}


def test_a_canceled_send_once_completes_or_returns_its_item(path: Path) -> None:
    service = Ledgered()

    async def story() -> None:
        client = AsyncGatewayClient(base_url=URL, api_key=KEY, transport=service)
        async with client, AsyncRun(path, client, lease=5.0) as run:
            for number in range(20):
                request = client.prepare.entitlements.charge("ps-1", charge(number))
                task = asyncio.create_task(run.send_once(f"key-{number}", request))
                await asyncio.sleep(0.001 * number)
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
            for number in range(20):
                request = client.prepare.entitlements.charge("ps-1", charge(number))
                assert (await run.send_once(f"key-{number}", request)).transaction_reference_id == f"ref-t{number}"

    asyncio.run(story())
    assert set(service.effects.values()) == {1}
    assert len(service.effects) == 20


def test_a_kept_iterator_does_not_keep_the_signal_handlers(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 30))
        results = run.send()
        next(results)
        run.close()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        results.close()  # type: ignore[attr-defined]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_error_of_the_application_leaves_the_rest_ready(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client) as run:
        run.add(jobs(client, 50))

        def fall() -> None:
            for _ in run.send():
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            fall()
        counts = run.counts()
        assert (counts.sent, counts.unknown, counts.done) == (0, 0, len(service.arrived))
        assert len(list(run.send())) == counts.ready


def test_the_pauses_of_an_outage_grow(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[float] = []
    monkeypatch.setattr(Engine, "pause_process", lambda _, seconds: held.append(seconds))
    service = Ledgered(lambda _: httpx.ConnectError("refused"))
    with client_of(service) as client, opened(path, client, concurrency=1, max_attempts=1) as run:
        run.add(jobs(client, 6))
        assert [item.state for item in run.send()] == ["ready"] * 6
    assert held == [0.1, 0.2, 0.4, 0.8]  # pauses start at the third failure in a row


def test_an_unforeseen_failure_of_the_thread_that_writes_ends_the_run(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    service, plain, fails = Ledgered(), Engine._cycle, iter([False, False, True])

    def cycle(engine: Engine, *given: Any, **named: Any) -> float | None:
        if next(fails, False):
            raise ZeroDivisionError("a mistake")
        return plain(engine, *given, **named)

    with client_of(service) as client:
        with opened(path, client) as run:
            run.add(jobs(client, 20))
            monkeypatch.setattr(Engine, "_cycle", cycle)
            with pytest.raises(LedgerError, match="could not be written: ZeroDivisionError"):
                list(run.send())
            assert "the thread that writes the ledger failed" in caplog.text
        lost = caplog.text.count("could not be written: done")
        with opened(path, client) as run:
            counts = run.counts()
    assert (counts.sent, counts.unknown, counts.done) == (lost, 0, len(service.effects) - lost)
    assert set(service.effects.values()) == {1}
