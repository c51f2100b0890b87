"""Drives generators that yield steps, for sync and async callers."""

from collections.abc import Awaitable, Callable, Generator, Iterable
from typing import TypeVar

T = TypeVar("T")
S = TypeVar("S")
R = TypeVar("R")


def drive(steps: Generator[S, R, T], perform: Callable[[S], R]) -> T:
    """Perform each step that a generator yields, send the reply to the generator, and return the generator's result."""
    try:
        step = next(steps)
        while True:
            step = steps.send(perform(step))
    except StopIteration as stop:
        done: T = stop.value
        return done


async def drive_async(steps: Generator[S, R, T], perform: Callable[[S], Awaitable[R]]) -> T:
    """Run a generator's steps as `drive` does, but await each step."""
    try:
        step = next(steps)
        while True:
            step = steps.send(await perform(step))
    except StopIteration as stop:
        done: T = stop.value
        return done


async def gathered(awaitables: Iterable[Awaitable[T]]) -> list[T]:
    """Await all awaitables and return their results. If one awaitable fails, cancel the other awaitables."""
    import asyncio  # asyncio is imported here, because sync callers don't need it

    tasks = [asyncio.ensure_future(each) for each in awaitables]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
