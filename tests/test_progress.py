"""The test command shows a line for each directory and ends in a sentence; one directory alone shows its dots."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PASSES = "def test_a(): pass\n\ndef test_b(): pass\n"
SKIPS = "import pytest\n\n@pytest.mark.skip\ndef test_c(): pass\n"
FAILS = "import pytest\n\n@pytest.fixture\ndef broken(): raise ValueError\n\ndef test_d(broken): pass\n"


def told(folder: Path, **files: str) -> list[str]:
    """Run tests in folders of their own under the conftest of this suite; give what is printed, without times."""
    for name in ("conftest.py", "samples.py"):
        shutil.copy(Path(__file__).with_name(name), folder)
    shutil.copytree(
        Path(__file__).with_name("kit"), folder / "kit", ignore=shutil.ignore_patterns("test_*", "__pycache__")
    )
    for name, content in files.items():
        (folder / name).mkdir()
        (folder / name / f"test_{name}.py").write_text(content)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "xdist.plugin",
            "-p",
            "no:cacheprovider",
            "--rootdir",
            str(folder),
            str(folder),
        ],
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # or all that the suite needs is loaded each time
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return [re.sub(r"\b\d+\.\d s$", "TIME", " ".join(line.split())) for line in done.stdout.splitlines()]


def test_each_directory_has_its_line_and_the_end_says_what_it_means(tmp_path: Path) -> None:
    lines = told(tmp_path, one=PASSES, two=PASSES + SKIPS)
    assert lines[0].startswith("one 2 passed TIME")
    assert "two 2 passed, 1 skipped TIME" in lines
    assert lines[-1].startswith("subscribekit holds its promises on Python 3.")
    assert lines[-1].endswith(": 4 tests passed, 1 skipped")


@pytest.mark.parametrize("broken", [FAILS, "def test_d(): assert False\n"], ids=["setup", "call"])
def test_a_failure_is_the_last_thing_that_is_said(tmp_path: Path, broken: str) -> None:
    lines = told(tmp_path, one=PASSES, two=PASSES + broken)
    assert any(line.startswith("two 2 passed, 1 failed") for line in lines)
    assert lines[-1] == "1 of 5 tests FAILED, two/test_two.py::test_d first"


def test_one_directory_shows_its_dots(tmp_path: Path) -> None:
    lines = told(tmp_path, one=PASSES)
    assert lines[0].startswith(".. [100%]")
    assert "promises" not in " ".join(lines)
