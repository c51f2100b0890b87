"""One page of a list read at once, its items as models: what a planned list gives when it is sent."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..._json import JSON
from ...errors import FilterNotAppliedError
from ...models._base import Model
from ..operations.readers import Page, Reader, ShapeError, validate
from .filter_check import FilterCheck

M = TypeVar("M", bound=Model)


@dataclass(slots=True, eq=False, repr=False)
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
