"""The error of a value that its column can't hold."""

from ..errors import Outcome, SubscribekitError


class ExportError(SubscribekitError):
    """A value doesn't fit its column, such as an amount with more than nine decimal places.

    The message contains the column and the ID of the item, but not the value. Leave the column out with `columns=`, or
    read the list itself, because its models hold every value exactly.

    Attributes:
        column: The path of the field, such as `items[0].price`.
        item: The item's `id` or `vid`, or `None` if the item has neither.
    """

    outcome: Outcome = "rejected"
    column: str = ""
    item: str | None = None
