"""Checks the files of a SQLite ledger before SQLite opens them, and compares them while they're open.

A ledger consists of a database file and its `-wal` file, which contains the newest commits. SQLite finds the `-wal` by
the name of the database. If the database was moved, copied, or restored, SQLite finds another `-wal` or none, so the
record of sent items is missing. Therefore, the database contains a mark that identifies its `-wal`. The mark exists
from the first sent item until the last process closes the ledger. The SDK must read the mark before SQLite opens the
`-wal`, so the mark is in the header of the database. The upper bits of the header field `user_version` contain this
mark, and the lower bits contain the version of the ledger.

Only the database contains the mark. The `-wal` contains a copy of the header page without the mark. When the last
connection of all processes closes, SQLite copies the header page into the database and deletes the `-wal`. The last
program that closes the ledger therefore removes the mark, even if this program doesn't use the SDK. If a process is
killed, the mark and the `-wal` stay.
"""

import hashlib
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

import sqlalchemy as sa

from ..._sqlite_files import Guard, Identity, identity
from ...errors import LedgerError
from . import files
from .schema import APPLICATION_ID, VERSION

Opened: TypeAlias = tuple[Identity | None, Identity | None]
"""The identities of the `-wal` and the `-shm` file that a connection has opened."""

_VERSION_BITS = 8
_MARK_BITS = 23  # `user_version` is a signed number of 32 bits
_COMPARISONS = 5
"""Maximum number of comparisons of a mark with its `-wal`. A comparison is repeated if the two don't match, because
another process may be changing both of them."""
LONG_LOG = 2 * 1024 * 1024
"""The size of a `-wal` file, in bytes, at which the SDK runs a checkpoint. SQLite itself would run a checkpoint only
at 4 MB."""
_MISSING = "the folder doesn't contain that file"
_DIFFERENT = "the folder contains a different file with that name"
_MORE_LOG = 1024 * 1024
"""The number of bytes by which a `-wal` file grows before the next SQLite checkpoint, if a reader prevented SQLite from
emptying the file."""


def guard_of(name: str) -> Guard:
    """Return a guard that checks the files of a ledger. The guard's errors contain `name`, the name of the ledger."""
    return Guard(
        refuse=lambda problem: LedgerError(f"{name} {problem}"),
        foreign="isn't a ledger; it was not changed",
        sqlite_application_id=APPLICATION_ID,
        version=VERSION,
        older="has version {found}, but this version of subscribekit needs version {version}; finish the run with the "
        "version of subscribekit that wrote it. Nothing was sent",
        newer="has version {found}, but this version of subscribekit supports version {version}; update subscribekit. "
        "Nothing was sent",
        reasons={"SQLITE_NOTADB": "isn't a ledger"},
    )


def version_in(number: int) -> int:
    """Return the version of the ledger from `user_version`, which may also contain a mark."""
    return number & (1 << _VERSION_BITS) - 1


def _mark_of(opened: Opened | None) -> int:
    """Return the mark that names a `-wal` by its device and inode; 0 if there is no `-wal`."""
    log = None if opened is None else opened[0]
    if log is None:
        return 0
    return int.from_bytes(hashlib.sha256(b"%d %d" % log).digest()) % ((1 << _MARK_BITS) - 1) + 1


class LedgerFiles:
    """The database of a ledger, its `-wal`, and its `-shm`.

    Args:
        given: The absolute path of the database. Symbolic links are resolved only once, in this class.
        name: The name of the ledger in errors.
        accept_moved: Whether to replace the mark of another `-wal` instead of refusing the file.

    Raises:
        LedgerError: The file isn't a ledger, or its mark doesn't match the `-wal` in the same folder.
        OSError: The file can't be opened.
    """

    def __init__(self, given: Path, name: str, *, accept_moved: bool) -> None:
        self.path: Path = given.resolve()
        self._given, self._name, self._accepts_moved = str(given), name, accept_moved
        self._place = str(self.path)
        self._log, self._index = f"{self.path}-wal", f"{self.path}-shm"
        self._is_changed = self.is_marking = False
        self._longest_log = LONG_LOG
        self._refuse_lonely_log()
        self._file = files.hold(self.path)
        try:
            self._refuse_foreign()
            self._refuse_moved()
        except BaseException:
            files.release(self._file)
            raise
        self._identity = self._file.identity

    def release(self) -> None:
        """Close the database file. Call this method after SQLite has closed the file."""
        files.release(self._file)

    # Before opening

    def _refuse_lonely_log(self) -> None:
        """Refuse a `-wal` without its database, because SQLite would delete it and create a new database (H231)."""
        has_log = identity(self._log) is not None
        if has_log and (not self.path.exists() or not self.path.stat().st_size):
            log = f"{self.path.name}-wal"
            raise LedgerError(
                f"{self._name} is missing or empty, but its folder contains {log} of a moved ledger; put the ledger "
                f"back, or, to start a new ledger, delete {log}"
            )

    def _refuse_foreign(self) -> None:
        files.refuse_foreign(self._file, self._name)
        guard_of(self._name).check(self.path, self._file.head)

    def _refuse_moved(self) -> None:
        """Refuse a `-wal` that is missing or doesn't match the mark, because SQLite would use another `-wal`."""
        # Read the mark after the `-wal`, because the last process removes the mark before it deletes the `-wal`.
        found = self.opened()
        for _ in range(_COMPARISONS):
            if self._accepts_moved or not self.names_another(found):
                return
            time.sleep(0.02)
            found = self.opened()
        raise self._moved(_MISSING if found[0] is None else _DIFFERENT)

    def _mark(self) -> int:
        """Return the mark in the database file, or 0 if there is no mark. Pages in the `-wal` are ignored."""
        return int.from_bytes(self._file.head()[60:64]) >> _VERSION_BITS

    def _moved(self, found: str) -> LedgerError:
        log = f"{self.path.name}-wal"
        return LedgerError(
            f"{self._name} was not closed after the last send and needs its original {log}, but {found}; nothing was "
            f"sent. Put the original -wal file into the folder of the ledger, because without that file, sent items "
            f"are sent again. If the ledger is complete, for example because both files were copied together after a "
            f"crash, pass accept_moved=True (bulk resume --accept-moved)"
        )

    # While open

    def opened(self) -> Opened:
        """Return the identities of the `-wal` and the `-shm` that a connection has just opened."""
        return identity(self._log), identity(self._index)

    def refuse_changed(self, opened: Opened | None) -> None:
        """Refuse to continue if the mark or one of the three files has changed (H148, H231, H383, H384).

        Args:
            opened: The files that the connection opened; `None` if the connection found no `-wal`.

        Raises:
            LedgerError: A file is missing or was replaced, or the path leads to another file. All later calls of this
                method fail too, because another connection may have opened a wrong file.
        """
        is_elsewhere = os.path.realpath(self._given) != self._place or identity(self._place) != self._identity
        if self._is_changed or is_elsewhere:
            self._is_changed = True
            raise LedgerError(
                f"{self._name} was moved, removed, or replaced while it was open; put it back with its -wal, because "
                f"otherwise sent items are sent again"
            )
        if opened is None:
            return
        for suffix, known, found in zip(("wal", "shm"), opened, self.opened(), strict=True):
            if known is None or found != known:
                self._is_changed = True
                raise LedgerError(
                    f"{self._name} is incomplete, because {self.path.name}-{suffix} was removed or replaced while it "
                    f"was open; put the original file back"
                )
        if self.names_another(opened) and not self._accepts_moved:
            raise self._moved(_DIFFERENT)

    # The mark

    def names_another(self, opened: Opened | None) -> bool:
        """Whether the database has a mark that doesn't match the `-wal` that a connection opened."""
        return self._mark() not in (0, _mark_of(opened))

    def is_marked(self, opened: Opened) -> bool:
        """Whether the database file itself contains the mark of the `-wal` that a connection opened."""
        return self._mark() == _mark_of(opened) and not self.is_marking

    def has_long_log(self, opened: Opened) -> bool:
        """Whether the database has a mark, and its `-wal` is so long that it should be copied into the database."""
        return self._log_size() > self._longest_log and self.is_marked(opened)

    def _log_size(self) -> int:
        try:
            return os.stat(self._log).st_size  # noqa: PTH116  `Path` is slower, and this runs at each commit
        except OSError:
            return 0

    @contextmanager
    def marking(self, connection: sa.Connection, opened: Opened) -> Generator[None]:
        """Set the mark during a `with` block, so that a checkpoint in the block writes the mark into the database.

        Args:
            connection: A connection outside a transaction.
            opened: The files that the connection opened.
        """
        # The cursor has no open transaction, so each of its statements is committed immediately.
        cursor = connection.connection.cursor()
        self.is_marking = True  # if a statement fails, this stays `True`, so that the next commit writes the mark
        try:
            cursor.execute(f"PRAGMA user_version = {_mark_of(opened) << _VERSION_BITS | VERSION}")
            yield
        finally:
            cursor.execute(f"PRAGMA user_version = {VERSION}")
        cursor.close()
        self.is_marking = self._accepts_moved = False
        self._longest_log = max(LONG_LOG, self._log_size() + _MORE_LOG)
