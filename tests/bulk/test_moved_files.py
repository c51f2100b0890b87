"""If the file of a ledger is moved, removed, or replaced while a run uses it, no item is sent without a record.

Hazards: H231.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event

from bulk.kit import Ledgered, client_of, jobs, opened
from subscribekit.bulk._sending import engine as _engine
from subscribekit.errors import LedgerError

ITEMS = 40


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.1)
    return tmp_path / "charges.db"


def moved(path: Path) -> None:
    path.rename(f"{path}.1")


def moved_with_its_log(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        Path(f"{path}{end}").rename(f"{path}.1{end}")


def moved_and_made_anew(path: Path) -> None:
    path.rename(f"{path}.1")
    path.touch(0o600)


def replaced_by_a_copy(path: Path) -> None:
    path.rename(f"{path}.1")
    Path(f"{path}.copy").rename(path)


CHANGES = [moved, moved_with_its_log, moved_and_made_anew, replaced_by_a_copy, Path.unlink]


def filled(path: Path, service: Ledgered) -> None:
    """Create a ledger, and a copy of it, like a backup."""
    with client_of(service) as client, opened(path, client) as run:
        run.add(jobs(client, ITEMS))
    shutil.copy(path, f"{path}.copy")


@pytest.mark.parametrize("change", CHANGES)
def test_a_run_ends_when_its_file_was_moved(path: Path, change: Callable[[Path], None]) -> None:
    service = Ledgered()
    filled(path, service)
    before: list[str] = []

    def answer(charged: str) -> None:
        if charged == "t5":
            change(path)
            before.extend(service.arrived)

    service.answer = answer
    with client_of(service) as client, opened(path, client, concurrency=2) as run:
        with pytest.raises(LedgerError, match=r"moved, removed, or replaced|was removed or replaced"):
            list(run.send())
        with pytest.raises(LedgerError):
            run.add(jobs(client, 1, ITEMS))
    assert len(service.arrived) <= len(before) + 1  # the other worker may have received its item before


@pytest.mark.parametrize("change", CHANGES)
def test_items_claimed_while_the_file_is_moved_are_not_sent(path: Path, change: Callable[[Path], None]) -> None:
    service = Ledgered()
    filled(path, service)
    with client_of(service) as client, opened(path, client, concurrency=1) as run:
        engine, commits = run._open().database.engine, iter(range(1000))

        def changed(_: object) -> None:
            if next(commits) == 3:
                before.extend(service.arrived)
                change(path)

        before: list[str] = []
        event.listen(engine, "commit", changed)
        with pytest.raises(LedgerError, match=r"replaced"):
            list(run.send())
    assert service.arrived == before != []


def test_a_run_resumes_with_a_file_that_was_put_back(path: Path) -> None:
    service = Ledgered()
    filled(path, service)
    service.answer = lambda charged: moved(path) if charged == "t5" else None
    with client_of(service) as client:
        with opened(path, client, concurrency=2, lease=2.0) as run:
            with pytest.raises(LedgerError):
                list(run.send())
            Path(f"{path}.1").rename(path)
            with pytest.raises(LedgerError, match="moved"):  # a connection may have been opened in the meantime
                list(run.send())
        service.answer = lambda _: None
        with opened(path, client) as run:
            list(run.send())
            counts = run.counts()
    assert (counts.ready, counts.sent, counts.total) == (0, 0, ITEMS)
    assert counts.unknown <= 4
    assert set(service.effects.values()) == {1}


@pytest.mark.posix("there is no fork")
@pytest.mark.parametrize("make", [None, Path.touch], ids=["gone", "empty"])
def test_no_ledger_is_created_beside_the_wal_of_another_one(path: Path, make: Callable[[Path], None] | None) -> None:
    service = Ledgered()
    filled(path, service)
    number = os.fork()
    if number == 0:
        with client_of(service) as client, opened(path, client) as run:
            next(run.send())
            os._exit(0)  # like a kill, so that the -wal stays
    assert os.waitpid(number, 0)[1] == 0
    path.rename(f"{path}.1")
    if make is not None:
        make(path)
    with client_of(service) as client:
        with pytest.raises(LedgerError, match="-wal"):
            opened(path, client)
        assert path.exists() is (make is not None)
        Path(f"{path}.1").rename(path)
        with opened(path, client, lease=0.2) as run:
            assert run.counts().total == ITEMS
