"""Finding the handler of a request: method and path template."""

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
    """One operation. `keyless` marks the operation that also works without a credential (E5)."""

    group: Group
    method: str
    template: str
    handler: Handler
    keyless: bool = False

    @property
    def parts(self) -> tuple[str, ...]:
        """Return the segments of the template."""
        return tuple(part for part in self.template.split("/") if part)

    @property
    def is_list(self) -> bool:
        """Whether it gives pages of a list; the credits of an account are one resource."""
        return self.method == "GET" and not self.template.endswith(("}", "/credits"))


def all_or_nothing(handler: Handler) -> Handler:
    """Let a handler that may be refused, or fail, half way through change nothing then.

    Handlers that refuse before their first change do without: the copy costs time in a large store.
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
    """The routing table."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes: dict[tuple[Group, str, int], list[Route]] = {}
        for route in routes:
            self._routes.setdefault((route.group, route.method, len(route.parts)), []).append(route)

    def find(self, request: SandboxRequest) -> tuple[Route, dict[str, str]] | None:
        """Return the route of a request and the values of its path parameters."""
        segments = request.segments
        for route in self._routes.get((request.group, request.method, len(segments)), ()):
            params = match_parts(route.parts, segments)
            if params is not None:
                return route, params
        return None


def match_parts(parts: tuple[str, ...], segments: tuple[str, ...]) -> dict[str, str] | None:
    """Return the values of a template's placeholders in the segments of a path, or `None` if it is of another."""
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
