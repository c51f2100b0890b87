"""Questions before something is changed."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from .outcomes import Code
from .screen import is_terminal, say


def refused(what: str, shown: Iterable[str], question: str, *, is_stdin_taken: bool = False) -> Code | None:
    """Show what would be changed and ask; give the exit code when it is not to be done.

    Args:
        what: Its name, for shells without a terminal.
        shown: The lines to show.
        question: The question, without the choices.
        is_stdin_taken: Whether standard input was something else.
    """
    if is_stdin_taken or not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        say(
            f"{what} changes something, and no terminal can confirm it: look with --plan, then do it with --yes. "
            "Nothing was sent.",
            "bold red",
        )
        return Code.USAGE
    for line in shown:
        say(line)
    try:
        sys.stderr.write(f"{question} [y/N] ")
        sys.stderr.flush()
        said = sys.stdin.readline()
    except OSError:  # the terminal is gone, so nobody says yes
        said = ""
    except KeyboardInterrupt as interrupt:
        interrupt.add_note("Nothing was sent.")
        raise
    if said.strip().lower() in ("y", "yes"):
        return None
    say("Nothing was sent.")
    return Code.NOT_SENT
