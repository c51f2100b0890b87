"""Checks files before SQLite opens them, and explains the errors of SQLite.

The ledgers of bulk runs, the files of reconciliations, and the files of received webhooks use this module, each kind
with its own error texts.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

Identity: TypeAlias = tuple[int, int]
"""The device and the inode of a file."""

HEAD = 100
"""The length of a database's header, in bytes."""
_MAGIC = b"SQLite format 3\0"
_SMALLEST = 512
"""The size in bytes of the smallest page of SQLite, and therefore of the smallest database that isn't empty."""
_MOUNTS = Path("/proc/self/mountinfo")
_REASONS = {
    "SQLITE_BUSY": "is locked by another program",
    "SQLITE_LOCKED": "is locked by another program",
    "SQLITE_FULL": "can't be written, because the disk is full",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_READONLY": "can't be written",
    "SQLITE_CANTOPEN": "can't be opened",
    "SQLITE_IOERR": "can't be read or written",
}


@dataclass(frozen=True)
class Guard:
    """The requirements and the error texts for files of one kind, such as ledgers.

    Attributes:
        refuse: A function that creates an exception. Its argument is the text that follows the name of the file.
        foreign: The error text for a file that isn't of this kind.
        sqlite_application_id: The `application_id` in the header of files of this kind; `None` to accept any database.
        version: The version of files of this kind; 0 for files without a version.
        older: The error text for a file with an earlier version, which can contain `{found}` and `{version}`.
        newer: The error text for a file with a later version, which can contain `{found}` and `{version}`.
        is_private: Whether to remove the permissions of other users, because the file contains personal data.
        reasons: A mapping from the names of SQLite errors to error texts, which replace the common error texts.
    """

    refuse: Callable[[str], Exception]
    foreign: str
    sqlite_application_id: int | None = None
    version: int = 0
    older: str = ""
    newer: str = ""
    is_private: bool = True
    reasons: Mapping[str, str] = field(default_factory=dict[str, str])

    def check(self, path: Path, head: Callable[[], bytes] | None = None) -> None:
        """Raise an exception if SQLite must not open a file.

        Args:
            path: The file, which must exist and must not be a link.
            head: A function that returns the first bytes of the file. Pass `None` if this process may hold locks of
                SQLite on the file, because closing the file after reading would release these locks.

        Raises:
            Exception: The path isn't a regular file, or the file has the wrong format, has a second name (a hard link),
                or is mounted as a single file. The function `refuse` creates the exception.
            OSError: The attributes of the file can't be read.
        """
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise self.refuse("isn't a regular file")
        first = b"" if head is None else head()
        # SQLite would overwrite a file that is smaller than one page.
        if (first and not self._is_own(first)) or 0 < found.st_size < _SMALLEST:
            raise self.refuse(self.foreign)
        # SQLite names the write-ahead log after the database file, so a file with two names would have two logs (H168).
        if found.st_nlink > 1:
            raise self.refuse("has another name (a hard link); remove the other name first")
        if _is_mounted(path):
            raise self.refuse("is mounted as a single file; mount its folder instead")
        mode = stat.S_IMODE(found.st_mode)
        if self.is_private and mode & 0o077:
            path.chmod(mode & 0o700)

    def _is_own(self, head: bytes) -> bool:
        return head[:16] == _MAGIC and self.sqlite_application_id in (None, int.from_bytes(head[68:72]))

    def check_version(self, found: int) -> None:
        """Raise an exception if the version of a file isn't `version`.

        Args:
            found: The version of the file.

        Raises:
            Exception: The version is earlier or later than `version`. The function `refuse` creates the exception.
        """
        if found != self.version:
            text = self.older if found < self.version else self.newer
            raise self.refuse(text.format(found=found, version=self.version))

    def reason(self, error: Exception) -> str:
        """Return an explanation of an error of `sqlite3`, which follows the name of the file in the error message."""
        name: str = getattr(error, "sqlite_errorname", "") or ""
        known = {**_REASONS, "SQLITE_NOTADB": self.foreign, **self.reasons}
        unknown = f"can't be used ({name or type(error).__name__}: {error})"
        return next((text for start, text in known.items() if name.startswith(start)), unknown)


def identity(place: str | os.PathLike[str]) -> Identity | None:
    """Return the device and the inode of a path, without following a link, or `None` if the path doesn't exist."""
    try:
        return identity_of(os.lstat(place))
    except OSError:
        return None


def identity_of(found: os.stat_result) -> Identity:
    """Return the device and the inode from a file's `stat` result."""
    return found.st_dev, found.st_ino


def _is_mounted(path: Path) -> bool:
    """Return whether a file is mounted as a single file, which is common in containers."""
    if not _MOUNTS.exists():
        return False
    places = (line.split(" ")[4] for line in _MOUNTS.read_text("utf-8", "surrogateescape").splitlines())
    return str(path) in (place.replace("\\040", " ") for place in places)
