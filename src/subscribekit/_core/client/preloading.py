"""Loads all that the calls of a client need, before the first of them."""

import ssl
from collections.abc import Callable, Iterator
from importlib import import_module
from operator import attrgetter
from pkgutil import iter_modules, walk_packages
from typing import get_args, get_type_hints

from ...models._base import Model
from ...models._late import load
from ..calls import backoff
from ..config.environments import Group
from .described import Described, operations

_OUTSIDE = ("asyncio", "certifi", "concurrent.futures.thread", "encodings.idna", "httpx", "inspect", "tenacity", "zlib")
"""The modules that calls import when they first need them."""


def preload(client: object, group: Group) -> None:
    """Import every module and build every model that a call of a client of any group may need."""
    package = __name__.partition("._core")[0]
    forms = [f"_generated.{each.name}" for each in iter_modules(import_module(f"{package}._generated").__path__)]
    for folder in ("_core", f"_operations.{group}", *(f"{form}.{group}" for form in forms)):
        found = import_module(f"{package}.{folder}")
        for each in walk_packages(found.__path__, f"{found.__name__}."):
            import_module(each.name)
    for name in _OUTSIDE:
        import_module(name)
    backoff.load()
    ssl.create_default_context()
    prepare: Callable[..., object] = attrgetter("prepare.request")(client)
    prepare("GET", "/preload")  # describes a request, which fills caches, and sends nothing
    for model in {each for described in operations() if described.group == group for each in _models(described)}:
        load(model)


def _models(described: Described) -> Iterator[type[Model]]:
    """Return what an operation takes and returns."""
    for hint in get_type_hints(described.describe).values():
        yield from _in(hint)


def _in(hint: object) -> Iterator[type[Model]]:
    if isinstance(hint, type) and issubclass(hint, Model):
        yield hint
    for each in get_args(hint):
        yield from _in(each)
