"""The SQLite file of a comparison: opened safely, by one process at a time, its failures in plain words.

It holds keys, digests, the place in the list, and values of the rows that differ.
"""

import os
import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import ClassVar, cast
from weakref import WeakSet

from .. import _json
from .._core.config.process import this_process
from .._private_files import create
from .._sqlite_files import HEAD, Guard, Identity, identity, identity_of
from ..errors import InvalidArgumentError, Outcome, SubscribekitError

APPLICATION_ID = 0x53424B52
"""SQLite's `application_id` of such a file: SBKR."""
_VERSION = 2
_TABLES = """
    CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE remote (
        key TEXT PRIMARY KEY, digest BLOB NOT NULL, given TEXT, identity TEXT, own TEXT
    ) WITHOUT ROWID;
    CREATE TABLE local (key TEXT PRIMARY KEY, row TEXT, number INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE open (key TEXT PRIMARY KEY, kind TEXT, found TEXT) WITHOUT ROWID;
"""


_OTHER_VERSION = "was written by another version of subscribekit; delete it, and read and compare again"
_REASONS = {
    "SQLITE_BUSY": "is used by another process",
    "SQLITE_LOCKED": "is used by another process",
    "SQLITE_FULL": "cannot be written, since the disk is full; run the same again when there is space",
    "SQLITE_CORRUPT": "is damaged; delete it and begin anew",
    "SQLITE_NOTADB": "is no file of a comparison",
}


class ReconcileError(SubscribekitError):
    """The file of a comparison cannot be used, or the two sides cannot be compared."""

    outcome: Outcome = "not_sent"


class _InUse:
    """The files that this process has open: closing a second descriptor would drop SQLite's lock of the first."""

    inodes: ClassVar[set[Identity]] = set()
    stores: ClassVar[WeakSet["Store"]] = WeakSet()

    @classmethod
    def before_fork(cls) -> None:
        """Close the files, which are opened again when they are used: a child must not hold SQLite's connections."""
        for store in list(cls.stores):
            store.rest()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_InUse.before_fork, after_in_child=_InUse.inodes.clear)


class Store:
    """The file.

    Args:
        path: Where it is; made for its owner alone when it is not there.
        what: Which comparison it belongs to.

    Raises:
        ReconcileError: It belongs to another comparison, is of another kind, or cannot be opened.
        InvalidArgumentError: It is no path of a file.
    """

    def __init__(self, path: str | os.PathLike[str], what: Sequence[object]) -> None:
        if not isinstance(path, str | os.PathLike) or not str(path) or str(path) == ":memory:":
            raise InvalidArgumentError("the first argument is the path of a file, such as 'nightly.db'")
        self.path = Path(path).expanduser().absolute()
        self._guard = Guard(
            refuse=self._error,
            foreign="is of another kind, and was not changed",
            sqlite_application_id=APPLICATION_ID,
            version=_VERSION,
            older=_OTHER_VERSION,
            newer=_OTHER_VERSION,
            reasons=_REASONS,
        )
        self._process = this_process()
        self._inode: Identity | None = None
        self._connection: sqlite3.Connection | None = None
        try:
            self.path = self.path.resolve()
            inode = self._made()
            self._claim(inode)
            self._guard.check(self.path, self._head)
            with self._translated():
                self._connection = self._open()
            self._check_what(what)
        except (OSError, RuntimeError) as error:  # the second for links that lead to themselves
            self.close()
            raise self._error(f"cannot be opened: {getattr(error, 'strerror', error)}") from None
        except BaseException:
            self.close()
            raise

    def _error(self, problem: str) -> ReconcileError:
        return ReconcileError(f"the file {self.path.name} {problem}")

    # Opening

    def _made(self) -> Identity:
        with suppress(FileExistsError):
            os.close(create(self.path))
        return identity_of(self.path.stat())

    def _claim(self, inode: Identity) -> None:
        if inode in _InUse.inodes:
            raise self._error("is open in this process already")
        _InUse.inodes.add(inode)
        _InUse.stores.add(self)
        self._inode = inode

    def _head(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(HEAD)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
        self._connection = connection
        # One process at a time: a second one would move the place in the list back.
        for pragma in ("locking_mode = EXCLUSIVE", "secure_delete = ON", "trusted_schema = OFF", "cache_size = -65536",
                       "temp_store = MEMORY"):  # fmt: skip
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN EXCLUSIVE")
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {_VERSION}")
        connection.execute("COMMIT")
        # From here on, so that the head of the file itself says what it is, also after a kill.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        self._guard.check_version(connection.execute("PRAGMA user_version").fetchone()[0])
        return connection

    def _check_what(self, what: Sequence[object]) -> None:
        wanted = _json.encode_stored(what).decode()
        known = self.get("what")
        if known not in (None, wanted):
            raise self._error(
                "belongs to another comparison (other list, filters, key, fields or environment); choose another file, "
                "or delete it to begin anew"
            )
        with self.write():
            self.put("what", wanted)

    # Using it

    @property
    def _open_connection(self) -> sqlite3.Connection:
        if self._inode is None:
            raise self._error("is closed")
        if this_process() != self._process:
            raise self._error("was opened before this process was forked; open it here")
        return self._connection or self._open()

    @contextmanager
    def _translated(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(self._guard.reason(error)) from None

    @contextmanager
    def write(self) -> Generator[None]:
        """Run a transaction: all of it is there afterwards, or nothing."""
        with self._translated():
            connection = self._open_connection
            is_busy = connection.in_transaction
            if is_busy:
                raise self._error("is being changed by another call, such as compare(); wait until that call ends")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._refuse_moved()
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _refuse_moved(self) -> None:
        if identity(self.path) != self._inode:
            raise self._error("was moved or replaced while it was open")

    def run(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run a statement; gives how many rows it changed."""
        with self._translated():
            return self._open_connection.execute(statement, values).rowcount

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> int:
        """Run a statement for each row; gives how many rows were changed."""
        with self._translated():
            return self._open_connection.executemany(statement, rows).rowcount

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Give the rows of a query."""
        with self._translated():
            return self._open_connection.execute(statement, values).fetchall()

    def numbers(self, statement: str) -> list[int]:
        """Give the only row of a query of numbers."""
        (row,) = cast("list[tuple[int, ...]]", self.rows(statement))
        return list(row)

    def pages(self, columns: str, condition: str, size: int) -> Iterator[list[tuple[object, ...]]]:
        """Give rows of a query in lists by key, each read anew: rows may change in between."""
        last = ""
        while found := self.rows(f"SELECT {columns} {condition} AND key > ? ORDER BY key LIMIT {size}", (last,)):
            last = str(found[-1][0])
            yield found

    def get(self, name: str) -> str | None:
        """Give a part of the state."""
        found = self.rows("SELECT value FROM state WHERE name = ?", (name,))
        return str(found[0][0]) if found else None

    def put(self, name: str, value: str | None) -> None:
        """Change a part of the state, within `write`."""
        if value is None:
            self.run("DELETE FROM state WHERE name = ?", (name,))
        else:
            self.run("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    def reset(self) -> None:
        """Remove everything, and write the file anew so that nothing is left of it."""
        with self.write():
            for table in ("remote", "local", "open"):
                self.run(f"DELETE FROM {table}")  # noqa: S608
            self.run("DELETE FROM state WHERE name <> 'what'")
        self.run("VACUUM")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def rest(self) -> None:
        """Close the connection unless it is in a transaction; the next statement opens it again."""
        if self._connection is not None and not self._connection.in_transaction:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Close the file; a copy in a forked child is left alone."""
        if this_process() != self._process or self._inode is None:
            return
        if self._connection is not None:
            self._connection.close()
        self._connection, inode, self._inode = None, self._inode, None
        _InUse.inodes.discard(inode)
