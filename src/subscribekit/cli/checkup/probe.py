"""Checks DNS and the certificate of a host without sending a request."""

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
from ..._interrupts import chain

_SECONDS = 10.0


class ProbeError(Exception):
    """The host can't be found or reached, or its certificate isn't valid. The error message contains the reason.

    Attributes:
        is_certificate_invalid: Whether this machine rejects the certificate of the host.
    """

    is_certificate_invalid: bool = False


@dataclass(frozen=True)
class Handshake:
    """The result of a TLS handshake.

    Attributes:
        version: The TLS version.
        expires: When the certificate expires; `None` if unknown.
    """

    version: str
    expires: datetime | None


def resolve(address: Address) -> list[str]:
    """Return the IP addresses of the host.

    Raises:
        ProbeError: The host has no IP address.
    """
    try:
        found = socket.getaddrinfo(address.hostname, address.tcp_port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "the host name can't be looked up"
        raise ProbeError(reason) from None
    return list(dict.fromkeys(str(each[4][0]) for each in found))


def connect(address: Address, context: ssl.SSLContext | None) -> Handshake | None:
    """Open and close a connection, with TLS unless the address is plain HTTP.

    Raises:
        ProbeError: The host can't be reached, or its certificate isn't valid.
    """
    plain, timer = Plain(), ConnectTimer(_SECONDS)
    try:
        stream = run(opened(Opening(plain, address.hostname, address.tcp_port, timer, CurrentRequest())))
        if address.scheme == "http":
            return None
        return _seen(run(secured(stream, context or shared_ssl_context(), address.hostname, timer)).tls_object)
    except (NetworkError, OSError) as error:
        failure = ProbeError(reason_of(error))
        failure.is_certificate_invalid = any(isinstance(each, ssl.SSLCertVerificationError) for each in chain(error, 0))
        raise failure from None
    finally:
        plain.close()


def _seen(connection: ssl.SSLObject) -> Handshake:
    ends = (connection.getpeercert() or {}).get("notAfter")
    expires = datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), UTC) if isinstance(ends, str) else None
    return Handshake(connection.version() or "TLS", expires)
