"""Each write of the SDK has a true verdict, whether it was carried out or never arrived. `resolve` sends only reads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from billing.after_unknown import after_unknown_outcome
from billing.tables import ALL
from kit.calls import Run
from looped import looped
from subscribekit._core.operations.operation import Safety
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import (
    Fault,
    corrupt_gzip,
    drop_after_commit,
    drop_before_commit,
    proxy_page,
    read_timeout,
    server_error,
    server_error_after_commit,
    slow_response,
    truncated,
)

from .kit import connected, unknown, verdict
from .writes import WRITES, Write

DONE: tuple[Callable[[], Fault], ...] = (
    drop_after_commit, truncated, corrupt_gzip, slow_response, server_error_after_commit,
    lambda: read_timeout(committed=True),
)  # fmt: skip
LOST: tuple[Callable[[], Fault], ...] = (drop_before_commit, read_timeout, proxy_page, server_error)


def resolved(write: Write, fault: Fault, run: Run, **options: Any) -> Any:
    """Return the error and the verdict of a write that met a fault."""
    sandbox = Sandbox()
    if write.before is not None:
        with getattr(sandbox, write.group)() as other:
            write.before(other)

    async def story() -> Any:
        client = connected(sandbox, run, write.group)
        error = await unknown(sandbox, run, client, write.use, fault)
        assert error.operation == write.operation
        found = await verdict(sandbox, run, client, error, **options)
        await run.close(client)
        return error, found

    return asyncio.run(story())


def test_no_write_is_missing() -> None:
    writes = {(case.group, case.name) for case in ALL if case.described()[1].safety is not Safety.READ}
    known = {(write.group, write.operation) for write in WRITES} - {("billing", "request")}
    assert writes - known == {("billing", "subscriptions.finish")}  # test_reads tests it
    assert known <= writes


@looped("write", WRITES)
def test_the_verdict_for_a_write_that_was_carried_out_is_true(write: Write, run: Run) -> None:
    error, found = resolved(write, drop_after_commit(), run)
    assert found.state == write.done, found
    assert found.safe_to_retry == write.safe_to_retry
    assert (found.result is not None) or found.state == "undecided" or "remove" in write.name or "revoke" in write.name
    assert found.evidence.startswith(f"{write.operation}: ")
    assert error.trace_id in found.support_details


@looped("write", WRITES)
def test_the_verdict_for_a_write_that_never_arrived_is_true(write: Write, run: Run) -> None:
    _, found = resolved(write, drop_before_commit(), run)
    assert found.state == write.lost, found
    assert found.safe_to_retry == (write.safe_to_retry or found.state == "not_applied")


@pytest.mark.hazard("H131")
@looped("write", WRITES)
def test_without_the_wait_the_verdict_is_never_not_applied(write: Write, run: Run) -> None:
    _, found = resolved(write, drop_before_commit(), run, wait=False)
    assert found.state == "undecided", found


def test_the_coverage_page_lists_the_possible_verdicts() -> None:
    expected: dict[tuple[Any, str], set[str]] = {}
    for write in WRITES:
        if write.operation != "request":
            expected.setdefault((write.group, write.operation), set()).update({write.done, write.lost} - {"undecided"})
    for (group, name), states in expected.items():
        listed = after_unknown_outcome(name, group).partition(": ")[2].partition(" (")[0].replace(" ", "_").split(",_")
        if listed == ["ask_the_operator"]:
            assert not states, name
        else:
            # The verdict for an identical older resource is `in_effect`; test_truths tests it.
            assert set(listed) - {"in_effect"} == states - {"in_effect"}, name
            assert "in_effect" in listed, name
    with pytest.raises(TypeError, match="no operation"):
        after_unknown_outcome("accounts.nothing")
