"""Models of gift cards and their redemptions."""

from typing import Literal

from ._base import ConventionalModel


class GiftCard(ConventionalModel):
    """A gift card. The model also accepts undocumented fields."""

    object: Literal["GiftCard"] = "GiftCard"
    """The name of the resource type, always `GiftCard`."""


class GiftCardRedemption(ConventionalModel):
    """The redemption of a gift card. The model also accepts undocumented fields."""

    object: Literal["GiftCardRedemption"] = "GiftCardRedemption"
    """The name of the resource type, always `GiftCardRedemption`."""
