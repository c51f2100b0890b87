"""Test tools that stand in for httpx, httpcore or sockets get the requests of a client with default settings."""

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
def test_a_tool_gets_what_it_would_have_caught(tool: str) -> None:
    """In its own process: some of the tools change modules when they are imported."""
    done = subprocess.run(
        [sys.executable, "-m", "patching_tools", tool],
        env={**os.environ, "PYTHONPATH": str(HERE)}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, "blocking\nasync\n"), done.stderr


@pytest.mark.hazard("H256", "H378")
@pytest.mark.parametrize("style", ["blocking", "async"])
@pytest.mark.parametrize("is_partial", [False, True], ids=["function", "partial"])
def test_a_wrapper_of_wrapt_is_named_and_called_once(
    style: Any, is_partial: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As tracers put it around `send`; it has the name, the class and the globals of what it wraps."""
    run, seen = Run(style), list[str]()

    def look(wrapped: Any, _client: Any, given: Any, options: Any, name: str = "send") -> Any:
        seen.append(name)
        return wrapped(*given, **options)

    wrapper = functools.partial(look, name="partial") if is_partial else look
    for kind in (httpx.Client, httpx.AsyncClient):
        monkeypatch.setattr(kind, "send", wrapt.FunctionWrapper(vars(kind)["send"], wrapper))
    try:
        with FaultServer() as srv:
            client = run.client("gateway", srv, timed=False)
            run(client, E6.use, E8.use)
            assert (len(seen), len(srv.requests)) == (2, 2)
            named = "own connections, Client.send by test_patching_tools, AsyncClient.send by test_patching_tools"
            assert client.http_backend.endswith(named)
            monkeypatch.setenv("SUBSCRIBEKIT_LOCAL_GATEWAY_URL", srv.url)
            monkeypatch.setenv("SUBSCRIBEKIT_LOCAL_GATEWAY_API_KEY", "k")
            monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "local")
            main(["doctor", "--json"])
            assert named in capsys.readouterr().out
    finally:
        run.close()
