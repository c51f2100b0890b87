"""The facts about an operation that aren't in its request: the SDK name, the source, and the rule for `resolve`.

A function of `_operations` describes one call. The decorator `describes` adds these facts.
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
    """The source that documents an operation.

    Attributes:
        name: The name on the coverage page and in the OpenAPI document.
        mark: The words in parentheses at the end of the docstring's first line; empty if there is a sentence.
        sentence: The first sentence of the docstring's second paragraph; empty if there is a mark.
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
"""No source documents the call, because the caller chooses its path."""


@dataclass(slots=True, eq=False, repr=False)
class Described:
    """One operation.

    Attributes:
        group: The service; `None` for an operation of every service.
        name: The SDK name, such as `payments.reverse`.
        describe: The function that describes the call.
        source: The source that documents the operation.
        rule: The rule for `resolve`; `None` for reads, and for writes that no read shows.
    """

    group: Group | None
    name: str
    describe: Describe
    source: Source
    rule: Rule | None


NAMES: dict[Callable[..., object], str] = {}
"""The SDK name of the operation that a function describes. Each call uses this table."""
_by_name: dict[tuple[Group | None, str], Described] = {}


def describes(group: Group | None, name: str, *, source: Source, rule: Rule | None = None) -> Callable[[F], F]:
    """Register an operation, with the function that describes its call.

    Args:
        group: The service; `None` for an operation of every service.
        name: The SDK name: resource and method.
        source: The source that documents the operation.
        rule: The rule by which `resolve` finds out whether a write was carried out.

    Returns:
        A decorator that returns the function unchanged.
    """

    def state(describe: F) -> F:
        NAMES[describe] = name
        _by_name[group, name] = Described(group, name, describe, source, rule)
        return describe

    return state


def find(group: Group, name: str) -> Described | None:
    """Return an operation by its SDK name; `None` if the module that describes it isn't imported."""
    return _by_name.get((group, name)) or _by_name.get((None, name))


def operations() -> tuple[Described, ...]:
    """Return the operations whose modules are imported."""
    return tuple(_by_name.values())
