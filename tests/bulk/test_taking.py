"""Items are claimed only for workers that can send them, because a claimed item is unknown after a kill (H300)."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from bulk.kit import KEY, URL, Ledgered, client_of, jobs, opened
from subscribekit import AsyncGatewayClient
from subscribekit.bulk import AsyncRun, Counts
from subscribekit.hooks import Hooks

WORKERS, ITEMS, ASIDE = 16, 40, 3


class Held(Ledgered):
    """A service that responds only when a test releases it."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.reached = threading.Semaphore(0)
        super().__init__(self.wait)

    def wait(self, _: str) -> None:
        self.reached.release()
        assert self.go.wait(30)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.reached.release()
        while not self.go.is_set():
            await asyncio.sleep(0.001)
        return await super().handle_async_request(request)


def sending(style: str, path: Path, service: Ledgered, hooks: Hooks, started: SimpleQueue[Any]) -> None:
    """Send all items, and pass the run to the test through `started`."""
    options: dict[str, Any] = {"observers": [hooks]}
    if style == "blocking":
        with client_of(service, **options) as client, opened(path, client, concurrency=WORKERS) as run:
            run.add(jobs(client, ITEMS))
            started.put(run)
            list(run.send())
        return

    async def story() -> None:
        async with (
            AsyncGatewayClient(base_url=URL, api_key=KEY, transport=service, **options) as client,
            AsyncRun(path, client, concurrency=WORKERS, lease=5.0) as run,
        ):
            await run.add(jobs(client, ITEMS))
            started.put(run)
            async for _ in run.send():
                pass

    asyncio.run(story())


def steady_counts(run: Any) -> Counts:
    """Count the items once all workers have an item or wait for one, and the engine has checked the waiting ones."""
    while run._engine is None or len(run._engine._in_flight.workers) + len(run._engine._waiters) < WORKERS:
        time.sleep(0.001)
    for _ in range(3):
        looked: SimpleQueue[Any] = SimpleQueue()
        worker: Any = SimpleNamespace(claim=None, was_sent=False, deliver=looked.put, has_ended=lambda: False)
        run._engine.request_item(worker, "an item that is not there")
        assert looked.get(timeout=30) is None
    counts = run._counts()
    assert isinstance(counts, Counts)
    return counts


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_few_items_are_claimed_before_a_worker_sends_them(style: str, tmp_path: Path) -> None:
    """Before H300 was fixed, each worker had an item in the ledger, although no worker was able to send."""
    go, started, service = threading.Event(), SimpleQueue[Any](), Ledgered()

    def hold(_: object) -> None:
        assert go.wait(30)

    hooks = Hooks(on_request=hold)
    thread = threading.Thread(target=sending, args=(style, tmp_path / "l.db", service, hooks, started))
    thread.start()
    run = started.get(timeout=30)
    counts = steady_counts(run)
    go.set()
    thread.join()
    assert counts.sent == ASIDE
    assert service.effects == {f"t{number}": 1 for number in range(ITEMS)}


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_all_workers_send_concurrently_to_a_slow_service(style: str, tmp_path: Path) -> None:
    started, service = SimpleQueue[Any](), Held()
    thread = threading.Thread(target=sending, args=(style, tmp_path / "l.db", service, Hooks(), started))
    thread.start()
    run = started.get(timeout=30)
    for _ in range(WORKERS):
        assert service.reached.acquire(timeout=30)
    counts = steady_counts(run)
    service.go.set()
    thread.join()
    assert counts.sent == WORKERS
    assert service.effects == {f"t{number}": 1 for number in range(ITEMS)}
