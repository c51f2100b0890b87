"""Writes the log of the SDK to standard error if `SUBSCRIBEKIT_LOG` is set."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

from .screen import printable

_VARIABLE = "SUBSCRIBEKIT_LOG"
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO}


class _Printable(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


def wrong_level() -> str | None:
    """Return an error message if `SUBSCRIBEKIT_LOG` has an invalid value."""
    value = os.environ.get(_VARIABLE, "")
    return None if value in ("", *_LEVELS) else f"{_VARIABLE} must be debug or info"


@contextmanager
def logged_to_stderr() -> Generator[None]:
    """Write log records to standard error, at the level in `SUBSCRIBEKIT_LOG`. Logged paths don't contain IDs."""
    level = _LEVELS.get(os.environ.get(_VARIABLE, ""))
    if level is None:
        yield
        return
    logger, handler = logging.getLogger("subscribekit"), logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Printable("%(asctime)s %(levelname)s %(message)s"))
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(level)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)
