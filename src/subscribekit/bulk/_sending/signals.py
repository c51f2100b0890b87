"""Handles Ctrl-C and SIGTERM while a run sends.

After the first signal, the run completes the requests in flight. After a second signal, the run stops immediately.
"""

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Self

from ..._core.config.process import this_process


class Interrupts:
    """Handles Ctrl-C and SIGTERM in a `with` block of the main thread. In other threads, the object does nothing.

    Args:
        first: A function that is called with the name of the first signal, and that returns whether a request was in
            flight. If no request was in flight, the signal has its usual effect immediately. The handler can still be
            installed then, because a caller may leave the loop but keep its iterator.

    Attributes:
        is_urgent: Whether a second signal arrived.
        is_over: Whether the `with` block has ended.
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
        """Restore the previous handlers, unless other code has replaced this object's handlers in the meantime."""
        self.is_over = True
        if threading.current_thread() is threading.main_thread():
            for number in self._before:
                if signal.getsignal(number) == self._handle:
                    signal.signal(number, self.outer_handler(number))  # type: ignore[arg-type]  # from signal.getsignal

    def outer_handler(self, number: int) -> object:
        """Return the previous handler of a signal, and skip handlers of other runs whose `with` block has ended."""
        before = self._before[number]
        earlier = getattr(before, "__self__", None)
        return earlier.outer_handler(number) if isinstance(earlier, Interrupts) and earlier.is_over else before

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self.is_over or this_process() != self._process:  # a forked child inherits the handler
            handler = self.outer_handler(number)
            if callable(handler):
                handler(number, frame)
            elif handler is signal.SIG_DFL:
                signal.signal(number, signal.SIG_DFL)
                signal.raise_signal(number)
        elif self._received is None and self._first(signal.Signals(number).name):
            self._received = number
        else:
            self.is_urgent = True
            _raise(number)

    def raise_received(self) -> None:
        """Apply the usual effect of a signal that was received in the block.

        Raises:
            KeyboardInterrupt: Ctrl-C was received.
            SystemExit: SIGTERM was received. The exit code is the code that a shell reports for SIGTERM.
        """
        if self._received is None:
            return
        if signal.getsignal(self._received) in (signal.SIG_DFL, signal.default_int_handler):
            _raise(self._received)
        signal.raise_signal(self._received)  # the application has installed its own handler


def _raise(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise SystemExit(128 + number)
