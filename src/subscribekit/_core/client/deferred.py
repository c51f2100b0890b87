"""Imports the modules that the SDK would otherwise import during calls. `client.preload()` imports this module."""

import asyncio
import concurrent.futures.thread
import encodings.idna
import inspect
import ssl
import zlib
from functools import cached_property

import certifi
import httpx
import tenacity

from ... import models
from ...models._base import Model
from ..calls import backoff, driving
from ..calls.telemetry import observers
from ..config.clock import uptime
from ..http.backends import given_backend, intercepted, pooled, pooled_async
from ..http.connections import pool_async
from ..http.wire import dial, proxy, sockets_async, tunnel
from ..lists import iterators, iterators_async, page_iterator, pager
from ..operations import minor_units, transaction_id
from ..resolving import resolve, resolve_async
from . import reads

IMPORTED_LATE = (
    asyncio, concurrent.futures.thread, encodings.idna, inspect, zlib, certifi, httpx, tenacity, driving, observers,
    given_backend, intercepted, pooled, pooled_async, pool_async, dial, proxy, sockets_async, tunnel, iterators,
    iterators_async, page_iterator, pager, minor_units, transaction_id, resolve, resolve_async, reads,
)  # fmt: skip
"""Modules that the SDK imports only when a call needs them."""


def preload(client: object) -> None:
    """Do the one-time work of a first call, such as building all models, without sending a request."""
    backoff.load()
    uptime()
    ssl.create_default_context()
    prepare = getattr(client, "prepare")  # noqa: B009  the type `object` has no attribute `prepare`
    prepare.request("GET", "/preload")  # this line fills caches and sends nothing
    for resources in (client, getattr(client, "with_raw_response"), prepare):  # noqa: B009  as for `prepare`
        for kind in type(resources).__mro__:
            for name, member in vars(kind).items():
                if isinstance(member, cached_property):
                    getattr(resources, name)
    for name in models.__all__:
        model: object = getattr(models, name)
        if isinstance(model, type) and issubclass(model, Model):
            model.model_rebuild()
