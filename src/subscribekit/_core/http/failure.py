"""The exception that all transports raise, whichever library they use.

Modules translate the exceptions of sockets and httpx where they occur, so that no other code depends on these
exceptions.
"""

import errno
from typing import Literal, TypeAlias, TypeGuard

from ...errors import Phase
from .network_errors import NetworkError
from .progress import Progress
from .reasons import is_refusal_by_tls, reason_of

FailureKind: TypeAlias = Literal["lost", "no_free_connection", "refused_by_tls", "refused_by_proxy", "held_back"]


class TransportFailure(Exception):  # noqa: N818  the SDK handles it internally, and users never see it
    """An HTTP exchange that ended without a complete response.

    Attributes:
        phase: How far the request got, which is never `not_reported`.
        reason: The cause, in the SDK's own words, because other libraries quote sent or received data (H28).
        kind: `lost` is a failure that may be temporary. For `refused_by_tls` and `refused_by_proxy`, a retry would fail
            in the same way. `no_free_connection` means that no connection of the client became free in time.
            `held_back` means that the SDK didn't send the request, because the service asked all calls to wait.
        of_application: The exception from the application's code that ended the exchange, if there is one.
    """

    def __init__(
        self, reason: str, phase: Phase, kind: FailureKind = "lost", *, of_application: Exception | None = None
    ) -> None:
        super().__init__(reason)
        self.reason: str = reason
        self.phase: Phase = phase
        self.kind: FailureKind = kind
        self.of_application: Exception | None = of_application


def is_held_back(received: object) -> TypeGuard[TransportFailure]:
    """Return whether the SDK held back a request because the service asked all calls of the client to wait."""
    return isinstance(received, TransportFailure) and received.kind == "held_back"


class StaleConnectionError(Exception):
    """An idle connection has ended or has received unrequested bytes. No byte of the request was written."""


_NOT_CONNECTED = ("ClientConnectorError", "ConnectionTimeoutError")
_NO_DESCRIPTORS = (errno.EMFILE, errno.ENFILE)


def failure_of(error: Exception, progress: Progress) -> TransportFailure:
    """Translate an exception of a connection, from `network_errors` or from a library that uses the same names.

    If no phase was reported, the class of the exception decides the phase. Only a connect error or a pool timeout
    proves that nothing was sent.
    """
    names = names_of(error)
    phase: Phase = progress.phase
    kind: FailureKind = "lost"
    connecting = bool(names & {"ConnectError", "ConnectTimeout"}) and not _was_connected(error.__cause__)
    if progress.has_begun:  # if a transport itself retries, a later failure doesn't prove that nothing was sent
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


def names_of(value: object) -> set[str]:
    """Return the names of an object's class and its base classes."""
    return {kind.__name__ for kind in type(value).__mro__}


def _was_connected(cause: BaseException | None) -> bool:
    """Return whether the connection that failed was already open.

    httpx-aiohttp raises a connect error even if an open connection fails (H87).
    """
    if cause is None or not type(cause).__module__.startswith("aiohttp"):
        return False
    return names_of(cause).isdisjoint(_NOT_CONNECTED)


def raise_translated(error: BaseException, progress: Progress, handled: BaseException | None) -> None:
    """Raise the exception that replaces an error, or return if the caller must raise the error itself.

    Args:
        error: The error of an exchange.
        progress: How far the request got.
        handled: The exception that the caller was already handling, which isn't a cause of `error`.

    Raises:
        TransportFailure: The connection failed.
        BaseException: An interrupt, such as Ctrl-C, led to the error. For example, h11 or ssl can raise an error during
            the cleanup after an interrupt (H100).
    """
    if isinstance(error, TransportFailure) or not isinstance(error, Exception):
        return
    if isinstance(error, OSError) and error.errno in _NO_DESCRIPTORS and progress.phase == "not_reported":
        progress.wait()  # no phase was reported, so the pool opened no socket (H102)
    if isinstance(error, NetworkError | OSError):
        raise failure_of(error, progress) from None
    first: BaseException = error
    while first.__context__ is not None and first.__context__ is not handled:
        first = first.__context__
    if not isinstance(first, Exception):
        raise first
