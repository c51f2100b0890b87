"""Opens the database of a ledger, runs its transactions, and converts database errors to `LedgerError`."""

import os
import sqlite3
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import event, exc
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from ..._sealed import Sealed
from ..._sqlite_files import Guard
from ...errors import ConfigurationError, LedgerError
from .._sending.runtime import SYSTEM_RUNTIME, Runtime
from . import files
from .identity import LONG_LOG, LedgerFiles, Opened, guard_of, version_in
from .schema import APPLICATION_ID, VERSION, ledger, metadata

_CHECKED_SIZE = 64 * 1024 * 1024
"""Size in bytes up to which a file is checked completely when it's opened."""
BUSY_SECONDS = 20.0
"""Seconds that a writer waits for the writers of other processes."""
_CONNECT = {
    "client_encoding": "utf8", "connect_timeout": 20, "keepalives_idle": 15, "keepalives_interval": 5,
    "keepalives_count": 3, "tcp_user_timeout": 30_000, "prepare_threshold": None,
}  # fmt: skip
"""Parameters of a connection to PostgreSQL, which apply unless the URL sets them. Prepared statements are off, because
they belong to a session, and a connection pooler can run each transaction in another session."""
_BEFORE_WRITING = """
SELECT current_setting('fsync'), set_config('synchronous_commit', 'on', true),
    set_config('idle_in_transaction_session_timeout', '{idle}', true)
"""
"""The settings of each transaction that writes.

The settings of the session aren't enough, because a configuration reload or another user of a connection pooler can
change them (H230). After the timeout, the server ends the transaction of a suspended process or a dead machine (H166).
"""
_WRITING = "subscribekit_writing"
_OPENED = "subscribekit_opened"
_NEEDS_MARK = "subscribekit_needs_mark"


class Database:
    """A SQLite file or a PostgreSQL database that contains one ledger.

    Args:
        place: A file path, or a URL `postgresql+psycopg://...`, which may contain a password.
        runtime: The clock, threads, and locks of the run.
        accept_moved: Whether to accept a file that wasn't closed after the last send, and whose `-wal` file is missing
            or was replaced.

    Raises:
        LedgerError: The file or database can't be opened, is locked, or is damaged. The SDK also raises `LedgerError`
            if the file or database isn't a ledger, was moved, or has another version.
        ConfigurationError: `place` is neither a path nor a PostgreSQL URL.
    """

    def __init__(
        self,
        place: Sealed[str | os.PathLike[str]],
        runtime: Runtime = SYSTEM_RUNTIME,
        *,
        accept_moved: bool = False,
    ) -> None:
        if not isinstance(place.reveal(), str | os.PathLike) or not str(place.reveal()):
            raise ConfigurationError("ledger must be a file path or a PostgreSQL URL")
        text = _path_in(place)
        self.is_sqlite: bool = text is not None
        self.runtime: Runtime = runtime
        self._writing = runtime.lock()
        self._is_closed = False
        if text is not None:
            self.path = Path(text.removeprefix("sqlite:///")).expanduser().absolute()
            self.name: str = f"the ledger {self.path.name}"
            if text == ":memory:" or text.startswith("file:"):
                raise ConfigurationError("ledger must be stored on disk; pass a file path")
            self.engine: sa.Engine = self._open_file(accept_moved=accept_moved)
        else:
            self.engine = self._open_server(place)
        try:
            with self.translated():
                self._prepare()
        except BaseException:
            self.close()
            raise

    # Opening

    def _open_file(self, *, accept_moved: bool) -> sa.Engine:
        try:
            self._files = LedgerFiles(self.path, self.name, accept_moved=accept_moved)
        except (OSError, RuntimeError) as error:  # Python raises RuntimeError for a symlink loop
            raise LedgerError(f"{self.name} can't be opened: {getattr(error, 'strerror', error)}") from None
        # Use the resolved path, so that a symbolic link that is changed later can't lead to another file.
        self.path = self._files.path
        engine = sa.create_engine(
            sa.URL.create("sqlite", database=str(self.path)),
            connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
            hide_parameters=True,
            pool_reset_on_return="rollback",
        )
        event.listen(engine, "connect", self._set_up_sqlite)
        event.listen(engine, "begin", self._begin_sqlite)
        files.share(engine)
        return engine

    def _set_up_sqlite(self, connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
        # Prevent the sqlite3 module from starting transactions, because `_begin_sqlite` starts them.
        connection.isolation_level = None
        cursor = connection.cursor()
        for pragma in (
            "synchronous = FULL", "secure_delete = ON", "trusted_schema = OFF", "fullfsync = ON",
            "checkpoint_fullfsync = ON", f"journal_size_limit = {LONG_LOG}",
        ):  # fmt: skip
            cursor.execute(f"PRAGMA {pragma}")
        cursor.execute("PRAGMA journal_mode")  # this statement makes SQLite open the -wal file
        if cursor.fetchone() == ("wal",):
            record.info[_OPENED] = self._files.opened()
        cursor.close()

    def _begin_sqlite(self, connection: sa.Connection) -> None:
        # Lock the database at the start of a transaction that writes, because a first write after a read could fail.
        options = connection.get_execution_options()
        if options.get("isolation_level") == "AUTOCOMMIT":
            return
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(_WRITING) else "BEGIN")
        if options.get(_WRITING):
            self._files.refuse_changed(connection.info.get(_OPENED))

    def _open_server(self, place: Sealed[str | os.PathLike[str]]) -> sa.Engine:
        try:
            url = Sealed[sa.URL].of(lambda: sa.make_url(os.fspath(place.reveal())))
        except (exc.ArgumentError, ValueError):
            url = None
        if url is None:  # this error is raised outside the handler, because the handled error may contain the URL
            raise ConfigurationError("ledger isn't a valid URL; write postgresql+psycopg://user@host/name")
        if url.reveal().drivername not in ("postgresql", "postgresql+psycopg"):
            raise ConfigurationError("ledger must be a file path or a URL that starts with postgresql+psycopg://")
        self.name = f"the ledger {url.reveal().database or 'postgres'} on {url.reveal().host or 'this machine'}"
        try:
            engine = sa.create_engine(
                url.reveal().set(drivername="postgresql+psycopg"), hide_parameters=True, pool_pre_ping=True,
                max_overflow=10,
                isolation_level="READ COMMITTED",  # the server's default isolation level may differ
                connect_args={name: value for name, value in _CONNECT.items() if name not in url.reveal().query},
            )  # fmt: skip
        except ImportError:
            raise ConfigurationError(
                "a ledger on PostgreSQL requires the 'postgres' extra; run: pip install 'subscribekit[postgres]'"
            ) from None
        event.listen(engine, "begin", self._begin_postgresql)
        return engine

    def _begin_postgresql(self, connection: sa.Connection) -> None:
        """Make the commit wait until the data is on disk, regardless of the server's settings."""
        if not connection.get_execution_options().get(_WRITING):
            return
        row = connection.exec_driver_sql(_BEFORE_WRITING.format(idle=round(BUSY_SECONDS * 1000))).one()
        if row[0] != "on":
            raise LedgerError(
                f"the server has fsync={row[0]}, so {self.name} could lose the record of sent items in a crash; set "
                f"fsync = on in the configuration of the server"
            )

    def _prepare(self) -> None:
        """Create the tables if there are none, and refuse a database that isn't a ledger of this version."""
        with self.write() as connection:
            self.lock_ledger(connection)
            if self.is_sqlite:
                self._prepare_sqlite(connection)
            else:
                self._refuse_encoding(connection)
                self._prepare_server(connection)
        if self.is_sqlite:
            self._use_wal()

    def _refuse_encoding(self, connection: sa.Connection) -> None:
        """Refuse an encoding that can't store every character, because every outcome must be stored (H169)."""
        encoding = connection.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise LedgerError(
                f"{self.name} needs the encoding UTF8, which can store every character; create a database with the "
                f"encoding UTF8 instead of {encoding}"
            )

    def _prepare_sqlite(self, connection: sa.Connection) -> None:
        objects = set(connection.execute(sa.text("SELECT type, name FROM sqlite_master")))
        if not objects:
            metadata.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
            return
        number = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        self.refuse_other_version(version_in(number))
        # If a process was killed while it wrote the mark, the `user_version` that SQLite reads contains the mark.
        if number != VERSION:
            connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
        if self._files.names_another(connection.info.get(_OPENED)):  # only accept_moved=True allows another -wal file
            self.require_mark(connection)
        tables = {name for kind, name in objects if kind == "table"}
        if {kind for kind, _ in objects} - {"table", "index"} or not metadata.tables.keys() <= tables:
            raise LedgerError(f"{self.name} isn't a ledger, or it's damaged")
        is_small = self.path.stat().st_size <= _CHECKED_SIZE
        if is_small and connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() != "ok":
            raise LedgerError(f"{self.name} is damaged")

    def _prepare_server(self, connection: sa.Connection) -> None:
        if sa.inspect(connection).has_table(ledger.name):
            for version in connection.execute(sa.select(ledger.c.version)).scalars():
                self.refuse_other_version(version)
        metadata.create_all(connection)

    def _use_wal(self) -> None:
        for _ in self._tries():  # to change the journal mode, SQLite needs exclusive access, and doesn't wait for it
            try:
                with self._transaction(), self.engine.connect() as connection:
                    if _OPENED in connection.info:
                        return
                    connection.execution_options(isolation_level="AUTOCOMMIT")
                    is_done = connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar_one() == "wal"
                if is_done:
                    self.engine.dispose()  # close the connection, because it may have opened another -wal file
                    return
            except exc.OperationalError as error:
                if "locked" not in str(error.orig):
                    raise
        raise LedgerError(f"{self.name} is locked by another program; close that program and try again")

    def _tries(self) -> Iterator[None]:
        """Yield for `BUSY_SECONDS`, once for each attempt at an operation for which SQLite itself doesn't wait."""
        deadline = self.runtime.running_time() + BUSY_SECONDS
        yield
        while self.runtime.running_time() < deadline:
            self.runtime.sleep(0.02)
            yield

    def lock_ledger(self, connection: sa.Connection) -> None:
        """Lock the ledger, so that no other process can open it or add items until the transaction ends.

        On SQLite, each transaction that writes locks the ledger anyway.
        """
        if not self.is_sqlite:
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(APPLICATION_ID)))

    def refuse_other_version(self, version: int) -> None:
        """Refuse a ledger that an earlier or a later version of the SDK wrote.

        Raises:
            LedgerError: Another version of the SDK wrote the ledger.
        """
        self._guard.check_version(version)

    # Using the database

    @property
    def _guard(self) -> Guard:
        return guard_of(self.name)

    @contextmanager
    def translated(self) -> Generator[None]:
        """Convert database errors to `LedgerError`, and leave the written values out of the message (H28)."""
        try:
            yield
        except (exc.SQLAlchemyError, sqlite3.Error) as error:
            failure = LedgerError(f"{self.name} {_reason(self._guard, error)}")
        else:
            return
        raise failure

    @contextmanager
    def write(self) -> Generator[sa.Connection]:
        """Run a transaction that writes. The threads of a process wait for a Python lock, not for SQLite's lock."""
        with self._writing, self._transaction(), self.translated(), self.engine.connect() as connection:
            writing = connection.execution_options(**{_WRITING: True})
            with writing.begin():
                yield writing
            if self.is_sqlite:
                self._after_commit(writing)  # check the files before the claimed items are sent

    def require_mark(self, connection: sa.Connection) -> None:
        """Make the commit of the transaction write the identity of the `-wal` file into the database.

        Without the identity, a database that is moved away from its `-wal` file looks like a complete older ledger
        (H383).
        """
        if self.is_sqlite:
            connection.info[_NEEDS_MARK] = True

    def _after_commit(self, connection: sa.Connection) -> None:
        opened = connection.info.get(_OPENED)
        needs_mark = connection.info.pop(_NEEDS_MARK, False)
        self._files.refuse_changed(opened)
        if opened is not None and self._files.has_long_log(opened):
            with self._files.marking(connection, opened):
                _checkpoint(connection, "PASSIVE")
        if opened is not None and needs_mark and not self._files.is_marked(opened):
            self._write_mark(connection, opened)

    def _write_mark(self, connection: sa.Connection, opened: Opened) -> None:
        for _ in self._tries():
            with self._files.marking(connection, opened):
                _checkpoint(connection, "FULL")
            if self._files.is_marked(opened):
                return
        raise LedgerError(
            f"{self.name} is being read by another program, so the SDK can't update the ledger file; nothing more was "
            f"sent. Close the other program, and resume the run"
        )

    @contextmanager
    def read(self) -> Generator[sa.Connection]:
        """Run a transaction that only reads."""
        with self._transaction(), self.translated(), self.engine.connect() as connection, connection.begin():
            yield connection

    def _transaction(self) -> AbstractContextManager[None]:
        return files.transaction() if self.is_sqlite else nullcontext()

    def clock(self, connection: sa.Connection) -> tuple[str, float]:
        """Return the ID and the seconds of the clock that all processes of the ledger share."""
        if self.is_sqlite:
            return self.runtime.machine_clock()
        now = connection.execute(sa.select(sa.extract("epoch", sa.func.clock_timestamp()))).scalar_one()
        return "server", float(now)

    def wipe(self) -> None:
        """Rewrite the whole database and empty the `-wal`, so that no removed data is left in the files.

        Raises:
            LedgerError: Another program has been reading the ledger for `BUSY_SECONDS`. Call `wipe` again later.
        """
        with self._writing, self._transaction(), self.translated(), self.engine.connect() as opened:
            connection = opened.execution_options(isolation_level="AUTOCOMMIT")
            if self.is_sqlite:
                with self._files.marking(connection, connection.info[_OPENED]):
                    connection.exec_driver_sql("VACUUM")
                    for _ in self._tries():  # SQLite waits for readers, but not for another program's checkpoint
                        if _checkpoint(connection, "TRUNCATE"):
                            return
            elif all(map(self._is_free, metadata.tables)):
                for table in metadata.tables:
                    connection.exec_driver_sql(f"VACUUM FULL {table}")
                return
        raise LedgerError(
            f"{self.name} is being read by another program, so its files still contain the purged data; close that "
            f"program, and call purge_data() again"
        )

    def _is_free(self, table: str) -> bool:
        """Whether no other transaction uses a table. `VACUUM` would wait forever for readers of the table (H234)."""
        try:
            with self.engine.begin() as connection:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(BUSY_SECONDS * 1000)}")
                connection.exec_driver_sql(f"LOCK TABLE {table}")
        except exc.OperationalError as error:
            if type(error.orig).__name__ != "LockNotAvailable":
                raise
            return False
        return True

    def close(self) -> None:
        """Close all connections."""
        if self.is_sqlite and not self._is_closed and self._files.is_marking:
            # Ignore the error of a failed write, because the ledger then keeps its mark and its -wal file.
            with suppress(LedgerError), self.write() as connection:
                connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
        self.engine.dispose()
        if self.is_sqlite and not self._is_closed:
            self._files.release()
        self._is_closed = True


def _path_in(place: Sealed[str | os.PathLike[str]]) -> str | None:
    """Return the path of a file, or `None` for the URL of a server, which may contain a password (H451)."""
    is_url = "://" in os.fspath(place.reveal()) and not os.fspath(place.reveal()).startswith("sqlite:///")
    return None if is_url else os.fspath(place.reveal())


def _checkpoint(connection: sa.Connection, mode: str) -> bool:
    """Copy the `-wal` into the database, and return whether that succeeded.

    Args:
        connection: A connection outside a transaction.
        mode: The checkpoint mode of SQLite. `PASSIVE` doesn't wait for other connections, `FULL` waits for their reads
            and writes, and `TRUNCATE` also empties the `-wal`.
    """
    cursor = connection.connection.cursor()
    cursor.execute(f"PRAGMA wal_checkpoint({mode})")
    ((is_busy, _, _),) = cursor.fetchall()
    cursor.close()
    return not is_busy


def _reason(guard: Guard, error: exc.SQLAlchemyError | sqlite3.Error) -> str:
    original = (error.orig if isinstance(error, exc.DBAPIError) else None) or error
    if isinstance(original, sqlite3.Error):
        return guard.reason(original)
    # Use only the first line of an error of PostgreSQL, because the other lines may quote a row.
    first = str(original).strip().partition("\n")[0]
    return f"can't be used ({type(original).__name__}: {first[:200]})"
