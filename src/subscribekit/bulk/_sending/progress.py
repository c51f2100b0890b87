"""Progress while a run sends: a bar, or a callable of the caller's own."""

import time
from collections.abc import Callable
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Never, Self, TypeAlias

from ..._core.calls.telemetry.log import can_show
from ...errors import InvalidArgumentError
from .._items import AsyncItem, Item
from .._values import Counts

if TYPE_CHECKING:
    from tqdm import tqdm

Progress: TypeAlias = bool | Callable[[Counts], object]
"""`True` for a bar, which needs tqdm, or a callable that is given the counts, at most about ten times a second."""

_EVERY = 0.1


class Shown:
    """Shows how far a run is.

    Args:
        progress: How.
        counts: Counts the items; it takes longer the more there are, and so is asked the more seldom.

    Raises:
        InvalidArgumentError: `progress` is none of these, or `True` without tqdm.
    """

    def __init__(self, progress: Progress, counts: Callable[[], Counts]) -> None:
        if type(progress) is not bool and not callable(progress):
            raise InvalidArgumentError("progress must be True, False or a callable that is given the counts")
        if progress is True and find_spec("tqdm") is None:
            raise InvalidArgumentError("progress=True draws a bar with tqdm: pip install tqdm, or give a callable")
        self._progress, self._counts = progress, counts
        self._bar: tqdm[Never] | None = None
        self._next = 0.0

    def __enter__(self) -> Self:
        if self._progress is True:
            self._draw(self._open_bar)
        self._draw(self._tell)
        return self

    def _open_bar(self) -> None:
        from tqdm.auto import tqdm

        counts = self._counts()
        self._bar = tqdm(total=counts.total, initial=counts.done + counts.rejected + counts.unknown, unit="item")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._draw(self._tell)
        if self._bar is not None:
            self._draw(self._bar.close)

    def saw(self, item: Item | AsyncItem) -> None:
        """Note an item that was read."""
        if self._bar is not None and item.state != "ready":
            self._draw(self._bar.update)
        if time.monotonic() >= self._next:
            self._draw(self._tell)

    def _draw(self, draw: Callable[[], object]) -> None:
        if self._progress is False or can_show(draw):
            return
        self._progress = False
        if self._bar is not None:
            self._bar.disable = True  # or the bar draws itself once more when it's collected

    def _tell(self) -> None:
        began = time.monotonic()
        counts = self._counts()
        if self._bar is not None:
            self._bar.total = counts.total
            self._bar.set_postfix_str(f"rejected={counts.rejected}, unknown={counts.unknown}")
        elif callable(self._progress):
            self._progress(counts)
        ended = time.monotonic()
        self._next = ended + max(_EVERY, 20 * (ended - began))
