"""The results of `with_raw_response` and `prepare`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from ..._public import publish
from ...models._base import Model
from ...models._printing import shown
from ..operations.readers import Page
from .prepared.prepared_call import PreparedCall

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

_MOST_NAMES = 40
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, repr=False)
class Response(Generic[T]):
    """A result with what is known about the call.

    Its `repr` masks the values of plain JSON, which may be personal; `data` has them.

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

    def __repr__(self) -> str:
        return (
            f"Response(data={masked(self.data)}, status_code={self.status_code!r}, headers={self.headers!r}, "
            f"request_id={self.request_id!r}, trace_id={self.trace_id!r}, attempts={self.attempts!r}, "
            f"elapsed={self.elapsed!r})"
        )

    def _repr_html_(self) -> str:
        from ...models._html import anything, table  # only notebooks ask

        names = ("status_code", "request_id", "trace_id", "attempts", "elapsed")
        return table("Response", [(name, getattr(self, name)) for name in names]) + anything(self.data)


def masked(data: object) -> str:
    """Show a result: models and pages as they mask themselves, of plain JSON only the names at the top."""
    if data is None or isinstance(data, Model | Page):
        return shown(cast("object", data))
    if isinstance(data, Mapping):
        names = list(cast("Mapping[object, object]", data))
        pairs = [f"{shown(name)[:_LONGEST_NAME]}: ***" for name in names[:_MOST_NAMES]]
        return "{" + ", ".join(pairs + ["..."] * (len(names) > _MOST_NAMES)) + "}"
    if isinstance(data, list | tuple):
        return f"[{len(cast('list[object]', data))} items]"
    return "***"


def _of_pickle(name: str, version: str, form: int, parts: object) -> "PreparedRequest[object]":
    from .prepared.prepare import unpickled

    return unpickled(name, version, form, parts)


# Pickles name it by the public home of its class, whichever module of a later version that is in.
_of_pickle.__module__, _of_pickle.__qualname__ = "subscribekit", "PreparedRequest._of_pickle"


@dataclass(frozen=True, slots=True)
class PreparedRequest(Generic[T_co]):
    """The exact request that a call would send; nothing was sent.

    `client.send(request)` sends it unchanged, and returns the result of the call. It can be pickled and sent by another
    process, with a client of the same group, origin, and environment; a version of the SDK that can't read it raises
    `InvalidArgumentError`. It holds no credential, but its body and URL may contain personal data.

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
    _prepared: PreparedCall[T_co] | None = field(default=None, repr=False, compare=False)
    _of_pickle = staticmethod(_of_pickle)

    def __reduce__(self) -> tuple[object, ...]:
        from .prepared.prepare import pickled

        return _of_pickle, pickled(self)

    def __str__(self) -> str:
        return (
            f"{self.operation}: {self.method} {self.path_template} ({self._size()}; headers {', '.join(self.headers)})"
        )

    def _size(self) -> str:
        return "no body" if self.body is None else f"{len(self.body)} bytes"

    def _repr_html_(self) -> str:
        from ...models._html import table  # only notebooks ask

        rows = {"method": self.method, "path_template": self.path_template, "body": self._size()}
        names = ", ".join(self.headers)
        return table(f"PreparedRequest {self.operation}", [*rows.items(), ("headers", names)])


publish("subscribekit", PreparedRequest, Response)
