"""Drives generators that yield steps, for sync and async callers."""

from collections.abc import Awaitable, Callable, Generator, Iterable
from typing import TypeVar

T = TypeVar("T")
S = TypeVar("S")
R = TypeVar("R")


def drive(steps: Generator[S, R, T], perform: Callable[[S], R]) -> T:
    """Perform each step that a generator yields, send it the reply, and return its result."""
    try:
        step = next(steps)
        while True:
            step = steps.send(perform(step))
    except StopIteration as stop:
        done: T = stop.value
        return done


async def drive_async(steps: Generator[S, R, T], perform: Callable[[S], Awaitable[R]]) -> T:
    """Do the same as `drive`, but await each step."""
    try:
        step = next(steps)
        while True:
            step = steps.send(await perform(step))
    except StopIteration as stop:
        done: T = stop.value
        return done


async def gathered(awaitables: Iterable[Awaitable[T]]) -> list[T]:
    """Wait for all awaitables, and if one fails, cancel the others so that none keeps running."""
    import asyncio  # sync callers don't import it

    tasks = [asyncio.ensure_future(each) for each in awaitables]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
