"""Asks for confirmation before a write."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from .outcomes import Code
from .screen import is_terminal, say


def refused(
    name: str, shown: Iterable[str], question: str, *, check: str | None = None, is_stdin_taken: bool = False
) -> Code | None:
    """Show a write, and ask for confirmation. If the user doesn't confirm, return an exit code.

    Args:
        name: The name of the operation or command, which the error message shows if there's no terminal.
        shown: The lines to show.
        question: The question, without `[y/N]`.
        check: The option that shows the write without sending a request, if the command has such an option.
        is_stdin_taken: Whether the command has already read standard input, for example as a request body.
    """
    if is_stdin_taken or not (is_terminal(sys.stdin) and is_terminal(sys.stderr)):
        advice = "Pass --yes" if check is None else f"Check it with {check}, then pass --yes"
        say(
            f"{name} is a write, and there's no terminal to confirm it. {advice}. Nothing was sent.",
            "bold red",
        )
        return Code.USAGE
    for line in shown:
        say(line)
    try:
        sys.stderr.write(f"{question} [y/N] ")
        sys.stderr.flush()
        answer = sys.stdin.readline()
    except OSError:  # if the terminal was closed, treat the answer as no
        answer = ""
    except KeyboardInterrupt as interrupt:
        interrupt.add_note("Nothing was sent.")
        raise
    if answer.strip().lower() in ("y", "yes"):
        return None
    say("Nothing was sent.")
    return Code.NOT_SENT
