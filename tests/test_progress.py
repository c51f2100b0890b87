"""The test command prints a line for each directory and a last sentence. For a single directory, it prints dots."""

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


def printed_lines(folder: Path, **files: str) -> list[str]:
    """Run tests in new folders with the conftest of this suite, and return the printed lines without the times."""
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
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # otherwise, each run loads all plugins of the suite
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return [re.sub(r"\b\d+\.\d s$", "TIME", " ".join(line.split())) for line in done.stdout.splitlines()]


def test_each_directory_has_its_line_and_the_last_line_is_a_summary(tmp_path: Path) -> None:
    lines = printed_lines(tmp_path, one=PASSES, two=PASSES + SKIPS)
    assert lines[0].startswith("one 2 passed TIME")
    assert "two 2 passed, 1 skipped TIME" in lines
    assert lines[-1].startswith("subscribekit holds its promises on Python 3.")
    assert lines[-1].endswith(": 4 tests passed, 1 skipped")


@pytest.mark.parametrize("broken", [FAILS, "def test_d(): assert False\n"], ids=["setup", "call"])
def test_the_last_line_names_the_first_failure(tmp_path: Path, broken: str) -> None:
    lines = printed_lines(tmp_path, one=PASSES, two=PASSES + broken)
    assert any(line.startswith("two 2 passed, 1 failed") for line in lines)
    assert lines[-1] == "1 of 5 tests FAILED, two/test_two.py::test_d first"


def test_a_single_directory_shows_dots(tmp_path: Path) -> None:
    lines = printed_lines(tmp_path, one=PASSES)
    assert lines[0].startswith(".. [100%]")
    assert "promises" not in " ".join(lines)
