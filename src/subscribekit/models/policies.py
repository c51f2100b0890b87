"""Rules and reasons of cancellation, and the service's diagnostics."""

from __future__ import annotations

from typing import Literal

from ._base import UNSET, Identifier, Masked, MetadataField, Model, Text, Timestamp


class CancelFeePolicy(Model):
    """A rule on the fee for a cancellation; no fields are documented beyond the usual ones."""

    object: Literal["CancelFeePolicy"] = "CancelFeePolicy"
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


class ReasonCode(Model):
    """A reason for a cancellation or a pause; no fields are documented beyond the usual ones."""

    object: Literal["ReasonCode"] = "ReasonCode"
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


class Diagnostics(Model):
    """A diagnosis of the service; no fields are documented beyond the usual ones."""

    object: Literal["Diagnostics"] = "Diagnostics"
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
