"""If a PostgreSQL server changes its settings or dies during a run, no recorded item is lost, and none is sent twice.

Hazards: H166, H230.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

from bulk.kit import Ledgered, client_of, jobs, opened
from bulk.postgresql import Postgres
from bulk.test_kills import Killed
from bulk.workers import Nursery, Worker
from kit.counting import CountingServer
from subscribekit.bulk import Run
from subscribekit.bulk._sending import engine as _engine
from subscribekit.errors import LedgerError


@pytest.fixture
def settings(server: Postgres) -> Iterator[Postgres]:
    """Return the server, and undo changed settings at the end."""
    yield server
    server.reset()


def in_writing(run: Run, *names: str) -> list[str]:
    """Return settings as a transaction that writes sees them."""
    with run._open().database.write() as connection:
        return [connection.execute(sa.text(f"SHOW {name}")).scalar_one() for name in names]


@pytest.mark.parametrize("value", ["off", "local", "remote_write"])
def test_each_commit_waits_for_the_disk_after_a_reload(settings: Postgres, database: str, value: str) -> None:
    with client_of() as client, opened(database, client) as run:
        assert in_writing(run, "synchronous_commit") == ["on"]
        settings.set(synchronous_commit=value)
        assert in_writing(run, "synchronous_commit") == ["on"]


def test_a_session_setting_does_not_affect_a_commit(database: str) -> None:
    with client_of() as client, opened(database, client) as run:
        with run._open().database.engine.connect() as connection:  # like another user of a pooled connection
            connection.exec_driver_sql("SET synchronous_commit = off")
            connection.exec_driver_sql("SET idle_in_transaction_session_timeout = 0")
            connection.commit()
        assert in_writing(run, "synchronous_commit", "idle_in_transaction_session_timeout") == ["on", "20s"]


def test_a_server_that_does_not_wait_for_the_disk_is_refused(settings: Postgres, database: str) -> None:
    settings.set(fsync="off")
    with client_of() as client, pytest.raises(LedgerError, match="fsync=off"):
        opened(database, client)


def test_a_run_ends_when_the_server_stops_waiting_for_the_disk(
    settings: Postgres, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.1)
    service = Ledgered(lambda charged: settings.set(fsync="off") if charged == "t5" else None)
    with client_of(service) as client:
        with opened(database, client, concurrency=1, lease=2.0) as run:
            run.add(jobs(client, 50))
            with pytest.raises(LedgerError, match="fsync=off"):
                list(run.send())
            assert len(service.arrived) < 10
        settings.reset()
        with opened(database, client) as run:
            list(run.send())
            counts = run.counts()
    assert (counts.ready, counts.sent, counts.total) == (0, 0, 50)
    assert set(service.effects.values()) == {1}


def until(server: CountingServer, worker: Worker, number: int) -> None:
    """Wait until a number of requests has arrived."""
    while len(server.arrived) < number:
        assert worker.is_running
        time.sleep(0.001)


def wait(event: threading.Event) -> None:
    assert event.wait(60)


@pytest.mark.parametrize("commit", ["off", "on"])
def test_a_server_crash_loses_no_sent_item(
    settings: Postgres, tmp_path: Path, nursery: Nursery, database: str, commit: str
) -> None:
    items, crashed = 60, threading.Event()
    with CountingServer() as server:
        server.before_effect = lambda: None if len(server.arrived) <= 30 else wait(crashed)
        killed = Killed(tmp_path, server, nursery, 1, database)
        # By itself, the server writes its log so rarely that a commit is lost if it doesn't wait.
        settings.set(wal_writer_delay="10s")
        worker = killed.start(items=items, rate=200, lease=5.0)  # on a busy machine, the lease still lasts long enough
        until(server, worker, 5)
        settings.set(synchronous_commit=commit)
        until(server, worker, 31)
        settings.crash()
        crashed.set()
        worker.kill()
        while worker.is_running:
            time.sleep(0.01)
        killed.finish("counts", items=items)
        counts = killed.counts(items)
    assert counts.done + counts.unknown == items
    assert counts.unknown <= 4
    assert set(server.effects.values()) == {1}
