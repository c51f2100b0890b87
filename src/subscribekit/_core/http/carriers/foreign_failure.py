"""What httpx, httpx2 and the transports of an application raise, as the one exception of this engine.

A library is not imported for this: exceptions are known by the names in their ancestry.
"""

from ....errors import Phase
from ..failure import FailureKind, TransportFailure
from ..progress import NOT_SENT, Progress
from ..reasons import is_refusal_by_tls, reason_of

FAMILIES = ("httpx", "httpx2")
"""The libraries whose clients and transports carry requests."""
_LIBRARIES = (*FAMILIES, "httpcore", "httpcore2", "aiohttp", "anyio", "h11", "h2", "socksio", "trio")
"""Whose exceptions a transport may let through: they tell of the connection, and not of a mistake in a mock."""
_OF_HTTPX = ("HTTPError", "StreamError", "InvalidURL")
_NOT_CONNECTED = ("ClientConnectorError", "ConnectionTimeoutError")


def foreign_failure(error: Exception, progress: Progress) -> TransportFailure | None:
    """Translate what a transport raised; `None` for what is a mistake in it, such as a failed assertion of a mock."""
    own = _own(error)
    if own is not None:
        if progress.has_begun and own.phase in NOT_SENT:  # the transport above it repeats by itself
            return TransportFailure(own.reason, progress.phase)
        return own
    names = names_of(error)
    library = _library(error, names)
    if library is None and not isinstance(error, OSError | EOFError):
        return None
    phase: Phase = progress.phase
    kind: FailureKind = "lost"
    connecting = bool(names & {"ConnectError", "ConnectTimeout"}) and not _was_connected(error.__cause__)
    if progress.has_begun:  # a transport that repeats by itself: what fails later says nothing of the first attempt
        pass
    elif "PoolTimeout" in names:
        phase, kind = "nothing", "no_free_connection"
    elif "ProxyError" in names and phase != "not_reported":
        phase, kind = "connected", "refused_by_proxy"
    elif connecting and "ConnectError" in names and is_refusal_by_tls(error, progress.handled):
        phase, kind = "connected", "refused_by_tls"
    elif phase == "not_reported":
        phase = "nothing" if connecting else "headers_started"
    return TransportFailure(reason_of(error, progress.handled), phase, kind)


def _own(error: BaseException | None) -> TransportFailure | None:
    """Find the failure of the SDK's own connections below what httpx made of it."""
    while error is not None:
        if isinstance(error, TransportFailure):
            return error
        error = error.__cause__
    return None


def names_of(value: object) -> set[str]:
    """Give the names of the classes that an object is of."""
    return {kind.__name__ for kind in type(value).__mro__}


def _library(error: BaseException, names: set[str]) -> str | None:
    """The library that an exception is of; one of a wrapper counts as the library's from which it is derived."""
    for kind in type(error).__mro__:
        library = kind.__module__.partition(".")[0]
        if library in _LIBRARIES:
            return library if library not in FAMILIES or names.intersection(_OF_HTTPX) else None
    return None


def _was_connected(cause: BaseException | None) -> bool:
    """Whether a connect error means a connection that was lost later: httpx-aiohttp raises it for both (H87)."""
    if cause is None or not type(cause).__module__.startswith("aiohttp"):
        return False
    return names_of(cause).isdisjoint(_NOT_CONNECTED)


def raise_foreign(error: Exception, progress: Progress) -> None:
    """Raise a `TransportFailure` for what a transport raised, but for what is a mistake in it.

    Raises:
        TransportFailure: The exchange failed.
    """
    failure = foreign_failure(error, progress)
    if failure is not None:
        raise failure from None
