"""Finds the handler of a request by its method and path."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps

from .call import Call
from .responses import Reply
from .wire import Group, SandboxRequest

Handler = Callable[[Call], Reply]


@dataclass(frozen=True)
class Route:
    """An operation with its handler.

    `keyless` is true for `campaigns.activate` (E5), the only operation that doesn't need a credential.
    """

    group: Group
    method: str
    template: str
    handler: Handler
    keyless: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """The segments of the path template."""
        return tuple(part for part in self.template.split("/") if part)

    @property
    def is_list(self) -> bool:
        """`True` if the operation returns pages of a list.

        The credits of an account are one resource, and not a list.
        """
        return self.method == "GET" and not self.template.endswith(("}", "/credits"))


def all_or_nothing(handler: Handler) -> Handler:
    """Return a handler that undoes its changes if it raises an exception.

    A handler that raises exceptions only before its first change doesn't need this decorator. The decorator copies the
    store, which takes time if the store is large.
    """

    @wraps(handler)
    def handle(call: Call) -> Reply:
        before = call.store.copy()
        try:
            return handler(call)
        except BaseException:
            call.store.become(before)
            raise

    return handle


class Router:
    """The routing table, which finds the route of a request."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes: dict[tuple[Group, str, int], list[Route]] = {}
        for route in routes:
            self._routes.setdefault((route.group, route.method, len(route.parts)), []).append(route)

    def find(self, request: SandboxRequest) -> tuple[Route, dict[str, str]] | None:
        """Return the route of a request and the values of its path parameters, or `None` if no route matches."""
        segments = request.segments
        for route in self._routes.get((request.group, request.method, len(segments)), ()):
            params = match_parts(route.parts, segments)
            if params is not None:
                return route, params
        return None


def match_parts(parts: tuple[str, ...], segments: tuple[str, ...]) -> dict[str, str] | None:
    """Match a path against a template. Return the values of the placeholders, or `None` if the path doesn't match."""
    if len(parts) != len(segments):
        return None
    params: dict[str, str] = {}
    for part, segment in zip(parts, segments, strict=True):
        if part.startswith("{"):
            if not segment:
                return None
            params[part.strip("{}")] = segment
        elif part != segment:
            return None
    return params
