"""Creates files that only their owner can read, without following links, and checks a file before opening it again."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

# Only Windows has the flag `O_BINARY`. Without this flag, Windows translates line endings, even in a database file.
_BINARY = getattr(os, "O_BINARY", 0)
_NONBLOCKING = _BINARY | getattr(os, "O_NONBLOCK", 0)  # without O_NONBLOCK, opening a named pipe waits for a writer
_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)


def create(path: Path) -> int:
    """Create a file that only its owner can read and write, and return its descriptor.

    Raises:
        FileExistsError: A file or a link, even a broken link, already has the name.
        OSError: The file can't be created.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)


def replace(path: Path) -> int:
    """Remove any file or link with this name, and create a new file with the function `create`.

    The function doesn't remove the target of a link.
    """
    path.unlink(missing_ok=True)
    return create(path)


def look_into(path: Path) -> int:
    """Open an existing file for reading, without waiting for the writer of a named pipe.

    Raises:
        OSError: The file can't be opened.
    """
    return os.open(path, os.O_RDONLY | _NONBLOCKING)


def reopen(path: Path) -> int:
    """Open a file that `create` created.

    Raises:
        FileNotFoundError: The file doesn't exist.
        PermissionError: The path is a link, or not a regular file. The file has a second name or another owner, or can
            be read or changed by other users.
        OSError: The file can't be opened.
    """
    if path.is_symlink():
        raise _foreign()
    opened = os.open(path, os.O_RDWR | _NONBLOCKING | _NOFOLLOW)
    found = os.fstat(opened)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and _is_private(found):
        return opened
    os.close(opened)
    raise _foreign()


def _is_private(found: os.stat_result) -> bool:
    # On Windows, files have no POSIX owner and mode, so the access control list of the folder decides who can read a
    # file.
    return not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077)


def _foreign() -> PermissionError:
    return PermissionError(errno.EPERM, "the file is a link, has another owner, or can be read or changed by others")


@contextmanager
def whole_file(path: Path) -> Generator[TextIO]:
    """Open a text file for writing, under a temporary name until it's complete. Line endings are written unchanged.

    Raises:
        OSError: The file can't be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(replace(part), "w", newline="", encoding="utf-8") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_through(path: Path, data: bytes) -> None:
    """Replace a small file so that even a power failure leaves either the old or the new content.

    Raises:
        OSError: The file can't be written.
    """
    fresh = path.with_name(f"{path.name}.new")
    with os.fdopen(replace(fresh), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
