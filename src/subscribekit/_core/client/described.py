"""Registers the SDK's operations, each with its SDK name, its source, and its rule for `resolve`.

A function in `_operations` describes the call of an operation. The function's decorator, `describes`, registers the
operation.
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
        name: Name of the source on the coverage page and in the OpenAPI document.
        mark: The words in parentheses at the end of the first line of the operation's docstring, or an empty string.
        sentence: The first sentence of the second paragraph of the operation's docstring, or an empty string.
    """

    name: str
    mark: str = ""
    sentence: str = ""


def specification(number: str) -> Source:
    """Return the source of an operation that has a number in the specification, such as `E1`."""
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
"""Source of a generic call, which is undocumented because the caller chooses the path."""


@dataclass(slots=True, eq=False, repr=False)
class Described:
    """An operation of the SDK, with its source and its rule.

    Attributes:
        group: The service, or `None` for an operation of every service.
        name: The SDK name, such as `payments.reverse`.
        describe: The function that describes the call.
        source: The source that documents the operation.
        rule: The rule for `resolve`, or `None` for reads and for writes whose effect can't be read.
    """

    group: Group | None
    name: str
    describe: Describe
    source: Source
    rule: Rule | None


NAMES: dict[Callable[..., object], str] = {}
"""A mapping from each function that describes an operation to the SDK name of the operation. Each call reads this
mapping."""
_by_name: dict[tuple[Group | None, str], Described] = {}


def describes(group: Group | None, name: str, *, source: Source, rule: Rule | None = None) -> Callable[[F], F]:
    """Register an operation, with the function that describes a call of the operation.

    Args:
        group: The service, or `None` for an operation of every service.
        name: The SDK name, which consists of the resource and the method.
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
    """Return an operation by its SDK name, or `None` if the operation's module isn't imported."""
    return _by_name.get((group, name)) or _by_name.get((None, name))


def operations() -> tuple[Described, ...]:
    """Return the operations whose modules are imported."""
    return tuple(_by_name.values())
