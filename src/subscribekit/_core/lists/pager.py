"""The sync pagers, which read a list page by page while you iterate over the pager, and the base class of all pagers.

The modules that read pages are imported when the first pager is created, because many programs never read a list.
"""

from collections.abc import Callable, Iterator
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Protocol, TypeVar

from ..._articles import with_article
from ..._public import publish
from ..._shown import MASK, SHOWN
from ...errors import InvalidArgumentError, SubscribekitError
from ...models._base import Model
from ...models._printing import Printer
from ..calls.driver import Driver, EitherDriver
from ..calls.response import Response
from ..operations.readers import Page
from .listing import Listing

if TYPE_CHECKING:
    from .page_iterator import PageIterator

__tracebackhide__ = True  # pytest hides this module's frames and shows the caller's line

M = TypeVar("M", bound=Model)
C = TypeVar("C", bound=EitherDriver)


def _prefix_of(field: str) -> str:
    """Return the prefix that precedes the filter's name in a field of `WireNames`, or an empty string."""
    return next((prefix for prefix in ("accounts_", "event_summaries_") if field.startswith(prefix)), "")


class BasePager(Generic[M, C]):
    """The base class of the sync and async pagers. Does no I/O."""

    _read_with = "iterate over it, or call .first(), .take(n), or .to_list()"
    _read_first = "call .first()"

    def __init__(self, driver: C, listing: Listing[M], name: str) -> None:
        self._driver: C = driver
        settings = driver.settings
        # Check the list now, so that a mistake raises an error here instead of at the first page.
        try:
            self._listing = listing.of_client(settings.wire_names, settings.named_environment)
        except SubscribekitError as error:
            error.during(name)
            raise
        self._name, self._prefix = name, settings.address.prefix
        self._tell: Callable[[object], None] | None = None
        if settings.observers:
            from ..calls.telemetry.observers import results_teller

            self._tell = results_teller(settings.observers, settings.group, name)
        self._latest = self._iterator()
        self._total: int | None = None

    def __repr__(self) -> str:
        if "_listing" not in vars(self):  # if __init__ raised an error, a crash reporter may print the incomplete list
            return f"<{type(self).__name__} that was not created>"
        return f"<{self._call_as_written()}: {self._read_with}>"

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print the filters and the next method to call, each on its own line, for IPython and Jupyter."""
        if cycle or "_listing" not in vars(self):
            printer.text(repr(self))
        else:
            printer.text(f"<{self._call_as_written()}:")
            printer.break_()
            printer.text(f"    {self._read_with}>")

    def _call_as_written(self) -> str:
        """Return the call that created the list. Filters that may be personal are masked."""
        given: dict[str, str] = {}
        for each, value in self._listing.filters:
            name = each if isinstance(each, str) else each.field.removeprefix(_prefix_of(each.field))
            given[name] = repr(value) if name in SHOWN["filters"] and name not in given else MASK
        if self._listing.limit is not None:
            given["limit"] = self._listing.limit
        if self._listing.size is not None:
            given["size"] = str(self._listing.size)
        filters = ", ".join(f"{name}={value}" for name, value in given.items())
        return f"{type(self).__name__} {self._name}({filters})"

    def _repr_html_(self) -> str:
        from ...models._html import code  # `_html` is imported here, because only notebooks need it

        return code(self)  # to show a table of the items, the SDK would have to send a request

    def __bool__(self) -> NoReturn:
        raise TypeError(
            f"{with_article(type(self))} has no truth value, because the list wasn't read yet; {self._read_first}"
        )

    if not TYPE_CHECKING:  # hide this method, so that type checkers report an `in` expression as an error

        def __contains__(self, item):
            if isinstance(item, str):
                raise TypeError(
                    f"{with_article(type(self))} contains resources, not strings; write any(each.id == ... for each in "
                    "the list), or retrieve the resource by its id"
                )
            return any(each == item for each in self)

    @property
    def checkpoint(self) -> str:
        """The position after the last item of the latest iteration.

        To resume from this position, pass the string to the same `list` method as the argument `checkpoint`.
        """
        return self._latest.checkpoint

    def _begin(self) -> "PageIterator[M]":
        """Start an iteration. From now on, `checkpoint` is the position of this iteration."""
        self._latest = self._iterator()
        return self._latest

    def _iterator(self) -> "PageIterator[M]":
        from .page_iterator import PageIterator

        return PageIterator(self._listing, self._prefix, self._tell)

    def _nothing_received(self, error: BaseException) -> None:
        """Reset the pager's checkpoint and the checkpoint of an error, because the caller received no items."""
        checkpoint = self._begin().checkpoint
        if isinstance(error, SubscribekitError):
            error.checkpoint = checkpoint

    def _known_total(self) -> int | None:
        return self._total if self._latest.total_count is None else self._latest.total_count


def checked_count(name: str, value: int) -> int:
    """Check a number of items that a caller passed, and return it.

    Raises:
        InvalidArgumentError: The value isn't an integer, or it's negative.
    """
    if type(value) is not int or value < 0:
        raise InvalidArgumentError(f"{name} must be an integer of at least 0")
    return value


class Pager(BasePager[M, Driver]):
    """A list of the service. Iterate over the pager to read the list page by page.

    Each `for` loop starts a new iteration. `checkpoint` is the position of the latest iteration. Threads can share a
    pager, but only one thread at a time can use an iterator.
    """

    def __iter__(self) -> Iterator[M]:
        """Iterate over all items, and read each page when it's needed.

        Raises:
            SubscribekitError: A page couldn't be read. To resume, use the error's `checkpoint`.
        """
        from .iterators import Items

        return Items(self._driver, self._begin(), self._name)

    def pages(self) -> Iterator[Page[M]]:
        """Iterate over the pages."""
        from .iterators import PlainPages

        return PlainPages(self.responses())

    def responses(self) -> Iterator[Response[Page[M]]]:
        """Iterate over the pages, each in a response with its status, headers, and IDs."""
        from .iterators import Pages

        return Pages(self._driver, self._begin(), self._name)

    def first(self) -> M | None:
        """Return the first item, or `None` if the list is empty."""
        return next(iter(self.take(1)), None)

    def take(self, n: int) -> list[M]:
        """Return the first `n` items, or fewer if the list is shorter."""
        return self._collect(checked_count("n", n))

    def to_list(self, limit: int | None = None) -> list[M]:
        """Return all items, or at most `limit` items.

        Raises:
            SubscribekitError: A page couldn't be read. The error's `checkpoint` is the start of the iteration, because
                no item was returned.
        """
        return self._collect(None if limit is None else checked_count("limit", limit))

    def _collect(self, limit: int | None) -> list[M]:
        try:
            return list(islice(self, limit))
        except BaseException as error:
            self._nothing_received(error)
            raise

    def total_count(self) -> int | None:
        """Return the service's total number of items in the list, or `None` if the service sends no total.

        Reads the first page, unless the pager has already read a page. The total can change while you read the list.
        """
        if self._known_total() is None:
            from .iterators import Items

            self._total = Items(self._driver, self._iterator(), self._name).total_count()
        return self._known_total()


class RawPager(BasePager[M, Driver]):
    """The pages of a list, each in a response with its status, headers, and IDs."""

    _read_with = "iterate over its pages, or call .first()"

    def __iter__(self) -> Iterator[Response[Page[M]]]:
        """Iterate over the pages, each as a `Response[Page]`."""
        from .iterators import Pages

        return Pages(self._driver, self._begin(), self._name)

    def first(self) -> Response[Page[M]]:
        """Read the first page."""
        return next(iter(self))


class _ListingOf(Protocol):
    def __call__(self, pager: BasePager[M, Any], /) -> Listing[M]: ...


listing_of: _ListingOf = attrgetter("_listing")
"""Returns the list that a pager reads. Only the SDK uses this function."""
name_of: Callable[[BasePager[Any, Any]], str] = attrgetter("_name")
"""Returns the SDK name of the operation that created a pager."""


publish("subscribekit", Pager)
