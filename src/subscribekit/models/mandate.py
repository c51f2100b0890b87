"""Customers' approvals of direct debits."""

from typing import Literal

from ._base import Model
from ._scalars import Masked, Text, Timestamp
from .enumerations import MandateStatus


class Mandate(Model):
    """The end customer's approval of direct debits."""

    object: Literal["Mandate"] = "Mandate"
    """Resource type."""
    created: Timestamp | None = None
    """When it was given."""
    identifier: Masked[Text | None] = None
    """Mandate identifier."""
    status: MandateStatus | None = None
    """State."""
