"""Charges and the disputes about them."""

from typing import Literal

from ._base import ConventionalModel


class Charge(ConventionalModel):
    """A charge added to a subscription; its other fields are not documented."""

    object: Literal["Charge"] = "Charge"
    """Resource type."""


class Chargeback(ConventionalModel):
    """A charge that the customer's bank took back; its other fields are not documented."""

    object: Literal["Chargeback"] = "Chargeback"
    """Resource type."""
