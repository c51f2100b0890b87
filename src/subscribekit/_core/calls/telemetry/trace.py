"""Generates, validates, and continues B3 trace IDs.

The specification documents the B3 headers for two gateway operations (E6, E7). The SDK assumes that all operations
except E6 and E7 ignore the B3 headers.
"""

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


# `os.urandom` releases the GIL, which costs a thread switch for each ID if there are many threads. The SDK has its own
# random generator, because an application may seed Python's shared generator. Trace IDs aren't secret.
_random = random.Random()  # noqa: S311
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_random.seed)  # a forked child would otherwise generate its parent's IDs (H185)


@dataclass(frozen=True, slots=True)
class TraceContext:
    """A span of the caller that the client's calls continue.

    Args:
        trace_id: 32 or 16 lowercase hexadecimal characters.
        span_id: 16 lowercase hexadecimal characters. Each request's span is a child of this span.
        parent_span_id: The parent of the caller's span, for your own use. The SDK doesn't send this ID.
        sampled: The sampling decision to send. If the value is `None`, the SDK sends no decision, so that the service
            decides.

    Raises:
        ConfigurationError: An ID has the wrong length, contains other characters, or is all zero.
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
            raise ConfigurationError("TraceContext.sampled must be True, False, or None")


Trace: TypeAlias = TraceContext | Literal["auto", "off"]


def _check(name: str, value: object, form: re.Pattern[str], length: str) -> None:
    if not isinstance(value, str) or not form.fullmatch(value) or not value.strip("0"):
        raise ConfigurationError(
            f"TraceContext.{name} must be {length} lowercase hexadecimal characters that aren't all zero"
        )


def check_trace(trace: Trace) -> Trace:
    """Return the argument `trace`, or raise an error if it isn't `"auto"`, `"off"`, or a `TraceContext`."""
    if not isinstance(trace, TraceContext) and not (isinstance(trace, str) and trace in ("auto", "off")):
        raise ConfigurationError("trace must be 'auto', 'off', or a TraceContext")
    return trace


def is_span_id(value: object) -> TypeGuard[str]:
    """Return whether a value can be sent as `X-B3-SpanId`."""
    return isinstance(value, str) and _SPAN_ID.fullmatch(value) is not None and value.strip("0") != ""


def new_id(size: int) -> str:
    """Return a random ID of `size` bytes, but never all zeros, because OpenTelemetry treats such IDs as invalid."""
    while not (bits := _random.getrandbits(8 * size)):
        pass
    return f"{bits:0{2 * size}x}"


@dataclass(slots=True, eq=False, repr=False)
class CallTrace:
    """The trace of one call. Each attempt has its own span."""

    trace_id: str
    parent: str | None = None
    sampled: bool | None = None

    def headers(self, span_id: str | None = None) -> list[tuple[bytes, bytes]]:
        """Return the headers of the next attempt, with a new span ID if `span_id` is `None`."""
        span = span_id or new_id(8)
        headers = [(b"X-B3-TraceId", self.trace_id.encode("ascii")), (b"X-B3-SpanId", span.encode("ascii"))]
        if self.parent is not None:
            headers.append((b"X-B3-ParentSpanId", self.parent.encode("ascii")))
        if self.sampled is not None:
            headers.append((b"X-B3-Sampled", b"1" if self.sampled else b"0"))
        return headers


_around: ContextVar[TraceContext | None] = ContextVar("subscribekit_trace", default=None)


class ReceivedHeaders(Protocol):
    """The headers of a received request, as any mapping of names to values."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Return the headers as pairs of a name and a value."""
        ...


def trace(continued: TraceContext | ReceivedHeaders | None = None) -> AbstractContextManager[TraceContext]:
    """Put all calls of all clients inside a `with` block into one trace.

        with subscribekit.trace() as context:
            ...

    The trace also applies to tasks that start in the block, to `asyncio.to_thread`, and to threads that run in a copy
    of the context (`contextvars.copy_context().run`). The trace doesn't apply to a plain `threading.Thread`. The span
    of a nested block is a child of the outer block's span.

    If several traces apply, the SDK uses the client's `trace` argument first, then the current OpenTelemetry span, and
    then the trace of this block.

    Args:
        continued: The span to continue: a `TraceContext`, or the headers of a received request, with B3 in several
            headers or in the single header `b3`. If you omit `continued`, the block continues the current OpenTelemetry
            span, or else the outer block's span, or else starts a new trace. If the headers contain no valid trace, the
            SDK ignores their IDs, so that a caller's mistake can't break the request. The SDK uses a sampling decision
            in the headers even if the headers contain no valid trace.

    Returns:
        A context manager that returns a `TraceContext`. The context's `span_id` is the parent of each request's span.

    Raises:
        ConfigurationError: `continued` isn't a `TraceContext`, a mapping of headers, or `None`.
    """
    if continued is None or isinstance(continued, TraceContext):
        return _Block(continued)
    if isinstance(continued, str) or not callable(getattr(continued, "items", None)):
        raise ConfigurationError("continued must be a TraceContext, a mapping of received headers, or None")
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
        # Don't use ContextVar.reset, which raises an error if a framework leaves the block in another context.
        if _around.get() is context:
            _around.set(outer)


def _received(headers: ReceivedHeaders) -> tuple[TraceContext | None, bool | None]:
    """Return the span to continue from B3 headers, or, if there's none, the sampling decision."""
    values: dict[str, str] = {}
    for name, value in headers.items():
        if isinstance(name, str) and isinstance(value, str):
            values[name.lower()] = value.strip().lower()
    if "b3" in values:  # the header `b3` has precedence over the `X-B3-*` headers, because its format is newer
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
        log(logging.DEBUG, "the received headers contain no valid trace, so the SDK doesn't continue it")
        return None, sampled


_SINGLE = re.compile(r"([01d])|([0-9a-f]+)-([0-9a-f]+)(?:-([01d])(?:-([0-9a-f]+))?)?")
_DECISIONS = {"1": True, "0": False, "d": True, "true": True, "false": False}
"""Sampling decisions by their header values, including `d` for debugging, and `true` and `false` from older tracers."""


def start(trace: Trace) -> CallTrace | None:
    """Return the trace of a call.

    The call continues the client's trace, or else the current OpenTelemetry span, or else the `trace()` block. A call
    that has no trace to continue starts a new trace.
    """
    if trace == "off":
        return None
    context = trace if isinstance(trace, TraceContext) else _current()
    return CallTrace(new_id(16)) if context is None else CallTrace(context.trace_id, context.span_id, context.sampled)


def around() -> TraceContext | None:
    """Return the span of the innermost `trace()` block. The current OpenTelemetry span is ignored."""
    return _around.get()


def _current() -> TraceContext | None:
    if "opentelemetry.trace" not in sys.modules:  # a program that hasn't imported this module has no OpenTelemetry span
        return _around.get()
    return _opentelemetry() or _around.get()


def _opentelemetry() -> TraceContext | None:
    from opentelemetry.trace import get_current_span

    context = get_current_span().get_span_context()
    if not context.is_valid:
        return None
    return TraceContext(f"{context.trace_id:032x}", f"{context.span_id:016x}", None, context.trace_flags.sampled)


publish("subscribekit", TraceContext, trace)
