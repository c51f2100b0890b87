"""Checks the types that users see. Two strict checkers read the files in this folder, and each checker runs once."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

import subscribekit
from code_blocks import WITH_CODE, name, script

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
USAGE, MISUSE, BILLING = HERE / "usage.py", HERE / "misuse.py", HERE / "billing_usage.py"
READ = (USAGE, MISUSE, BILLING)
SHOWN_UNTYPED = {
    "docs/migration.md": "code that was written by hand",
    "docs/reference/models/field-types.md": "values that the SDK refuses",
    "docs/testing.md": "tests as most people write them",
    "docs/try-it.md": "`await` at the top level, which works in the browser",
}
TYPED = [page for page in WITH_CODE if name(page) not in SHOWN_UNTYPED]
"""Pages with code that a reader copies into a program."""

CHECKERS = ("mypy", "basedpyright")

Findings = dict[str, dict[int, list[str]]]
"""The errors by file and line."""


def start(*command: str, **environment: str) -> subprocess.Popen[str]:
    """Start a checker in the project, so that it reads the project's configuration."""
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


@pytest.fixture(scope="session")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A file with the code of each page."""
    folder = tmp_path_factory.mktemp("pages")
    found = {name(page): folder / ("page_" + re.sub(r"\W", "_", name(page)) + ".py") for page in TYPED}
    for page in TYPED:
        found[name(page)].write_text(script(page), encoding="utf-8")
    return found


@pytest.fixture(scope="session")
def outputs(scripts: dict[str, Path]) -> dict[str, str]:
    """The output of each checker. The checkers run at the same time."""
    python = ("--pythonpath", sys.executable, "--outputjson")
    # From the interpreter alone, the completeness report finds neither an editable installation nor its dependencies.
    places = os.pathsep.join([str(Path(subscribekit.__file__).parent.parent), sysconfig.get_path("purelib")])
    running = {
        "basedpyright": start("basedpyright", *python, *map(str, READ)),
        "mypy": start("mypy", "--strict", "--no-error-summary", "--no-pretty", *map(str, [*READ, *scripts.values()])),
        "completeness": start(
            "basedpyright", *python, "--verifytypes", "subscribekit", "--ignoreexternal", PYTHONPATH=places
        ),
    }
    return {name: process.communicate()[0] for name, process in running.items()}


@pytest.fixture(scope="session")
def findings(outputs: dict[str, str]) -> dict[str, Findings]:
    """The errors of each checker."""
    by_mypy: Findings = {}
    for line in outputs["mypy"].splitlines():
        if match := re.match(r"(.*\.py):(\d+): error: (.*)", line):
            by_mypy.setdefault(Path(match[1]).name, {}).setdefault(int(match[2]), []).append(match[3])
    by_basedpyright: Findings = {}
    report: dict[str, Any] = json.loads(outputs["basedpyright"])
    assert report["summary"]["filesAnalyzed"] == len(READ)
    for each in report["generalDiagnostics"]:
        if each["severity"] == "error":
            line = each["range"]["start"]["line"] + 1
            by_basedpyright.setdefault(Path(each["file"]).name, {}).setdefault(line, []).append(each["message"])
    return {"mypy": by_mypy, "basedpyright": by_basedpyright}


def marked(path: Path) -> set[int]:
    return {number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("# error")}


@pytest.mark.parametrize("checker", CHECKERS)
def test_correct_use_has_no_errors(checker: str, findings: dict[str, Findings]) -> None:
    assert findings[checker].get(USAGE.name, {}) == {}


@pytest.mark.parametrize("page", TYPED, ids=name)
def test_the_code_of_a_page_has_no_errors(page: Path, scripts: dict[str, Path], findings: dict[str, Findings]) -> None:
    assert findings["mypy"].get(scripts[name(page)].name, {}) == {}


@pytest.mark.parametrize(
    "command",
    [("ty", "check", "--python", sys.prefix), ("pyrefly", "check", "--python-interpreter-path", sys.executable)],
    ids=lambda command: command[0],
)
def test_other_checkers_report_no_errors_for_correct_use(command: tuple[str, ...]) -> None:
    """They only check correct use, because they report less of `misuse.py`: ty ignores the codes of other checkers."""
    process = start(*command, str(USAGE))
    output, _ = process.communicate()
    assert process.returncode == 0, output


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("path", [MISUSE, BILLING], ids=lambda path: path.stem)
def test_every_misuse_is_reported_and_nothing_else(path: Path, checker: str, findings: dict[str, Findings]) -> None:
    reported = findings[checker].get(path.name, {})
    lines = path.read_text().splitlines()
    missed = [f"{number}: {lines[number - 1].strip()}" for number in sorted(marked(path) - reported.keys())]
    assert missed == []
    assert {number: reported[number] for number in reported.keys() - marked(path)} == {}


def test_there_are_misuses_of_every_kind() -> None:
    assert len(marked(MISUSE)) > 70
    assert marked(BILLING)


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_checkers_report_no_errors_in_the_package(
    checker: str, findings: dict[str, Findings], scripts: dict[str, Path]
) -> None:
    assert findings[checker].keys() <= {path.name for path in (*READ, *scripts.values())}


def untyped_places(report: dict[str, Any]) -> list[str]:
    """Return the untyped places by file and line, without the consequences of other untyped places."""
    found: list[str] = []
    for symbol in report["symbols"]:
        for each in symbol.get("diagnostics", []):
            if "partially unknown" not in each["message"]:
                place = each.get("file", "").rpartition("/src/")[2]
                line = each.get("range", {}).get("start", {}).get("line", -1) + 1
                found.append(f"{place}:{line} {symbol['name']}: {each['message'].splitlines()[0]}")
    return found


def test_the_types_of_the_public_interface_are_complete(outputs: dict[str, str]) -> None:
    report: dict[str, Any] = json.loads(outputs["completeness"])["typeCompleteness"]
    assert untyped_places(report) == []
    assert report["completenessScore"] == 1
