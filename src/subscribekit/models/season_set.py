"""Models of the seasons of seasonal billing plans."""

from typing import Literal

from ._base import Model
from ._lists import Many
from ._scalars import ABSENT, DateOrTimestamp, Identifier, Masked, MetadataField, Text, Timestamp


class Season(Model):
    """A season, in which a seasonal billing plan bills and entitles the customer."""

    object: Literal["Season"] = "Season"
    """The name of the resource type, always `Season`."""
    description: Text | None = None
    """The name of the season."""
    starts: DateOrTimestamp | None = None
    """The first day, or the time at which the season starts."""
    ends: DateOrTimestamp | None = None
    """The last day, or the time at which the season ends."""


class SeasonSet(Model):
    """The set of seasons of a seasonal billing plan."""

    object: Literal["SeasonSet"] = "SeasonSet"
    """The name of the resource type, always `SeasonSet`."""
    id: Identifier | None = None
    """The merchant's ID of the resource, 1 to 128 characters without `/`."""
    vid: Identifier | None = None
    """The unique ID that the service assigns to the resource."""
    created: Timestamp | None = None
    """When the service created the resource, in UTC."""
    seasons: Many[Season] = ABSENT
    """The seasons of the set, each with a start and an end."""
    metadata: Masked[MetadataField] = ABSENT
    """Key-value pairs of the merchant; keys and text values have at most 1,024 characters."""
    url: Text | None = None
    """The URL of the resource; no source shows this field here, but many other resources have it."""
