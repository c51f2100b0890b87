"""Refusals without the frames that hold what was refused (H31)."""

from collections.abc import Callable
from typing import TypeVar

from ...errors import SubscribekitError

T = TypeVar("T")


def described(describe: Callable[[], T]) -> T | SubscribekitError:
    """Describe a call, or give the error that refuses it, to be raised where no frame holds the arguments."""
    try:
        return describe()
    except SubscribekitError as error:
        return error.with_traceback(None)


def accept(described: T | SubscribekitError, name: str) -> T:
    """Give the description of a call, or raise the error in its place."""
    try:
        if isinstance(described, SubscribekitError):
            raise described.during(name)
        return described
    finally:
        del described  # an error keeps this frame, which must not keep the error
