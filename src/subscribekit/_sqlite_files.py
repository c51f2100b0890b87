"""The guard of SQLite files: what a file must be before SQLite opens it, and what an error of SQLite means.

Ledgers of bulk runs, comparisons, and repeated webhooks use it. Each gives the words that are its own.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

Identity: TypeAlias = tuple[int, int]
"""Device and inode of a file."""

HEAD = 100
"""Bytes of the header of a database."""
_MAGIC = b"SQLite format 3\0"
_SMALLEST = 512
"""Bytes of the smallest page, and so of the smallest database that is not empty."""
_MOUNTS = Path("/proc/self/mountinfo")
_REASONS = {
    "SQLITE_BUSY": "is locked by another program",
    "SQLITE_LOCKED": "is locked by another program",
    "SQLITE_FULL": "cannot be written, since the disk is full",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_READONLY": "cannot be written",
    "SQLITE_CANTOPEN": "cannot be opened",
    "SQLITE_IOERR": "cannot be read or written",
}


@dataclass(frozen=True)
class Guard:
    """What files of one kind must be, and its own words.

    Attributes:
        refuse: Makes the error of a file, from the rest of a sentence that begins with its name.
        foreign: What is said of a file of another kind.
        sqlite_application_id: The `application_id` that such a file has; `None` for any database.
        version: Its version; 0 for files without one.
        older: What is said of a file with an earlier version, `{found}` and `{version}` in it.
        newer: What is said of a file with a later version.
        is_private: Whether the rights of others are taken away, because the file holds personal data.
        reasons: What is said of errors of SQLite, by their names, where it differs from other kinds.
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
        """Refuse a file that SQLite must not open.

        Args:
            path: The file, which exists; no link.
            head: Reads its first bytes; `None` if the caller would lose the locks of SQLite by it.

        Raises:
            Exception: That of `refuse`: it is no file or one of another kind, has two names, or is its own mount.
            OSError: It cannot be looked at.
        """
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise self.refuse("is no file")
        first = b"" if head is None else head()
        if (first and not self._is_own(first)) or 0 < found.st_size < _SMALLEST:  # SQLite writes over a smaller one
            raise self.refuse(self.foreign)
        # SQLite names the log of writes after the file: two names mean two logs that do not know each other (H168).
        if found.st_nlink > 1:
            raise self.refuse("has another name (a hard link); remove that first")
        if _is_mounted(path):
            raise self.refuse("is mounted as a single file; mount the folder that it is in")
        mode = stat.S_IMODE(found.st_mode)
        if self.is_private and mode & 0o077:
            path.chmod(mode & 0o700)

    def _is_own(self, head: bytes) -> bool:
        return head[:16] == _MAGIC and self.sqlite_application_id in (None, int.from_bytes(head[68:72]))

    def check_version(self, found: int) -> None:
        """Refuse a file of another version.

        Raises:
            Exception: That of `refuse`: the version is another one.
        """
        if found != self.version:
            text = self.older if found < self.version else self.newer
            raise self.refuse(text.format(found=found, version=self.version))

    def reason(self, error: Exception) -> str:
        """Return what an error of `sqlite3` means, as the rest of a sentence."""
        name: str = getattr(error, "sqlite_errorname", "") or ""
        known = {**_REASONS, "SQLITE_NOTADB": self.foreign, **self.reasons}
        unknown = f"cannot be used ({name or type(error).__name__}: {error})"
        return next((text for start, text in known.items() if name.startswith(start)), unknown)


def identity(place: str | os.PathLike[str]) -> Identity | None:
    """Return device and inode of what is at a place now, of a link itself; `None` where nothing is."""
    try:
        return identity_of(os.lstat(place))
    except OSError:
        return None


def identity_of(found: os.stat_result) -> Identity:
    """Return device and inode of a file."""
    return found.st_dev, found.st_ino


def _is_mounted(path: Path) -> bool:
    """Tell whether a file is its own mount, as containers may have it."""
    if not _MOUNTS.exists():
        return False
    places = (line.split(" ")[4] for line in _MOUNTS.read_text("utf-8", "surrogateescape").splitlines())
    return str(path) in (place.replace("\\040", " ") for place in places)
