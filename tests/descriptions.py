"""Finds every operation of the SDK: the function that describes it, and the sync class that has it as a method."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from subscribekit._core.client.described import Described, find
from subscribekit._core.client.resources import Bound
from subscribekit._core.config.environments import GROUP_NAMES, Group

OPERATIONS, GENERATED = "subscribekit._operations", "subscribekit._generated"
FORMS = {"sync": "", "aio": "Async", "raw_sync": "Raw", "raw_aio": "AsyncRaw", "prepared": "Prepared"}
"""The folder of each form, and the prefix of its classes."""
GROUPS: tuple[Group, ...] = tuple(GROUP_NAMES)


def family_names(group: Group) -> list[str]:
    """Return the names of the modules that describe the operations of a group."""
    package = import_module(f"{OPERATIONS}.{group}")
    return [each.name for each in iter_modules(package.__path__) if not each.name.startswith("_")]


def family_class(group: Group, family: str, form: str = "sync") -> type[Bound[Any]]:
    """Return the generated class of a resource."""
    module = import_module(f"{GENERATED}.{form}.{group}.{family}")
    found: type[Bound[Any]] = getattr(module, FORMS[form] + family.title().replace("_", ""))
    return found


def methods(kind: type) -> dict[str, Callable[..., Any]]:
    """Return the operations of a class, in its order."""
    return {name: each for name, each in vars(kind).items() if inspect.isfunction(each) and not name.startswith("_")}


def families() -> Iterator[tuple[Group, str, type[Bound[Any]]]]:
    """Yield every resource of every client with its sync class, except the collections at a caller's own paths."""
    for group in GROUPS:
        names = [each for each in family_names(group) if not each.endswith("_collection")]
        for name in sorted(names, key=lambda each: each == "generic_resource"):
            yield group, name, family_class(group, name)


def described(group: Group, name: str) -> Described:
    """Return the description of an operation."""
    family = name.partition(".")[0]
    import_module(f"{OPERATIONS}.{group}.{family}" if "." in name else f"{OPERATIONS}.{family}")
    found = find(group, name)
    if found is None:
        raise TypeError(f"{group} has no operation {name}")
    return found
