"""Tests the command `python -m subscribekit.sandbox`: its printed instructions work, and signals stop it."""

from __future__ import annotations

import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from subscribekit import webhooks
from subscribekit.sandbox.__main__ import describe, main
from subscribekit.sandbox.server import SandboxServer

CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}


@contextmanager
def command(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start the command, wait until it's ready, and yield the process and the printed text."""
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "subscribekit.sandbox", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=CLEAN,
    )
    assert process.stdout is not None
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        printed = ""
        while "from subscribekit.sandbox import Sandbox" not in printed:
            line = process.stdout.readline()
            assert line, process.communicate()
            printed += line
        yield process, printed
    finally:
        watchdog.cancel()
        process.kill()
        process.communicate()


def stop(process: subprocess.Popen[str], kind: signal.Signals) -> str:
    process.send_signal(kind)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0, errors
    return errors


def indented(printed: str, after: str) -> str:
    block = printed.partition(after)[2].strip("\n")
    for following in ("Then run this in Python", "Or use curl", "The specification"):
        block = block.split(f"\n\n{following}")[0]
    return "\n".join(line.removeprefix("    ") for line in block.splitlines())


def run_pasted(printed: str, use: str) -> subprocess.CompletedProcess[str]:
    """Run the printed Python lines unchanged, with the printed environment variables."""
    exported = dict(
        line.removeprefix("export ").split("=", 1)
        for line in indented(printed, "Set these variables in a shell:").splitlines()
    )
    program = indented(printed, "Then run this in Python, started from the same shell:") + "\n" + use
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**CLEAN, **exported},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [((), signal.SIGTERM), (("--plain",), signal.SIGINT)],
    ids=["tls, SIGTERM", "plain, Ctrl-C"],
)
def test_the_printed_instructions_work(arguments: tuple[str, ...], kind: signal.Signals) -> None:
    with command(*arguments) as (process, printed):
        done = run_pasted(printed, "print(billing, billing.accounts.list().total_count())")
        assert done.returncode == 0, done.stderr
        assert done.stdout == "<BillingClient environment='local' host='127.0.0.1'> 25\n"
        log = stop(process, kind)
        assert "billing GET /accounts 200" in log
        assert "Traceback" not in log


def test_quiet_prints_no_requests_and_the_directory_is_used(tmp_path: Path) -> None:
    with command("--quiet", "--directory", str(tmp_path), "--real-time", "--seed", "3") as (process, printed):
        assert f"export SUBSCRIBEKIT_LOCAL_CA_FILE={tmp_path / 'authority.pem'}" in printed
        assert f"curl --cacert {tmp_path / 'authority.pem'} " in printed
        done = run_pasted(printed, "print(billing.accounts.list().first().vid)")
        assert re.fullmatch(r"[0-9a-f]{40}\n", done.stdout), done.stderr
        assert stop(process, signal.SIGTERM) == ""


def test_a_port_in_use_ends_with_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["--plain", "--port", str(taken.getsockname()[1])]) == 1
    assert "subscribekit.sandbox:" in capsys.readouterr().err


def test_a_missing_extra_is_named_in_the_message(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "subscribekit.sandbox.server.certificate", None)
    assert main([]) == 1
    assert "pip install 'subscribekit[server]'" in capsys.readouterr().err


@pytest.mark.parametrize("port", ["65533", "-1"])
def test_a_port_without_three_after_it_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--plain", f"--port={port}"])
    assert "must be a number from 0 to 65532" in capsys.readouterr().err


def test_the_description_shows_addresses_and_credentials() -> None:
    with SandboxServer(plain=True) as server:
        description = describe(server)
    assert f"SUBSCRIBEKIT_LOCAL_GATEWAY_URL={server.addresses['gateway']}" in description
    for variable in ("API_USER", "API_KEY", "GATEWAY_API_KEY", "SESSION_ID", "ACCESS_TOKEN"):
        assert re.search(rf"export SUBSCRIBEKIT_LOCAL_{variable}=sandbox-[a-z-]+\n", description)


def test_the_printed_path_of_the_ca_works_in_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "my work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    with SandboxServer(directory=Path()) as server:
        description = describe(server)
    authority = shlex.quote(str(folder / "authority.pem"))
    assert f"export SUBSCRIBEKIT_LOCAL_CA_FILE={authority}\n" in description
    assert f"curl --cacert {authority} " in description


def test_webhooks_are_posted(capsys: pytest.CaptureFixture[str]) -> None:
    received: list[tuple[bytes, str]] = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((body, self.headers["X-Webhook-Signature"]))
            self.send_response_only(204)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as receiver:
        threading.Thread(target=receiver.serve_forever, kwargs={"poll_interval": 0.01}).start()
        hook = ("--webhook", f"http://127.0.0.1:{receiver.server_port}/", "--webhook-key", "k")
        with command("--plain", *hook) as (process, printed):
            done = run_pasted(printed, 'with billing:\n    print(billing.payments.reverse("pay-cash-0001").status)')
            stop(process, signal.SIGTERM)
        receiver.shutdown()
    assert done.stdout.strip() == "Failure", done.stderr
    ((body, signature),) = received
    assert webhooks.unwrap(body, signature, "k").subject == ("transaction", "txn-pay-cash-0001")

    with pytest.raises(SystemExit):
        main(["--plain", "--webhook", "http://example.com/"])
    assert "must be on this machine" in capsys.readouterr().err


def test_a_port_in_use_is_named_and_the_signals_stay(capsys: pytest.CaptureFixture[str]) -> None:
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    with SandboxServer(plain=True) as taken:
        port = int(taken.addresses["billing"].rpartition(":")[2])
        assert main(["--plain", "--port", str(port)]) == 1
    assert f"port {port} of 127.0.0.1: Address already in use" in capsys.readouterr().err
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == before


def test_an_option_chooses_the_form_of_responses() -> None:
    with command("--plain", "--quiet", "--responses", "published") as (process, printed):
        use = 'print(billing.subscriptions.retrieve("sub-basic-0001").most_recent_billing); billing.close()'
        ran = run_pasted(printed, use)
        assert (ran.stdout, ran.stderr) == ("None\n", "")
        stop(process, signal.SIGTERM)
