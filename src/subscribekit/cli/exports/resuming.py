"""What a command that is stopped early says about the files that it keeps."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from ...errors import SubscribekitError


@contextmanager
def going_on(kept: Callable[[], str]) -> Generator[None]:
    """Say of whatever ends a command early what is kept: the same command goes on with it."""
    try:
        yield
    except BaseException as stopped:
        if isinstance(stopped, SubscribekitError):
            stopped.checkpoint = None  # the files know it
        stopped.add_note(f"{kept()}; run the same command again to go on.")
        raise
