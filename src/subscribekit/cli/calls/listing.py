"""Lists the operations in a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from ..output.outcomes import Code
from ..output.screen import say, show_table, write_line, writes_to_terminal
from .catalogue import GROUPS, Entry, entries, find


def names_below(wanted: Iterable[Entry]) -> list[str]:
    """Return the prefixes of the operations, such as `billing` and `billing.accounts`."""
    return list(
        dict.fromkeys(name for each in wanted for name in (each.group, f"{each.group}.{each.resource}") if name)
    )


def instead_of_command(arguments: Sequence[str], commands: Iterable[str]) -> str | None:
    """Return an error message if the user typed an operation without `call` or as several words, or else `None`.

    The error message doesn't repeat the arguments, because arguments can contain personal data.
    """
    words = [each for each in arguments if not each.startswith("-")]
    if words[:1] == ["call"]:
        return _instead_of_words(words[1:])
    if not words or words[0] in commands or get_close_matches(words[0], commands, n=1):
        return None
    known = entries()
    below = names_below(known.values())
    short = [each.partition(".")[2] for each in below]
    near = [words[0]] if words[0] in below else get_close_matches(words[0], short, n=1, cutoff=0.8)
    meant = _in_words(words, known) or [
        each for each in below for name in near if name in (each, each.partition(".")[2])
    ]
    return f"This is an operation, not a command; {_written(meant)}" if meant else None


def _instead_of_words(words: list[str]) -> str | None:
    if len(words) < 2 or find(words[0]) is not None:  # `find` imports only one resource if the name is correct
        return None
    meant = _in_words(words, entries())
    return f"The name of an operation is one word; {_written(meant)}" if meant else None


def _in_words(words: list[str], known: Iterable[str]) -> list[str]:
    """Return the operations whose name the user typed, split into up to three words, with or without the API's name."""
    names = {".".join(words[:count]) for count in (1, 2, 3)}
    return [each for each in known if each in names or each.partition(".")[2] in names]


def _written(names: Iterable[str]) -> str:
    return "write " + ", or ".join(f"subscribekit call {name}" for name in names)


def show_operations(prefix: str | None) -> Code:
    """List the operations with a prefix. If the prefix is empty, list all operations; if it's `None`, list the APIs."""
    known = entries()
    if prefix is None:
        return _show_groups(known.values())
    found = [each for each in known.values() if f"{each.name}.".startswith(f"{prefix}." if prefix else "")]
    if not writes_to_terminal():
        for each in found:
            write_line(f"{each.name}\t{each.summary}")
        return Code.DONE
    show_table(("operation", "description"), ((each.name, each.summary.replace("`", "")) for each in found))
    say("For the arguments of an operation, run: subscribekit call OPERATION --help", "dim")
    return Code.DONE


def _show_groups(known: Iterable[Entry]) -> Code:
    names = [each.name for each in known]
    show_table(
        ("API", "description", "operations"),
        (
            (group, description, str(sum(name.startswith(f"{group}.") for name in names)))
            for group, (_, description) in GROUPS.items()
        ),
    )
    say("To list the operations of an API, run: subscribekit call API. To list all, run: subscribekit call --list")
    return Code.DONE
