"""Tells the user how to resume a command that was stopped early."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager

from ...errors import SubscribekitError


@contextmanager
def noting_how_to_resume(stored: Callable[[], str]) -> Generator[None]:
    """Add a note to any exception that ends the command. The note describes the stored data, and how to resume."""
    try:
        yield
    except BaseException as stopped:
        if isinstance(stopped, SubscribekitError):
            stopped.checkpoint = None  # the user doesn't need the checkpoint, because the stored files contain it
        stopped.add_note(f"{stored()}. To resume, run the same command again.")
        raise
