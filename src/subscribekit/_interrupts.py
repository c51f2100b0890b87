"""Tells what a handler of a signal raised, such as a time limit of the application, from what went wrong by itself.

A `TimeoutError` is how the system says that a connection timed out, and how most applications write a time limit with
`SIGALRM`. The first may be retried; the second must end the call (H250).
"""

from types import FrameType
from typing import cast


def chain(error: BaseException, handled: int) -> list[BaseException]:
    """Give an error with what it came from, up to what the caller was handling."""
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and id(current) != handled and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain


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


def interrupt_behind(error: BaseException, handled: int = 0) -> BaseException | None:
    """Find the interrupt that another error hides: Ctrl-C, a cancellation, or what the handler of a signal raised.

    pydantic turns what interrupts a serializer into a `PydanticSerializationError`, which is a `ValueError` (H426).

    Args:
        error: The error that came out.
        handled: The `id` of what the caller was handling before; it interrupts nothing.
    """
    found = chain(error, handled)
    return next((each for each in found if not isinstance(each, Exception) or is_of_signal(each)), None)


def raised_by_signal(failure: BaseException, handled: int = 0) -> BaseException | None:
    """Find what the handler of a signal raised among the causes of a failure.

    Args:
        failure: The error of an exchange.
        handled: `Progress.handled`: what came before it is another caller's.
    """
    return next((each for each in chain(failure, handled) if is_of_signal(each)), None)
