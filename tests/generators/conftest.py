"""Helpers for the tests with generators, mocks, and fuzzers, which find the tools and start their processes."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection, socket

import pytest

from pages.written import DOCS

DOCUMENT = DOCS / "openapi.json"
FOLDER = Path(os.environ.get("SUBSCRIBEKIT_GENERATORS", "nowhere"))
START_SECONDS = 120
"""The time limit for the start of a mock, which takes five seconds on an idle machine."""


def program(name: str) -> str:
    """Return the path of a tool, or skip the test if it isn't installed."""
    for folder in ("bin", "node_modules/.bin"):
        if (FOLDER / folder / name).exists():
            return str(FOLDER / folder / name)
    pytest.skip(f"{name} isn't installed")


def run(*command: str, at: Path, **variables: str) -> str:
    """Run a tool, check that it succeeds, and return its output."""
    path = f"{FOLDER / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command, cwd=at, env={**os.environ, "PATH": path, **variables}, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-6000:]
    return done.stdout


@contextmanager
def started(log: Path, command: Callable[[int], list[str]]) -> Iterator[str]:
    """Start a server on a free port, wait until it listens, and yield its address."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with log.open("w") as output, subprocess.Popen(command(port), stdout=output, stderr=output) as process:
        try:
            _wait(process, port, log)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        try:
            create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"it doesn't listen after {START_SECONDS} s: {log.read_text()}")
