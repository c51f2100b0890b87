"""Distinguishes two errors that end a call: the SDK's refusal of the call, and the error of a nested call."""

from ....errors import ConnectionFailedError, SubscribekitError
from .classify import Failure
from .retry_table import Event

__tracebackhide__ = True


def broken_off(error: SubscribekitError, *, is_sent: bool) -> Failure:
    """Return the failure of a call that an SDK error ended, because a check refused the call or a nested call failed.

    A signal handler or the application's transport can make a nested call. The outcome of a nested call isn't the
    outcome of the outer call (H248).

    Args:
        error: The error that the attempt raised.
        is_sent: Whether bytes of the request may have been sent.
    """
    if error.operation is None:
        return Failure(Event.NOT_SENT, error, is_final=True)
    text = f"the nested call {error.operation} failed and ended this call: {error}"
    # If bytes may have been sent, a read fails with the outcome "rejected". For a write, the retry table changes the
    # outcome to "unknown".
    failed = ConnectionFailedError(text, outcome="rejected" if is_sent else "not_sent")
    failed.__cause__ = error
    return Failure(Event.NO_RESPONSE if is_sent else Event.NOT_SENT, failed, is_final=True)
