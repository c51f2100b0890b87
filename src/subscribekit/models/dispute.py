"""Models of charges and chargebacks."""

from typing import Literal

from ._base import ConventionalModel


class Charge(ConventionalModel):
    """A charge that is added to a subscription. The model also accepts undocumented fields."""

    object: Literal["Charge"] = "Charge"
    """The name of the resource type, always `Charge`."""


class Chargeback(ConventionalModel):
    """A chargeback. The fields of a chargeback aren't documented."""

    object: Literal["Chargeback"] = "Chargeback"
    """The name of the resource type, always `Chargeback`."""
