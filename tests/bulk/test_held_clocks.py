"""Waits with a limit end even if a tool freezes `time.monotonic` during a test (H453)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest import mock

import pytest

from bulk.kit import client_of, opened
from subscribekit.bulk._ledger import files
from subscribekit.bulk._sending.runtime import SystemThread

MOST = 2000
SHORT = 0.005


@pytest.fixture
def held() -> Iterator[None]:
    """Freeze the clock as freezegun does, and end loops that would run forever."""
    sleep, count = time.sleep, iter(range(MOST))

    def sleeping(seconds: float) -> None:
        assert next(count, None) is not None, "the loop doesn't end"
        sleep(seconds)

    with mock.patch("time.monotonic", return_value=1e9), mock.patch("time.sleep", sleeping):
        yield


@pytest.mark.hazard("H453")
@pytest.mark.posix("there is no fork")
@pytest.mark.usefixtures("held")
def test_a_fork_waits_for_a_transaction_only_up_to_its_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LONGEST_WAIT", SHORT)
    with client_of() as client, opened(tmp_path / "charges.db", client):
        with files.transaction():
            files._before_fork()
            files._in_parent()
        with files.transaction():
            pass


@pytest.mark.hazard("H453")
@pytest.mark.usefixtures("held")
def test_a_wait_for_a_thread_ends_at_its_limit() -> None:
    end = threading.Event()
    thread = SystemThread(partial(end.wait, 5), "waiting")
    thread.join(SHORT)
    assert thread.is_alive()
    end.set()
    thread.join()
