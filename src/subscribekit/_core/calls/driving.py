"""Generators that ask for steps and decide nothing else, driven in both styles."""

from collections.abc import Awaitable, Callable, Generator, Iterable
from typing import TypeVar

T = TypeVar("T")
S = TypeVar("S")
R = TypeVar("R")


def drive(steps: Generator[S, R, T], perform: Callable[[S], R]) -> T:
    """Perform each step that a generator asks for, send it the reply, and give what it returns."""
    try:
        step = next(steps)
        while True:
            step = steps.send(perform(step))
    except StopIteration as stop:
        done: T = stop.value
        return done


async def drive_async(steps: Generator[S, R, T], perform: Callable[[S], Awaitable[R]]) -> T:
    """Do the same in the event loop."""
    try:
        step = next(steps)
        while True:
            step = steps.send(await perform(step))
    except StopIteration as stop:
        done: T = stop.value
        return done


async def gathered(awaitables: Iterable[Awaitable[T]]) -> list[T]:
    """Wait for all, also when one fails: none goes on behind the caller's back."""
    import asyncio  # which blocking callers do without

    tasks = [asyncio.ensure_future(each) for each in awaitables]
    try:
        return await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
