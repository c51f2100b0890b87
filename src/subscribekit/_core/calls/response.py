"""What `with_raw_response` and `plan` return."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from .prepared import Prepared

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Response(Generic[T]):
    """A result with what is known about the call.

    Attributes:
        data: The result, as the method returns it without `with_raw_response`.
        status_code: HTTP status.
        headers: Headers of the response; names ignore case, cookies are left out.
        request_id: The service's `Request-Id`, if it sent one.
        trace_id: The `X-B3-TraceId` that was sent, if any.
        attempts: Requests that the call took.
        elapsed: Seconds from the start of the call to the end of the response.
    """

    data: T
    status_code: int
    headers: Mapping[str, str]
    request_id: str | None
    trace_id: str | None
    attempts: int
    elapsed: float


@dataclass(frozen=True, slots=True)
class PlannedRequest(Generic[T_co]):
    """The exact request that a call would send; nothing was sent.

    `client.send(plan)` sends it, byte for byte, and gives what the call would have given. A plan can be pickled and
    sent by another process, through a client of the same group and origin. It holds no credential, but its body and
    address may be personal.

    Attributes:
        operation: The SDK's name of the call.
        method: HTTP method.
        url: The whole URL, query included.
        headers: The headers in order; the credential's value is masked, the span id is drawn anew when it is sent.
        body: The exact body, or `None`.
        path_template: Path of the operation, identifiers left out.
    """

    operation: str
    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    body: bytes | None = field(repr=False)
    path_template: str
    _prepared: "Prepared[T_co] | None" = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        size = "no body" if self.body is None else f"{len(self.body)} bytes"
        names = ", ".join(self.headers)
        return f"{self.operation}: {self.method} {self.path_template} ({size}; headers {names})"
