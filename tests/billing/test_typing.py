"""Both type checkers infer what `usage.py` says, and report each misuse in it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

USAGE = Path(__file__).with_name("usage.py")
MARKED = {number for number, line in enumerate(USAGE.read_text().splitlines(), 1) if line.endswith("# error")}


@pytest.mark.parametrize(
    "checker",
    [("mypy", "--strict", "--no-pretty"), ("basedpyright", "--pythonpath", sys.executable)],
    ids=lambda c: c[0],
)
def test_a_checker_reports_what_is_wrong_and_nothing_else(checker: tuple[str, ...]) -> None:
    tool = Path(sys.executable).with_name(checker[0])
    done = subprocess.run(
        [str(tool), *checker[1:], str(USAGE)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    reported = {int(line) for line in re.findall(r"usage\.py:(\d+):.*error", done.stdout)}
    assert reported == MARKED, done.stdout + done.stderr
