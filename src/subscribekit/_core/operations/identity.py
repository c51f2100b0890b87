"""Identity: shows that a response is about the resource that the call named. No I/O."""

import re
from dataclasses import dataclass
from typing import Final

from ..._json import JSON

_VID = re.compile(r"[0-9a-f]{40}|vid\W?\w*")
"""The form of every vid that was published, and of those in tests."""
_ID: Final = ("id",)
_ID_OR_VID: Final = ("id", "vid")


def has_form_of_vid(identifier: str) -> bool:
    """Whether an identifier can be distinguished from an id by its form alone."""
    return _VID.fullmatch(identifier) is not None


@dataclass(frozen=True, slots=True)
class Identity:
    """The identity that the response to a write must have to be a success.

    Attributes:
        fields: Names on the wire, of which one must be there.
        wanted: The identifiers that the call named; empty when any will do, since the service makes it.
    """

    fields: tuple[str, ...]
    wanted: tuple[str, ...] = ()

    @property
    def is_reference(self) -> bool:
        """Whether only a success has it: the platform makes a reference, while an error may repeat an id."""
        return self.fields == REFERENCE.fields

    def problem_in(self, value: JSON) -> str | None:
        """Say what is wrong with the identity in a response; `None` when it is the one of this call."""
        found = value if isinstance(value, dict) else {}
        shown = {name: each for name in self.fields if isinstance(each := found.get(name), str) and each}
        if not shown:
            return f"has no {self.fields[0]}"
        if not self.wanted or any(each in self.wanted for each in shown.values()):
            return None
        is_by_vid = "vid" in self.fields and all(map(has_form_of_vid, self.wanted))
        if is_by_vid and "vid" not in shown:
            return None  # an id alone cannot be compared with the vid that the call named
        return "is about another resource" if is_by_vid or "id" in shown else "has no id"


def named(*identifiers: object) -> Identity:
    """Give the identity of the resource that the path names by its id or vid; the body may name it, too."""
    return Identity(_ID_OR_VID, tuple(dict.fromkeys(each for each in identifiers if isinstance(each, str) and each)))


def created(identifier: object) -> Identity:
    """Give the identity of a new resource: the id that was sent, or any id or vid when none was."""
    return Identity(_ID, (identifier,)) if isinstance(identifier, str) and identifier else Identity(_ID_OR_VID)


REFERENCE: Final = Identity(("transactionReferenceId",))
"""The receipt of a charge (E8): the platform's own reference, which nothing that was sent can name."""
