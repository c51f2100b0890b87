"""Distinguishes the SDK's own refusal of a call from the error of another call that ran inside it."""

from ....errors import ConnectionFailedError, SubscribekitError
from .classify import Failure
from .retry_table import Event

__tracebackhide__ = True


def broken_off(error: SubscribekitError, *, is_sent: bool) -> Failure:
    """Return the failure for an error that an attempt raised: a check refused the call, or another call failed in it.

    A signal handler or the application's transport made the other call. Its outcome isn't the outcome of this call
    (H248).

    Args:
        error: The error that the attempt raised.
        is_sent: Whether bytes of the request may have left.
    """
    if error.operation is None:
        return Failure(Event.NOT_SENT, error, is_final=True)
    text = f"another call, {error.operation}, failed inside this call and ended it: {error}"
    # The outcome "rejected" is for a read. If the call is a write, the retry table changes the outcome to unknown.
    failed = ConnectionFailedError(text, outcome="rejected" if is_sent else "not_sent")
    failed.__cause__ = error
    return Failure(Event.NO_RESPONSE if is_sent else Event.NOT_SENT, failed, is_final=True)
