"""If a task is canceled or a thread is ended by other code, no wait of a run lasts longer than that task or thread."""

from __future__ import annotations

import asyncio
import ctypes
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import Ledgered, charge, client_of, jobs, opened
from bulk.test_interrupted import Hanging, async_client, within
from subscribekit.bulk import AsyncRun, Counts, Run
from subscribekit.bulk._sending import background as _background
from subscribekit.bulk._sending import engine as _engine
from subscribekit.bulk._sending import workers as _workers
from subscribekit.bulk._sending.runtime import Runtime, SystemRuntime, Thread
from subscribekit.errors import BulkError, LedgerError

pytestmark = pytest.mark.hazard("H390")


class Ended(BaseException):
    """An exception that other code raises in a thread to end the thread."""


def end_threads(name: str) -> int:
    """Raise an exception in all threads with a name, as a server does at shutdown, and return the number of threads."""
    found = [thread.ident for thread in threading.enumerate() if thread.name == name]
    for ident in found:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident or 0), ctypes.py_object(Ended))
    return len(found)


def end_the_ledger_thread() -> None:
    """End the thread that writes the ledger, while the thread waits for its next message.

    In the middle of a transaction, the exception could stop SQLAlchemy's rollback, so that the ledger stays locked.
    """
    until(is_the_ledger_thread_waiting)
    assert end_threads("subscribekit-bulk") == 1


def is_the_ledger_thread_waiting() -> bool:
    frames = sys._current_frames()
    idents = [thread.ident for thread in threading.enumerate() if thread.name == "subscribekit-bulk"]
    return any(frames[ident].f_code.co_name == "_handle_until" for ident in idents if ident in frames)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (_background, _engine, _workers):
        monkeypatch.setattr(module, "CHECK_THREADS", 0.02)


# Threads


class Holding(Ledgered):
    """Delays all charges until released, without locks, which an exception from outside could leave locked."""

    def __init__(self) -> None:
        self.begun = self.go = False
        super().__init__(self.hold)

    def hold(self, _: str) -> None:
        self.begun = True
        until(lambda: self.go)


def until(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < end, "the condition doesn't become true"
        time.sleep(0.001)


def workers() -> int:
    return sum(thread.name == "subscribekit-worker" for thread in threading.enumerate())


@pytest.mark.parametrize("items", [1, 40], ids=["idle workers", "workers that receive an item"])
def test_send_raises_an_error_if_its_worker_threads_are_ended(path: Path, items: int) -> None:
    service = Holding()

    def end() -> None:
        until(lambda: service.begun and workers() == 4)
        assert end_threads("subscribekit-worker") == 4
        service.go = True

    def read() -> None:
        ending = threading.Thread(target=end)
        ending.start()
        with pytest.raises(Ended):
            list(run.send())
        ending.join()

    with client_of(service) as client, opened(path, client, lease=60.0) as run:
        run.add(jobs(client, items))
        within(20, read)
        counts = run.counts()
        assert counts.sent == 0
        assert counts.done <= len(service.effects) <= counts.done + counts.unknown
        within(20, lambda: list(run.send()))
        assert run.counts().ready == run.counts().sent == 0
    assert set(service.effects.values()) <= {1}


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_send_raises_an_error_if_the_ledger_thread_is_ended(path: Path, style: str) -> None:
    service, number = Ledgered(lambda _: time.sleep(0.001)), 300

    def blocking() -> None:
        with client_of(service) as client, opened(path, client, lease=60.0) as run:
            run.add(jobs(client, number))

            def read() -> None:
                for each, _ in enumerate(run.send()):
                    if each == 20:
                        end_the_ledger_thread()

            with pytest.raises(LedgerError, match="the thread that writes the ledger"):
                read()
            end_leases(run)
            list(run.send())
            counts.append(run.counts())

    async def in_a_loop() -> None:
        async with async_client(service) as client, AsyncRun(path, client, concurrency=4, lease=60.0) as run:
            await run.add(jobs(client, number))

            async def read() -> None:
                each = 0
                async for _ in run.send():
                    each += 1
                    if each == 20:
                        end_the_ledger_thread()

            with pytest.raises(LedgerError, match="the thread that writes the ledger"):
                await read()
            end_leases(run)
            async for _ in run.send():
                pass
            counts.append(await run.counts())

    counts: list[Counts] = []
    within(30, blocking if style == "blocking" else lambda: asyncio.run(in_a_loop()))
    assert counts[0].done + counts[0].unknown == number
    assert counts[0].done >= number - 20
    assert set(service.effects.values()) == {1}


def end_leases(run: Any) -> None:
    """Let all leases expire, as if time had passed."""
    with run._open().database.write() as connection:
        connection.exec_driver_sql("UPDATE subscribekit_owners SET ended = 1")


class Dead:
    """A thread that ended before its first line."""

    def is_alive(self) -> bool:
        return False

    def join(self, timeout: float | None = None) -> None:
        pass


class DeadRuntime(SystemRuntime):
    """A runtime in which threads with a certain name end before their first line."""

    def __init__(self, run: Run | AsyncRun, name: str) -> None:
        super().__init__(run._settings.clock)
        self.name: str | None = name

    def start(self, work: Callable[[], object], name: str) -> Any:
        return Dead() if name == self.name else super().start(work, name)


def dying(name: str) -> type[Run]:
    class Dying(Run):
        def _make_runtime(self) -> Runtime:
            return DeadRuntime(self, name)

    return Dying


@pytest.mark.parametrize("name", ["subscribekit-worker", "subscribekit-bulk"])
def test_send_ends_if_its_threads_end_before_their_first_line(path: Path, name: str) -> None:
    def read() -> None:
        with pytest.raises((BulkError, LedgerError), match="ended"):
            list(run.send())

    with client_of(service := Ledgered()) as client:
        run = dying(name)(path, client, concurrency=3)
        run.add(jobs(client, 3))
        within(20, read)
        within(20, run.close)
    assert not service.arrived


@pytest.mark.parametrize("name", ["subscribekit-send-once", "subscribekit-bulk"])
def test_a_thread_that_ends_before_its_first_line_ends_once(path: Path, name: str) -> None:
    def once() -> None:
        with pytest.raises((BulkError, LedgerError), match="ended"):
            run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1)))

    with client_of(service := Ledgered()) as client:
        run = dying(name)(path, client)
        within(20, once)
        assert run.counts() == Counts(ready=1)
        within(20, run.close)
    assert not service.arrived


def test_a_run_whose_item_of_send_once_could_not_be_written_can_be_closed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise LedgerError("the disk is full")

    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.0)
    with client_of(service := Ledgered()) as client:
        run = opened(path, client, lease=60.0)
        monkeypatch.setattr(_engine.Ledger, "write_results", broken)
        within(20, lambda: run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1))))
        within(20, run.close)
    assert service.effects == {"t1": 1}


def test_a_call_whose_thread_is_ended_raises_an_error(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        run._runtime = DeadRuntime(run, "subscribekit-ledger")
        for call in (run.counts, lambda: list(run.items()), run.purge_data, lambda: run.add(jobs(client, 1))):
            with pytest.raises(LedgerError, match="ended by other code"):
                call()
        run._runtime.name = None
        assert run.counts() == Counts()


# Tasks


def others() -> list[asyncio.Task[Any]]:
    return [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


@pytest.mark.parametrize("when", ["before their first step", "while they send"])
def test_send_raises_an_error_if_its_worker_tasks_are_canceled(path: Path, when: str) -> None:
    service = Hanging()
    service.seconds = 60.0

    async def story() -> None:
        async with async_client(service) as client, AsyncRun(path, client, concurrency=3, lease=60.0) as run:
            await run.add(jobs(client, 12))

            async def read() -> None:
                async for _ in run.send():
                    pass

            def made(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **options: Any) -> Any:
                task = asyncio.Task(work, loop=loop, **options)
                if work.__name__ == "_work":
                    task.cancel()
                return task

            if when == "before their first step":
                asyncio.get_running_loop().set_task_factory(made)
            reading = asyncio.create_task(read())
            while when == "while they send" and service.begun < 3:
                await asyncio.sleep(0.001)
            for task in others() if when == "while they send" else []:
                if task is not reading:
                    task.cancel()
            with pytest.raises(BulkError, match="canceled by other code"):
                await reading
            asyncio.get_running_loop().set_task_factory(None)
            service.seconds = 0.0
            counts = await run.counts()
            assert counts.sent == 0
            assert counts.unknown == (3 if when == "while they send" else 0)
            states = [item.state async for item in run.send()]
            assert states == ["done"] * counts.ready

    within(20, lambda: asyncio.run(story()))
    assert set(service.effects.values()) <= {1}


def test_send_raises_the_error_of_a_worker_task(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(_: _workers.TaskWorker) -> None:
        raise MemoryError("no memory for the item")

    monkeypatch.setattr(_workers.TaskWorker, "wait_for_claim", fail)
    service = Hanging()

    async def story() -> None:
        async with async_client(service) as client, AsyncRun(path, client, concurrency=2, lease=60.0) as run:
            await run.add(jobs(client, 4))
            with pytest.raises(MemoryError, match="no memory"):
                async for _ in run.send():
                    pass
            assert await run.counts() == Counts(ready=4)

    within(20, lambda: asyncio.run(story()))
    assert service.begun == 0


def test_send_once_leaves_the_item_ready_if_its_task_is_canceled_on_arrival(path: Path) -> None:
    service = Hanging()

    def made(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any], **options: Any) -> Any:
        task = asyncio.Task(work, loop=loop, **options)
        if work.__name__ == "_send_alone":  # cancels the task, as a server does at shutdown
            task.cancel()
            for each in waiting:
                each.cancel()
        return task

    waiting: list[asyncio.Task[Any]] = []

    async def story() -> None:
        async with async_client(service) as client:
            async with AsyncRun(path, client, lease=60.0) as run:
                asyncio.get_running_loop().set_task_factory(made)
                waiting.append(
                    asyncio.create_task(run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1))))
                )
                with pytest.raises(asyncio.CancelledError):
                    await waiting[0]
            async with AsyncRun(path, client) as after:
                assert await after.counts() == Counts(ready=1)

    within(20, lambda: asyncio.run(story()))
    assert service.begun == 0


def test_a_run_whose_loop_was_closed_can_be_closed(path: Path) -> None:
    service = Hanging()
    client, kept = async_client(service), list[Any]()
    run = AsyncRun(path, client, concurrency=3, lease=60.0)

    async def story() -> None:
        await run.add(jobs(client, 12))
        kept.append(run.send())
        await anext(aiter(kept[0]))

    def break_off() -> None:
        loop = asyncio.new_event_loop()  # its tasks aren't canceled before the loop is closed
        loop.run_until_complete(story())
        loop.close()

    within(20, break_off)
    within(20, run._close)
    with client_of(service) as blocking, opened(path, blocking) as after:
        assert after.counts().sent == 0


def test_a_run_whose_loop_was_closed_during_send_once_can_be_closed_in_another_loop(path: Path) -> None:
    service, kept = Hanging(), list[Any]()
    service.seconds = 60.0
    client = async_client(service)
    run = AsyncRun(path, client, lease=60.0)

    async def story() -> None:
        kept.append(asyncio.create_task(run.send_once("a", client.prepare.entitlements.charge("ps-1", charge(1)))))
        while not service.begun:
            await asyncio.sleep(0.001)

    def break_off() -> None:
        loop = asyncio.new_event_loop()
        loop.run_until_complete(story())
        loop.close()

    within(20, break_off)
    within(20, lambda: asyncio.run(run.aclose()))
    with client_of() as blocking, opened(path, blocking) as after:
        assert after.counts() == Counts(unknown=1)


@pytest.mark.parametrize("use", ["results", "once"])
def test_a_loop_does_not_wait_for_an_engine_that_ended_before_its_first_line(path: Path, use: str) -> None:
    class Dying(AsyncRun):
        def _make_runtime(self) -> Runtime:
            return DeadRuntime(self, "subscribekit-bulk")

    async def story() -> None:
        async with async_client(Hanging()) as client, Dying(path, client, concurrency=3) as run:
            await run.add(jobs(client, 1))
            request = dict(jobs(client, 1))["order-0"]
            with pytest.raises(LedgerError, match="ended"):
                _ = await run.send_once("order-0", request) if use == "once" else [item async for item in run.send()]
            assert await run.counts() == Counts(ready=1)

    within(20, lambda: asyncio.run(story()))


def test_the_handle_of_a_thread_reports_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    go = threading.Event()
    thread: Thread = SystemRuntime(client_of()._driver.settings.clock).start(lambda: go.wait(20), "a thread")
    assert thread.is_alive()
    thread.join(0.01)
    assert thread.is_alive()
    go.set()
    thread.join()
    assert not thread.is_alive()
