"""Checks that a model that was stored as JSON text and read back is unchanged."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from subscribekit._json import decode
from subscribekit.models import (
    Account,
    AccountAssociation,
    Amazon,
    Campaign,
    EntitlementCharge,
    Season,
    Subscription,
    Transaction,
    from_json,
    to_json,
)
from subscribekit.models._base import Model, read

FINITE = st.decimals(allow_nan=False, allow_infinity=False).filter(lambda value: abs(value.adjusted()) <= 280)


@settings(deadline=None)
@given(FINITE)
def test_every_amount_survives_digit_for_digit(amount: Decimal) -> None:
    for text in (str(amount), f'"{amount}"'):
        answer = decode(f'{{"amount": {text}, "new": {{"rate": {amount}}}}}'.encode())
        transaction = read(Transaction, answer)
        again = from_json(Transaction, to_json(transaction))
        assert again == transaction
        assert again.amount is not None
        assert again.amount.normalize().as_tuple()[1:] == amount.normalize().as_tuple()[1:]


@settings(deadline=None)
@given(st.integers(1, 10**28 - 1), st.integers(0, 28))
def test_the_scale_of_an_amount_survives(digits: int, scale: int) -> None:
    amount = Decimal(digits).scaleb(-scale)
    again = from_json(Transaction, to_json(Transaction(amount=amount)))
    assert again.amount is not None
    assert again.amount.as_tuple() == amount.as_tuple()


@pytest.mark.parametrize(
    "amount", ["19.90", "0.00", "1E+2", "1e-280", "9.9e280", "1." + "1" * 60, "1" * 100, "-0.000000000000000000001"]
)
def test_amounts_that_cannot_be_sent_can_be_stored(amount: str) -> None:
    transaction = read(Transaction, {"amount": amount})
    assert transaction.amount == Decimal(amount)
    assert from_json(Transaction, to_json(transaction)) == transaction


def test_a_huge_number_is_stored_with_its_exponent() -> None:
    transaction = read(Transaction, {"new": Decimal("1E+999999999"), "amount": Decimal("1E+999999999")})
    stored = to_json(transaction)
    assert stored == b'{"new":1E+999999999,"amount":1E+999999999}'
    assert from_json(Transaction, stored) == transaction


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (Account, {}),
        (Account, {"id": 17, "email": None, "object": None, "tier": {"since": Decimal("1.50")}, "name": "n" * 3000}),
        (Account, {"created": "2026-05-01", "metadata": {"a": None, "b": [Decimal("1.0"), True], "c": 1}}),
        (Account, {"created": "soon", "tokens": {"object": "List", "total_count": 9, "url": "/t", "data": [{"x": 1}]}}),
        (Account, {"tokens": {"object": "TokenAmount", "amount": 1}, "payment_methods": "none"}),
        (Account, {"name": "Zoë \u2028\U0001f600\n\x7f", "parent": {"id": "p", "parent": {"created": 5}}}),
        (AccountAssociation, {"createdDate": 1893456000123, "isNew": Decimal("0.10")}),
        (Campaign, {"percentage_discount": 5, "flat_amount_discounts": [{"amount": 5}]}),
        (EntitlementCharge, {"transactionId": "t", "amount": -1}),
        (Season, {"starts": "2026-05-01", "ends": "2026-05-01T00:00:00"}),
        (Subscription, {"policy": ["a"], "status": "a state of tomorrow", "billing_plan": {"new": 1}}),
        (Amazon, {"anything": {"x": [1, Decimal("2.50")]}}),
    ],
)
def test_a_received_model_is_read_back(kind: type[Model], raw: dict[str, object]) -> None:
    model = read(kind, raw)
    stored = to_json(model)
    for data in (stored, stored.decode()):
        again = from_json(kind, data)
        assert again == model
        assert again.model_fields_set == model.model_fields_set
        assert again.unparsed_fields == model.unparsed_fields
        assert to_json(again) == stored
    assert b"\n" not in stored


def test_a_new_model_is_read_back() -> None:
    charge = EntitlementCharge(
        transaction_id="t", amount=Decimal("1.10"), currency=None, charge_date=datetime(2026, 1, 1, tzinfo=UTC)
    )
    assert to_json(charge) == (
        b'{"transactionId":"t","amount":1.10,"currency":null,"chargeDate":"2026-01-01T00:00:00+00:00"}'
    )
    assert from_json(EntitlementCharge, to_json(charge)) == charge
    season = Season(starts=date(2026, 5, 1))
    assert from_json(Season, to_json(season)) == season


def test_the_total_count_of_a_collection_is_kept() -> None:
    account = read(Account, {"tokens": {"object": "List", "total_count": 9, "data": []}})
    again = from_json(Account, to_json(account))
    assert again.tokens is not None
    assert again.tokens.total_count == 9


@pytest.mark.parametrize(
    "data",
    [
        "",
        "{",
        '{"id":"s3cret"',
        '{"id":"s3cret"}}',
        '{"id":"s3cret","id":"b"}',
        '{"balance":NaN}',
        b"\xff\xfe",
        "\ud800",
    ],
)
def test_damaged_text_is_refused(data: str | bytes) -> None:
    with pytest.raises(ValueError, match=r"^Account: data must be complete") as caught:
        from_json(Account, data)
    assert "s3cret" not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "data", ["[]", "null", '"s3cret"', "5", '[{"id":"s3cret"}]', '{"object":"Subscription","id":"s3cret"}']
)
def test_json_of_another_kind_is_refused(data: str) -> None:
    with pytest.raises(ValueError, match="Account") as caught:
        from_json(Account, data)
    assert "s3cret" not in str(caught.value)


def test_values_that_json_cannot_contain_are_refused() -> None:
    with pytest.raises(TypeError, match="float"):
        to_json(Amazon.model_construct(rate=0.5))
    with pytest.raises(ValueError, match="finite"):
        to_json(Transaction(amount=1).model_copy(update={"amount": Decimal("NaN")}))
