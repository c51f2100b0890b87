"""Ctrl-C and SIGTERM while a run sends: the first ends the run in order, the second at once."""

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

from ..._core.config.process import this_process


class Interrupts:
    """Takes the two signals in a `with` block of the main thread; does nothing in other threads.

    Args:
        first: Is called at the first signal, with its name; gives whether anything was under way. If not, the signal
            does at once what it always does: a loop that was left may keep its iterator.

    Attributes:
        is_urgent: Whether a second one came.
        is_over: Whether the block has ended.
    """

    def __init__(self, first: Callable[[str], bool]) -> None:
        self._first = first
        self._before: dict[int, object] = {}
        self._received: int | None = None
        self._process = this_process()
        self.is_over = False
        self.is_urgent: bool = False

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                before = signal.getsignal(number)
                if before is not None and before is not signal.SIG_IGN:
                    self._before[number] = before
                    signal.signal(number, self._handle)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.restore_handlers()

    def restore_handlers(self) -> None:
        """Let the signals do again what they did before; of another that took them meanwhile they stay."""
        self.is_over = True
        if threading.current_thread() is threading.main_thread():
            for number in self._before:
                if signal.getsignal(number) == self._handle:
                    signal.signal(number, self.rest(number))  # type: ignore[arg-type]  # from signal.getsignal

    def rest(self, number: int) -> object:
        """Give what a signal does outside, without those whose block has ended meanwhile."""
        before = self._before[number]
        earlier = getattr(before, "__self__", None)
        return earlier.rest(number) if isinstance(earlier, Interrupts) and earlier.is_over else before

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.is_over or this_process() != self._process:  # or a forked child has inherited it
            rest = self.rest(number)
            if callable(rest):
                rest(number, frame)
            elif rest is signal.SIG_DFL:
                signal.signal(number, signal.SIG_DFL)
                signal.raise_signal(number)
        elif self._received is None and self._first(signal.Signals(number).name):
            self._received = number
        else:
            self.is_urgent = True
            _raise(number)

    def raise_received(self) -> None:
        """After the block: do what the signal does when nothing is under way.

        Raises:
            KeyboardInterrupt: After Ctrl-C.
            SystemExit: After SIGTERM, with the exit code that a shell gives for it.
        """
        if self._received is None:
            return
        if signal.getsignal(self._received) in (signal.SIG_DFL, signal.default_int_handler):
            _raise(self._received)
        signal.raise_signal(self._received)  # the application has its own way


def _raise(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + number)
