"""A ledger on PostgreSQL works behind PgBouncer, where the transactions of a client use sessions of other clients.

Hazard: H230.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa

from bulk.kit import Ledgered, client_of, jobs, opened
from bulk.postgresql import Postgres, running
from bulk.test_kills import FAULTS, Killed
from bulk.workers import Nursery, Worker
from kit.counting import CountingServer
from real_servers.servers import PgBouncer
from subscribekit.bulk import Counts
from subscribekit.bulk._ledger import database as _database
from subscribekit.errors import LedgerError

pytestmark = pytest.mark.real_servers("pgbouncer")
_numbers = itertools.count()


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    with Nursery() as process:
        yield process


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    yield postgres.create(f"pooled_{next(_numbers)}")
    postgres.reset()


@contextmanager
def spoiled(url: str) -> Iterator[list[sa.Connection]]:
    """Change settings in all three sessions of the pool, as another application with the same pool can do."""
    engine = sa.create_engine(url, isolation_level="AUTOCOMMIT", poolclass=sa.NullPool)
    with engine.connect() as one, engine.connect() as two, engine.connect() as three:
        connections = [one, two, three]
        for each in connections:
            each.exec_driver_sql("BEGIN")  # so that each connection has its own session
        for each in connections:
            each.exec_driver_sql("SET synchronous_commit = off")
            each.exec_driver_sql("SET idle_in_transaction_session_timeout = 0")
            each.exec_driver_sql("COMMIT")
        yield connections


def ended(workers: list[Worker]) -> None:
    while any(worker.is_running for worker in workers):
        time.sleep(0.01)


def until(server: CountingServer, workers: list[Worker], number: int) -> None:
    """Wait until the server has received `number` requests."""
    while len(server.arrived) < number:
        assert all(worker.is_running for worker in workers)
        time.sleep(0.001)


@pytest.mark.parametrize("mode", ["transaction", "session"])
def test_a_run_works_if_its_transactions_use_different_sessions(
    open_folder: Path, postgres: Postgres, database: str, mode: str
) -> None:
    service = Ledgered()
    with PgBouncer(open_folder, postgres, mode) as pooler, client_of(service) as client:
        url = pooler.url(database)
        with opened(url, client) as run, opened(url, client) as other:
            assert run.add(jobs(client, 60)) == 60
            for number in range(20):  # both runs use the same sessions, in turn
                key, plan = next(jobs(client, 1, number))
                (run if number % 2 else other).send_once(key, plan)
            assert len(list(run.send())) == 40
            assert other.counts() == Counts(done=60)
            assert run.purge_data() == 60
    assert set(service.effects.values()) == {1}


def test_settings_that_others_left_in_a_session_do_not_reach_a_commit(
    open_folder: Path, postgres: Postgres, database: str
) -> None:
    with PgBouncer(open_folder, postgres, "transaction") as pooler, client_of() as client:
        url = pooler.url(database)
        with spoiled(url) as others, opened(url, client) as run:
            for other in others:
                with run._open().database.write() as connection:
                    assert connection.execute(sa.text("SHOW synchronous_commit")).scalar_one() == "on"
                    idle = connection.execute(sa.text("SHOW idle_in_transaction_session_timeout")).scalar_one()
                    assert idle == f"{_database.BUSY_SECONDS:g}s"
                other.exec_driver_sql("BEGIN")  # so that the next transaction uses another session


@pytest.mark.parametrize("seed", range(3))
def test_a_server_that_crashes_behind_the_pooler_forgets_no_item_that_was_sent(
    open_folder: Path, tmp_path: Path, nursery: Nursery, postgres: Postgres, database: str, seed: int
) -> None:
    items = 120
    with CountingServer() as server, PgBouncer(open_folder, postgres, "transaction") as pooler:
        url = pooler.url(database)
        killed = Killed(tmp_path, server, nursery, seed, url)
        postgres.set(wal_writer_delay="10s")
        # On a busy machine, a shorter lease could expire while a worker waits for the processor.
        workers = [killed.start(items=items, rate=200, workers=2, lease=5.0) for _ in range(2)]
        until(server, workers, 10)
        with spoiled(url):
            postgres.set(synchronous_commit="off")
            until(server, workers, 60 + 7 * seed)
            postgres.crash()
            for worker in workers:
                worker.kill()
            ended(workers)
        pooler.restart()
        postgres.reset()
        killed.finish("counts", items=items)
        counts = killed.counts(items)
    assert counts.unknown <= 4
    assert set(server.effects.values()) == {1}


def test_processes_killed_behind_a_pooler_do_nothing_twice(
    open_folder: Path, tmp_path: Path, nursery: Nursery, postgres: Postgres, database: str
) -> None:
    items = 400
    with CountingServer(seed=1, **FAULTS) as server, PgBouncer(open_folder, postgres, "transaction") as pooler:
        server.before_effect = lambda: time.sleep(0.004)
        killed = Killed(tmp_path, server, nursery, 1, pooler.url(database))
        killed.kill(12, 4, 0.25, items=items, rate=400)
        pooler.restart()
        killed.finish("counts", items=items)
        counts = killed.counts(items)
    assert counts.done > 0
    assert counts.unknown > 0


def test_a_pooler_that_ends_transactions_after_each_statement_is_refused(
    open_folder: Path, postgres: Postgres, database: str
) -> None:
    service = Ledgered()
    with (
        PgBouncer(open_folder, postgres, "statement") as pooler,
        client_of(service) as client,
        pytest.raises(LedgerError, match="can't be used"),
    ):
        opened(pooler.url(database), client)
    assert service.arrived == []
