"""Divides a list into partitions by creation time, and reads a partition."""

import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from inspect import signature
from typing import Generic, TypeAlias, TypeVar, cast, overload

from .._core.calls.driver import Driver
from .._core.calls.event_loop_warning import frames_of_the_package
from .._core.client.async_client import AsyncClient
from .._core.client.resources import SyncResource, driver_of
from .._core.client.resources_async import AsyncResource
from .._core.client.sync_client import BlockingClient
from .._core.config.environments import Group
from .._core.lists.pager import Pager, listing_of, name_of
from .._core.lists.pager_async import AsyncPager
from .._core.operations.arguments import whole_number
from .._core.operations.readers import Page, ShapeError
from .._datetimes import exact, is_time
from ..errors import FilterNotAppliedError, InvalidArgumentError, InvalidResponseError
from ..models._base import Model
from ..models._fields import identity_of

M = TypeVar("M", bound=Model)

_WINDOW = ("created_after", "created_before")
_SELECTING = (*_WINDOW, "checkpoint", "ending_before", "max_pages", "starting_after")
"""Arguments that select a part of a list, and that you therefore can't pass to `partition`."""
_SECOND = timedelta(seconds=1)
_VISIBLE = timedelta(seconds=60)
"""The SDK assumes that the service lists every item that was created at least this long ago."""
_FAR = timedelta(days=366)
"""The SDK adds this duration to the current time, or to `until` if `until` is later. No item was created after the
resulting time, even if clocks differ."""
_SHORT = timedelta(seconds=10)
"""If a time range is at most this long, the SDK doesn't check whether its halves contain fewer items than the range."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_YEAR = 9997
_TRIES = 5


ListMethod: TypeAlias = Callable[..., Pager[Model] | AsyncPager[Model]]
"""A method of a client that returns a pager."""


@dataclass(frozen=True, slots=True, repr=False)
class Partition(Generic[M]):
    """A part of a list that `partition` returns: the items that were created in a time range.

    You can pickle a partition and read it in another thread or process, or on another machine, with a client of the
    same API. A partition doesn't contain a credential. Together, the partitions of a `partition` call contain each item
    of the call's time range, and no item is in two partitions.

    Attributes:
        name: A filename without a suffix, such as `accounts-20250101T000000-20250201T000000`. The times are in UTC, so
            that the names sort by time.
        since: The start of the time range.
        until: The end of the time range. An item that was created at `until` isn't in the partition.
        count: The number of items that the service counted. The number can include items that were created up to a
            second before or after the time range.
    """

    name: str
    since: datetime
    until: datetime
    count: int
    _group: Group
    _resource: str
    _filters: Mapping[str, object] = field(hash=False)

    def __repr__(self) -> str:
        # The `repr` doesn't contain the filters, because the value of a filter can be personal data.
        return f"<Partition {self.name}: {self.count} items>"

    @overload
    def read(self, client: BlockingClient, *, checkpoint: str | None = None) -> Pager[M]: ...
    @overload
    def read(self, client: AsyncClient, *, checkpoint: str | None = None) -> AsyncPager[M]: ...
    def read(self, client: BlockingClient | AsyncClient, *, checkpoint: str | None = None) -> Pager[M] | AsyncPager[M]:
        """Return a pager for the items of the partition. You can also pass the pager to `to_arrow`.

        The documentation doesn't state whether a filter by creation time includes the items that were created exactly
        at the given time. The SDK therefore requests a slightly wider time range than the partition's, and leaves out
        the items that were created outside the partition's time range.

        Args:
            client: A sync or async client of the list's API.
            checkpoint: The checkpoint from which to resume an earlier iteration of the same partition.

        Returns:
            A `Pager` for a sync client, and an `AsyncPager` for an async client. A page has 100 items unless you passed
                `limit` to `partition`.

        Raises:
            InvalidArgumentError: `client` isn't a client of the list's API, or `checkpoint` belongs to another list.
                Nothing was sent.
            InvalidResponseError: During the iteration, the service returned an item without a creation time.
            FilterNotAppliedError: The service returned an item that was created outside the requested time range.
        """
        if not isinstance(client, BlockingClient | AsyncClient) or driver_of(client).settings.group != self._group:
            raise InvalidArgumentError(
                f"client must be a client of the API {self._group}. The partition belongs to the list "
                f"{self._group}.{self._resource}.list"
            )
        method: ListMethod = getattr(client, self._resource).list
        arguments = {"limit": 100, **self._filters, **_wider_window(self.since, self.until)}
        found = cast("Pager[M] | AsyncPager[M]", method(checkpoint=checkpoint, **arguments))
        listing, name = replace(listing_of(found), keeps=self._holds), name_of(found)
        if isinstance(client, BlockingClient):
            return Pager(driver_of(client), listing, name)
        return AsyncPager(driver_of(client), listing, name)

    def _holds(self, item: Model) -> bool:
        created = _created(item)
        if not self.since - 2 * _SECOND <= created <= self.until + _SECOND:
            raise FilterNotAppliedError(
                "the service returned an item that was created outside the requested time range, so the response may "
                "also lack items that were created inside the range. Read the whole list instead"
            )
        return self.since <= created < self.until


def _created(item: Model) -> datetime:
    created: object = getattr(item, "created", None)
    if isinstance(created, datetime):
        return created
    raise ShapeError(
        f"{type(item).__name__} {identity_of(item)!r} has no creation time, so it would be in no partition. "
        "Read the whole list instead"
    )


def _wider_window(since: datetime | None, until: datetime | None) -> dict[str, datetime]:
    """Return the filters for a slightly wider time range, so that no item at the start or the end is missing.

    The start and the end are whole seconds, so that a service that drops fractions of a second doesn't change them.
    """
    after = None if since is None else since.replace(microsecond=0) - _SECOND
    before = until if until is None or not until.microsecond else until.replace(microsecond=0) + _SECOND
    return {name: value for name, value in zip(_WINDOW, (after, before), strict=True) if value is not None}


@dataclass(slots=True)
class PageRead:
    """A read of one page, which returns the number of items in a time range, and the first items, up to `limit`.

    Attributes:
        since: The start of the time range, or `None` for a range without a start.
        until: The end of the time range, or `None` for a range without an end.
        limit: The page size.
    """

    since: datetime | None = None
    until: datetime | None = None
    limit: int = 1

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments for the list method."""
        return {**_wider_window(self.since, self.until), "limit": self.limit}


Steps = Generator[Sequence[PageRead], Sequence[Page[Model]], list[Partition[Model]]]
"""A generator that yields reads that can run in parallel, receives the pages, and returns the partitions."""


class Partitioning:
    """The arguments of `partition`, checked before anything is sent."""

    def __init__(
        self,
        method: Callable[..., object],
        size: int,
        since: datetime,
        until: datetime | None,
        filters: Mapping[str, object],
    ) -> None:
        holder: object = getattr(method, "__self__", None)
        driver = driver_of(holder) if isinstance(holder, SyncResource | AsyncResource) else None
        if driver is None or not set(_WINDOW) <= signature(method).parameters.keys():
            raise InvalidArgumentError(
                "list_method must be a list method with filters by creation time; pass billing.accounts.list"
            )
        if name := next((each for each in _SELECTING if each in filters), None):
            raise InvalidArgumentError(
                f"{name} can't be passed to partition, because partition divides the whole list between since and until"
            )
        self.is_blocking: bool = isinstance(driver, Driver)
        self._group: Group = driver.settings.group
        self._filters = dict(filters)
        self._size = whole_number("size", size, 1)
        now = driver.settings.clock.now()
        self._since = _moment("since", since)
        self._until = _moment("until", now - _VISIBLE if until is None else until)
        self._far = max(now.astimezone(UTC), self._until) + _FAR
        if self._until < self._since:
            if until is None:
                raise InvalidArgumentError(
                    "since must be at least 60 seconds ago, unless until is set; pass an earlier since, or set until"
                )
            raise InvalidArgumentError("until must not be before since")
        pager = cast("ListMethod", method)(**filters)  # creating the pager checks the filters, and sends nothing
        self._resource = name_of(pager).partition(".")[0]

    def pages(self, method: ListMethod, read: PageRead) -> Pager[Model] | AsyncPager[Model]:
        """Return a pager for a read. The caller reads only the first page."""
        return method(**{**self._filters, **read.arguments})

    def steps(self) -> Steps:
        """Divide the time range until each part has at most `size` items or is one second long.

        Raises:
            InvalidResponseError: The service doesn't return the number of items, or an item has no creation time.
            FilterNotAppliedError: The service returns items that were created outside the requested time range.
        """
        whole = yield from self._checked()
        windows, done = [_Window(self._since, self._until, whole)], list[_Window]()
        while windows:
            done += [each for each in windows if each.count <= self._size or each.middle is None]
            divided = [each for each in windows if each.count > self._size and each.middle is not None]
            halves = [half for each in divided for half in each.halves()]
            for half, page in zip(halves, (yield [PageRead(each.since, each.until) for each in halves]), strict=True):
                half.count = self._total(page)
            for each, left, right in zip(divided, halves[::2], halves[1::2], strict=True):
                each.refuse_undivided(left, right)
            windows = halves
        return [self._partition(each) for each in _joined(sorted(done, key=lambda each: each.since), self._size)]

    def _checked(self) -> Generator[Sequence[PageRead], Sequence[Page[Model]], int]:
        """Check that the service applies filters and sets creation times, and return the number of items to divide."""
        far = self._far
        before = everything = after = 0
        for _ in range(_TRIES):
            # Don't count in parallel, because items that are created between the counts would look like items without a
            # creation time.
            before = self._total((yield [PageRead(until=far)])[0])
            everything = self._total((yield [PageRead()])[0])
            after = self._total((yield [PageRead(until=far)])[0])
            if everything <= before or everything > after:
                break
        else:
            warnings.warn(
                "items are being created so fast that the SDK can't check whether each item has a creation time. Items "
                "without a creation time are in no partition",
                stacklevel=frames_of_the_package(),
            )
        if everything > after:
            raise InvalidResponseError(
                f"{after} of {everything} items have a creation time; the other items would be in no partition. Read "
                "the whole list instead"
            )
        later, earlier, newest, whole = yield [
            PageRead(since=far),
            PageRead(until=_EPOCH),
            PageRead(self._until, limit=100),
            PageRead(self._since, self._until),
        ]
        if self._total(later) or self._total(earlier):
            raise FilterNotAppliedError(
                "the service returned items for a period in which no item was created, so the service probably ignores "
                f"the filters {' and '.join(_WINDOW)}. Set the wire names of the filters with WireNames"
            )
        try:
            for item in newest.data:
                _created(item)
        except ShapeError as error:
            problem = str(error)
        else:
            return self._total(whole)
        raise InvalidResponseError(problem)

    def _total(self, page: Page[Model]) -> int:
        if page.total_count is None:
            raise InvalidResponseError(
                "the list can't be partitioned, because the service returned no total_count for "
                f"{self._resource}.list. Read the whole list instead"
            )
        return page.total_count

    def _partition(self, window: "_Window") -> Partition[Model]:
        name = "-".join([self._resource, *(f"{each.astimezone(UTC):%Y%m%dT%H%M%S}" for each in window.borders)])
        return Partition(name, *window.borders, window.count, self._group, self._resource, self._filters)


@dataclass(slots=True)
class _Window:
    """A time range, and the number of items in the range, as counted by the service."""

    since: datetime
    until: datetime
    count: int = 0
    is_whole_half: bool = False

    @property
    def borders(self) -> tuple[datetime, datetime]:
        return self.since, self.until

    @property
    def middle(self) -> datetime | None:
        """A whole second between the start and the end, or `None` if the time range is at most one second long."""
        if self.until - self.since <= _SECOND:
            return None
        middle = (self.since + (self.until - self.since) / 2).replace(microsecond=0)
        return middle if middle > self.since else middle + _SECOND

    def halves(self) -> "tuple[_Window, _Window]":
        middle = cast("datetime", self.middle)
        return _Window(self.since, middle), _Window(middle, self.until)

    def refuse_undivided(self, left: "_Window", right: "_Window") -> None:
        """Raise an error if both halves of a time range have as many items as the range itself, twice in a row.

        The requested time ranges of the two halves overlap by one second. If all items of a time range were created
        within the overlap, both halves correctly contain all items of the range, and one half of the next division has
        no items. Time ranges of at most ten seconds aren't checked. If more than `size` items were created in one
        second, that second becomes a partition.
        """
        if min(left.count, right.count) < self.count or self.until - self.since <= _SHORT:
            return
        if self.is_whole_half:
            raise FilterNotAppliedError(
                "dividing a time range doesn't reduce the number of items, so the service probably ignores the "
                "time of day or counts the whole list; choose a larger size"
            )
        left.is_whole_half = right.is_whole_half = True


def _joined(windows: Sequence[_Window], size: int) -> list[_Window]:
    """Join adjacent time ranges that together have at most `size` items."""
    joined = list(windows[:1])
    for each in windows[1:]:
        last = joined[-1]
        if last.count + each.count <= size:
            joined[-1] = _Window(last.since, each.until, last.count + each.count)
        else:
            joined.append(each)
    return joined


def _moment(name: str, value: object) -> datetime:
    if not is_time(value) or value.utcoffset() is None:
        raise InvalidArgumentError(
            f"{name} must be a datetime with a time zone, such as datetime(2015, 1, 1, tzinfo=UTC)"
        )
    plain = exact(value)
    if plain is None:
        raise InvalidArgumentError(f"{name} must not have fractions of a microsecond; round the time to microseconds")
    if not _EPOCH.year <= value.year <= _LAST_YEAR:
        raise InvalidArgumentError(f"{name} must be in the years {_EPOCH.year} to {_LAST_YEAR}")
    return plain.astimezone(UTC)
