"""Charges and the disputes about them."""

from __future__ import annotations

from typing import Literal

from ._base import UNSET, Identifier, Masked, MetadataField, Model, Text, Timestamp


class Charge(Model):
    """A charge added to a subscription; no fields are documented beyond the usual ones."""

    object: Literal["Charge"] = "Charge"
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


class Chargeback(Model):
    """A charge that the customer's bank took back; no fields are documented beyond the usual ones."""

    object: Literal["Chargeback"] = "Chargeback"
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
