"""The progress of reading a list."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

from .._core.calls.telemetry.display import Display

Progress: TypeAlias = bool | Callable[[int, int | None], object]
"""`True` to show a line on standard error, or a function that is called with the number of items read and the total
(`None` if unknown)."""


class ListDisplay(Display):
    """Shows the progress of reading a list."""

    def __init__(self, progress: Progress) -> None:
        super().__init__(progress, "two numbers")
        self._progress, self.read = progress, 0

    def page(self, items: int, total: int | None, *, is_last: bool = False) -> None:
        """Count the items of a page, and show the progress if the last output is old enough."""
        self.read += items
        if self.is_due or is_last:
            self.tell(partial(self._show, total, is_last=is_last))

    def _show(self, total: int | None, *, is_last: bool) -> None:
        if callable(self._progress):
            self._progress(self.read, total)
            return
        of = "" if total is None else f" of {total:,}"
        sys.stderr.write(f"\r{self.read:,}{of} read" + ("\n" if is_last else ""))
        sys.stderr.flush()
