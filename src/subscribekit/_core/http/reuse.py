"""Whether a connection may carry another request: not if it holds unrequested bytes.

They would be taken for the response to the next request, and a forged receipt for that of a charge (H58). They may lie
in three places: in the parser, which read on past the last response; decrypted or not in TLS; in the socket.
"""

import ssl


def is_parser_empty(http: object) -> bool:
    """Whether the HTTP/1.1 parser of a connection of httpcore took nothing past the last response."""
    # httpcore keeps its protocol state to itself; should it look otherwise one day, no connection is used twice.
    unread: object = getattr(getattr(http, "_h11_state", None), "trailing_data", None)
    return unread == (b"", False)


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
