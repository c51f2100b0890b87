"""The page iterator: which page comes next, which items are handed out, when a list ends. No I/O."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Generic, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from ..._json import JSON
from ...errors import PaginationError
from ...models._base import Model
from ..operations.operation import Operation
from ..operations.readers import Page, validate
from .filter_check import FilterCheck
from .listing import Listing, Position

MAX_EMPTY_PAGES = 10

M = TypeVar("M", bound=Model)


@dataclass(slots=True, eq=False, repr=False)
class Walk(Generic[M]):
    """One way through a list: says what to read next, checks what came, remembers where it stands.

    Attributes:
        listing: The list.
        prefix: Path of the base address, which `next` may or may not carry.
        total_count: The latest total that the service gave.
        duplicates: Items of an offset list that were skipped because they had been handed out before (H73).
    """

    listing: Listing[M]
    prefix: str = ""
    total_count: int | None = None
    duplicates: int = 0
    _item: type[M] = field(init=False)
    _page: Page[JSON] | None = None
    _cursor: str | int | None = None
    _taken: int = 0
    _last: str | None = None
    _pages: int = 0
    _empty: int = 0
    _fresh: int = 0
    _ended: bool = False
    _seen: set[int] = field(default_factory=set[int])
    _ids: set[object] = field(default_factory=set[object])
    _arrived: set[object] = field(default_factory=set[object])
    _filter: FilterCheck | None = None

    def __post_init__(self) -> None:
        self._item = self.listing.item
        self._cursor = self.listing.start.cursor
        self._taken = self.listing.start.taken
        if self.listing.expected:
            self._filter = FilterCheck(self.listing.expected)
        if self._cursor is not None and self.listing.direction != "offset":
            self._seen.add(_digest(self._cursor))

    @property
    def checkpoint(self) -> str:
        """Where to go on after the last item that was handed out."""
        return self.listing.checkpoint(self._position())

    def _position(self) -> Position:
        if self.listing.direction == "offset":
            return Position((self._cursor if isinstance(self._cursor, int) else 0) + self._taken)
        if self.listing.direction == "starting_after" and self._taken and self._last is not None:
            return Position(self._last)  # an object's id is a cursor, and stays one when others come or go
        return Position(self._cursor, self._taken)

    def next_operation(self) -> Operation[Page[JSON]] | None:
        """The operation that reads the next page, or `None` at the end of the list.

        Raises:
            PaginationError: The next page is one that was read already, lies elsewhere, or too many pages were empty.
        """
        if self._page is not None:
            self._leave(self._page)
            self._page = None
        if self._ended or (self.listing.max_pages is not None and self._pages >= self.listing.max_pages):
            return None
        return self.listing.envelope_at(self._cursor)

    def arrive(self, page: Page[JSON]) -> None:
        """Stand on a page that was read."""
        self._page = page
        self._pages += 1
        self._fresh = 0
        if page.total_count is not None:
            self.total_count = page.total_count
        self._taken = min(self._taken, len(page.data))

    def ahead(self) -> list[Operation[Page[JSON]]]:
        """The operations behind the present page that may be sent already, in order."""
        page, listing = self._page, self.listing
        if page is None:
            return []
        wanted = listing.concurrency if listing.concurrency > 1 else int(listing.prefetch)
        if listing.max_pages is not None:
            wanted = min(wanted, listing.max_pages - self._pages)
        cursors = self._offsets_ahead(page) if listing.direction == "offset" else self._cursor_ahead(page)
        return [listing.envelope_at(cursor) for cursor in cursors[: max(wanted, 0)]]

    def _offsets_ahead(self, page: Page[JSON]) -> Sequence[int]:
        if not page.data or self.listing.size == 0:
            return ()
        reached = self._reached(page)
        # A page may be shorter than asked for, so its own length is the best guess for the next ones.
        return range(reached, reached + 1 if self.total_count is None else self.total_count, len(page.data))

    def _cursor_ahead(self, page: Page[JSON]) -> Sequence[str]:
        link = page.previous if self.listing.direction == "ending_before" else page.next
        try:
            cursor = None if link is None else self._cursor_of(link)
        except PaginationError:
            return ()  # raised when the items of this page were handed out
        return () if cursor is None or _digest(cursor) in self._seen else (cursor,)

    def take(self) -> M | None:
        """Hand out the next item of the present page, or `None` when there is none left.

        Raises:
            ShapeError: The item is not of the documented kind.
            FilterNotAppliedError: The item does not match the filter.
        """
        data = self._page.data if self._page is not None else []
        while self._taken < len(data):
            item = validate(self._item, data[self._taken])
            if self._filter is not None:
                self._filter.check(item)
            data[self._taken] = None  # a list of any length is read in constant memory
            self._taken += 1
            if self._is_new(item):
                return item
        return None

    def _is_new(self, item: M) -> bool:
        key = getattr(item, "id", None)
        if self.listing.direction != "offset":
            key = key or getattr(item, "vid", None)
            self._last = key if isinstance(key, str) else None
            return True
        if key is None:
            # Without an id only its content tells an item from those of a page that came before.
            key = _digest(repr(item.model_dump()))
            self._fresh += key not in self._ids
            self._arrived.add(key)
            return True
        if key in self._ids:
            self.duplicates += 1
            return False
        self._arrived.add(key)  # an id may come twice on one page, for two things
        self._fresh += 1
        return True

    def take_page(self) -> Page[M]:
        """Hand out what is left of the present page at once."""
        page = self._page
        if page is None:
            raise AssertionError("a page is taken after it arrived")
        items = list(iter(self.take, None))
        return Page(items, page.total_count, page.next, page.previous, page.url)

    def _leave(self, page: Page[JSON]) -> None:
        if self.listing.direction == "offset":
            self._leave_offset(page)
        else:
            self._leave_cursor(page)

    def _leave_offset(self, page: Page[JSON]) -> None:
        if page.data and not self._fresh:
            raise PaginationError(
                "the service gave a page of items that were all read before, so the list would never end; it seems not "
                "to know the offset"
            )
        self._ids |= self._arrived
        self._arrived.clear()
        reached = self._reached(page)
        total = page.total_count if page.total_count is not None else self.total_count
        self._ended = not page.data or self.listing.size == 0 or (total is not None and reached >= total)
        self._cursor, self._taken = reached, 0

    def _reached(self, page: Page[JSON]) -> int:
        return (self._cursor if isinstance(self._cursor, int) else 0) + len(page.data)

    def _leave_cursor(self, page: Page[JSON]) -> None:
        backwards = self.listing.direction == "ending_before"
        link = page.previous if backwards else page.next
        if link is None:
            self._ended = True
            return
        cursor = self._cursor_of(link)
        if _digest(cursor) in self._seen:
            raise PaginationError(
                "the service gave a cursor a second time, so the list would never end; the items so far are complete "
                "up to this page"
            )
        self._empty = 0 if page.data else self._empty + 1
        if self._empty > MAX_EMPTY_PAGES:
            raise PaginationError(f"more than {MAX_EMPTY_PAGES} pages in a row were empty and announced another")
        self._seen.add(_digest(cursor))
        self._cursor, self._taken = cursor, 0

    def _cursor_of(self, link: str) -> str:
        """Take the cursor, and nothing else, out of a link of the service (H22)."""
        problem = PaginationError("the link to the next page does not lead to this list; it was not followed")
        if not link.startswith("/") or link.startswith("//") or "\\" in link or "#" in link or not link.isprintable():
            raise problem
        parts = urlsplit(link)
        wanted = [segment for segment in self.prefix.split("/") if segment], list(self.listing.operation.path)
        segments = [unquote(segment) for segment in parts.path.strip("/").split("/")]
        if segments not in (wanted[1], wanted[0] + wanted[1]):
            raise problem
        cursors = parse_qs(parts.query, keep_blank_values=True).get(self.listing.direction, [])
        if len(cursors) != 1 or not cursors[0]:
            raise problem
        return cursors[0]


def _digest(cursor: str | int) -> int:
    return int.from_bytes(blake2b(str(cursor).encode("utf-8", "surrogatepass"), digest_size=8).digest())
