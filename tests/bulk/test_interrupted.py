"""After any interrupt, a run ends with an error and leaves no item without an owner.

Hazards: H142, H143, H144, H145, H149.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from bulk.kit import KEY, URL, Ledgered, charge, client_of, jobs, opened
from subscribekit import AsyncGatewayClient, RetryPolicy
from subscribekit.bulk import AsyncRun, Counts
from subscribekit.bulk._sending import engine as _engine
from subscribekit.errors import LedgerError, OutcomeUnknownError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


def within(seconds: float, work: Callable[[], object]) -> None:
    """Run a function in a thread, and fail if it takes too long. On a busy machine, it may take three times as long."""
    failures: list[BaseException] = []

    def noted() -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=noted, daemon=True)
    thread.start()
    thread.join(3 * seconds)
    assert not thread.is_alive(), "the call doesn't return"
    if failures:
        raise failures[0]


# Results that could not be written


@pytest.mark.parametrize("again", ["results", "once"])
def test_items_whose_results_could_not_be_written_are_not_sent_again(
    path: Path, monkeypatch: pytest.MonkeyPatch, again: str
) -> None:
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.05)
    service, is_broken = Ledgered(), threading.Event()
    service.answer = lambda _: is_broken.set()
    with client_of(service) as client, opened(path, client, concurrency=2, lease=2.0) as run:
        run.add(jobs(client, 4))
        end = _engine.Ledger.write_results

        def broken(*arguments: Any) -> set[int]:
            if is_broken.is_set():
                raise LedgerError("the disk is full")
            return end(*arguments)

        monkeypatch.setattr(_engine.Ledger, "write_results", broken)
        with pytest.raises(LedgerError, match="full"):
            list(run.send())
        monkeypatch.undo()
        sent = set(service.arrived)
        assert 0 < len(sent) <= 2
        if again == "once":
            (key, *_) = (f"order-{each[1:]}" for each in sent)
            with pytest.raises(OutcomeUnknownError):
                run.send_once(key, dict(jobs(client, 4))[key])
        list(run.send())
        assert run.counts() == Counts(done=4 - len(sent), unknown=len(sent))
    assert set(service.effects.values()) == {1}


@pytest.mark.parametrize("text", ["\ud800 lone", "a\0b", "\U0001f4b8", "x" * 100_000])
def test_an_outcome_is_written_whatever_text_the_service_sends(tmp_path: Path, place: str, text: str) -> None:
    body = httpx.Response(400, content=json.dumps({"message": text, "code": text}))
    service = Ledgered(lambda charged: body if charged == "t1" else None)
    with client_of(service) as client, opened(place, client, concurrency=2) as run:
        run.add(jobs(client, 4))
        states = {item.key: item.state for item in run.send()}
        assert states == {f"order-{each}": "rejected" if each == 1 else "done" for each in range(4)}
        (item,) = run.items("rejected")
        str(item.error)
        assert run.report(tmp_path / "report.csv") == 4


def test_an_outcome_is_written_whatever_text_an_error_has(place: str) -> None:
    service = Ledgered(lambda charged: RuntimeError("\ud800 and \0") if charged == "t1" else None)
    with client_of(service) as client, opened(place, client, concurrency=1) as run:
        run.add(jobs(client, 4))
        with pytest.raises(RuntimeError):
            list(run.send())
        assert run.counts() == Counts(done=1, unknown=1, ready=2)
        assert [item.key for item in run.items("unknown")] == ["order-1"]


# Readers of the results


def test_an_interrupt_in_the_progress_at_the_start_leaves_a_run_that_can_be_used(path: Path) -> None:
    def progress(_: Counts) -> None:
        raise KeyboardInterrupt

    service = Ledgered()
    with client_of(service) as client:
        run = opened(path, client)
        run.add(jobs(client, 3))
        with pytest.raises(KeyboardInterrupt):
            list(run.send(progress=progress))
        within(5, lambda: list(run.send()))
        with pytest.raises(KeyboardInterrupt):
            list(run.send(progress=progress))
        within(5, run.close)
    assert len(service.arrived) == 3


def test_an_interrupt_in_the_progress_ends_the_run_in_order(path: Path) -> None:
    service, reported = Ledgered(), list[Counts]()

    def progress(counts: Counts) -> None:
        reported.append(counts)
        if len(reported) > 1:
            raise KeyboardInterrupt

    with client_of(service) as client, opened(path, client) as run:
        run.add(jobs(client, 50))
        with pytest.raises(KeyboardInterrupt):
            list(run.send(progress=progress))
        counts = run.counts()
        assert counts.sent == counts.unknown == 0
        assert counts.done == len(service.arrived)
        list(run.send())
    assert set(service.effects.values()) == {1}


def test_threads_that_cannot_be_started_leave_a_run_that_can_be_used(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, number = threading.Thread.start, iter(range(100))

    def few(thread: threading.Thread) -> None:
        if thread.name == "subscribekit-worker" and next(number) == 2:
            raise RuntimeError("can't start new thread")
        start(thread)

    with client_of() as client:
        run = opened(path, client)
        run.add(jobs(client, 30))
        monkeypatch.setattr(threading.Thread, "start", few)
        with pytest.raises(RuntimeError, match="start new thread"):
            list(run.send())
        monkeypatch.undo()
        assert run.counts().sent == 0
        within(5, lambda: list(run.send()))
        within(5, run.close)


def test_an_error_while_adding_keeps_earlier_batches(path: Path) -> None:
    def broken(client: Any) -> Iterator[tuple[str, Any]]:
        yield from jobs(client, 700)
        raise ZeroDivisionError

    with client_of() as client, opened(path, client) as run:
        with pytest.raises(ZeroDivisionError):
            run.add(broken(client))
        assert run.counts() == Counts(ready=500)
        assert run.add(jobs(client, 700)) == 200


def test_a_reader_that_stops_reading_does_not_claim_all_items(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client:
        with opened(path, client) as run:
            run.add(jobs(client, 300))
            reading = run.send()
            next(reading)
            time.sleep(0.3)
            assert len(service.arrived) < 100
        with opened(path, client) as run:
            assert run.counts() == Counts(done=len(service.arrived), ready=300 - len(service.arrived))
        reading.close()


# Signals


class Signalling:
    """A lock in which a signal arrives."""

    def __init__(self, inner: Any) -> None:
        self._inner, self._is_first = inner, True

    def __enter__(self) -> None:
        assert self._inner.acquire(timeout=3), "the signal handler waits for its own thread"
        if self._is_first and threading.current_thread() is threading.main_thread():
            self._is_first = False
            signal.raise_signal(signal.SIGINT)

    def __exit__(self, *_: object) -> None:
        self._inner.release()


def test_a_signal_in_the_middle_of_the_counting_does_not_hang(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 100))
        reading = run.send()
        next(reading)
        run._session._lock = Signalling(run._session._lock)  # type: ignore[union-attr,assignment]
        with pytest.raises(KeyboardInterrupt):
            list(reading)
        assert run.counts().sent == 0


def test_a_signal_while_the_loop_is_being_left_is_not_lost(path: Path) -> None:
    go, begun = threading.Event(), threading.Event()

    def wait(charged: str) -> None:
        if charged != "t0":
            begun.set()
            go.wait(5)

    def interrupt() -> None:
        time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.1)
        go.set()

    with client_of(Ledgered(wait)) as client, opened(path, client, concurrency=2) as run:
        run.add(jobs(client, 9))
        reading = run.send()
        next(reading)
        begun.wait(5)
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            reading.close()
        assert run.counts().sent == 0


def test_two_overlapping_runs_restore_the_signal_handlers(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGINT)
    with client_of() as client:
        first, second = opened(tmp_path / "a.db", client), opened(tmp_path / "b.db", client)
        first.add(jobs(client, 5))
        second.add(jobs(client, 300))
        one, two = first.send(), second.send()
        next(one), next(two)
        list(one)
        first.close()
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            list(two)
        assert second.stopped == "interrupted by SIGINT"
        second.close()
        assert signal.getsignal(signal.SIGINT) == before
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_an_abandoned_iteration_restores_the_signal_handlers(path: Path) -> None:
    with client_of() as client:
        with opened(path, client) as run:
            run.add(jobs(client, 50))
            reading = run.send()
            next(reading)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        reading.close()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.posix("there is no fork")
def test_a_child_forked_during_send_ends_at_the_first_signal(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 20))
        reading = run.send()
        next(reading)
        number = os.fork()
        if number == 0:
            try:
                os.kill(os.getpid(), signal.SIGTERM)
                time.sleep(1)
            finally:
                os._exit(7)
        assert os.waitpid(number, 0)[1] == signal.SIGTERM
        assert len(list(reading)) == 19


# Single items in another engine


class Timeout(BaseException):
    """The exception that an engine raises in a task at its time limit."""


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """Return a function that raises an engine's time limit in the main thread. The test's own limit uses SIGALRM."""
    main = threading.get_ident()

    def interrupted(*_: object) -> None:
        raise Timeout

    before = signal.signal(signal.SIGUSR1, interrupted)
    try:
        yield lambda: signal.pthread_kill(main, signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_send_once_returns_its_result_without_another_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subscribekit.bulk._run.ITEM_POLL_INTERVAL", -1.0)  # sleeping for this time raises an error
    with client_of(Ledgered()) as client, opened(path, client) as run:
        assert (
            run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1))).transaction_reference_id
            == "ref-t1"
        )


def test_send_once_that_is_interrupted_while_it_waits_leaves_the_item_ready(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, interruptible() as interrupt:
        run = opened(path, client)
        request = client.prepare.entitlements.charge("ps-1", charge(1))
        run.add([("a", request)])
        run._started().pause_process(0.3)
        threading.Timer(0.1, interrupt).start()
        with pytest.raises(Timeout):
            run.send_once("a", request)
        time.sleep(0.4)
        assert run.counts() == Counts(ready=1)
        within(5, lambda: run.send_once("a", request))
        within(5, run.close)
    assert service.arrived == ["t1"]


def test_close_writes_the_result_of_an_interrupted_send_once(path: Path) -> None:
    go, begun = threading.Event(), threading.Event()

    def wait(_: str) -> None:
        begun.set()
        assert go.wait(10)

    with client_of(Ledgered(wait)) as client, interruptible() as interrupt:
        with opened(path, client) as run:
            threading.Thread(target=lambda: begun.wait(10) and interrupt()).start()
            with pytest.raises(Timeout):
                run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1)))
            threading.Timer(0.1, go.set).start()
        with opened(path, client) as after:
            assert after.counts() == Counts(done=1)


def test_a_pause_of_centuries_is_shortened(path: Path) -> None:
    answers = [httpx.Response(429, headers={"Retry-After": "999999999"})]
    with client_of(Ledgered(lambda _: answers.pop() if answers else None)) as client, opened(path, client) as run:
        run.add(jobs(client, 1))
        within(5, lambda: list(run.send()))
        assert run.counts() == Counts(rejected=1)
        with run._open().database.read() as connection:
            (until, now) = connection.exec_driver_sql("SELECT paused_until, 0 FROM subscribekit_ledger").one()
            _, now = run._open().database.clock(connection)
        assert until - now <= 3600


# Async runs


class Hanging(Ledgered):
    """A service that responds after some time."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.seconds = 0, 0.02

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        self.begun += 1
        await asyncio.sleep(self.seconds)
        return await super().handle_async_request(request)


def async_client(service: Ledgered) -> AsyncGatewayClient:
    return AsyncGatewayClient(base_url=URL, api_key=KEY, transport=service, retry=RetryPolicy(max_attempts=1))


@pytest.mark.parametrize("after", [0.0, 0.001, 0.003, 0.006, 0.01, 0.02, 0.05])
def test_a_task_that_is_cancelled_anywhere_leaves_a_run_that_can_be_used(path: Path, after: float) -> None:
    service = Hanging()

    async def story() -> None:
        async with async_client(service) as client, AsyncRun(path, client, concurrency=3, lease=5.0) as run:
            await run.add(jobs(client, 12))

            async def read() -> None:
                async for _ in run.send():
                    pass

            task = asyncio.create_task(read())
            await asyncio.sleep(after)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            counts = await run.counts()
            assert counts.sent == counts.unknown == 0
            assert [item.state async for item in run.send()] == ["done"] * counts.ready

    within(15, lambda: asyncio.run(story()))
    assert set(service.effects.values()) == {1}
    assert len(service.effects) == 12


def test_a_second_cancellation_makes_items_in_flight_unknown(path: Path) -> None:
    service = Hanging()

    async def story() -> None:
        async with async_client(service) as client, AsyncRun(path, client, concurrency=3, lease=60.0) as run:
            await run.add(jobs(client, 12))

            async def read() -> None:
                async for _ in run.send():
                    pass

            task = asyncio.create_task(read())
            while service.begun < 2:
                await asyncio.sleep(0.001)
            service.seconds = 60.0  # no response arrives between the two signals, even on a busy machine
            while service.begun < 5:
                await asyncio.sleep(0.001)
            task.cancel()
            await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            service.seconds = 0.0
            states = [item.state async for item in run.send()]  # this doesn't wait for the lease
            assert (await run.counts()).total == 12
            assert (await run.counts()).unknown > 0
            assert set(states) <= {"done", "unknown"}

    within(15, lambda: asyncio.run(story()))
    assert set(service.effects.values()) == {1}


def test_close_writes_the_result_of_a_canceled_send_once(path: Path) -> None:
    service = Hanging()

    async def story() -> None:
        async with async_client(service) as client:
            async with AsyncRun(path, client, lease=60.0) as run:
                task = asyncio.create_task(run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1))))
                while not service.begun:
                    await asyncio.sleep(0.001)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
            async with AsyncRun(path, client) as after:
                assert await after.counts() == Counts(done=1)

    within(15, lambda: asyncio.run(story()))


@pytest.mark.parametrize("held", [True, False])
def test_a_canceled_send_once_leaves_no_request_in_flight(path: Path, held: bool) -> None:
    service = Hanging()

    async def story() -> None:
        async with async_client(service) as client, AsyncRun(path, client, lease=60.0) as run:
            request = client.prepare.entitlements.charge("ps-1", charge(1))
            await run.add([("a", request)])
            if held:
                run._started().pause_process(0.2)
            task = asyncio.create_task(run.send_once("a", request))
            while not (held or service.begun):
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.1 if held else 0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.sleep(0.3)
            counts = await run.counts()
            assert counts.sent == 0
            assert counts == (Counts(ready=1) if held else Counts(done=1))

    within(15, lambda: asyncio.run(story()))


def test_a_run_can_be_closed_after_its_event_loop_ended(path: Path) -> None:
    service = Hanging()
    client = async_client(service)
    run = AsyncRun(path, client, concurrency=3, lease=60.0)

    async def story() -> None:
        await run.add(jobs(client, 12))
        reading = run.send()
        await anext(aiter(reading))
        kept.append(reading)  # the iteration is abandoned, and the loop ends while its workers run

    kept: list[object] = []
    within(10, lambda: asyncio.run(story()))
    within(10, run._close)
    with client_of(service) as blocking, opened(path, blocking) as after:
        counts = after.counts()
        assert counts.sent == 0
        assert counts.total == 12
        list(after.send())
    assert set(service.effects.values()) == {1}
