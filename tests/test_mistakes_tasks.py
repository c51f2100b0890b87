"""Mistakes of somebody who does the tasks of the site: arguments by the names that other services give them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from subscribekit import BillingClient, models
from subscribekit.errors import RequestError
from subscribekit.models.money import refundable_amount
from subscribekit.models.subscription_changes import change_plan

PLAN = change_plan("s1", "p1")
UNEXPECTED = "Subscriptions.{}() got an unexpected keyword argument {!r}: {}"
NOW = "write disentitle=True to end the service now"
BACK = "write disentitle=True, settle=True to pay the unused part back"
KEPT = "leave it out: without disentitle=True the service goes on to the end of what is paid"
PRORATED = "write bill_prorated_period=True"
WHEN = "write effective_date='today' or effective_date='nextBill'"

CALLS: dict[str, tuple[Callable[[Any], object], str]] = {
    "cancel at once": (
        lambda each: each.cancel("s1", immediately=True), UNEXPECTED.format("cancel", "immediately", NOW),
    ),
    "cancel and refund": (lambda each: each.cancel("s1", refund=True), UNEXPECTED.format("cancel", "refund", BACK)),
    "cancel prorated": (lambda each: each.cancel("s1", prorate=True), UNEXPECTED.format("cancel", "prorate", BACK)),
    "cancel at the end": (
        lambda each: each.cancel("s1", at_period_end=True), UNEXPECTED.format("cancel", "at_period_end", KEPT),
    ),
    "cancel on a date": (
        lambda each: each.cancel("s1", effective_date="nextBill"), UNEXPECTED.format("cancel", "effective_date", KEPT),
    ),
    "change prorated": (
        lambda each: each.update("s1", PLAN, prorate=True), UNEXPECTED.format("update", "prorate", PRORATED),
    ),
    "change in another word": (
        lambda each: each.update("s1", PLAN, proration_behavior="x"),
        UNEXPECTED.format("update", "proration_behavior", PRORATED),
    ),
    "change when": (lambda each: each.update("s1", PLAN, when="today"), UNEXPECTED.format("update", "when", WHEN)),
    "change at once": (
        lambda each: each.update("s1", PLAN, immediately=True), UNEXPECTED.format("update", "immediately", WHEN),
    ),
    "a preview of a change": (
        lambda each: each.update("s1", PLAN, preview=True), UNEXPECTED.format("update", "preview", "write dryrun=True"),
    ),
    "a preview of a sign-up": (
        lambda each: each.create(PLAN, preview=True), UNEXPECTED.format("create", "preview", "write dryrun=True"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "sentence"), CALLS.values(), ids=CALLS)
def test_a_call_says_what_another_word_is_here(use: Callable[[Any], object], sentence: str) -> None:
    with BillingClient(environment="sandbox") as billing, pytest.raises(TypeError) as caught:
        use(billing.subscriptions)
    assert str(caught.value) == sentence


@pytest.mark.parametrize("day", ["2026-03-15", 15, datetime(2026, 3, 15, tzinfo=UTC)])
def test_a_day_says_how_it_is_written(day: Any) -> None:
    with BillingClient(environment="sandbox") as billing, pytest.raises(RequestError) as caught:
        billing.subscriptions.change_billing_day("s1", to_date=day)
    kind = type(day).__name__
    assert str(caught.value) == f"to_date must be a date without a time, not {kind}: write date(2026, 3, 15)"


def test_what_is_left_is_asked_of_the_transaction_itself() -> None:
    with pytest.raises(TypeError) as caught:
        refundable_amount("txn-1", [])  # type: ignore[arg-type]  # the mistake
    assert str(caught.value) == (
        "refundable_amount takes a Transaction, not str: write billing.transactions.retrieve(id) in its place"
    )


def test_every_model_says_what_to_write_for_a_field_that_it_lacks() -> None:
    kinds = [each for name in models.__all__ if isinstance(each := getattr(models, name), type)]
    asked = [each for each in kinds if issubclass(each, models.Model) and set(each.model_fields) - {"object"}]
    for kind in asked:
        with pytest.raises(AttributeError) as caught:
            kind.model_construct().xyzzy  # type: ignore[attr-defined]  # noqa: B018  that is the mistake
        said = str(caught.value).removeprefix(f"{kind.__name__!r} object has no attribute 'xyzzy': ")
        first = next(each for each in kind.model_fields if each != "object")
        assert said == f"{kind.__name__}.model_fields names its fields" or said.startswith((
            f"its fields are {first}", f"its field is {first}",
        ))  # fmt: skip
    assert len(asked) > 80


def test_an_entry_of_the_history_has_no_end() -> None:
    with pytest.raises(AttributeError) as caught:
        models.BillingPlanHistory().ends  # type: ignore[attr-defined]  # noqa: B018  that is the mistake
    assert (
        str(caught.value)
        == "'BillingPlanHistory' object has no attribute 'ends': its fields are billing_plan and starts"
    )
