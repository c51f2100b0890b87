"""A file that grows page by page and is whole only under its own name.

Until the last page it is called `NAME.partial`; `NAME.partial.json` beside it says which bytes of it count and where
the list goes on. Rows after that are cut off when the export goes on.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Generator
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

from .. import _json as json
from .._private_files import create, reopen, replace, write_through
from ..errors import ConfigurationError

_VERSION = 3
_AT_ONCE = 1 << 20
"""Bytes that are read at a time."""
_LOCKED_BYTE = 0x7FFF_FFFF
"""The byte that is locked on Windows, the last one that can be: others do not read a locked byte there."""


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
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise _is_written(name) from None


class Spool:
    """The partial file of an export; one process at a time writes it."""

    _file: BinaryIO

    def __init__(self, target: Path, what: str) -> None:
        self.target = target
        self.partial: Path = target.with_name(f"{target.name}.partial")
        self._state = target.with_name(f"{target.name}.partial.json")
        self._digest = blake2b(digest_size=16)
        self.progress: Progress = Progress(what)

    @contextlib.contextmanager
    def open(self, *, restart: bool) -> Generator[None]:
        """Open the partial file where it ends.

        Raises:
            ConfigurationError: The target exists, another process writes the file, or it belongs to another export or
                to another caller.
        """
        if self.target.exists() and not restart:
            raise ConfigurationError(
                f"{self.target} exists; pass restart=True to read all again, as a nightly job does (it is replaced "
                "when the new one is whole), or choose another name"
            )
        with self._opened(restart=restart) as self._file:
            if not restart:
                self._go_on()
            self._file.truncate(self.progress.size)
            self._file.seek(self.progress.size)
            yield

    @contextlib.contextmanager
    def _opened(self, *, restart: bool) -> Generator[BinaryIO]:
        with contextlib.ExitStack() as files:
            file = self._before(files, is_replaced=restart)
            if restart or file is None:
                self._state.unlink(missing_ok=True)  # first: a state without its part would go on in another one
                try:
                    made = replace(self.partial) if restart else create(self.partial)
                except FileExistsError:
                    raise _is_written(self.partial) from None
                except OSError as error:
                    raise ConfigurationError(f"{self.partial} cannot be written: {error.strerror}") from None
                file = self._locked(files, made)
            yield file

    def _before(self, files: contextlib.ExitStack, *, is_replaced: bool) -> BinaryIO | None:
        """Open what an earlier export left behind."""
        try:
            return self._locked(files, reopen(self.partial))
        except FileNotFoundError:
            return None
        except OSError as error:
            if is_replaced:
                return None
            raise refused(self.partial, error) from None

    def _locked(self, files: contextlib.ExitStack, descriptor: int) -> BinaryIO:
        file = files.enter_context(os.fdopen(descriptor, "r+b"))
        lock(descriptor, self.partial)
        if not os.path.samestat(os.fstat(descriptor), self.partial.lstat()):
            raise _is_written(self.partial)  # which has replaced it, or is done with it
        return file

    def _go_on(self) -> None:
        try:
            with os.fdopen(reopen(self._state), "rb") as state:
                text = state.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise refused(self._state, error) from None
        try:
            version, what, checkpoint, size, rows, digest = _parts(json.decode(text))
        except (json.DamagedJSONError, ValueError):
            raise ConfigurationError(f"{self._state} cannot be read; pass restart=True to begin again") from None
        if (version, what) != (_VERSION, self.progress.what):
            raise ConfigurationError(
                f"{self.partial} belongs to another export (other list, filters, columns or environment); choose "
                "another name, or pass restart=True to begin again"
            )
        left = size
        while left and (read := self._file.read(min(left, _AT_ONCE))):
            self._digest.update(read)
            left -= len(read)
        if self._digest.hexdigest() != digest:
            raise ConfigurationError(
                f"{self.partial} has changed since the last export; pass restart=True to begin again"
            )
        self.progress = Progress(what, checkpoint, size, rows)

    def write(self, data: bytes) -> None:
        """Add to the partial file; `keep` makes it count."""
        self._file.write(data)
        self._digest.update(data)

    def keep(self, rows: int, checkpoint: str) -> None:
        """Make what was written count, also after the power fails."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self.progress = Progress(self.progress.what, checkpoint, self._file.tell(), self.progress.rows + rows)
        progress, digest = self.progress, self._digest.hexdigest()
        said = [_VERSION, progress.what, checkpoint, progress.size, progress.rows, digest]
        write_through(self._state, json.encode(said))

    def finish(self, whole: Path) -> None:
        """Give the whole file its name while no other process may write it, and remove what was needed to go on."""
        if sys.platform == "win32":  # where an open file keeps its name
            self._file.close()
        self._state.unlink(missing_ok=True)  # first: nothing goes on with what is whole
        whole.replace(self.target)
        self.partial.unlink(missing_ok=True)


def _is_written(name: Path) -> ConfigurationError:
    return ConfigurationError(f"another process is writing {name}")


def refused(name: Path, error: OSError) -> ConfigurationError:
    """Return the error of a file that can't be resumed."""
    return ConfigurationError(
        f"{name} cannot be resumed: {error.strerror}; remove it, or pass restart=True to begin again"
    )


def _parts(said: object) -> tuple[int, str, str, int, int, str]:
    match said:
        case [int() as version, str() as what, str() as checkpoint, int() as size, int() as rows, str() as digest]:
            return version, what, checkpoint, size, rows, digest
        case _:
            raise ValueError("no state of an export")
