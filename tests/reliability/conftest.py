"""Fixtures of the reliability suite: both styles, plain and TLS servers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from faults.server import FaultServer
from reliability.kit import Run


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    """Clients of either style."""
    runner = Run(request.param)
    yield runner
    runner.close()


@pytest.fixture
def srv() -> Iterator[FaultServer]:
    """A plain server."""
    with FaultServer() as server:
        yield server


@pytest.fixture
def secure() -> Iterator[FaultServer]:
    """A TLS server."""
    with FaultServer(tls=True) as server:
        yield server
