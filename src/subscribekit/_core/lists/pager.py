"""Pagers: lists that read page after page while they are iterated, in both styles.

The modules that read pages are imported when a list is first made: methods name pagers, and many programs read no list.
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

__tracebackhide__ = True  # pytest shows the line of the caller instead

M = TypeVar("M", bound=Model)
C = TypeVar("C", bound=EitherDriver)


def _prefix_of(field: str) -> str:
    """Give what a field of `WireNames` has before the name of its filter."""
    return next((prefix for prefix in ("accounts_", "event_summaries_") if field.startswith(prefix)), "")


class BasePager(Generic[M, C]):
    """Base of the pagers of both styles. No I/O."""

    _read_with = "iterate over it, or call .first(), .take(n) or .to_list()"
    _read_first = "call .first()"

    def __init__(self, driver: C, listing: Listing[M], name: str) -> None:
        self._driver: C = driver
        settings = driver.settings
        try:
            self._listing = listing.of_client(settings.wire_names, settings.named_environment)  # not at the first page
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
        if "_listing" not in vars(self):  # a list that was refused; crash reporters print it
            return f"<{type(self).__name__} that was not made>"
        return f"<{self._call_as_written()}: {self._read_with}>"

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print over several lines in IPython and Jupyter: the filters, and what to call next."""
        if cycle or "_listing" not in vars(self):
            printer.text(repr(self))
        else:
            printer.text(f"<{self._call_as_written()}:")
            printer.break_()
            printer.text(f"    {self._read_with}>")

    def _call_as_written(self) -> str:
        """Write the call that made the list; filters that may be personal are masked."""
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
        from ...models._html import code  # only notebooks ask

        return code(self)  # a table would have to be read first

    def __bool__(self) -> NoReturn:
        raise TypeError(f"{with_article(type(self))} has no truth value before it is read: {self._read_first}")

    if not TYPE_CHECKING:  # a type checker reports these uses itself

        def __contains__(self, item):
            if isinstance(item, str):
                raise TypeError(
                    f"{with_article(type(self))} holds resources, and no text is in it: look for any(each.id == ... "
                    "for each in the list), or retrieve it by its id"
                )
            return any(each == item for each in self)

    @property
    def checkpoint(self) -> str:
        """Position of the latest iteration: give it to the same list as `checkpoint=` to go on after the last item."""
        return self._latest.checkpoint

    def _begin(self) -> "PageIterator[M]":
        """Begin an iteration, which `checkpoint` follows from now on."""
        self._latest = self._iterator()
        return self._latest

    def _iterator(self) -> "PageIterator[M]":
        from .page_iterator import PageIterator

        return PageIterator(self._listing, self._prefix, self._tell)

    def _nothing_received(self, error: BaseException) -> None:
        """Take back what an iteration read whose items never reached the caller, for an error's checkpoint, too."""
        checkpoint = self._begin().checkpoint
        if isinstance(error, SubscribekitError):
            error.checkpoint = checkpoint

    def _told_total(self) -> int | None:
        return self._total if self._latest.total_count is None else self._latest.total_count


def checked_count(name: str, value: int) -> int:
    """Return a number of items that a caller passed.

    Raises:
        InvalidArgumentError: It isn't a whole number, or it's negative.
    """
    if type(value) is not int or value < 0:
        raise InvalidArgumentError(f"{name} must be a whole number that is not negative")
    return value


class Pager(BasePager[M, Driver]):
    """A list of the service, read while it is iterated.

    Each `for` starts anew. `checkpoint` tells where the latest iteration is. One iterator is for one thread at a
    time; a pager itself may be shared.
    """

    def __iter__(self) -> Iterator[M]:
        """Iterate over all items, reading pages as they are needed.

        Raises:
            SubscribekitError: A page could not be read; its `checkpoint` says where to go on.
        """
        from .iterators import Items

        return Items(self._driver, self._begin(), self._name)

    def pages(self) -> Iterator[Page[M]]:
        """Iterate page by page."""
        from .iterators import PlainPages

        return PlainPages(self.responses())

    def responses(self) -> Iterator[Response[Page[M]]]:
        """Iterate page by page, each with what is known about its call."""
        from .iterators import Pages

        return Pages(self._driver, self._begin(), self._name)

    def first(self) -> M | None:
        """Give the first item, or `None` for an empty list."""
        return next(iter(self.take(1)), None)

    def take(self, n: int) -> list[M]:
        """Give the first `n` items, or fewer when the list is shorter."""
        return self._collect(checked_count("n", n))

    def to_list(self, limit: int | None = None) -> list[M]:
        """Give all items, at most `limit`.

        Raises:
            SubscribekitError: A page could not be read; its `checkpoint` is before the first item, since none was
                handed out.
        """
        return self._collect(None if limit is None else checked_count("limit", limit))

    def _collect(self, limit: int | None) -> list[M]:
        try:
            return list(islice(self, limit))
        except BaseException as error:
            self._nothing_received(error)
            raise

    def total_count(self) -> int | None:
        """Give the number of items in the whole list as the service says, or `None` when it does not.

        Reads the first page unless a page was read before. The number is a hint: it may change while the list is read.
        """
        if self._told_total() is None:
            from .iterators import Items

            self._total = Items(self._driver, self._iterator(), self._name).total_count()
        return self._told_total()


class RawPager(BasePager[M, Driver]):
    """The pages of a list, each with what is known about its call."""

    _read_with = "iterate over its pages, or call .first()"

    def __iter__(self) -> Iterator[Response[Page[M]]]:
        """Iterate over the pages as `Response[Page]`."""
        from .iterators import Pages

        return Pages(self._driver, self._begin(), self._name)

    def first(self) -> Response[Page[M]]:
        """Read the first page."""
        return next(iter(self))


class _ListingOf(Protocol):
    def __call__(self, pager: BasePager[M, Any], /) -> Listing[M]: ...


listing_of: _ListingOf = attrgetter("_listing")
"""The list that a pager reads; users have no use for it."""
name_of: Callable[[BasePager[Any, Any]], str] = attrgetter("_name")
"""The SDK name of the call that made a pager."""


publish("subscribekit", Pager)
