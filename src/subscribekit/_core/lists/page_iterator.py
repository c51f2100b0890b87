"""The page iterator: which page comes next, which items are handed out, when a list ends. No I/O."""

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
"""Pages in a row without a new item that may come: each item added in front moves one item by one place."""

M = TypeVar("M", bound=Model)


class PageIterator(Generic[M]):
    """One pass through a list: says what to read next, checks what came, remembers where it is.

    Attributes:
        listing: The list.
        total_count: The latest total that the service gave.
    """

    def __init__(self, listing: Listing[M], prefix: str = "", tell: Callable[[object], None] | None = None) -> None:
        self.listing, self._tell = listing, tell
        self.total_count: int | None = None
        self._prefix = prefix
        self._cursor, self._taken = listing.start.cursor, listing.start.taken
        self._page: Page[JSON] | None = None
        self._handed: list[JSON] = []  # of the present page: ids, or whole items that have none
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

    # Where it is

    @property
    def checkpoint(self) -> str:
        """Where to go on after the last item that was handed out."""
        return self.listing.checkpoint(self._position())

    def _position(self) -> Position:
        if isinstance(self._cursor, int):
            return Position(self._cursor + self._taken, recent=self._history.recent(self._taken))
        if self._pages == 0:
            return self.listing.start
        if self._handed and self.listing.direction == "starting_after" and isinstance(self._handed[-1], str):
            return Position(self._handed[-1])  # an object's id is a cursor, and stays one when others come or go
        return Position(self._cursor, self._taken, _digest_of(self._handed) if self._taken else None)

    # Which page comes next

    def next_operation(self) -> Operation[Page[JSON]] | None:
        """The operation that reads the next page, or `None` at the end of the list.

        Raises:
            PaginationError: The next page is one that was read already or lies elsewhere, too many pages brought
                nothing new, or the list ended before its total.
        """
        if self._page is not None and not self._ended:
            self._leave(self._page)
        if self._ended or (self.listing.max_pages is not None and self._pages >= self.listing.max_pages):
            return None
        return self.listing.operation_at(self._cursor)

    def load(self, page: Page[JSON]) -> None:
        """Make a fetched page current.

        Raises:
            PaginationError: The list would never end.
            InvalidArgumentError: The page is not the one in which the checkpoint counts.
        """
        self._repeats, new = self._history.load(page.data)
        handed = [_key(raw) for raw in page.data[: self._taken]]
        if self._pages == 0 and self.listing.start.digest not in (None, _digest_of(handed)):
            raise InvalidArgumentError(
                "the list has changed since the checkpoint was made: the items before it on its page are not the same, "
                "so going on would lose items or repeat them; begin again from an item that you know, with "
                "starting_after or ending_before"
            )
        if page.total_count is not None:
            self.total_count = page.total_count
            if self._smallest_total is None or page.total_count < self._smallest_total:
                self._smallest_total = page.total_count
        # At once, so that an interrupt finds the page loaded or not: then it is read once more.
        self._handed, self._taken, self._page, self._pages, self._received = (
            handed, len(handed), page, self._pages + 1, self._received + new,
        )  # fmt: skip

    def ahead(self) -> list[Operation[Page[JSON]]]:
        """The operations behind the present page that may be sent already, in order."""
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
        # A page may be shorter than asked for, so its own length is the best guess for the next ones.
        return range(reached, reached + 1 if self.total_count is None else self.total_count, len(page.data))

    def _cursor_ahead(self, page: Page[JSON]) -> Sequence[str]:
        try:
            cursor = self._next_cursor(page)
        except PaginationError:
            return ()  # raised when the items of this page were handed out
        return () if cursor is None or _digest(cursor) in self._seen else (cursor,)

    # Items

    def take(self) -> M | None:
        """Hand out the next item of the present page, or `None` when there is none left.

        Raises:
            ShapeError: The item is not of the documented kind.
            FilterNotAppliedError: The item does not match the filter.
        """
        data = self._page.data if self._page is not None else []
        while (index := self._taken) < len(data):
            raw = data[index]
            item = self._read(raw)
            is_wanted = self._is_wanted(index, item)  # an item that it refuses stays the next one
            if not self._by_offset:
                self._handed[index:] = (_key(raw),)  # the same when it is done once more after an interrupt
            self._taken = index + 1
            data[index] = None  # the item holds what it needs of it
            if is_wanted:
                return item
        return None

    @property
    def has_untaken_page(self) -> bool:
        """Whether items of a page that was read wait, since one of them could not be read."""
        return self._page is not None and self._taken < len(self._page.data)

    def take_page(self) -> Page[M]:
        """Hand out what is left of the present page at once, or nothing of it when one item cannot be read.

        Raises:
            ShapeError: An item is not of the documented kind.
            FilterNotAppliedError: An item does not match the filter.
        """
        page = self._page
        if page is None:
            raise AssertionError("a page is taken after it was loaded")
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

    # When it ends

    def _leave(self, page: Page[JSON]) -> None:
        """Go on behind the present page; on an error it stays the present one, with nothing left on it."""
        following = self._next_offset(page) if self._by_offset else self._next_cursor(page)
        if following is None:
            self._refuse_missing_items()
            # Stay on the page, so that the checkpoint names its last item: what is added later comes after it.
            self._ended = True
            return
        if isinstance(following, str) and _digest(following) in self._seen:
            raise PaginationError(
                "the service gave a cursor a second time, so the list would never end; the items so far are complete "
                "up to this page"
            )
        if self._history.repeated_pages > MAX_REPEATED_PAGES:
            raise PaginationError(
                f"more than {MAX_REPEATED_PAGES} pages in a row brought no new item and announced another page, so the "
                "list would never end; the items so far are complete up to this page"
            )
        self._history.leave()
        self._go_to(following)
        if isinstance(following, str):
            self._seen.add(_digest(following))

    def _refuse_missing_items(self) -> None:
        """Compare the items with the service's total, if all pages of the list were read.

        A list may change while it's read, so of several pages each may hide one item.
        """
        start, total = self.listing.start, self._smallest_total
        if start.cursor or start.taken or total is None:
            return
        if total - self._received > (self._pages if self._pages > 1 else 0):
            raise PaginationError(
                f"the list ended after {self._received} of {total} items; read it again, and ask the operator if items "
                "are still missing"
            )

    def _go_to(self, cursor: str | int) -> None:
        self._page, self._cursor, self._taken, self._handed = None, cursor, 0, []

    def _reached(self, page: Page[JSON]) -> int:
        return (self._cursor if isinstance(self._cursor, int) else 0) + len(page.data)

    def _next_offset(self, page: Page[JSON]) -> int | None:
        """Return the offset of the next page, or `None` at the end.

        A total is wrong if more items were read than it counts, and doesn't end the list then (H72).
        """
        reached, total = self._reached(page), self.total_count
        is_complete = total is not None and reached >= total >= self._received and not self._history.repeated_pages
        return None if not page.data or self.listing.size == 0 or is_complete else reached

    def _next_cursor(self, page: Page[JSON]) -> str | None:
        direction = self.listing.direction
        link = page.previous if direction == "ending_before" else page.next
        return None if link is None else cursor_of(link, self.listing.path, self._prefix, direction)


def _key(raw: JSON) -> JSON:
    """The key that recognises an item: its id or vid, or all of it."""
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
    """Take the cursor, and nothing else, out of a link of the service (H22).

    Args:
        link: Path and query as the service gave them.
        path: The list's own path segments, decoded.
        prefix: Path of the base address, which the link may or may not carry.
        direction: The parameter that holds the cursor.

    Raises:
        PaginationError: The link does not lead to this list.
    """
    problem = PaginationError("the link to the next page does not lead to this list; it was not followed")
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
