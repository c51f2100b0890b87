"""If the disk is full during a run or while items are added, nothing is sent that the ledger doesn't record.

With root permissions, the disk is a small file system in memory. All tests also use a limit on the size of the
process's files.
"""

from __future__ import annotations

import resource
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bulk.kit import Ledgered, client_of, jobs, opened
from subscribekit.bulk import Counts
from subscribekit.bulk._sending import engine as _engine
from subscribekit.errors import LedgerError

FULL = "disk is full|can't be read or written"


class SmallDisk:
    """A file system of a few megabytes. SQLite's log takes four megabytes before SQLite starts it over."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Fill the remaining space."""
        with self._filler.open("wb", buffering=0) as file:
            for size in (4096, 1):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    pass

    def free(self) -> None:
        """Free the space again."""
        self._filler.unlink(missing_ok=True)


class Limit:
    """A limit on the size of the files that this process writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self) -> None:
        """Keep the files of the ledger from growing."""
        largest = max((each.stat().st_size for each in self.folder.iterdir()), default=0)
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, self._before[1]))

    def free(self) -> None:
        """Allow files to grow again."""
        resource.setrlimit(resource.RLIMIT_FSIZE, self._before)


@pytest.fixture(params=["a small disk", "a limit"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SmallDisk | Limit]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    if request.param == "a small disk" and subprocess.run(mount, check=False, capture_output=True).returncode == 0:
        try:
            yield SmallDisk(folder)
        finally:
            subprocess.run(["umount", str(folder)], check=True)
        return
    limit = Limit(folder)
    try:
        yield limit
    finally:
        limit.free()


def test_a_full_disk_during_a_run_sends_no_unrecorded_item(
    disk: SmallDisk | Limit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.3)
    path = disk.folder / "charges.db"
    service = Ledgered(lambda charged: disk.fill() if charged == "t10" else None)
    with client_of(service) as client:
        with opened(path, client, concurrency=2, lease=2.0) as run:
            run.add(jobs(client, 40))
            with pytest.raises(LedgerError, match=FULL):
                list(run.send())
            sent = len(service.arrived)
            assert 11 <= sent < 40
            states: set[str] = set()
            with pytest.raises(LedgerError, match=FULL):
                states.update(item.state for item in run.send())  # the disk is still full
            assert len(service.arrived) == sent
            disk.free()
            states.update(item.state for item in run.send())
            assert {"done"} <= states <= {"done", "unknown"}  # on a busy machine, the last results may be written
        with opened(path, client) as run:
            counts = run.counts()
            assert (counts.ready, counts.sent, counts.total) == (0, 0, 40)
            assert counts.unknown <= 2  # results that could not be written during the retry time
    assert set(service.effects.values()) == {1}
    assert len(service.effects) == 40


def test_no_outcome_is_lost_if_space_is_freed_in_time(disk: SmallDisk | Limit) -> None:
    path = disk.folder / "charges.db"
    timer = threading.Timer(0.3, disk.free)

    def fill(charged: str) -> None:
        if charged == "t10":
            disk.fill()
            timer.start()

    service = Ledgered(fill)
    with client_of(service) as client, opened(path, client, concurrency=2) as run:
        run.add(jobs(client, 40))
        with pytest.raises(LedgerError, match=FULL):
            list(run.send())
        timer.join()
        list(run.send())
        assert run.counts() == Counts(done=40)
    assert set(service.effects.values()) == {1}


def test_a_full_disk_while_items_are_added_keeps_earlier_batches(disk: SmallDisk | Limit) -> None:
    path = disk.folder / "charges.db"
    service = Ledgered()

    def broken(number: int) -> Iterator[object]:
        for each, job in enumerate(jobs(client, number)):
            if each == 600:
                disk.fill()
            yield job

    with client_of(service) as client:
        with opened(path, client) as run:
            with pytest.raises(LedgerError, match=FULL):
                run.add(broken(1100))  # type: ignore[arg-type]  # they are jobs
            assert run.counts() == Counts(ready=500)
        disk.free()
        with opened(path, client) as run:
            assert run.add(jobs(client, 510)) == 10
            list(run.send())
            assert run.counts() == Counts(done=510)
    assert set(service.effects.values()) == {1}


def test_a_ledger_that_does_not_fit_on_the_disk_is_refused(disk: SmallDisk | Limit) -> None:
    path = disk.folder / "charges.db"
    disk.fill()
    with client_of() as client:
        with pytest.raises(LedgerError, match=FULL):
            opened(path, client)
        disk.free()
        with opened(path, client) as run:
            assert run.add(jobs(client, 3)) == 3
