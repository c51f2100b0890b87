"""Tells what a handler of a signal raised, such as a time limit of the application, from what went wrong by itself.

A `TimeoutError` is how the system says that a connection timed out, and how most applications write a time limit with
`SIGALRM`. The first may be retried; the second must end the call (H250).
"""

from types import FrameType
from typing import cast

from .reasons import chain


def is_of_signal(error: BaseException) -> bool:
    """Whether an exception came out of a handler of a signal: a function that was called with its caller's frame."""
    caller: FrameType | None = None
    step = error.__traceback__
    while step is not None:
        if caller is not None and any(_is_or_has(each, caller) for each in step.tb_frame.f_locals.values()):
            return True
        caller, step = step.tb_frame, step.tb_next
    return False


def _is_or_has(value: object, frame: FrameType) -> bool:
    held = cast("tuple[object, ...]", value) if type(value) is tuple else ()
    return value is frame or any(each is frame for each in held)


def raised_by_signal(failure: BaseException, handled: int = 0) -> BaseException | None:
    """Find what the handler of a signal raised among the causes of a failure.

    Args:
        failure: The error of an exchange.
        handled: `Progress.handled`: what came before it is another caller's.
    """
    return next((each for each in chain(failure, handled) if is_of_signal(each)), None)
