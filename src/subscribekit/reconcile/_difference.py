"""Results of a comparison: differences, and the number of keys of each kind."""

from dataclasses import dataclass
from dataclasses import field as member
from typing import Generic, Literal, TypeAlias, TypeVar

from .._shown import MASK
from ..models._base import Model

M = TypeVar("M", bound=Model)

Kind: TypeAlias = Literal["local_only", "remote_only", "differs"]


@dataclass(frozen=True, slots=True, repr=False)
class Difference(Generic[M]):
    """One field that differs, or a key that only your table or only the service has.

    Attributes:
        key: The key as text, without the apostrophe that an exported CSV file has before `=`, `+`, `-`, and `@`.
        kind: `local_only` if only your table has the key, `remote_only` if only the service has the key, or `differs`
            if a field differs.
        field: The path of the field in the resource; `None` if only your table or only the service has the key.
        local: The value in your row.
        remote: The service's current value or, if the field has a function, the result of the function.
        resource: The current resource; `None` if the service doesn't have the resource.
    """

    key: str
    kind: Kind
    field: str | None = None
    local: object = None
    remote: object = None
    resource: M | None = None
    _is_personal: bool = member(default=False, compare=False)
    _is_key_personal: bool = member(default=False, compare=False)

    def masked(self) -> tuple[str, object, object]:
        """Return the key, `local`, and `remote`, with personal values masked."""
        key = MASK if self._is_key_personal else self.key
        if not self._is_personal:
            return key, self.local, self.remote
        local, remote = (None if value is None else MASK for value in (self.local, self.remote))
        return key, local, remote

    def __repr__(self) -> str:
        key, local, remote = self.masked()
        values = f", field={self.field!r}, local={local!r}, remote={remote!r}" if self.kind == "differs" else ""
        return f"Difference(key={key!r}, kind={self.kind!r}{values})"


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of keys of each kind.

    `compare` counts the keys. After you iterate over all `differences`, the numbers are final.

    Attributes:
        equal: Keys whose fields are all equal.
        local_only: Keys that only your table has.
        remote_only: Keys that only the service has.
        differs: Keys with at least one field that differs.
        changed_meanwhile: Keys that differed in `compare`, but no longer differ in `differences`.
    """

    equal: int = 0
    local_only: int = 0
    remote_only: int = 0
    differs: int = 0
    changed_meanwhile: int = 0
