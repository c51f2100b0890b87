"""The model of direct-debit mandates."""

from typing import Literal

from ._base import Model
from ._scalars import Masked, Text, Timestamp
from .enumerations import MandateStatus


class Mandate(Model):
    """The customer's approval of direct debits."""

    object: Literal["Mandate"] = "Mandate"
    """The name of the resource type, always `Mandate`."""
    created: Timestamp | None = None
    """When the customer approved the direct debits."""
    identifier: Masked[Text | None] = None
    """The ID of the mandate; the service may return null."""
    status: MandateStatus | None = None
    """The status of the mandate, such as `Active`."""
