"""Writes results to standard output, and messages to standard error.

Values from the service are shown without control characters, and rich doesn't interpret them as markup.
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
"""Line width for output to a pipe or a file. The width is so large that rich never wraps a line."""


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def writes_to_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return is_terminal(sys.stdout)


def prepare_streams() -> None:
    """Prevent errors that are caused by closed streams, or by characters that the terminal can't display."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8", newline=""))  # noqa: SIM115  stays open until the process exits
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


class _Console(Console):
    """A console that raises an error for a closed pipe, because rich itself would exit with code 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, "the program that reads the output closed the pipe")


def _console(stream: TextIO) -> Console:
    if is_terminal(stream):
        return _Console(file=stream, markup=False, highlight=False, emoji=False)
    # Write plain text to a pipe, even if an environment variable such as FORCE_COLOR is set.
    return _Console(
        file=stream, markup=False, highlight=False, emoji=False, no_color=True, force_terminal=False, width=WIDE
    )


def results() -> Console:
    """Return the console for results."""
    return _console(sys.stdout)


def width() -> int:
    """Return the number of columns of the terminal."""
    return results().width


def is_plain() -> bool:
    """Return whether standard output supports only ASCII."""
    return not (sys.stdout.encoding or "").lower().startswith("utf")


def say(text: str | RenderableType, style: str = "") -> None:
    """Write a message to standard error. If the write fails, the command continues (H444)."""
    with suppress(OSError):
        _console(sys.stderr).print(text, style=style or None, soft_wrap=isinstance(text, str))


def _progress_console() -> Console:
    """Return the console for progress, which writes only to a terminal."""
    return _console(sys.stderr) if is_terminal(sys.stderr) else Console(file=sys.stderr, quiet=True)


_Update: TypeAlias = Callable[[int, int | None], None]


@contextmanager
def progress_bar(label: str, total: int | None = None, completed: int = 0) -> Generator[_Update]:
    """Show a progress bar, and yield a function that updates the bar with the completed number and the total."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=_progress_console(), transient=True)
    task = bar.add_task(label, total=total, completed=completed)
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
    """Write one line of results, and flush the output."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def write_json(data: bytes) -> None:
    """Write JSON in one line. If the output supports only ASCII, escape the other characters."""
    text = data.decode()
    write_line(_NOT_ASCII.sub(_escaped, text) if is_plain() else text)


_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def printable(text: str) -> str:
    """Escape control characters, and other characters that could change how the terminal displays the text."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in text)


def tick(good: bool | None) -> str:
    """Return a check mark for `True`, a cross for `False`, and a dash for `None`."""
    marks = ("ok", "FAILED", "-") if is_plain() else ("✓", "✗", "-")
    return marks[2] if good is None else marks[0] if good else marks[1]


def grid(title: str | None = None) -> Table:
    """Create a table in the common format of the commands."""
    return Table(title=title, title_justify="left", header_style="bold", title_style="bold", expand=False)


def show_table(head: Sequence[str], rows: Iterable[Iterable[str]], title: str | None = None) -> None:
    """Show a table in the terminal without cutting cells. The column `items` is right-aligned."""
    table = grid(title)
    for name in head:
        table.add_column(name, overflow="fold", justify="right" if name == "items" else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    results().print(table)
