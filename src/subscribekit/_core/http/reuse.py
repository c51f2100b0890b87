"""Whether a connection may carry another request: not if it holds bytes that nobody asked for.

They would be taken for the response to the next request, and a forged receipt for that of a charge (H58). They may lie
in three places: in the parser, which read on past the last response; decrypted or not in TLS; in the socket.
"""

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


def _tls_layers(stream: httpcore.NetworkStream | httpcore.AsyncNetworkStream) -> Iterator[object]:
    """Give the TLS of a stream, and that of the tunnel around it, in which anyio may hold records too."""
    yield stream.get_extra_info("ssl_object")
    layer: object = getattr(getattr(stream, "_stream", None), "transport_stream", None)
    while layer is not None:
        yield getattr(layer, "_ssl_object", None)
        layer = getattr(layer, "transport_stream", None)
