"""One file can be open in two runs of a process, in a forked child, and in other processes, and loses no commit.

Hazards: H140, H141, H147, H148, H384.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import URL, Ledgered, client_of, files, jobs, opened
from bulk.workers import Nursery
from subscribekit.bulk import Counts, Run
from subscribekit.bulk._sending import engine as _engine
from subscribekit.errors import ConfigurationError, LedgerError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


@pytest.fixture
def counted_elsewhere(nursery: Nursery, tmp_path: Path) -> Callable[[Path], str]:
    """Return a function that opens a ledger in another process, counts its items, and closes it."""

    def counted(path: Path) -> str:
        worker = nursery.start(tmp_path, ledger=str(path), url=URL, counts=True)
        while worker.is_running:
            time.sleep(0.002)
        return worker.output

    return counted


def forked(work: Callable[[], None]) -> int:
    number = os.fork()
    if number == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(status)
    return number


def ended(number: int) -> bool:
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]) == 0


def test_another_run_of_the_process_does_not_drop_the_locks_of_the_first(
    path: Path, counted_elsewhere: Callable[[Path], str]
) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, 3))
        with opened(path, client) as other:
            other.counts()
        assert "ready=3" in counted_elsewhere(path)
        assert len(list(run.send())) == 3
        assert "done=3" in counted_elsewhere(path)


@pytest.mark.posix("there is no fork")
def test_a_forked_child_has_locks_of_its_own(path: Path, counted_elsewhere: Callable[[Path], str]) -> None:
    with client_of() as client:
        opened_there, closed_here = os.pipe(), os.pipe()

        def work() -> None:
            with client_of() as own, opened(path, own) as there:
                there.counts()
                os.write(opened_there[1], b".")
                os.read(closed_here[0], 1)
                assert len(list(there.send())) == 3
                os._exit(0)  # like a kill

        run = opened(path, client)
        run.add(jobs(client, 3))
        child = forked(work)
        os.read(opened_there[0], 1)
        run.close()
        os.write(closed_here[1], b".")
        assert ended(child)
        assert "done=3" in counted_elsewhere(path)


@pytest.mark.posix("there is no fork")
def test_a_run_continues_during_and_after_a_fork(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client) as run:
        run.add(jobs(client, 40))

        def work() -> None:
            with client_of() as own, opened(path, own) as there:
                assert there.counts().total == 40

        children = [forked(work) for number, _ in enumerate(run.send()) if number % 10 == 5]
        assert all(map(ended, children))
        assert run.counts() == Counts(done=40)
    assert set(service.effects.values()) == {1}


def test_no_descriptor_is_left_behind(path: Path) -> None:
    def number() -> int:
        return sum(
            "charges.db" in str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()
        )

    with client_of() as client:
        with opened(path, client) as run:
            for _ in range(4):
                opened(path, client).close()
                run.counts()
            assert number() < 8  # two connections with database and -wal, the -shm, and one for comparison
        assert number() == 0


def test_a_removed_wal_stops_the_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.1)
    service = Ledgered()

    def remove(charged: str) -> None:
        if charged == "t5":
            Path(f"{path}-wal").unlink()

    service.answer = remove
    with client_of(service) as client, opened(path, client, concurrency=1) as run:
        run.add(jobs(client, 50))
        with pytest.raises(LedgerError, match="removed"):
            list(run.send())
        assert len(service.arrived) < 10


def test_runs_that_begin_together_make_one_ledger(place: str) -> None:
    service, barrier = Ledgered(), threading.Barrier(6)

    def work(_: int) -> int:
        with client_of(service) as client:
            barrier.wait()
            with opened(place, client) as run:
                return run.add(jobs(client, 30))

    with ThreadPoolExecutor(6) as threads:
        assert sum(threads.map(work, range(6))) == 30


def test_file_permissions_are_never_widened(path: Path, tmp_path: Path) -> None:
    with client_of() as client:
        opened(path, client).close()
        path.chmod(0o444)
        link = tmp_path / "link.db"
        link.symlink_to(path)
        with suppress(LedgerError):  # users other than root can't open a read-only file
            opened(link, client).close()
        assert stat.S_IMODE(path.stat().st_mode) == 0o400
        path.chmod(0o644)
        with opened(link, client) as run:
            run.add(jobs(client, 2))
            assert {stat.S_IMODE(each.stat().st_mode) for each in files(path)} == {0o600}


@pytest.mark.parametrize("url", ["postgresql://ann:hush-4716@h:port/l", "postgresql://ann:hush-4716@[::1/l"])
def test_the_error_about_an_invalid_url_does_not_show_the_password(url: str) -> None:
    with client_of() as client, pytest.raises(ConfigurationError) as caught:
        Run(url, client)
    error: BaseException | None = caught.value
    while error is not None:
        assert "hush" not in str(error)
        error = error.__context__


@pytest.mark.parametrize("keep", [1, 100, 4096, 9000])
def test_a_truncated_ledger_is_refused(path: Path, keep: int) -> None:
    service = Ledgered()
    with client_of(service) as client:
        with opened(path, client) as run:
            run.add(jobs(client, 50))
        with path.open("r+b") as file:
            file.truncate(keep)
        with pytest.raises(LedgerError):
            opened(path, client)
        assert path.stat().st_size == keep


def test_an_amount_that_was_changed_in_the_file_is_not_sent(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client:
        with opened(path, client) as run:
            run.add(jobs(client, 5))
        content = path.read_bytes()
        assert content.count(b'"amount":1.50') == 5
        path.write_bytes(content.replace(b'"amount":1.50', b'"amount":9.50', 1))
        with opened(path, client, concurrency=1) as run:
            with pytest.raises(LedgerError, match="damaged"):
                list(run.send())
            assert run.counts().ready >= 1
    assert len(service.arrived) < 5


def test_a_changed_link_does_not_lead_to_another_ledger(path: Path, tmp_path: Path) -> None:
    link, other = tmp_path / "link.db", tmp_path / "other.db"
    link.symlink_to(path)
    service = Ledgered()
    with client_of(service) as client:
        with opened(link, client) as run:
            run.add(jobs(client, 5))
            opened(other, client).close()
            link.unlink()
            link.symlink_to(other)
            run._open().database.engine.dispose()  # new connections follow the name again
            with pytest.raises(LedgerError, match="was moved, removed, or replaced"):
                list(run.send())
        assert service.arrived == []
        with opened(other, client) as run:
            assert run.counts() == Counts()
        with opened(path, client) as run:
            assert len(list(run.send())) == 5


def test_each_connection_waits_for_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect

    def careless(*arguments: Any, **options: Any) -> sqlite3.Connection:
        """Connect as a SQLite with other default settings does."""
        connection = connect(*arguments, **options)
        connection.execute("PRAGMA synchronous = OFF")
        return connection

    monkeypatch.setattr("sqlite3.dbapi2.connect", careless)
    with client_of() as client, opened(path, client) as run:
        engine = run._open().database.engine
        with engine.connect() as one, engine.connect() as two:  # the pool opens the second connection later
            for connection in (one, two):
                found = {
                    name: connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
                    for name in ("synchronous", "journal_mode", "fullfsync", "checkpoint_fullfsync", "secure_delete")
                }
                assert found == {
                    "synchronous": 2, "journal_mode": "wal", "fullfsync": 1, "checkpoint_fullfsync": 1,
                    "secure_delete": 1,
                }  # fmt: skip


def test_links_that_lead_to_themselves_are_refused(tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(link)
    with client_of() as client, pytest.raises(LedgerError, match="can't be opened"):
        opened(link, client)
