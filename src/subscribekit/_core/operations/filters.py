"""Filters of lists: whether the items of a page are those that were asked for. No I/O."""

from ...errors import FilterNotAppliedError


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
