"""Base class of the sync and async iterators over items and pages. Does no I/O."""

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
    """One iteration over a list. After an error, the next step reads the failed page again.

    Only one thread or task can use an iteration at a time. A second thread or task gets an error, because items could
    otherwise be repeated or lost (H90).

    Each step runs in a `with` block of this object. If an SDK error ends the block, the object appends the error to the
    list that `__enter__` returned. The step raises the error after the `with` block, so that the error has no context.
    """

    def __init__(self, pages: PageIterator[M], name: str) -> None:
        self.pages, self.name = pages, name
        self.last: Response[Page[JSON]] | None = None
        self._failures: list[SubscribekitError] = []
        self._free = [True]

    def __enter__(self) -> list[SubscribekitError]:
        """Start a step of the iteration.

        Raises:
            InvalidArgumentError: Another thread or task is using the iteration.
        """
        try:
            del self._free[0]  # a thread switch or a signal handler can't interrupt this single instruction
        except IndexError:
            in_use = InvalidArgumentError(
                "another thread or task is using this iterator; create an iterator for each thread or task, or share "
                "the items through a queue"
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
        """Make a fetched page the current page."""
        self.last = response
        self.pages.load(response.data)

    def take_page(self) -> Response[Page[M]]:
        """Return the current page with its items as models."""
        if self.last is None:
            raise AssertionError("no page is loaded; call load() before take_page()")
        return with_data(self.last, self.pages.take_page())

    def _failed(self, error: SubscribekitError | ShapeError) -> SubscribekitError:
        """Add the checkpoint and the facts about the response to an error that ends a step."""
        if isinstance(error, ShapeError):
            error = InvalidResponseError(f"an item of the list has an unexpected structure: {error}")
        error.checkpoint = self.pages.checkpoint
        last = self.last
        if error.operation is None and last is not None:
            error.operation, error.attempts, error.elapsed = self.name, last.attempts, last.elapsed
            error.trace_id = last.trace_id
            if isinstance(error, InvalidResponseError):
                error.status_code, error.request_id = last.status_code, last.request_id
        return error.with_traceback(None)  # the traceback's frames contain links with filter values (H31)


def with_data(response: Response[D], data: E) -> Response[E]:
    """Return a copy of a response with other data."""
    whole: Response[Any] = response
    return replace(whole, data=data)
