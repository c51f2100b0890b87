"""Requests and responses of the sandbox, which don't depend on an HTTP library."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args
from urllib.parse import parse_qsl, unquote

Group = Literal["billing", "gateway", "user_mgmt", "storefront"]
GROUPS: tuple[Group, ...] = get_args(Group)
Seen: TypeAlias = int | Literal["dropped", "timed out", "cut"]

_CREDENTIAL_HEADERS = frozenset({"authorization", "x-api-key", "cookie", "proxy-authorization"})


@dataclass(frozen=True)
class SandboxRequest:
    """A request to the sandbox.

    Attributes:
        group: The API: `billing`, `gateway`, `user_mgmt`, or `storefront`.
        method: The HTTP method.
        path: The raw path, without the query.
        query: The decoded query parameters.
        headers: The headers, with lowercase names.
        body: The bytes of the body.
    """

    group: Group
    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""

    @property
    def segments(self) -> tuple[str, ...]:
        """The decoded segments of the path.

        In the billing API, the sandbox ignores double slashes and trailing slashes, which the published samples
        contain. In all other APIs, double slashes and trailing slashes change the path.
        """
        parts = self.path.removeprefix("/").split("/")
        if self.group == "billing":
            parts = [part for part in parts if part]
        return tuple(unquote(part) for part in parts)


def arrived(group: Group, method: str, target: str, headers: Iterable[tuple[str, str]], body: bytes) -> SandboxRequest:
    """Create a `SandboxRequest` from the target and the headers of an HTTP request."""
    path, _, query = target.partition("?")
    lowered = {name.lower(): value for name, value in headers}
    return SandboxRequest(group, method, path, tuple(parse_qsl(query, keep_blank_values=True)), lowered, body)


@dataclass(frozen=True)
class SandboxResponse:
    """A response of the sandbox: the status, the headers, and the bytes of the body."""

    status: int
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""


@dataclass(frozen=True)
class RecordedRequest:
    """A request that reached the sandbox, for assertions in tests.

    The sandbox redacts credentials, and doesn't record a request whose connection was refused by a fault.

    Attributes:
        group: The API: `billing`, `gateway`, `user_mgmt`, or `storefront`.
        method: The HTTP method.
        path: The raw path, without the query.
        query: The decoded query parameters.
        headers: The headers, with lowercase names.
        body: The bytes of the body.
        status: The status that the service returned, even if the client didn't receive the response. The
            status is `None` if the service didn't receive the request because of a fault.
        client_saw: The status that the client received, or how the connection broke. If the
            connection broke, the value is `"dropped"` (before the response), `"cut"` (within the response), or
            `"timed out"` (without a response in time).
        fault: The name of the fault that happened to the request, or `None`.
    """

    group: Group
    method: str
    path: str
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    body: bytes
    status: int | None
    client_saw: Seen | None = None
    fault: str | None = None
    _made_of: int = field(default=0, repr=False, compare=False)
    """The `id()` of the recorded `SandboxRequest`, by which a fault finds the record of its request."""

    def is_of(self, request: SandboxRequest) -> bool:
        """Return whether this is the record of `request`, which the sandbox must still be handling."""
        return self._made_of == id(request)


def record(request: SandboxRequest, status: int | None) -> RecordedRequest:
    """Create the record of a request, with redacted credentials."""
    headers = {name: _redacted(name, value) for name, value in request.headers.items()}
    return RecordedRequest(
        request.group,
        request.method,
        request.path,
        request.query,
        headers,
        request.body,
        status,
        client_saw=status,
        _made_of=id(request),
    )


def _redacted(name: str, value: str) -> str:
    if name not in _CREDENTIAL_HEADERS:
        return value
    scheme, space, _ = value.partition(" ")
    return f"{scheme} ***" if name.endswith("authorization") and space else "***"
