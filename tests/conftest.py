"""Settings of every test: no settings of the process environment, hypothesis without a clock, a line a directory."""

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
    """Run each test that takes it twice: with sync and with async clients."""
    return Run(request.param)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run the whole suite in one process more than there are processors, at most eight; a part of it in this one.

    The reliability tests wait for sockets and deadlines a third of their time, in which another process works.
    """
    if config.args != config.getini("testpaths") or config.option.keyword or config.option.collectonly:
        return 0
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    return min(processors + 1, 8)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what Windows lacks."""
    for item in items if hasattr(os, "O_BINARY") else ():  # on Windows, or as in tests/without_posix
        for mark in item.iter_markers("posix"):
            item.add_marker(pytest.mark.skip(reason=mark.args[0]))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while the tests are collected, since all that is made then stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish(session: pytest.Session) -> None:
    """Show progress where tests run in this process; the workers of several show none."""
    for name in [name for name in os.environ if name.startswith("SUBSCRIBEKIT_")]:
        del os.environ[name]  # here, and not in a fixture of twenty thousand tests: tests set theirs with monkeypatch
    if not hasattr(session.config, "workerinput"):
        _show_progress(session.config, [item.nodeid for item in session.items])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Hide from the collector what there is when another folder begins: the tests, and what the folders before loaded.

    Or each full collection goes over all of it, and hundreds of tests ask for one.
    """
    folder = item.path.parent
    if item.session.stash.get(FOLDER, None) != folder:
        item.session.stash[FOLDER] = folder
        gc.collect()  # what was forgotten is found where it was forgotten, and not hidden with the rest
        gc.freeze()


def pytest_unconfigure() -> None:
    """Let the collector see everything again, or libraries that count at the end report what they take for leaks."""
    gc.unfreeze()


FOLDER = pytest.StashKey[Path]()
"""The folder of the latest test."""


class Workers:
    """The view of the processes that run the tests, if there are several."""

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: Any, ids: list[str]) -> None:
        """Show progress; each process has collected the same tests."""
        _show_progress(node.config, ids)


def pytest_configure(config: pytest.Config) -> None:
    """Listen to the processes that run the tests, and take Ctrl-C as in a terminal.

    What is started in the background of a script has it switched off.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(Workers(), "workers of the suite")


def _show_progress(config: pytest.Config, ids: list[str]) -> None:
    """Show a line for each directory instead of a dot for each test, when several of them run quietly."""
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
    """Prints what became of a directory's tests when its last one is done, and in the end what that means."""

    def __init__(self, config: pytest.Config, ids: list[str]) -> None:
        self._left = Counter(map(_directory, ids))
        self._seen: dict[str, Counter[str]] = {name: Counter() for name in self._left}
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
            self._seen[directory][report.outcome] += 1

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        directory = _directory(nodeid)
        self._left[directory] -= 1
        if self._left[directory] == 0:
            told = ", ".join(f"{count} {outcome}" for outcome, count in self._seen[directory].most_common())
            self._terminal.ensure_newline()
            self._terminal.write_line(f"{directory:<24}{told:<32}{self._seconds[directory]:6.1f} s")

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None]:
        yield
        seen = sum(self._seen.values(), Counter[str]())
        python = f"Python {platform.python_version()}"
        if self._failed:
            self._terminal.write_line(
                f"{len(set(self._failed))} of {seen.total()} tests FAILED, {self._failed[0]} first"
            )
        elif not any(self._left.values()):
            skipped = f", {seen['skipped']} skipped" if seen["skipped"] else ""
            self._terminal.write_line(
                f"subscribekit holds its promises on {python}: {seen['passed']} tests passed{skipped}"
            )
