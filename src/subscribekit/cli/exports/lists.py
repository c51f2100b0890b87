"""Commands over a whole list: the filters of the list, a file, and their own options."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial

from ..calls.arguments import options
from ..calls.call import CONNECTION, function_of, parameters_of
from ..calls.catalogue import Entry
from ..output.outcomes import Code

_MOVES = ("checkpoint", "ending_before", "max_pages", "offset", "starting_after")
"""Arguments that choose a part of a list: these commands read all of it."""
_ORDER = ("required", "file", "optional")
_LARGEST_PAGE = 100


def list_command(
    entry: Entry, own: Mapping[str, tuple[object, object]], work: Callable[[Entry, Mapping[str, object]], Code]
) -> Callable[..., None]:
    """Make the function behind a command.

    Args:
        entry: The list.
        own: Options of the command, beside the filters: annotation and default. `cli_file` is the last argument.
        work: Takes the list and what was typed.
    """
    filters = [each for each in options(entry) if each.name not in _MOVES]
    parameters = [*filters, *parameters_of({**own, **CONNECTION})]
    return function_of(sorted(parameters, key=lambda each: _ORDER.index(_rank(each))), partial(work, entry))


def _rank(each: inspect.Parameter) -> str:
    """The file is the last of the arguments."""
    if each.name == "cli_file":
        return "file"
    return "required" if each.default is inspect.Parameter.empty else "optional"


def ask_for_large_pages(entry: Entry, arguments: dict[str, object]) -> None:
    """Read the list in the largest pages, unless another size was asked for."""
    size = "limit" if any(each.name == "limit" for each in entry.parameters) else "size"
    arguments.setdefault(size, _LARGEST_PAGE)
