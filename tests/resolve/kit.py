"""A write that ends without a response, and what is read to find out."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest

from kit.calls import Group, Run
from subscribekit import Verdict
from subscribekit.errors import OutcomeUnknownError
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import Fault

ATTEMPTS = 3


def writes(request: Any) -> bool:
    """Match every request that is no read."""
    return bool(request.method != "GET")


def connected(sandbox: Sandbox, run: Run, group: Group) -> Any:
    """Give a client of the sandbox in the style of the run."""
    return getattr(sandbox, group if run.style == "blocking" else f"async_{group}")()


async def unknown(sandbox: Sandbox, run: Run, client: Any, use: Callable[[Any], Any], fault: Fault) -> Any:
    """Make a call that meets a fault on every attempt, and give its error as another process gets it."""
    sandbox.faults.clear()
    sandbox.faults.add(writes, fault, times=ATTEMPTS)
    with pytest.raises(OutcomeUnknownError) as caught:
        await run.now(use(client))
    sandbox.faults.clear()
    return pickle.loads(pickle.dumps(caught.value))


async def verdict(sandbox: Sandbox, run: Run, client: Any, error: BaseException, **options: Any) -> Verdict:
    """Resolve, and check that nothing but reads was sent and no time has passed."""
    before, offset = len(sandbox.requests), sandbox._clock.offset
    found: Verdict = await run.now(client.resolve(error, **options))
    assert {each.method for each in sandbox.requests[before:]} <= {"GET"}
    assert not sandbox.faults.pending
    assert sandbox._clock.offset == offset
    assert isinstance(pickle.loads(pickle.dumps(found)), Verdict)
    return found
