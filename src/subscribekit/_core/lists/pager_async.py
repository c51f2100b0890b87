"""Pagers of the async clients, which read a list page by page while `async for` iterates over the pager."""

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, TypeVar

from ..._public import publish
from ...models._base import Model
from ..calls.driver_async import AsyncDriver
from ..calls.response import Response
from ..operations.readers import Page
from .pager import BasePager, checked_count

__tracebackhide__ = True

M = TypeVar("M", bound=Model)


class _BaseAsyncPager(BasePager[M, AsyncDriver]):
    """Base class of the async pagers."""

    _read_first = "await .first()"

    if not TYPE_CHECKING:  # hide this method, so that type checkers report a `for` loop as an error

        def __iter__(self):
            raise TypeError(f"a list of an async client needs 'async for'; {self._read_with}")


class AsyncPager(_BaseAsyncPager[M]):
    """A list of the service. Iterate over the pager with `async for` to read the list page by page.

    Each `async for` loop starts a new iteration. `checkpoint` is the position of the latest iteration. Tasks can share
    a pager, but only one task at a time can use an iterator.
    """

    _read_with = "iterate over it with async for, or await .first(), .take(n), or .to_list()"

    def __aiter__(self) -> AsyncIterator[M]:
        """Iterate over all items, and read each page when it's needed.

        Raises:
            SubscribekitError: A page couldn't be read. To resume, use the error's `checkpoint`.
        """
        from .iterators_async import AsyncItems

        return AsyncItems(self._driver, self._begin(), self._name)

    def pages(self) -> AsyncIterator[Page[M]]:
        """Iterate over the pages."""
        from .iterators_async import AsyncPlainPages

        return AsyncPlainPages(self.responses())

    def responses(self) -> AsyncIterator[Response[Page[M]]]:
        """Iterate over the pages, each in a response with its status, headers, and IDs."""
        from .iterators_async import AsyncPages

        return AsyncPages(self._driver, self._begin(), self._name)

    async def first(self) -> M | None:
        """Return the first item, or `None` if the list is empty."""
        return next(iter(await self.take(1)), None)

    async def take(self, n: int) -> list[M]:
        """Return the first `n` items, or fewer if the list is shorter."""
        return await self._collect(checked_count("n", n))

    async def to_list(self, limit: int | None = None) -> list[M]:
        """Return all items, or at most `limit` items.

        Raises:
            SubscribekitError: A page couldn't be read. The error's `checkpoint` is the start of the iteration, because
                no item was returned.
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
        """Return the service's total number of items in the list, or `None` if the service sends no total.

        Reads the first page, unless the pager has already read a page. The total can change while you read the list.
        """
        if self._known_total() is None:
            from .iterators_async import AsyncItems

            items = AsyncItems(self._driver, self._iterator(), self._name)
            self._total = await items.total_count()
        return self._known_total()


class AsyncRawPager(_BaseAsyncPager[M]):
    """The pages of a list, each in a response with its status, headers, and IDs."""

    _read_with = "iterate over its pages with async for, or await .first()"

    def __aiter__(self) -> AsyncIterator[Response[Page[M]]]:
        """Iterate over the pages, each as a `Response[Page]`."""
        from .iterators_async import AsyncPages

        return AsyncPages(self._driver, self._begin(), self._name)

    async def first(self) -> Response[Page[M]]:
        """Read the first page."""
        return await anext(aiter(self))


publish("subscribekit", AsyncPager)
