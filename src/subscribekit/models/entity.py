"""Models of the entities of the account-lifecycle API."""

from ._base import CamelModel
from ._scalars import ABSENT, EpochMillis, FreeText, Integer, JsonObject, Masked, MetadataField
from .enumerations import EntityStatus


class Association(CamelModel):
    """The association of an entity with its owner."""

    attributes: Masked[JsonObject | None] = None
    """The attributes of the association, as a JSON object."""
    flags: MetadataField = ABSENT
    """The flags of the association, as key-value pairs."""


class Entity(CamelModel):
    """An entity, such as a user, a group, a feature, or a runtime. `model_extra` contains the entity's other fields."""

    association: Association | None = None
    """How the entity is associated with its owner."""
    id: Integer | None = None
    """The unique number of the entity."""
    type: FreeText | None = None
    """The name of the entity type."""
    display_name: Masked[FreeText | None] = None
    """The display name."""
    status: EntityStatus | None = None
    """The status: the current one in responses, the desired one in requests."""
    activated_date: EpochMillis | None = None
    """When the entity was activated, as epoch milliseconds on the wire."""
    suspended_date: EpochMillis | None = None
    """When the entity was suspended, as epoch milliseconds on the wire."""
    deactivated_date: EpochMillis | None = None
    """When the entity was deactivated, as epoch milliseconds on the wire."""
    created_date: EpochMillis | None = None
    """When the entity was created, as epoch milliseconds on the wire."""
    updated_date: EpochMillis | None = None
    """When the entity was last changed, as epoch milliseconds on the wire."""
