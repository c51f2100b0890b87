"""For each write and each fault, the verdict never contradicts the true state, whatever other callers do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit.calls import Run
from samples import SHARE
from subscribekit import Verdict
from subscribekit.errors import SubscribekitError
from subscribekit.models import Account, Campaign, PaymentMethod, Transaction
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import (
    Fault,
    connection_refused,
    corrupt_gzip,
    drop_after_commit,
    drop_before_commit,
    proxy_page,
    rate_limited,
    read_timeout,
    server_error,
    server_error_after_commit,
    slow_response,
    truncated,
)

from .kit import connected, writes
from .test_truths import acting_while_one_waits
from .writes import WRITES, Write

FAULTS: tuple[tuple[Callable[[], Fault], bool], ...] = (
    (drop_after_commit, True),
    (drop_before_commit, False),
    (lambda: read_timeout(committed=True), True),
    (read_timeout, False),
    (truncated, True),
    (corrupt_gzip, True),
    (slow_response, True),
    (server_error_after_commit, True),
    (server_error, False),
    (proxy_page, False),
    (lambda: proxy_page(200), False),
    (rate_limited, False),
    (connection_refused, False),
)
SOMEBODY: dict[str, Callable[[Any], object]] = {
    "accounts.create": lambda c: c.accounts.create(Account(id="a-own", name="Somebody Else")),
    "payment_methods.create": lambda c: c.payment_methods.create(PaymentMethod(id="pm-own", account_holder="Else")),
    "campaigns.create": lambda c: c.campaigns.create(
        Campaign(id="c-own", name="Another", percentage_discount=Decimal(1))
    ),
    "transactions.create": lambda c: c.transactions.create(
        Transaction(id="t-own", account=Account(id="acct-0002"), amount=Decimal("1.00"), currency="USD")
    ),
}
"""Calls of another caller that use the same ID for another resource. For other writes, this caller repeats the call."""


@dataclass
class Truth:
    """How often the sandbox carried out the write, and how often it carried out another caller's call."""

    ours: int = 0
    somebody: int = 0


stories = st.fixed_dictionaries({
    "write": st.sampled_from(WRITES),
    "fault": st.sampled_from(FAULTS),
    "times": st.integers(1, 3),
    "earlier": st.booleans(),
    "somebody": st.booleans(),
    "lands": st.booleans(),
    "hours": st.sampled_from((0, 1)),
    "wait": st.booleans(),
    "after": st.sampled_from((0.0, 30.0)),
})  # fmt: skip


def carried_out(use: Callable[[Any], object], client: Any) -> bool:
    try:
        use(client)
    except SubscribekitError:
        return False
    return True


def play(run: Run, story: dict[str, Any]) -> tuple[Verdict | None, Truth]:
    """Play a story. Return the verdict, or `None` if the outcome was known, and the truth."""
    sandbox, truth, write = Sandbox(), Truth(), story["write"]
    somebody = SOMEBODY.get(write.name, write.use)

    def land(other: Any) -> None:
        if story["lands"]:
            truth.ours += carried_out(write.use, other)

    waiting = acting_while_one_waits(sandbox, land)
    other = getattr(sandbox, write.group)()
    if write.before is not None:
        write.before(other)
    if story["earlier"]:
        truth.somebody += carried_out(somebody, other)
        sandbox.advance(hours=1)
    make, commits = story["fault"]

    async def whole() -> Verdict | None:
        client = connected(sandbox, run, write.group)
        before = sandbox.snapshot()
        sandbox.faults.add(writes, make(), times=story["times"])
        caught: BaseException | None = None
        try:
            await run.now(write.use(client))
        except SubscribekitError as error:
            caught = error
        if caught is None or getattr(caught, "outcome", "") != "unknown":
            return None
        sandbox.faults.clear()
        truth.ours += commits and accepted(sandbox, write, before)
        if story["somebody"]:
            truth.somebody += carried_out(somebody, other)
        sandbox.advance(hours=story["hours"])
        waiting.append(other)
        sent = len(sandbox.requests)
        landed = truth.ours
        found: Verdict = await run.now(client.resolve(caught, not_applied_after=story["after"], wait=story["wait"]))
        landing = {"GET"} if truth.ours == landed and not story["lands"] else {"GET", "POST", "PUT", "DELETE"}
        assert {each.method for each in sandbox.requests[sent:]} <= landing
        await run.close(client)
        return found

    return asyncio.run(whole()), truth


def accepted(sandbox: Sandbox, write: Write, before: Any) -> bool:
    """Return whether the service accepts the call in the earlier state, which a fault after the commit doesn't show."""
    now = sandbox.snapshot()
    sandbox.restore(before)
    try:
        return carried_out(write.use, getattr(sandbox, write.group)())
    finally:
        sandbox.restore(now)


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_a_verdict_never_contradicts_the_truth(style: Any) -> None:
    run = Run(style)

    @settings(max_examples=80 // SHARE, deadline=None)
    @given(stories)
    def check(story: dict[str, Any]) -> None:
        found, truth = play(run, story)
        if found is None:
            return
        if found.state == "applied":
            # The caller's own ID identifies the resource, even if another caller has repeated the same call since.
            same = story["somebody"] and story["write"].name not in SOMEBODY and truth.somebody
            assert truth.ours or same, (story, found, truth)
        if found.state == "in_effect":
            assert truth.ours or truth.somebody, (story, found, truth)
        if found.state == "not_applied":
            assert not truth.ours, (story, found, truth)
        if found.safe_to_retry and not story["write"].safe_to_retry:
            assert found.state == "not_applied"

    check()
