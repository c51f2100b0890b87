"""Readers, which convert the JSON of a response to a result without I/O.

A reader raises `ShapeError` if the response doesn't have the documented structure. The reader's caller decides whether
the call failed or has an unknown outcome (H12).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NoReturn, Protocol, TypeVar

from pydantic import ValidationError

from ..._articles import with_article
from ..._json import JSON
from ..._public import publish
from ...errors import FilterNotAppliedError
from ...models._base import Model, read
from ...models._printing import Printer, print_lines
from .filters import FilterCheck
from .identity import identifier_in

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
M = TypeVar("M", bound=Model)


class ShapeError(ValueError):
    """The response is JSON, but doesn't have the documented structure."""


class EmptyBodyError(ShapeError):
    """The body is empty, although the operation needs a body."""


class Reader(Protocol[T_co]):
    """Reads the response of one operation."""

    @property
    def result(self) -> type[T_co]:
        """The type of the result."""
        ...

    def read(self, value: JSON, headers: Mapping[str, str]) -> T_co:
        """Convert the parsed body to the result, or raise `ShapeError`."""
        ...

    def read_empty(self) -> T_co:
        """Return the result for an empty body, or raise `ShapeError` if the operation needs a body."""
        ...


def validate(kind: type[M], raw: JSON) -> M:
    """Read one model, or raise `ShapeError` with a message that omits the values of the response."""
    try:
        return read(kind, raw)
    except ValidationError as error:
        raise _shape_error(kind, error) from None


def _shape_error(kind: type[Model], error: ValidationError) -> ShapeError:
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or kind.__name__
    return ShapeError(f"{field}: {first['type']}, where {with_article(kind)} was expected")


@dataclass(slots=True, repr=False)
class ReadModel(Generic[M]):
    """Reads one model.

    Attributes:
        result: The model.
        any_shape: Whether to accept any JSON and an empty body, because the response is undocumented.
    """

    result: type[M]
    any_shape: bool = False

    def read(self, value: JSON, headers: Mapping[str, str]) -> M:
        """Read the model."""
        try:
            return read(self.result, value)
        except ValidationError as error:
            if not self.any_shape:
                raise _shape_error(self.result, error) from None
        # An undocumented response may contain a different kind of object than the model describes. Keep the fields that
        # the model doesn't define, as plain JSON.
        fields = value if isinstance(value, dict) else {}
        return validate(self.result, {name: each for name, each in fields.items() if name != "object"})

    def read_empty(self) -> M:
        """Return a model with no fields set if `any_shape` is true; otherwise, raise `EmptyBodyError`."""
        if not self.any_shape:
            raise EmptyBodyError("the body is empty")
        return validate(self.result, {})


class NeedsBody:
    """Base class of readers that need a response body."""

    __slots__ = ()

    def read_empty(self) -> NoReturn:
        """Raise `EmptyBodyError`."""
        raise EmptyBodyError("the body is empty")


@dataclass(slots=True, repr=False)
class ReadOneOf(NeedsBody, Generic[M]):
    """Reads one model, or selects the requested model from an array (E11)."""

    result: type[M]
    wanted: str

    def read(self, value: JSON, headers: Mapping[str, str]) -> M:
        """Return the model. If the response is an array, return the item that has the requested ID."""
        if not isinstance(value, list):
            return validate(self.result, value)
        for item in value:
            if isinstance(item, dict) and identifier_in(item.get("id")) == self.wanted:
                return validate(self.result, item)
        raise ShapeError("the array doesn't contain the requested resource")


@dataclass(slots=True, repr=False)
class ReadNothing:
    """Ignores the JSON of a success, and returns `None` (E9)."""

    @property
    def result(self) -> type[None]:
        """The type of the result."""
        return type(None)

    def read(self, value: JSON, headers: Mapping[str, str]) -> None:
        """Ignore the body."""

    def read_empty(self) -> None:
        """Accept an empty body."""


NOTHING = ReadNothing()


@dataclass(slots=True, repr=False)
class ReadPlain:
    """Reads a JSON object unchanged, with fractional numbers as `Decimal`."""

    @property
    def result(self) -> type[dict[str, JSON]]:
        """The type of the result."""
        return dict

    def read(self, value: JSON, headers: Mapping[str, str]) -> dict[str, JSON]:
        """Return the object."""
        if not isinstance(value, dict):
            raise ShapeError("the body must be a JSON object")
        return value

    def read_empty(self) -> dict[str, JSON]:
        """Return an empty object."""
        return {}


_MAX_COUNT = 10**18
"""The SDK ignores a total of this number or more."""
_MOST_ITEMS = 10
"""Maximum number of items that a page shows when it's printed on several lines."""


@dataclass(frozen=True, slots=True, repr=False)
class Page(Generic[T]):
    """One page of a list.

    Attributes:
        data: The items of this page, in the service's order.
        total_count: Number of items in the whole list, if the service sends this total. The total can change while you
            read the list.
        next: Path of the next page, as sent by the service. The SDK uses only the cursor in this path.
        previous: Path of the previous page, as sent by the service. The SDK uses only the cursor in this path.
        url: Path and query of this page, as sent by the service.
    """

    data: list[T]
    total_count: int | None = None
    next: str | None = None
    previous: str | None = None
    url: str | None = None

    def __repr__(self) -> str:
        # Don't show the items and the links, because the items, and the filters in the links, may be personal.
        total = self.total_count
        shown = total if total is None or total < _MAX_COUNT else "too large"  # Python refuses to print huge integers
        return f"<Page of {len(self.data)}, total_count={shown}>"

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print the first items on several lines in IPython and Jupyter, with the same masks as `repr`."""
        items = [each for each in self.data[:_MOST_ITEMS] if isinstance(each, Model)]
        if cycle or not items:
            printer.text(repr(self))
            return
        more = len(self.data) - len(items)
        tail = f"... {more} more in .data>" if more else ">"
        print_lines(printer, f"{repr(self)[:-1]}:", [("", each) for each in items], tail)

    def _repr_html_(self) -> str:
        from ...models._html import resources  # `_html` is imported here, because only notebooks need it

        return resources(repr(self)[1:-1], self.data)


def _count(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        value = int(value)
    return value if type(value) is int and 0 <= value < _MAX_COUNT else None


def _link(value: JSON, name: str) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ShapeError(f"{name} isn't a string")
    return value


class _ReadsPage(NeedsBody):
    """Base class of readers of pages. The items of the page are parsed JSON, not models."""

    __slots__ = ()

    @property
    def result(self) -> type[Page[JSON]]:
        """The type of the result."""
        return Page


@dataclass(slots=True, repr=False)
class ReadCursorPage(_ReadsPage):
    """Reads a `List` object of the billing API."""

    def read(self, value: JSON, headers: Mapping[str, str]) -> Page[JSON]:
        """Read the `List` object."""
        if not isinstance(value, dict) or value.get("object", "List") != "List":
            raise ShapeError("a List was expected")
        data = value.get("data")
        if not isinstance(data, list):
            raise ShapeError("the List has no array named data")
        url = value.get("url")
        return Page(
            data=data,
            total_count=_count(value.get("total_count")),
            next=_link(value.get("next"), "next"),
            previous=_link(value.get("previous"), "previous"),
            url=url if isinstance(url, str) else None,
        )


@dataclass(slots=True, repr=False)
class ReadOffsetPage(_ReadsPage):
    """Reads a plain array with the header `X-Total-Count` of the account-lifecycle API."""

    def read(self, value: JSON, headers: Mapping[str, str]) -> Page[JSON]:
        """Read the array and the total. If the total is missing or invalid, return a page without a total (H73)."""
        if not isinstance(value, list):
            raise ShapeError("an array was expected")
        return Page(data=value, total_count=_count(headers.get("x-total-count")))


CURSOR_PAGE = ReadCursorPage()
OFFSET_PAGE = ReadOffsetPage()


@dataclass(slots=True, repr=False)
class WholePage(Generic[M]):
    """Reads a page with its items as models.

    Attributes:
        envelope: The reader of the page, which returns the items as parsed JSON.
        item: The model of the items.
        expected: Pairs of a reference field in each item, and the `id` or `vid` to which the field must refer.
    """

    envelope: Reader[Page[JSON]]
    item: type[M]
    expected: tuple[tuple[str, str], ...] = ()

    @property
    def result(self) -> type[Page[M]]:
        """The type of the result."""
        return Page

    def read(self, value: JSON, headers: Mapping[str, str]) -> Page[M]:
        """Read the page and its items. Raise `ShapeError` also if an item doesn't match the filter."""
        page, matches = self.envelope.read(value, headers), FilterCheck(self.expected)
        items = [validate(self.item, raw) for raw in page.data]
        try:
            for item in items:
                matches.check(item)
        except FilterNotAppliedError as error:  # readers report every invalid response as a ShapeError
            raise ShapeError(str(error)) from None
        return Page(items, page.total_count, page.next, page.previous, page.url)

    def read_empty(self) -> Page[M]:
        """Return an empty page, or raise `EmptyBodyError` if the reader of the page needs a body."""
        self.envelope.read_empty()
        return Page([])


publish("subscribekit", Page)
