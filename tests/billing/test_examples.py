"""The examples run and say what they should."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def run_example(name: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run an example as a merchant does."""
    return subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / f"{name}.py"), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )


def test_create_subscription() -> None:
    done = run_example("create_subscription")
    assert (done.returncode, done.stderr) == (0, "")
    preview, created = done.stdout.split("What it is\n")
    assert "Dryrun" in preview
    assert "charged now    7.99 USD" in created
    assert "Active, Good Standing" in created
    assert "entitled       yes" in created


def test_refund() -> None:
    done = run_example("refund")
    assert (done.returncode, done.stderr) == (0, "")
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0].endswith(": 9.99 USD")
    assert lines[1] == "Not refunded yet: 9.99"
    assert lines[3].startswith("5.00 Processing, refund-")
    assert lines[5] == "Not refunded yet: 4.99"
    assert lines[8].startswith("5.00 refused: ")


def test_modify_subscription() -> None:
    done = run_example("modify_subscription")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Now on plan-monthly with prod-basic, prod-addon." in done.stdout
    assert "Now on plan-monthly with prod-basic, prod-premium." in done.stdout
    assert "Now on plan-annual with prod-basic, prod-premium." in done.stdout
    assert done.stdout.count("What is billed now:") == 2
    assert done.stdout.count("Nothing is billed now.") == 1


def test_a_real_environment_needs_its_address(tmp_path: Path) -> None:
    done = run_example("export_parquet", str(tmp_path / "out"), SUBSCRIBEKIT_ENVIRONMENT="staging")
    assert done.returncode == 1
    assert "SUBSCRIBEKIT_STAGING_BASE_URL" in done.stderr
