"""Writes an export page by page to a partial file, and renames the file when it's complete.

The partial file is called `NAME.partial`. The state file `NAME.partial.json` contains the checkpoint of the list, and
the number of valid bytes in the partial file. A resumed export cuts off invalid bytes at the end of the partial file.
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
from .._hints.python_advice import RESTART
from .._private_files import create, reopen, replace, write_through
from ..errors import ConfigurationError

_VERSION = 3
_BLOCK_SIZE = 1 << 20
"""Number of bytes to read at a time."""
_LOCKED_BYTE = 0x7FFF_FFFF
"""The position of the byte that the SDK locks on Windows. The position is far beyond the data, because Windows prevents
reading a locked byte."""


@dataclass(frozen=True)
class Progress:
    """The progress of an export.

    Attributes:
        export_id: A digest of the list, the filters, the columns, and the environment.
        checkpoint: The checkpoint to resume from; `None` at the start of the list.
        size: The number of valid bytes in the partial file.
        rows: The number of rows that the valid bytes contain.
    """

    export_id: str
    checkpoint: str | None = None
    size: int = 0
    rows: int = 0


def lock(descriptor: int, name: Path) -> None:
    """Lock a file or folder against other exports until the descriptor is closed.

    Raises:
        ConfigurationError: Another process has locked the file or folder.
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
        raise _in_use(name) from None


class Spool:
    """The partial file of an export, which only one process at a time can write."""

    _file: BinaryIO

    def __init__(self, target: Path, export_id: str) -> None:
        self.target = target
        self.partial: Path = target.with_name(f"{target.name}.partial")
        self._state = target.with_name(f"{target.name}.partial.json")
        self._digest = blake2b(digest_size=16)
        self.progress: Progress = Progress(export_id)

    @contextlib.contextmanager
    def open(self, *, restart: bool) -> Generator[None]:
        """Open the partial file, and continue after its last valid byte.

        Args:
            restart: Whether to discard an earlier partial file, and to replace the target when the export is complete.

        Raises:
            ConfigurationError: The target exists, and `restart` isn't set. The partial file can't be used, is being
                written by another process, or belongs to another export or user.
        """
        if self.target.exists() and not restart:
            raise ConfigurationError(
                f"{self.target} exists; {RESTART.text} to read the list again and to replace the file when the export "
                "is complete, or choose another name"
            )
        with self._opened(restart=restart) as self._file:
            if not restart:
                self._load_progress()
            self._file.truncate(self.progress.size)
            self._file.seek(self.progress.size)
            yield

    @contextlib.contextmanager
    def _opened(self, *, restart: bool) -> Generator[BinaryIO]:
        with contextlib.ExitStack() as files:
            file = self._existing(files, is_replaced=restart)
            if restart or file is None:
                # Remove the state file first, so that a crash can't leave an old state file with a new partial file.
                self._state.unlink(missing_ok=True)
                try:
                    descriptor = replace(self.partial) if restart else create(self.partial)
                except FileExistsError:
                    raise _in_use(self.partial) from None
                except OSError as error:
                    raise ConfigurationError(f"{self.partial} can't be written: {error.strerror}") from None
                file = self._locked(files, descriptor)
            yield file

    def _existing(self, files: contextlib.ExitStack, *, is_replaced: bool) -> BinaryIO | None:
        """Open and lock the partial file of an earlier export. Return `None` if no usable file exists."""
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
            raise _in_use(self.partial)  # after this process opened the file, another process replaced or renamed it
        return file

    def _load_progress(self) -> None:
        """Read the state file, and check that it belongs to this export and to the contents of the partial file."""
        try:
            with os.fdopen(reopen(self._state), "rb") as state:
                text = state.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise refused(self._state, error) from None
        try:
            version, export_id, checkpoint, size, rows, digest = _parts(json.decode(text))
        except (json.DamagedJSONError, ValueError):
            raise ConfigurationError(f"{self._state} can't be read; {RESTART.text} to start over") from None
        if (version, export_id) != (_VERSION, self.progress.export_id):
            raise ConfigurationError(
                f"{self.partial} belongs to another export, with a different list, filters, columns, or environment; "
                f"choose another name, or {RESTART.text} to start over"
            )
        left = size
        while left and (block := self._file.read(min(left, _BLOCK_SIZE))):
            self._digest.update(block)
            left -= len(block)
        if self._digest.hexdigest() != digest:
            raise ConfigurationError(f"{self.partial} has changed since the last export; {RESTART.text} to start over")
        self.progress = Progress(export_id, checkpoint, size, rows)

    def write(self, data: bytes) -> None:
        """Append bytes to the partial file. The next call of `commit` makes the bytes valid."""
        self._file.write(data)
        self._digest.update(data)

    def commit(self, rows: int, checkpoint: str) -> None:
        """Make the written bytes valid, and flush the files, so that even a power failure can't lose the bytes."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self.progress = Progress(self.progress.export_id, checkpoint, self._file.tell(), self.progress.rows + rows)
        progress, digest = self.progress, self._digest.hexdigest()
        state = [_VERSION, progress.export_id, checkpoint, progress.size, progress.rows, digest]
        write_through(self._state, json.encode(state))

    def finish(self, complete: Path) -> None:
        """Rename the complete file to the target, and remove the partial file and the state file."""
        if sys.platform == "win32":  # Windows can't rename an open file
            self._file.close()
        self._state.unlink(missing_ok=True)  # remove the state file first, so that no process resumes a complete export
        complete.replace(self.target)
        self.partial.unlink(missing_ok=True)


def _in_use(name: Path) -> ConfigurationError:
    return ConfigurationError(
        f"another process is writing {name}. Wait until that process ends, or choose another name"
    )


def refused(name: Path, error: OSError) -> ConfigurationError:
    """Return the error for a file from which an export can't resume."""
    return ConfigurationError(
        f"can't resume from {name}: {error.strerror}; remove the file, or {RESTART.text} to start over"
    )


def _parts(state: object) -> tuple[int, str, str, int, int, str]:
    match state:
        case [int() as version, str() as export_id, str() as checkpoint, int() as size, int() as rows, str() as digest]:
            return version, export_id, checkpoint, size, rows, digest
        case _:
            raise ValueError("the state file doesn't contain the state of an export")
