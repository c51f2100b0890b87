"""Iterators over the items and the pages of a list."""

from collections.abc import AsyncIterator
from operator import methodcaller
from typing import Generic

from ...errors import SubscribekitError
from ..calls.driver_async import AsyncDriver
from ..calls.response import Response
from ..operations.readers import Page
from .iteration import Iteration, M
from .page_iterator import PageIterator
from .prefetch_async import AsyncPrefetch

__tracebackhide__ = methodcaller("errisinstance", SubscribekitError)


class _PageSource(Iteration[M]):
    def __init__(self, driver: AsyncDriver, pages: PageIterator[M], name: str) -> None:
        super().__init__(pages, name)
        self._source = AsyncPrefetch(driver, name)

    async def advance(self) -> bool:
        """Read the next page and return `True`, or return `False` at the end of the list."""
        operation = self.pages.next_operation()
        if operation is None:
            return False
        self.load(await self._source.read(operation))
        await self._source.start(self.pages.ahead())
        return True


class AsyncItems(_PageSource[M]):
    """Iterator over the items of a list."""

    def __aiter__(self) -> AsyncIterator[M]:
        return self

    async def __anext__(self) -> M:
        with self as failures:
            while (item := self.pages.take()) is None:
                if not await self.advance():
                    raise StopAsyncIteration
            return item
        raise failures.pop()

    async def total_count(self) -> int | None:
        """Read the first page, and return its total. If a filter's wire name is assumed, check the items."""
        with self as failures:
            await self.advance()
            if self.pages.listing.expected:
                self.pages.take_page()
            return self.pages.total_count
        raise failures.pop()


class AsyncPages(_PageSource[M]):
    """Iterator over the pages of a list, each in a response with the status, headers, and IDs."""

    def __aiter__(self) -> AsyncIterator[Response[Page[M]]]:
        return self

    async def __anext__(self) -> Response[Page[M]]:
        with self as failures:
            if not self.pages.has_untaken_page and not await self.advance():
                raise StopAsyncIteration
            return self.take_page()
        raise failures.pop()


class AsyncPlainPages(Generic[M]):
    """Iterator over the pages of a list, without the status, headers, and IDs of the responses."""

    def __init__(self, pages: AsyncIterator[Response[Page[M]]]) -> None:
        self._pages = pages

    def __aiter__(self) -> AsyncIterator[Page[M]]:
        return self

    async def __anext__(self) -> Page[M]:
        response = await anext(self._pages)
        return response.data
