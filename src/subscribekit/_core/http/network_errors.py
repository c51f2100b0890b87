"""The errors of a connection, which the module `failure` translates into `TransportFailure`."""


class NetworkError(Exception):
    """A connection failed. The `__cause__` is the error of the system or TLS, whose text may quote sent data (H28)."""


class NetworkTimeoutError(NetworkError):
    """A step took longer than its timeout."""


class ConnectError(NetworkError):
    """The connection couldn't be opened."""


class ConnectTimeoutError(ConnectError, NetworkTimeoutError):
    """The connection couldn't be opened in time."""


class HandshakeTimeoutError(ConnectTimeoutError):
    """The connection was opened, but the TLS handshake didn't finish in time."""


class ReadError(NetworkError):
    """The connection was lost before the response was complete."""


class ReadTimeoutError(NetworkTimeoutError):
    """The service sent no bytes for longer than the read timeout."""


class WriteError(NetworkError):
    """The connection was lost while the SDK sent the request."""


class WriteTimeoutError(NetworkTimeoutError):
    """The service didn't accept the bytes of the request in time."""


class LocalProtocolError(NetworkError):
    """The request can't be written as HTTP. Nothing was sent."""


class RemoteProtocolError(NetworkError):
    """The connection ended too early, or the response isn't HTTP."""


class SurplusResponseError(RemoteProtocolError):
    """The response contains the trace ID of an earlier request on the same connection."""


class HeadTooLargeError(RemoteProtocolError):
    """The headers of the response are too large."""


class TooManyInterimResponsesError(RemoteProtocolError):
    """The service sent too many interim responses (1xx), but no response."""
