"""Fixtures of the foundation's tests."""

from __future__ import annotations

import pytest

from kit.calls import Run


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest) -> Run:
    """Each test that takes it runs twice: with the blocking and with the async clients."""
    return Run(request.param)
