"""Gift cards and their redemption."""

from __future__ import annotations

from typing import Literal

from ._base import UNSET, Identifier, Masked, MetadataField, Model, Text, Timestamp


class GiftCard(Model):
    """A gift card; its fields are not documented beyond the conventions of the billing API."""

    object: Literal["GiftCard"] = "GiftCard"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created."""
    url: Text | None = None
    """Address of the resource."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller."""


class GiftCardRedemption(Model):
    """The redemption of a gift card; its fields are not documented beyond the conventions of the billing API."""

    object: Literal["GiftCardRedemption"] = "GiftCardRedemption"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created."""
    url: Text | None = None
    """Address of the resource."""
    metadata: Masked[MetadataField] = UNSET
    """Key/value pairs of the caller."""
