"""A list as partitions by time of creation: counts the items of windows, and reads one partition."""

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
_PLACE = (*_WINDOW, "checkpoint", "ending_before", "max_pages", "starting_after")
"""Arguments that choose a part of a list, as each partition does."""
_SECOND = timedelta(seconds=1)
_VISIBLE = timedelta(seconds=60)
"""Age at which a new item is in every list of the service."""
_FAR = timedelta(days=366)
"""Time after now, and after the end of the partitions, in which nothing was created, also by clocks that differ."""
_SHORT = timedelta(seconds=10)
"""Length of a window that is divided down to seconds, however many items were created in one of them."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST_YEAR = 9997
_TRIES = 5


ListMethod: TypeAlias = Callable[..., Pager[Model] | AsyncPager[Model]]
"""A method of a client that gives a list."""


@dataclass(frozen=True, slots=True, repr=False)
class Partition(Generic[M]):
    """A partition of a list: the items that were created in a window of time. `partition` makes it.

    A partition holds no credential. It can be pickled, and read in another thread, process, or machine by a client of
    the same group. The partitions of one call hold each item of the list once.

    Attributes:
        name: A file name without suffix, with the window in UTC; it sorts by time.
        since: The window's first moment.
        until: The moment after its last one.
        count: The items that the service counted; items created within a second before the window count, too.
    """

    name: str
    since: datetime
    until: datetime
    count: int
    _group: Group
    _family: str
    _filters: Mapping[str, object] = field(hash=False)

    def __repr__(self) -> str:
        return f"<Partition {self.name}: {self.count} items>"  # the filters may be personal

    @overload
    def read(self, client: BlockingClient, *, checkpoint: str | None = None) -> Pager[M]: ...
    @overload
    def read(self, client: AsyncClient, *, checkpoint: str | None = None) -> AsyncPager[M]: ...
    def read(self, client: BlockingClient | AsyncClient, *, checkpoint: str | None = None) -> Pager[M] | AsyncPager[M]:
        """Return the partition as a list, which is read while you iterate; `to_arrow` and checkpoints take it.

        Nothing is published about the borders of a window, so the service is asked for a wider one, and items that were
        created outside of the partition's own window are left out.

        Args:
            client: A client of the group of the list, in either style.
            checkpoint: Go on where an earlier iteration of the same partition stopped.

        Returns:
            A pager of the client's style, of pages of 100 items unless `partition` was called with a `limit`.

        Raises:
            InvalidArgumentError: It is a client of another group, or no client; or a checkpoint of another list.
            InvalidResponseError: While iterating: an item has no time of creation.
            FilterNotAppliedError: While iterating: an item was created seconds outside of the window.
        """
        if not isinstance(client, BlockingClient | AsyncClient) or driver_of(client).settings.group != self._group:
            raise InvalidArgumentError(
                f"a partition of {self._group}.{self._family}.list is read with a client of {self._group}"
            )
        method: ListMethod = getattr(client, self._family).list
        arguments = {"limit": 100, **self._filters, **_asked(self.since, self.until)}
        found = cast("Pager[M] | AsyncPager[M]", method(checkpoint=checkpoint, **arguments))
        listing, name = replace(listing_of(found), keeps=self._holds), name_of(found)
        if isinstance(client, BlockingClient):
            return Pager(driver_of(client), listing, name)
        return AsyncPager(driver_of(client), listing, name)

    def _holds(self, item: Model) -> bool:
        created = _created(item)
        if not self.since - 2 * _SECOND <= created <= self.until + _SECOND:
            raise FilterNotAppliedError(
                "an item was created outside of the window that was asked for, so the service may also leave out items "
                "that are in it; read the whole list"
            )
        return self.since <= created < self.until


def _created(item: Model) -> datetime:
    created: object = getattr(item, "created", None)
    if isinstance(created, datetime):
        return created
    raise ShapeError(
        f"{type(item).__name__} {identity_of(item)!r} has no time of creation, so it is in no partition; "
        "read the whole list"
    )


def _asked(since: datetime | None, until: datetime | None) -> dict[str, datetime]:
    """Give the filters for a window that holds another one, whatever the service means by its borders.

    Both are whole seconds, which also a service that cuts off fractions takes as they are.
    """
    after = None if since is None else since.replace(microsecond=0) - _SECOND
    before = until if until is None or not until.microsecond else until.replace(microsecond=0) + _SECOND
    return {name: value for name, value in zip(_WINDOW, (after, before), strict=True) if value is not None}


@dataclass(slots=True)
class Look:
    """One page to read: how many items a window has, and at most `limit` of them.

    Attributes:
        since: Its begin; `None` for none.
        until: Its end; `None` for none.
        limit: Page size.
    """

    since: datetime | None = None
    until: datetime | None = None
    limit: int = 1

    @property
    def arguments(self) -> dict[str, object]:
        """The arguments of the list."""
        return {**_asked(self.since, self.until), "limit": self.limit}


Looks = Generator[Sequence[Look], Sequence[Page[Model]], list[Partition[Model]]]
"""Gives pages to read, side by side, and is sent them; returns the partitions."""


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
                "partition takes a list that is filtered by time of creation: billing.accounts.list"
            )
        if refused := next((name for name in _PLACE if name in filters), None):
            raise InvalidArgumentError(
                f"partition doesn't take {refused}, because each partition chooses its own part of the list"
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
                raise InvalidArgumentError("since must be at least 60 seconds ago, unless until is set")
            raise InvalidArgumentError("until must not be before since")
        pager = cast("ListMethod", method)(**filters)  # which refuses what it does not take, and sends nothing
        self._family = name_of(pager).partition(".")[0]

    def pages(self, method: ListMethod, look: Look) -> Pager[Model] | AsyncPager[Model]:
        """Give the list whose first page is looked at."""
        return method(**{**self._filters, **look.arguments})

    def steps(self) -> Looks:
        """Divide the time until each window holds at most `size` items, or is one second.

        Raises:
            InvalidResponseError: The service does not count, or an item has no time of creation.
            FilterNotAppliedError: The service gives what is outside of a window.
        """
        whole = yield from self._checked()
        windows, done = [_Window(self._since, self._until, whole)], list[_Window]()
        while windows:
            done += [each for each in windows if each.count <= self._size or each.middle is None]
            divided = [each for each in windows if each.count > self._size and each.middle is not None]
            halves = [half for each in divided for half in each.halves()]
            for half, page in zip(halves, (yield [Look(each.since, each.until) for each in halves]), strict=True):
                half.count = self._total(page)
            for each, left, right in zip(divided, halves[::2], halves[1::2], strict=True):
                each.refuse_undivided(left, right)
            windows = halves
        return [self._partition(each) for each in _joined(sorted(done, key=lambda each: each.since), self._size)]

    def _checked(self) -> Generator[Sequence[Look], Sequence[Page[Model]], int]:
        """Look whether the service filters by time and whether each item has one; give the number of the items."""
        far = self._far
        before = everything = after = 0
        for _ in range(_TRIES):
            # One after the other: items that are created meanwhile must not pass for items without a time.
            before = self._total((yield [Look(until=far)])[0])
            everything = self._total((yield [Look()])[0])
            after = self._total((yield [Look(until=far)])[0])
            if everything <= before or everything > after:
                break
        else:
            warnings.warn(
                "so many items are created now that some without a time of creation may be missed",
                stacklevel=frames_of_the_package(),
            )
        if everything > after:
            raise InvalidResponseError(
                f"the list has {everything} items, and {after} of them a time of creation: the others are in no "
                "partition; read the whole list"
            )
        looks = [Look(since=far), Look(until=_EPOCH), Look(self._until, limit=100), Look(self._since, self._until)]
        later, earlier, newest, whole = yield looks
        if self._total(later) or self._total(earlier):
            raise FilterNotAppliedError(
                "the service gives items for a window in which nothing was created; it seems not to know the filters "
                f"{' and '.join(_WINDOW)}: set their wire names with WireNames"
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
                f"the service gives no total_count for {self._family}.list, so it can't be partitioned; "
                "read the whole list"
            )
        return page.total_count

    def _partition(self, window: "_Window") -> Partition[Model]:
        name = "-".join([self._family, *(f"{each.astimezone(UTC):%Y%m%dT%H%M%S}" for each in window.borders)])
        return Partition(name, *window.borders, window.count, self._group, self._family, self._filters)


@dataclass(slots=True)
class _Window:
    """A window and what the service counts in it."""

    since: datetime
    until: datetime
    count: int = 0
    is_whole_half: bool = False

    @property
    def borders(self) -> tuple[datetime, datetime]:
        return self.since, self.until

    @property
    def middle(self) -> datetime | None:
        """A whole second between the borders; `None` where the window is at most one second."""
        if self.until - self.since <= _SECOND:
            return None
        middle = (self.since + (self.until - self.since) / 2).replace(microsecond=0)
        return middle if middle > self.since else middle + _SECOND

    def halves(self) -> "tuple[_Window, _Window]":
        middle = cast("datetime", self.middle)
        return _Window(self.since, middle), _Window(middle, self.until)

    def refuse_undivided(self, left: "_Window", right: "_Window") -> None:
        """Stop where smaller windows hold as many, or every second of the time would be counted.

        Once is possible: both halves count what was created in the second between them. In short windows it's possible
        several times, and a second with more items than a partition should have becomes a partition.
        """
        if min(left.count, right.count) < self.count or self.until - self.since <= _SHORT:
            return
        if self.is_whole_half:
            raise FilterNotAppliedError(
                "windows of time hold as many items as each of their halves: the service seems to compare days, or to "
                "count the whole list; choose a larger size"
            )
        left.is_whole_half = right.is_whole_half = True


def _joined(windows: Sequence[_Window], size: int) -> list[_Window]:
    """Join neighbours that together have at most `size` items."""
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
        raise InvalidArgumentError(f"{name} must not have fractions of a microsecond")
    if not _EPOCH.year <= value.year <= _LAST_YEAR:
        raise InvalidArgumentError(f"{name} must be in the years {_EPOCH.year} to {_LAST_YEAR}")
    return plain.astimezone(UTC)
