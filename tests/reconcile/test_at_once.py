"""If two calls use one comparison at once, one of them is refused, and no difference is missed (H436)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.calls import Run
from reconcile.kit import FIELDS, client_of, differences, now, opened, rows_of, story
from subscribekit.reconcile import AsyncReconciliation, Counts, ReconcileError, Reconciliation
from subscribekit.sandbox import Sandbox

pytestmark = pytest.mark.hazard("H436")
REFUSED = r"is being changed by another call, such as compare\(\); wait until that call ends"


def test_a_second_comparison_is_refused_and_the_first_one_completes(tmp_path: Path) -> None:
    sandbox = Sandbox()

    async def slow() -> AsyncIterator[dict[str, Any]]:
        for row in rows_of(sandbox):
            await asyncio.sleep(0)
            yield row

    async def scenario() -> None:
        pager = sandbox.async_billing().subscriptions.list()
        async with AsyncReconciliation(tmp_path / "n.db", pager, key="id", fields=FIELDS) as check:
            await check.read()
            first = asyncio.create_task(check.compare(slow()))
            await asyncio.sleep(0)
            for call in (check.compare([]), check.compare(slow()), check.reset()):
                with pytest.raises(ReconcileError, match=REFUSED) as caught:
                    await call
                assert caught.value.outcome == "not_sent"
            await first
            assert await check.counts() == Counts(equal=8)
            await check.compare([])
            assert await check.counts() == Counts(remote_only=8)

    asyncio.run(scenario())


def test_comparisons_that_begin_together_end_with_one_result(tmp_path: Path) -> None:
    sandbox = Sandbox()

    async def scenario() -> None:
        pager = sandbox.async_billing().subscriptions.list()
        async with AsyncReconciliation(tmp_path / "n.db", pager, key="id", fields=FIELDS) as check:
            await check.read()
            rows = rows_of(sandbox)
            done = await asyncio.gather(check.compare(rows), check.compare(rows), return_exceptions=True)
            assert done[0] is None
            assert isinstance(done[1], ReconcileError)
            assert "is being changed by another call" in str(done[1])
            assert await check.counts() == Counts(equal=8)

    asyncio.run(scenario())


def test_rows_that_compare_themselves_are_refused(tmp_path: Path) -> None:
    sandbox = Sandbox()
    with Reconciliation(tmp_path / "n.db", sandbox.billing().subscriptions.list(), key="id", fields=FIELDS) as check:
        check.read()
        check.compare([])

        def rows() -> Iterator[dict[str, Any]]:
            yield rows_of(sandbox)[0]
            check.compare([])

        with pytest.raises(ReconcileError, match=REFUSED):
            check.compare(rows())
        assert check.counts() == Counts(remote_only=8)


@pytest.mark.parametrize("between", ["differences", "compare"])
def test_an_iteration_that_another_call_ends_raises(run: Run, tmp_path: Path, between: str) -> None:
    sandbox = Sandbox()

    async def scenario() -> None:
        pager = client_of(run, sandbox).subscriptions.list()
        async with opened(run, tmp_path / "n.db", pager, concurrency=1) as check:
            await now(check.read())
            await now(check.compare([]))
            iterator = run.iterator(check.differences())
            await run.following(iterator)
            if between == "compare":
                await now(check.compare([]))
            else:
                await run.following(run.iterator(check.differences()))
            with pytest.raises(ReconcileError, match=r"call differences\(\) again"):
                [each async for each in run.every(iterator)]
            assert len(await differences(run, check)) == 8
            assert await now(check.counts()) == Counts(remote_only=8)

    story(run, scenario)
