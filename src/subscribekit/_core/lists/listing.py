"""Lists as values: where a list begins, what one page of it is read with, and how a checkpoint resumes it. No I/O."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import blake2b
from operator import itemgetter
from typing import Generic, Literal, TypeAlias, TypeVar

from ... import _json as json
from ..._json import JSON
from ...errors import InvalidArgumentError
from ...models._base import Model
from ...models._identifiers import MAX_IDENTIFIER
from ..config.wire_names import WireNames
from ..operations.arguments import Pairs, Wire, flag, path, text, whole_number
from ..operations.operation import Operation, Safety
from ..operations.readers import CURSOR_PAGE, OFFSET_PAGE, Page, Reader, WholePage
from .checkpoint import BEGINNING, MAX_OFFSET, Checkpoint, Position, parse
from .parameters import ListParams, own_parameters

M = TypeVar("M", bound=Model)
T = TypeVar("T")


Direction: TypeAlias = Literal["starting_after", "ending_before", "offset"]
_BY_CURSOR: dict[str, Direction] = {"starting_after": "starting_after", "ending_before": "ending_before"}
MAX_PAGE = 100
MAX_PAGES_AT_ONCE = 64


@dataclass(slots=True, eq=False, kw_only=True, repr=False)
class Listing(Generic[M]):
    """A list that can be read page by page.

    Attributes:
        template: Path with identifiers left out, for logs, errors and traces.
        path: The decoded path segments.
        item: The type of the items.
        reader: How a page reads; its items stay JSON until they are handed out.
        direction: Which parameter moves the list.
        filters: The method's filters and the caller's own parameters.
        resource_id: The last identifier in the path.
        start: Where it begins.
        limit: Page size of a cursor list, as text; `None` leaves it to the service.
        size: Page size of an offset list; `None` leaves it to the service.
        max_pages: Stop after so many pages.
        prefetch: Read one page ahead.
        concurrency: Pages of an offset list that are read side by side.
        expected: Reference fields of an item and the id or vid that the filter asked for.
        environment: Name of the environment that it is read in, or whose checkpoint it goes on from.
        keeps: Which items are handed out, of those that the service gives; all when absent.
    """

    template: str
    path: tuple[str, ...]
    item: type[M]
    reader: Reader[Page[JSON]]
    direction: Direction
    filters: Pairs = ()
    resource_id: str | None = None
    start: Position = BEGINNING
    limit: str | None = None
    size: int | None = None
    max_pages: int | None = None
    prefetch: bool = False
    concurrency: int = 1
    expected: tuple[tuple[str, str], ...] = ()
    environment: str | None = None
    keeps: Callable[[M], bool] | None = None

    def operation_at(self, cursor: str | int | None) -> Operation[Page[JSON]]:
        """Describe the call that reads the page at a cursor or offset; the items stay JSON."""
        return self._operation_at(cursor, self.reader)

    @property
    def first_page(self) -> Operation[Page[M]]:
        """Describe the call that reads the page where the list begins, its items as models."""
        return self._operation_at(self.start.cursor, WholePage(self.reader, self.item, self.expected))

    def _operation_at(self, cursor: str | int | None, reader: Reader[T]) -> Operation[T]:
        query = self.filters
        if self.limit is not None:
            query = (*query, ("limit", self.limit))
        if cursor is not None:
            query = (*query, (self.direction, str(cursor)))
        if self.size is not None:
            query = (*query, ("size", str(self.size)))
        return Operation(
            method="GET",
            template=self.template,
            path=self.path,
            query=query,
            reader=reader,
            safety=Safety.READ,
            resource_id=self.resource_id,
            reconcile_key=self.resource_id,
        )

    def of_client(self, wire_names: WireNames, environment: str | None) -> "Listing[M]":
        """Give this list as it is read by a client with these wire names, of an environment with this name.

        Raises:
            ConfigurationError: The wire name of a filter is not set.
            InvalidArgumentError: `params` holds a name that a filter sends, or the checkpoint is of another
                environment.
        """
        self._refuse_names(wire_names)
        if environment is None:
            return self
        if self.environment not in (None, environment):
            raise InvalidArgumentError(
                f"checkpoint belongs to the environment {self.environment!r}, and this client is of {environment!r}"
            )
        return replace(self, environment=environment)

    def _refuse_names(self, wire_names: WireNames) -> None:
        names = list(map(itemgetter(0), self.filters))  # apart from the values, which no frame must show (H31)
        own = {name for name in names if isinstance(name, str)}
        for name in names:
            if isinstance(name, Wire) and (sent := wire_names.resolve(name.field)) in own:
                raise InvalidArgumentError(f"params must not hold {sent}: it is given as an argument already")

    @property
    def fingerprint(self) -> str:
        """Tells this list and its filters from others, without showing them."""
        pairs = sorted((f"={name.field}" if isinstance(name, Wire) else name, value) for name, value in self.filters)
        return blake2b(json.encode([self.path, pairs]), digest_size=8).hexdigest()

    def checkpoint(self, position: Position) -> str:
        """Write a position as a short string."""
        limit = self.limit if position.taken else None
        return str(Checkpoint(self.fingerprint, self.direction, position, limit, self.environment))

    def resume(self, written: str | None) -> "Listing[M]":
        """Start where a checkpoint says.

        Raises:
            InvalidArgumentError: It is not a checkpoint, or one of another list or of other filters.
        """
        if written is None:
            return self
        if self.start.cursor:
            raise InvalidArgumentError("give either checkpoint or a starting point, not both")
        stored = parse(written)
        if stored.fingerprint != self.fingerprint:
            raise InvalidArgumentError("checkpoint belongs to another list or to other filters")
        cursor, taken = stored.position.cursor, stored.position.taken
        if self.direction == "offset":
            if stored.direction == "offset" and isinstance(cursor, int) and not taken:
                return replace(self, start=stored.position, environment=stored.environment)
        elif (direction := _BY_CURSOR.get(stored.direction)) is not None and not isinstance(cursor, int):
            limit = self._limit_of(stored) if taken else self.limit
            return replace(
                self, direction=direction, start=stored.position, limit=limit, environment=stored.environment
            )
        raise InvalidArgumentError("checkpoint is damaged")

    def _limit_of(self, stored: Checkpoint) -> str | None:
        """Give the page size that the checkpoint counts in: pages of another one would lose items or repeat them."""
        limit = stored.limit
        if limit is not None and not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:4]) <= MAX_PAGE):
            raise InvalidArgumentError("checkpoint is damaged")
        if self.limit not in (None, limit) or (limit is None and self.limit is not None):
            how = "without limit" if limit is None else f"with limit={limit}"
            raise InvalidArgumentError(f"checkpoint is within a page; resume it {how}")
        return limit


@dataclass(slots=True, eq=False, repr=False)
class ByCursor:
    """The arguments that every list of group A takes, in the order of its signature."""

    limit: int | None = None
    starting_after: str | None = None
    ending_before: str | None = None
    params: ListParams | None = None
    checkpoint: str | None = None
    max_pages: int | None = None
    prefetch: bool = False


@dataclass(slots=True, eq=False, repr=False)
class ByOffset:
    """The arguments that every list of group C takes, in the order of its signature."""

    offset: int = 0
    size: int | None = None
    params: ListParams | None = None
    checkpoint: str | None = None
    max_pages: int | None = None
    prefetch: bool = False
    concurrency: int = 1


def cursor_list(
    template: str,
    *values: str,
    item: type[M],
    paging: ByCursor,
    filters: Pairs = (),
    expected: tuple[tuple[str, str], ...] = (),
) -> Listing[M]:
    """Describe a list of group A, read by cursor.

    Raises:
        InvalidArgumentError: `limit` is not 1 to 100, both cursors are given, a cursor is not text of 1 to 128
            characters, or `params` holds what cannot be sent.
    """
    starting_after, ending_before, limit = paging.starting_after, paging.ending_before, paging.limit
    if starting_after is not None and ending_before is not None:
        raise InvalidArgumentError("give either starting_after or ending_before, not both")
    for name, cursor in (("starting_after", starting_after), ("ending_before", ending_before)):
        if cursor is not None:
            text(name, cursor, MAX_IDENTIFIER)  # it is quoted in the query
    clean, segments, resource_id = path(template, *values)
    listing: Listing[M] = Listing(
        template=clean,
        path=segments,
        item=item,
        reader=CURSOR_PAGE,
        direction="ending_before" if ending_before is not None else "starting_after",
        filters=filters + own_parameters(paging.params, filters),
        resource_id=resource_id,
        start=Position(starting_after if ending_before is None else ending_before),
        limit=None if limit is None else str(whole_number("limit", limit, 1, MAX_PAGE)),
        max_pages=_page_count(paging.max_pages),
        prefetch=flag("prefetch", paging.prefetch),
        expected=expected,
    )
    return listing.resume(paging.checkpoint)


def offset_list(template: str, *values: str, item: type[M], paging: ByOffset) -> Listing[M]:
    """Describe a list of group C, read by offset.

    Raises:
        InvalidArgumentError: `offset` is negative or over 2**63 - 1, `size` is not 0 to 100, or `params` holds what
            cannot be sent.
    """
    clean, segments, resource_id = path(template, *values)
    listing: Listing[M] = Listing(
        template=clean,
        path=segments,
        item=item,
        reader=OFFSET_PAGE,
        direction="offset",
        filters=own_parameters(paging.params, ()),
        resource_id=resource_id,
        start=Position(whole_number("offset", paging.offset, 0, MAX_OFFSET)),
        size=None if paging.size is None else whole_number("size", paging.size, 0, MAX_PAGE),
        max_pages=_page_count(paging.max_pages),
        prefetch=flag("prefetch", paging.prefetch),
        concurrency=whole_number("concurrency", paging.concurrency, 1, MAX_PAGES_AT_ONCE),
    )
    return listing.resume(paging.checkpoint)


def _page_count(max_pages: int | None) -> int | None:
    return None if max_pages is None else whole_number("max_pages", max_pages, 1)
