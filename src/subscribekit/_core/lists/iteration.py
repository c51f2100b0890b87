"""Base of the iterators over items and pages, in both styles. No I/O."""

from dataclasses import replace
from types import TracebackType
from typing import Any, Generic, TypeVar

from ..._json import JSON
from ...errors import InvalidArgumentError, InvalidResponseError, SubscribekitError
from ...models._base import Model
from ..calls.response import Response
from ..operations.readers import Page, ShapeError
from .page_iterator import PageIterator

M = TypeVar("M", bound=Model)
D = TypeVar("D")
E = TypeVar("E")

_FAILURES = (SubscribekitError, ShapeError)


class Iteration(Generic[M]):
    """One iteration: usable again after an error, then the failed page is read once more.

    It has one consumer at a time. A second thread or task is refused instead of being given items twice or losing
    them (H90), as Python does with its own generators.

    Each step is a `with` block. An error of the SDK ends the block and is not raised, but put into the list that the
    block was given: the step raises it behind the block, where nothing is its context.
    """

    def __init__(self, pages: PageIterator[M], name: str) -> None:
        self.pages, self.name = pages, name
        self.last: Response[Page[JSON]] | None = None
        self._failures: list[SubscribekitError] = []
        self._free = [True]

    def __enter__(self) -> list[SubscribekitError]:
        """Begin a step.

        Raises:
            InvalidArgumentError: Another thread or task is in the middle of one.
        """
        try:
            del self._free[0]  # one bytecode: neither a thread nor a signal comes between test and change
        except IndexError:
            in_use = InvalidArgumentError(
                "this iterator is in use by another thread or task at this moment; give each its own iteration, or let "
                "one iterate and hand the items to the others, for example through a queue"
            ).during(self.name)
        else:
            self._failures = []
            return self._failures
        raise in_use

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> bool:
        try:
            if not isinstance(error, _FAILURES):
                return False
            self._failures.append(self._failed(error))
            return True
        finally:
            self._free.append(True)

    def load(self, response: Response[Page[JSON]]) -> None:
        """Make a fetched page current."""
        self.last = response
        self.pages.load(response.data)

    def take_page(self) -> Response[Page[M]]:
        """Hand out the page that was read."""
        if self.last is None:
            raise AssertionError("a page is taken after it was loaded")
        return with_data(self.last, self.pages.take_page())

    def _failed(self, error: SubscribekitError | ShapeError) -> SubscribekitError:
        """Complete an error that ends an iteration: where to go on, and which response it came from."""
        if isinstance(error, ShapeError):
            error = InvalidResponseError(f"an item of the list has another shape: {error}")
        error.checkpoint = self.pages.checkpoint
        last = self.last
        if error.operation is None and last is not None:
            error.operation, error.attempts, error.elapsed = self.name, last.attempts, last.elapsed
            error.trace_id = last.trace_id
            if isinstance(error, InvalidResponseError):
                error.status_code, error.request_id = last.status_code, last.request_id
        return error.with_traceback(None)  # the frames below hold links, which repeat the filters (H31)


def with_data(response: Response[D], data: E) -> Response[E]:
    """Give the same response with other data."""
    whole: Response[Any] = response
    return replace(whole, data=data)
