"""Streams: results to standard output, everything said about them to standard error.

Texts of the service reach a terminal without control characters, and rich never reads them as markup.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO, TypeAlias

from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ..._core.calls.telemetry.log import can_show

WIDE = 100_000
"""No line is broken at this width."""


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at a stream."""
    return stream is not None and not stream.closed and stream.isatty()


def for_people() -> bool:
    """Whether a person looks at the results."""
    return is_terminal(sys.stdout)


def prepare_streams() -> None:
    """Let no character that a terminal cannot show end the command, nor a stream that was closed."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8", newline=""))  # noqa: SIM115  for good
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class _Console(Console):
    """A console that leaves it to the command how a closed pipe ends it; rich ends the process with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, "the reader has gone")


def _console(stream: TextIO) -> Console:
    if is_terminal(stream):
        return _Console(file=stream, markup=False, highlight=False, emoji=False)
    # Also where a variable asks for colours everywhere: a pipe gets plain text.
    return _Console(
        file=stream, markup=False, highlight=False, emoji=False, no_color=True, force_terminal=False, width=WIDE
    )


def results() -> Console:
    """The console for results."""
    return _console(sys.stdout)


def width() -> int:
    """Columns of the terminal."""
    return results().width


def is_plain() -> bool:
    """Whether the terminal shows ASCII only."""
    return not (sys.stdout.encoding or "").lower().startswith("utf")


def say(text: str | RenderableType, style: str = "") -> None:
    """Tell the person something that is no result. If standard error cannot be written, the work continues (H444)."""
    with suppress(OSError):
        _console(sys.stderr).print(text, style=style or None, soft_wrap=isinstance(text, str))


def _progress_console() -> Console:
    """The console for progress; silent without a terminal."""
    return _console(sys.stderr) if is_terminal(sys.stderr) else Console(file=sys.stderr, quiet=True)


_Update: TypeAlias = Callable[[int, int | None], None]


@contextmanager
def progress_bar(what: str, total: int | None = None, completed: int = 0) -> Generator[_Update]:
    """Show how far a command is; gives what is called with how many are done, and of how many."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=_progress_console(), transient=True)
    task = bar.add_task(what, total=total, completed=completed)
    is_shown = can_show(bar.start)

    def update(done: int, of: int | None) -> None:
        nonlocal is_shown
        is_shown = is_shown and can_show(partial(bar.update, task, completed=done, total=of))

    try:
        yield update
    finally:
        if is_shown:
            can_show(bar.stop)


def write_line(text: str) -> None:
    """Write one line of results, whole and at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def write_json(data: bytes) -> None:
    """Write a JSON text in one line; where the output takes ASCII only, with escapes, so that it stays JSON."""
    text = data.decode()
    write_line(_NOT_ASCII.sub(_escaped, text) if is_plain() else text)


_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def printable(text: str) -> str:
    """Show what would move the cursor, ring or turn the text around as an escape."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def tick(good: bool | None) -> str:
    """A tick, a cross, or a dash for what was left out."""
    marks = ("ok", "FAILED", "-") if is_plain() else ("✓", "✗", "-")
    return marks[2] if good is None else marks[0] if good else marks[1]


def grid(title: str | None = None) -> Table:
    """A table in the one look of all commands."""
    return Table(title=title, title_justify="left", header_style="bold", title_style="bold", expand=False)


def show_table(head: Sequence[str], rows: Iterable[Iterable[str]], title: str | None = None) -> None:
    """Show a table for people, each text in full; numbers of items at the right."""
    table = grid(title)
    for name in head:
        table.add_column(name, overflow="fold", justify="right" if name == "items" else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    results().print(table)
