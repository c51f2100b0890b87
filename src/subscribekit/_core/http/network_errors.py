"""Errors of a connection; `failure` turns it into the one exception that leaves this folder."""

from typing import ClassVar


class NetworkError(Exception):
    """A connection failed; what the system or TLS said is the cause, whose text may quote what was sent (H28).

    Attributes:
        reason: The event in plain words, unless the cause says it better.
    """

    reason: ClassVar[str] = "the connection failed"


class NetworkTimeoutError(NetworkError):
    """A step took too long."""


class ConnectError(NetworkError):
    """There is no connection."""


class ConnectTimeoutError(ConnectError, NetworkTimeoutError):
    """There was no connection in time."""

    reason = "no connection in time"


class HandshakeTimeoutError(ConnectTimeoutError):
    """The connection was made, and its TLS handshake was not finished in time."""

    reason = "the TLS handshake was not finished in time"


class ReadError(NetworkError):
    """The connection was lost while the response was awaited or read."""

    reason = "the connection was lost while reading"


class ReadTimeoutError(NetworkTimeoutError):
    """The service said nothing for too long."""

    reason = "no response in time"


class WriteError(NetworkError):
    """The connection was lost while the request was written."""

    reason = "the connection was lost while writing"


class WriteTimeoutError(NetworkTimeoutError):
    """The service did not take the request in time."""

    reason = "the request could not be written in time"


class LocalProtocolError(NetworkError):
    """The request cannot be written as HTTP; nothing was sent."""


class RemoteProtocolError(NetworkError):
    """The connection ended too early, or the response is not HTTP."""

    reason = "the connection ended or the response was not HTTP"


class SurplusResponseError(RemoteProtocolError):
    """The response bears the trace of an earlier request on the same connection."""

    reason = "the response belongs to an earlier request"


class HeadTooLargeError(RemoteProtocolError):
    """The headers of the response are too large."""

    reason = "the headers of the response are too large: they have more than 100 kB"
