"""Shared parts of the resolve tests: writes without a response, and their verdicts."""

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
    """Match every request that isn't a read."""
    return bool(request.method != "GET")


def connected(sandbox: Sandbox, run: Run, group: Group) -> Any:
    """Return a client of the sandbox, sync or async like the run."""
    return getattr(sandbox, group if run.style == "blocking" else f"async_{group}")()


async def unknown(sandbox: Sandbox, run: Run, client: Any, use: Callable[[Any], Any], fault: Fault) -> Any:
    """Make a call that meets a fault in every attempt, and return its error as another process would unpickle it."""
    sandbox.faults.clear()
    sandbox.faults.add(writes, fault, times=ATTEMPTS)
    with pytest.raises(OutcomeUnknownError) as caught:
        await run.now(use(client))
    sandbox.faults.clear()
    return pickle.loads(pickle.dumps(caught.value))


async def verdict(sandbox: Sandbox, run: Run, client: Any, error: BaseException, **options: Any) -> Verdict:
    """Return the verdict for an error, and check that `resolve` sent only reads and that no time has passed."""
    before, offset = len(sandbox.requests), sandbox._clock.offset
    found: Verdict = await run.now(client.resolve(error, **options))
    assert {each.method for each in sandbox.requests[before:]} <= {"GET"}
    assert not sandbox.faults.pending
    assert sandbox._clock.offset == offset
    assert isinstance(pickle.loads(pickle.dumps(found)), Verdict)
    return found
