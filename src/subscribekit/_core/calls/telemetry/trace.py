"""B3 trace identifiers: made, validated, continued (E6, E7; assumed harmless elsewhere)."""

import logging
import os
import random
import re
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Protocol, TypeAlias, TypeGuard

from ...._public import publish
from ....errors import ConfigurationError
from .log import log

_TRACE_ID = re.compile(r"[0-9a-f]{16}(?:[0-9a-f]{16})?")
_SPAN_ID = re.compile(r"[0-9a-f]{16}")


# Not `os.urandom`, which lets go of the interpreter: with many threads each identifier then costs a change of threads.
# And not the common generator, which an application may seed. These identifiers are no secrets.
_random = random.Random()  # noqa: S311
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_random.seed)  # or a child would give its calls the parent's identifiers (H185)


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
    if not isinstance(trace, TraceContext) and not (isinstance(trace, str) and trace in ("auto", "off")):
        raise ConfigurationError("trace must be 'auto', 'off' or a TraceContext")
    return trace


def is_span_id(value: object) -> TypeGuard[str]:
    """Whether a value can be sent as `X-B3-SpanId`."""
    return isinstance(value, str) and _SPAN_ID.fullmatch(value) is not None and value.strip("0") != ""


def new_id(size: int) -> str:
    """Make a random identifier of `size` bytes that is not all zero (OpenTelemetry calls those invalid)."""
    while not (bits := _random.getrandbits(8 * size)):
        pass
    return f"{bits:0{2 * size}x}"


@dataclass(slots=True, eq=False, repr=False)
class CallTrace:
    """The trace of one call; each attempt gets its own span."""

    trace_id: str
    parent: str | None = None
    sampled: bool | None = None

    def headers(self, span_id: str | None = None) -> list[tuple[bytes, bytes]]:
        """Give the headers of the next attempt, a new span unless one is given."""
        span = span_id or new_id(8)
        headers = [(b"X-B3-TraceId", self.trace_id.encode("ascii")), (b"X-B3-SpanId", span.encode("ascii"))]
        if self.parent is not None:
            headers.append((b"X-B3-ParentSpanId", self.parent.encode("ascii")))
        if self.sampled is not None:
            headers.append((b"X-B3-Sampled", b"1" if self.sampled else b"0"))
        return headers


# The trace around several calls

_around: ContextVar[TraceContext | None] = ContextVar("subscribekit_trace", default=None)


class ReceivedHeaders(Protocol):
    """The headers of a request as a web framework gives them: any mapping of names to values."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Give names with values."""
        ...


def trace(continued: TraceContext | ReceivedHeaders | None = None) -> AbstractContextManager[TraceContext]:
    """Put all calls of all clients inside a `with` block into one trace.

        with subscribekit.trace() as context:
            ...

    It holds for what runs inside: also for tasks that begin there, `asyncio.to_thread`, and threads that run in a copy
    of the context (`contextvars.copy_context().run`); a bare `threading.Thread` begins without it. A block within
    another one is its child. The nearest setting wins: the client's own `trace=`, then the current
    OpenTelemetry span, then this.

    Args:
        continued: The span to continue: a `TraceContext`, or the headers of a request that was received, with B3 in
            several headers or in one (`b3`). Headers without a usable trace begin a new one, since a caller's mistake
            must not break the request. When absent the current OpenTelemetry span is continued, then the block around
            this one; otherwise a trace begins.

    Returns:
        A context manager that gives the `TraceContext`; its `span_id` is the parent of each request's span.

    Raises:
        ConfigurationError: `continued` is something else.
    """
    if continued is None or isinstance(continued, TraceContext):
        return _Block(continued)
    if isinstance(continued, str) or not callable(getattr(continued, "items", None)):
        raise ConfigurationError("trace takes a TraceContext, a mapping of received headers, or nothing")
    return _Block(*_received(continued))


class _Block(AbstractContextManager[TraceContext]):
    def __init__(self, continued: TraceContext | None, sampled: bool | None = None) -> None:
        self._continued, self._sampled = continued, sampled
        self._opened: list[tuple[TraceContext, TraceContext | None]] = []

    def __enter__(self) -> TraceContext:
        context = self._continued or self._begun()
        self._opened.append((context, _around.get()))
        _around.set(context)
        return context

    def _begun(self) -> TraceContext:
        outer = _current()
        if outer is None:
            return TraceContext(new_id(16), new_id(8), None, self._sampled)
        sampled = outer.sampled if self._sampled is None else self._sampled
        return TraceContext(outer.trace_id, new_id(8), outer.span_id, sampled)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        context, outer = self._opened.pop()
        # Without a token, which could not be given back where a framework leaves the block in another context.
        if _around.get() is context:
            _around.set(outer)


def _received(headers: ReceivedHeaders) -> tuple[TraceContext | None, bool | None]:
    """Read B3 headers: the span to continue, and the sampling decision, which may come alone."""
    values: dict[str, str] = {}
    for name, value in headers.items():
        if isinstance(name, str) and isinstance(value, str):
            values[name.lower()] = value.strip().lower()
    if "b3" in values:  # the newer form comes first where both were sent
        match = _SINGLE.fullmatch(values["b3"])
        alone, *parts = match.groups(default="") if match else [""] * 5
        trace_id, span_id, decision, parent = parts
        decision = alone or decision
    else:
        trace_id, span_id, decision, parent = (
            values.get(f"x-b3-{part}", "") for part in ("traceid", "spanid", "sampled", "parentspanid")
        )
        if values.get("x-b3-flags") == "1":
            decision = "d"
    sampled = _DECISIONS.get(decision)
    try:
        return TraceContext(trace_id, span_id, parent or None, sampled), None
    except ConfigurationError:
        log(logging.DEBUG, "received headers hold no trace to continue; a new one begins")
        return None, sampled


_SINGLE = re.compile(r"([01d])|([0-9a-f]+)-([0-9a-f]+)(?:-([01d])(?:-([0-9a-f]+))?)?")
_DECISIONS = {"1": True, "0": False, "d": True, "true": True, "false": False}
"""`d` asks for debugging; `true` and `false` are what older senders write."""


def start(trace: Trace) -> CallTrace | None:
    """Begin the trace of a call: the client's own, that around it (OpenTelemetry's first), or a new one."""
    if trace == "off":
        return None
    context = trace if isinstance(trace, TraceContext) else _current()
    return CallTrace(new_id(16)) if context is None else CallTrace(context.trace_id, context.span_id, context.sampled)


def around() -> TraceContext | None:
    """Give the span of the innermost `trace()` block, whatever OpenTelemetry says."""
    return _around.get()


def _current() -> TraceContext | None:
    if "opentelemetry.trace" not in sys.modules:  # never imported, so there is no current span
        return _around.get()
    return _opentelemetry() or _around.get()


def _opentelemetry() -> TraceContext | None:
    from opentelemetry.trace import get_current_span

    context = get_current_span().get_span_context()
    if not context.is_valid:
        return None
    return TraceContext(f"{context.trace_id:032x}", f"{context.span_id:016x}", None, context.trace_flags.sampled)


publish("subscribekit", TraceContext, trace)
