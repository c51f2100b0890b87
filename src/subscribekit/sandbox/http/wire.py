"""Requests and responses, free of any HTTP library."""

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
    """A request as it arrives: the raw path, the decoded query, lower-case header names, the body's bytes."""

    group: Group
    method: str
    path: str
    query: tuple[tuple[str, str], ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""

    @property
    def segments(self) -> tuple[str, ...]:
        """Return the decoded path segments.

        Group A accepts doubled and trailing slashes, as published samples carry them; the others are literal.
        """
        parts = self.path.removeprefix("/").split("/")
        if self.group == "billing":
            parts = [part for part in parts if part]
        return tuple(unquote(part) for part in parts)


def arrived(group: Group, method: str, target: str, headers: Iterable[tuple[str, str]], body: bytes) -> SandboxRequest:
    """Make a request out of the target and the headers that came over HTTP."""
    path, _, query = target.partition("?")
    lowered = {name.lower(): value for name, value in headers}
    return SandboxRequest(group, method, path, tuple(parse_qsl(query, keep_blank_values=True)), lowered, body)


@dataclass(frozen=True)
class SandboxResponse:
    """A response as it leaves: status, headers and the body's bytes."""

    status: int
    headers: dict[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""


@dataclass(frozen=True)
class RecordedRequest:
    """A request that reached the sandbox, for assertions; credentials are redacted.

    `status` is what the service returned, whether or not the response arrived; `None` when the service never saw the
    request, because a fault lost it or responded in the service's place. `client_saw` is the client's view: the
    status, or how the connection broke instead (`"dropped"` before a response, `"timed out"`, `"cut"` within one).
    `fault` is the name of the fault that happened, if one did. A connection that was refused leaves no request.
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
    """Identity of the request that it records, by which a fault finds it."""

    def is_of(self, request: SandboxRequest) -> bool:
        """Whether it records a request that is still being handled."""
        return self._made_of == id(request)


def record(request: SandboxRequest, status: int | None) -> RecordedRequest:
    """Make the record of a request, without its credentials."""
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
