"""Tests that need other tools. Each tool has its own folder, because the versions of the tools conflict.

These tests run only if you name their folder, as a step of `.ci/run` does:

    while read -r name wants; do pip install --target "FOLDER/$name" $wants; done <tests/tools/folders.txt
    SUBSCRIBEKIT_TOOLS=FOLDER pytest tests/tools
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FOLDER = os.environ.get("SUBSCRIBEKIT_TOOLS")

Story = Callable[..., str]


@pytest.fixture
def story() -> Story:
    """Return a function that runs a module with a tool in its own process, and returns the output."""

    def run(tool: str, module: str, *arguments: str, command: tuple[str, ...] = (), **variables: str) -> str:
        folder = Path(FOLDER or "") / tool
        assert folder.is_dir(), f"{tool} is not installed"
        path = os.pathsep.join((str(folder), str(HERE.parent)))
        done = subprocess.run(
            [sys.executable, *command, "-m", module, *arguments],
            env={**os.environ, "PYTHONPATH": path, **variables}, capture_output=True, text=True, timeout=100,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
