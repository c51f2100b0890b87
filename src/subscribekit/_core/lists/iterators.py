"""The blocking iterators over the items and the pages of a list."""

from collections.abc import Iterator
from operator import methodcaller

from ...errors import SubscribekitError
from ..calls.driver import Driver
from ..calls.response import Response
from ..operations.readers import Page
from .iteration import Iteration, M
from .page_iterator import PageIterator
from .prefetch import Prefetch

__tracebackhide__ = methodcaller("errisinstance", SubscribekitError)  # pytest shows the line of the caller instead


class _PageSource(Iteration[M]):
    def __init__(self, driver: Driver, pages: PageIterator[M], name: str) -> None:
        super().__init__(pages, name)
        self._source = Prefetch(driver, name)

    def advance(self) -> bool:
        """Read the next page; `False` at the end."""
        operation = self.pages.next_operation()
        if operation is None:
            return False
        self.load(self._source.read(operation))
        self._source.start(self.pages.ahead())
        return True


class Items(_PageSource[M]):
    """The items of one iteration."""

    def __iter__(self) -> Iterator[M]:
        return self

    def __next__(self) -> M:
        with self as failures:
            while (item := self.pages.take()) is None:
                if not self.advance():
                    raise StopIteration
            return item
        raise failures.pop()

    def total_count(self) -> int | None:
        """Read the first page and give its total, after a look at its items where the name of a filter is assumed."""
        with self as failures:
            self.advance()
            if self.pages.listing.expected:
                self.pages.take_page()
            return self.pages.total_count
        raise failures.pop()


class Pages(_PageSource[M]):
    """The pages of one iteration, each with what is known about its call."""

    def __iter__(self) -> Iterator[Response[Page[M]]]:
        return self

    def __next__(self) -> Response[Page[M]]:
        with self as failures:
            if not self.pages.has_untaken_page and not self.advance():
                raise StopIteration
            return self.take_page()
        raise failures.pop()
