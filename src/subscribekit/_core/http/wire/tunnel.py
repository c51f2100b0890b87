"""The tunnel through an HTTP proxy: a CONNECT request and its response, as bytes. This module does no I/O.

The SDK sends no byte of the call's request before the tunnel is open, so every failure of the tunnel is a failure to
connect (H103).
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
"""The maximum number of bytes that a proxy can send before the tunnel is open."""


class Tunnel:
    """A CONNECT request and the state of the tunnel that it opens.

    Attributes:
        request: The bytes to send to the proxy.
        is_open: Whether the tunnel is open.

    Raises:
        ConnectError: The host isn't a valid name.
    """

    def __init__(self, proxy: Proxy, host: str, port: int) -> None:
        try:
            host.encode("idna")  # check the host now, because a later failure in TLS would leave the socket open
        except UnicodeError as error:
            raise ConnectError from error
        target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self._proxy, self._target = proxy, target
        self._state = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MAX_HEAD)
        self._received = 0
        self.request: Content = Content.of(self._build_request)
        self.is_open: bool = False

    def _build_request(self) -> bytes:
        send, method, host = self._state.send, "CONNECT", (b"Host", self._target.encode())
        return b"".join(
            (
                send(h11.Request(method=method, target=self._target, headers=[host, *self._proxy.authorization()]))
                or b"",
                send(h11.EndOfMessage()) or b"",
            )
        )

    def receive(self, data: Content) -> None:
        """Process bytes from the proxy, which are empty if the proxy ended the connection.

        Raises:
            TransportFailure: The proxy didn't open the tunnel.
        """
        self._received += len(data)
        if self._received > _MAX_HEAD:
            raise self._failed("sent more than 64 KiB before the tunnel was open")
        try:
            self._state.receive_data(data.reveal())
            event = self._state.next_event()
            while isinstance(event, h11.InformationalResponse):
                event = self._state.next_event()
        except h11.RemoteProtocolError:
            raise self._failed("ended the connection, or sent a response that wasn't HTTP") from None
        if not isinstance(event, h11.Response):
            return
        self._check(event.status_code)
        # The service sends nothing before the client does, so bytes after this response come from the proxy itself.
        if self._state.trailing_data[0]:
            raise self._failed("sent further bytes after its response to CONNECT")
        self.is_open = True

    def _check(self, status: int) -> None:
        if 200 <= status < 300:
            return
        try:
            name = f"{status} {HTTPStatus(status).phrase}"
        except ValueError:
            name = str(status)
        # A 5xx status can be temporary, because the proxy may be overloaded or unable to reach the service.
        if status >= 500:
            raise self._failed(f"didn't open a tunnel (status {name})")
        reason = f"the proxy {self._proxy.name} refused the connection (status {name})"
        raise TransportFailure(reason, "connected", "refused_by_proxy")

    def _failed(self, action: str) -> TransportFailure:
        return TransportFailure(f"the proxy {self._proxy.name} {action}", "connected")

    def raise_failure(self, error: BaseException, *, is_connected: bool, handled: int) -> None:
        """Raise a failure for a network error before the tunnel is open, and do nothing for any other error.

        Raises:
            TransportFailure: The error is a network error. The `reason` of the failure contains the name of the proxy.
        """
        if not isinstance(error, NetworkError | OSError):
            return
        phase: Phase = "connected" if is_connected else "nothing"
        is_late = isinstance(error, NetworkTimeoutError) and not isinstance(error, HandshakeTimeoutError)
        reason = "no tunnel in time" if is_late and is_connected else reason_of(error, handled)
        kind: FailureKind = "refused_by_tls" if is_refusal_by_tls(error, handled) else "lost"
        raise TransportFailure(f"the proxy {self._proxy.name}: {reason}", phase, kind) from None
