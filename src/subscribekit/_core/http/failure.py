"""The one exception of this folder: what a transport raises, whatever library is below.

What httpcore, httpx or aiohttp raise is translated where it arises; nothing above this folder knows their exceptions.
"""

import errno
import sys
from typing import Literal, TypeAlias

import httpcore

from ...errors import Phase
from .progress import Progress
from .reasons import is_refusal_by_tls, reason_of

FailureKind: TypeAlias = Literal["lost", "no_free_connection", "refused_by_tls", "refused_by_proxy"]


class TransportFailure(Exception):  # noqa: N818  a value of the engine, which users never see
    """An exchange that gave no response, or whose response broke off.

    Attributes:
        phase: How far the request got; never `not_reported`.
        reason: Why, in own words: other libraries quote what was sent or received (H28).
        kind: `lost` may pass; a connection that TLS or a proxy refused stays refused, and one that is not free in time
            is the client's own overload.
    """

    def __init__(self, reason: str, phase: Phase, kind: FailureKind = "lost") -> None:
        super().__init__(reason)
        self.reason: str = reason
        self.phase: Phase = phase
        self.kind: FailureKind = kind


class StaleConnectionError(Exception):
    """An idle connection ended, or holds bytes that nobody asked for; nothing of the request was written."""


CORE_ERRORS = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    OSError,
)
"""What httpcore and sockets raise when an exchange fails."""


_NO_DESCRIPTORS = (errno.EMFILE, errno.ENFILE)


def failure_of(error: Exception, progress: Progress) -> TransportFailure:
    """Translate an exception of httpcore, or one in its terms.

    Where a transport reports no phases the exception decides: only an error of connecting proves that nothing left.
    """
    phase = progress.phase
    kind: FailureKind = "lost"
    if isinstance(error, httpcore.PoolTimeout):
        phase, kind = "nothing", "no_free_connection"
    elif isinstance(error, httpcore.ProxyError) and phase != "not_reported":
        phase, kind = "connected", "refused_by_proxy"
    elif isinstance(error, httpcore.ConnectError) and is_refusal_by_tls(error):
        phase, kind = "connected", "refused_by_tls"
    elif phase == "not_reported":
        connecting = isinstance(error, httpcore.ConnectError | httpcore.ConnectTimeout)
        phase = "nothing" if connecting else "headers_started"
    return TransportFailure(reason_of(error), phase, kind)


def raise_translated(error: BaseException, progress: Progress, handled: BaseException | None) -> None:
    """Raise what an exchange failed with, unless it is to be raised as it is.

    Args:
        error: What came out of httpcore.
        progress: How far the request got.
        handled: What the caller was handling when the exchange began; it has nothing to do with the failure.

    Raises:
        TransportFailure: For an error of httpcore.
        BaseException: What interrupted the exchange, if httpcore fell over it while it cleaned up (H100).
    """
    if isinstance(error, TransportFailure) or not isinstance(error, Exception):
        return
    if isinstance(error, OSError) and error.errno in _NO_DESCRIPTORS and progress.phase == "not_reported":
        progress.wait()  # the pool's sockets report their first step, so it did not come to that (H102)
    if isinstance(error, CORE_ERRORS):
        raise failure_of(error, progress) from None
    # A mock that stands in httpcore's place raises the exceptions of httpx; then httpx is loaded. Nothing is imported
    # here otherwise: without free descriptors that would fail, and hide the failure.
    if "httpx" in sys.modules:
        from .httpx_transport import foreign_failure

        failure = foreign_failure(error, progress)
        if failure is not None:
            raise failure from None
    first: BaseException = error
    while first.__context__ is not None and first.__context__ is not handled:
        first = first.__context__
    if not isinstance(first, Exception):
        raise first
