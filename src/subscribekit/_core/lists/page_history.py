"""The history of a list's pages, which detects repeated items and lists that don't end. Does no I/O.

Even for a very long list, the history contains only hashes of the latest items and of three pages.
"""

from collections import Counter, deque
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from ..._json import JSON
from ...errors import PaginationError
from .checkpoint import DIGEST, MAX_DIGESTS

T = TypeVar("T")

WINDOW = 1_000
"""Number of items to remember. The history always remembers the whole previous page, even if that page has more than
`WINDOW` items."""
_DEFAULT_SIZE = 20
"""Default page size of the service."""


class PageHistory:
    """The latest items of a list.

    Two items with the same vid are the same item. Two items that have an ID, but no vid, are the same if their whole
    content is equal. Two items that have only the ID in common are different items. An item that has neither an ID nor
    a vid is never a repeat.

    Args:
        by_offset: Whether the list is read by offset. In a list that is read by offset, new items at the front move
            other items to the next page.
        size: The requested page size, or `None` for the service's default of 20.
        recent: The digests of the last items that an earlier iteration returned.
    """

    def __init__(self, *, by_offset: bool, size: int | None = None, recent: bytes = b"") -> None:
        self._by_offset = by_offset
        self._resumed = [recent[start : start + DIGEST] for start in range(0, len(recent), DIGEST)]
        self._longest = max(size or _DEFAULT_SIZE, len(self._resumed))
        self._before: list[str] = []
        self._known: Counter[int] = Counter()
        self._pages: deque[list[int]] = deque()
        self._present: tuple[list[str | None], int | None, int] | None = None
        self._size = self._items = self._repeated = 0
        self._latest: int | None = None
        self._first: int | None = None
        # Brent's cycle detection needs constant memory, because it compares each page with only one earlier page. The
        # algorithm replaces the earlier page after 1 page, then after 2, 4, and 8 more pages, and so on.
        self._mark: int | None = None
        self._age = self._since = 0
        self._due: int = 1

    @property
    def repeated_pages(self) -> int:
        """Number of consecutive pages without a new item, up to and including the current page."""
        return self._repeated if self._present is None else self._present[2]

    def load(self, data: Sequence[JSON]) -> tuple[list[bool], int]:
        """Compare a page with the earlier pages, and make the page the current page.

        Args:
            data: The items, as JSON.

        Returns:
            Whether each item is a repeat, and the number of items that weren't on an earlier page.

        Raises:
            PaginationError: The service returned the same page twice, for example because it ignores the offset.
        """
        texts = [_identity(raw) for raw in data]
        known = [text is not None and self._is_known(text) for text in texts]
        page = self._signature(data, texts)
        is_again = page is not None and page in (self._latest, self._mark, self._first)
        if is_again and not all(known):
            # The SDK assumes that additions to the list move an item by at most `WINDOW` positions. If an equal page is
            # more than `WINDOW` positions back, the service has returned an earlier page again.
            distance = self._items if page == self._first else self._since
            if (distance > WINDOW and page != self._latest) or None in texts:
                raise PaginationError(
                    "the service returned the same page twice, so the list would never end. The SDK stopped the "
                    "iteration; the items that you received have no gaps. Contact the operator"
                )
        self._present = texts, page, self._repeated + 1 if is_again or all(known) else 0
        return _with_repeats_on_the_page(texts, known), known.count(False)

    def leave(self) -> None:
        """Remember the items of the current page, and forget the oldest pages that the history doesn't need anymore."""
        if self._present is None:
            return
        (texts, page, self._repeated), self._present = self._present, None
        identities = [text for text in texts if text is not None]
        if self._by_offset:
            self._longest = min(max(self._longest, len(texts)), MAX_DIGESTS)
            self._before = _last(self._longest, self._before + identities)
        if identities:
            self._remember([hash(text) for text in identities])
        self._compare_later(page, len(texts))

    def recent(self, taken: int) -> bytes:
        """Return the digests of the last items before a position, up to the number of items of the longest page.

        Args:
            taken: Number of items of the current page before the position.
        """
        texts = self._present[0] if self._present else []
        longest = min(max(self._longest, len(texts)), MAX_DIGESTS)
        identities = [text for text in texts[:taken] if text is not None]
        return b"".join(_last(longest, [*self._resumed, *map(_digest, self._before + identities)]))

    def _is_known(self, text: str) -> bool:
        return hash(text) in self._known or (bool(self._resumed) and _digest(text) in self._resumed)

    def _signature(self, data: Sequence[JSON], texts: list[str | None]) -> int | None:
        """Return a hash that identifies a page, or `None` if an item of the page has no identity.

        For a list that is read by offset, the hash contains only IDs, because a service that ignores the offset can
        return the same items with changed content. For a list that is read by cursor, the hash contains the vids or the
        whole content, because the items of different pages can have the same IDs.
        """
        if not self._by_offset:
            return None if None in texts else hash(tuple(texts))
        ids = [raw.get("id") if isinstance(raw, dict) else None for raw in data]
        return hash(tuple(repr(raw if key is None else key) for key, raw in zip(ids, data, strict=True)))

    def _remember(self, hashes: list[int]) -> None:
        self._pages.append(hashes)
        self._known.update(hashes)
        self._size += len(hashes)
        while len(self._pages) > 1 and self._size - len(self._pages[0]) >= WINDOW:
            forgotten = self._pages.popleft()
            self._size -= len(forgotten)
            self._known.subtract(forgotten)
            for each in forgotten:
                if not self._known[each]:
                    del self._known[each]

    def _compare_later(self, page: int | None, items: int) -> None:
        self._latest = page
        if self._first is None:
            self._first = page
        self._items += items
        if self._items > WINDOW:
            self._resumed = []
        self._age, self._since = self._age + 1, self._since + items
        if self._age == self._due:
            self._mark, self._age, self._due, self._since = page, 0, 2 * self._due, 0


def _identity(raw: JSON) -> str | None:
    """Return a string that identifies an item, or `None` if it has neither an ID nor a vid."""
    if not isinstance(raw, dict):
        return None
    vid = raw.get("vid")
    if type(vid) in (str, int) and vid != "":
        return f"vid {vid}"
    return None if raw.get("id") in (None, "") else repr(raw)


def _with_repeats_on_the_page(texts: list[str | None], known: list[bool]) -> list[bool]:
    """Return whether each item is a repeat of an item on an earlier page, or of an earlier item on the same page."""
    if len(set(texts)) == len(texts):
        return known
    found: set[str] = set()
    repeats: list[bool] = []
    for text, is_known in zip(texts, known, strict=True):
        repeats.append(is_known or text in found)
        if text is not None:
            found.add(text)
    return repeats


def _last(number: int, each: list[T]) -> list[T]:
    """Return the last distinct elements, in their order."""
    return list(dict.fromkeys(reversed(each)))[:number][::-1]


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()
