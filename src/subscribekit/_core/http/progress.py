"""How far one attempt got. The phase decides what a failure means, so it may never say less than what happened.

Only events that are known to come before sending count as "nothing" or "connected", those of a proxy's tunnel and of
SOCKS among them. Every other event, of HTTP/2 or of
an unknown wrapper counts as "headers started": a charge must not be sent again because a name was unknown
(H01).
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
"""The steps before sending, by the phase while each runs or when it failed, and when it is complete."""
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
"""Phases in which no byte of the request has left."""


class Progress:
    """The phase of one attempt, which only grows.

    Attributes:
        phase: How far the request got; `not_reported` until something tells.
        before_sending: Is called once, before the first byte leaves; what it raises keeps the request here.
        handled: The `id` of what the caller was handling when the attempt began, which has nothing to do with how that
            fails; not the exception itself, which would live as long as the connection.
        is_repeated: A given transport sent the request a second time by itself.
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
        """Wait for a free connection: nothing of the request was sent."""
        self.reach("nothing")

    def begin(self) -> None:
        """Have a connection; from here on only what is reported counts."""
        if not self.has_begun:
            self.phase = "not_reported"

    def reach(self, phase: Phase) -> None:
        """Note a phase; an earlier one than the present changes nothing."""
        if _ORDER[phase] > _ORDER[self.phase]:
            if self.before_sending is not None and phase not in NOT_SENT:
                check, self.before_sending = self.before_sending, None
                check()
            self.phase = phase
            if self._on_sent is not None and _ORDER[phase] >= _ORDER["body_sent"]:
                on_sent, self._on_sent = self._on_sent, None
                on_sent()

    def event(self, name: str, info: object = None) -> None:
        """Note a trace event by httpcore's name of it; the request that opens a proxy's tunnel is not the call's."""
        request: object = cast("Mapping[str, object]", info).get("request") if isinstance(info, Mapping) else None
        if request is not None:
            self._in_tunnel = getattr(request, "method", None) == b"CONNECT"
        known = _BEFORE.get(name)
        if known is None:
            known = "connected" if self._in_tunnel else _LATER.get(name) or "headers_started"
        self.reach(known)

    @property
    def has_begun(self) -> bool:
        """Whether a byte of the request was reported to leave; whatever follows, the request is not unsent again."""
        return _ORDER[self.phase] > _ORDER["connected"]
