"""The extra `bulk` is loaded only when it's used, reports a missing package, and needs little memory for many items."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

from bulk.kit import URL, client_of, jobs, opened
from bulk.workers import Nursery
from subscribekit.bulk import Counts, _run
from subscribekit.errors import InvalidArgumentError

HEAVY = pytest.mark.skipif("SUBSCRIBEKIT_HEAVY" not in os.environ, reason="takes half a minute: SUBSCRIBEKIT_HEAVY=1")


def run_code(code: str) -> str:
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_client_does_not_import_the_extra() -> None:
    heavy = {"sqlalchemy", "tqdm", "pyrate_limiter"}
    code = f"import subscribekit, sys; subscribekit.GatewayClient; print({heavy} & set(sys.modules))"
    assert run_code(code) == "set()"


def test_a_missing_package_names_the_extra() -> None:
    for name in ("sqlalchemy", "pyrate_limiter"):
        code = (
            f"import sys; sys.modules[{name!r}] = None\n"
            "try:\n import subscribekit.bulk\nexcept ImportError as error:\n print(error)"
        )
        assert "pip install 'subscribekit[bulk]'" in run_code(code)


def test_memory_does_not_grow_with_the_number_of_items(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_run, "BATCH", 50)  # small batches, so that the effect shows with few items

    def peak(number: int, start: int) -> int:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        run.add(jobs(client, number, start))
        assert sum(1 for _ in run.send()) == number
        assert sum(1 for _ in run.items("done")) == number + start
        return tracemalloc.get_traced_memory()[1] - before

    with client_of() as client, opened(tmp_path / "l.db", client) as run:
        run.add([])
        tracemalloc.start()
        try:
            peak(200, 0)  # a first run, which allocates the memory that every run needs
            few, many = peak(200, 200), peak(400, 400)
        finally:
            tracemalloc.stop()
        assert run.counts() == Counts(done=800)
    assert many < 1.5 * few


@pytest.mark.parametrize("number", [10_000, pytest.param(200_000, marks=HEAVY)])
def test_many_items_are_added_in_little_memory(tmp_path: Path, nursery: Nursery, number: int) -> None:
    worker = nursery.start(tmp_path, ledger=str(tmp_path / "l.db"), url=URL, lease=5.0, items=number, adds=True)
    while worker.is_running:
        time.sleep(0.01)
    added, grown = json.loads(worker.output)
    assert added == number
    assert grown < 16_384  # KB; a list of that many requests takes 20 MB or more


def test_a_bar_without_tqdm_is_refused_before_anything_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("subscribekit.bulk._sending.progress.find_spec", lambda name: None)
    with client_of() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 1))
        with pytest.raises(InvalidArgumentError, match="pip install tqdm, or pass a function"):
            next(run.send(progress=True))
        assert run.counts().ready == 1
        seen: list[Counts] = []
        assert [item.state for item in run.send(progress=seen.append)] == ["done"]
        assert seen
