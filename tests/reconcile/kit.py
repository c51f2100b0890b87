"""Runs sync and async comparisons against a sandbox."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from kit.calls import Run
from subscribekit.reconcile import AsyncReconciliation, Difference, Reconciliation
from subscribekit.sandbox import Sandbox

FIELDS = {"status": "state", "ends": "ends_at", "items[].product.id": "products"}


def rows_of(sandbox: Sandbox) -> list[dict[str, Any]]:
    """Return the rows of a merchant's table without differences."""
    return [
        {"id": each.id, "state": each.status, "ends_at": each.ends, "products": [i.product.id for i in each.items]}
        for each in sandbox.billing().subscriptions.list()
    ]


def client_of(run: Run, sandbox: Sandbox) -> Any:
    """Return a sync or async billing client, as the run requires."""
    return sandbox.billing() if run.style == "blocking" else sandbox.async_billing()


@asynccontextmanager
async def opened(run: Run, path: Path, pager: Any, **options: Any) -> AsyncIterator[Any]:
    """Open a sync or async comparison, as the run requires."""
    options = {"key": "id", "fields": FIELDS, **options}
    if run.style == "blocking":
        with Reconciliation(path, pager, **options) as check:
            yield check
    else:
        async with AsyncReconciliation(path, pager, **options) as check:
            yield check


async def differences(run: Run, check: Any) -> list[Difference[Any]]:
    """Return the differences that a comparison finds."""
    return [each async for each in run.every(check.differences())]


async def now(result: Any) -> Any:
    """Return a result, and await it first if it's awaitable."""
    return await result if inspect.isawaitable(result) else result


def story(run: Run, scenario: Callable[[], Any]) -> Any:
    """Run a coroutine function, and return its result."""
    return asyncio.run(scenario())
