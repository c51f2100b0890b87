"""Fixtures of the command-line tests: a shell, and a shared sandbox that is reset after a test has used it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cli.kit import Shell
from subscribekit import sandbox
from subscribekit.sandbox.platform import Platform

_ONE = Platform()


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(monkeypatch)


@pytest.fixture(autouse=True)
def platform(monkeypatch: pytest.MonkeyPatch) -> Iterator[Platform]:
    """The sandbox that `--environment sandbox` reaches."""
    monkeypatch.setattr(sandbox.platform._Default, "platform", _ONE)
    yield _ONE
    if _ONE.requests or _ONE.faults.pending:
        _ONE.reset()
