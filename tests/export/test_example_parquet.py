"""The example `export_parquet.py` resumes after any stop without losing or repeating an account (H122)."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import duckdb
import httpx
import polars as pl
import pyarrow.parquet as pq
import pytest

from subscribekit import BillingClient
from subscribekit.errors import SubscribekitError
from subscribekit.sandbox import Sandbox

SCRIPT = Path(__file__).parents[2] / "examples" / "export_parquet.py"
IDS = [f"acct-{number:04d}" for number in range(1, 26)]


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_export_parquet", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ids(folder: Path) -> list[str]:
    return [value for file in sorted(folder.glob("*.parquet")) for value in pq.read_table(file)["id"].to_pylist()]


def run(*arguments: str) -> list[str]:
    return [sys.executable, "-W", "error", str(SCRIPT), *arguments]


class Killed(BaseException):
    """Simulates the end of the process."""


class Fails(httpx.BaseTransport):
    """A transport that sends some requests to the sandbox, and then fails for all later requests."""

    def __init__(self, sandbox: Sandbox, requests: int) -> None:
        self.sandbox, self.left, self.clock = sandbox, requests, sandbox.transport.clock

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.left == 0:
            raise httpx.ReadError("gone")
        self.left -= 1
        return self.sandbox.transport.handle_request(request)


@pytest.mark.parametrize("requests", [0, 2, 5])
@pytest.mark.parametrize("pages", [1, 2])
def test_the_export_resumes_after_a_lost_connection(requests: int, pages: int, example: Any, tmp_path: Path) -> None:
    sandbox = Sandbox()
    client = BillingClient(environment=sandbox.environment, transport=Fails(sandbox, requests))
    with client, pytest.raises(SubscribekitError):
        example.export(client, tmp_path, page_size=5, pages=pages, include_personal=False)
    with sandbox.billing() as whole:
        assert example.export(whole, tmp_path, page_size=5, pages=pages, include_personal=False) == 25
    assert ids(tmp_path) == IDS


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("number", [1, 3])
def test_the_export_resumes_after_it_was_killed_during_a_write(
    step: str, number: int, example: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox, count = Sandbox(), 0
    owner: Any = os if step == "fsync" else Path
    real: Callable[..., Any] = getattr(owner, step)

    def killed(*arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count == number:
            raise Killed
        return real(*arguments)

    with sandbox.billing() as client, monkeypatch.context() as patched:
        patched.setattr(owner, step, killed)
        with pytest.raises(Killed):
            example.export(client, tmp_path, page_size=5, pages=1, include_personal=False)
    assert ids(tmp_path) == IDS[: (number - 1) * 5]
    with sandbox.billing() as client:
        assert example.export(client, tmp_path, page_size=5, pages=1, include_personal=False) == 25
    assert ids(tmp_path) == IDS
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".parquet"] == []


def test_the_export_does_not_resume_in_another_environment(example: Any, tmp_path: Path) -> None:
    sandbox = Sandbox()
    with sandbox.billing() as client:
        example.export(client, tmp_path, page_size=5, pages=1, include_personal=False)
    staging = replace(sandbox.environment, name="staging")
    with (
        BillingClient(environment=staging, transport=sandbox.transport) as other,
        pytest.raises(
            SystemExit, match=r"checkpoint belongs to the environment 'sandbox'.*\. To start over, pass a new folder\.$"
        ),
    ):
        example.export(other, tmp_path, page_size=5, pages=1, include_personal=False)
    assert ids(tmp_path) == IDS


def test_an_invalid_page_size_is_reported_without_advice_about_the_folder(example: Any, tmp_path: Path) -> None:
    with (
        Sandbox().billing() as client,
        pytest.raises(SystemExit, match=r"^Nothing was read: limit must be an integer from 1 to 100\.$"),
    ):
        example.export(client, tmp_path, page_size=0, pages=1, include_personal=False)


def test_a_file_must_have_at_least_one_page(tmp_path: Path) -> None:
    done = subprocess.run(run(str(tmp_path), "--pages", "0"), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.endswith("--pages must be at least 1\n")


def test_the_export_resumes_after_kill_9(tmp_path: Path) -> None:
    with subprocess.Popen(run(str(tmp_path), "--page-size", "1"), stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and len(list(tmp_path.glob("*.parquet"))) < 3:
            time.sleep(0.001)
        process.kill()
    done = subprocess.run(run(str(tmp_path), "--page-size", "10"), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")  # without a terminal, there's no progress bar
    assert ids(tmp_path) == IDS


def test_a_later_run_adds_new_accounts(example: Any, tmp_path: Path) -> None:
    from subscribekit.models import Account

    sandbox = Sandbox()
    with sandbox.billing() as client:
        example.export(client, tmp_path, page_size=10, pages=1, include_personal=False)
        client.accounts.create(Account(id="zz-later"))
        assert example.export(client, tmp_path, page_size=10, pages=1, include_personal=False) == 26
    assert ids(tmp_path) == [*IDS, "zz-later"]


def test_a_later_run_says_that_exported_accounts_are_not_read_again(
    example: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Sandbox().billing() as client:
        example.export(client, tmp_path, page_size=10, pages=1, include_personal=False)
        assert capsys.readouterr().out == ""
        example.export(client, tmp_path, page_size=10, pages=1, include_personal=False)
    assert capsys.readouterr().out == (
        "Resuming after 25 accounts. They aren't read again, so their changes are missing. To read all accounts, pass "
        "a folder that doesn't exist yet.\n"
    )


def test_the_files_are_one_table(example: Any, tmp_path: Path) -> None:
    with Sandbox().billing() as client:
        example.export(client, tmp_path, page_size=10, pages=1, include_personal=False)
        expected = [(each.id, each.created) for each in client.accounts.list()]
    assert pl.read_parquet(tmp_path / "*.parquet").select("id", "created").rows() == expected
    found = duckdb.sql(f"select id, epoch_us(created) from '{tmp_path}/*.parquet' order by id").fetchall()
    assert found == [(key, int(created.timestamp() * 1_000_000)) for key, created in expected]
    assert "email" not in pq.read_schema(next(tmp_path.glob("*.parquet"))).names


def test_personal_columns_are_included_on_request(example: Any, tmp_path: Path) -> None:
    with Sandbox().billing() as client:
        example.export(client, tmp_path, page_size=100, pages=1, include_personal=True)
    assert "email" in pq.read_schema(next(tmp_path.glob("*.parquet"))).names


def test_a_terminal_shows_a_progress_bar(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    termios = pytest.importorskip("termios")
    terminal, side = pty.openpty()
    termios.tcsetwinsize(side, (24, 80))
    environment = {**os.environ, "TQDM_MININTERVAL": "0"}
    done = subprocess.run(
        run(str(tmp_path)), stdout=subprocess.DEVNULL, stderr=side, timeout=60, check=False, env=environment
    )
    os.close(side)
    shown = b""
    try:
        while piece := os.read(terminal, 1 << 16):
            shown += piece
    except OSError:
        os.close(terminal)  # Linux raises this error when the other side of the terminal is closed
    assert done.returncode == 0, shown
    assert [part in shown for part in (b"Accounts:  40%|", b"10/25", b"Accounts: 100%|")] == [True] * 3, shown
