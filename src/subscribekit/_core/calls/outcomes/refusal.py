"""Refusals: without the frames that hold what was refused, and told from errors of other calls."""

from collections.abc import Callable
from typing import TypeVar

from ....errors import ConnectionFailedError, SubscribekitError
from .classify import Failure
from .retry_table import Event

T = TypeVar("T")

__tracebackhide__ = True  # pytest shows the caller's line instead


def described(describe: Callable[[], T]) -> T | SubscribekitError:
    """Describe a call, or give the error that refuses it, to be raised where no frame holds the arguments."""
    try:
        return describe()
    except SubscribekitError as error:
        return error.with_traceback(None)


def accept(found: list[T | SubscribekitError], name: str) -> T:
    """Take the description of a call out of its list, or raise the error in its place.

    The error keeps the frames that it passes through, and none of them may keep the error.
    """
    described = found.pop()
    try:
        if isinstance(described, SubscribekitError):
            raise described.during(name)
        return described
    finally:
        del described


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
