"""Whether a connection may carry another request: not if it holds bytes that nobody asked for.

They would be taken for the response to the next request, and a forged receipt for that of a charge (H58). They may lie
in three places: in the parser, which read on past the last response; decrypted or not in TLS; in the socket.
"""

import select
import ssl
from collections.abc import Iterator

import h11
import httpcore


def is_parser_empty(http: object) -> bool:
    """Whether the HTTP/1.1 parser of a connection of httpcore took nothing past the last response."""
    # httpcore keeps its protocol state to itself; should it look otherwise one day, no connection is used twice.
    state = getattr(http, "_h11_state", None)
    return isinstance(state, h11.Connection) and state.trailing_data == (b"", False)


def tls_holds_bytes(tls: object) -> bool:
    """Whether TLS holds records that it took from the socket, which looks idle then; `None` is no TLS."""
    if isinstance(tls, ssl.SSLSocket):
        return tls.pending() > 0
    if not isinstance(tls, ssl.SSLObject):
        return False
    try:
        tls.read(1)
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:  # the end, or nonsense
        return True
    return True


def is_readable(stream: httpcore.NetworkStream | httpcore.AsyncNetworkStream) -> bool:
    """Whether an idle stream of httpcore has ended, or has bytes to read."""
    return any(map(tls_holds_bytes, _tls_layers(stream))) or bool(stream.get_extra_info("is_readable"))


class IdleStream:
    """Whether one stream that is idle has ended, or has bytes to read, asked again and again.

    What lies below a stream does not change, and anyio describes all of it anew for each question: 6 % of a small call.
    """

    __slots__ = ("_socket", "_tls")

    def __init__(self, stream: httpcore.AsyncNetworkStream) -> None:
        self._socket = stream.get_extra_info("socket")
        self._tls = [layer for layer in _tls_layers(stream) if layer is not None]

    @property
    def is_readable(self) -> bool:
        """Look at TLS and socket."""
        return any(map(tls_holds_bytes, self._tls)) or _is_socket_readable(self._socket)


def _is_socket_readable(sock: object) -> bool:
    """Whether a socket has ended, has bytes to read, or is none."""
    fileno = getattr(sock, "fileno", None)
    descriptor = fileno() if callable(fileno) else -1
    if not isinstance(descriptor, int) or descriptor < 0:
        return True
    if hasattr(select, "poll"):  # takes descriptors beyond 1,024, which select does not
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(0))
    return bool(select.select([descriptor], [], [], 0)[0])


def _tls_layers(stream: httpcore.NetworkStream | httpcore.AsyncNetworkStream) -> Iterator[object]:
    """Give the TLS of a stream, and that of the tunnel around it, in which anyio may hold records too."""
    yield stream.get_extra_info("ssl_object")
    layer: object = getattr(getattr(stream, "_stream", None), "transport_stream", None)
    while layer is not None:
        yield getattr(layer, "_ssl_object", None)
        layer = getattr(layer, "transport_stream", None)
