"""Errors of a connection; `failure` turns it into the one exception that leaves this folder."""


class NetworkError(Exception):
    """A connection failed; what the system or TLS said is the cause, whose text may quote what was sent (H28)."""


class NetworkTimeoutError(NetworkError):
    """A step took too long."""


class ConnectError(NetworkError):
    """There is no connection."""


class ConnectTimeoutError(ConnectError, NetworkTimeoutError):
    """There was no connection in time."""


class HandshakeTimeoutError(ConnectTimeoutError):
    """The connection was made, and its TLS handshake was not finished in time."""


class ReadError(NetworkError):
    """The connection was lost while the response was awaited or read."""


class ReadTimeoutError(NetworkTimeoutError):
    """The service said nothing for too long."""


class WriteError(NetworkError):
    """The connection was lost while the request was written."""


class WriteTimeoutError(NetworkTimeoutError):
    """The service did not take the request in time."""


class LocalProtocolError(NetworkError):
    """The request cannot be written as HTTP; nothing was sent."""


class RemoteProtocolError(NetworkError):
    """The connection ended too early, or the response is not HTTP."""


class SurplusResponseError(RemoteProtocolError):
    """The response bears the trace of an earlier request on the same connection."""


class HeadTooLargeError(RemoteProtocolError):
    """The headers of the response are too large."""


class TooManyInterimResponsesError(RemoteProtocolError):
    """The service sent interim responses (1xx) and no response."""
