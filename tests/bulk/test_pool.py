"""The threads of `resolve`: they do all the work, or the caller gets the first error."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from subscribekit._core.config.clock import SYSTEM
from subscribekit.bulk._sending.pool import in_threads
from subscribekit.bulk._sending.runtime import SystemRuntime, SystemThread
from subscribekit.errors import BulkError


class Ended(SystemRuntime):
    """A runtime whose threads end before they do any work."""

    def start(self, work: Callable[[], object], name: str) -> SystemThread:
        return super().start(lambda: None, name)


def test_the_work_is_done_for_each_value_in_several_threads() -> None:
    meeting = threading.Barrier(3, timeout=30)

    def met(number: int) -> tuple[int, str]:
        meeting.wait()
        return number, threading.current_thread().name

    found = in_threads(SystemRuntime(SYSTEM), 3, met, range(6))
    assert sorted(number for number, _ in found) == [0, 1, 2, 3, 4, 5]
    assert {name for _, name in found} == {"subscribekit-resolve"}


def test_the_first_error_is_raised_after_the_work_that_has_begun() -> None:
    begun, ended = list[int](), list[int]()

    def fail(number: int) -> None:
        begun.append(number)
        try:
            if number == 1:
                raise ValueError(number)
        finally:
            ended.append(number)

    with pytest.raises(ValueError, match="1"):
        in_threads(SystemRuntime(SYSTEM), 2, fail, range(20))
    assert sorted(begun) == sorted(ended)


def test_no_caller_waits_for_threads_that_were_ended_from_outside() -> None:
    with pytest.raises(BulkError, match="ended from outside"):
        in_threads(Ended(SYSTEM), 2, str, range(6))
