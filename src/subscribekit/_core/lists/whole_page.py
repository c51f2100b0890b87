"""One page of a list, read at once, with its items as models: the result of a prepared list."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from ..._json import JSON
from ...errors import FilterNotAppliedError
from ...models._base import Model
from ..operations.readers import Page, Reader, ShapeError, validate

M = TypeVar("M", bound=Model)


class FilterCheck:
    """Compares items with a filter whose name on the wire is assumed.

    An argument is an id or a vid, of an unknown kind. An item that shows only one of them decides nothing, until
    another one shows which of them the argument is, or until two items differ where all should be the same.
    """

    def __init__(self, expected: tuple[tuple[str, str], ...]) -> None:
        self._expected = expected
        self._kinds: dict[str, str] = {}
        self._others: dict[tuple[str, str], str] = {}

    def check(self, item: object) -> None:
        """Compare an item; raises `FilterNotAppliedError` when it is certainly of another."""
        for name, wanted in self._expected:
            reference = getattr(item, name, None)
            shown = {kind: value for kind in ("id", "vid") if (value := getattr(reference, kind, None)) is not None}
            if not self._may_match(name, wanted, shown):
                raise FilterNotAppliedError(
                    f"an item belongs to another {name} than the one asked for, so the service did not apply the "
                    f"filter; set the filter's wire name with WireNames"
                )

    def _may_match(self, name: str, wanted: str, shown: dict[str, str]) -> bool:
        for kind, value in shown.items():
            if value == wanted:
                self._kinds.setdefault(name, kind)
                return True
        if len(shown) == 2 or self._kinds.get(name) in shown:
            return False
        return all(self._others.setdefault((name, kind), value) == value for kind, value in shown.items())


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
