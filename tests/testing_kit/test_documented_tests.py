"""The test files in the documentation and the examples pass if pytest runs them as a merchant would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHOP = ROOT / "docs" / "tasks" / "fastapi.md"
PAGES = [ROOT / "docs" / "testing.md", ROOT / "docs" / "sandbox.md", *([SHOP] if find_spec("fastapi") else [])]
SHOWN = re.compile(r'^```python title="(test_\w+\.py)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
FILES = {name: code for page in PAGES for name, code in SHOWN.findall(page.read_text(encoding="utf-8"))}


def run_pytest(*arguments: str, directory: Path) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SUBSCRIBEKIT_")}
    return subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-rA",
            "-p",
            "no:cacheprovider",
            "-p",
            "subscribekit.testing",
            *arguments,
        ],
        cwd=directory,
        env={**kept, "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_pages_show_test_files() -> None:
    assert FILES.keys() - {"test_shop.py"} == {
        "test_checkout.py", "test_async.py", "test_lost_response.py", "test_rate_limits.py", "test_later_charge.py",
    }  # fmt: skip
    assert ("test_shop.py" in FILES) is (SHOP in PAGES)


def results(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Return the result of each file."""
    return {
        name: outcome for outcome, name in re.findall(r"^(PASSED|FAILED) (test_\w+\.py)::", done.stdout, re.MULTILINE)
    }


def test_the_shown_test_files_pass(tmp_path: Path) -> None:
    for name, code in FILES.items():
        (tmp_path / name).write_text(code, encoding="utf-8")
    shop = (ROOT / "examples" / "fastapi_shop.py").read_text(encoding="utf-8")
    # In production, the orders are in a file.
    (tmp_path / "shop.py").write_text(shop.replace(":memory:", "orders.db"), encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nsubscribekit_no_network = true\n", encoding="utf-8")
    done = run_pytest(directory=tmp_path)
    assert results(done) == dict.fromkeys(FILES, "PASSED"), done.stdout + done.stderr
    assert f"\n{len(FILES) + ('test_shop.py' in FILES)} passed" in done.stdout
    assert not (tmp_path / "orders.db").exists()


WRONG = {
    "test_unknown_is_kept_open.py": ('"unknown": "to be reconciled"', '"unknown": "open"'),
    "test_not_sent_is_refused.py": ('"not_sent": "open"', '"not_sent": "refused"'),
    "test_rejected_is_open.py": ('"rejected": "refused"', '"rejected": "open"'),
    "test_no_receipt.py": ('"paid", receipt.transaction_reference_id', '"paid", None'),
}
"""The test files that must fail, and for each one the mistake in the checkout of the example: old and new code."""


def test_the_checkout_example_passes_and_catches_each_wrong_checkout(tmp_path: Path) -> None:
    source = (ROOT / "examples" / "test_checkout.py").read_text(encoding="utf-8")
    (tmp_path / "test_checkout.py").write_text(source, encoding="utf-8")
    for name, (right, wrong) in WRONG.items():
        assert source.count(right) == 1
        (tmp_path / name).write_text(source.replace(right, wrong), encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nsubscribekit_no_network = true\n", encoding="utf-8")
    done = run_pytest(directory=tmp_path)
    output = done.stdout + done.stderr
    assert done.returncode == 1, output
    assert {name for name, _ in re.findall(r"^FAILED (test_\w+\.py)::(.*)", done.stdout, re.MULTILINE)} == set(WRONG), (
        output
    )
    assert "PASSED test_checkout.py::" in done.stdout
