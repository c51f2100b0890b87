"""Checks that a response is about the resource that the call named. Does no I/O."""

import re
from dataclasses import dataclass
from typing import Final

from ..._json import JSON
from ...models._base import Model

_VID = re.compile(r"[0-9a-f]{40}|vid\W?\w*")
"""The format of all published vids, and of the vids in tests."""
_ID: Final = ("id",)
ID_OR_VID: Final = ("id", "vid")
_NEXT_WORD = re.compile(r"(?<=[a-z])(?=[A-Z])")
_LONGEST_SHOWN: Final = 200


def has_form_of_vid(identifier: str) -> bool:
    """Return whether an identifier has the format of a vid, which distinguishes a vid from an id."""
    return _VID.fullmatch(identifier) is not None


def identifier_in(value: JSON) -> str | None:
    """Return an identifier of a response as a string. An integer is converted to its decimal digits (H411)."""
    if type(value) is int:
        return str(value)
    return value if isinstance(value, str) and value else None


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity that a response must have if the call is a success.

    Attributes:
        fields: Wire names of the fields that identify the resource.
        wanted: The identifiers that the call named. If the tuple is empty, the SDK accepts any identifier, because the
            service creates the identifier.
        is_required: Whether the response must contain at least one of `fields`. `False` if the response to a write is
            undocumented; the SDK then rejects only a response about another resource of the same kind.
        parent: The account that must be the parent of the resource, if the response contains a parent.
    """

    fields: tuple[str, ...]
    wanted: tuple[str, ...] = ()
    is_required: bool = True
    parent: str | None = None

    @property
    def is_reference(self) -> bool:
        """Whether the response must contain the reference that the platform creates only for a successful charge."""
        return self.fields == REFERENCE.fields

    def is_shown_in(self, value: dict[str, JSON]) -> bool:
        """Return whether a fast check proves that the response is about the resource that the call named.

        If the result is `False`, the caller must check the response with `other_in`, which also compares the parent.
        """
        for name in self.fields:
            found = value.get(name)
            if (str(found) if type(found) is int else found) in self.wanted:
                return self.parent is None
        return False

    def is_missing_in(self, value: JSON) -> bool:
        """Return whether a response lacks an identifier that it must have."""
        shown = self._shown(value)
        if not self.is_required or self._is_one_of(shown):
            return False
        return not shown or (bool(self.wanted) and "id" not in shown and self._is_named_by("id"))

    def other_in(self, value: JSON, result: type[object]) -> str | None:
        """Describe the resource of a response if the call named another resource; otherwise, return `None`.

        Args:
            value: The response.
            result: The model of the response, which defines the expected value of `object`.
        """
        fields = value if isinstance(value, dict) else {}
        if not self.is_required and fields.get("object") not in (None, _object_of(result)):
            return None
        if (other := self.other_than_wanted(fields)) is not None:
            return f"the {_NEXT_WORD.sub(' ', result.__name__).lower()} {other}"
        if self.parent is not None and (other := _other_parent(self.parent, fields.get("parent"))) is not None:
            return f"the parent {other}"
        return None

    def other_than_wanted(self, value: JSON) -> str | None:
        """Return a text with the actual and the expected identifier if they differ; otherwise, return `None`."""
        shown = self._shown(value)
        compared = [] if self._is_one_of(shown) else [name for name in shown if self._is_named_by(name)]
        if not compared:
            return None
        field = compared[0]
        wanted = next((each for each in self.wanted if has_form_of_vid(each) == (field == "vid")), self.wanted[0])
        return f"{shown[field][:_LONGEST_SHOWN]!r}, not {wanted!r}"

    def _shown(self, value: JSON) -> dict[str, str]:
        fields = value if isinstance(value, dict) else {}
        texts = ((name, identifier_in(fields.get(name))) for name in self.fields)
        return {name: text for name, text in texts if text is not None}

    def _is_one_of(self, shown: dict[str, str]) -> bool:
        return not set(self.wanted).isdisjoint(shown.values())

    def _is_named_by(self, field: str) -> bool:
        """Return whether the call named the resource by this field, so a different value means another resource."""
        if self.fields == _ID:
            return bool(self.wanted)
        return any(has_form_of_vid(each) == (field == "vid") for each in self.wanted)


def _other_parent(parent: str, shown: JSON) -> str | None:
    return named(parent).other_than_wanted(shown)


def _object_of(result: type[object]) -> str | None:
    field = result.model_fields.get("object") if issubclass(result, Model) else None
    kind: object = None if field is None else field.default
    return kind if isinstance(kind, str) else None


def named(*identifiers: object, parent: str | None = None) -> Identity:
    """Return the identity of a resource from the identifiers in the path and the body. Ignore missing identifiers."""
    wanted: list[str] = []
    for each in identifiers:
        if isinstance(each, str) and each and each not in wanted:
            wanted.append(each)
    return Identity(ID_OR_VID, tuple(wanted), parent=parent)


def created(identifier: object) -> Identity:
    """Return the identity of a new resource: the id in the request, or any id or vid if the request has no id."""
    own = named(identifier).wanted
    return Identity(_ID if own else ID_OR_VID, own)


def versioned(identifier: object, own: object) -> Identity:
    """Return the identity for an update, which contains only IDs, because an update may create a new vid."""
    ids = (each for each in named(identifier).wanted if not has_form_of_vid(each))
    return Identity(_ID, named(*ids, own).wanted, is_required=False)


KIND: Final = Identity(("object",))
"""The check of a response that contains no ID: the response must contain the expected value of `object`."""
REFERENCE: Final = Identity(("transactionReferenceId",))
"""The check of the response to a charge (E8): the response must contain a reference, which the platform creates."""
