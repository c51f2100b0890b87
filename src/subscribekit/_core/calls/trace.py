"""B3 trace identifiers: made, validated, continued (E6, E7; assumed harmless elsewhere)."""

import os
import re
import sys
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ...errors import ConfigurationError

_TRACE_ID = re.compile(r"[0-9a-f]{16}(?:[0-9a-f]{16})?")
_SPAN_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class TraceContext:
    """A span of the caller that the client's calls continue.

    Args:
        trace_id: 32 or 16 lower-case hexadecimal characters.
        span_id: 16 lower-case hexadecimal characters; becomes the parent of each request's span.
        parent_span_id: The caller's own parent, for the record; it is not sent.
        sampled: The sampling decision to pass on; `None` leaves it to the service.

    Raises:
        ConfigurationError: An identifier has another form.
    """

    trace_id: str
    span_id: str
    parent_span_id: str | None = None
    sampled: bool | None = None

    def __post_init__(self) -> None:
        _check("trace_id", self.trace_id, _TRACE_ID, "32 or 16")
        _check("span_id", self.span_id, _SPAN_ID, "16")
        if self.parent_span_id is not None:
            _check("parent_span_id", self.parent_span_id, _SPAN_ID, "16")
        if self.sampled is not None and type(self.sampled) is not bool:
            raise ConfigurationError("TraceContext.sampled must be True, False or None")


Trace: TypeAlias = TraceContext | Literal["auto", "off"]


def _check(name: str, value: object, form: re.Pattern[str], length: str) -> None:
    if not isinstance(value, str) or not form.fullmatch(value) or not value.strip("0"):
        raise ConfigurationError(
            f"TraceContext.{name} must be {length} lower-case hexadecimal characters, not all zero"
        )


def check_trace(trace: Trace) -> Trace:
    """Refuse anything but `"auto"`, `"off"` or a `TraceContext`."""
    if not isinstance(trace, TraceContext) and trace not in ("auto", "off"):
        raise ConfigurationError("trace must be 'auto', 'off' or a TraceContext")
    return trace


def new_id(size: int) -> str:
    """Make a random identifier of `size` bytes that is not all zero (OpenTelemetry calls those invalid)."""
    while True:
        value = os.urandom(size).hex()
        if value.strip("0"):
            return value


@dataclass(slots=True, eq=False, repr=False)
class CallTrace:
    """The trace of one call; each attempt gets a span of its own."""

    trace_id: str
    parent: str | None = None
    sampled: bool | None = None

    def headers(self, span_id: str | None = None) -> list[tuple[str, str]]:
        """The headers of the next attempt, a new span unless one is given."""
        headers = [("X-B3-TraceId", self.trace_id), ("X-B3-SpanId", span_id or new_id(8))]
        if self.parent is not None:
            headers.append(("X-B3-ParentSpanId", self.parent))
        if self.sampled is not None:
            headers.append(("X-B3-Sampled", "1" if self.sampled else "0"))
        return headers


def start(trace: Trace) -> CallTrace | None:
    """Begin the trace of a call: the caller's, the current OpenTelemetry span's, or a new one."""
    if trace == "off":
        return None
    if isinstance(trace, TraceContext):
        return CallTrace(trace.trace_id, trace.span_id, trace.sampled)
    return _opentelemetry() or CallTrace(new_id(16))


def _opentelemetry() -> CallTrace | None:
    if "opentelemetry.trace" not in sys.modules:  # never imported, so there is no current span
        return None
    from opentelemetry import trace

    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return None
    return CallTrace(f"{context.trace_id:032x}", f"{context.span_id:016x}", context.trace_flags.sampled)
