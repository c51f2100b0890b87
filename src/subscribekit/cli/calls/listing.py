"""Which operations there are, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from rich.text import Text

from ..output.screen import for_people, grid, results, say, write_line
from .catalogue import GROUPS, Entry, entries


def names_below(wanted: Iterable[Entry]) -> list[str]:
    """Give what stands before the operations: groups, and groups with families."""
    return list(dict.fromkeys(name for each in wanted for name in (each.group, f"{each.group}.{each.family}") if name))


def instead_of_command(arguments: Sequence[str], commands: Iterable[str]) -> str | None:
    """Say how an operation is called by somebody who took its name for a command; `None` when it is like none."""
    words = [each for each in arguments if not each.startswith("-")]
    if not words or words[0] in commands or get_close_matches(words[0], commands, n=1):
        return None
    known = entries()
    # What follows may be an argument, and is shown by no message.
    for name in (".".join(words[:2]), words[0]):
        found = [each for each in known if each == name or each.partition(".")[2] == name]
        if found:
            return _instead(found)
    below = names_below(known.values())
    if words[0] in below:
        return _instead([words[0]])
    near = get_close_matches(words[0], [each.partition(".")[2] for each in below], n=1, cutoff=0.8)
    return _instead([each for each in below if each.partition(".")[2] == near[0]]) if near else None


def _instead(names: Iterable[str]) -> str:
    calls = ", or ".join(f"subscribekit call {name}" for name in names)
    return f"That is an operation, not a command: write {calls}"


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
