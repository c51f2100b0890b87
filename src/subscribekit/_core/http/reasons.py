"""Explains failed attempts in the SDK's own words, because the texts of other libraries may quote sent data (H28)."""

import os
import ssl

from ..._interrupts import chain

_REASONS = {
    "HandshakeTimeout": "the TLS handshake didn't finish in time",
    "ConnectTimeout": "no connection in time",
    "ReadTimeout": "no response in time",
    "WriteTimeout": "the request couldn't be sent in time",
    "SurplusResponse": "the response belongs to an earlier request",
    "HeadTooLarge": "the headers of the response are larger than 100 kB",
    "TooManyInterimResponses": "the service sent more than 100 interim responses (1xx), but no response",
    "RemoteProtocol": "the connection ended, or the response wasn't HTTP",
    "Read": "the connection was lost while the response was read",
    "Write": "the connection was lost while the request was sent",
    "Proxy": "the proxy refused the connection",
    "Timeout": "no response in time",
}
"""The reasons for failures, by the names of the exceptions without the suffix `Error`. `network_errors`, httpx, and
httpcore share these names."""

_WAITING_FOR_BYTES = (
    ssl.SSLWantReadError,
    ssl.SSLWantWriteError,
)  # these errors only mean that TLS waits for bytes, so the reason for a failure is another error in the chain
_PASSING = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError, *_WAITING_FOR_BYTES)

_OF_CERTIFICATE = ("CERTIFICATE", "UNKNOWN_CA", "ACCESS_DENIED")
_NOT_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE")


def reason_of(error: Exception, handled: int = 0) -> str:
    """Return the reason why an attempt failed.

    Args:
        error: The error of the attempt.
        handled: `Progress.handled`, the `id` of the exception that the caller was already handling. The function
            ignores the exception with this `id` and the causes of that exception (H212).
    """
    for each in chain(error, handled):
        if isinstance(each, _WAITING_FOR_BYTES):
            continue
        if isinstance(each, UnicodeError):
            return "the host isn't a valid name"
        if isinstance(each, ssl.SSLCertVerificationError):
            # An HTTP backend may raise its own subclass of `SSLCertVerificationError` without a `verify_message`.
            return f"the certificate was not accepted ({getattr(each, 'verify_message', 'not verified')})"
        if isinstance(each, ssl.SSLError):
            if hasattr(each, "reason"):
                return _reason_of_tls(each)
            continue  # aiohttp's own error has no attribute `reason`, but the cause of the error has it (H87)
        if isinstance(each, OSError) and each.strerror and not isinstance(each, TimeoutError):
            # Don't use the text of an error of asyncio, because the text contains the IP address.
            return os.strerror(each.errno) if each.errno and each.errno > 0 else each.strerror
    names = (kind.__name__.removesuffix("Error") for kind in type(error).__mro__)
    return next((_REASONS[name] for name in names if name in _REASONS), "the connection failed")


def _reason_of_tls(error: ssl.SSLError) -> str:
    """Explain an error of OpenSSL.

    An alert is an error that the service reports. For example, `SSLV3_ALERT_CERTIFICATE_EXPIRED` means that the
    client's certificate has expired.
    """
    name = error.reason or ""
    if isinstance(error, _PASSING) or not name:
        return "the connection ended during TLS"
    if "_ALERT_" in name:
        alert = name.partition("_ALERT_")[2]
        text = alert.replace("_", " ").lower()
        if any(word in alert for word in _OF_CERTIFICATE):
            # With TLS 1.3, this alert arrives after the handshake, when the request may have been sent (H105).
            return f"the service rejected the client certificate, or requires one (TLS alert: {text})"
        return f"the service rejected TLS (alert: {text})"
    if name in _NOT_TLS:
        return "the other side doesn't use TLS"
    return f"TLS failed ({name.replace('_', ' ').lower()})"


def is_refusal_by_tls(error: BaseException, handled: int = 0) -> bool:
    """Return whether TLS failed permanently. If TLS reports only the end of the connection, a retry may succeed."""
    return any(isinstance(each, ssl.SSLError) and not isinstance(each, _PASSING) for each in chain(error, handled))
