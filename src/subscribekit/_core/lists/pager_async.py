"""Pagers of the async clients: lists that read page after page while `async for` iterates over them."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, TypeVar

from ..._public import publish
from ...models._base import Model
from ..calls.driver_async import AsyncDriver
from ..calls.response import Response
from ..operations.readers import Page
from .pager import BasePager, checked_count

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)


class _BaseAsyncPager(BasePager[M, AsyncDriver]):
    """Base of the async pagers."""

    _read_first = "await .first()"

    if not TYPE_CHECKING:  # a type checker reports this use itself

        def __iter__(self):
            raise TypeError(f"a list of an async client is read with 'async for': {self._read_with}")


class AsyncPager(_BaseAsyncPager[M]):
    """A list of the service, read while it is iterated with `async for`.

    Each `async for` starts anew. `checkpoint` tells where the latest iteration is. One iterator is for one task at
    a time; a pager itself may be shared.
    """

    _read_with = "iterate over it with async for, or await .first(), .take(n) or .to_list()"

    def __aiter__(self) -> AsyncIterator[M]:
        """Iterate over all items, reading pages as they are needed.

        Raises:
            SubscribekitError: A page could not be read; its `checkpoint` says where to go on.
        """
        from .iterators_async import AsyncItems

        return AsyncItems(self._driver, self._begin(), self._name)

    def pages(self) -> AsyncIterator[Page[M]]:
        """Iterate page by page."""
        from .iterators_async import AsyncPlainPages

        return AsyncPlainPages(self.responses())

    def responses(self) -> AsyncIterator[Response[Page[M]]]:
        """Iterate page by page, each with what is known about its call."""
        from .iterators_async import AsyncPages

        return AsyncPages(self._driver, self._begin(), self._name)

    async def first(self) -> M | None:
        """Give the first item, or `None` for an empty list."""
        return next(iter(await self.take(1)), None)

    async def take(self, n: int) -> list[M]:
        """Give the first `n` items, or fewer when the list is shorter."""
        return await self._collect(checked_count("n", n))

    async def to_list(self, limit: int | None = None) -> list[M]:
        """Give all items, at most `limit`.

        Raises:
            SubscribekitError: A page could not be read; its `checkpoint` is before the first item, since none was
                handed out.
        """
        return await self._collect(None if limit is None else checked_count("limit", limit))

    async def _collect(self, limit: int | None) -> list[M]:
        items: list[M] = []
        if limit == 0:
            return items
        try:
            async for item in self:
                items.append(item)
                if len(items) == limit:
                    break
        except BaseException as error:
            self._nothing_received(error)
            raise
        return items

    async def total_count(self) -> int | None:
        """Give the number of items in the whole list as the service says, or `None` when it does not.

        Reads the first page unless a page was read before. The number is a hint: it may change while the list is read.
        """
        if self._told_total() is None:
            from .iterators_async import AsyncItems

            items = AsyncItems(self._driver, self._iterator(), self._name)
            self._total = await items.total_count()
        return self._told_total()


class AsyncRawPager(_BaseAsyncPager[M]):
    """The pages of a list, each with what is known about its call."""

    _read_with = "iterate over its pages with async for, or await .first()"

    def __aiter__(self) -> AsyncIterator[Response[Page[M]]]:
        """Iterate over the pages as `Response[Page]`."""
        from .iterators_async import AsyncPages

        return AsyncPages(self._driver, self._begin(), self._name)

    async def first(self) -> Response[Page[M]]:
        """Read the first page."""
        return await anext(aiter(self))


publish("subscribekit", AsyncPager)
