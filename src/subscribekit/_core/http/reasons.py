"""Why an attempt failed, in own words: texts of other libraries may quote what was sent (H28)."""

import os
import ssl

from ..._interrupts import chain

_REASONS = {
    "HandshakeTimeout": "the TLS handshake was not finished in time",
    "ConnectTimeout": "no connection in time",
    "ReadTimeout": "no response in time",
    "WriteTimeout": "the request could not be written in time",
    "SurplusResponse": "the response belongs to an earlier request",
    "HeadTooLarge": "the headers of the response are too large: they have more than 100 kB",
    "TooManyInterimResponses": "the service sent more than 100 interim responses (1xx) and no response",
    "RemoteProtocol": "the connection ended or the response was not HTTP",
    "Read": "the connection was lost while reading",
    "Write": "the connection was lost while writing",
    "Proxy": "the proxy refused the connection",
    "Timeout": "no response in time",
}
"""By the names of exceptions without `Error` at their end: those of `network_errors`, httpx, httpx2 and httpcore."""

_WAITING_FOR_BYTES = (ssl.SSLWantReadError, ssl.SSLWantWriteError)  # in the context of what ended the wait
_PASSING = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError, *_WAITING_FOR_BYTES)

_OF_CERTIFICATE = ("CERTIFICATE", "UNKNOWN_CA", "ACCESS_DENIED")
_NOT_TLS = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "PACKET_LENGTH_TOO_LONG", "RECORD_LAYER_FAILURE")


def reason_of(error: Exception, handled: int = 0) -> str:
    """Say why an attempt failed.

    Args:
        error: The error.
        handled: `Progress.handled`: what came before it in the error's context is another caller's (H212).
    """
    for each in chain(error, handled):
        if isinstance(each, _WAITING_FOR_BYTES):
            continue
        if isinstance(each, UnicodeError):
            return "the host is not a name"
        if isinstance(each, ssl.SSLCertVerificationError):
            # A backend's own class of this kind may lack the reason.
            return f"the certificate was not accepted ({getattr(each, 'verify_message', 'not verified')})"
        if isinstance(each, ssl.SSLError):
            if hasattr(each, "reason"):
                return _reason_of_tls(each)
            continue  # aiohttp's own class has none; the error that it comes from has (H87)
        if isinstance(each, OSError) and each.strerror and not isinstance(each, TimeoutError):
            # asyncio's own text shows the address.
            return os.strerror(each.errno) if each.errno and each.errno > 0 else each.strerror
    names = (kind.__name__.removesuffix("Error") for kind in type(error).__mro__)
    return next((_REASONS[name] for name in names if name in _REASONS), "the connection failed")


def _reason_of_tls(error: ssl.SSLError) -> str:
    """Say what OpenSSL means: `SSLV3_ALERT_CERTIFICATE_EXPIRED` is about the certificate of the client."""
    name = error.reason or ""
    if isinstance(error, _PASSING) or not name:
        return "the connection ended inside TLS"
    if "_ALERT_" in name:
        alert = name.partition("_ALERT_")[2]
        text = alert.replace("_", " ").lower()
        if any(word in alert for word in _OF_CERTIFICATE):
            # TLS 1.3 tells after the handshake, when the request may have been sent (H105).
            return f"the service refused the client certificate, or wants one (TLS alert: {text})"
        return f"the service refused TLS (alert: {text})"
    if name in _NOT_TLS:
        return "the other side does not speak TLS"
    return f"TLS failed ({name.replace('_', ' ').lower()})"


def is_refusal_by_tls(error: BaseException, handled: int = 0) -> bool:
    """Whether the TLS handshake was refused for good; an end of the stream inside it may pass."""
    return any(isinstance(each, ssl.SSLError) and not isinstance(each, _PASSING) for each in chain(error, handled))
