"""Files that one user owns: created new, never through a link, and checked before they are opened again."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

# Windows has the first only, and without it translates line ends, also of a database. No file here is inherited.
_BINARY = getattr(os, "O_BINARY", 0)
_NO_WAIT = _BINARY | getattr(os, "O_NONBLOCK", 0)  # for a named pipe
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)


def create(path: Path) -> int:
    """Open a new file, for its owner alone.

    Raises:
        FileExistsError: Something has this name, also a link that leads nowhere.
        OSError: It cannot be made.
    """
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | _BINARY, 0o600)


def replace(path: Path) -> int:
    """Open a new file in the place of what has its name: of a link, not of what it leads to; as `create`."""
    path.unlink(missing_ok=True)
    return create(path)


def look_into(path: Path) -> int:
    """Open a file that is there, to read it; a named pipe without a writer, too.

    Raises:
        OSError: It cannot be opened.
    """
    return os.open(path, os.O_RDONLY | _NO_WAIT)


def reopen(path: Path) -> int:
    """Open a file that `create` made.

    Raises:
        FileNotFoundError: There is none.
        PermissionError: It is a link, no file, has a second name, or others own it or may read or change it.
        OSError: It cannot be opened.
    """
    if path.is_symlink():
        raise _foreign()
    opened = os.open(path, os.O_RDWR | _NO_WAIT | _NO_LINK)
    found = os.fstat(opened)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and _is_private(found):
        return opened
    os.close(opened)
    raise _foreign()


def _is_private(found: os.stat_result) -> bool:
    # Windows has neither: there the folder's list of permissions says it.
    return not hasattr(os, "geteuid") or (found.st_uid == os.geteuid() and not stat.S_IMODE(found.st_mode) & 0o077)


def _foreign() -> PermissionError:
    return PermissionError(errno.EPERM, "it is a link, or others own it or may read or change it")


@contextmanager
def whole_file(path: Path) -> Generator[TextIO]:
    """Write a text that is there under its name as a whole or not at all; lines end as they are written.

    Raises:
        OSError: It cannot be written.
    """
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(replace(part), "w", newline="", encoding="utf-8") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_through(path: Path, data: bytes) -> None:
    """Replace a small file as a whole, also when the power fails.

    Raises:
        OSError: It cannot be written.
    """
    fresh = path.with_name(f"{path.name}.new")
    with os.fdopen(replace(fresh), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
