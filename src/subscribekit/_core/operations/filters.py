"""Checks that the items of a page match the list's filter. Does no I/O."""

from ...errors import FilterNotAppliedError


class FilterCheck:
    """Checks whether the service applied a filter whose wire name the SDK assumes.

    The SDK doesn't know whether the argument of a filter is an `id` or a `vid`. If an item contains only an `id` or
    only a `vid`, the SDK can't compare the item until another item matches the argument, or until two items have
    different values.
    """

    def __init__(self, expected: tuple[tuple[str, str], ...]) -> None:
        self._expected = expected
        self._kinds: dict[str, str] = {}
        self._others: dict[tuple[str, str], str] = {}

    def check(self, item: object) -> None:
        """Raise `FilterNotAppliedError` if an item certainly doesn't match the filter."""
        for name, wanted in self._expected:
            reference = getattr(item, name, None)
            shown = {kind: value for kind in ("id", "vid") if (value := getattr(reference, kind, None)) is not None}
            if not self._may_match(name, wanted, shown):
                raise FilterNotAppliedError(
                    f"the service didn't apply the filter, and returned an item with a different {name}; set the "
                    f"filter's wire name with WireNames"
                )

    def _may_match(self, name: str, wanted: str, shown: dict[str, str]) -> bool:
        for kind, value in shown.items():
            if value == wanted:
                self._kinds.setdefault(name, kind)
                return True
        if len(shown) == 2 or self._kinds.get(name) in shown:
            return False
        return all(self._others.setdefault((name, kind), value) == value for kind, value in shown.items())
