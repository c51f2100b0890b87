"""The ledger's file below SQLAlchemy, with switch points, with commits that fail, and with processes that die in them.

The connections of all simulated processes belong to one real process. SQLite keeps their locks apart, but a thread that
waits in SQLite would keep the turn, so a writer waits for the lock of the file here.
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
"""Statements that write without a transaction of their own, and so wait for other writers."""
_BUSY_SECONDS = 20.0
"""Seconds that SQLite waits for another writer, as the ledger asks for."""


class Disk:
    """Decides what becomes of each commit.

    Args:
        scheduler: Passes the turn.
        faults: Decides which commits fail.
        group: Returns the process that has the turn.
        kill: Lets a process die.
        committed: Is called after each commit that changed the file.
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
        """Let SQLAlchemy open each file through this disk."""
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
            sqlite3.OperationalError: Another writer takes too long.
        """
        self._scheduler.switch("begin")
        if not self._scheduler.wait("busy", lambda: self._writer is None, _BUSY_SECONDS):
            self._scheduler.note("the ledger is busy")
            raise _failure("database is locked", "SQLITE_BUSY")
        self._writer = connection

    @contextmanager
    def alone(self, connection: Connection) -> Generator[None]:
        """Keep other writers out for one statement."""
        self.begin(connection)
        try:
            yield
        finally:
            self.release(connection, has_changed=False)

    def commit(self, connection: Connection) -> None:
        """Commit, fail before or after it, or let the process die before, in, or after it.

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
        """Let the next writer begin."""
        if self._writer is connection:
            self._writer = None
        if has_changed:
            self._committed()


class Cursor(sqlite3.Cursor):
    """Sees each statement before SQLite does."""

    connection: Connection

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if sql.startswith("BEGIN IMMEDIATE"):
            self.connection.disk.begin(self.connection)
        elif sql.startswith(_ALONE) and not self.connection.in_transaction:
            with self.connection.disk.alone(self.connection):
                return super().execute(sql, *parameters)
        return super().execute(sql, *parameters)


class Connection(sqlite3.Connection):
    """One connection of a simulated process."""

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
        """Close it as the system does for a process that died: what wasn't committed is rolled back."""
        self.undo()
        self.close()


class Statements(dict[tuple[Any, ...], Any]):
    """Compiled statements of all engines, which have equal dialects: compiling takes a third of the time of a seed."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(key[1:], default)  # without the dialect

    def __setitem__(self, key: tuple[Any, ...], value: Any) -> None:
        super().__setitem__(key[1:], value)


_COMPILED = Statements()


def _share_compiled(connection: sa.Connection) -> None:
    connection.execution_options(compiled_cache=_COMPILED)


def _failure(text: str, name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(text)
    error.sqlite_errorname = name
    return error
