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
    """The association between the entity and its owner, with its flags."""
    id: Integer | None = None
    """The unique ID of the entity, an integer."""
    type: FreeText | None = None
    """The name of the entity type; the possible values aren't documented."""
    display_name: Masked[FreeText | None] = None
    """The entity's display name, as a string."""
    status: EntityStatus | None = None
    """In responses, the current status of the entity; in requests, the status that you want."""
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
