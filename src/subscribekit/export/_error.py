"""The error of a value that its column can't hold."""

from ..errors import Outcome, SubscribekitError


class ExportError(SubscribekitError):
    """A value does not fit its column, such as an amount of more than nine decimals.

    The error names neither the value nor anything else of the item. Leave the column out with `columns=`, or read the
    list itself, whose models hold every value exactly.

    Attributes:
        column: Path of the field, such as `items[0].price`.
        item: The item's `id` or `vid`, if it has one.
    """

    outcome: Outcome = "rejected"
    column: str = ""
    item: str | None = None
