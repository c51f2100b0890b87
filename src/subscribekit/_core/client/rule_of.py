"""How a call is resolved, found by its SDK name in the client's own resources: only data crosses processes."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ... import models
from ...models._base import Model, OpenModel
from ..lists.listing import Listing
from ..operations.operation import Operation
from ..resolving.case import Describe
from ..resolving.rules import Rule
from .binding import Resource, operation

T = TypeVar("T")


def resolved(rule: Rule) -> Callable[[T], T]:
    """Define beside an operation how an unknown outcome of it is resolved."""

    def put(method: T) -> T:
        if not isinstance(method, operation):
            raise TypeError("only an operation is resolved")
        method.rule = rule
        return method

    return put


def rule_of(client: object, name: str, record: Mapping[str, str]) -> tuple[Rule | None, Describe]:
    """Find the rule of a call and the reads that it names."""
    family, _, method = name.partition(".")
    resource = _resource(client, family, record)
    found = None if resource is None else getattr(type(resource), "__dict__", {}).get(method)
    rule = found.rule if isinstance(found, operation) else None

    def describe(
        read: str, values: tuple[str, ...], filters: Mapping[str, object]
    ) -> Operation[Model] | Listing[Model]:
        where, _, reading = read.partition(".")
        of = _resource(client, where, record)
        made: Operation[Model] | Listing[Model] = getattr(type(of), reading)(of, *values, **filters)
        return made

    return rule, describe


def _resource(client: object, family: str, record: Mapping[str, str]) -> Resource[Any] | None:
    if family == "generic_resource":
        model = getattr(models, record.get("model", ""), None)
        kind = model if isinstance(model, type) and issubclass(model, Model) else OpenModel
        found = getattr(client, "resource")(record.get("family", ""), kind)  # noqa: B009  of the billing clients only
    else:
        found = getattr(client, family, None)
    return found if isinstance(found, Resource) else None
