"""Models of gift cards and their redemptions."""

from typing import Literal

from ._base import ConventionalModel


class GiftCard(ConventionalModel):
    """A gift card. Its other fields aren't documented."""

    object: Literal["GiftCard"] = "GiftCard"
    """The type of the resource, as the service spells it."""


class GiftCardRedemption(ConventionalModel):
    """The redemption of a gift card. Its other fields aren't documented."""

    object: Literal["GiftCardRedemption"] = "GiftCardRedemption"
    """The type of the resource, as the service spells it."""
