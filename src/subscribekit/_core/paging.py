"""Lists as values: where to start, which page comes next, and when a list ends. No I/O.

A `Listing` describes a list; a `Walk` goes through it and only decides, the pagers carry. Rules: design section 7,
hazards H70 to H75.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Generic, Literal, TypeAlias, TypeVar
from urllib.parse import parse_qs, unquote, urlsplit

from ..errors import PaginationError, RequestError
from ..models._base import Model
from . import checkpoint, json
from .filter_check import FilterCheck
from .json import JSON
from .operation import Operation, Pairs, Wire, identifier, path, whole_number
from .reading import Page, PageReader, ReadCursorPage, ReadEnvelope, ReadOffsetPage, validate

M = TypeVar("M", bound=Model)

Direction: TypeAlias = Literal["starting_after", "ending_before", "offset"]

MAX_EMPTY_PAGES = 10
MAX_PAGE = 100


@dataclass(frozen=True, slots=True)
class Position:
    """Where a walk stands: the cursor or offset of a page, and how many of its items were handed out."""

    cursor: str | int | None = None
    taken: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Listing(Generic[M]):
    """A list that can be walked through.

    Attributes:
        operation: Reads one page; cursor or offset are added to its query.
        reader: How a page reads.
        direction: Which parameter moves the walk.
        start: Where it begins.
        size: Page size of an offset list; `None` leaves it to the service.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead.
        concurrency: Pages of an offset list that are read side by side.
        expected: Reference fields of an item and the id or vid that the filter asked for.
    """

    operation: Operation[Page[M]]
    reader: PageReader[M]
    direction: Direction
    start: Position = Position()
    size: int | None = None
    max_pages: int | None = None
    prefetch: bool = False
    concurrency: int = 1
    expected: tuple[tuple[str, str], ...] = ()

    @property
    def item(self) -> type[M]:
        """The type of the items."""
        return self.reader.item

    def page_at(self, cursor: str | int | None) -> Operation[Page[M]]:
        """The operation that reads the page at a cursor or offset."""
        return replace(self.operation, query=self._query(cursor))

    def envelope_at(self, cursor: str | int | None) -> Operation[Page[JSON]]:
        """The same page, its items left as JSON."""
        operation = self.operation
        return Operation(
            method=operation.method,
            template=operation.template,
            path=operation.path,
            query=self._query(cursor),
            reader=ReadEnvelope(self.reader),
            resource_id=operation.resource_id,
            reconcile_key=operation.reconcile_key,
        )

    def _query(self, cursor: str | int | None) -> Pairs:
        pairs = self.operation.query
        if cursor is not None:
            pairs = (*pairs, (self.direction, str(cursor)))
        if self.size is not None:
            pairs = (*pairs, ("size", str(self.size)))
        return pairs

    @property
    def fingerprint(self) -> str:
        """Tells this list and its filters from others, without showing them."""
        pairs = sorted((name.field if isinstance(name, Wire) else name, value) for name, value in self.operation.query)
        seen = [self.operation.path, [pair for pair in pairs if pair[0] != "limit"]]
        return blake2b(json.encode(seen), digest_size=8).hexdigest()

    def checkpoint(self, position: Position) -> str:
        """Write a position as a short string."""
        limit = self._limit if position.taken else None
        return checkpoint.write([self.fingerprint, self.direction, position.cursor, position.taken, limit])

    def resume(self, text: str | None) -> "Listing[M]":
        """Start where a checkpoint says.

        Raises:
            RequestError: It is not a checkpoint, or one of another list or of other filters.
        """
        if text is None:
            return self
        if self.start.cursor:
            raise RequestError("give either checkpoint or a starting point, not both")
        fingerprint, direction, cursor, taken, limit = checkpoint.parse(text)
        if fingerprint != self.fingerprint:
            raise RequestError("checkpoint belongs to another list or to other filters")
        if type(taken) is int and taken >= 0 and (limit is None or isinstance(limit, str)):
            if self.direction == direction == "offset" and type(cursor) is int and cursor >= 0:
                return replace(self, start=Position(cursor, taken))
            if self.direction != "offset" and (cursor is None or isinstance(cursor, str)):
                listing = self._with_limit(limit) if taken else self
                if direction == "starting_after":
                    return replace(listing, direction="starting_after", start=Position(cursor, taken))
                if direction == "ending_before":
                    return replace(listing, direction="ending_before", start=Position(cursor, taken))
        raise RequestError("checkpoint is damaged")

    @property
    def _limit(self) -> str | None:
        return next((value for name, value in self.operation.query if name == "limit"), None)

    def _with_limit(self, limit: str | None) -> "Listing[M]":
        """Read pages as large as those in which the checkpoint counts: others would lose items or repeat them."""
        if self._limit == limit:
            return self
        if self._limit is not None or limit is None:
            how = "without limit" if limit is None else f"with limit={limit}"
            raise RequestError(f"checkpoint stands within a page; resume it {how}")
        query = (*self.operation.query, ("limit", limit))
        return replace(self, operation=replace(self.operation, query=query))


def cursor_list(
    template: str,
    *values: str,
    item: type[M],
    limit: int | None = None,
    starting_after: str | None = None,
    ending_before: str | None = None,
    filters: Pairs = (),
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
    expected: tuple[tuple[str, str], ...] = (),
) -> Listing[M]:
    """Describe a list of group A, read by cursor.

    Raises:
        RequestError: `limit` is not 1 to 100, both cursors are given, or a cursor is not an identifier.
    """
    if starting_after is not None and ending_before is not None:
        raise RequestError("give either starting_after or ending_before, not both")
    for name, cursor in (("starting_after", starting_after), ("ending_before", ending_before)):
        if cursor is not None:
            identifier(name, cursor)
    size: Pairs = ()
    if limit is not None:
        size = (("limit", str(whole_number("limit", limit, 1, MAX_PAGE))),)
    clean, segments, resource_id = path(template, *values)
    reader = ReadCursorPage(item)
    listing: Listing[M] = Listing(
        operation=Operation(
            method="GET",
            template=clean,
            path=segments,
            query=filters + size,
            reader=reader,
            resource_id=resource_id,
            reconcile_key=resource_id,
        ),
        reader=reader,
        direction="ending_before" if ending_before is not None else "starting_after",
        start=Position(starting_after if ending_before is None else ending_before),
        max_pages=_page_count(max_pages),
        prefetch=prefetch,
        expected=expected,
    )
    return listing.resume(checkpoint)


def offset_list(
    template: str,
    *values: str,
    item: type[M],
    offset: int = 0,
    size: int | None = None,
    checkpoint: str | None = None,
    max_pages: int | None = None,
    prefetch: bool = False,
    concurrency: int = 1,
) -> Listing[M]:
    """Describe a list of group C, read by offset.

    Raises:
        RequestError: `offset` is negative, or `size` is not 0 to 100.
    """
    clean, segments, resource_id = path(template, *values)
    reader = ReadOffsetPage(item)
    listing: Listing[M] = Listing(
        operation=Operation(
            method="GET",
            template=clean,
            path=segments,
            reader=reader,
            resource_id=resource_id,
            reconcile_key=resource_id,
        ),
        reader=reader,
        direction="offset",
        start=Position(whole_number("offset", offset, 0)),
        size=None if size is None else whole_number("size", size, 0, MAX_PAGE),
        max_pages=_page_count(max_pages),
        prefetch=prefetch,
        concurrency=whole_number("concurrency", concurrency, 1, 64),
    )
    return listing.resume(checkpoint)


def _page_count(max_pages: int | None) -> int | None:
    return None if max_pages is None else whole_number("max_pages", max_pages, 1)


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
