"""Another process can read a stored error without loss. If it's damaged, the message names the problem."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from bulk.kit import Ledgered, client_of, jobs, opened
from subscribekit import errors
from subscribekit._hints import python_advice
from subscribekit._hints.python_advice import PythonAdvice
from subscribekit.bulk._ledger.records import error_json, error_of, with_run_advice
from subscribekit.errors import BadRequestError, ErrorDetail, FieldError, LedgerError, OutcomeUnknownError

KINDS = [
    kind
    for name in errors.__all__
    if isinstance(kind := getattr(errors, name), type) and issubclass(kind, errors.SubscribekitError)
]


@pytest.mark.parametrize("advice", [each for each in python_advice.ALL if each.in_run is not None])
def test_the_error_of_an_item_has_the_advice_for_runs(advice: PythonAdvice) -> None:
    assert str(with_run_advice(BadRequestError(f"it failed {advice.text}"))) == f"it failed {advice.in_run}"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_an_error_is_read_back_with_its_details(kind: type[errors.SubscribekitError]) -> None:
    error = kind("it failed")
    error.trace_id, error.elapsed = "t-1", 0.25
    details = {
        "validation_errors": (ErrorDetail("a", "b"), ErrorDetail(None, "c")),
        "operation_errors": (ErrorDetail("d", None),),
        "field_errors": (FieldError(code="x", code_v2="y", field="email", message="no", rejected_value="secret"),),
    }
    values = {name: value for name, value in details.items() if hasattr(kind, name)}
    for name, value in values.items():
        setattr(error, name, value)
    kept = error_json(error)
    assert "secret" not in kept
    found = error_of(kind.__name__, str(error), kept)
    assert type(found) is kind
    assert (str(found), found.trace_id, found.elapsed) == (str(error), "t-1", 0.25)
    for name, value in values.items():
        if name == "field_errors":
            value = (FieldError(code="x", code_v2="y", field="email", message="no"),)
        assert getattr(found, name) == value


def test_the_record_of_an_unknown_outcome_is_read_back() -> None:
    error = OutcomeUnknownError("lost")
    error.sent_at, error.record = datetime(2026, 3, 2, tzinfo=UTC), (("call", "entitlements.charge"), ("trace", "t"))
    found = error_of("OutcomeUnknownError", "lost", error_json(error))
    assert isinstance(found, OutcomeUnknownError)
    assert (found.sent_at, found.record) == (error.sent_at, error.record)


@pytest.mark.parametrize("kind", ["NoSuchError", "ErrorDetail", "Outcome", "__all__", "print"])
def test_an_error_of_a_later_version_is_a_plain_one(kind: str) -> None:
    found = error_of(kind, "it failed", None)
    assert type(found) is errors.SubscribekitError
    assert str(found) == "it failed"


@pytest.mark.parametrize("kept", ["{", "[]", "null", '"text"'])
def test_a_damaged_error_raises_ledger_error(tmp_path: Path, kept: str) -> None:
    path = tmp_path / "l.db"
    service = Ledgered(lambda _: httpx.Response(400, json={"validationErrors": [{"code": "a", "message": "b"}]}))
    with client_of(service) as client:
        with opened(path, client) as run:
            run.add(jobs(client, 1))
            (item,) = run.send()
            assert isinstance(item.error, BadRequestError)
        with opened(path, client) as run:
            (again,) = run.items("rejected")
            assert isinstance(again.error, BadRequestError)
            assert again.error.validation_errors == item.error.validation_errors == (ErrorDetail("a", "b"),)
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("UPDATE subscribekit_items SET error = ?", (kept,))
        with opened(path, client) as run:
            (damaged,) = run.items()
            with pytest.raises(LedgerError, match="can't be read"):
                _ = damaged.error
