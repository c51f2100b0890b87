"""Refusals without the frames that hold what was refused."""

from collections.abc import Callable
from typing import TypeVar

from ...errors import SubscribekitError

T = TypeVar("T")

__tracebackhide__ = True  # pytest shows the caller's line instead


def described(describe: Callable[[], T]) -> T | SubscribekitError | TypeError:
    """Describe a call, or give the error that refuses it, to be raised where no frame holds the arguments."""
    try:
        return describe()
    except SubscribekitError as error:
        return error.with_traceback(None)
    except TypeError as error:
        from .instead import misused

        found = misused(describe, error)
        if found is error:
            raise
        return found


def accept(described: T | SubscribekitError | TypeError, name: str) -> T:
    """Give the description of a call, or raise the error in its place."""
    try:
        if isinstance(described, SubscribekitError):
            raise described.during(name)
        if isinstance(described, TypeError):
            raise described
        return described
    finally:
        del described  # an error keeps this frame, which must not keep the error
