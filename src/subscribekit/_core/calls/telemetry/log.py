"""Log records of calls. An error of an application's filter or handler changes no call (H249)."""

import logging
from collections.abc import Callable

from ...._interrupts import is_of_signal

logger = logging.getLogger("subscribekit")
logger.addHandler(logging.NullHandler())  # without it Python prints warnings of a library without handlers

_NOT_LOGGED = logging.NullHandler()


def log(
    level: int,
    text: str,
    *args: object,
    is_error: bool = False,
    error: BaseException | None = None,
    to: logging.Logger = logger,
) -> None:
    """Log a sentence; what that fails with goes where the standard library shows errors of handlers.

    The arguments are names, numbers and identifiers. With `is_error` the exception being handled is logged, too.
    """
    try:
        to.log(level, text, *args, exc_info=error or is_error, stacklevel=2)
    except Exception as failure:
        if is_of_signal(failure):
            raise
        _NOT_LOGGED.handleError(logging.makeLogRecord({"msg": text, "args": args}))


def can_show(draw: Callable[[], object]) -> bool:
    """Draw progress, and return whether that worked. An error is logged, because progress must not end the work.

    An exception that a signal handler raised isn't an error of the drawing, so it's raised.
    """
    try:
        draw()
    except Exception as error:
        if is_of_signal(error):
            raise
        log(logging.WARNING, "the progress can't be shown any more; the work continues", is_error=True)
        return False
    return True
