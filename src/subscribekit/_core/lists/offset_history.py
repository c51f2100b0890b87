"""History of the pages of an offset list: enough to skip items that moved and to notice a list without end.

Memory is bounded: hashes of the latest items and three hashes of pages, however long the list is. No I/O.
"""

from collections import Counter, deque
from collections.abc import Sequence

from ..._json import JSON
from ...errors import PaginationError

WINDOW = 1_000
"""Items that are remembered at least, where so many were read; always the whole page before, too."""
MAX_REPEATED_PAGES = 10
"""Pages in a row without a new item that may come: each item added in front moves one item by one place."""


class OffsetHistory:
    """The latest items of an offset list, by hashes of their whole content.

    An item added in front moves those behind it to higher offsets, so that they come again, unchanged. Two entries
    with the same id and different content are two entries. An entry without an id is never skipped.
    """

    def __init__(self) -> None:
        self._known: Counter[int] = Counter()
        self._pages: deque[list[int]] = deque()
        self._present: tuple[list[int], int, int] | None = None
        self._size = self._items = self._repeated = 0
        self._latest: int | None = None
        self._first: int | None = None
        # Brent's way to find a cycle in constant memory: one earlier page, replaced after 1, 2, 4, 8, ... pages.
        self._mark: int | None = None
        self._age = self._since = 0
        self._due: int = 1

    @property
    def is_repeating(self) -> bool:
        """Whether the page that was left held nothing new; then a total that is reached does not prove the end."""
        return self._repeated > 0

    def load(self, data: Sequence[JSON]) -> list[bool]:
        """Compare a page that was read with those before it; it counts as one of them when it is left.

        Args:
            data: The items, as JSON.

        Returns:
            For each item whether it was on a page before, unchanged, so that it is not handed out again.

        Raises:
            PaginationError: The list would never end: the service seems not to know the offset, or starts over.
        """
        contents = [hash(repr(raw)) for raw in data]
        ids = [raw.get("id") if isinstance(raw, dict) else None for raw in data]
        page = hash(
            tuple(repr(key) if key is not None else content for key, content in zip(ids, contents, strict=True))
        )
        moved = [self._known[content] > 0 for content in contents]
        if not data or not (all(moved) or page in (self._latest, self._mark, self._first)):
            count = 0
        else:
            count = self._repeated + 1
            # An item from before the window was not moved here by additions: the service started over.
            distance = self._items if page == self._first else self._since
            started_over = distance > WINDOW and page != self._latest and not all(moved)
            if started_over or None in ids or count > MAX_REPEATED_PAGES:
                raise PaginationError(
                    "the service gave a page of items that were all read before, so the list would never end; it "
                    "seems not to know the offset"
                )
        self._present = contents, page, count
        return [known and key is not None for known, key in zip(moved, ids, strict=True)]

    def leave(self) -> None:
        """Put the present page into the window, and forget the oldest pages beyond it."""
        if self._present is None:
            return
        (contents, page, self._repeated), self._present = self._present, None
        self._pages.append(contents)
        self._known.update(contents)
        self._size += len(contents)
        while len(self._pages) > 1 and self._size - len(self._pages[0]) >= WINDOW:
            forgotten = self._pages.popleft()
            self._size -= len(forgotten)
            self._known.subtract(forgotten)
            for content in forgotten:
                if not self._known[content]:
                    del self._known[content]
        self._compare_later(page, len(contents))

    def _compare_later(self, page: int, items: int) -> None:
        self._latest = page
        if self._first is None:
            self._first = page
        self._items += items
        self._age, self._since = self._age + 1, self._since + items
        if self._age == self._due:
            self._mark, self._age, self._due, self._since = page, 0, 2 * self._due, 0
