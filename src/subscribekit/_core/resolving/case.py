"""One unknown outcome as a test sees it: what the error carries, and the reads that it may ask for. No I/O."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias

from ... import _json
from ..._json import JSON
from ...errors import InvalidResponseError, NotFoundError, OutcomeUnknownError, SubscribekitError
from ...models._base import Model
from ..calls.outcomes.record import SENT
from ..calls.response import Response
from ..lists.listing import Listing
from ..lists.page_iterator import PageIterator
from ..operations.bodies import written
from ..operations.operation import Operation
from ..operations.readers import Page
from ..operations.sent_values import Comparison, compare, timestamp
from .dates import ServiceClock, UnreadError
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
class Conclusion:
    """The result of one look.

    Attributes:
        shows: `absent` when what the call would have left is not there and nothing else explains that; `unclear` when
            the look proves nothing.
        says: The read data and its meaning, as the rest of a sentence.
        result: The resource.
        is_final: A later look cannot change it.
        by_absence: That something is gone says so, which counts only when two looks agree.
        is_old: The response may be older than the write; a later look may get a newer one.
        is_untimed: No clock shows so far whether the resource was made since the write; a later look may.
    """

    shows: Show
    says: str
    result: Model | None = None
    is_final: bool = False
    by_absence: bool = False
    is_old: bool = False
    is_untimed: bool = False

    @property
    def is_absence(self) -> bool:
        """Whether it rests on something that is not there."""
        return self.shows == "absent" or self.by_absence


Look: TypeAlias = Generator[Read, Reply, Conclusion]


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
    clock: ServiceClock
    prefix: str

    @cached_property
    def record(self) -> Mapping[str, str]:
        """The record of the error, by name."""
        return dict(self.error.record)

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

    def compare(self, shown: JSON, field: str = "") -> Comparison:
        """Compare a resource with what was sent, or with the fields of one name alone."""
        sent = {place: leaf for place, leaf in self.sent.items() if not field or place.rpartition("/")[2] == field}
        return compare(sent, bytes.fromhex(self.record.get("key", "")), shown)

    # Reads

    def retrieve(self, *values: str) -> Generator[Read, Reply, Model | None]:
        """Read one resource; `None` when the service itself says that there is none.

        Raises:
            UnreadError: The read failed, its 404 proves nothing, or it shows another resource than it was asked for.
        """
        read, named = self.rule.read, values[-1]
        operation = self.describe(read, values, {})
        if not isinstance(operation, Operation):
            raise TypeError(f"{read} is a list")
        reply = yield Read(operation, read)
        if isinstance(reply, Response):
            shown: Model = reply.data
            if self.rule.test != "credited" and not is_named(shown, named):  # a credit has no id
                raise UnreadError(f"{read} shows another resource for the id {named}")
            return shown
        if isinstance(reply, NotFoundError) and is_own_response(reply):
            if not self.rule.by_convention:
                return None
            raise UnreadError(f"{read} gave a 404, and no source shows that the service knows this read")
        why = f": {reply}" if isinstance(reply, InvalidResponseError) else ""
        raise UnreadError(f"{read} could not be read ({type(reply).__name__}{why})")

    def items(
        self, name: str, *values: str, filters: Mapping[str, object] | None = None
    ) -> Generator[Read, Reply, list[Model]]:
        """Read a list to its end.

        Raises:
            UnreadError: A page could not be read, or the list is too long.
        """
        listing = self.describe(name, values, {"limit": 100, **(filters or {})})
        if not isinstance(listing, Listing):
            raise TypeError(f"{name} is no list")
        pages, found = PageIterator(listing, self.prefix), list[Model]()
        for _ in range(MAX_PAGES):
            try:
                operation = pages.next_operation()
                if operation is None:
                    return found
                reply = yield Read(operation, name)
                if not isinstance(reply, Response):
                    raise UnreadError(f"{name} could not be read ({type(reply).__name__})")
                page: Page[JSON] = reply.data
                pages.load(page)
                found += pages.take_page().data
            except (SubscribekitError, ValueError) as error:
                raise UnreadError(f"{name} could not be read ({type(error).__name__})") from error
        raise UnreadError(f"{name} has more than {MAX_PAGES} pages")


def is_named(shown: object, identifier: str) -> bool:
    """Whether a resource has an identifier as its id or vid."""
    return identifier in (getattr(shown, "id", None), getattr(shown, "vid", None))


def is_of_another(reference: object, identifier: str) -> bool:
    """Whether a reference names another resource than this one."""
    names = [getattr(reference, "id", None), getattr(reference, "vid", None)]
    return any(names) and identifier not in names


def is_own_response(error: NotFoundError) -> bool:
    """Whether a 404 is the service's own and about the resource: not a proxy's, not of an unknown path."""
    body = error.body
    if not isinstance(body, dict) or "endpoint" in error.message.casefold():
        return False
    return body.get("object") == "Error" or body.get("code") == "not-found"


def wire(model: Model) -> JSON:
    """Give a model as JSON, unknown fields included."""
    return _json.decode(_json.encode_stored(written(model)))


def time_of(value: object) -> datetime | None:
    """Give a field as a point in time."""
    return value if isinstance(value, datetime) else timestamp(value)
