"""Models of charges and chargebacks."""

from typing import Literal

from ._base import ConventionalModel


class Charge(ConventionalModel):
    """A charge that is added to a subscription. Its other fields aren't documented."""

    object: Literal["Charge"] = "Charge"
    """The type of the resource, as the service spells it."""


class Chargeback(ConventionalModel):
    """A chargeback. No source documents its fields."""

    object: Literal["Chargeback"] = "Chargeback"
    """The type of the resource, as the service spells it."""
