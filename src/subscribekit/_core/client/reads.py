"""Finds the rule of a call and describes the reads that it names; only data crosses processes, so by SDK names."""

from collections.abc import Callable, Mapping
from typing import Any, TypeGuard

from ... import models
from ...models._base import Model, OpenModel
from ..config.environments import Group
from ..lists.listing import Listing
from ..operations.operation import Operation
from ..resolving.case import Describe
from ..resolving.rules import Rule
from .described import find
from .resources import Bound, provided_by


def reads_of(client: object, group: Group, name: str, record: Mapping[str, str]) -> tuple[Rule | None, Describe]:
    """Return the rule of a call, and a function that describes the reads that the rule names.

    Args:
        client: The client, whose resources state their operations when they are imported.
        group: Its group.
        name: The SDK name of the call.
        record: The parts of the call that its error keeps.
    """
    resource = _resource(client, name, record)
    found = None if resource is None else find(group, name)

    def describe(read: str, values: tuple[str, ...], filters: Mapping[str, object]) -> Operation[Any] | Listing[Any]:
        resource = _resource(client, read, record)
        reading = find(group, read)
        if resource is None or reading is None:
            raise TypeError(f"{read} is no call")
        return reading.describe(*provided_by(resource), *values, **filters)

    return None if found is None else found.rule, describe


def _resource(client: object, name: str, record: Mapping[str, str]) -> Bound[Any] | None:
    """Return the resource of a call, made as the call made it."""
    family = name.partition(".")[0]
    if family == "generic_resource":
        model: object = getattr(models, record.get("model", ""), None)
        kind = model if isinstance(model, type) and issubclass(model, Model) else OpenModel
        make: Callable[..., object] = getattr(client, "resource")  # noqa: B009  of the billing clients only
        return _bound(make(record.get("family", ""), kind))
    return _bound(getattr(client, family, None))


def _bound(found: object) -> Bound[Any] | None:
    return found if _is_bound(found) else None


def _is_bound(found: object) -> TypeGuard[Bound[Any]]:
    return isinstance(found, Bound)
