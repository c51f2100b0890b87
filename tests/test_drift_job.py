"""The example of a nightly drift job fails if there are new findings, and ignores accepted ones."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from subscribekit import sandbox
from subscribekit.sandbox import default_sandbox

SCRIPT = Path(__file__).parents[1] / "examples" / "nightly_drift.py"


@pytest.fixture
def job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("example_nightly_drift", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(sandbox.platform._Default, "platform", None)
    monkeypatch.chdir(tmp_path)
    return module


def run(job: Any, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["nightly_drift.py", *arguments])
    job.main()


def change(**fields: object) -> None:
    record = default_sandbox().service.store["accounts"].find("acct-0001")
    assert record is not None
    record.update(fields)


def test_the_job_fails_until_the_findings_are_accepted(
    job: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run(job, monkeypatch)
    assert capsys.readouterr().out.endswith("No new findings.\n")
    change(loyalty="gold", email_type="morse")
    with pytest.raises(SystemExit, match=r"(?s)New findings: .*morse.*loyalty"):
        run(job, monkeypatch)
    run(job, monkeypatch, "--accept")
    accepted = json.loads((tmp_path / "drift.json").read_text())
    assert {each["path"] for each in accepted if each["operation"] == "accounts.list"} == {"email_type", "loyalty"}
    run(job, monkeypatch)
    assert capsys.readouterr().out.endswith("No new findings.\n")
    change(region="north")
    with pytest.raises(SystemExit, match="region") as caught:
        run(job, monkeypatch)
    assert "loyalty" not in str(caught.value)
    assert "gold" not in str(caught.value)


def test_the_job_fails_if_it_read_nothing(job: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "read_all", lambda drift: None)
    with pytest.raises(SystemExit, match="checked nothing"):
        run(job, monkeypatch)
