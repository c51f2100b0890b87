"""`subscribekit export accounts FOLDER --workers 16` writes only complete files, and each row once (H288)."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchmarks.windows import WindowServer
from cli.kit import Shell
from subscribekit import BillingClient
from subscribekit.cli.exports import export
from subscribekit.export import _workers
from subscribekit.sandbox.faults import server_error
from subscribekit.sandbox.http.wire import SandboxRequest
from subscribekit.sandbox.platform import Platform

pytestmark = pytest.mark.hazard("H288")
ACCOUNTS, KILLS = (3000, 15) if "SUBSCRIBEKIT_HEAVY" in os.environ else (600, 3)
"""The number of accounts, and of exports that are killed after they've completed a partition."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(_workers, "SIZE", 4)
    return tmp_path / "accounts"


def ids(folder: Path) -> list[str]:
    found = [pq.read_table(each, columns=["id"])["id"].to_pylist() for each in sorted(folder.glob("*.parquet"))]
    return [str(each) for part in found for each in part]


def all_ids() -> list[str]:
    with BillingClient(environment="sandbox") as billing:
        return sorted(str(each.id) for each in billing.accounts.list())


def test_a_folder_holds_each_row_once_in_private_files(shell: Shell, folder: Path) -> None:
    done = shell("export", "accounts", "accounts", "--workers", "3", "--columns", "id, created")
    assert (done.code, done.out) == (0, "")
    files = sorted(folder.glob("*.parquet"))
    assert done.err == f"Wrote 25 rows to {len(files)} files in accounts.\n"
    assert len(files) > 6
    assert sorted(ids(folder)) == all_ids()
    assert {each.name for each in folder.iterdir()} == {each.name for each in files} | {"partitions.json"}
    assert {stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert pq.read_table(files[0]).column_names == ["id", "created"]


def test_a_folder_that_is_a_file_is_refused(shell: Shell, folder: Path) -> None:
    folder.write_text("a file")
    done = shell("export", "billing.accounts", "accounts", "--workers", "3")
    assert done.code == 2
    assert "accounts can't be used as the folder for the files: " in done.err
    assert folder.read_text() == "a file"


def test_a_terminal_shows_how_many_rows_were_read(shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[int, int]] = []

    @contextmanager
    def bar(name: str, total: int) -> Iterator[Callable[[int, int], None]]:
        assert (name, total) == ("rows", 25)
        yield lambda read, of: shown.append((read, of))

    monkeypatch.setattr(export, "progress_bar", bar)
    assert shell("export", "accounts", "accounts", "--workers", "3").code == 0
    assert shown == sorted(shown)
    assert shown[-1] == (25, 25)


def test_a_failure_keeps_complete_partitions_and_the_same_command_reads_the_others(
    shell: Shell, folder: Path, platform: Platform
) -> None:
    reads: list[str] = []

    def is_fourth(request: SandboxRequest) -> bool:
        if dict(request.query).get("limit") == "100" and "created_before" in dict(request.query):
            reads.append(request.path)
        return len(reads) == 4

    platform.faults.add(is_fourth, server_error(501))
    failed = shell("export", "accounts", "accounts", "--workers", "1")
    assert failed.code == 1
    assert "partitions are in accounts. To resume, run the same command again." in failed.err
    assert "--checkpoint" not in failed.err, "the command has no such option"
    whole = {each.name: each.stat().st_mtime_ns for each in folder.glob("*.parquet")}
    assert len(whole) > 0
    assert not list(folder.glob("*.partial"))
    done = shell("export", "accounts", "accounts", "--workers", "2")
    assert done.code == 0
    assert f"Resuming. {len(whole)} of" in done.err
    assert sorted(ids(folder)) == all_ids()
    assert {name: (folder / name).stat().st_mtime_ns for name in whole} == whole


def test_a_complete_export_is_read_again_only_with_restart(shell: Shell, folder: Path, platform: Platform) -> None:
    shell("export", "accounts", "accounts", "--workers", "2")
    sent = len(platform.requests)
    assert shell("export", "accounts", "accounts", "--workers", "2").code == 0
    assert len(platform.requests) == sent
    assert shell("export", "accounts", "accounts", "--workers", "2", "--restart").code == 0
    assert len(platform.requests) > sent
    assert sorted(ids(folder)) == all_ids()


@pytest.mark.parametrize("more", [["--include-personal"], ["--columns", "id"], ["--email", "a@example.com"]])
def test_a_folder_of_another_export_is_refused(shell: Shell, folder: Path, more: list[str]) -> None:
    shell("export", "accounts", "accounts", "--workers", "2")
    before = ids(folder)
    refused = shell("export", "accounts", "accounts", "--workers", "2", *more)
    assert refused.code == 2
    assert "belongs to another export" in refused.err
    assert ids(folder) == before


@pytest.mark.parametrize(
    ("content", "sentence"),
    [("{", "is damaged"), ("[1, 2]", "is damaged"), ('[1, "x", [["../evil", "a", "b", 1]]]', "is damaged")],
)
def test_a_damaged_partitions_file_is_refused(shell: Shell, folder: Path, content: str, sentence: str) -> None:
    folder.mkdir()
    (folder / "partitions.json").write_text(content)
    (folder / "partitions.json").chmod(0o600)
    refused = shell("export", "accounts", "accounts", "--workers", "2")
    assert refused.code == 2
    assert sentence in refused.err


def test_a_folder_with_other_files_is_refused(shell: Shell, folder: Path) -> None:
    folder.mkdir()
    (folder / "mine.parquet").write_bytes(b"x")
    refused = shell("export", "accounts", "accounts", "--workers", "2")
    assert refused.code == 2
    assert "contains other Parquet files" in refused.err


def test_a_list_without_partitions_and_an_unknown_column_leave_no_folder(shell: Shell, folder: Path) -> None:
    refused = shell("export", "subscriptions", "accounts", "--workers", "2")
    assert refused.code == 2
    assert "billing.accounts.list" in refused.err
    assert shell("export", "accounts", "accounts", "--workers", "2", "--columns", "nme").code == 2
    assert not folder.exists()


@pytest.mark.posix("folders can't be locked")
def test_two_processes_do_not_write_into_one_folder(shell: Shell, folder: Path) -> None:
    import fcntl

    folder.mkdir()
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        refused = shell("export", "accounts", "accounts", "--workers", "2")
    finally:
        os.close(descriptor)
    assert refused.code == 2
    assert "another process is writing accounts" in refused.err


KILLED = """
import os, signal, sys
from subscribekit.cli import main
from subscribekit.export import _workers

folder, left, _workers.SIZE = sys.argv[4], int(sys.argv.pop(1)), 40

def count(event, arguments):
    global left
    if event in ("open", "os.rename", "os.remove") and str(arguments[0]).startswith(folder):
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

sys.addaudithook(count)
sys.exit(main(sys.argv[1:]))
"""
"""Runs the command, and kills it just before the nth use of a file in the folder, or never if n is 0."""


def test_killed_processes_lose_and_repeat_no_row(tmp_path: Path) -> None:
    """Real processes are killed at random moments. After the last one, which isn't killed, each row is there once."""
    chance, folder = random.Random(28), tmp_path / "accounts"
    with WindowServer(latency=0, accounts=ACCOUNTS, bursts=True) as server:
        environment = {
            **os.environ, "SUBSCRIBEKIT_LOCAL_BASE_URL": server.url, "SUBSCRIBEKIT_LOCAL_API_USER": "u",
            "SUBSCRIBEKIT_LOCAL_API_KEY": "k",
        }  # fmt: skip

        def export(uses: int) -> int:
            command = [
                sys.executable, "-c", KILLED, str(uses), "export", "accounts", str(folder), "--workers", "4",
                "--environment", "local", "--page-size", "20",
            ]  # fmt: skip
            return subprocess.run(command, env=environment, stderr=subprocess.DEVNULL, check=False).returncode

        # There are at most four uses before the first partition, and three uses for each partition until it's renamed.
        # So at least one of four workers has completed a partition before the 14th use, and at most five partitions are
        # complete before the 18th.
        for uses in (chance.randrange(1, 5), *(chance.randrange(14, 19) for _ in range(KILLS))):
            assert export(uses) == -signal.SIGKILL
            for each in folder.glob("*.parquet"):
                pq.read_metadata(each)
        assert KILLS <= len(list(folder.glob("*.parquet"))) < len(names_in(folder))
        assert export(0) == 0
    assert sorted(ids(folder)) == [f"a{n:07d}" for n in range(ACCOUNTS)]
    assert not list(folder.glob("*.partial"))
    assert {each.stem for each in folder.glob("*.parquet")} == names_in(folder)


def names_in(folder: Path) -> set[str]:
    return {name for name, *_ in json.loads((folder / "partitions.json").read_text())[2]}
