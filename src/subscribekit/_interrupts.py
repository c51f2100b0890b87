"""Distinguishes exceptions that a signal handler raised from failures of the call itself.

Python raises `TimeoutError` if a connection times out. Many applications also raise `TimeoutError` in a `SIGALRM`
handler, as a time limit. The SDK can retry after a timeout of a connection, but a time limit of the application must
end the call (H250).
"""

from types import FrameType
from typing import cast


def chain(error: BaseException, handled: int) -> list[BaseException]:
    """Return an error and its causes, without the exception that the caller was already handling.

    Args:
        error: The error.
        handled: The `id()` of the exception that the caller was already handling. The search for causes stops at this
            exception.
    """
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and id(current) != handled and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain


def is_of_signal(error: BaseException) -> bool:
    """Return whether a signal handler raised the exception `error`.

    Python passes the interrupted frame to a signal handler. Therefore, the SDK treats a function as a signal handler if
    a local variable of the function contains the frame of its caller.
    """
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
    """Return the interrupt that caused an error, such as Ctrl-C, a cancellation, or an exception from a signal handler.

    pydantic hides an interrupt of a serializer in a `PydanticSerializationError`, which is a `ValueError` (H426).

    Args:
        error: The error that was raised.
        handled: The `id()` of an exception that `interrupt_behind` must not return, because the caller was already
            handling the exception.
    """
    found = chain(error, handled)
    return next((each for each in found if not isinstance(each, Exception) or is_of_signal(each)), None)


def raised_by_signal(failure: BaseException, handled: int = 0) -> BaseException | None:
    """Return the exception of a signal handler that caused a failure, or `None` if the failure has another cause.

    Args:
        failure: The error that sending a request or reading its response raised.
        handled: `Progress.handled`, the `id` of an exception that the caller was already handling, and that therefore
            isn't a cause of the failure.
    """
    return next((each for each in chain(failure, handled) if is_of_signal(each)), None)
