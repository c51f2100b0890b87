"""The file of a comparison is private, belongs to one process at a time, and survives kills (H285, H286)."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from export.kit import serve
from kit.calls import Run, Service
from reconcile.killed import compared
from reconcile.kit import client_of, now, opened, rows_of, story
from reconcile.planted import FIELDS, Planted
from subscribekit._core.calls.telemetry import display
from subscribekit.errors import InvalidArgumentError
from subscribekit.reconcile import Counts, ReconcileError, Reconciliation
from subscribekit.sandbox import Sandbox

pytestmark = pytest.mark.hazard("H285", "H286")


def opening(path: Path, **options: Any) -> Reconciliation[Any]:
    """Open a comparison."""
    options = {"key": "id", "fields": {"status": "state"}, **options}
    pager = options.pop("pager", None)
    return Reconciliation(path, Sandbox().billing().subscriptions.list() if pager is None else pager, **options)


def test_a_file_is_private_and_contains_only_values_that_differ(tmp_path: Path) -> None:
    sandbox, file = Sandbox(), tmp_path / "n.db"
    emails = [str(each.email) for each in sandbox.billing().accounts.list()]
    rows = [{"id": each.id, "mail": each.email} for each in sandbox.billing().accounts.list()]
    rows[0]["mail"] = "other@example.com"
    with Reconciliation(file, sandbox.billing().accounts.list(), key="id", fields={"email": "mail"}) as check:
        check.read()
        check.compare(rows)
        stored = b"".join(each.read_bytes() for each in tmp_path.iterdir())
        assert [email for email in emails if email.encode() in stored] == []
        assert b"other@example.com" in stored
        assert {stat.S_IMODE(each.stat().st_mode) for each in tmp_path.iterdir()} == {0o600}
        list(check.differences())
        check.reset()
        stored = b"".join(each.read_bytes() for each in tmp_path.iterdir())
        assert b"other@example.com" not in stored
        assert str(rows[5]["id"]).encode() not in stored


def test_a_file_that_others_can_read_is_made_private(tmp_path: Path) -> None:
    file = tmp_path / "n.db"
    opening(file).close()
    file.chmod(0o644)
    opening(file).close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def _other_database(file: Path) -> None:
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()


def _newer(file: Path) -> None:
    opening(file).close()
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def _older(file: Path) -> None:
    opening(file).close()
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA user_version = 1")
    connection.close()


def _with_two_names(file: Path) -> None:
    opening(file).close()
    file.with_name("other.db").hardlink_to(file)


def _damaged(file: Path) -> None:
    opening(file).close()
    content = bytearray(file.read_bytes())
    content[100:4096] = b"\xff" * 3996
    file.write_bytes(content)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda file: file.write_text("id,state\n"), "isn't the file of a comparison; it was not changed"),
        (lambda file: file.write_bytes(b"SQLite format 3\0" + b"x" * 200), "isn't the file of a comparison"),
        (_other_database, "isn't the file of a comparison"), (_newer, "another version"),
        (_older, "was written by another version of subscribekit; delete it, and read and compare again"),
        (_damaged, "is damaged|isn't the file"),
        (_with_two_names, "has another name"),
        (lambda file: file.mkdir(), "isn't a regular file"), (lambda file: file.symlink_to(file), "can't be opened"),
        (lambda file: file.parent.chmod(0o500), "can't be opened"),
    ],
)  # fmt: skip
def test_a_file_of_another_kind_is_refused_and_stays_as_it_was(
    tmp_path: Path, make: Callable[[Path], object], sentence: str
) -> None:
    folder = tmp_path / "f"
    folder.mkdir()
    make(folder / "n.db")
    if os.geteuid() == 0 and not os.access(folder, os.X_OK):
        pytest.skip("root can open every file")
    before = (folder / "n.db").read_bytes() if (folder / "n.db").is_file() else None
    if before is None and not (folder / "n.db").is_dir() and not (folder / "n.db").is_symlink() and os.geteuid() == 0:
        pytest.skip("root can write to every folder")
    with pytest.raises(ReconcileError, match=sentence):
        opening(folder / "n.db")
    folder.chmod(0o700)
    if before is not None and b"subscribekit" not in before:
        assert (folder / "n.db").read_bytes()[:100] == before[:100]


@pytest.mark.parametrize("path", ["", None, 5, ":memory:"])
def test_only_the_path_of_a_file_is_accepted(path: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="path of a file"):
        opening(path)


def to_ours(status: object) -> object:
    """Convert a status, as a function of the merchant does."""
    return status


@pytest.mark.parametrize(
    "options",
    [
        {"key": "vid"}, {"fields": {"status": "other"}}, {"fields": {"ends": "state"}}, {"compare_scale": True},
        {"fields": {"status": ("state", to_ours)}},
        {"pager": Sandbox().billing().accounts.list(), "fields": {"default_currency": "state"}},
        {"pager": Sandbox().billing().subscriptions.list(account="a1")},
        {"pager": Run("blocking").client("billing", transport=Service()).subscriptions.list()},
    ],
)  # fmt: skip
def test_a_file_of_another_comparison_is_refused(tmp_path: Path, options: dict[str, Any]) -> None:
    opening(tmp_path / "n.db").close()
    with pytest.raises(ReconcileError, match="belongs to another comparison"):
        opening(tmp_path / "n.db", **options)
    opening(tmp_path / "n.db").close()


def test_one_object_of_one_process_at_a_time_uses_a_file(tmp_path: Path) -> None:
    file = tmp_path / "n.db"
    code = "import sys; from reconcile.test_files import opening; from pathlib import Path; opening(Path(sys.argv[1]))"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    with opening(file):
        with pytest.raises(ReconcileError, match="is already open in this process"):
            opening(file)
        other = subprocess.run(
            [sys.executable, "-c", code, str(file)], env=environment, capture_output=True, text=True, check=False
        )
        assert "ReconcileError: the file n.db is used by another process" in other.stderr
    assert subprocess.run([sys.executable, "-c", code, str(file)], env=environment, check=False).returncode == 0


def test_a_closed_comparison_raises(tmp_path: Path) -> None:
    check = opening(tmp_path / "n.db")
    check.close()
    check.close()
    with pytest.raises(ReconcileError, match="is closed"):
        check.read()


@pytest.mark.posix("there is no fork")
@pytest.mark.hazard("H354")
@pytest.mark.parametrize("number", [os.getpid, lambda: 1], ids=["a process", "a PID namespace"])
def test_a_forked_child_is_refused_and_leaves_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: Callable[[], int]
) -> None:
    monkeypatch.setattr(os, "getpid", number)
    file, sandbox = tmp_path / "n.db", Sandbox()
    with opening(file, pager=sandbox.billing().subscriptions.list()) as check:
        check.read()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                check.counts()
            except ReconcileError as error:
                code = 0 if "forked" in str(error) else 2
            finally:
                check.close()
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        check.compare([{"id": row["id"], "state": row["state"]} for row in rows_of(sandbox)])
        assert check.counts() == Counts(equal=8)


@pytest.mark.posix("there is no fork")
def test_a_file_that_another_process_locked_after_a_fork_is_refused(tmp_path: Path) -> None:
    """A fork closes the file, and the next call opens it again."""
    file, sandbox = tmp_path / "n.db", Sandbox()
    with opening(file, pager=sandbox.billing().subscriptions.list()) as check:
        if (child := os.fork()) == 0:
            os._exit(0)
        os.waitpid(child, 0)
        with closing(sqlite3.connect(file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(ReconcileError, match="is used by another process"):
                check.reset()
        check.read()


def test_a_file_that_was_moved_is_refused(tmp_path: Path, run: Run) -> None:
    sandbox = Sandbox()

    async def scenario() -> None:
        async with opened(run, tmp_path / "n.db", client_of(run, sandbox).subscriptions.list()) as check:
            (tmp_path / "n.db").rename(tmp_path / "moved.db")
            with pytest.raises(ReconcileError, match="was moved or replaced"):
                await now(check.read())

    story(run, scenario)


def test_a_full_disk_stops_a_read_that_resumes_when_there_is_space(tmp_path: Path) -> None:
    """A page limit in SQLite simulates the full disk."""
    service = serve([{"object": "Subscription", "id": f"s{n:05d}{'x' * 100}"} for n in range(1000)], 100)
    client = Run("blocking").client("billing", transport=service)
    with opening(tmp_path / "n.db", pager=client.subscriptions.list()) as check:
        connection: sqlite3.Connection = check._core.store._open_connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 10}")
        with pytest.raises(ReconcileError, match="the disk is full"):
            check.read()
        assert 1 < len(service.sent) < 10
        connection.execute("PRAGMA max_page_count = 1000000")
        check.read()
        assert len(service.sent) == 12  # one page was read again
        check.compare([])
        assert check.counts() == Counts(remote_only=1000)


def test_ctrl_c_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    sandbox = Sandbox()
    with opening(tmp_path / "n.db", pager=sandbox.billing().subscriptions.list(limit=2)) as check:

        def interrupt(read: int, _: int | None) -> None:
            if read == 4:
                raise KeyboardInterrupt

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(display, "_MIN_INTERVAL", 0.0)  # report each page, even if pages arrive quickly
            patch.setattr(display, "_REST", 0)
            with pytest.raises(KeyboardInterrupt):
                check.read(progress=interrupt)
        sent = len(sandbox.requests)
        check.read()
        assert len(sandbox.requests) - sent == 3  # two pages, and the empty one after them

        def rows() -> Iterator[dict[str, Any]]:
            yield {"id": "x", "state": None}
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            check.compare(rows())
        with pytest.raises(InvalidArgumentError, match="call compare"):
            check.counts()


@pytest.mark.posix("there is no fork and no SIGKILL")
@pytest.mark.parametrize("part", [2, 5, 11, 23])
def test_a_kill_loses_nothing_and_repeats_at_most_one_page(tmp_path: Path, part: int) -> None:
    """Each process is killed after a fraction of the statements of a complete run, and each at another statement."""
    assert compared(tmp_path / "whole.db", tmp_path / "whole", tmp_path / "expected", 0) == 0
    *expected, statements = (tmp_path / "expected").read_text("utf-8").splitlines()
    assert expected[0].startswith("20 Counts(equal=380, local_only=0, remote_only=10, differs=10,")

    def ends(fatal: int) -> int:
        return compared(tmp_path / "n.db", tmp_path / "log", tmp_path / "found", fatal)

    kills = 0
    while kills < 8 and ends(int(statements) // part + kills) == -signal.SIGKILL:
        kills += 1
    assert kills >= min(part - 1, 3)
    assert ends(0) == 0
    assert (tmp_path / "found").read_text("utf-8").splitlines()[:2] == expected
    pages = (tmp_path / "log").read_text("utf-8").split()
    once = (tmp_path / "whole").read_text("utf-8").split()
    assert list(dict.fromkeys(pages)) == once
    assert len(pages) <= len(once) + kills


def test_exactly_the_planted_differences_of_a_long_list_are_found(tmp_path: Path) -> None:
    """The benchmark `tests/benchmarks/differences.py` does the same with a longer list, and kills the process."""
    planted = Planted(5_000, 100)
    billing = planted.sandbox.billing()
    with Reconciliation(tmp_path / "n.db", billing.subscriptions.list(limit=100), key="id", fields=FIELDS) as check:
        check.read(progress=lambda *_: planted.change(1))
        planted.change(100)
        check.compare(planted.rows())
        assert sorted([each.kind, each.key] for each in check.differences()) == planted.expected()
        counts = check.counts()
        assert (counts.local_only, counts.remote_only, counts.differs) == (25, 25, 25)
        assert counts.equal + counts.changed_meanwhile == 5_000 - 50
    assert {request.method for request in planted.sandbox.requests} == {"GET"}
