"""Fixtures of the reliability suite: sync and async clients, and servers with and without TLS."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from kit.faults.server import FaultServer
from reliability.kit import BACKENDS, Run


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest) -> Iterator[Run]:
    """Sync or async clients, over the HTTP backend that the variable `BACKEND_OF_TESTS` names."""
    backend = os.environ.get("BACKEND_OF_TESTS", "default")
    assert backend in BACKENDS
    if backend == "httpx-aiohttp" and request.param == "blocking":
        pytest.skip("httpx-aiohttp has async transports only")
    runner = Run(request.param, backend)
    yield runner
    runner.close()


@pytest.fixture
def srv() -> Iterator[FaultServer]:
    """A server without TLS."""
    with FaultServer() as server:
        yield server


@pytest.fixture
def secure() -> Iterator[FaultServer]:
    """A server with TLS."""
    with FaultServer(tls=True) as server:
        yield server
