"""Records how far an attempt got.

The phase decides the outcome, so the recorded phase must never be earlier than the real phase.

Only trace events that are known to occur before sending have the phase `nothing` or `connected`, including the events
of SOCKS and of a proxy's tunnel. Every other event has the phase `headers_started` or a later phase, even if the SDK
doesn't know the event. If the SDK recorded an earlier phase for an unknown event, it could repeat a charge (H01).
"""

import sys
from collections.abc import Callable, Mapping
from typing import cast, get_args

from ...errors import Phase

_ORDER: dict[Phase, int] = {phase: number for number, phase in enumerate(get_args(Phase))}
_ORDER["not_reported"] = -1

_OPENING: dict[str, tuple[Phase, Phase]] = {
    "connection.connect_tcp": ("nothing", "connected"),
    "connection.connect_unix_socket": ("nothing", "connected"),
    "connection.start_tls": ("connected", "connected"),
    "proxy.start_tls": ("connected", "connected"),
    "socks.connect_tcp": ("nothing", "connected"),
    "socks.setup_socks5_connection": ("connected", "connected"),
    "socks.start_tls": ("connected", "connected"),
}
"""The steps before sending. For each step, the first phase is for a running or failed step, and the second phase is for
a completed step."""
_BEFORE: dict[str, Phase] = {
    "connection.retry.started": "nothing",
    "connection.retry.complete": "nothing",
    **{f"{step}.{end}": running for step, (running, _) in _OPENING.items() for end in ("started", "failed")},
    **{f"{step}.complete": complete for step, (_, complete) in _OPENING.items()},
}
_LATER: dict[str, Phase] = {
    "http11.send_request_body.complete": "body_sent",
    "http11.receive_response_headers.complete": "response_started",
    "http11.receive_response_body.complete": "response_complete",
    "http2.send_request_body.complete": "body_sent",
    "http2.receive_response_headers.complete": "response_started",
    "http2.receive_response_body.complete": "response_complete",
}
NOT_SENT: tuple[Phase, ...] = ("nothing", "connected")
"""The phases in which no byte of the request has left the machine."""


class Progress:
    """The phase of an attempt, which never returns to an earlier phase after bytes of the request were sent.

    Attributes:
        phase: How far the request got; `not_reported` until a phase is reported.
        before_sending: A function that is called once, before the first byte of the request leaves. If the function
            raises an exception, nothing is sent.
        handled: The `id()` of the exception that the caller was handling when the attempt started, which isn't a cause
            of the attempt's failure. The exception itself isn't stored, because it would stay in memory as long as the
            connection.
        is_repeated: Whether the caller's transport itself sent the request a second time.
    """

    __slots__ = ("_in_tunnel", "_on_sent", "before_sending", "handled", "is_repeated", "phase")

    def __init__(
        self, on_sent: Callable[[], None] | None = None, before_sending: Callable[[], None] | None = None
    ) -> None:
        self.phase: Phase = "not_reported"
        self.before_sending: Callable[[], None] | None = before_sending
        self.handled: int = id(sys.exc_info()[1])
        self._on_sent = on_sent
        self._in_tunnel = False
        self.is_repeated: bool = False

    def wait(self) -> None:
        """Record that the attempt waits for a free connection, and has sent no byte of the request."""
        self.reach("nothing")

    def begin(self) -> None:
        """Record that the attempt has a connection. The phase is `not_reported` until a transport reports one."""
        if not self.has_begun:
            self.phase = "not_reported"

    def reach(self, phase: Phase) -> None:
        """Record a phase, unless the attempt has reached a later phase."""
        if _ORDER[phase] > _ORDER[self.phase]:
            if self.before_sending is not None and phase not in NOT_SENT:
                check, self.before_sending = self.before_sending, None
                check()
            self.phase = phase
            if self._on_sent is not None and _ORDER[phase] >= _ORDER["body_sent"]:
                on_sent, self._on_sent = self._on_sent, None
                on_sent()

    def event(self, name: str, info: object = None) -> None:
        """Record a trace event of httpcore.

        A CONNECT request opens a proxy's tunnel, so its events don't record progress of the call's own request.
        """
        request: object = cast("Mapping[str, object]", info).get("request") if isinstance(info, Mapping) else None
        if request is not None:
            self._in_tunnel = getattr(request, "method", None) == b"CONNECT"
        known = _BEFORE.get(name)
        if known is None:
            known = "connected" if self._in_tunnel else _LATER.get(name) or "headers_started"
        self.reach(known)

    @property
    def has_begun(self) -> bool:
        """Whether a byte of the request may have left the machine. Later events can't change `True` to `False`."""
        return _ORDER[self.phase] > _ORDER["connected"]
