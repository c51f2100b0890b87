"""Fixtures: a PostgreSQL server and a process that forks workers for each session, and a schema for each test."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from bulk.postgresql import Postgres, running
from bulk.workers import Nursery


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    """Return a server, which starts when a test first uses it."""
    with running() as started:
        yield started


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Return the process that forks all workers."""
    with Nursery() as process:
        yield process


_numbers = itertools.count()


@pytest.fixture
def database(server: Postgres) -> str:
    """Return the URL of an empty schema. A separate database would have 300 files, which slow down each checkpoint."""
    return server.create_schema(f"ledger_{next(_numbers)}")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the place of an empty ledger, once for each kind of database."""
    if request.param == "sqlite":
        return str(tmp_path / "charges.db")
    url: str = request.getfixturevalue("database")
    return url
