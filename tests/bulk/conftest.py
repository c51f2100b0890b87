"""A PostgreSQL server and a process that forks workers for the tests of a session, and a schema for each test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from bulk.postgresql import Postgres, running
from bulk.workers import Nursery


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    """Give a server, started when it is first used."""
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Give the process that all workers are forked from."""
    with Nursery() as process:
        yield process


_numbers = itertools.count()


@pytest.fixture
def database(server: Postgres) -> str:
    """Give the URL of an empty schema: a database of its own has 300 files that each checkpoint writes to the disk."""
    return server.create_schema(f"ledger_{next(_numbers)}")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Give an empty ledger of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "charges.db")
    url: str = request.getfixturevalue("database")
    return url
