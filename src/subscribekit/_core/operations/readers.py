"""How the JSON of a response becomes a result: one small value for each kind of result. No I/O.

A reader raises `ShapeError` when the response is not what the operation documents; whether that is an error or an
unknown outcome is decided elsewhere (H12).
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
    """The response is JSON, but not the documented kind."""


class EmptyBodyError(ShapeError):
    """There is no body where there must be one."""


class Reader(Protocol[T_co]):
    """Reads the response of one operation."""

    @property
    def result(self) -> type[T_co]:
        """The type of the result."""
        ...

    def read(self, value: JSON, headers: Mapping[str, str]) -> T_co:
        """Turn the parsed body into the result; raises `ShapeError`."""
        ...

    def read_empty(self) -> T_co:
        """Give the result for an empty body; raises `ShapeError` when there must be one."""
        ...


def validate(kind: type[M], raw: JSON) -> M:
    """Read one model; raises `ShapeError` without the values that were found."""
    try:
        return read(kind, raw)
    except ValidationError as error:
        raise _shape_error(kind, error) from None


def _shape_error(kind: type[Model], error: ValidationError) -> ShapeError:
    first = error.errors(include_input=False, include_url=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"]) or kind.__name__
    return ShapeError(f"{place}: {first['type']}, where {with_article(kind)} was expected")


@dataclass(slots=True, repr=False)
class ReadModel(Generic[M]):
    """One model.

    Attributes:
        result: The model.
        any_shape: No source shows the response: any JSON is one, as far as it can be read, and so is no body.
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
        # Of an object of another kind the fields are read; those that the model does not know stay raw.
        fields = value if isinstance(value, dict) else {}
        return validate(self.result, {name: each for name, each in fields.items() if name != "object"})

    def read_empty(self) -> M:
        """Give a model without fields, where no source shows a response."""
        if not self.any_shape:
            raise EmptyBodyError("the body is empty")
        return validate(self.result, {})


class NeedsBody:
    """Base of readers that take no empty body."""

    __slots__ = ()

    def read_empty(self) -> NoReturn:
        """Refuse an empty body."""
        raise EmptyBodyError("the body is empty")


@dataclass(slots=True, repr=False)
class ReadOneOf(NeedsBody, Generic[M]):
    """One model, or of an array of them the one that was asked for (E11)."""

    result: type[M]
    wanted: str

    def read(self, value: JSON, headers: Mapping[str, str]) -> M:
        """Read the model, or pick it by its id."""
        if not isinstance(value, list):
            return validate(self.result, value)
        for item in value:
            if isinstance(item, dict) and identifier_in(item.get("id")) == self.wanted:
                return validate(self.result, item)
        raise ShapeError("the array does not hold the one that was asked for")


@dataclass(slots=True, repr=False)
class ReadNothing:
    """No result; the JSON of a success is not looked at (E9)."""

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
    """A JSON object as it is, fractional numbers as `Decimal`."""

    @property
    def result(self) -> type[dict[str, JSON]]:
        """The type of the result."""
        return dict

    def read(self, value: JSON, headers: Mapping[str, str]) -> dict[str, JSON]:
        """Give the object."""
        if not isinstance(value, dict):
            raise ShapeError("a JSON object was expected")
        return value

    def read_empty(self) -> dict[str, JSON]:
        """Give an empty object for an empty body."""
        return {}


_MAX_COUNT = 10**18
"""A total beyond it is none."""
_MOST_ITEMS = 10
"""Items that a page shows when it is printed over several lines."""


@dataclass(frozen=True, slots=True, repr=False)
class Page(Generic[T]):
    """One page of a list.

    Attributes:
        data: The items of this page, in the service's order.
        total_count: Number of items in the whole list as the service says; a hint, it may change while reading.
        next: Path of the following page as the service gave it; never requested, only its cursor is used.
        previous: The same for the page before.
        url: Path and query of this page as the service gave it.
    """

    data: list[T]
    total_count: int | None = None
    next: str | None = None
    previous: str | None = None
    url: str | None = None

    def __repr__(self) -> str:
        # The links repeat the filters, and items that are not read yet are plain JSON.
        total = self.total_count
        shown = total if total is None or total < _MAX_COUNT else "beyond all lists"  # Python refuses to print it
        return f"<Page of {len(self.data)}, total_count={shown}>"

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:
        """Print the first items over several lines in IPython and Jupyter, masked as by `repr`."""
        items = [each for each in self.data[:_MOST_ITEMS] if isinstance(each, Model)]
        if cycle or not items:
            printer.text(repr(self))
            return
        more = len(self.data) - len(items)
        tail = f"... {more} more in .data>" if more else ">"
        print_lines(printer, f"{repr(self)[:-1]}:", [("", each) for each in items], tail)

    def _repr_html_(self) -> str:
        from ...models._html import resources  # only notebooks ask

        return resources(repr(self)[1:-1], self.data)


def _count(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        value = int(value)
    return value if type(value) is int and 0 <= value < _MAX_COUNT else None


def _link(value: JSON, name: str) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise ShapeError(f"{name} is not text")
    return value


class _ReadsPage(NeedsBody):
    """Base of readers of pages, whose items stay JSON, to be read one by one as they are handed out."""

    __slots__ = ()

    @property
    def result(self) -> type[Page[JSON]]:
        """The type of the result."""
        return Page


@dataclass(slots=True, repr=False)
class ReadCursorPage(_ReadsPage):
    """A List envelope (group A)."""

    def read(self, value: JSON, headers: Mapping[str, str]) -> Page[JSON]:
        """Read the envelope."""
        if not isinstance(value, dict) or value.get("object", "List") != "List":
            raise ShapeError("a List was expected")
        data = value.get("data")
        if not isinstance(data, list):
            raise ShapeError("data: a List without an array")
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
    """A plain array with the header `X-Total-Count` (group C)."""

    def read(self, value: JSON, headers: Mapping[str, str]) -> Page[JSON]:
        """Read the array and the total; a missing or odd total is tolerated (H73)."""
        if not isinstance(value, list):
            raise ShapeError("an array was expected")
        return Page(data=value, total_count=_count(headers.get("x-total-count")))


CURSOR_PAGE = ReadCursorPage()
OFFSET_PAGE = ReadOffsetPage()


@dataclass(slots=True, repr=False)
class WholePage(Generic[M]):
    """A page with its items as models.

    Attributes:
        envelope: How the page itself reads.
        item: The type of the items.
        expected: Reference fields of an item and the id or vid that the filter asked for.
    """

    envelope: Reader[Page[JSON]]
    item: type[M]
    expected: tuple[tuple[str, str], ...] = ()

    @property
    def result(self) -> type[Page[M]]:
        """The type of the result."""
        return Page

    def read(self, value: JSON, headers: Mapping[str, str]) -> Page[M]:
        """Read the page and its items; raises `ShapeError` also for an item of another list."""
        page, matches = self.envelope.read(value, headers), FilterCheck(self.expected)
        items = [validate(self.item, raw) for raw in page.data]
        try:
            for item in items:
                matches.check(item)
        except FilterNotAppliedError as error:  # a reader says that a response is not what was asked for
            raise ShapeError(str(error)) from None
        return Page(items, page.total_count, page.next, page.previous, page.url)

    def read_empty(self) -> Page[M]:
        """Refuse an empty body, as the page itself does."""
        self.envelope.read_empty()
        return Page([])


publish("subscribekit", Page)
