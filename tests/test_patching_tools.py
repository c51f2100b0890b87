"""Test tools that stand in for httpx, httpcore or sockets get the requests of a client with default settings."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from patching_tools import TOOLS

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
