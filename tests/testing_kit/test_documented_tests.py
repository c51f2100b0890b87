"""The test files that the documentation and the examples show are run by pytest as a merchant would run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs" / "testing.md", ROOT / "docs" / "sandbox.md"]
SHOWN = re.compile(r'^```python title="(test_\w+\.py)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
FILES = {name: code for page in PAGES for name, code in SHOWN.findall(page.read_text(encoding="utf-8"))}


def run_pytest(*arguments: str, directory: Path) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "subscribekit.testing", *arguments],
        cwd=directory,
        env={**kept, "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_pages_show_test_files() -> None:
    assert set(FILES) == {"test_checkout.py", "test_async.py", "test_lost_answer.py"}


@pytest.mark.parametrize("name", FILES)
def test_a_shown_test_file_passes(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nsubscribekit_no_network = true\n", encoding="utf-8")
    done = run_pytest(name, directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"unknown": "to be reconciled"', '"unknown": "open"'),
        ('"not_sent": "open"', '"not_sent": "refused"'),
        ('"rejected": "refused"', '"rejected": "open"'),
        ('"paid", receipt.transaction_reference_id', '"paid", None'),
    ],
)
def test_the_checkout_example_catches_a_wrong_checkout(right: str, wrong: str, tmp_path: Path) -> None:
    source = (ROOT / "examples" / "test_checkout.py").read_text(encoding="utf-8")
    assert source.count(right) == 1
    (tmp_path / "test_checkout.py").write_text(source.replace(right, wrong), encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    done = run_pytest("test_checkout.py", directory=tmp_path)
    assert done.returncode == 1, done.stdout + done.stderr


def test_the_checkout_example_passes(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nsubscribekit_no_network = true\n", encoding="utf-8")
    done = run_pytest("-c", "pytest.ini", str(ROOT / "examples" / "test_checkout.py"), directory=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_fault_drill_tells_what_happened() -> None:
    script = ROOT / "examples" / "fault_drill.py"
    done = subprocess.run([sys.executable, "-W", "error", str(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    for line in (
        r"answer lost on its way +OutcomeUnknownError: unknown +1 +charges made: 1",
        r"request lost on its way +OutcomeUnknownError: unknown +1 +charges made: 0",
        r"answer damaged +OutcomeUnknownError: unknown, but likely done +1 +charges made: 1",
        r"connection refused for good +ConnectionFailedError: not_sent +0 +charges made: 0",
        r"the same page again +PaginationError: rejected",
        r"Most charges made for one order: 1",
    ):
        assert re.search(line, done.stdout), (line, done.stdout)
    assert "charges made: 2" not in done.stdout
