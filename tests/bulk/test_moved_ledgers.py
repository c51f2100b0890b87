"""If a ledger is moved, copied, or restored without its `-wal`, which has the newest commits, nothing is charged twice.

Hazards: H383, H384.
"""

from __future__ import annotations

import itertools
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import sqlalchemy as sa
from sqlalchemy import event

from bulk.kit import Ledgered, charge, client_of, files, jobs, opened
from bulk.workers import KEY, Nursery, Worker
from kit.counting import CountingServer
from subscribekit import AsyncGatewayClient, GatewayClient
from subscribekit.bulk import AsyncRun, Counts, Run
from subscribekit.bulk._ledger import database as _database
from subscribekit.bulk._ledger import identity as _identity
from subscribekit.bulk._ledger.schema import VERSION
from subscribekit.bulk._sending import engine as _engine
from subscribekit.errors import ConfigurationError, LedgerError

pytestmark = pytest.mark.hazard("H383")
ITEMS, WORKERS = 12, 2


class Workers:
    """Processes that send from one ledger, and the service that counts their charges."""

    def __init__(self, folder: Path, nursery: Nursery, server: CountingServer) -> None:
        self._folder, self._nursery, self.server = folder, nursery, server
        self.go = threading.Event()
        self.holds_from = ITEMS * 10
        server.before_effect = self._hold

    def _hold(self) -> None:
        """Hold back requests from a number on, so that a run doesn't end before its files are changed."""
        assert len(self.server.arrived) <= self.holds_from or self.go.wait(60)

    def start(self, ledger: Path, **message: object) -> Worker:
        return self._nursery.start(
            self._folder, url=self.server.url, ledger=str(ledger), items=ITEMS, workers=WORKERS, lease=1.0,
            write_again=0.1, **message,
        )  # fmt: skip

    def until(self, arrived: int, worker: Worker) -> None:
        """Wait until a number of requests has arrived or a process has ended."""
        while len(self.server.arrived) < arrived and worker.is_running:
            time.sleep(0.002)

    def ended(self, *workers: Worker) -> None:
        """Wait until no thread of a process holds a lock, which can be later than the end of the process."""
        while any(Path(f"/proc/{worker.number}").exists() for worker in workers):
            time.sleep(0.005)

    @property
    def errors(self) -> str:
        file = self._folder / "errors"
        return file.read_text() if file.exists() else ""

    def counts(self, ledger: Path) -> Counts:
        with (
            GatewayClient(base_url=self.server.url, api_key=KEY, allow_insecure_loopback=True) as client,
            opened(ledger, client) as run,
        ):
            return run.counts()


@pytest.fixture
def workers(tmp_path: Path, nursery: Nursery) -> Iterator[Workers]:
    with CountingServer() as server:
        found = Workers(tmp_path, nursery, server)
        yield found
        found.go.set()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    for name in ("here", "elsewhere"):
        (tmp_path / name).mkdir()
    return tmp_path / "here" / "charges.db"


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    return tmp_path / "elsewhere" / "charges.db"


def test_a_database_behind_a_new_link_is_charged_once(workers: Workers, path: Path, elsewhere: Path) -> None:
    workers.holds_from = 6
    first = workers.start(path)
    workers.until(6 + WORKERS, first)
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    second = workers.start(path)
    workers.until(6 + WORKERS + 1, second)
    workers.go.set()
    workers.ended(first, second)
    assert set(workers.server.effects.values()) == {1}
    assert "was moved, removed, or replaced while it was open" in workers.errors
    assert "needs its original charges.db-wal, but the folder doesn't contain that file" in workers.errors
    assert len(workers.server.arrived) == 6 + WORKERS

    path.unlink()
    elsewhere.rename(path)
    workers.ended(workers.start(path))
    counts = workers.counts(path)
    assert (counts.ready, counts.sent, counts.total) == (0, 0, ITEMS)
    assert counts.unknown <= WORKERS
    assert dict(workers.server.effects) == {f"t{number}": 1 for number in range(ITEMS)}


def killed_after_six(workers: Workers, path: Path) -> None:
    workers.holds_from = 6
    first = workers.start(path)
    workers.until(6 + WORKERS, first)
    first.kill()
    workers.ended(first)
    workers.go.set()


def test_a_database_without_its_log_is_charged_once(workers: Workers, path: Path, elsewhere: Path) -> None:
    killed_after_six(workers, path)
    path.rename(elsewhere)
    workers.ended(workers.start(elsewhere))
    assert set(workers.server.effects.values()) == {1}
    assert "needs its original charges.db-wal, but the folder doesn't contain that file" in workers.errors
    assert [each.name for each in files(elsewhere)] == ["charges.db"]

    Path(f"{path}-wal").rename(f"{elsewhere}-wal")
    workers.ended(workers.start(elsewhere))
    assert workers.counts(elsewhere) == Counts(done=ITEMS - WORKERS, unknown=WORKERS)
    assert set(workers.server.effects.values()) == {1}


def test_copied_files_are_resumed_after_they_are_accepted(workers: Workers, path: Path, elsewhere: Path) -> None:
    killed_after_six(workers, path)
    for each in files(path):
        shutil.copy(each, elsewhere.parent)
    workers.ended(workers.start(elsewhere))
    assert "needs its original charges.db-wal, but the folder contains a different file" in workers.errors
    assert "pass accept_moved=True (bulk resume --accept-moved)" in workers.errors
    workers.ended(workers.start(elsewhere, accepts=True))
    assert workers.counts(elsewhere) == Counts(done=ITEMS - WORKERS, unknown=WORKERS)
    assert set(workers.server.effects.values()) == {1}


def test_a_ledger_that_was_accepted_and_then_killed_needs_no_second_acceptance(
    workers: Workers, path: Path, elsewhere: Path
) -> None:
    killed_after_six(workers, path)
    for each in files(path):
        shutil.copy(each, elsewhere.parent)
    workers.go.clear()
    second = workers.start(elsewhere, accepts=True)
    workers.until(6 + 2 * WORKERS, second)
    second.kill()
    workers.go.set()
    workers.ended(second, workers.start(elsewhere))
    assert workers.counts(elsewhere) == Counts(done=ITEMS - 2 * WORKERS, unknown=2 * WORKERS)


def test_a_killed_process_leaves_a_ledger_that_is_resumed_in_its_place(workers: Workers, path: Path) -> None:
    killed_after_six(workers, path)
    workers.ended(workers.start(path))
    assert workers.errors == ""
    assert workers.counts(path) == Counts(done=ITEMS - WORKERS, unknown=WORKERS)


def test_another_program_that_closes_a_killed_ledger_leaves_it_usable(workers: Workers, path: Path) -> None:
    killed_after_six(workers, path)
    with closing(sqlite3.connect(path)) as program:  # closing it removes the -wal, as in SQLite's shell
        program.execute("SELECT count(*) FROM subscribekit_items").fetchone()
    assert files(path) == [path]
    workers.ended(workers.start(path))
    assert workers.errors == ""
    assert workers.counts(path) == Counts(done=ITEMS - WORKERS, unknown=WORKERS)


def test_the_last_process_that_closes_removes_the_mark(workers: Workers, path: Path, elsewhere: Path) -> None:
    workers.holds_from = 6
    first = workers.start(path)
    workers.until(6 + WORKERS, first)
    assert "ready=" in output_of(workers.start(path, counts=True))  # this process opens and closes the same ledger
    with pytest.raises(LedgerError, match="the folder doesn't contain that file"):
        workers.counts(copied_alone(path, elsewhere))
    workers.go.set()
    workers.ended(first)
    assert workers.counts(copied_alone(path, elsewhere)) == Counts(done=ITEMS)


def copied_alone(path: Path, to: Path) -> Path:
    """Copy a database without its `-wal`. Another process does it, because closing a file here drops the locks."""
    subprocess.run(["cp", path, to], check=True)
    return to


def output_of(worker: Worker) -> str:
    while worker.is_running:
        time.sleep(0.005)
    return worker.output


# One process


def is_marked(path: Path) -> bool:
    """Return whether a copy of the database without its `-wal` is refused."""
    copy, message = copied_alone(path, path.with_name("copy.db")), ""
    try:
        with client_of() as client:
            opened(copy, client).close()
    except LedgerError as error:
        message = str(error)
    copy.unlink()
    assert message == "" or "needs its original copy.db-wal, but the folder doesn't contain that file" in message
    return message != ""


def test_the_mark_is_in_the_database_whenever_something_is_sent(path: Path) -> None:
    marks: list[bool] = []
    service = Ledgered(lambda _: marks.append(is_marked(path)))
    with client_of(service) as client:
        with opened(path, client, concurrency=1) as run:
            run.add(jobs(client, 4))
            assert not is_marked(path)
            for number, _ in enumerate(run.send()):
                if number == 1:
                    run.purge_data()
            assert is_marked(path)
        assert not is_marked(path)
        with opened(path, client) as run:
            run.send_once("order-4", client.prepare.entitlements.charge("ps-4", charge(4)))
            assert is_marked(path)
        assert not is_marked(path)
    assert marks == [True] * 5


def test_a_recorded_outcome_is_not_lost_without_the_log(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 1))
        (item,) = run.items("ready")
        item.record_outcome("applied", note="paid by hand")
        assert is_marked(path)


def test_a_long_log_is_copied_and_the_mark_stays(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_identity, "LONG_LOG", 100_000)
    monkeypatch.setattr(_identity, "_MORE_LOG", 50_000)
    log, sizes, marks = path.with_name("charges.db-wal"), list[int](), list[bool]()

    def look(charged: str) -> None:
        sizes.append(log.stat().st_size)
        if int(charged[1:]) % 20 == 0:
            marks.append(is_marked(path))

    with client_of(Ledgered(look)) as client, opened(path, client, concurrency=1) as run:
        run.add(jobs(client, 200))
        assert len(list(run.send())) == 200
    assert marks == [True] * 10
    assert sum(after > before for before, after in pairwise(sizes)) < 150  # SQLite often starts the -wal over
    assert max(sizes) < 1_000_000


def test_a_reader_that_keeps_the_mark_out_of_the_database_stops_the_run(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_database, "BUSY_SECONDS", 0.05)
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.1)
    service = Ledgered()
    with client_of(service) as client, opened(path, client) as run:
        run.add(jobs(client, 3))
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM subscribekit_items").fetchone()
            with pytest.raises(LedgerError, match="is being read by another program"):
                list(run.send())
        assert service.arrived == []
        assert len(list(run.send())) == 3
        assert run.counts() == Counts(done=3)


def index_removed(path: Path) -> None:
    Path(f"{path}-shm").unlink()


def index_replaced(path: Path) -> None:
    Path(f"{path}-shm").rename(f"{path}.old")
    shutil.copy(f"{path}.old", f"{path}-shm")


def log_replaced(path: Path) -> None:
    Path(f"{path}-wal").rename(f"{path}.old")
    shutil.copy(f"{path}.old", f"{path}-wal")


def log_behind_a_link(path: Path) -> None:
    Path(f"{path}-wal").rename(f"{path}.old")
    Path(f"{path}-wal").symlink_to(f"{path}.old")


def database_behind_a_link(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere" / path.name)
    path.symlink_to(path.parent.parent / "elsewhere" / path.name)


def folder_behind_a_link(path: Path) -> None:
    path.parent.rename(path.parent.parent / "moved")
    path.parent.symlink_to(path.parent.parent / "moved")


CHANGES = [
    index_removed, index_replaced, log_replaced, log_behind_a_link, database_behind_a_link, folder_behind_a_link,
]  # fmt: skip


@pytest.mark.hazard("H384")
@pytest.mark.posix("an open file can be moved")
@pytest.mark.parametrize("when", ["begin", "commit"])
@pytest.mark.parametrize("change", CHANGES)
def test_nothing_is_sent_after_a_file_was_changed(
    path: Path, change: Callable[[Path], None], when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.1)
    service, before = Ledgered(), list[str]()
    with client_of(service) as client, opened(path, client, concurrency=1) as run:
        run.add(jobs(client, 10))
        transactions = itertools.count()

        def changed(_: object) -> None:
            if next(transactions) == 4:
                before.extend(service.arrived)
                change(path)

        event.listen(run._open().database.engine, when, changed, insert=True)
        with pytest.raises(LedgerError, match=r"was moved, removed, or replaced|was removed or replaced"):
            list(run.send())
        with pytest.raises(LedgerError):
            list(run.send())
    assert service.arrived == before != []


def test_a_backup_of_a_ledger_that_is_sent_from_is_refused(path: Path, elsewhere: Path) -> None:
    def back_up(_: str) -> None:
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(backup)) as target:
            source.backup(target)

    backup = path.with_name("backup.db")
    with client_of(Ledgered(back_up)) as client, opened(path, client, concurrency=1) as run:
        run.add(jobs(client, 1))
        list(run.send())
        opened(backup, client).close()


ENDS = {"unclosed": "", "killed": "import os; os._exit(0)"}


@pytest.mark.parametrize("end", ENDS)
def test_a_run_that_is_not_closed_leaves_a_ledger_that_is_resumed(path: Path, end: str) -> None:
    code = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
from bulk.kit import client_of, jobs, opened
run = opened({str(path)!r}, client_of(), lease=0.5)
run.add(jobs(client_of(), 5))
results = run.send()
next(results)
{ENDS[end]}
"""
    looks = "\n".join([*code.splitlines()[:5], "run.counts()"])  # then the process ends, like an interactive session
    for each in (code, looks):
        subprocess.run([sys.executable, "-c", each], check=True)
    with client_of() as client, opened(path, client) as run:
        list(run.send())
        assert (run.counts().ready, run.counts().total) == (0, 5)


@pytest.mark.parametrize("is_found", [False, True], ids=["left", "found"])
def test_the_mark_of_a_process_that_was_killed_while_it_wrote_it_is_removed(path: Path, is_found: bool) -> None:
    with client_of() as client:
        run = opened(path, client)
        run.add(jobs(client, 2))
        database = run._open().database
        with database.write() as connection:
            mark = _identity._mark_of(connection.info[_database._OPENED])
            connection.exec_driver_sql(f"PRAGMA user_version = {mark << 8 | VERSION}")
        if is_found:
            opened(path, client).close()
        run.close()
        assert is_marked(path) is not is_found


def test_a_mark_that_could_not_be_completed_is_removed_when_the_run_is_closed(path: Path) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 2))
        database = run._open().database
        with database.engine.connect() as connection, pytest.raises(ZeroDivisionError):
            forget_the_end(database._files, connection)
    assert not is_marked(path)


def forget_the_end(files: _identity.LedgerFiles, connection: sa.Connection) -> None:
    """Fail after the mark was written, and also let the statement fail that resets it."""

    class Cursor:
        def __init__(self) -> None:
            self._cursor, self._left = connection.connection.cursor(), 1

        def execute(self, statement: str) -> None:
            self._left -= 1
            if self._left < 0:
                raise ZeroDivisionError
            self._cursor.execute(statement)

    one = SimpleNamespace(connection=SimpleNamespace(cursor=Cursor))
    with files.marking(cast("sa.Connection", one), connection.info[_database._OPENED]):
        """Copy nothing."""


@pytest.mark.parametrize("value", [1, None, "yes"])
@pytest.mark.parametrize("kind", [Run, AsyncRun])
def test_accept_moved_is_a_bool(path: Path, kind: Callable[..., object], value: object) -> None:
    client = client_of() if kind is Run else AsyncGatewayClient(base_url="https://gateway.test", api_key=KEY)
    with pytest.raises(ConfigurationError, match="accept_moved must be True or False"):
        kind(path, client, accept_moved=value)
