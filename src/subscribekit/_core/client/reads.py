"""Finds the rule of a call by its SDK name, and describes the reads that the rule needs.

An error can come from another process, so its record contains names instead of functions.
"""

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
    """Return the rule of a call, and a function that describes the reads that the rule needs.

    Args:
        client: The client. Accessing an attribute of the client imports the module that describes the operations.
        group: The client's service.
        name: The SDK name of the call.
        record: The attribute `record` of the call's error.
    """
    resource = _resource(client, name, record)
    found = None if resource is None else find(group, name)

    def describe(read: str, values: tuple[str, ...], filters: Mapping[str, object]) -> Operation[Any] | Listing[Any]:
        resource = _resource(client, read, record)
        reading = find(group, read)
        if resource is None or reading is None:
            raise TypeError(f"{read} isn't an operation")
        return reading.describe(*provided_by(resource), *values, **filters)

    return None if found is None else found.rule, describe


def _resource(client: object, name: str, record: Mapping[str, str]) -> Bound[Any] | None:
    """Return the resource that has the method of a call, or `None` if the client has no such resource."""
    family = name.partition(".")[0]
    if family == "generic_resource":
        model: object = getattr(models, record.get("model", ""), None)
        kind = model if isinstance(model, type) and issubclass(model, Model) else OpenModel
        make: Callable[..., object] = getattr(client, "resource")  # noqa: B009  only billing clients have `resource`
        return _bound(make(record.get("family", ""), kind))
    return _bound(getattr(client, family, None))


def _bound(found: object) -> Bound[Any] | None:
    return found if _is_bound(found) else None


def _is_bound(found: object) -> TypeGuard[Bound[Any]]:
    return isinstance(found, Bound)
