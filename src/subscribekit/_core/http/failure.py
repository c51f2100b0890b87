"""The one exception of this folder: what a transport raises, whatever library is below.

Errors of sockets or httpx are translated where they arise; nothing above this folder knows their exceptions.
"""

import errno
from typing import Literal, TypeAlias, TypeGuard

from ...errors import Phase
from .network_errors import NetworkError
from .progress import Progress
from .reasons import is_refusal_by_tls, reason_of

FailureKind: TypeAlias = Literal["lost", "no_free_connection", "refused_by_tls", "refused_by_proxy", "held_back"]


class TransportFailure(Exception):  # noqa: N818  a value of the engine, which users never see
    """An exchange that gave no response, or whose response broke off.

    Attributes:
        phase: How far the request got; never `not_reported`.
        reason: Why, in own words: other libraries quote what was sent or received (H28).
        kind: `lost` may pass; a connection that TLS or a proxy refused stays refused, and one that is not free in time
            is the client's own overload.
        of_application: The exception of the application's own code that ended the exchange, if there is one.
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
    """Whether a request was not sent, since the service asked all calls of the client to wait."""
    return isinstance(received, TransportFailure) and received.kind == "held_back"


class StaleConnectionError(Exception):
    """An idle connection ended, or holds unrequested bytes; nothing of the request was written."""


_NOT_CONNECTED = ("ClientConnectorError", "ConnectionTimeoutError")
_NO_DESCRIPTORS = (errno.EMFILE, errno.ENFILE)


def failure_of(error: Exception, progress: Progress) -> TransportFailure:
    """Translate what a connection raised, of `network_errors` or of another library; their names say the same.

    Where nothing told how far it got the exception decides: only an error of connecting proves that nothing left.
    """
    names = names_of(error)
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


def names_of(value: object) -> set[str]:
    """Give the names of the classes that an object is of."""
    return {kind.__name__ for kind in type(value).__mro__}


def _was_connected(cause: BaseException | None) -> bool:
    """Whether a connect error means a connection that was lost later: httpx-aiohttp raises it for both (H87)."""
    if cause is None or not type(cause).__module__.startswith("aiohttp"):
        return False
    return names_of(cause).isdisjoint(_NOT_CONNECTED)


def raise_translated(error: BaseException, progress: Progress, handled: BaseException | None) -> None:
    """Raise what an exchange failed with, unless it is to be raised as it is.

    Args:
        error: The error of a connection.
        progress: How far the request got.
        handled: The exception that the caller was handling before the exchange; unrelated to the failure.

    Raises:
        TransportFailure: For an error of the connection.
        BaseException: The interrupt of the exchange, if h11 or ssl fell over it while it cleaned up (H100).
    """
    if isinstance(error, TransportFailure) or not isinstance(error, Exception):
        return
    if isinstance(error, OSError) and error.errno in _NO_DESCRIPTORS and progress.phase == "not_reported":
        progress.wait()  # the pool's sockets report their first step, so it did not come to that (H102)
    if isinstance(error, NetworkError | OSError):
        raise failure_of(error, progress) from None
    first: BaseException = error
    while first.__context__ is not None and first.__context__ is not handled:
        first = first.__context__
    if not isinstance(first, Exception):
        raise first
