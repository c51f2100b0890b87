"""Drives contenders: one client for all rounds, sync or in one event loop, in one or more threads or tasks."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, AbstractContextManager
from typing import TypeVar

from benchmarks.measure import Contender, Measure, clocked

S = TypeVar("S")

Call = Callable[[S], object]
AsyncCall = Callable[[S], Coroutine[object, object, object]]
Work = Callable[[S, int], int]
AsyncWork = Callable[[S, int], Coroutine[object, object, int]]


def blocking(client: Callable[[], AbstractContextManager[S]], work: Work[S]) -> Contender:
    """Measure work with a sync client."""

    @contextlib.contextmanager
    def opened() -> Generator[Measure]:
        with client() as entered:
            yield clocked(lambda units: work(entered, units))

    return opened


def looped(client: Callable[[], AbstractAsyncContextManager[S]], work: AsyncWork[S]) -> Contender:
    """Measure work with an async client, with one event loop for all rounds."""

    @contextlib.contextmanager
    def opened() -> Generator[Measure]:
        with asyncio.Runner() as runner:
            stack = contextlib.AsyncExitStack()

            async def enter() -> S:
                return await stack.enter_async_context(client())

            entered = runner.run(enter())
            try:
                yield clocked(lambda units: runner.run(work(entered, units)))
            finally:
                runner.run(stack.aclose())

    return opened


def repeated(call: Call[S]) -> Work[S]:
    """Make `units` calls, one after the other."""

    def work(client: S, units: int) -> int:
        for _ in range(units):
            call(client)
        return units

    return work


def threaded(call: Call[S], threads: int) -> Work[S]:
    """Make `units` calls, divided between threads."""
    if threads == 1:
        return repeated(call)
    alone = repeated(call)

    def work(client: S, units: int) -> int:
        with ThreadPoolExecutor(threads) as pool:
            return sum(pool.map(lambda share: alone(client, share), shares(units, threads)))

    return work


def spread(call: AsyncCall[S], tasks: int = 1) -> AsyncWork[S]:
    """Make `units` calls, divided between tasks."""

    async def work(client: S, units: int) -> int:
        async def task(share: int) -> int:
            for _ in range(share):
                await call(client)
            return share

        return sum(await asyncio.gather(*(task(share) for share in shares(units, tasks))))

    return work


def shares(units: int, tasks: int) -> list[int]:
    """Divide work between tasks as evenly as possible."""
    return [units // tasks + (number < units % tasks) for number in range(tasks)]


def spin(seconds: float) -> None:
    """Keep the interpreter busy for some seconds, without releasing the GIL for a wait."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass
