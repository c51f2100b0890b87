"""The examples run, say what they should, and an export goes on where it stopped."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import httpx
import pytest

from subscribekit import BillingClient
from subscribekit.errors import SubscribekitError
from subscribekit.sandbox import Sandbox

EXAMPLES = Path(__file__).parents[2] / "examples"


def run_example(name: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run an example as a merchant does."""
    return subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


def load(name: str) -> ModuleType:
    """Import an example without running it."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_create_subscription() -> None:
    done = run_example("create_subscription")
    assert (done.returncode, done.stderr) == (0, "")
    preview, created = done.stdout.split("What it is\n")
    assert "Dryrun" in preview
    assert "charged now    7.99 USD" in created
    assert "Active, Good Standing" in created
    assert "entitled       yes" in created


def test_refund() -> None:
    done = run_example("refund")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0].endswith(": 9.99 USD")
    assert lines[1] == "Not refunded yet: 9.99"
    assert lines[3].startswith("5.00 Processing, refund-")
    assert lines[5] == "Not refunded yet: 4.99"
    assert lines[8].startswith("5.00 refused: ")


def test_modify_subscription() -> None:
    done = run_example("modify_subscription")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Now on plan-monthly with prod-basic, prod-addon." in done.stdout
    assert "Now on plan-monthly with prod-basic, prod-premium." in done.stdout
    assert "Now on plan-annual with prod-basic, prod-premium." in done.stdout
    assert done.stdout.count("What is billed now:") == 2
    assert done.stdout.count("Nothing is billed now.") == 1


def test_export_accounts(tmp_path: Path) -> None:
    done = run_example("export_accounts", str(tmp_path / "out.csv"))
    assert (done.returncode, done.stderr) == (0, "")  # no bar where nobody looks
    rows = (tmp_path / "out.csv").read_text().splitlines()
    assert len(rows) == 26
    assert rows[1].startswith("acct-0001,")
    assert [path.name for path in tmp_path.iterdir()] == ["out.csv"]


def test_an_export_draws_a_bar_on_a_terminal(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty")
    termios = pytest.importorskip("termios")
    terminal, side = pty.openpty()
    termios.tcsetwinsize(side, (24, 80))
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / "export_accounts.py"), str(tmp_path / "out.csv")],
        stdout=subprocess.DEVNULL,
        stderr=side,
        timeout=60,
        check=False,
        env={**os.environ, "TQDM_MININTERVAL": "0"},
    )
    os.close(side)
    shown = b""
    with contextlib.suppress(OSError):  # which is how a terminal says that nobody is at its other side
        while piece := os.read(terminal, 1 << 16):
            shown += piece
    os.close(terminal)
    assert done.returncode == 0, shown
    assert [part in shown for part in (b"Accounts:  40%|", b"10/25", b"Accounts: 100%|")] == [True] * 3, shown


class Fails(httpx.BaseTransport):
    """Carries some requests to the sandbox and loses the connection for good afterwards."""

    def __init__(self, sandbox: Sandbox, requests: int) -> None:
        self.sandbox, self.left, self.clock = sandbox, requests, sandbox.transport.clock

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.left == 0:
            raise httpx.ReadError("gone")
        self.left -= 1
        return self.sandbox.transport.handle_request(request)


@pytest.mark.parametrize("requests", range(6))
@pytest.mark.parametrize("torn", ["", "acct-9999,half a r"])
def test_an_export_goes_on_where_it_stopped(requests: int, torn: str, tmp_path: Path) -> None:
    example, sandbox = load("export_accounts"), Sandbox()
    whole, parts = tmp_path / "whole.csv", tmp_path / "parts.csv"
    with sandbox.billing() as client:
        example.export(client, whole, 5)
    failing = BillingClient(environment=sandbox.environment, transport=Fails(sandbox, requests))
    with failing, pytest.raises(SubscribekitError):
        example.export(failing, parts, 5)
    with parts.open("a") as file:
        file.write(torn)  # a crash between writing rows and keeping the checkpoint
    with sandbox.billing() as client:
        assert example.export(client, parts, 5) == 25
    assert parts.read_bytes() == whole.read_bytes()


def test_a_real_environment_needs_its_address(tmp_path: Path) -> None:
    done = run_example("export_accounts", str(tmp_path / "out.csv"), SUBSCRIBEKIT_ENVIRONMENT="staging")
    assert done.returncode == 1
    assert "SUBSCRIBEKIT_STAGING_BASE_URL" in done.stderr
