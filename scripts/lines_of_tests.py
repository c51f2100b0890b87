"""A pytest plugin (`-p lines_of_tests`) that records which test runs which line of the package. It needs Python 3.12.

It records only tests that passed, and only lines of functions, because all other lines run in the first test that
imports the module. Each process writes its own file.
"""

import inspect
import os
import sqlite3
import sys
from collections.abc import Generator
from pathlib import Path
from types import CodeType

import pytest

assert sys.version_info >= (3, 12), "the plugin reads sys.monitoring, which Python 3.12 added"  # noqa: S101  only one command uses the plugin

TOOL = sys.monitoring.PROFILER_ID
EVENTS = sys.monitoring.events
FOLDER = Path(os.environ["LINES_OF_TESTS"])
PACKAGE = os.environ["LINES_OF_PACKAGE"]

_lines: set[tuple[CodeType, int]] = set()


def _start(code: CodeType, offset: int) -> object:
    del offset
    if code.co_flags & inspect.CO_OPTIMIZED and code.co_filename.startswith(PACKAGE):
        sys.monitoring.set_local_events(TOOL, code, EVENTS.LINE)
    return sys.monitoring.DISABLE


def _line(code: CodeType, line: int) -> object:
    _lines.add((code, line))
    return sys.monitoring.DISABLE


def pytest_configure() -> None:
    """Start recording before the package is imported."""
    sys.monitoring.use_tool_id(TOOL, "lines of tests")
    sys.monitoring.register_callback(TOOL, EVENTS.PY_START, _start)
    sys.monitoring.register_callback(TOOL, EVENTS.LINE, _line)
    sys.monitoring.set_events(TOOL, EVENTS.PY_START)


def pytest_unconfigure() -> None:
    """Stop recording before the interpreter clears its modules at exit."""
    sys.monitoring.set_events(TOOL, EVENTS.NO_EVENTS)


_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Forget the lines of the previous test, and let Python report each line once more."""
    _lines.clear()
    item.stash[_failed] = False
    sys.monitoring.restart_events()
    ran = yield
    if not item.stash[_failed]:
        _keep(item.nodeid)
    return ran


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Record a test that didn't pass."""
    report = yield
    item.stash[_failed] |= not report.passed
    return report


def _keep(test: str) -> None:
    files: dict[str, list[int]] = {}
    for code, line in list(_lines):
        files.setdefault(code.co_filename.removeprefix(PACKAGE), []).append(line)
    with _record() as record:
        record.executemany(
            "insert into ran values (?, ?, ?)", [(test, file, bytes(_bits(lines))) for file, lines in files.items()]
        )


def _bits(lines: list[int]) -> bytearray:
    bits = bytearray(max(lines) // 8 + 1)
    for line in lines:
        bits[line // 8] |= 1 << line % 8
    return bits


_open: dict[int, sqlite3.Connection] = {}


def _record() -> sqlite3.Connection:
    pid = os.getpid()
    if pid not in _open:
        _open[pid] = sqlite3.connect(FOLDER / f"{pid}.sqlite", check_same_thread=False)
        _open[pid].execute("pragma synchronous = off")
        _open[pid].execute("create table ran (test text, file text, bits blob)")
    return _open[pid]
