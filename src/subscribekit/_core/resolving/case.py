"""One unknown outcome as a test sees it: what the error carries, and the reads that it may ask for. No I/O."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

from ... import _json
from ..._json import JSON
from ...errors import NotFoundError, OutcomeUnknownError, SubscribekitError
from ...models._base import Model, write
from ..calls.record import SENT
from ..calls.response import Response
from ..lists.listing import Listing
from ..lists.page_iterator import PageIterator
from ..operations.operation import Operation
from ..operations.readers import Page
from ..operations.sent_values import Comparison, compare, timestamp
from .dates import UnreadError, date_of
from .rules import Rule

MAX_PAGES = 20
"""Pages of a list that are looked through; a longer list proves nothing."""


@dataclass(frozen=True, slots=True)
class Read:
    """A read that a test asks for."""

    operation: Operation[Any]
    name: str


Reply: TypeAlias = Response[Any] | SubscribekitError | None
Show: TypeAlias = Literal["applied", "in_effect", "absent", "unclear"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one look shows.

    Attributes:
        shows: `absent` when what the call would have left is not there and nothing else explains that; `unclear` when
            the look proves nothing.
        says: What was read and what it says, as the rest of a sentence.
        result: The resource.
        is_final: A later look cannot change it.
        by_absence: That something is gone says so, which counts only when two looks agree.
    """

    shows: Show
    says: str
    result: Model | None = None
    is_final: bool = False
    by_absence: bool = False


Look: TypeAlias = Generator[Read, Reply, Finding]


class Listed(NamedTuple):
    """A list that was read to its end, and the response that held its last page."""

    items: list[Model]
    response: Response[Any] | None


class Describe(Protocol):
    """Describes a read by its SDK name, as the client's own method does."""

    def __call__(
        self, name: str, values: tuple[str, ...], filters: Mapping[str, object], /
    ) -> Operation[Model] | Listing[Model]: ...


@dataclass(frozen=True)
class Case:
    """One unknown outcome and its rule."""

    error: OutcomeUnknownError
    rule: Rule
    describe: Describe
    now: Callable[[], datetime]
    prefix: str = ""

    @cached_property
    def record(self) -> Mapping[str, str]:
        """What the error carries, by name."""
        return dict(self.error.record)

    @property
    def sent_at(self) -> datetime | None:
        """When the request was sent; `None` where that is not known as a point in time."""
        found = self.error.sent_at
        return None if found is None or found.tzinfo is None else found

    def given(self, name: str) -> str | None:
        """Give a query parameter that was sent."""
        return self.record.get(f"query:{name}")

    def flag(self, name: str) -> bool:
        """Whether a flag was sent as yes."""
        return self.given(name) == "1"

    @property
    def path(self) -> list[str]:
        """The identifiers in the path, in order."""
        return [value for name, value in self.error.record if name.startswith("path:")]

    @property
    def sent(self) -> dict[str, str]:
        """The digests of what was sent, by place."""
        return {name.removeprefix(SENT): value for name, value in self.error.record if name.startswith(SENT)}

    def compare(self, shown: JSON) -> Comparison:
        """Compare a resource with what was sent."""
        return compare(self.sent, bytes.fromhex(self.record.get("key", "")), shown)

    # Reads

    def retrieve(self, *values: str) -> Generator[Read, Reply, Response[Model] | None]:
        """Read one resource; `None` when the service itself says that there is none.

        Raises:
            UnreadError: The read failed, or its 404 proves nothing.
        """
        operation = self.describe(self.rule.read, values, {})
        if not isinstance(operation, Operation):
            raise TypeError(f"{self.rule.read} is a list")
        reply = yield Read(operation, self.rule.read)
        if isinstance(reply, Response):
            return reply
        if isinstance(reply, NotFoundError) and is_own_answer(reply):
            if not self.rule.by_convention:
                return None
            raise UnreadError(f"{self.rule.read} answered 404, and nobody has published that the service knows it")
        raise UnreadError(f"{self.rule.read} could not be read ({type(reply).__name__})")

    def items(
        self, name: str, *values: str, filters: Mapping[str, object] | None = None
    ) -> Generator[Read, Reply, Listed]:
        """Read a list to its end.

        Raises:
            UnreadError: A page could not be read, or the list is too long.
        """
        listing = self.describe(name, values, {"limit": 100, **(filters or {})})
        if not isinstance(listing, Listing):
            raise TypeError(f"{name} is no list")
        pages, found, last = PageIterator(listing, self.prefix), list[Model](), None
        for _ in range(MAX_PAGES):
            try:
                operation = pages.next_operation()
                if operation is None:
                    return Listed(found, last)
                reply = yield Read(operation, name)
                if not isinstance(reply, Response):
                    raise UnreadError(f"{name} could not be read ({type(reply).__name__})")
                page: Page[JSON] = reply.data
                last = reply
                pages.load(page)
                found += pages.take_page().data
            except (SubscribekitError, ValueError) as error:
                raise UnreadError(f"{name} could not be read ({type(error).__name__})") from error
        raise UnreadError(f"{name} has more than {MAX_PAGES} pages")

    def is_since(self, created: datetime | None, response: Response[Model] | None = None) -> bool:
        """Whether something was made after the request was sent, by the clock of the service where it tells it.

        Without a `Date` the clocks are taken to agree. Times in whole seconds are rounded down before they are shown.
        """
        sent_at = self.sent_at
        if created is None or sent_at is None:
            return False
        since = sent_at + (timedelta() if response is None else self.skew(response))
        if created.microsecond == 0:
            since = since.replace(microsecond=0)
        return created >= since

    def skew(self, response: Response[Model]) -> timedelta:
        """How far the service's clock is ahead of the client's; a `Date` has whole seconds."""
        date = date_of(response)
        return timedelta() if date is None else date - self.now()


def is_own_answer(error: NotFoundError) -> bool:
    """Whether a 404 is the service's own and about the resource: not a proxy's, not of an unknown path."""
    body = error.body
    if not isinstance(body, dict) or "endpoint" in error.message.casefold():
        return False
    return body.get("object") == "Error" or body.get("code") == "not-found"


def wire(model: Model) -> JSON:
    """Give a model as JSON, unknown fields included."""
    return _json.decode(_json.encode_stored(write(model)))


def time_of(value: object) -> datetime | None:
    """Give a field as a point in time."""
    return value if isinstance(value, datetime) else timestamp(value)
