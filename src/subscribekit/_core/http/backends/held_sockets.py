"""Finds out whether a transport has sockets, which can be used in only one process and one event loop.

The check runs only if a call uses the transport outside the process that created the transport, or outside the event
loop of the first call. An application's transport may be a mock, or may contain another transport or a session of any
library. Therefore, the check also examines the objects that the transport refers to, up to four references away.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from inspect import isfunction, ismethod
from typing import cast

from ...config.environments import is_of_sandbox
from ..failure import names_of
from .foreign_failure import FAMILIES

_WITHOUT = {"MockTransport", "ASGITransport", "WSGITransport", "PooledTransport", "AsyncPooledTransport"}
"""The names of transports without sockets, and of the SDK's transports, which handle forks and event loops
themselves."""
_POOLED = {"HTTPTransport", "AsyncHTTPTransport"}
_WITH = frozenset((
    "socket", "_socket", "ssl", "_ssl", "httpcore", "httpcore2", "aiohttp", "httpx_aiohttp", "anyio", "trio",
    "curl_cffi", "http", "niquests", "pycurl", "requests", "urllib3", "urllib3_future", "uvloop",
))  # fmt: skip
"""Packages whose objects are connections or contain connections."""
_DEPTH = 5
_MOST = 2000
"""The number of objects that the check examines before it assumes that the transport has sockets."""


def holds_sockets(transport: object) -> bool:
    """Return whether a transport, or an object that it refers to, is a connection."""
    seen: set[int] = set()
    layer: list[object] = [transport]
    for _ in range(_DEPTH):
        below: list[object] = []
        for each in layer:
            if id(each) in seen or _is_harmless(each):
                continue
            if _is_connection(each) or len(seen) > _MOST:
                return True
            seen.add(id(each))
            below += _references_of(each)
        layer = below
    return False


def _is_harmless(value: object) -> bool:
    if value is None or isinstance(value, type | str | bytes | int | float):
        return True
    home = type(value).__module__.partition(".")[0]
    names = names_of(value)
    if names & _WITHOUT and (home in FAMILIES or home == "subscribekit" or not names & _POOLED):
        return True
    return is_of_sandbox(value)


def _is_connection(value: object) -> bool:
    homes = {kind.__module__.partition(".")[0] for kind in type(value).__mro__}
    return bool(homes & _WITH) or bool(homes & set(FAMILIES) and names_of(value) & _POOLED)


def _references_of(value: object) -> Iterator[object]:
    """Yield the attributes of an object, the items of a container, or the variables that a function captures."""
    if isinstance(value, list | tuple | set | frozenset):
        yield from cast("Sequence[object]", value)
    elif isinstance(value, dict):
        yield from cast("dict[object, object]", value).values()
    elif ismethod(value):
        yield value.__self__
    elif isfunction(value):
        for cell in value.__closure__ or ():
            with suppress(ValueError):  # reading an empty cell raises ValueError
                yield cell.cell_contents
    else:
        yield from getattr(value, "__dict__", {}).values()
        for kind in type(value).__mro__:
            slots: object = vars(kind).get("__slots__", ())
            names = cast("Sequence[str]", slots if isinstance(slots, tuple | list) else ())
            yield from (getattr(value, name, None) for name in names)
            if kind.__module__.partition(".")[0] not in (*FAMILIES, "builtins"):
                yield from (each for each in vars(kind).values() if isfunction(each))
