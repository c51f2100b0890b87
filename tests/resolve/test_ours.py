"""The evidence that a resource is the result of the caller's own write: ID, amount, and time (H133)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import opened
from bulk.test_resolving import Losing
from kit.calls import Run, answer, page
from looped import looped
from resolve.test_reads import create, served
from subscribekit import BillingClient, RetryPolicy
from subscribekit.bulk import Resolved
from subscribekit.models import Account, Credit, CurrencyAmount, Refund, RefundItem
from subscribekit.sandbox import Sandbox

MADE = "2026-01-01T00:16:41Z"
"""A second after the call, by the clock of the kit."""


@pytest.mark.parametrize(
    ("amount", "state"), [("5.00", "in_effect"), ("5", "in_effect"), ("4.99", "undecided"), ("50", "undecided")]
)
def test_a_refund_of_another_amount_is_no_evidence(run: Run, amount: str, state: str) -> None:
    shown = {"object": "Refund", "id": "SBR1", "amount": Decimal(amount), "note": "late", "created": MADE}
    found, _, _ = served(
        lambda _: page({**shown, "amount": float(amount)}),
        run,
        lambda c: c.refunds.create("t1", Refund(amount=Decimal(5), note="late")),
    )
    assert found.state == state


@pytest.mark.parametrize(("own", "state"), [("a1", "applied"), ("a2", "undecided"), (None, "undecided")])
def test_a_resource_with_another_id_is_no_evidence(run: Run, own: str | None, state: str) -> None:
    shown = {"object": "Account", "id": own, "vid": "v1", "name": "Ann", "created": MADE}
    found, _, _ = served(lambda _: answer(shown), run, create)
    assert found.state == state


@pytest.mark.parametrize(
    ("day", "state"), [("2025-12-31", "undecided"), ("2026-01-01", "undecided"), ("2026-01-02", "not_applied")]
)
def test_a_billing_day_that_has_started_may_have_been_billed(run: Run, day: str, state: str) -> None:
    """If the next bill is a month later, the subscription was billed on that day, or its billing day never changed."""
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
        ("2026-01-01T00:16:40Z", "applied"),  # a service that truncates fractions
        ("2026-01-01T00:16:40.500Z", "applied"),
        ("2026-01-01T00:16:40.100Z", "applied"),  # a `Date` has whole seconds, too
        ("2026-01-01T00:16:39.900Z", "in_effect"),
        ("2026-01-01T00:16:39Z", "in_effect"),
    ],
)
def test_whole_seconds_are_rounded_down_before_they_are_compared(run: Run, created: str, state: str) -> None:
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": created}
    found, _, _ = served(lambda _: answer(shown), run, create, begin=0.5)
    assert found.state == state


def test_the_compressed_body_of_an_item_is_compared(tmp_path: Path) -> None:
    """The digests are of the uncompressed body. Without them, the verdict for each lost item would be undecided."""
    losing = Losing(Sandbox().transport)
    losing.how = {"one": "answer"}
    given: dict[str, Any] = {"environment": "sandbox", "transport": losing, "compress_requests": True}
    with BillingClient(**given) as client, opened(tmp_path / "l.db", client) as run:
        run.add([("one", client.prepare.accounts.create(Account(id="one", name="Ann")))])
        assert [each.state for each in run.send()] == ["unknown"]
    with BillingClient(**given) as client, opened(tmp_path / "l.db", client) as run:
        assert run.resolve() == Resolved(applied=1)
        assert run.counts().done == 1


LATE = Refund(amount=5, note="late")
X = RefundItem(sku="x", amount=5)


@pytest.mark.hazard("H133")
@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (Refund(note="late"), {"amount": 50, "note": "late"}),  # a refund of the remaining amount
        (Refund(amount=None, note="late"), {"note": "late"}),
        (LATE, {"note": "late"}),  # no amount in the response
        (LATE, {"amount": None, "note": "late"}),
        (LATE, {"amount": 4, "note": "late"}),
        (Refund(amount=5, currency="USD"), {"amount": 5, "currency": "EUR"}),
        (Refund(amount=5, refund_items=[X]), {"amount": 5, "refund_items": None}),
        (Refund(refund_items=[X]), {"refund_items": [{"sku": "x", "amount": 4}]}),
        (Refund(refund_items=[X]), {"refund_items": [{"sku": "y", "amount": 5}]}),
    ],
    ids=range(9),
)
def test_a_refund_that_does_not_show_each_sent_amount_is_no_evidence(
    run: Run, sent: Refund, shown: dict[str, object]
) -> None:
    """Another value that was sent, such as a note, proves nothing about the amount."""
    resource = {"object": "Refund", "id": "SBR1", "created": MADE, **shown}
    found, _, _ = served(lambda _: page(resource), run, lambda c: c.refunds.create("t1", sent))
    assert (found.state, found.safe_to_retry) == ("undecided", False)


def test_a_refund_of_items_is_identified_by_their_amounts(run: Run) -> None:
    refund = Refund(refund_items=[X, RefundItem(sku="y", amount=1)])
    items = [{"sku": "y", "amount": 1.0}, {"sku": "x", "amount": 5}]
    shown = {"object": "Refund", "id": "SBR1", "amount": 6, "created": MADE, "refund_items": items}
    found, _, _ = served(lambda _: page(shown), run, lambda c: c.refunds.create("t1", refund))
    assert found.state == "in_effect"


def in_log(status: str) -> dict[str, object]:
    return {"object": "Transaction", "status_log": [{"status": status}]}


NOT_OURS: dict[str, tuple[Callable[[Any], Any], dict[str, object]]] = {
    "created": (create, {"object": "Account", "name": "Ann", "created": MADE}),
    "values": (lambda c: c.accounts.update("a1", Account(name="Ann")), {"object": "Account", "name": "Ann"}),
    "child": (lambda c: c.accounts.add_child("p1", Account(id="a1")), {"object": "Account"}),
    "no child": (lambda c: c.accounts.remove_child("p1", "a1"), {"object": "Account"}),
    "captured": (lambda c: c.transactions.capture("a1"), in_log("Captured")),
    "not captured": (lambda c: c.transactions.capture("a1"), in_log("New")),
    "cancelled": (lambda c: c.transactions.cancel("a1"), in_log("Cancelled")),
    "not cancelled": (lambda c: c.transactions.cancel("a1"), in_log("New")),
    "reversed": (lambda c: c.payments.reverse("a1"), {"object": "Payment", "status": "Failure"}),
    "not reversed": (lambda c: c.payments.reverse("a1"), {"object": "Payment", "status": "Success"}),
    "ended": (lambda c: c.subscriptions.cancel("a1"), {"object": "Subscription", "status": "Cancelled"}),
    "not ended": (lambda c: c.subscriptions.cancel("a1"), {"object": "Subscription", "status": "Active"}),
    "billing day": (
        lambda c: c.subscriptions.change_billing_day("a1", to_date=date(2026, 2, 5)),
        {"object": "Subscription", "next_billing": {"created": "2026-02-05T12:00:00Z"}},
    ),
    "finished": (lambda c: c.subscriptions.finish("a1"), in_log("Captured")),
}


@pytest.mark.hazard("H219")
@looped("use", NOT_OURS)
@pytest.mark.parametrize(
    ("named", "why"),
    [
        ({"id": "a2"}, "'a2', not 'a1'"),
        ({"id": "a2", "vid": "v2"}, "'a2', not 'a1'"),
        ({"vid": "v2"}, "has no id, so the response doesn't identify the resource"),
        ({"id": None}, "has no id, so the response doesn't identify the resource"),
        ({}, "has no id, so the response doesn't identify the resource"),
    ],
    ids=str,
)
def test_a_read_that_shows_another_resource_proves_nothing(
    run: Run, use: str, named: dict[str, object], why: str
) -> None:
    """A proxy or a cache that mixes up requests returns another customer's state: paid, canceled, or neither."""
    call, shown = NOT_OURS[use]
    found, _, _ = served(lambda _: answer({**shown, **named}), run, call, later=60.0, retry=RetryPolicy(max_attempts=1))
    assert (found.state, found.result) == ("undecided", None)
    assert found.evidence.endswith(f"{why}).")
    found, _, _ = served(
        lambda _: answer({**shown, "id": "a1", "vid": "v2"}), run, call, later=60.0, retry=RetryPolicy(max_attempts=1)
    )
    assert found.state in ("applied", "in_effect", "not_applied")


def test_a_resource_may_be_identified_by_its_vid(run: Run) -> None:
    shown = {"object": "Payment", "id": "p1", "vid": "v1", "status": "Failure"}
    assert served(lambda _: answer(shown), run, lambda c: c.payments.reverse("v1"))[0].state == "in_effect"
    # The ID of a new resource may be the vid of another resource.
    made = {"object": "Account", "id": "a2", "vid": "a1", "name": "Ann", "created": MADE}
    assert served(lambda _: answer(made), run, create)[0].state == "undecided"


@pytest.mark.parametrize(("hour", "state"), [(9, "not_applied"), (10, "undecided"), (23, "undecided")])
def test_a_billing_day_that_has_started_in_some_time_zone_may_have_been_billed(run: Run, hour: int, state: str) -> None:
    """No source shows the merchant's time zone, and in some time zones the next day has already started."""
    shown = {"object": "Subscription", "id": "s1", "next_billing": {"created": "2026-02-05T00:00:00Z"}}
    found, _, _ = served(
        lambda _: answer(shown),
        run,
        lambda c: c.subscriptions.change_billing_day("s1", to_date=date(2026, 1, 2)),
        begin=hour * 3600.0,
    )
    assert found.state == state


@pytest.mark.hazard("H219")
def test_a_list_with_resources_of_another_owner_proves_nothing(run: Run) -> None:
    """The list shows a refund of another transaction, or a grant to another account, with the same amount."""
    made = {"object": "Refund", "id": "SBR1", "created": MADE, "amount": 5}
    for of, state in (("t2", "undecided"), ("t1", "in_effect")):
        shown = page({**made, "transaction": {"object": "Transaction", "id": of, "vid": "v"}})
        found, _, _ = served(lambda _, shown=shown: shown, run, lambda c: c.refunds.create("t1", Refund(amount=5)))  # type: ignore[misc]  # binds the loop's value
        assert found.state == state
    credit = Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=5)])
    for of, state in (("a2", "undecided"), ("a1", "in_effect")):
        amount = {"object": "CurrencyAmount", "currency": "USD", "amount": 5, "granted": MADE, "account": {"id": of}}
        shown = answer({"object": "Credit", "currency_amounts": [amount]})
        found, _, _ = served(lambda _, shown=shown: shown, run, lambda c: c.accounts.grant_credit("a1", credit))  # type: ignore[misc]  # as above
        assert found.state == state


def test_a_resource_without_the_requested_vid_proves_nothing(run: Run) -> None:
    """A read by a vid may return only an ID, which doesn't show whether it's the requested resource."""
    shown = {"object": "Payment", "id": "p1", "status": "Failure"}
    found = served(lambda _: answer(shown), run, lambda c: c.payments.reverse("vid1"))[0]
    assert found.state == "undecided"
    assert found.evidence.endswith("returned another resource for the id vid1.")
