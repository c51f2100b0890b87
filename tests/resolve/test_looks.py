"""Each conclusion from a read: the state, the evidence, and whether a further read could change the verdict (H221)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import httpx
import pytest

from kit.calls import Run, Sent, answer, page
from looped import looped
from resolve.test_ours import MADE
from resolve.test_reads import ERROR, served
from subscribekit import RetryPolicy
from subscribekit._core.resolving import checks
from subscribekit.models import (
    Account,
    Activity,
    Credit,
    CurrencyAmount,
    Entitlement,
    Refund,
    Subscription,
    SubscriptionItem,
    Token,
    TokenAmount,
    Transaction,
)
from subscribekit.models.activity import ActivityNote

Use = Callable[[Any], Any]
GONE = object()
"""The 404 of the service."""
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def capture(c: Any) -> Any:
    return c.transactions.capture("t1")


def cancel(c: Any) -> Any:
    return c.transactions.cancel("t1")


def reverse(c: Any) -> Any:
    return c.payments.reverse("p1")


def end(c: Any) -> Any:
    return c.subscriptions.cancel("s1")


def finish(c: Any) -> Any:
    return c.subscriptions.finish("t1")


def move(c: Any) -> Any:
    return c.subscriptions.change_billing_day("s1", to_date=date(2026, 2, 20))


def move_for_good(c: Any) -> Any:
    return c.subscriptions.change_billing_day("s1", to_date=date(2026, 2, 20), perm=True)


def rename(c: Any) -> Any:
    return c.accounts.update("a1", Account(name="Ann", email="ann@example.com"))


def grant(*amounts: int, tokens: bool = False) -> Use:
    credit = Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=each) for each in amounts])
    if tokens:
        credit.token_amounts = [TokenAmount(token=Token(id="t"), amount=1)]
    return lambda c: c.accounts.grant_credit("a1", credit)


def entitle(**more: Any) -> Use:
    return lambda c: c.accounts.grant_entitlement("a1", Entitlement(id="vip", **more))


def revoke(c: Any) -> Any:
    return c.accounts.revoke_entitlement("a1", "vip")


def note(**more: Any) -> Use:
    activity = Activity(account=Account(id="a1"), type="Note", note_args=ActivityNote(note="Hi"), **more)
    return lambda c: c.activities.create(activity)


def log(*statuses: str) -> dict[str, object]:
    return {"object": "Transaction", "id": "t1", "status_log": [{"status": each} for each in statuses]}


def subscription(**more: object) -> dict[str, object]:
    return {"object": "Subscription", "id": "s1", **more}


def due(day: str, **more: object) -> dict[str, object]:
    return subscription(next_billing={"created": f"{day}T12:00:00Z"}, **more)


def credit(*amounts: int, granted: str = MADE) -> dict[str, object]:
    made = [{"currency": "USD", "amount": each, "granted": granted} for each in amounts]
    return {"object": "Credit", "currency_amounts": made}


def account(**more: object) -> dict[str, object]:
    return {"object": "Account", "id": "a1", "created": MADE, **more}


def right(**more: object) -> dict[str, object]:
    return {"object": "Entitlement", "id": "vip", **more}


def activity(**more: object) -> dict[str, object]:
    return {"object": "Activity", "type": "Note", "account": {"id": "a1"}, "note_args": {"note": "Hi"}, **more}


OLD, MANY = "2026-01-01T00:16:00Z", {f"f{number}": "x" for number in range(6)}

CASES: list[tuple[Use, object, str, str]] = [
    # Transactions and payments
    (capture, log("Captured", "Authorized"), "in_effect", "the status_log of t1 shows Captured."),
    (capture, log("Authorized", "New"), "not_applied", "the status_log of t1 shows Authorized and no capture."),
    (capture, log("Cancelled", "New"), "not_applied", "the status_log of t1 shows Cancelled and no capture."),
    (capture, log("New", "AuthorizationPending", "Authorized", "Cancelled"), "not_applied", "New and no capture."),
    (capture, log("Other", "New"), "undecided", "the status_log of t1 doesn't show whether the status was Captured."),
    (capture, log(), "undecided", "the status_log of t1 doesn't show whether the status was Captured."),
    (capture, GONE, "undecided", "transactions.retrieve shows no transaction t1."),
    (cancel, log("Cancelled", "New"), "in_effect", "the status_log of t1 shows Cancelled."),
    (cancel, log("Captured", "New"), "not_applied", "the status_log of t1 shows Captured and no cancellation."),
    (cancel, log("New", "AuthorizationPending", "Authorized", "Captured", "Refunded"), "not_applied", "cancellation."),
    (cancel, log("Other", "New"), "undecided", "the status_log of t1 doesn't show whether the status was Cancelled."),
    (cancel, log(), "undecided", "the status_log of t1 doesn't show whether the status was Cancelled."),
    (cancel, GONE, "undecided", "transactions.retrieve shows no transaction t1."),
    (reverse, {"object": "Payment", "id": "p1", "status": "Pending"}, "not_applied", "p1 with the status Pending."),
    (reverse, {"object": "Payment", "id": "p1"}, "undecided", "payments.retrieve doesn't show the status of p1."),
    (finish, log("New"), "undecided", "the status_log of t1 shows no payment."),
    (finish, GONE, "undecided", "transactions.retrieve shows no transaction t1."),
    # Subscriptions
    (end, GONE, "undecided", "subscriptions.retrieve shows no subscription s1."),
    (end, subscription(status="Pending Cancel"), "in_effect", "shows s1 with the status Pending Cancel."),
    (end, subscription(status="Cancelled"), "in_effect", "shows s1 with the status Cancelled."),
    (end, subscription(status="New"), "undecided", "shows s1 with the status New."),
    *[
        (end, subscription(status=each), "not_applied", f"shows s1 with the status {each}.")
        for each in ("Pending Activation", "Active", "Processing", "Paused", "Pending Pause", "Legacy Suspended")
    ],
    (
        lambda c: c.subscriptions.cancel("s1", disentitle=True),
        subscription(status="Pending Cancel"),
        "not_applied",
        "but the request was to cancel it immediately.",
    ),
    (
        lambda c: c.subscriptions.cancel("s1", disentitle=True, settle=True),
        subscription(status="Cancelled"),
        "undecided",
        "but not whether this request refunded the unused part.",
    ),
    (
        lambda c: c.subscriptions.cancel("s1", reason_code="106"),
        subscription(status="Cancelled", cancel_reason={"reason_code": "107"}),
        "undecided",
        "but the reason code differs from the request.",
    ),
    (move, GONE, "undecided", "subscriptions.retrieve shows no subscription s1."),
    (move, subscription(), "undecided", "subscriptions.retrieve shows no next bill of s1."),
    (move, due("2026-02-20"), "in_effect", "shows the next bill of s1 on 2026-02-20."),
    *[
        (move, due(f"2026-02-{day}"), state, f"shows the next bill of s1 on 2026-02-{day}.")
        for day, state in ((18, "not_applied"), (19, "undecided"), (21, "undecided"), (22, "not_applied"))
    ],
    (move_for_good, due("2026-02-20", billing_day=20), "in_effect", "on 2026-02-20."),
    (move_for_good, due("2026-02-20", billing_day=19), "undecided", "but not that the later bills are on the same day"),
    # Values
    (rename, GONE, "undecided", "accounts.retrieve shows no a1."),
    (rename, account(name="Ann", email="ann@example.com"), "in_effect", "shows a1 with all values that were sent."),
    (rename, account(name="Bob", email="b@example.com"), "not_applied", "the values that were sent (email, name)."),
    (rename, account(name="Bob", email="ann@example.com"), "undecided", "shows a1 with other values (name)."),
    (rename, account(name="Ann"), "undecided", "shows a1 but not all values that were sent (email)."),
    (
        lambda c: c.accounts.update("a1", Account(metadata=MANY)),
        account(metadata=dict.fromkeys(MANY, "y")),
        "not_applied",
        ", ...).",
    ),
    (
        lambda c: c.accounts.update("a1", Account(metadata=dict.fromkeys(list(MANY)[:5], "x"))),
        account(metadata=dict.fromkeys(MANY, "y")),
        "not_applied",
        ").",
    ),
    *[
        (
            lambda c, item=item: c.subscriptions.update("s1", Subscription(items=[item])),
            subscription(items=[{"id": "i1"}]),
            "undecided",
            "shows the items of s1, but not whether this request changed them.",
        )
        for item in (SubscriptionItem(id="i1", replaces=SubscriptionItem(id="i2")), SubscriptionItem(campaign_id="x"))
    ],
    # Creations
    (
        lambda c: c.accounts.create(Account(id="a1", name="Ann", email="ann@example.com")),
        account(name="Ann", created=OLD),
        "undecided",
        "shows a1, but not whether it was made since the request was sent.",
    ),
    (
        lambda c: c.transactions.create(Transaction(id="t1", currency="USD")),
        {**log("Authorized", "New"), "currency": "USD", "created": MADE},
        "applied",
        "made since the request was sent, status Authorized.",
    ),
    (
        lambda c: c.subscriptions.create(Subscription(id="s1")),
        subscription(status="Active", created=MADE),
        "applied",
        "made since the request was sent, status Active.",
    ),
    (lambda c: c.accounts.create(Account(id="a1")), account(), "applied", "made since the request was sent."),
    # Children and rights
    (lambda c: c.accounts.add_child("a0", Account(vid="v1")), GONE, "undecided", "contain the id of the child."),
    (
        lambda c: c.accounts.grant_entitlement("a1", Entitlement(description="x")), page(), "undecided",
        "doesn't contain the id of the entitlement.",
    ),
    (entitle(), page(right()), "in_effect", "entitlements.list of a1 shows vip with all values that were sent."),
    (entitle(), page(right(id="other")), "not_applied", "entitlements.list of a1 doesn't show vip."),
    (entitle(description="x"), page(), "not_applied", "entitlements.list of a1 doesn't show vip."),
    (entitle(description="x"), page(right(description="x")), "in_effect", "shows vip with all values that were sent."),
    (entitle(description="x"), page(right(description="y")), "undecided", "shows vip with other values."),
    (entitle(starts=NOON), page(), "undecided", "may have been granted for another time."),
    (revoke, page(right()), "not_applied", "still shows vip as granted directly."),
    (revoke, page(right(product={"id": "p"}), right()), "not_applied", "still shows vip as granted directly."),
    *[
        (revoke, page(right(**{name: {"id": "x"}})), "in_effect", "vip only as a part of what the account bought.")
        for name in ("subscription", "product", "billing_plan", "subscription_item")
    ],
    # Grants and activities
    (grant(5), GONE, "undecided", "shows no account a1."),
    (grant(5), credit(5), "in_effect", "but not by which request."),
    (grant(5, 5), credit(5, 5), "in_effect", "but not by which request."),
    (grant(5), credit(4), "undecided", "shows other amounts granted since the request."),
    (grant(5), credit(5, granted=OLD), "undecided", "shows fewer grants since the request than it asked for."),
    (grant(5, 4), credit(5), "undecided", "shows fewer grants since the request than it asked for."),
    (grant(5), credit(5, 4), "undecided", "shows more grants since the request than it asked for."),
    (grant(), credit(), "undecided", "can't distinguish grants of tokens."),
    (grant(5, tokens=True), credit(5), "undecided", "can't distinguish grants of tokens."),
    (note(), page(activity(created=MADE)), "in_effect", "but not which request made it."),
    (note(), page(activity(created=OLD)), "undecided", "without an ID of its own, this proves nothing."),
    (note(), page(activity()), "undecided", "without an ID of its own, this proves nothing."),
    (note(timestamp=NOON), page(activity(timestamp="2026-01-02T12:00:00Z")), "in_effect", "not which request made it."),
    (note(timestamp=NOON), page(activity(timestamp="2026-01-02T12:00:00Z", created=OLD)), "undecided", "nothing."),
    (note(timestamp=NOON), page(activity(timestamp="2026-01-03T12:00:00Z")), "undecided", "this proves nothing."),
    (
        lambda c: c.activities.create(Activity(type="Note", note_args=ActivityNote(note="Hi"))),
        page(),
        "undecided",
        "the request names no account whose activities could be read.",
    ),
]  # fmt: skip


def reading(shown: object) -> Callable[[Sent], httpx.Response]:
    if isinstance(shown, httpx.Response):
        return lambda _: httpx.Response(
            shown.status_code, headers=shown.headers, content=shown.content
        )  # a new one for each read, because a client keeps it
    return lambda _: answer(ERROR, status=404) if shown is GONE else answer(shown)


@looped(("use", "shown", "state", "says"), CASES)
def test_each_case_leads_to_its_verdict(run: Run, use: Use, shown: object, state: str, says: str) -> None:
    found, _, _ = served(reading(shown), run, use, later=60.0, retry=RetryPolicy(max_attempts=1))
    assert (found.state, says in found.evidence) == (state, True), found.evidence
    assert found.safe_to_retry == (state == "not_applied" or use is revoke)


FINAL: list[tuple[Use, object]] = [
    (lambda c: c.accounts.create(Account(name="Ann")), GONE),
    (lambda c: c.accounts.add_child("a0", Account(vid="v1")), GONE),
    (lambda c: c.accounts.grant_entitlement("a1", Entitlement(description="x")), page()),
    (lambda c: c.activities.create(Activity(type="Note", note_args=ActivityNote(note="Hi"))), page()),
    (lambda c: c.refunds.create("t1", Refund(amount=5)), page(*[
        {"object": "Refund", "id": each, "amount": 5, "created": MADE} for each in ("r1", "r2")
    ])),
    (grant(5), credit(5, 5)),
    (grant(), credit()),
]  # fmt: skip


@pytest.mark.parametrize(("use", "shown"), FINAL, ids=range(len(FINAL)))
def test_resolve_does_not_wait_if_no_later_read_can_change_the_verdict(run: Run, use: Use, shown: object) -> None:
    found, service, _ = served(reading(shown), run, use)
    assert (found.state, service.time.slept) == ("undecided", [])


@pytest.mark.parametrize(("use", "shown"), [
    (lambda c: c.refunds.create("t1", Refund(amount=5)), page()),
    (lambda c: c.refunds.create("t1", Refund(amount=5)), page({"object": "Refund", "amount": 5, "created": MADE})),
    (grant(5), credit()),
    (grant(5), credit(5)),
    (grant(5), credit(4)),
    (note(timestamp=NOON), page(activity(timestamp="2026-01-02T12:00:00Z"))),
], ids=range(6))  # fmt: skip
def test_resolve_waits_for_a_resource_that_may_still_arrive(run: Run, use: Use, shown: object) -> None:
    """A resource that matches the call may be another caller's, and the resource of the call may still arrive."""
    _, service, _ = served(reading(shown), run, use)
    assert service.time.slept == [30]


@pytest.mark.hazard("H414")
@pytest.mark.parametrize("body", [None, Refund(note="late")], ids=["no body", "no amount"])
def test_a_refund_without_an_amount_is_undecided(run: Run, body: Refund | None) -> None:
    """H414: Reads can't show whether such a refund was made, because they can't distinguish it from other refunds."""
    for shown in (page(), page({"object": "Refund", "id": "r1", "amount": 5, "note": "late", "created": MADE})):
        found, service, _ = served(reading(shown), run, lambda c: c.refunds.create("t1", body))
        assert (found.state, found.safe_to_retry, service.time.slept) == ("undecided", False, [])
        assert "has neither an ID nor an amount" in found.evidence
        assert "do not send the request again" in found.evidence


def test_resolve_does_not_wait_if_it_finds_the_id_of_a_refund(run: Run) -> None:
    shown = page({"object": "Refund", "id": "r1", "amount": 5, "created": OLD})
    found, service, _ = served(reading(shown), run, lambda c: c.refunds.create("t1", Refund(id="r1", amount=5)))
    assert (found.state, service.time.slept) == ("in_effect", [])


def test_without_a_known_time_the_verdict_is_in_effect_and_never_applied(run: Run) -> None:
    """The resource may have been created before the write."""

    def drop(error: Any) -> None:
        error.record = tuple(pair for pair in error.record if pair[0] != "moment")

    for created, change in ((MADE, drop), (None, lambda _: None)):
        found, _, _ = served(
            reading(account(name="Ann", created=created)),
            run,
            lambda c: c.accounts.create(Account(id="a1", name="Ann")),
            change=change,
        )
        assert found.state == "in_effect"


def test_a_record_needs_the_group_the_origin_and_the_prefix(run: Run) -> None:
    """Without one of them, nothing shows to which service the call was sent."""
    from subscribekit.errors import InvalidArgumentError

    for name in ("group", "origin", "prefix"):

        def drop(error: Any, name: str = name) -> None:
            error.record = tuple(pair for pair in error.record if pair[0] != name)

        with pytest.raises(InvalidArgumentError, match="has no record"):
            served(reading(GONE), run, lambda c: c.accounts.create(Account(id="a1")), change=drop)


def test_two_reads_with_different_results_do_not_agree(run: Run) -> None:
    """If a child is missing in one read and present in the next one, a third read decides."""
    there = answer({"object": "Account", "id": "a2"})
    replies = iter((answer(ERROR, status=404), there, answer(ERROR, status=404)))
    found, _, _ = served(
        lambda _: next(replies), run, lambda c: c.accounts.remove_child("a1", "a2"), later=60.0,
        retry=RetryPolicy(max_attempts=1),
    )  # fmt: skip
    assert found.state == "in_effect"
    replies = iter((there, answer(ERROR, status=404), there))
    found, _, _ = served(
        lambda _: next(replies), run, lambda c: c.accounts.remove_child("a1", "a2"), later=60.0,
        retry=RetryPolicy(max_attempts=1),
    )  # fmt: skip
    assert found.state == "not_applied"


def test_at_most_five_places_are_named() -> None:
    assert checks._places(list("abcde")) == "a, b, c, d, e"
    assert checks._places(list("abcdef")) == "a, b, c, d, e, ..."
