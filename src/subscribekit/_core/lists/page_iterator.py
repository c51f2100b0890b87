"""The page iterator, which decides on the next page, the items to return, and the end of a list. Does no I/O."""

from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Generic, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from ... import _json as json
from ..._json import JSON
from ...errors import InvalidArgumentError, PaginationError
from ...models._base import Model
from ..operations.filters import FilterCheck
from ..operations.operation import Operation
from ..operations.readers import Page, validate
from .checkpoint import Position
from .listing import Listing
from .page_history import PageHistory

MAX_REPEATED_PAGES = 10
"""Maximum number of consecutive pages without a new item.

Pages without a new item can occur in a correct list, because an item that is added at the front moves other items by
one position.
"""

M = TypeVar("M", bound=Model)


class PageIterator(Generic[M]):
    """Chooses the next page of an iteration over a list, checks the pages, and records the position.

    Attributes:
        listing: The list.
        total_count: The latest total number of items that the service returned, or `None`.
    """

    def __init__(self, listing: Listing[M], prefix: str = "", tell: Callable[[object], None] | None = None) -> None:
        self.listing, self._tell = listing, tell
        self.total_count: int | None = None
        self._prefix = prefix
        self._cursor, self._taken = listing.start.cursor, listing.start.taken
        self._page: Page[JSON] | None = None
        self._handed: list[JSON] = []  # the IDs (or the content) of the items that were returned from this page
        self._repeats: list[bool] = []
        self._pages = self._received = 0
        self._smallest_total: int | None = None
        self._ended = False
        self._filter = FilterCheck(listing.expected) if listing.expected else None
        self._by_offset = listing.direction == "offset"
        self._history = PageHistory(by_offset=self._by_offset, size=listing.size, recent=listing.start.recent)
        self._seen: set[int] = set()
        if isinstance(self._cursor, str):
            self._seen.add(_digest(self._cursor))

    @property
    def checkpoint(self) -> str:
        """The checkpoint after the last item that was returned."""
        return self.listing.checkpoint(self._position())

    def _position(self) -> Position:
        if isinstance(self._cursor, int):
            return Position(self._cursor + self._taken, recent=self._history.recent(self._taken))
        if self._pages == 0:
            return self.listing.start
        if self._handed and self.listing.direction == "starting_after" and isinstance(self._handed[-1], str):
            return Position(self._handed[-1])  # an ID is a cursor that stays valid if the list changes
        return Position(self._cursor, self._taken, _digest_of(self._handed) if self._taken else None)

    def next_operation(self) -> Operation[Page[JSON]] | None:
        """Return the operation that reads the next page, or `None` at the end of the list.

        Raises:
            PaginationError: The next page was already read, or is outside the list. The SDK also raises
                `PaginationError` if too many pages had no new item, or if the list ended before its total.
        """
        if self._page is not None and not self._ended:
            self._leave(self._page)
        if self._ended or (self.listing.max_pages is not None and self._pages >= self.listing.max_pages):
            return None
        return self.listing.operation_at(self._cursor)

    def load(self, page: Page[JSON]) -> None:
        """Make a fetched page the current page.

        Raises:
            PaginationError: The list would never end.
            InvalidArgumentError: The page changed since the checkpoint was created.
        """
        self._repeats, new = self._history.load(page.data)
        handed = [_key(raw) for raw in page.data[: self._taken]]
        if self._pages == 0 and self.listing.start.digest not in (None, _digest_of(handed)):
            raise InvalidArgumentError(
                "the list has changed since the checkpoint was created, so resuming would lose or repeat items; start "
                "from an item that you know, with starting_after or ending_before"
            )
        if page.total_count is not None:
            self.total_count = page.total_count
            if self._smallest_total is None or page.total_count < self._smallest_total:
                self._smallest_total = page.total_count
        # Use one assignment, so that after an interrupt, the page is either loaded completely or read again.
        self._handed, self._taken, self._page, self._pages, self._received = (
            handed, len(handed), page, self._pages + 1, self._received + new,
        )  # fmt: skip

    def ahead(self) -> list[Operation[Page[JSON]]]:
        """Return the operations that read the next pages in advance, in the order of the pages."""
        page, listing = self._page, self.listing
        wanted = listing.concurrency if listing.concurrency > 1 else int(listing.prefetch)
        if listing.max_pages is not None:
            wanted = min(wanted, listing.max_pages - self._pages)
        if page is None or wanted <= 0:
            return []
        cursors = self._offsets_ahead(page) if self._by_offset else self._cursor_ahead(page)
        return [listing.operation_at(cursor) for cursor in cursors[:wanted]]

    def _offsets_ahead(self, page: Page[JSON]) -> Sequence[int]:
        if not page.data or self.listing.size == 0:
            return ()
        reached = self._reached(page)
        # The service can return shorter pages than requested, so assume that the next pages are as long as this page.
        return range(reached, reached + 1 if self.total_count is None else self.total_count, len(page.data))

    def _cursor_ahead(self, page: Page[JSON]) -> Sequence[str]:
        try:
            cursor = self._next_cursor(page)
        except PaginationError:
            return ()  # `next_operation` raises the error after the items of this page
        return () if cursor is None or _digest(cursor) in self._seen else (cursor,)

    def take(self) -> M | None:
        """Return the next item of the current page, or `None` at the end of the page.

        Raises:
            ShapeError: The item doesn't have the documented structure.
            FilterNotAppliedError: The item doesn't match the filter.
        """
        data = self._page.data if self._page is not None else []
        while (index := self._taken) < len(data):
            raw = data[index]
            item = self._read(raw)
            is_wanted = self._is_wanted(index, item)  # if `keeps` raises an error, the next step reads this item again
            if not self._by_offset:
                self._handed[index:] = (_key(raw),)  # after an interrupt, this line may run again with the same result
            self._taken = index + 1
            data[index] = None  # free the item's JSON, because only the model is still needed
            if is_wanted:
                return item
        return None

    @property
    def has_untaken_page(self) -> bool:
        """Whether the current page has items that weren't returned, for example because an item couldn't be read."""
        return self._page is not None and self._taken < len(self._page.data)

    def take_page(self) -> Page[M]:
        """Return the remaining items of the current page, or raise an error if any of these items can't be read.

        Raises:
            ShapeError: An item doesn't have the documented structure.
            FilterNotAppliedError: An item doesn't match the filter.
        """
        page = self._page
        if page is None:
            raise AssertionError("no page is loaded; call load() before take_page()")
        rest = range(self._taken, len(page.data))
        read = [(index, self._read(page.data[index])) for index in rest]
        items = [item for index, item in read if self._is_wanted(index, item)]
        taken = Page(items, page.total_count, page.next, page.previous, page.url)
        if not self._by_offset:
            self._handed[rest.start :] = [_key(page.data[index]) for index in rest]
        self._taken = rest.stop
        return taken

    def _is_wanted(self, index: int, item: M) -> bool:
        keeps = self.listing.keeps
        return (keeps is None or keeps(item)) and not self._repeats[index]

    def _read(self, raw: JSON) -> M:
        item = validate(self.listing.item, raw)
        if self._filter is not None:
            self._filter.check(item)
        if self._tell is not None:
            self._tell(item)
        return item

    def _leave(self, page: Page[JSON]) -> None:
        """Make the next page the current page. If the method raises an error, the current page doesn't change."""
        following = self._next_offset(page) if self._by_offset else self._next_cursor(page)
        if following is None:
            self._refuse_missing_items()
            # Stay on the last page, so that an iteration that resumes from the checkpoint finds items that
            # were added later.
            self._ended = True
            return
        if isinstance(following, str) and _digest(following) in self._seen:
            raise PaginationError(
                "the service returned the same cursor twice, so the list would never end. The SDK stopped the "
                "iteration; the items that you received have no gaps. Contact the operator"
            )
        if self._history.repeated_pages > MAX_REPEATED_PAGES:
            raise PaginationError(
                f"more than {MAX_REPEATED_PAGES} consecutive pages had no new item, so the list would never end. "
                "The SDK stopped the iteration; the items that you received have no gaps. Contact the operator"
            )
        self._history.leave()
        self._go_to(following)
        if isinstance(following, str):
            self._seen.add(_digest(following))

    def _refuse_missing_items(self) -> None:
        """Raise an error if the list ended after fewer items than the service's total.

        If the list has several pages, one item per page may be missing, because the list can change during the reads.
        """
        start, total = self.listing.start, self._smallest_total
        if start.cursor or start.taken or total is None:
            return
        if total - self._received > (self._pages if self._pages > 1 else 0):
            raise PaginationError(
                f"the list ended after {self._received} of {total} items; read the list again, and contact the "
                "operator if items are still missing"
            )

    def _go_to(self, cursor: str | int) -> None:
        self._page, self._cursor, self._taken, self._handed = None, cursor, 0, []

    def _reached(self, page: Page[JSON]) -> int:
        return (self._cursor if isinstance(self._cursor, int) else 0) + len(page.data)

    def _next_offset(self, page: Page[JSON]) -> int | None:
        """Return the offset of the next page, or `None` at the end of the list.

        If the iteration has read more items than the total, the total is wrong, so the SDK ignores the total (H72).
        """
        reached, total = self._reached(page), self.total_count
        is_complete = total is not None and reached >= total >= self._received and not self._history.repeated_pages
        return None if not page.data or self.listing.size == 0 or is_complete else reached

    def _next_cursor(self, page: Page[JSON]) -> str | None:
        direction = self.listing.direction
        link = page.previous if direction == "ending_before" else page.next
        return None if link is None else cursor_of(link, self.listing.path, self._prefix, direction)


def _key(raw: JSON) -> JSON:
    """Return the key that identifies an item: its `id` or `vid`, or the whole item."""
    if isinstance(raw, dict):
        for name in ("id", "vid"):
            key = raw.get(name)
            if isinstance(key, str) and key:
                return key
    return raw


def _digest(cursor: str) -> int:
    return int.from_bytes(blake2b(cursor.encode("utf-8", "surrogatepass"), digest_size=8).digest())


def _digest_of(items: Sequence[JSON]) -> str:
    return blake2b(json.encode_stored(items), digest_size=8).hexdigest()


def cursor_of(link: str, path: tuple[str, ...], prefix: str, direction: str) -> str:
    """Return the cursor in a link from the service. The SDK never requests the link (H22).

    Args:
        link: Path and query, as the service sent them.
        path: The list's own path segments, decoded.
        prefix: Path of the base URL, which the link can contain before the list's path.
        direction: The parameter that contains the cursor.

    Raises:
        PaginationError: The link doesn't lead to this list.
    """
    problem = PaginationError("the link to the next page leads outside this list, so the SDK didn't follow the link")
    if not link.startswith("/") or link.startswith("//") or "\\" in link or "#" in link or not link.isprintable():
        raise problem
    parts = urlsplit(link)
    own = list(path)
    segments = [unquote(segment) for segment in parts.path.strip("/").split("/")]
    if segments not in (own, [segment for segment in prefix.split("/") if segment] + own):
        raise problem
    cursors = parse_qs(parts.query, keep_blank_values=True).get(direction, [])
    if len(cursors) != 1 or not cursors[0]:
        raise problem
    return cursors[0]
