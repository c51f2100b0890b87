"""The one exception of this folder: what a transport raises, whatever library is below.

What httpcore, httpx or aiohttp raise is translated where it arises; nothing above this folder knows their exceptions.
"""

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


CORE_ERRORS = (
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.TimeoutException,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
    OSError,
)
"""What httpcore and sockets raise when an exchange fails."""


def failure_of(error: Exception, progress: Progress) -> TransportFailure:
    """Translate an exception of httpcore, or one in its terms.

    A transport that reports no phases is judged by the exception: only an error of connecting proves that nothing left.
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


def translated(error: Exception, progress: Progress) -> Exception:
    """Give the `TransportFailure` for what a library raised, and any other exception as it is.

    A mock that stands in httpcore's place raises the exceptions of httpx.
    """
    if isinstance(error, CORE_ERRORS):
        return failure_of(error, progress)
    from .httpx_transport import foreign_failure

    return foreign_failure(error, progress) or error
