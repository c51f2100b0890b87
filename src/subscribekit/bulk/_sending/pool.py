"""Threads of a run that do the same work for several values."""

from collections.abc import Callable, Sequence
from queue import Empty
from typing import Any, TypeVar

from ...errors import BulkError
from .runtime import Queue, Runtime, Thread
from .session import CHECK_THREADS

T = TypeVar("T")
R = TypeVar("R")


def in_threads(runtime: Runtime, most: int, work: Callable[[T], R], values: Sequence[T]) -> list[R]:
    """Call `work` for each value, in at most so many threads, and return the results in the order of their ends.

    Raises:
        BulkError: The threads were ended from outside.
        BaseException: What `work` raised first; what the other threads have begun ends before.
    """
    todo: Queue[T] = runtime.queue()
    done: Queue[tuple[R, None] | tuple[None, BaseException]] = runtime.queue()
    for value in values:
        todo.put(value)
    threads: list[Thread] = []
    results: list[R] = []
    try:
        number = min(most, len(values))
        threads.extend(
            runtime.start(lambda: _work_off(todo, done, work), "subscribekit-resolve") for _ in range(number)
        )
        while len(results) < len(values):
            result, error = _next(done, threads)
            if error is not None:
                raise error
            results.append(result)
    finally:
        while _taken(todo):
            pass
        for thread in threads:
            thread.join()
    return results


def _work_off(todo: Queue[T], done: Queue[Any], work: Callable[[T], object]) -> None:
    while taken := _taken(todo):
        try:
            done.put((work(taken[0]), None))
        except BaseException as error:  # noqa: BLE001  raised to the caller that waits
            done.put((None, error))


def _taken(todo: Queue[T]) -> tuple[T] | tuple[()]:
    """Remove and return the next value, if there is one."""
    try:
        return (todo.get(timeout=0),)
    except Empty:
        return ()


def _next(done: Queue[Any], threads: Sequence[Thread]) -> Any:
    """Wait for the next result."""
    while True:
        are_over = not any(thread.is_alive() for thread in threads)
        try:
            return done.get(timeout=0 if are_over else CHECK_THREADS)
        except Empty:
            if are_over:
                raise BulkError("the threads of resolve() were ended from outside; call it again") from None
