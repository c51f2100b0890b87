"""The tunnel through an HTTP proxy, as bytes in and out: one CONNECT and its response. No I/O.

Nothing of the call has left before the tunnel is open, so whatever goes wrong here happened while connecting (H103).
"""

from http import HTTPStatus

import h11

from ...._sealed import Content
from ....errors import Phase
from ..failure import FailureKind, TransportFailure
from ..network_errors import ConnectError, HandshakeTimeoutError, NetworkError, NetworkTimeoutError
from ..reasons import is_refusal_by_tls, reason_of
from .proxy import Proxy

_MAX_HEAD = 65536
"""Bytes that a proxy may send before the tunnel is open."""


class Tunnel:
    """One CONNECT.

    Attributes:
        request: The bytes for the proxy.
        is_open: Whether the tunnel is open.

    Raises:
        ConnectError: The host is not a name.
    """

    def __init__(self, proxy: Proxy, host: str, port: int) -> None:
        try:
            host.encode("idna")  # as TLS does, which is no place to fail: the standard library leaves a socket behind
        except UnicodeError as error:
            raise ConnectError from error
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._proxy, self._target = proxy, target
        self._state = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        self._received = 0
        self.request: Content = Content.of(self._written)
        self.is_open: bool = False

    def _written(self) -> bytes:
        send, method, host = self._state.send, "CONNECT", (b"Host", self._target.encode())
        return b"".join(
            (
                send(h11.Request(method=method, target=self._target, headers=[host, *self._proxy.authorization()]))
                or b"",
                send(h11.EndOfMessage()) or b"",
            )
        )

    def receive(self, data: Content) -> None:
        """Take what the proxy sent; no bytes mean that it ended the connection.

        Raises:
            TransportFailure: There will be no tunnel.
        """
        self._received += len(data)
        if self._received > _MAX_HEAD:
            raise self._failed("sent too much before a tunnel was open")
        try:
            self._state.receive_data(data.reveal())
            event = self._state.next_event()
            while isinstance(event, h11.InformationalResponse):
                event = self._state.next_event()
        except h11.RemoteProtocolError:
            raise self._failed("ended the connection or does not speak HTTP") from None
        if not isinstance(event, h11.Response):
            return
        self._check(event.status_code)
        # The service waits for the client to begin; what came too early is the proxy's own.
        if self._state.trailing_data[0]:
            raise self._failed("sent more than its response to CONNECT")
        self.is_open = True

    def _check(self, status: int) -> None:
        if 200 <= status < 300:
            return
        try:
            name = f"{status} {HTTPStatus(status).phrase}"
        except ValueError:
            name = str(status)
        if status >= 500:  # it may pass: the proxy did not reach the service, or is overloaded
            raise self._failed(f"could not open a tunnel (status {name})")
        reason = f"the proxy {self._proxy.name} refused the connection (status {name})"
        raise TransportFailure(reason, "connected", "refused_by_proxy")

    def _failed(self, what: str) -> TransportFailure:
        return TransportFailure(f"the proxy {self._proxy.name} {what}", "connected")

    def raise_failure(self, error: BaseException, *, is_connected: bool, handled: int) -> None:
        """Say of an error before the tunnel was open that it was the proxy; what interrupts is left alone.

        Raises:
            TransportFailure: For an error of the connection.
        """
        if not isinstance(error, NetworkError | OSError):
            return
        phase: Phase = "connected" if is_connected else "nothing"
        is_late = isinstance(error, NetworkTimeoutError) and not isinstance(error, HandshakeTimeoutError)
        reason = "opened no tunnel in time" if is_late and is_connected else reason_of(error, handled)
        kind: FailureKind = "refused_by_tls" if is_refusal_by_tls(error, handled) else "lost"
        raise TransportFailure(f"the proxy {self._proxy.name}: {reason}", phase, kind) from None
