"""The case that a test of `resolve` examines: the data of the error, and the reads for the test. Does no I/O."""

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
"""Maximum number of pages of a list that a test searches. If a list has more than `MAX_PAGES` pages, the search proves
nothing."""


@dataclass(frozen=True, slots=True)
class Read:
    """A read that a test requests."""

    operation: Operation[Any]
    name: str


Reply: TypeAlias = Response[Any] | SubscribekitError | None
Show: TypeAlias = Literal["applied", "in_effect", "absent", "unclear"]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The result of one check, which is one round of reads.

    Attributes:
        shows: The finding. `absent` means that the effect of the call is missing because the call wasn't carried out.
            `unclear` means that the check proves nothing.
        evidence: A clause for `Verdict.evidence`, which describes the data that was read and its meaning.
        result: The resource that the check read, or `None`.
        is_final: Whether a later check can't change the conclusion.
        by_absence: Whether `in_effect` depends on a missing resource, so that two checks must agree.
        is_old: Whether a response may be older than the write. A later check may get a response that is newer than the
            write.
        is_untimed: Whether the check couldn't find out if the resource was created after the write. A later check may
            determine the time of creation.
    """

    shows: Show
    evidence: str
    result: Model | None = None
    is_final: bool = False
    by_absence: bool = False
    is_old: bool = False
    is_untimed: bool = False

    @property
    def is_absence(self) -> bool:
        """Whether the conclusion depends on a missing resource or value."""
        return self.shows == "absent" or self.by_absence


Check: TypeAlias = Generator[Read, Reply, Conclusion]


class Describe(Protocol):
    """Returns the operation or the list of a read, by its SDK name."""

    def __call__(
        self, name: str, values: tuple[str, ...], filters: Mapping[str, object], /
    ) -> Operation[Model] | Listing[Model]: ...


@dataclass(frozen=True)
class Case:
    """An unknown outcome, with the rule that resolves it."""

    error: OutcomeUnknownError
    rule: Rule
    describe: Describe
    now: Callable[[], datetime]
    clock: ServiceClock
    prefix: str

    @cached_property
    def record(self) -> Mapping[str, str]:
        """The record of the error, as a mapping of names to values."""
        return dict(self.error.record)

    def given(self, name: str) -> str | None:
        """Return the value of a query parameter that was sent, or `None`."""
        return self.record.get(f"query:{name}")

    def flag(self, name: str) -> bool:
        """Return whether a Boolean query parameter was sent as true."""
        return self.given(name) == "1"

    @property
    def path(self) -> list[str]:
        """The identifiers in the path, in order."""
        return [value for name, value in self.error.record if name.startswith("path:")]

    @property
    def sent(self) -> dict[str, str]:
        """The digests of the values that were sent, by their path in the body."""
        return {name.removeprefix(SENT): value for name, value in self.error.record if name.startswith(SENT)}

    def compare(self, shown: JSON, field: str = "") -> Comparison:
        """Compare a resource with the sent values. If `field` is set, compare only the fields with this name."""
        sent = {place: leaf for place, leaf in self.sent.items() if not field or place.rpartition("/")[2] == field}
        return compare(sent, bytes.fromhex(self.record.get("key", "")), shown)

    def retrieve(self, *values: str) -> Generator[Read, Reply, Model | None]:
        """Read one resource and return it. If the service reports that the resource doesn't exist, return `None`.

        Raises:
            UnreadError: The read failed, returned a 404 that proves nothing, or returned another resource.
        """
        read, named = self.rule.read, values[-1]
        operation = self.describe(read, values, {})
        if not isinstance(operation, Operation):
            raise TypeError(f"{read} is a list")
        reply = yield Read(operation, read)
        if isinstance(reply, Response):
            shown: Model = reply.data
            if self.rule.test != "credited" and not is_named(shown, named):  # a `Credit` has no ID
                raise UnreadError(f"{read} returned another resource for the id {named}")
            return shown
        if isinstance(reply, NotFoundError) and is_own_response(reply):
            if not self.rule.by_convention:
                return None
            raise UnreadError(f"{read} returned 404, which proves nothing, because no source documents this read")
        why = f": {reply}" if isinstance(reply, InvalidResponseError) else ""
        raise UnreadError(f"{read} failed ({type(reply).__name__}{why})")

    def items(
        self, name: str, *values: str, filters: Mapping[str, object] | None = None
    ) -> Generator[Read, Reply, list[Model]]:
        """Read a whole list, and return its items.

        Raises:
            UnreadError: A page couldn't be read, or the list is too long.
        """
        listing = self.describe(name, values, {"limit": 100, **(filters or {})})
        if not isinstance(listing, Listing):
            raise TypeError(f"{name} isn't a list")
        pages, found = PageIterator(listing, self.prefix), list[Model]()
        for _ in range(MAX_PAGES):
            try:
                operation = pages.next_operation()
                if operation is None:
                    return found
                reply = yield Read(operation, name)
                if not isinstance(reply, Response):
                    raise UnreadError(f"{name} failed ({type(reply).__name__})")
                page: Page[JSON] = reply.data
                pages.load(page)
                found += pages.take_page().data
            except (SubscribekitError, ValueError) as error:
                raise UnreadError(f"{name} failed ({type(error).__name__})") from error
        raise UnreadError(f"{name} has more than {MAX_PAGES} pages")


def is_named(shown: object, identifier: str) -> bool:
    """Return whether an identifier is the `id` or the `vid` of a resource."""
    return identifier in (getattr(shown, "id", None), getattr(shown, "vid", None))


def is_of_another(reference: object, identifier: str) -> bool:
    """Return whether a reference names a resource with a different identifier."""
    names = [getattr(reference, "id", None), getattr(reference, "vid", None)]
    return any(names) and identifier not in names


def is_own_response(error: NotFoundError) -> bool:
    """Return whether a 404 proves that the resource is missing, and isn't from a proxy or about an unknown path."""
    body = error.body
    if not isinstance(body, dict) or "endpoint" in error.message.casefold():
        return False
    return body.get("object") == "Error" or body.get("code") == "not-found"


def wire(model: Model) -> JSON:
    """Return a model as JSON, with its unknown fields."""
    return _json.decode(_json.encode_stored(written(model)))


def time_of(value: object) -> datetime | None:
    """Return the value of a field as a point in time, or `None` if the value isn't a time."""
    return value if isinstance(value, datetime) else timestamp(value)
