"""Translates exceptions of httpx, httpx2, and callers' transports into `TransportFailure`.

To avoid importing these libraries, the module identifies exceptions by the names and modules of their classes.
"""

from ..failure import TransportFailure, failure_of, names_of
from ..progress import NOT_SENT, Progress

FAMILIES = ("httpx", "httpx2")
"""The libraries whose clients and transports the SDK accepts."""
_LIBRARIES = (*FAMILIES, "httpcore", "httpcore2", "aiohttp", "anyio", "h11", "h2", "socksio", "trio")
"""The libraries whose exceptions mean that a connection failed. An exception from other code may show a mistake in a
mock, such as a failed assertion."""
_OF_HTTPX = ("HTTPError", "StreamError", "InvalidURL")


def foreign_failure(error: Exception, progress: Progress) -> TransportFailure | None:
    """Translate an exception of a transport, or return `None` for a mistake, such as a failed assertion in a mock."""
    own = _own(error)
    if own is not None:
        if progress.has_begun and own.phase in NOT_SENT:  # the caller's transport itself retried the request
            return TransportFailure(own.reason, progress.phase)
        return own
    if not _is_of_library(error) and not isinstance(error, OSError | EOFError):
        return None
    return failure_of(error, progress)


def _own(error: BaseException | None) -> TransportFailure | None:
    """Return the failure of the SDK's own connections that caused an exception of httpx, if any."""
    while error is not None:
        if isinstance(error, TransportFailure):
            return error
        error = error.__cause__
    return None


def _is_of_library(error: Exception) -> bool:
    """Return whether an exception's class or a base class comes from `_LIBRARIES`.

    For exceptions of httpx and httpx2, return `True` only for the classes in `_OF_HTTPX`.
    """
    for kind in type(error).__mro__:
        library = kind.__module__.partition(".")[0]
        if library in _LIBRARIES:
            return library not in FAMILIES or not names_of(error).isdisjoint(_OF_HTTPX)
    return False


def raise_foreign(error: Exception, progress: Progress) -> None:
    """Raise a `TransportFailure` for an exception of a transport, or return if a mistake in the transport is the cause.

    Raises:
        TransportFailure: The exchange failed.
    """
    failure = foreign_failure(error, progress)
    if failure is not None:
        raise failure from None
