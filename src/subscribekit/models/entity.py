"""Base of all entities of the account lifecycle (group C)."""

from ._base import CamelModel
from ._scalars import ABSENT, EpochMillis, FreeText, Integer, JsonObject, Masked, MetadataField
from .enumerations import EntityStatus


class Association(CamelModel):
    """How an entity is associated with its owner."""

    attributes: Masked[JsonObject | None] = None
    """Attributes of the association."""
    flags: MetadataField = ABSENT
    """Flags of the association."""


class Entity(CamelModel):
    """An entity of any kind: a user, a group, a feature, a runtime; its other fields are kept in `model_extra`."""

    association: Association | None = None
    """How it is associated with its owner."""
    id: Integer | None = None
    """Unique identifier."""
    type: FreeText | None = None
    """Name of the kind of entity."""
    display_name: Masked[FreeText | None] = None
    """Name shown to people."""
    status: EntityStatus | None = None
    """State: the current one when read, the desired one when sent."""
    activated_date: EpochMillis | None = None
    """When it was activated."""
    suspended_date: EpochMillis | None = None
    """When it was suspended."""
    deactivated_date: EpochMillis | None = None
    """When it was deactivated."""
    created_date: EpochMillis | None = None
    """When it was created."""
    updated_date: EpochMillis | None = None
    """When it was last changed."""
