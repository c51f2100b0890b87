"""The result of a call through `with_raw_response`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from ..._public import publish
from ..._shown import MASK
from ...models._base import Model
from ...models._printing import shown
from ..operations.readers import Page

T = TypeVar("T")

_MOST_NAMES = 40
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, repr=False)
class Response(Generic[T]):
    """The result of a call, with its status, headers, and IDs.

    The `repr` masks the values of plain JSON, because such values may be personal data. `data` contains the unmasked
    values.

    Attributes:
        data: The result that the method returns without `with_raw_response`.
        status_code: HTTP status.
        headers: Headers of the response, without cookies. Names are case-insensitive.
        request_id: ID of the request, from the response's header `Request-Id`, or from `X-B3-TraceId` in the
            account-lifecycle API. `None` if the response has no such header.
        trace_id: The `X-B3-TraceId` of the call's requests, or `None` if the client doesn't send traces.
        attempts: Number of requests that the call sent.
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
        from ...models._html import anything, table  # `_html` is imported here, because only notebooks need it

        names = ("status_code", "request_id", "trace_id", "attempts", "elapsed")
        return table("Response", [(name, getattr(self, name)) for name in names]) + anything(self.data)


def masked(data: object) -> str:
    """Return the `repr` of a result, with masked values. The `repr` of plain JSON contains only the top-level names."""
    if data is None or isinstance(data, Model | Page):
        return shown(cast("object", data))
    if isinstance(data, Mapping):
        names = list(cast("Mapping[object, object]", data))
        pairs = [f"{shown(name)[:_LONGEST_NAME]}: {MASK}" for name in names[:_MOST_NAMES]]
        return "{" + ", ".join(pairs + ["..."] * (len(names) > _MOST_NAMES)) + "}"
    if isinstance(data, list | tuple):
        return f"[{len(cast('list[object]', data))} items]"
    return MASK


publish("subscribekit", Response)
