"""Which operations there are, as a table."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text

from ..output.screen import for_people, grid, results, say, write_line
from .catalogue import GROUPS, Entry, entries


def names_below(wanted: Iterable[Entry]) -> list[str]:
    """Give what stands before the operations: groups, and groups with families."""
    return list(dict.fromkeys(name for each in wanted for name in (each.group, f"{each.group}.{each.family}") if name))


def show_operations(prefix: str | None) -> None:
    """List the operations below a name; all of them for an empty one, only the groups for `None`."""
    known = entries()
    if prefix is None:
        _show_groups(known.values())
        return
    found = [each for each in known.values() if f"{each.name}.".startswith(f"{prefix}." if prefix else "")]
    if not for_people():
        for each in found:
            write_line(f"{each.name}\t{each.summary}")
        return
    table = grid()
    table.add_column("operation", overflow="fold")
    table.add_column("does")
    for each in found:
        table.add_row(Text(each.name), Text(each.summary.replace("`", "")))
    results().print(table)
    say("subscribekit call OPERATION --help shows its arguments", "dim")


def _show_groups(known: Iterable[Entry]) -> None:
    names = [each.name for each in known]
    table = grid()
    for name in ("group", "what it is", "operations"):
        table.add_column(name)
    for group, (_, told) in GROUPS.items():
        table.add_row(group, told, str(sum(name.startswith(f"{group}.") for name in names)))
    results().print(table)
    say("subscribekit call --list shows all operations, subscribekit call GROUP those of a group")
