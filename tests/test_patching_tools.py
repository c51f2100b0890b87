"""Test tools that replace httpx, httpcore, or sockets receive the requests of a client with default settings."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
import wrapt

from kit.faults.server import FaultServer
from patching_tools import TOOLS
from reliability.kit import Run
from reliability.operations import E6, E8
from subscribekit.cli import main

HERE = Path(__file__).parent


@pytest.mark.hazard("H110")
@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_receives_the_requests_of_a_client(tool: str) -> None:
    """Each tool runs in its own process, because some tools change modules when they're imported."""
    done = subprocess.run(
        [sys.executable, "-m", "patching_tools", tool],
        env={**os.environ, "PYTHONPATH": str(HERE)}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "blocking\nasync\n"), done.stderr


@pytest.mark.hazard("H256", "H378")
@pytest.mark.parametrize("style", ["blocking", "async"])
@pytest.mark.parametrize("is_partial", [False, True], ids=["function", "partial"])
def test_a_wrapper_around_send_is_called_once_and_named_in_the_backend(
    style: Any, is_partial: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tracers wrap `send` this way. The wrapper has the name, the class, and the globals of the wrapped function."""
    run, calls = Run(style), list[str]()

    def record(wrapped: Any, _client: Any, given: Any, options: Any, name: str = "send") -> Any:
        calls.append(name)
        return wrapped(*given, **options)

    wrapper = functools.partial(record, name="partial") if is_partial else record
    for kind in (httpx.Client, httpx.AsyncClient):
        monkeypatch.setattr(kind, "send", wrapt.FunctionWrapper(vars(kind)["send"], wrapper))
    try:
        with FaultServer() as srv:
            client = run.client("gateway", srv, timed=False)
            run(client, E6.use, E8.use)
            assert (len(calls), len(srv.requests)) == (2, 2)
            named = "own connections, Client.send by test_patching_tools, AsyncClient.send by test_patching_tools"
            assert client.http_backend.endswith(named)
            monkeypatch.setenv("SUBSCRIBEKIT_LOCAL_GATEWAY_URL", srv.url)
            monkeypatch.setenv("SUBSCRIBEKIT_LOCAL_GATEWAY_API_KEY", "k")
            monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "local")
            main(["doctor", "--json"])
            assert named in capsys.readouterr().out
    finally:
        run.close()
