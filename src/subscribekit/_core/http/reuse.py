"""Checks whether a connection has received bytes that no request asked for.

A connection with unrequested bytes can't be reused, because the SDK would read the bytes as the response to the next
request. Unrequested bytes could be a forged response to a charge (H58). Unrequested bytes can be in the parser, in TLS
(decrypted or not), or in the socket.
"""

import ssl


def is_parser_empty(http: object) -> bool:
    """Return whether the HTTP/1.1 parser of an httpcore connection read no bytes after the last response."""
    # The attribute `_h11_state` of httpcore is private. If a later version of httpcore removes `_h11_state`, the SDK
    # reuses no connection.
    unread: object = getattr(getattr(http, "_h11_state", None), "trailing_data", None)
    return unread == (b"", False)


def tls_holds_bytes(tls: object) -> bool:
    """Return whether TLS contains unread bytes, even if the socket looks idle. Without TLS, return `False`."""
    if isinstance(tls, ssl.SSLSocket):
        return tls.pending() > 0
    if not isinstance(tls, ssl.SSLObject):
        return False
    try:
        tls.read(1)
    except ssl.SSLWantReadError:
        return False
    except ssl.SSLError:  # the connection ended, or the bytes are invalid
        return True
    return True
