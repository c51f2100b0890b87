"""Mistakes in the arguments of task functions, and the errors that they raise."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from subscribekit import BillingClient
from subscribekit.errors import InvalidArgumentError
from subscribekit.models.money import refundable_amount


@pytest.mark.parametrize("day", ["2026-03-15", 15, datetime(2026, 3, 15, tzinfo=UTC)])
def test_the_error_about_a_day_shows_a_valid_value(day: Any) -> None:
    with BillingClient(environment="sandbox") as billing, pytest.raises(InvalidArgumentError) as caught:
        billing.subscriptions.change_billing_day("s1", to_date=day)
    kind = type(day).__name__
    assert (
        str(caught.value)
        == f"to_date must be a date without a time, not {kind}; pass a value such as date(2026, 3, 15)"
    )


def test_refundable_amount_refuses_an_id() -> None:
    with pytest.raises(TypeError) as caught:
        refundable_amount("txn-1", [])  # type: ignore[arg-type]  # the mistake
    assert str(caught.value) == ("transaction must be a Transaction, not str; pass billing.transactions.retrieve(id)")
