"""Writes log records of calls. An error in the application's logging filter or handler can't change a call (H249)."""

import logging
from collections.abc import Callable

from ...._interrupts import is_of_signal

logger = logging.getLogger("subscribekit")
logger.addHandler(logging.NullHandler())  # without a handler, Python prints the SDK's warnings to stderr

_NOT_LOGGED = logging.NullHandler()


def log(
    level: int,
    text: str,
    *args: object,
    is_error: bool = False,
    error: BaseException | None = None,
    to: logging.Logger = logger,
) -> None:
    """Log a sentence. If logging fails, report the failure like an error of a `logging` handler.

    `args` must contain only names, numbers, and IDs. If `is_error` is true, the record includes the exception that is
    being handled.
    """
    try:
        to.log(level, text, *args, exc_info=error or is_error, stacklevel=2)
    except Exception as failure:
        if is_of_signal(failure):
            raise
        _NOT_LOGGED.handleError(logging.makeLogRecord({"msg": text, "args": args}))


def can_show(draw: Callable[[], object]) -> bool:
    """Update the progress display with `draw`, and return whether `draw` succeeded. If `draw` fails, log the error.

    Raises:
        Exception: A signal handler raised the exception while `draw` ran.
    """
    try:
        draw()
    except Exception as error:
        if is_of_signal(error):
            raise
        log(logging.WARNING, "progress can't be shown anymore; the work continues", is_error=True)
        return False
    return True
