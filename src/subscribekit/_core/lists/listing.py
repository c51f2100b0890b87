"""Describes lists: the start of an iteration, the operations that read pages, and checkpoints. Does no I/O."""

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
from .checkpoint import BEGINNING, DAMAGED, MAX_OFFSET, Checkpoint, Position, parse
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
        template: Path without identifiers, for logs, errors, and traces.
        path: The decoded path segments.
        item: The model of the items.
        reader: The reader of a page, which returns the items as parsed JSON. The iteration converts each item to a
            model.
        direction: Name of the query parameter that contains the cursor or the offset.
        filters: The filters of the list method, and the caller's own parameters.
        resource_id: The last identifier in the path.
        start: The position where the iteration starts.
        limit: Page size of a list that is read by cursor, as a string, or `None` for the service's default.
        size: Page size of a list that is read by offset, or `None` for the service's default.
        max_pages: Maximum number of pages to read.
        prefetch: Whether to read one page ahead.
        concurrency: Number of pages to read in parallel, for a list that is read by offset.
        expected: Pairs of a reference field in each item, and the `id` or `vid` to which the field must refer.
        environment: Name of the environment of the client, or of the checkpoint.
        keeps: A function that returns whether to keep an item, or `None` to keep all items.
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
        """Return the operation that reads the page at a cursor or offset, with its items as parsed JSON."""
        return self._operation_at(cursor, self.reader)

    @property
    def first_page(self) -> Operation[Page[M]]:
        """The operation that reads the first page, with its items as models."""
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
        """Check that a client can read this list, and return the list with the client's environment.

        Raises:
            ConfigurationError: The wire name of a filter isn't set.
            InvalidArgumentError: `params` contains a name that a filter sends, or the checkpoint is from another
                environment.
        """
        self._refuse_names(wire_names)
        if environment is None:
            return self
        if self.environment not in (None, environment):
            raise InvalidArgumentError(
                f"checkpoint belongs to the environment {self.environment!r}, and this client to {environment!r}; use "
                f"a client for the environment of the checkpoint"
            )
        return replace(self, environment=environment)

    def _refuse_names(self, wire_names: WireNames) -> None:
        names = list(map(itemgetter(0), self.filters))  # a traceback must not show the filters' values (H31)
        own = {name for name in names if isinstance(name, str)}
        for name in names:
            if isinstance(name, Wire) and (sent := wire_names.resolve(name.field)) in own:
                raise InvalidArgumentError(
                    f"params must not contain a parameter that an argument already sends: {sent}"
                )

    @property
    def fingerprint(self) -> str:
        """A digest that identifies the list and its filters, but doesn't contain the filters' values."""
        pairs = sorted((f"={name.field}" if isinstance(name, Wire) else name, value) for name, value in self.filters)
        return blake2b(json.encode([self.path, pairs]), digest_size=8).hexdigest()

    def checkpoint(self, position: Position) -> str:
        """Return the checkpoint of a position, which is a short string."""
        limit = self.limit if position.taken else None
        return str(Checkpoint(self.fingerprint, self.direction, position, limit, self.environment))

    def resume(self, written: str | None) -> "Listing[M]":
        """Return a copy of this list that starts at the position of a checkpoint.

        Raises:
            InvalidArgumentError: The value isn't a checkpoint, or belongs to another list or to other filters.
        """
        if written is None:
            return self
        if self.start.cursor:
            raise InvalidArgumentError("checkpoint can't be combined with starting_after, ending_before, or offset")
        stored = parse(written)
        if stored.fingerprint != self.fingerprint:
            raise InvalidArgumentError(
                "checkpoint belongs to another list or to other filters; resume it with the same method and filters"
            )
        cursor, taken = stored.position.cursor, stored.position.taken
        if self.direction == "offset":
            if stored.direction == "offset" and isinstance(cursor, int) and not taken:
                return replace(self, start=stored.position, environment=stored.environment)
        elif (direction := _BY_CURSOR.get(stored.direction)) is not None and not isinstance(cursor, int):
            limit = self._limit_of(stored) if taken else self.limit
            return replace(
                self, direction=direction, start=stored.position, limit=limit, environment=stored.environment
            )
        raise InvalidArgumentError(DAMAGED)

    def _limit_of(self, stored: Checkpoint) -> str | None:
        """Return the page size of a checkpoint. Another page size than the checkpoint's would lose or repeat items."""
        limit = stored.limit
        if limit is not None and not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:4]) <= MAX_PAGE):
            raise InvalidArgumentError(DAMAGED)
        if self.limit not in (None, limit) or (limit is None and self.limit is not None):
            how = "without limit" if limit is None else f"with limit={limit}"
            raise InvalidArgumentError(f"checkpoint is in the middle of a page; call the list method {how}")
        return limit


@dataclass(slots=True, eq=False, repr=False)
class ByCursor:
    """The arguments that all list methods of the billing API share, in the order of their signatures."""

    limit: int | None = None
    starting_after: str | None = None
    ending_before: str | None = None
    params: ListParams | None = None
    checkpoint: str | None = None
    max_pages: int | None = None
    prefetch: bool = False


@dataclass(slots=True, eq=False, repr=False)
class ByOffset:
    """The arguments that all list methods of the account-lifecycle API share, in the order of their signatures."""

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
    """Return a list of the billing API, which the SDK reads by cursor.

    Raises:
        InvalidArgumentError: `limit` isn't from 1 to 100, both cursors were passed, or a cursor isn't a string of 1 to
            128 characters. The SDK also raises `InvalidArgumentError` if `params` contains an invalid name or value.
    """
    starting_after, ending_before, limit = paging.starting_after, paging.ending_before, paging.limit
    if starting_after is not None and ending_before is not None:
        raise InvalidArgumentError("starting_after can't be combined with ending_before")
    for name, cursor in (("starting_after", starting_after), ("ending_before", ending_before)):
        if cursor is not None:
            text(name, cursor, MAX_IDENTIFIER)  # unlike a path, a query allows any character except control characters
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
    """Return a list of the account-lifecycle API, which the SDK reads by offset.

    Raises:
        InvalidArgumentError: `offset` is negative or more than 2**63 - 1, or `size` isn't from 0 to 100. The SDK also
            raises `InvalidArgumentError` if `params` contains an invalid name or value.
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
