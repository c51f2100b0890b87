"""Whether a host is found and its certificate is accepted, without sending a request."""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass
from datetime import UTC, datetime

from ..._core.config.address import Address
from ..._core.http.network_errors import NetworkError
from ..._core.http.reasons import reason_of
from ..._core.http.wire.deadline import ConnectTimer, CurrentRequest
from ..._core.http.wire.sockets import run
from ..._core.http.wire.streams import Opening, Plain, opened, secured
from ..._core.http.wire.tls import shared_ssl_context

_SECONDS = 10.0


class ProbeError(Exception):
    """A host is not found or not reached, or its certificate is not accepted; the text says why."""


@dataclass(frozen=True)
class Handshake:
    """The result of a TLS handshake.

    Attributes:
        version: Version of TLS.
        expires: When the certificate ends; `None` when the peer did not show it.
    """

    version: str
    expires: datetime | None


def resolve(address: Address) -> list[str]:
    """Look up the host.

    Raises:
        ProbeError: It has no address.
    """
    try:
        found = socket.getaddrinfo(address.hostname, address.tcp_port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "the name cannot be looked up"
        raise ProbeError(reason) from None
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def connect(address: Address, context: ssl.SSLContext | None) -> Handshake | None:
    """Open a connection and close it again; with TLS, unless the address is plain HTTP.

    Raises:
        ProbeError: No connection, or a certificate that is not accepted.
    """
    plain, timer = Plain(), ConnectTimer(_SECONDS)
    try:
        stream = run(opened(Opening(plain, address.hostname, address.tcp_port, timer, CurrentRequest())))
        if address.scheme == "http":
            return None
        return _seen(run(secured(stream, context or shared_ssl_context(), address.hostname, timer)).seen)
    except (NetworkError, OSError) as error:
        raise ProbeError(reason_of(error)) from None
    finally:
        plain.close()


def _seen(connection: ssl.SSLObject) -> Handshake:
    ends = (connection.getpeercert() or {}).get("notAfter")
    expires = datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC) if isinstance(ends, str) else None
    return Handshake(connection.version() or "TLS", expires)
