"""What httpx, httpx2 and the transports of an application raise, as the one exception of this engine.

A library is not imported for this: exceptions are known by the names in their ancestry.
"""

from ..failure import TransportFailure, failure_of, names_of
from ..progress import NOT_SENT, Progress

FAMILIES = ("httpx", "httpx2")
"""The libraries whose clients and transports carry requests."""
_LIBRARIES = (*FAMILIES, "httpcore", "httpcore2", "aiohttp", "anyio", "h11", "h2", "socksio", "trio")
"""Whose exceptions a transport may let through: they tell of the connection, and not of a mistake in a mock."""
_OF_HTTPX = ("HTTPError", "StreamError", "InvalidURL")


def foreign_failure(error: Exception, progress: Progress) -> TransportFailure | None:
    """Translate what a transport raised; `None` for what is a mistake in it, such as a failed assertion of a mock."""
    own = _own(error)
    if own is not None:
        if progress.has_begun and own.phase in NOT_SENT:  # the transport above it repeats by itself
            return TransportFailure(own.reason, progress.phase)
        return own
    if not _is_of_library(error) and not isinstance(error, OSError | EOFError):
        return None
    return failure_of(error, progress)


def _own(error: BaseException | None) -> TransportFailure | None:
    """Find the failure of the SDK's own connections below what httpx made of it."""
    while error is not None:
        if isinstance(error, TransportFailure):
            return error
        error = error.__cause__
    return None


def _is_of_library(error: Exception) -> bool:
    """Whether an exception is of a library; one of a wrapper counts as the library's from which it is derived."""
    for kind in type(error).__mro__:
        library = kind.__module__.partition(".")[0]
        if library in _LIBRARIES:
            return library not in FAMILIES or not names_of(error).isdisjoint(_OF_HTTPX)
    return False


def raise_foreign(error: Exception, progress: Progress) -> None:
    """Raise a `TransportFailure` for what a transport raised, but for what is a mistake in it.

    Raises:
        TransportFailure: The exchange failed.
    """
    failure = foreign_failure(error, progress)
    if failure is not None:
        raise failure from None
