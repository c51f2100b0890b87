"""A log filter or log handler that raises an exception changes no item and doesn't end a run."""

from __future__ import annotations

import logging
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bulk.kit import Ledgered, client_of, jobs, opened
from subscribekit.bulk import Counts
from subscribekit.bulk._sending import engine as _engine
from subscribekit.errors import LedgerError
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.server import SandboxServer

pytestmark = pytest.mark.hazard("H249")


@pytest.fixture(params=["filter", "handler"])
def failing(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """Make all logging of the SDK fail, and return the messages."""
    messages: list[str] = []

    class Failing(logging.Handler):
        def handle(self, record: logging.LogRecord) -> bool:  # type: ignore[override]  # this handler is also a filter
            messages.append(record.msg)
            raise ValueError("the log fails")

        filter = handle

    failing, loggers = Failing(), [logging.getLogger(name) for name in ("subscribekit", "subscribekit.sandbox")]
    before = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.DEBUG)
        if request.param == "filter":
            each.addFilter(failing)
        else:
            each.addHandler(failing)
    yield messages
    for each, level in zip(loggers, before, strict=True):
        each.setLevel(level)
        each.removeFilter(failing)
        each.removeHandler(failing)


def test_an_item_with_429_is_rejected_and_the_run_continues(tmp_path: Path, failing: list[str]) -> None:
    answers = [httpx.Response(429, headers={"Retry-After": "0"})]
    with (
        client_of(Ledgered(lambda _: answers.pop() if answers else None)) as client,
        opened(tmp_path / "l.db", client) as run,
    ):
        run.add(jobs(client, 5))
        states = sorted(item.state for item in run.send())
        assert states == ["done"] * 4 + ["rejected"]
        assert run.counts() == Counts(done=4, rejected=1)
    assert any("429" in each for each in failing)


@pytest.mark.parametrize("error", [LedgerError("the disk is full"), ZeroDivisionError()])
def test_send_raises_the_error_of_a_ledger_that_cannot_be_written(
    tmp_path: Path, failing: list[str], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def broken(*_: Any) -> None:
        raise error

    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.05)
    with client_of() as client, opened(tmp_path / "l.db", client, concurrency=2, lease=60.0) as run:
        run.add(jobs(client, 2))
        monkeypatch.setattr(_engine.Ledger, "write_results", broken)
        with pytest.raises(LedgerError):
            list(run.send())
    assert any(each.startswith("the result of") for each in failing)


def test_a_receiver_of_the_sandbox_that_fails_ends_no_call(failing: list[str]) -> None:
    def receive(body: bytes, signature: str) -> None:
        raise ZeroDivisionError

    sandbox = Sandbox()
    sandbox.webhooks.subscribe(receive, key="0123456789abcdef0123456789abcdef01234567")
    with sandbox.billing() as billing:
        assert billing.payments.reverse("pay-cash-0001").id == "pay-cash-0001"
    assert any("the receiver of" in each for each in failing)


def test_a_sandbox_server_responds(failing: list[str]) -> None:
    with SandboxServer(Sandbox(), plain=True) as server:
        url = f"{server.environment.base_url}/_sandbox"
        with urllib.request.urlopen(url, timeout=10) as response:
            assert response.status == 200
    assert "%s %s %s %s" in failing
