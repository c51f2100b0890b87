"""Gift cards and their redemption."""

from typing import Literal

from ._base import ConventionalModel


class GiftCard(ConventionalModel):
    """A gift card; its other fields are not documented."""

    object: Literal["GiftCard"] = "GiftCard"
    """Resource type."""


class GiftCardRedemption(ConventionalModel):
    """The redemption of a gift card; its other fields are not documented."""

    object: Literal["GiftCardRedemption"] = "GiftCardRedemption"
    """Resource type."""
