"""What an operation is besides its request: its SDK name, its source, and its rule for `resolve`.

A function of `_operations` describes one call without I/O. `describes` states these facts about it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from ..config.environments import Group
from ..lists.listing import Listing
from ..operations.operation import Operation
from ..resolving.rules import Rule

Describe: TypeAlias = Callable[..., Operation[Any] | Listing[Any]]
F = TypeVar("F", bound=Describe)


@dataclass(slots=True, eq=False, repr=False)
class Source:
    """Where an operation comes from.

    Attributes:
        name: The name on the coverage page and in the OpenAPI document.
        mark: The words in brackets at the end of the docstring's first line; empty if a sentence says it.
        sentence: The sentence that begins the docstring's second paragraph; empty if a mark says it.
    """

    name: str
    mark: str = ""
    sentence: str = ""


def specification(number: str) -> Source:
    """Return the source of an operation that the specification numbers, such as `E1`."""
    return Source(number, mark=number)


LIMITS_RULE_6 = Source("Limits, rule 6", mark="specification, Limits, rule 6")
PUBLISHED = Source(
    "published", sentence="This operation is in the operator's public reference, but not in the specification."
)
NAMED = Source(
    "published",
    sentence="This operation is in the operator's public reference. The specification mentions only its path.",
)
THIRD_PARTY = Source(
    "third party",
    sentence="Only a client of another company shows this operation; the specification and the public reference don't.",
)
BY_CONVENTION = Source("by convention", mark="by convention, not published")
OWN = Source("your own")
"""The caller names the path, so no source shows the call."""


@dataclass(slots=True, eq=False, repr=False)
class Described:
    """One operation.

    Attributes:
        group: The interface group; `None` for an operation of every group.
        name: The SDK name: `payments.reverse`.
        describe: The function that describes the call.
        source: Where the operation comes from.
        rule: How `resolve` finds out what became of the call; `None` if no read shows it, and for reads.
    """

    group: Group | None
    name: str
    describe: Describe
    source: Source
    rule: Rule | None


NAMES: dict[Callable[..., object], str] = {}
"""The SDK name of the operation that each function describes; each call looks here."""
_by_name: dict[tuple[Group | None, str], Described] = {}


def describes(group: Group | None, name: str, *, source: Source, rule: Rule | None = None) -> Callable[[F], F]:
    """State what an operation is, beside the function that describes its call.

    Args:
        group: The interface group; `None` for an operation of every group.
        name: The SDK name: family and method.
        source: Where the operation comes from.
        rule: For a write, how `resolve` finds out what became of it.

    Returns:
        A decorator that returns the function unchanged.
    """

    def state(describe: F) -> F:
        NAMES[describe] = name
        _by_name[group, name] = Described(group, name, describe, source, rule)
        return describe

    return state


def find(group: Group, name: str) -> Described | None:
    """Return an operation by its SDK name, if the module that describes it was imported."""
    return _by_name.get((group, name)) or _by_name.get((None, name))


def operations() -> tuple[Described, ...]:
    """Return the operations whose modules were imported."""
    return tuple(_by_name.values())
