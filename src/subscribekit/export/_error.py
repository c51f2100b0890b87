"""The error for a value that doesn't fit its column in an export."""

from ..errors import Outcome, SubscribekitError


class ExportError(SubscribekitError):
    """A value doesn't fit its column; for example, an amount has more than nine decimal places.

    The error message contains the column and the ID of the item, but not the value. To leave the column out, use
    `columns=`. To get the exact value, read the list without `to_arrow`.

    Attributes:
        column: The path of the field, such as `items[0].price`.
        item: The item's `id` or `vid`, or `None` if the item has neither.
    """

    outcome: Outcome = "rejected"
    column: str = ""
    item: str | None = None
