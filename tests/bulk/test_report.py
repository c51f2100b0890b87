"""The report of a run contains no cell that a spreadsheet would run as a formula (H239)."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import httpx
import pytest

from bulk.kit import Ledgered, client_of, jobs, opened
from bulk.test_resolving import expire, leave_sent
from subscribekit.errors import BulkError

FORMULAS = ("=1+1", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\t=1", "\r=1")


@pytest.mark.hazard("H239")
@pytest.mark.parametrize("text", FORMULAS)
def test_no_cell_is_a_formula(tmp_path: Path, text: str) -> None:
    """The caller chooses the key, the service chooses the receipt, and a person writes the note."""
    made = httpx.Response(200, json={"transactionReferenceId": text})
    replies: dict[str, Any] = {"t0": made, "t1": httpx.ReadError("x")}
    with client_of(Ledgered(replies.get)) as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 2))
        key = text.strip()
        run.add([(key, next(jobs(client, 1, 2))[1])])
        list(run.send())
        (lost,) = run.items("unknown")
        lost.record_outcome("rejected", note=text.strip())
        run.report(tmp_path / "report.csv")
    with (tmp_path / "report.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    cells = [cell for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert f"'{text}" in cells  # the whole receipt
    assert f"'{key}" in cells
    assert [row["note"] for row in rows if row["state"] == "rejected"] == [f"'{key}"]


def test_a_report_shows_the_amounts_of_done_items(tmp_path: Path) -> None:
    with client_of() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 1))
        list(run.send())
        run.purge_data()
        run.report(tmp_path / "report.csv")
    (row,) = csv.DictReader((tmp_path / "report.csv").read_text(encoding="utf-8").splitlines())
    assert (row["amount"], row["currency"], row["receipt"]) == ("1.50", "USD", "")  # the receipt was purged


def test_a_report_says_that_a_process_died(tmp_path: Path) -> None:
    with client_of() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 1))
        leave_sent(run, "order-0")
        expire(run)
        run.report(tmp_path / "report.csv")
    (row,) = csv.DictReader((tmp_path / "report.csv").read_text(encoding="utf-8").splitlines())
    assert (row["state"], row["outcome"], row["error_class"]) == ("unknown", "unknown", "")
    assert row["error"] == "the process that sent the item ended before it recorded the outcome"


def test_a_report_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    with client_of() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 1))
        with pytest.raises(BulkError, match="the report can't be written: No such file or directory"):
            run.report(tmp_path / "missing" / "report.csv")
