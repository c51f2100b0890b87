"""What makes a resource that a read shows the caller's own: id, amount and time (H133)."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import opened
from bulk.test_resolving import Losing
from core.kit import Run, answer, page
from resolve.test_reads import create, served
from subscribekit import BillingClient
from subscribekit.bulk import Resolved
from subscribekit.models import Account, Refund
from subscribekit.sandbox import Sandbox

MADE = "2026-01-01T00:16:41Z"
"""A second after the call, by the clock of the kit."""


@pytest.mark.parametrize(
    ("amount", "state"), [("5.00", "in_effect"), ("5", "in_effect"), ("4.99", "undecided"), ("50", "undecided")]
)
def test_a_refund_of_another_amount_is_not_ours(run: Run, amount: str, state: str) -> None:
    shown = {"object": "Refund", "id": "SBR1", "amount": Decimal(amount), "note": "late", "created": MADE}
    found, _, _ = served(
        lambda _: page({**shown, "amount": float(amount)}),
        run,
        lambda c: c.refunds.create("t1", Refund(amount=Decimal(5), note="late")),
    )
    assert found.state == state


@pytest.mark.parametrize(("own", "state"), [("a1", "applied"), ("a2", "undecided"), (None, "undecided")])
def test_a_read_that_gives_another_id_is_not_ours(run: Run, own: str | None, state: str) -> None:
    shown = {"object": "Account", "id": own, "vid": "v1", "name": "Ann", "created": MADE}
    found, _, _ = served(lambda _: answer(shown), run, create)
    assert found.state == state


@pytest.mark.parametrize(
    ("day", "state"), [("2025-12-31", "undecided"), ("2026-01-01", "undecided"), ("2026-01-02", "not_applied")]
)
def test_a_billing_day_that_has_come_may_have_been_billed(run: Run, day: str, state: str) -> None:
    """The next billing is a month later: the subscription was billed on that day, or was never moved."""
    shown = {"object": "Subscription", "id": "s1", "next_billing": {"created": "2026-02-05T00:00:00Z"}}
    found, _, _ = served(
        lambda _: answer(shown),
        run,
        lambda c: c.subscriptions.change_billing_day("s1", to_date=date.fromisoformat(day)),
    )
    assert found.state == state


@pytest.mark.parametrize(
    ("created", "state"),
    [
        ("2026-01-01T00:16:40Z", "applied"),  # a service that cuts off fractions
        ("2026-01-01T00:16:40.500Z", "applied"),
        ("2026-01-01T00:16:40.100Z", "in_effect"),
        ("2026-01-01T00:16:39Z", "in_effect"),
    ],
)
def test_whole_seconds_are_rounded_down_before_they_are_compared(run: Run, created: str, state: str) -> None:
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": created}
    found, _, _ = served(lambda _: answer(shown), run, create, skew=0.5)
    assert found.state == state


def test_a_compressed_body_of_a_ledger_is_compared(tmp_path: Path) -> None:
    """Its digests are those of what was compressed; without them each lost item would be undecided."""
    losing = Losing(Sandbox().transport)
    losing.how = {"one": "answer"}
    given: dict[str, Any] = {"environment": "sandbox", "transport": losing, "compress_requests": True}
    with BillingClient(**given) as client, opened(tmp_path / "l.db", client) as run:
        run.add([("one", client.plan.accounts.create(Account(id="one", name="Ann")))])
        assert [each.state for each in run.results()] == ["unknown"]
    with BillingClient(**given) as client, opened(tmp_path / "l.db", client) as run:
        assert run.resolve() == Resolved(applied=1)
        assert run.counts().done == 1
