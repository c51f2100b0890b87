"""How a call is resolved, found by its SDK name in the client's own resources: only data crosses processes."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from ...models._base import Model, OpenModel
from ..lists.listing import Listing
from ..operations.operation import Operation
from ..resolving.rules import Rule
from .binding import Resource, operation

if TYPE_CHECKING:
    from ..resolving.case import Describe

T = TypeVar("T")


def resolved(rule: Rule) -> Callable[[T], T]:
    """Define beside an operation how an unknown outcome of it is resolved."""

    def put(method: T) -> T:
        found: object = method
        if not isinstance(found, operation):
            raise TypeError("only an operation is resolved")
        found.rule = rule
        return method

    return put


def rule_of(client: object, name: str, record: Mapping[str, str]) -> "tuple[Rule | None, Describe]":
    """Find the rule of a call and the reads that it names."""
    family, _, method = name.partition(".")
    found: object = vars(type(_resource(client, family, record))).get(method)

    def describe(
        read: str, values: tuple[str, ...], filters: Mapping[str, object]
    ) -> Operation[Model] | Listing[Model]:
        where, _, reading = read.partition(".")
        of = _resource(client, where, record)
        made: Operation[Model] | Listing[Model] = getattr(type(of), reading)(of, *values, **filters)
        return made

    return found.rule if isinstance(found, operation) else None, describe


def _resource(client: object, family: str, record: Mapping[str, str]) -> object:
    """Give the resource of a family, or `None`."""
    found: object = getattr(client, family, None)
    if family == "generic_resource":
        from ... import models

        model: object = getattr(models, record.get("model", ""), None)
        kind = model if isinstance(model, type) and issubclass(model, Model) else OpenModel
        found = getattr(client, "resource")(record.get("family", ""), kind)  # noqa: B009  of the billing clients only
    return found if _is_resource(found) else None


def _is_resource(found: object) -> bool:
    return isinstance(found, Resource)
