"""If a process stalls for longer than its lease (SIGSTOP, or a machine that sleeps), other processes continue safely.

Hazards: H165, H166, H232.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import KEY, Ledgered, charge, client_of, jobs, opened
from bulk.test_kills import FAULTS, LEASE, Killed
from bulk.workers import Nursery, Worker
from kit.counting import CountingServer
from subscribekit import AsyncGatewayClient, GatewayClient, Limits, Timeouts
from subscribekit.bulk import AsyncRun, Counts, RateLimit, Run
from subscribekit.bulk._ledger import database as _database
from subscribekit.bulk._sending import lease as _lease
from subscribekit.bulk._sending.pace import Limiter
from subscribekit.errors import LeaseLostError, LedgerError

ONE_CONNECTION: dict[str, Any] = {
    "allow_insecure_loopback": True,
    "limits": Limits(max_connections=1),
    "timeouts": Timeouts(read=150.0, pool=150.0),
    "deadline": None,
}
"""Options of a client with only one connection, on which a call can wait even on a busy machine."""


def ended(worker: Worker, within: float = 120.0) -> str:
    """Wait for the end of a process, and return its output."""
    end = time.monotonic() + within
    while worker.is_running:
        assert time.monotonic() < end, "the process doesn't end"
        time.sleep(0.01)
    return worker.output


def stopped(worker: Worker) -> None:
    end = time.monotonic() + 120
    while worker.state != "T":
        assert time.monotonic() < end, "the process doesn't stop"
        time.sleep(0.01)


def test_the_lease_is_checked_when_the_first_byte_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = threading.Event()

    def lost(_: _lease.Lease) -> bool:
        return not held.is_set()

    with CountingServer() as server:

        def lose() -> None:
            while not waiting():
                time.sleep(0.001)
            held.set()

        server.before_effect = lose
        client = GatewayClient(base_url=server.url, api_key=KEY, **ONE_CONNECTION)

        def waiting() -> bool:
            return bool(client._driver.transport._pool._process.waiting)  # a request waits for the only connection

        with client, opened(tmp_path / "l.db", client, concurrency=2) as run:
            run.add(jobs(client, 2))
            monkeypatch.setattr(_lease.Lease, "is_valid", property(lost))
            with pytest.raises(LeaseLostError, match="not sent"):
                list(run.send())
            assert run.counts() == Counts(done=1, ready=1)
            assert sum(server.effects.values()) == 1
            held.clear()
            server.before_effect = lambda: None
            monkeypatch.undo()
            assert [item.state for item in run.send()] == ["done"]
    assert set(server.effects.values()) == {1}


def test_the_lease_is_checked_when_the_first_byte_leaves_in_an_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, arrived = threading.Event(), threading.Event()
    monkeypatch.setattr(_lease.Lease, "is_valid", property(lambda _: not held.is_set()))

    def wait() -> None:
        arrived.set()
        held.wait(60)

    async def story(url: str) -> None:
        client = AsyncGatewayClient(base_url=url, api_key=KEY, **ONE_CONNECTION)
        async with client, AsyncRun(tmp_path / "l.db", client, concurrency=2) as run:
            await run.add(jobs(client, 2))
            reading = run.send()
            first = asyncio.ensure_future(anext(aiter(reading)))
            loops = client._driver.transport._pool._loops
            while not (arrived.is_set() and next(iter(loops.values())).waiting):
                await asyncio.sleep(0.001)
            held.set()  # the lease expires while the other item waits for the only connection
            assert (await first).state == "done"
            with pytest.raises(LeaseLostError, match="not sent"):
                async for _ in reading:
                    pass
            assert await run.counts() == Counts(done=1, ready=1)

    with CountingServer() as server:
        server.before_effect = wait
        asyncio.run(story(server.url))
        assert sum(server.effects.values()) == 1


def reading(path: Path, server: CountingServer, runs: list[Run]) -> None:
    """Send one item with a client whose only connection is in use for another charge."""
    client = GatewayClient(base_url=server.url, api_key=KEY, **ONE_CONNECTION)
    with client, opened(path, client, concurrency=1, lease=60) as run, ThreadPoolExecutor(1) as threads:
        run.add(jobs(client, 1))
        runs.append(run)
        busy = threads.submit(client.entitlements.charge, "ps-9", charge(9))
        until(lambda: bool(server.arrived))
        list(run.send())
        busy.result()


def reading_async(path: Path, server: CountingServer, runs: list[AsyncRun]) -> None:
    """Do the same in an event loop."""

    async def story() -> None:
        client = AsyncGatewayClient(base_url=server.url, api_key=KEY, **ONE_CONNECTION)
        async with client, AsyncRun(path, client, concurrency=1, lease=60) as run:
            await run.add(jobs(client, 1))
            runs.append(run)
            busy = asyncio.create_task(client.entitlements.charge("ps-9", charge(9)))
            while not server.arrived:
                await asyncio.sleep(0.001)
            try:
                async for _ in run.send():
                    pass
            finally:
                await busy

    asyncio.run(story())


@pytest.mark.parametrize("read", [reading, reading_async])
def test_a_process_that_knows_its_lease_expired_sends_nothing_more(tmp_path: Path, read: Any) -> None:
    path, go, runs = tmp_path / "l.db", threading.Event(), list[Any]()
    with CountingServer() as server, ThreadPoolExecutor(1) as threads:
        server.before_effect = lambda: None if len(server.arrived) > 1 else wait(go)
        read_there = threads.submit(read, path, server, runs)
        with GatewayClient(base_url=server.url, api_key=KEY, allow_insecure_loopback=True) as client:
            until(lambda: bool(server.arrived))
            with opened(path, client, lease=60) as other:
                until(lambda: other.counts().sent == 1)  # the item was claimed, and waits for the connection
                with other._open().database.write() as connection:
                    connection.exec_driver_sql("UPDATE subscribekit_owners SET ended = 1")
                    other._open().expire(connection, other._open().database.clock(connection)[1])
                (item,) = other.items("unknown")
                item.record_outcome("not_applied")  # this is true, because the request hasn't left
                assert [item.state for item in other.send()] == ["done"]
            engine = runs[0]._engine
            engine._claimer.last_renewal = 0.0  # as if a quarter of the lease had passed
            engine.wake()
            until(lambda: bool(engine.failures))
            go.set()
            with pytest.raises(LeaseLostError, match="stalled"):
                read_there.result()
    assert server.effects == {"t9": 1, "t0": 1}


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < end, "the condition doesn't become true"
        time.sleep(0.001)


def wait(event: threading.Event) -> None:
    assert event.wait(120)


@pytest.mark.parametrize("place", ["sqlite", "postgresql"], indirect=True)
def test_a_suspended_process_sends_nothing_more_and_keeps_recorded_outcomes(
    tmp_path: Path, nursery: Nursery, place: str
) -> None:
    items = 30
    with CountingServer() as server:
        killed = Killed(tmp_path, server, nursery, 1, place)
        # Each process stops after the ledger has marked an item as `sent`, but before the item's first byte leaves.
        # Until then, a busy machine must not let the lease expire.
        held = [killed.start(items=items, workers=1, stops=number, rate=100, lease=3.0) for number in (3, 5)]
        for each in held:
            stopped(each)
        other = killed.start(items=items, lease=3.0)
        assert "counts" in ended(other)
        with (
            GatewayClient(base_url=server.url, api_key=KEY, allow_insecure_loopback=True) as client,
            opened(place, client) as run,
        ):
            recorded, left = run.items("unknown")
            recorded.record_outcome("rejected", note="the operator says so")
            before = server.effects.copy()
            for each in held:
                assert each.kill(signal.SIGCONT)
                ended(each)
            assert server.effects == before
            assert (tmp_path / "errors").read_text().count("subscribekit.errors.LeaseLostError") == 2
            (kept,) = run.items("rejected")
            assert (kept.key, kept.note) == (recorded.key, "the operator says so")
            # The outcome of the other item is known: it was not sent.
            assert [(item.key, item.state) for item in run.send()] == [(left.key, "done")]
        assert killed.counts(items) == Counts(done=items - 1, rejected=1)
        assert set(server.effects.values()) == {1}


def test_one_of_four_processes_is_suspended_repeatedly(tmp_path: Path, nursery: Nursery, database: str) -> None:
    items = 200
    with CountingServer(seed=3, **FAULTS) as server:
        killed = Killed(tmp_path, server, nursery, 3, database)
        workers = [killed.start(items=items, rate=400) for _ in range(4)]
        while any(worker.is_running for worker in workers):
            worker = killed.drawn.choice(workers)
            worker.kill(signal.SIGSTOP)
            time.sleep(killed.drawn.uniform(0.0, 2 * LEASE))
            worker.kill(signal.SIGCONT)
            time.sleep(killed.drawn.uniform(0.0, 0.05))
        killed.finish("counts", items=items)
        killed.counts(items)


def test_a_process_suspended_in_a_transaction_does_not_block_the_others(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_database, "BUSY_SECONDS", 0.3)
    service = Ledgered()
    with client_of(service) as client, opened(database, client, rate_limit=RateLimit(10_000)) as run:
        run.add(jobs(client, 5))
        ledger = run._open()

        def hold_up() -> None:
            with ledger.database.write() as connection:
                ledger.database.lock_ledger(connection)
                ledger.pace(connection, changing=True)
                _, now = ledger.database.clock(connection)
                ledger.claim(connection, ledger.register(connection, "held up", now, 60), 2, now)
                others.wait(10)  # the server gets no message, as if the machine had lost its power

        others = threading.Event()
        with ThreadPoolExecutor(1) as threads:
            held = threads.submit(hold_up)
            with opened(database, client, rate_limit=RateLimit(10_000)) as other:
                other.add(jobs(client, 8))
                assert len(list(other.send())) == 8
            others.set()
            with pytest.raises(LedgerError, match="idle"):
                held.result()
        assert run.counts() == Counts(done=8)
    assert set(service.effects.values()) == {1}


def test_a_server_that_stops_responding_is_detected(database: str) -> None:
    def known(url: str) -> dict[str, str]:
        with client_of() as client, opened(url, client) as run, run._open().database.read() as connection:
            return connection.connection.driver_connection.info.get_parameters()

    expected = {"tcp_user_timeout": "30000", "keepalives_idle": "15", "connect_timeout": "20"}
    assert known(database).items() >= expected.items()
    assert known(f"{database}&connect_timeout=7")["connect_timeout"] == "7"


def test_the_rate_limiter_returns_the_wait_for_the_next_item() -> None:
    limiter = Limiter(RateLimit(1, per=60))
    assert limiter.allowed(0, 1000.0, 3) == (1, pytest.approx(60.0, abs=0.01))
    spent = limiter.spend(0, 1000.0, 1)
    assert limiter.allowed(spent, 1045.0, 1) == (0, pytest.approx(15.0, abs=0.01))
    assert limiter.allowed(spent, 1060.0, 1) == (1, 0.0)
