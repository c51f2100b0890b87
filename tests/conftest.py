"""Configures the test suite: environment variables, Hypothesis, skips, garbage collection, and progress output."""

from __future__ import annotations

import gc
import os
import platform
import signal
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from kit.calls import Run
from samples import IS_HEAVY

settings.register_profile(
    "subscribekit", deadline=None, derandomize=True, max_examples=200 if IS_HEAVY else 50, print_blob=True
)
settings.load_profile("subscribekit")


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest) -> Run:
    """Run each test that uses this fixture twice: with sync and with async clients."""
    return Run(request.param)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return the number of worker processes: 0 for a part of the suite, which then runs in this process.

    The whole suite runs in one process more than there are processors, and in eight at most. The reliability tests wait
    for sockets and deadlines a third of their time, and the additional process works meanwhile.
    """
    if config.args != config.getini("testpaths") or config.option.keyword or config.option.collectonly:
        return 0
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    return min(processors + 1, 8)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip the tests with the mark `posix` on Windows."""
    for item in items if hasattr(os, "O_BINARY") else ():  # on Windows, or if tests/without_posix simulates it
        for mark in item.iter_markers("posix"):
            item.add_marker(pytest.mark.skip(reason=mark.args[0]))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Turn off garbage collection while pytest collects the tests, because all objects stay in use afterwards."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Remove the SDK's environment variables, and show progress if this process isn't a worker."""
    # A fixture would repeat this for each of twenty thousand tests. Tests set their own variables with monkeypatch.
    for name in [name for name in os.environ if name.startswith("SUBSCRIBEKIT_")]:
        del os.environ[name]
    if not hasattr(session.config, "workerinput"):
        _show_progress(session.config, [item.nodeid for item in session.items])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Exclude all existing objects from garbage collection when the tests of another folder start.

    Otherwise, each full collection would scan all tests and everything that earlier folders loaded, and hundreds of
    tests run a full collection.
    """
    folder = item.path.parent
    if item.session.stash.get(FOLDER, None) != folder:
        item.session.stash[FOLDER] = folder
        gc.collect()  # first collect the garbage of the previous folder, which freeze() would hide
        gc.freeze()


def pytest_unconfigure() -> None:
    """Include all objects again, because libraries that count objects at exit would report the others as leaks."""
    gc.unfreeze()


FOLDER = pytest.StashKey[Path]()
"""The folder of the latest test."""


class Workers:
    """Shows progress if several worker processes run the tests."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Show progress. Each worker has collected the same tests."""
        _show_progress(node.config, ids)


def pytest_configure(config: pytest.Config) -> None:
    """Register the plugin for workers, and let Ctrl-C interrupt the tests as in a terminal.

    Processes that a script starts in the background ignore Ctrl-C.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(Workers(), "workers of the suite")


def _show_progress(config: pytest.Config, ids: list[str]) -> None:
    """Show a line for each directory instead of a dot for each test, if a quiet run has several directories."""
    if (
        config.option.verbose < 0
        and len(set(map(_directory, ids))) > 1
        and not config.pluginmanager.hasplugin(PROGRESS)
    ):
        config.pluginmanager.register(Progress(config, ids), PROGRESS)


PROGRESS = "progress by directory"


def _directory(nodeid: str) -> str:
    file = nodeid.partition("::")[0]
    return "/".join(Path(file).parts[:-1][:2]) or "."


class Progress:
    """Prints the results of a directory after its last test, and a summary at the end."""

    def __init__(self, config: pytest.Config, ids: list[str]) -> None:
        self._unfinished = Counter(map(_directory, ids))
        self._results: dict[str, Counter[str]] = {name: Counter() for name in self._unfinished}
        self._seconds: Counter[str] = Counter()
        self._failed: list[str] = []
        self._terminal = config.pluginmanager.getplugin("terminalreporter")

    @pytest.hookimpl(wrapper=True)
    def pytest_report_teststatus(
        self, report: pytest.TestReport
    ) -> Generator[None, tuple[str, str, object], tuple[str, str, object]]:
        category, _, _ = yield
        return category, "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        directory = _directory(report.nodeid)
        self._seconds[directory] += report.duration
        if report.failed:
            self._failed.append(report.nodeid)
        if report.when == "call" or report.outcome != "passed":
            self._results[directory][report.outcome] += 1

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        directory = _directory(nodeid)
        self._unfinished[directory] -= 1
        if self._unfinished[directory] == 0:
            results = ", ".join(f"{count} {outcome}" for outcome, count in self._results[directory].most_common())
            self._terminal.ensure_newline()
            self._terminal.write_line(f"{directory:<24}{results:<32}{self._seconds[directory]:6.1f} s")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        yield
        seen = sum(self._results.values(), Counter[str]())
        python = f"Python {platform.python_version()}"
        if self._failed:
            self._terminal.write_line(
                f"{len(set(self._failed))} of {seen.total()} tests FAILED, {self._failed[0]} first"
            )
        elif not any(self._unfinished.values()):
            skipped = f", {seen['skipped']} skipped" if seen["skipped"] else ""
            self._terminal.write_line(
                f"subscribekit holds its promises on {python}: {seen['passed']} tests passed{skipped}"
            )
