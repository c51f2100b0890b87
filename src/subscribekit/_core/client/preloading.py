"""Loads all that the calls of a client need, before the first of them."""

import ssl
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pkgutil import walk_packages
from typing import get_args, get_type_hints

from ...models._base import Model
from ...models._late import load
from ..calls import backoff
from .binding import listing, operation

_OUTSIDE = ("asyncio", "certifi", "concurrent.futures.thread", "encodings.idna", "httpx", "inspect", "tenacity", "zlib")
"""The modules that calls import when they first need them."""


def preload(client: object) -> None:
    """Import every module and build every model that a call of a client of any group may need."""
    package = __name__.partition("._core")[0]
    for folder in (f"{package}._core", type(client).__module__.removesuffix(".client")):
        for found in walk_packages(getattr(import_module(folder), "__path__", []), f"{folder}."):
            import_module(found.name)
    for name in _OUTSIDE:
        import_module(name)
    backoff.load()
    ssl.create_default_context()
    prepare = getattr(client, "prepare")  # noqa: B009  as below
    prepare.request("GET", "/preload")  # fills caches, and sends nothing
    for resources in (client, getattr(client, "with_raw_response"), prepare):  # noqa: B009  of both styles
        for model in set(_models(resources)):
            load(model)


def _models(resources: object) -> Iterator[type[Model]]:
    """Give what the operations of all families take and give."""
    families = [
        getattr(resources, name)
        for kind in type(resources).__mro__
        for name, member in vars(kind).items()
        if isinstance(member, cached_property)
    ]
    for owner in (resources, *families):
        for kind in type(owner).__mro__:
            for member in vars(kind).values():
                if isinstance(member, operation | listing):
                    for hint in get_type_hints(member.__wrapped__).values():
                        yield from _in(hint)


def _in(hint: object) -> Iterator[type[Model]]:
    if isinstance(hint, type) and issubclass(hint, Model):
        yield hint
    for each in get_args(hint):
        yield from _in(each)
