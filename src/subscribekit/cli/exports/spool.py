"""A file that grows page by page and is whole only under its own name.

Until the last page it is called `NAME.partial`; `NAME.partial.json` beside it says how many bytes of it count and
where the list goes on. What was written after that is cut off when the export goes on.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from ... import _json as json
from ...errors import ConfigurationError

_VERSION = 2
PRIVATE = 0o600
"""Exports hold what customers bought; they are for the person who made them."""


@dataclass(frozen=True)
class Progress:
    """How far an export is.

    Attributes:
        what: Which export it is, as a digest: list, filters, columns, environment.
        checkpoint: Where the list goes on; `None` for its beginning.
        size: Bytes that count.
        rows: Rows in them.
    """

    what: str
    checkpoint: str | None = None
    size: int = 0
    rows: int = 0


def lock(descriptor: int, name: Path) -> None:
    """Let no other process write a file, or into a folder, until the descriptor is closed.

    Raises:
        ConfigurationError: Another process does.
    """
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigurationError(f"another process is writing {name}") from None


class Spool:
    """The partial file of an export; one process at a time writes it."""

    def __init__(self, target: Path, what: str) -> None:
        self.target = target
        self.partial: Path = target.with_name(f"{target.name}.partial")
        self._state = target.with_name(f"{target.name}.partial.json")
        self.progress: Progress = Progress(what)

    @contextlib.contextmanager
    def open(self, *, restart: bool) -> Generator[BinaryIO]:
        """Open the partial file where it ends.

        Raises:
            ConfigurationError: The target exists, another process writes the file, or it belongs to another export.
        """
        if self.target.exists() and not restart:
            raise ConfigurationError(
                f"{self.target} exists; give --restart to read all again, as a nightly job does (it is replaced when "
                "the new one is whole), or choose another name"
            )
        try:
            number = os.open(self.partial, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), PRIVATE)
        except OSError as error:
            raise ConfigurationError(f"{self.partial} cannot be written: {error.strerror}") from None
        with os.fdopen(number, "r+b") as file:
            lock(file.fileno(), self.partial)
            self.progress = Progress(self.progress.what) if restart else self._read_state()
            if file.seek(0, os.SEEK_END) < self.progress.size:
                raise ConfigurationError(f"{self.partial} is shorter than it was; give --restart to begin anew")
            file.truncate(self.progress.size)
            file.seek(self.progress.size)
            yield file

    def _read_state(self) -> Progress:
        try:
            text = self._state.read_bytes()
        except FileNotFoundError:
            return self.progress
        try:
            version, what, checkpoint, size, rows = _parts(json.decode(text))
        except (json.DamagedJSONError, ValueError):
            raise ConfigurationError(f"{self._state} cannot be read; give --restart to begin anew") from None
        if (version, what) != (_VERSION, self.progress.what):
            raise ConfigurationError(
                f"{self.partial} belongs to another export (other list, filters, columns or environment); choose "
                "another name, or give --restart to begin anew"
            )
        return Progress(what, checkpoint, size, rows)

    def keep(self, file: BinaryIO, rows: int, checkpoint: str) -> None:
        """Make what was written count, also after the power fails."""
        file.flush()
        os.fsync(file.fileno())
        self.progress = Progress(self.progress.what, checkpoint, file.tell(), self.progress.rows + rows)
        said = [_VERSION, self.progress.what, checkpoint, self.progress.size, self.progress.rows]
        fresh = self._state.with_name(f"{self._state.name}.new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE), "wb") as state:
            state.write(json.encode(said))
            state.flush()
            os.fsync(state.fileno())
        fresh.replace(self._state)

    def finish(self, whole: Path) -> None:
        """Give the whole file its name, and remove what was needed to go on."""
        whole.replace(self.target)
        for each in (self.partial, self._state):
            each.unlink(missing_ok=True)


def _parts(said: object) -> tuple[int, str, str, int, int]:
    match said:
        case [int() as version, str() as what, str() as checkpoint, int() as size, int() as rows]:
            return version, what, checkpoint, size, rows
        case _:
            raise ValueError("no state of an export")
