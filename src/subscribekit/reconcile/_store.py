"""The SQLite file of a reconciliation, which only one process at a time can open.

The file contains keys, digests, the position in the list, and the values of the rows that differ.
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
"""The `application_id` in the header of the SQLite file. The bytes are SBKR in ASCII."""
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
    "SQLITE_FULL": "can't be written, because the disk is full; free some space and run the comparison again",
    "SQLITE_CORRUPT": "is damaged; delete it, and read and compare again",
    "SQLITE_NOTADB": "isn't the file of a comparison",
}


class ReconcileError(SubscribekitError):
    """The file of a comparison can't be used, or your table can't be compared with the service's list."""

    outcome: Outcome = "not_sent"


class _InUse:
    """The files that this process has open.

    If a process opened a file twice, closing one descriptor would release the lock that SQLite holds with the other
    descriptor.
    """

    inodes: ClassVar[set[Identity]] = set()
    stores: ClassVar[WeakSet["Store"]] = WeakSet()

    @classmethod
    def before_fork(cls) -> None:
        """Close the files, because a child process must not inherit SQLite's connections.

        In the parent process, the next SQL statement after the fork opens the file again.
        """
        for store in list(cls.stores):
            store.rest()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_InUse.before_fork, after_in_child=_InUse.inodes.clear)


class Store:
    """The file of a comparison.

    Args:
        path: The path of the file. A new file gets mode 0600.
        definition: The values that identify the comparison.

    Raises:
        ReconcileError: The file belongs to another comparison, is another kind of file, or can't be opened.
        InvalidArgumentError: `path` isn't the path of a file.
    """

    def __init__(self, path: str | os.PathLike[str], definition: Sequence[object]) -> None:
        if not isinstance(path, str | os.PathLike) or not str(path) or str(path) == ":memory:":
            raise InvalidArgumentError("path must be the path of a file, such as 'nightly.db'")
        self.path = Path(path).expanduser().absolute()
        self._guard = Guard(
            refuse=self._error,
            foreign="isn't the file of a comparison; it was not changed",
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
            self._check_definition(definition)
        except (OSError, RuntimeError) as error:  # `Path.resolve` raises RuntimeError for a symlink loop
            self.close()
            raise self._error(f"can't be opened: {getattr(error, 'strerror', error)}") from None
        except BaseException:
            self.close()
            raise

    def _error(self, problem: str) -> ReconcileError:
        return ReconcileError(f"the file {self.path.name} {problem}")

    def _made(self) -> Identity:
        with suppress(FileExistsError):
            os.close(create(self.path))
        return identity_of(self.path.stat())

    def _claim(self, inode: Identity) -> None:
        if inode in _InUse.inodes:
            raise self._error("is already open in this process; close the other comparison first")
        _InUse.inodes.add(inode)
        _InUse.stores.add(self)
        self._inode = inode

    def _head(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(HEAD)

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
        self._connection = connection
        # Lock the file, because a second process could move the stored position back.
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
        # Switch to WAL mode after the first commit, so that the file itself contains the application ID after a crash.
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        self._guard.check_version(connection.execute("PRAGMA user_version").fetchone()[0])
        return connection

    def _check_definition(self, definition: Sequence[object]) -> None:
        own = _json.encode_stored(definition).decode()
        stored = self.get("what")
        if stored not in (None, own):
            raise self._error(
                "belongs to another comparison (another list, filter, key, field, or environment); use another file, "
                "or delete this file to start again"
            )
        with self.write():
            self.put("what", own)

    @property
    def _open_connection(self) -> sqlite3.Connection:
        if self._inode is None:
            raise self._error("is closed")
        if this_process() != self._process:
            raise self._error("was opened before this process was forked; create the comparison again in this process")
        return self._connection or self._open()

    @contextmanager
    def _translated(self) -> Generator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._error(self._guard.reason(error)) from None

    @contextmanager
    def write(self) -> Generator[None]:
        """Run a database transaction, which stores all of its changes or none of them."""
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
            raise self._error("was moved or replaced while this process used it; run the comparison again")

    def run(self, statement: str, values: Sequence[object] = ()) -> int:
        """Run a statement, and return the number of changed rows."""
        with self._translated():
            return self._open_connection.execute(statement, values).rowcount

    def run_many(self, statement: str, rows: Iterable[Sequence[object]]) -> int:
        """Run a statement for each row, and return the number of changed rows."""
        with self._translated():
            return self._open_connection.executemany(statement, rows).rowcount

    def rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Return the rows of a query."""
        with self._translated():
            return self._open_connection.execute(statement, values).fetchall()

    def numbers(self, statement: str) -> list[int]:
        """Return the numbers in the only row of a query's result."""
        (row,) = cast("list[tuple[int, ...]]", self.rows(statement))
        return list(row)

    def pages(self, columns: str, condition: str, size: int) -> Iterator[list[tuple[object, ...]]]:
        """Return the rows of a query in lists, ordered by key. Between two lists, the caller can change the table."""
        last = ""
        while found := self.rows(f"SELECT {columns} {condition} AND key > ? ORDER BY key LIMIT {size}", (last,)):
            last = str(found[-1][0])
            yield found

    def get(self, name: str) -> str | None:
        """Return a value of the table `state`, or `None` if the table doesn't contain the name."""
        found = self.rows("SELECT value FROM state WHERE name = ?", (name,))
        return str(found[0][0]) if found else None

    def put(self, name: str, value: str | None) -> None:
        """Set a value in the table `state`, or remove it if `value` is `None`. Call this method only within `write`."""
        if value is None:
            self.run("DELETE FROM state WHERE name = ?", (name,))
        else:
            self.run("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))

    def reset(self) -> None:
        """Remove all data, and rewrite the file so that the file contains no deleted values."""
        with self.write():
            for table in ("remote", "local", "open"):
                self.run(f"DELETE FROM {table}")  # noqa: S608
            self.run("DELETE FROM state WHERE name <> 'what'")
        self.run("VACUUM")
        self.rows("PRAGMA wal_checkpoint(TRUNCATE)")

    def rest(self) -> None:
        """Close the connection, unless a transaction is open. The next SQL statement opens the connection again."""
        if self._connection is not None and not self._connection.in_transaction:
            self._connection.close()
            self._connection = None

    def close(self) -> None:
        """Close the file, except in a forked child."""
        if this_process() != self._process or self._inode is None:
            return
        if self._connection is not None:
            self._connection.close()
        self._connection, inode, self._inode = None, self._inode, None
        _InUse.inodes.discard(inode)
