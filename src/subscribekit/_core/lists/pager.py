"""Pagers: lists that read page after page while they are iterated. The order of things is decided in `paging`."""

from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import Generic, TypeVar

from ..._json import JSON
from ...errors import InvalidResponseError, RequestError, SubscribekitError
from ...models._base import Model
from ..calls.drivers import AsyncDriver, Driver
from ..calls.refusal import accept, described
from ..calls.response import Response
from ..operations.readers import Page, ShapeError
from .listing import Listing
from .page_iterator import Walk
from .prefetch import Lookahead

M = TypeVar("M", bound=Model)


def _refused(
    walk: Walk[M], error: SubscribekitError | ShapeError, name: str, last: Response[Page[JSON]] | None
) -> SubscribekitError:
    """Complete an error that ends an iteration: where to go on, and which answer it came from."""
    if isinstance(error, ShapeError):
        error = InvalidResponseError(f"an item of the list has another shape: {error}")
    error.checkpoint = walk.checkpoint
    if error.operation is None and last is not None:
        error.operation, error.attempts, error.elapsed = name, last.attempts, last.elapsed
        error.trace_id = last.trace_id
        if isinstance(error, InvalidResponseError):
            error.status_code, error.request_id = last.status_code, last.request_id
    return error.with_traceback(None)  # the walk's frames hold links, which repeat the filters (H31)


def _check_filter(walk: Walk[M], name: str, last: Response[Page[JSON]] | None) -> None:
    """Look at the items of a page of which only the total is wanted: they tell whether it is that of another list."""
    if not walk.listing.expected:
        return
    try:
        walk.take_page()
    except (SubscribekitError, ShapeError) as error:
        failure = error
    else:
        return
    raise _refused(walk, failure, name, last)


def _count(name: str, value: int) -> int:
    if type(value) is not int or value < 0:
        raise RequestError(f"{name} must be a whole number that is not negative")
    return value


class _Items(Generic[M]):
    """The items of one walk; usable again after an error, then the failed page is read once more."""

    def __init__(self, driver: Driver, walk: Walk[M], name: str) -> None:
        self._walk, self._name = walk, name
        self._source = Lookahead(driver, name)
        self.last: Response[Page[JSON]] | None = None

    def __iter__(self) -> Iterator[M]:
        return self

    def __next__(self) -> M:
        failure: SubscribekitError | ShapeError
        try:
            while True:
                item = self._walk.take()
                if item is not None:
                    return item
                if not self.advance():
                    raise StopIteration
        except (SubscribekitError, ShapeError) as error:
            failure = error
        raise _refused(self._walk, failure, self._name, self.last)

    def advance(self) -> bool:
        """Read the next page; `False` at the end."""
        operation = self._walk.next_operation()
        if operation is None:
            return False
        self.last = self._source.read(operation)
        self._walk.arrive(self.last.data)
        self._source.start(self._walk.ahead())
        return True


class Pager(Generic[M]):
    """A list of the service, read while it is iterated.

    Each `for` starts anew. `checkpoint` tells where the latest iteration stands.
    """

    def __init__(self, driver: Driver, listing: Listing[M], name: str) -> None:
        accept(described(partial(listing.refuse_names, driver.settings.wire_names)), name)  # not at the first page
        self._driver, self._listing, self._name = driver, listing, name
        self._walk = self._new_walk()

    def _new_walk(self) -> Walk[M]:
        return Walk(self._listing, self._driver.settings.address.prefix)

    def __repr__(self) -> str:
        return f"<Pager {self._name}>"

    def __iter__(self) -> Iterator[M]:
        """Iterate over all items, reading pages as they are needed.

        Raises:
            SubscribekitError: A page could not be read; its `checkpoint` says where to go on.
        """
        self._walk = self._new_walk()
        return _Items(self._driver, self._walk, self._name)

    def pages(self) -> Iterator[Page[M]]:
        """Iterate page by page."""
        for response in self.responses():
            yield response.data

    def responses(self) -> Iterator[Response[Page[M]]]:
        """Iterate page by page, each with what is known about its call."""
        self._walk = walk = self._new_walk()
        items = _Items(self._driver, walk, self._name)
        while True:
            failure: SubscribekitError | ShapeError
            try:
                if not items.advance() or (last := items.last) is None:
                    return
                page = walk.take_page()
            except (SubscribekitError, ShapeError) as error:
                failure = error
            else:
                yield with_data(last, page)
                continue
            raise _refused(walk, failure, self._name, items.last)

    def first(self) -> M | None:
        """Give the first item, or `None` for an empty list."""
        return next(iter(self), None)

    def take(self, n: int) -> list[M]:
        """Give the first `n` items, or fewer when the list is shorter."""
        return self.to_list(limit=_count("n", n))

    def to_list(self, limit: int | None = None) -> list[M]:
        """Give all items, at most `limit`."""
        if limit is None:
            return list(self)
        items = iter(self)
        return [item for _, item in zip(range(_count("limit", limit)), items, strict=False)]

    def total_count(self) -> int | None:
        """Give the number of items in the whole list as the service says, or `None` when it does not.

        Reads the first page unless a page was read before. The number is a hint: it may change while the list is read.
        """
        if self._walk.total_count is None:
            items = _Items(self._driver, walk := self._new_walk(), self._name)
            items.advance()
            _check_filter(walk, self._name, items.last)
            self._walk.total_count = walk.total_count
        return self._walk.total_count

    @property
    def checkpoint(self) -> str:
        """Where the latest iteration stands: give it to the same list as `checkpoint=` to go on after the last item."""
        return self._walk.checkpoint


class _AsyncItems(Generic[M]):
    """The items of one walk; usable again after an error, then the failed page is read once more."""

    def __init__(self, driver: AsyncDriver, walk: Walk[M], name: str) -> None:
        self._walk, self._name = walk, name
        from .prefetch_async import AsyncLookahead  # with asyncio, which a blocking client does without

        self._source = AsyncLookahead(driver, name)
        self.last: Response[Page[JSON]] | None = None

    def __aiter__(self) -> AsyncIterator[M]:
        return self

    async def __anext__(self) -> M:
        failure: SubscribekitError | ShapeError
        try:
            while True:
                item = self._walk.take()
                if item is not None:
                    return item
                if not await self.advance():
                    raise StopAsyncIteration
        except (SubscribekitError, ShapeError) as error:
            failure = error
        raise _refused(self._walk, failure, self._name, self.last)

    async def advance(self) -> bool:
        """Read the next page; `False` at the end."""
        operation = self._walk.next_operation()
        if operation is None:
            return False
        self.last = await self._source.read(operation)
        self._walk.arrive(self.last.data)
        await self._source.start(self._walk.ahead())
        return True


class AsyncPager(Generic[M]):
    """A list of the service, read while it is iterated with `async for`.

    Each `async for` starts anew. `checkpoint` tells where the latest iteration stands.
    """

    def __init__(self, driver: AsyncDriver, listing: Listing[M], name: str) -> None:
        accept(described(partial(listing.refuse_names, driver.settings.wire_names)), name)  # not at the first page
        self._driver, self._listing, self._name = driver, listing, name
        self._walk = self._new_walk()

    def _new_walk(self) -> Walk[M]:
        return Walk(self._listing, self._driver.settings.address.prefix)

    def __repr__(self) -> str:
        return f"<AsyncPager {self._name}>"

    def __aiter__(self) -> AsyncIterator[M]:
        """Iterate over all items, reading pages as they are needed.

        Raises:
            SubscribekitError: A page could not be read; its `checkpoint` says where to go on.
        """
        self._walk = self._new_walk()
        return _AsyncItems(self._driver, self._walk, self._name)

    async def pages(self) -> AsyncIterator[Page[M]]:
        """Iterate page by page."""
        async for response in self.responses():
            yield response.data

    async def responses(self) -> AsyncIterator[Response[Page[M]]]:
        """Iterate page by page, each with what is known about its call."""
        self._walk = walk = self._new_walk()
        items = _AsyncItems(self._driver, walk, self._name)
        while True:
            failure: SubscribekitError | ShapeError
            try:
                if not await items.advance() or (last := items.last) is None:
                    return
                page = walk.take_page()
            except (SubscribekitError, ShapeError) as error:
                failure = error
            else:
                yield with_data(last, page)
                continue
            raise _refused(walk, failure, self._name, items.last)

    async def first(self) -> M | None:
        """Give the first item, or `None` for an empty list."""
        async for item in self:
            return item
        return None

    async def take(self, n: int) -> list[M]:
        """Give the first `n` items, or fewer when the list is shorter."""
        return await self.to_list(limit=_count("n", n))

    async def to_list(self, limit: int | None = None) -> list[M]:
        """Give all items, at most `limit`."""
        items: list[M] = []
        if limit is not None and _count("limit", limit) == 0:
            return items
        async for item in self:
            items.append(item)
            if len(items) == limit:
                break
        return items

    async def total_count(self) -> int | None:
        """Give the number of items in the whole list as the service says, or `None` when it does not.

        Reads the first page unless a page was read before. The number is a hint: it may change while the list is read.
        """
        if self._walk.total_count is None:
            items = _AsyncItems(self._driver, walk := self._new_walk(), self._name)
            await items.advance()
            _check_filter(walk, self._name, items.last)
            self._walk.total_count = walk.total_count
        return self._walk.total_count

    @property
    def checkpoint(self) -> str:
        """Where the latest iteration stands: give it to the same list as `checkpoint=` to go on after the last item."""
        return self._walk.checkpoint


class RawPager(Generic[M]):
    """The pages of a list, each with what is known about its call."""

    def __init__(self, driver: Driver, listing: Listing[M], name: str) -> None:
        self._pager = Pager(driver, listing, name)

    def __iter__(self) -> Iterator[Response[Page[M]]]:
        """Iterate over the pages as `Response[Page]`."""
        return self._pager.responses()

    def first(self) -> Response[Page[M]]:
        """Read the first page."""
        return next(iter(self))

    @property
    def checkpoint(self) -> str:
        """Where the latest iteration stands."""
        return self._pager.checkpoint


class AsyncRawPager(Generic[M]):
    """The pages of a list, each with what is known about its call."""

    def __init__(self, driver: AsyncDriver, listing: Listing[M], name: str) -> None:
        self._pager = AsyncPager(driver, listing, name)

    def __aiter__(self) -> AsyncIterator[Response[Page[M]]]:
        """Iterate over the pages as `Response[Page]`."""
        return self._pager.responses()

    async def first(self) -> Response[Page[M]]:
        """Read the first page."""
        return await anext(aiter(self))

    @property
    def checkpoint(self) -> str:
        """Where the latest iteration stands."""
        return self._pager.checkpoint


D = TypeVar("D")
E = TypeVar("E")


def with_data(response: Response[D], data: E) -> Response[E]:
    """Give the same response with other data."""
    return Response(
        data=data,
        status_code=response.status_code,
        headers=response.headers,
        request_id=response.request_id,
        trace_id=response.trace_id,
        attempts=response.attempts,
        elapsed=response.elapsed,
    )
