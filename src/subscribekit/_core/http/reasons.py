"""Why an attempt failed, in own words: texts of other libraries may quote what was sent (H28)."""

import ssl

import httpcore

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (httpcore.ConnectTimeout, "no connection in time"),
    (httpcore.ReadTimeout, "no answer in time"),
    (httpcore.WriteTimeout, "the request could not be written in time"),
    (httpcore.RemoteProtocolError, "the connection ended or the answer was not HTTP"),
    (httpcore.ReadError, "the connection was lost while reading"),
    (httpcore.WriteError, "the connection was lost while writing"),
    (httpcore.ProxyError, "the proxy refused the connection"),
    (TimeoutError, "no answer in time"),
)


_WAITING_FOR_BYTES = (ssl.SSLWantReadError, ssl.SSLWantWriteError)  # in the context of what ended the wait
_PASSING = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError, *_WAITING_FOR_BYTES)


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain


def reason_of(error: Exception) -> str:
    """Say why an attempt failed."""
    for each in _chain(error):
        if isinstance(each, ssl.SSLCertVerificationError):
            # A backend's own class of this kind may lack the reason.
            return f"the certificate was not accepted ({getattr(each, 'verify_message', 'not verified')})"
        if isinstance(each, ssl.SSLError) and not isinstance(each, _WAITING_FOR_BYTES):
            return f"TLS failed ({getattr(each, 'reason', None) or 'connection ended'})"
        if isinstance(each, OSError) and each.strerror and not isinstance(each, TimeoutError):
            return each.strerror
    names = {kind.__name__ for kind in type(error).__mro__}  # httpx and httpx2 name theirs like httpcore
    return next((text for kind, text in _REASONS if kind.__name__ in names), "the connection failed")


def is_refusal_by_tls(error: Exception) -> bool:
    """Whether the TLS handshake was refused for good; an end of the stream inside it may pass (F3, F4)."""
    return any(isinstance(each, ssl.SSLError) and not isinstance(each, _PASSING) for each in _chain(error))
