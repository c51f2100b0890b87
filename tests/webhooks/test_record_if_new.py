"""`record_if_new` detects repeated webhooks across threads, processes, and crashes (H116)."""

from __future__ import annotations

import multiprocessing
import os
import shelve
import sqlite3
import stat
import subprocess
import sys
import threading
from collections import OrderedDict, UserDict
from collections.abc import Iterator, MutableMapping, MutableSet
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from subscribekit import webhooks
from subscribekit.errors import ConfigurationError

FIRST = webhooks.WebhookEvent(message_id="m1")
SECOND = webhooks.WebhookEvent(message_id="m2")


def detects_repeated_events(seen: webhooks._record_if_new.Seen) -> bool:
    results = [webhooks.record_if_new(event, seen) for event in (FIRST, FIRST, SECOND, FIRST, SECOND)]
    return results == [True, False, True, False, False]


@pytest.mark.parametrize("seen", [{}, set(), OrderedDict(), UserDict()], ids=lambda seen: type(seen).__name__)
def test_mappings_and_sets_detect_repeated_events(seen: dict[str, bool]) -> None:
    assert detects_repeated_events(seen)
    assert "m1" in seen
    assert len(seen) == 2


def test_a_shelf_and_a_file_detect_repeated_events(tmp_path: Path) -> None:
    with shelve.open(str(tmp_path / "shelf")) as shelf:
        assert detects_repeated_events(shelf)
    assert detects_repeated_events(tmp_path / "seen.db")
    assert not webhooks.record_if_new(FIRST, str(tmp_path / "seen.db"))


def test_the_event_must_be_the_first_argument(tmp_path: Path) -> None:
    with pytest.raises(
        TypeError, match="event must be a WebhookEvent, not PosixPath" if os.name == "posix" else "WebhookEvent"
    ):
        webhooks.record_if_new(tmp_path / "seen.db", FIRST)  # type: ignore[arg-type]  # the refused order of the arguments
    assert not list(tmp_path.iterdir())


def test_a_removed_event_is_new_again(tmp_path: Path) -> None:
    mapping: dict[str, bool] = {}
    group: set[str] = set()
    for seen in (mapping, group):
        assert webhooks.record_if_new(FIRST, seen)
    assert mapping.pop("m1") is True
    group.discard("m1")
    assert webhooks.record_if_new(FIRST, mapping)
    assert webhooks.record_if_new(FIRST, group)
    file = tmp_path / "seen.db"
    assert webhooks.record_if_new(FIRST, file)
    with sqlite3.connect(file) as ledger:
        ledger.execute("DELETE FROM subscribekit_webhooks WHERE message_id = ?", ("m1",))
    ledger.close()
    assert webhooks.record_if_new(FIRST, file)


@pytest.mark.parametrize(
    "seen", [[], (), frozenset(), None, 7, b"seen.db", iter(())], ids=lambda value: repr(value).partition(" at ")[0]
)
def test_any_other_kind_of_store_is_refused(seen: object) -> None:
    with pytest.raises(TypeError, match="mutable mapping, a set, or a file path"):
        webhooks.record_if_new(FIRST, seen)  # type: ignore[arg-type]  # the mistake is intended


def test_an_event_without_an_id_is_refused(tmp_path: Path) -> None:
    group: set[str] = set()
    for seen in ({}, group, tmp_path / "seen.db"):
        with pytest.raises(webhooks.WebhookFormatError, match="message_id"):
            webhooks.record_if_new(webhooks.WebhookEvent(), seen)
    assert not group
    assert not (tmp_path / "seen.db").exists()


class Slow(UserDict[str, bool]):
    """A mapping that lets another thread run between the lookup and the write."""

    def __contains__(self, key: object) -> bool:
        known = super().__contains__(key)
        threading.Event().wait(0.001)
        return known


class SlowSet(MutableSet[str]):
    """A set like `Slow`. Without a lock, two threads would both find no event."""

    def __init__(self) -> None:
        self._held: set[str] = set()

    def __contains__(self, key: object) -> bool:
        known = key in self._held
        threading.Event().wait(0.001)
        return known

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def add(self, value: str) -> None:
        self._held.add(value)

    def discard(self, value: str) -> None:
        self._held.discard(value)


def test_an_event_is_new_in_only_one_of_many_threads(tmp_path: Path) -> None:
    group: set[str] = set()
    slow: MutableMapping[str, bool] = Slow()
    with ThreadPoolExecutor(8) as pool:
        for seen in ({}, group, slow, SlowSet(), tmp_path / "seen.db"):
            new = list(pool.map(lambda number, seen=seen: webhooks.record_if_new(event(number % 4), seen), range(24)))  # type: ignore[misc]
            assert sorted(new) == [False] * 20 + [True] * 4


def event(number: int) -> webhooks.WebhookEvent:
    return webhooks.WebhookEvent(message_id=f"m{number}")


def record_all(path: Path) -> list[bool]:
    return [webhooks.record_if_new(event(number), path) for number in range(20)]


TRY_TO_LOCK = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    connection.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError:
    sys.exit(5)
"""


@pytest.mark.hazard("H380")
def test_recording_an_event_keeps_the_locks_of_other_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a process closes any descriptor of a file, it loses all its locks on the file."""
    file = tmp_path / "seen.db"
    assert webhooks.record_if_new(FIRST, file)
    monkeypatch.setattr(webhooks._record_if_new, "_LOCKED_SECONDS", 0.0)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            webhooks.record_if_new(SECOND, file)
        assert subprocess.run([sys.executable, "-c", TRY_TO_LOCK, str(file)], check=False, timeout=60).returncode == 5


def test_an_event_is_new_in_only_one_of_many_processes(tmp_path: Path) -> None:
    with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context("spawn")) as pool:
        results = list(pool.map(record_all, [tmp_path / "seen.db"] * 3))
    assert [sum(each) for each in zip(*results, strict=True)] == [1] * 20


@pytest.mark.posix("this system has no fork")
def test_a_forked_process_does_not_wait_for_a_thread_of_its_parent() -> None:
    code = """
import os, signal, threading
from subscribekit import webhooks

class Held(dict):
    def __setitem__(self, name, value):
        inside.set()
        go_on.wait(20)

inside, go_on = threading.Event(), threading.Event()
event = webhooks.WebhookEvent(message_id="m1")
thread = threading.Thread(target=webhooks.record_if_new, args=(event, Held()))
thread.start()
inside.wait()
child = os.fork()
if not child:
    signal.alarm(10)
    os._exit(0 if webhooks.record_if_new(event, {}) else 1)
_, status = os.waitpid(child, 0)
go_on.set()
thread.join()
raise SystemExit(os.waitstatus_to_exitcode(status))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_recorded_event_survives_a_killed_process(tmp_path: Path) -> None:
    code = (
        "import os, sys; from subscribekit import webhooks\n"
        "assert webhooks.record_if_new(webhooks.WebhookEvent(message_id='m1'), sys.argv[1])\n"
        "os._exit(9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "seen.db")], check=False)
    assert done.returncode == 9
    assert not webhooks.record_if_new(FIRST, tmp_path / "seen.db")


def test_an_interrupted_write_records_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "seen.db"
    assert webhooks.record_if_new(SECOND, file)
    original = sqlite3.connect

    class Interrupted(sqlite3.Connection):
        def execute(self, statement: str, *given: object) -> sqlite3.Cursor:  # type: ignore[override]  # the arguments that the SDK passes
            if statement == "COMMIT":
                raise KeyboardInterrupt
            return super().execute(statement, *given)  # type: ignore[arg-type]  # passes the arguments on

    with monkeypatch.context() as patched:
        patched.setattr(sqlite3, "connect", lambda *given, **named: original(*given, factory=Interrupted, **named))
        with pytest.raises(KeyboardInterrupt):
            webhooks.record_if_new(FIRST, file)
    assert webhooks.record_if_new(FIRST, file)
    assert not webhooks.record_if_new(SECOND, file)


def test_a_recorded_event_is_on_the_disk_when_record_if_new_returns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise, a power failure could delete the record of a webhook whose work is done."""
    levels: list[int] = []
    original = sqlite3.connect

    class Watched(sqlite3.Connection):
        def execute(self, statement: str, *given: object) -> sqlite3.Cursor:  # type: ignore[override]  # the arguments that the SDK passes
            if statement == "COMMIT":
                levels.extend(super().execute("PRAGMA synchronous").fetchone())
            return super().execute(statement, *given)  # type: ignore[arg-type]  # passes the arguments on

    monkeypatch.setattr(sqlite3, "connect", lambda *given, **named: original(*given, factory=Watched, **named))
    assert webhooks.record_if_new(FIRST, tmp_path / "seen.db")
    assert levels == [3]  # EXTRA also syncs the folder, after the journal is removed


def test_only_its_user_can_read_the_file(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        webhooks.record_if_new(FIRST, tmp_path / "seen.db")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "seen.db").stat().st_mode) == 0o600


def test_special_names_of_sqlite_are_names_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a database in memory, every event would be new."""
    monkeypatch.chdir(tmp_path)
    for name in (":memory:", "file::memory:?cache=shared", "file:seen.db?mode=memory"):
        assert detects_repeated_events(name)
        assert (tmp_path / name).is_file()


@pytest.mark.parametrize("text", ["order,amount\n" * 100, "order,amount\n", "x"])
def test_a_file_that_is_not_a_database_is_refused_and_unchanged(tmp_path: Path, text: str) -> None:
    """SQLite itself treats a file that is shorter than a page as an empty database."""
    file = tmp_path / "orders.csv"
    file.write_text(text)
    with pytest.raises(ConfigurationError, match="isn't an SQLite database"):
        webhooks.record_if_new(FIRST, file)
    assert file.read_text() == text
    with pytest.raises(OSError, match="directory"):
        webhooks.record_if_new(FIRST, tmp_path)
    with pytest.raises(FileNotFoundError):
        webhooks.record_if_new(FIRST, tmp_path / "missing" / "seen.db")


def test_a_file_with_two_names_is_refused(tmp_path: Path) -> None:
    """SQLite names the journal after the file, so after a crash it wouldn't find the journal by the other name."""
    assert detects_repeated_events(tmp_path / "seen.db")
    (tmp_path / "other.db").hardlink_to(tmp_path / "seen.db")
    with pytest.raises(ConfigurationError, match=r"^the file of received webhooks has another name \(a hard link\)"):
        webhooks.record_if_new(FIRST, tmp_path / "other.db")


def test_another_database_keeps_its_tables(tmp_path: Path) -> None:
    file = tmp_path / "orders.db"
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE orders (id TEXT)")
        database.execute("PRAGMA user_version = 7")
    database.close()
    assert detects_repeated_events(file)
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM orders").fetchone() == (0,)
        assert database.execute("PRAGMA user_version").fetchone() == (7,)
    database.close()


def test_similar_ids_are_different_events(tmp_path: Path) -> None:
    odd = ["m1", "M1", "m1 ", "m1\0", "m1\0x", "1", "1.0", "\u00e9", "e\u0301", "x" * 100_000]
    for seen in (set[str](), tmp_path / "seen.db"):
        assert all(webhooks.record_if_new(webhooks.WebhookEvent(message_id=each), seen) for each in odd)
        assert not any(webhooks.record_if_new(webhooks.WebhookEvent(message_id=each), seen) for each in odd)
