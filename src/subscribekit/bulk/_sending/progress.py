"""Shows a progress bar for a run, or passes the counts of the items to the caller's function."""

from collections.abc import Callable
from importlib.util import find_spec
from types import TracebackType
from typing import TYPE_CHECKING, Never, Self, TypeAlias

from ..._core.calls.telemetry.display import Display
from ...errors import InvalidArgumentError
from .._items import AsyncItem, Item
from .._values import Counts

if TYPE_CHECKING:
    from tqdm import tqdm

Progress: TypeAlias = bool | Callable[[Counts], object]
"""`True` for a progress bar, which needs tqdm; or a callable, which receives the counts up to about ten
times a second."""


class RunDisplay(Display):
    """Shows how many items of a run have ended.

    Args:
        progress: `True`, `False`, or a callable that receives the counts.
        counts: A function that counts the items in the ledger. Counting takes longer if there are many items.

    Raises:
        InvalidArgumentError: `progress` has another type. The SDK also raises `InvalidArgumentError` if `progress` is
            `True` and tqdm isn't installed.
    """

    def __init__(self, progress: Progress, counts: Callable[[], Counts]) -> None:
        super().__init__(progress, "the counts")
        if progress is True and find_spec("tqdm") is None:
            raise InvalidArgumentError(
                "progress=True requires the package tqdm; run: pip install tqdm, or pass a function"
            )
        self._progress, self._counts = progress, counts
        self._bar: tqdm[Never] | None = None

    def __enter__(self) -> Self:
        if self._progress is True:
            self.draw(self._open_bar)
        self.tell(self._show)
        return self

    def _open_bar(self) -> None:
        from tqdm.auto import tqdm

        counts = self._counts()
        self._bar = tqdm(total=counts.total, initial=counts.done + counts.rejected + counts.unknown, unit="item")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.tell(self._show)
        if self._bar is not None:
            self.draw(self._bar.close)

    def note_item(self, item: Item | AsyncItem) -> None:
        """Count an item that the caller has received, and update the display if an update is due."""
        if self._bar is not None and item.state != "ready":
            self.draw(self._bar.update)
        if self.is_due:
            self.tell(self._show)

    def draw(self, draw: Callable[[], object]) -> None:
        """Call a function that updates the display. If the function fails, disable the progress bar."""
        super().draw(draw)
        if self._bar is not None and not self.is_on:
            self._bar.disable = True  # otherwise, the bar draws itself again when it's garbage-collected

    def _show(self) -> None:
        counts = self._counts()
        if self._bar is not None:
            self._bar.total = counts.total
            self._bar.set_postfix_str(f"rejected={counts.rejected}, unknown={counts.unknown}")
        elif callable(self._progress):
            self._progress(counts)
