"""Lists as values: where to start, which page comes next, and when a list ends. No I/O.

A `Listing` describes a list; a `Walk` goes through it and only decides, the pagers carry. Rules: design section 7,
hazards H70 to H75.
"""

from dataclasses import dataclass, replace
from hashlib import blake2b
from operator import itemgetter
from typing import Generic, Literal, TypeAlias, TypeVar

from ... import _json as json
from ..._json import JSON
from ...errors import RequestError
from ...models._base import Model
from ..config.wire_names import WireNames
from ..operations.arguments import Pairs, Wire, identifier, path, whole_number
from ..operations.operation import Operation
from ..operations.readers import Page, PageReader, ReadCursorPage, ReadEnvelope, ReadOffsetPage
from . import checkpoint
from .parameters import ListParams, own_parameters

M = TypeVar("M", bound=Model)


Direction: TypeAlias = Literal["starting_after", "ending_before", "offset"]


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

    def refuse_names(self, wire_names: WireNames) -> None:
        """Refuse this list when a name on the wire is not set, or sent by a filter and by `params` as well.

        Raises:
            ConfigurationError: The wire name of a filter is not set.
            RequestError: `params` holds a name that a filter sends.
        """
        names = list(map(itemgetter(0), self.operation.query))  # apart from the values, which no frame must show (H31)
        own = {name for name in names if isinstance(name, str)}
        for name in names:
            if isinstance(name, Wire) and (sent := wire_names.resolve(name.field)) in own:
                raise RequestError(f"params must not hold {sent}: it is given as an argument already")

    @property
    def fingerprint(self) -> str:
        """Tells this list and its filters from others, without showing them."""
        pairs = sorted(
            (f"={name.field}" if isinstance(name, Wire) else name, text) for name, text in self.operation.query
        )
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
    params: ListParams | None = None,
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
            query=filters + own_parameters(params, filters) + size,
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
    params: ListParams | None = None,
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
            query=own_parameters(params, ()),
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
