"""Commands over a whole list: the filters of the list, a file, and their own options."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..calls.arguments import LARGEST_PAGE, options, page_size_of
from ..calls.catalogue import Entry
from ..commands import command_of
from ..output.outcomes import Code

_MOVES = ("checkpoint", "ending_before", "max_pages", "offset", "starting_after")
"""Arguments that choose a part of a list: these commands read all of it."""


def list_command(work: Callable[..., Code], entry: Entry) -> Callable[..., None]:
    """Make the function behind a command.

    Args:
        work: Takes the list, the command's own arguments and options, and the filters that were typed.
        entry: The list.
    """
    return command_of(partial(work, entry), [each for each in options(entry) if each.name not in _MOVES])


def ask_for_large_pages(entry: Entry, arguments: dict[str, object]) -> None:
    """Read the list in the largest pages, unless another size was asked for."""
    arguments.setdefault(page_size_of(entry), LARGEST_PAGE)
