"""Errors that come out of an attempt: refusals of the SDK's own, told from errors of other calls."""

from ....errors import ConnectionFailedError, SubscribekitError
from .classify import Failure
from .retry_table import Event

__tracebackhide__ = True  # pytest shows the caller's line instead


def broken_off(error: SubscribekitError, *, is_sent: bool) -> Failure:
    """Say what an error means that came out of an attempt: a check refused it, or another call failed inside it.

    The other call was made by the handler of a signal, or by a transport of the application. Its outcome is not that of
    this call (H248).

    Args:
        error: The error that came out.
        is_sent: Whether something of the request may have left.
    """
    if error.operation is None:
        return Failure(Event.NOT_SENT, error, is_final=True)
    text = f"{error.operation} failed inside the call, which ends with it: {error}"
    failed = ConnectionFailedError(text, outcome="rejected" if is_sent else "not_sent")  # of a read
    failed.__cause__ = error
    return Failure(Event.NO_RESPONSE if is_sent else Event.NOT_SENT, failed, is_final=True)
