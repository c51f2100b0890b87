"""Creates the commands that read a whole list, with the filters of the list as options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..calls.arguments import LARGEST_PAGE, options, page_size_of
from ..calls.catalogue import Entry
from ..commands import command_of
from ..output.outcomes import Code

_MOVES = ("checkpoint", "ending_before", "max_pages", "offset", "starting_after")
"""Arguments that select a part of a list. Commands that read the whole list don't have these arguments."""


def list_command(work: Callable[..., Code], entry: Entry) -> Callable[..., None]:
    """Return the function that runs a command on a list.

    Args:
        work: The function to run. The command passes the operation, its own options, and the filters of the list to
            this function.
        entry: The operation that returns the list.
    """
    return command_of(partial(work, entry), [each for each in options(entry) if each.name not in _MOVES])


def ask_for_large_pages(entry: Entry, arguments: dict[str, object]) -> None:
    """Set the largest page size, unless the user chose a page size."""
    arguments.setdefault(page_size_of(entry), LARGEST_PAGE)
