"""Seasons in which seasonal billing plans bill and entitle."""

from typing import Literal

from ._base import Model
from ._lists import Many
from ._scalars import ABSENT, DateOrTimestamp, Identifier, Masked, MetadataField, Text, Timestamp


class Season(Model):
    """One season."""

    object: Literal["Season"] = "Season"
    """Resource type."""
    description: Text | None = None
    """Name of the season."""
    starts: DateOrTimestamp | None = None
    """First day or moment."""
    ends: DateOrTimestamp | None = None
    """Last day or moment."""


class SeasonSet(Model):
    """A set of seasons."""

    object: Literal["SeasonSet"] = "SeasonSet"
    """Resource type."""
    id: Identifier | None = None
    """Identifier chosen by the caller."""
    vid: Identifier | None = None
    """Identifier assigned by the service."""
    created: Timestamp | None = None
    """When it was created."""
    seasons: Many[Season] = ABSENT
    """Seasons."""
    metadata: Masked[MetadataField] = ABSENT
    """Key/value pairs of the caller."""
    url: Text | None = None
    """Address of the resource, by the conventions of the billing API."""
