"""Bulk runs, comparisons, and exports finish even if their progress can't be shown, with sync and async clients."""

from __future__ import annotations

import asyncio
import io
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from subscribekit.bulk import AsyncRun, Counts, Run
from subscribekit.cli import main
from subscribekit.models import EntitlementCharge
from subscribekit.reconcile import AsyncReconciliation, Reconciliation
from subscribekit.sandbox import Sandbox

pytestmark = pytest.mark.hazard("H430")


class BrokenPipe(io.StringIO):
    """The stream of a terminal that was closed."""

    def __init__(self, descriptor: int = -1) -> None:
        super().__init__()
        self._descriptor = descriptor

    def write(self, text: str, /) -> int:
        raise BrokenPipeError(32, "Broken pipe")

    def flush(self) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor


def fails(*_numbers: object) -> None:
    raise ZeroDivisionError("a bar of the application's own")


STREAMS: dict[str, Callable[[], object]] = {"a broken pipe": BrokenPipe, "no stream": lambda: None}
PROGRESS = {**dict.fromkeys(STREAMS, True), "a callable that fails": fails}


@contextmanager
def broken(progress: str) -> Iterator[Any]:
    """Break the output of the progress. A fixture can't do this, because pytest replaces the stream before the test."""
    with pytest.MonkeyPatch.context() as patch:
        if progress in STREAMS:
            patch.setattr(sys, "stderr", STREAMS[progress]())
        yield PROGRESS[progress]


@pytest.fixture(params=PROGRESS)
def progress(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def charge(number: int) -> EntitlementCharge:
    return EntitlementCharge(transaction_id=f"order-{number}", amount=Decimal("4.90"), currency="USD")


def test_a_run_sends_every_item(tmp_path: Path, progress: str, caplog: pytest.LogCaptureFixture) -> None:
    gateway = Sandbox().gateway()
    with Run(tmp_path / "ledger", gateway) as run:
        run.add(
            (f"order-{number}", gateway.prepare.entitlements.charge("psub-entitlement-0001", charge(number)))
            for number in range(30)
        )
        with broken(progress) as shown:
            assert [item.state for item in run.send(progress=shown)] == ["done"] * 30
        assert run.counts() == Counts(done=30)
    warnings = [record for record in caplog.records if "progress" in record.message]
    assert [(record.levelno, record.message) for record in warnings] == [
        (logging.WARNING, "progress can't be shown anymore; the work continues")
    ]


def test_an_async_run_sends_every_item(tmp_path: Path, progress: str) -> None:
    async def send() -> None:
        async with Sandbox().async_gateway() as gateway, AsyncRun(tmp_path / "ledger", gateway) as run:
            await run.add(
                (f"order-{number}", gateway.prepare.entitlements.charge("psub-entitlement-0001", charge(number)))
                for number in range(30)
            )
            with broken(progress) as shown:
                assert [item.state async for item in run.send(progress=shown)] == ["done"] * 30

    asyncio.run(send())


def test_a_comparison_reads_the_whole_list(tmp_path: Path, progress: str) -> None:
    pager = Sandbox().billing().accounts.list(limit=3)
    with Reconciliation(tmp_path / "file", pager, key="id", fields={"name": "name"}) as check:
        with broken(progress) as shown:
            check.read(progress=shown)
        check.compare([])
        assert check.counts().remote_only == 25


def test_an_async_comparison_reads_the_whole_list(tmp_path: Path, progress: str) -> None:
    async def compare() -> None:
        pager = Sandbox().async_billing().accounts.list(limit=3)
        async with AsyncReconciliation(tmp_path / "file", pager, key="id", fields={"name": "name"}) as check:
            with broken(progress) as shown:
                await check.read(progress=shown)
            await check.compare([])
            assert (await check.counts()).remote_only == 25

    asyncio.run(compare())


@pytest.mark.parametrize("options", [("accounts.csv",), ("folder/", "--workers", "2")], ids=["file", "folder"])
def test_an_export_writes_every_row(tmp_path: Path, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    target = str(tmp_path / options[0]) + ("/" if options[0].endswith("/") else "")
    with Path(os.devnull).open("w") as nowhere:
        monkeypatch.setattr(sys, "stderr", BrokenPipe(nowhere.fileno()))
        main(["export", "billing.accounts", target, *options[1:], "--environment", "sandbox"])
    found = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    if options[0] == "accounts.csv":
        assert len(found[0].read_text().splitlines()) == 26
    else:
        assert len([path for path in found if path.suffix == ".parquet"]) >= 1
    assert not [path for path in found if "partial" in path.name]


class TimeLimitError(Exception):
    """An exception that a signal handler of the application raises."""


def test_an_exception_of_a_signal_handler_still_ends_a_comparison(tmp_path: Path) -> None:
    def handler(_number: int, frame: object) -> None:
        raise TimeLimitError

    def interrupted(_read: int, _total: int | None) -> None:
        handler(14, sys._getframe())

    pager = Sandbox().billing().accounts.list(limit=3)
    with (
        Reconciliation(tmp_path / "file", pager, key="id", fields={"name": "name"}) as check,
        pytest.raises(TimeLimitError),
    ):
        check.read(progress=interrupted)
