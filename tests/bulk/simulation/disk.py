"""The ledger's file below SQLAlchemy, with switch points, failing commits, and processes that die during a commit.

The connections of all simulated processes belong to one real process. SQLite keeps their locks apart. But a thread that
waits inside SQLite would keep the turn, so writers wait for the lock of the file here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event

from .faults import Faults
from .scheduler import Group, Scheduler

_ALONE = ("PRAGMA user_version =", "PRAGMA wal_checkpoint", "VACUUM")
"""Statements that write without an explicit transaction, and therefore wait for other writers."""
_BUSY_SECONDS = 20.0
"""Seconds that SQLite waits for another writer, as the ledger configures it."""


class Disk:
    """Decides whether each commit succeeds, fails, or kills its process.

    Args:
        scheduler: Passes the turn.
        faults: Decides which commits fail.
        group: Returns the process that has the turn.
        kill: Kills a process.
        committed: Called after each commit that changed the file.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        faults: Faults,
        group: Callable[[], Group],
        kill: Callable[[Group], None],
        committed: Callable[[], None],
    ) -> None:
        self._scheduler, self._faults, self._group = scheduler, faults, group
        self._kill_group, self._committed = kill, committed
        self._writer: Connection | None = None

    @contextmanager
    def used(self) -> Generator[None]:
        """Make SQLAlchemy open all files through this object."""
        event.listen(sa.Engine, "do_connect", self._connect)
        event.listen(sa.Engine, "engine_connect", _share_compiled)
        try:
            yield
        finally:
            event.remove(sa.Engine, "engine_connect", _share_compiled)
            event.remove(sa.Engine, "do_connect", self._connect)

    def _connect(self, dialect: object, record: object, arguments: list[Any], options: dict[str, Any]) -> None:
        options["factory"] = self._open

    def _open(self, *arguments: Any, **options: Any) -> Connection:
        connection = Connection(*arguments, **options)
        connection.disk, connection.group = self, self._group()
        connection.group.at_death.append(connection.drop)
        return connection

    def is_writer(self, connection: Connection) -> bool:
        """Whether a connection has the write lock of the file."""
        return self._writer is connection

    def begin(self, connection: Connection) -> None:
        """Wait for the other writers of the file, as `BEGIN IMMEDIATE` does.

        Raises:
            sqlite3.OperationalError: Another writer took too long.
        """
        self._scheduler.switch("begin")
        if not self._scheduler.wait("busy", lambda: self._writer is None, _BUSY_SECONDS):
            self._scheduler.note("the ledger is busy")
            raise _failure("database is locked", "SQLITE_BUSY")
        self._writer = connection

    @contextmanager
    def alone(self, connection: Connection) -> Generator[None]:
        """Exclude other writers during one statement."""
        self.begin(connection)
        try:
            yield
        finally:
            self.release(connection, has_changed=False)

    def commit(self, connection: Connection) -> None:
        """Commit, fail before or after the commit, or kill the process before, during, or after it.

        Raises:
            sqlite3.OperationalError: The commit failed, or seems to have failed.
        """
        group = connection.group
        self._scheduler.switch("commit")
        if not group.is_busy:
            connection.do()
            return
        if self._faults.strike("commit fails before"):
            connection.undo()
            raise _failure("database or disk is full", "SQLITE_FULL")
        if self._faults.strike("killed before commit"):
            self._kill(group)
        if self._faults.strike("killed in commit"):
            if self._faults.random.random() < 0.5:
                connection.do()
            self._kill(group)
        connection.do()
        if self._faults.strike("killed after commit"):
            self._kill(group)
        if self._faults.strike("commit fails after"):
            raise _failure("disk I/O error", "SQLITE_IOERR_FSYNC")
        self._scheduler.switch("committed")

    def _kill(self, group: Group) -> None:
        self._kill_group(group)
        self._scheduler.switch("killed")

    def release(self, connection: Connection, *, has_changed: bool) -> None:
        """Release the lock for the next writer."""
        if self._writer is connection:
            self._writer = None
        if has_changed:
            self._committed()


class Cursor(sqlite3.Cursor):
    """A cursor that receives each statement before SQLite does."""

    connection: Connection

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql.startswith("BEGIN IMMEDIATE"):
            self.connection.disk.begin(self.connection)
        elif sql.startswith(_ALONE) and not self.connection.in_transaction:
            with self.connection.disk.alone(self.connection):
                return super().execute(sql, *parameters)
        return super().execute(sql, *parameters)


class Connection(sqlite3.Connection):
    """A connection of a simulated process."""

    disk: Disk
    group: Group

    def cursor(self, factory: Any = Cursor) -> Any:
        return super().cursor(factory)

    def commit(self) -> None:
        if self.disk.is_writer(self):
            self.disk.commit(self)
        else:
            super().commit()

    def rollback(self) -> None:
        self.undo()

    def do(self) -> None:
        """Commit in SQLite."""
        super().commit()
        self.disk.release(self, has_changed=True)

    def undo(self) -> None:
        """Roll back in SQLite."""
        super().rollback()
        self.disk.release(self, has_changed=False)

    def close(self) -> None:
        self.disk.release(self, has_changed=False)
        if self.drop in self.group.at_death:
            self.group.at_death.remove(self.drop)
        super().close()

    def drop(self) -> None:
        """Close the connection as the system does for a dead process, which rolls back uncommitted changes."""
        self.undo()
        self.close()


class Statements(dict[tuple[Any, ...], Any]):
    """A cache of compiled statements for all engines, because compiling takes a third of the time of a seed."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(key[1:], default)  # the first part of the key is the dialect, which is always equal

    def __setitem__(self, key: tuple[Any, ...], value: Any) -> None:
        super().__setitem__(key[1:], value)


_COMPILED = Statements()


def _share_compiled(connection: sa.Connection) -> None:
    connection.execution_options(compiled_cache=_COMPILED)


def _failure(text: str, name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorname = name
    return error
