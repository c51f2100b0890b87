"""Raises interrupts at a chosen point of the code, as a signal handler does."""

from __future__ import annotations

import dis
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from types import CodeType, FrameType
from typing import Any, Self

_CHECKED = {"RESUME", "CALL", "CALL_FUNCTION_EX", "CALL_KW", "JUMP_BACKWARD"}
"""Instructions after which Python runs signal handlers."""


class _Interrupt(ABC):
    """Raises KeyboardInterrupt at the n-th point of a kind in this thread. Then `left` is 0 or less."""

    def __init__(self, number: int) -> None:
        self.left = number

    @abstractmethod
    def _global(self, frame: FrameType, event: str, arg: object) -> Any: ...

    def _pass(self) -> None:
        self.left -= 1
        if self.left == 0:
            sys.settrace(None)
            raise KeyboardInterrupt

    def __enter__(self) -> Self:
        self._before = sys.gettrace()
        sys.settrace(self._global)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(self._before)


class InterruptAt(_Interrupt):
    """Raises KeyboardInterrupt at the n-th line that runs in some folders.

    Args:
        number: The number of the line, from 1.
        folders: The beginnings of the paths of the files whose lines count.
        is_active: Returns whether a line counts now.
    """

    def __init__(self, number: int, folders: tuple[str, ...], is_active: Callable[[], bool] = lambda: True) -> None:
        super().__init__(number)
        self._folders, self._is_active = folders, is_active

    def _global(self, frame: FrameType, event: str, arg: object) -> Any:
        return self._local if frame.f_code.co_filename.startswith(self._folders) else None

    def _local(self, frame: FrameType, event: str, arg: object) -> Any:
        if event == "line" and self._is_active():
            self._pass()
        return self._local


class InterruptAtCheck(_Interrupt):
    """Raises KeyboardInterrupt where Python checks for signals for the n-th time.

    Args:
        number: The number of the check, from 1.
        leave_out: The file of the test, whose own checks don't count.
    """

    def __init__(self, number: int, leave_out: str) -> None:
        super().__init__(number)
        self._leave_out = leave_out
        self._last: dict[FrameType, str] = {}

    def _global(self, frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code.co_filename in (self._leave_out, __file__):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._local

    def _local(self, frame: FrameType, event: str, arg: object) -> Any:
        if event == "opcode":
            before, self._last[frame] = self._last.get(frame), _instructions(frame.f_code)[frame.f_lasti]
            if before in _CHECKED:
                self._pass()
        elif event == "return":
            self._last.pop(frame, None)
        return self._local

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._last.clear()


@cache
def _instructions(code: CodeType) -> dict[int, str]:
    return {each.offset: each.opname for each in dis.get_instructions(code)}
