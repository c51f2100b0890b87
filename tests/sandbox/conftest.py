"""Fixtures of the sandbox tests."""

from __future__ import annotations

import pytest

from sandbox.wire import Wire


@pytest.fixture
def wire() -> Wire:
    return Wire()
