"""Checks that a model writes what was read: digits, scale, and unknown fields on every level."""

from __future__ import annotations

import copy
import pickle
from decimal import Decimal
from typing import cast

import jiter
from hypothesis import given, settings
from hypothesis import strategies as st

from subscribekit.models import Account, PaymentMethod, Subscription, Transaction
from subscribekit.models._base import read, write

DIGITS = st.integers(min_value=1, max_value=10**28 - 1)
SCALE = st.integers(min_value=0, max_value=28)


def _amount(digits: int, scale: int, sign: int) -> Decimal:
    return Decimal((sign, tuple(int(digit) for digit in str(digits)), -scale))


AMOUNTS = st.builds(_amount, DIGITS, SCALE, st.sampled_from([0, 1]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | AMOUNTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None)
@given(AMOUNTS)
def test_amounts_survive_digit_for_digit(amount: Decimal) -> None:
    text = format(amount, "f")
    parsed = cast("object", jiter.from_json(f'{{"amount": {text}}}'.encode(), float_mode="decimal"))
    written = write(read(Transaction, parsed))["amount"]
    assert isinstance(written, Decimal)
    assert format(written, "f") == text


@settings(deadline=None)
@given(AMOUNTS)
def test_amounts_sent_as_text_survive_digit_for_digit(amount: Decimal) -> None:
    text = format(amount, "f")
    written = write(read(Transaction, {"amount": text}))["amount"]
    assert isinstance(written, Decimal)
    assert format(written, "f") == text


@settings(deadline=None)
@given(AMOUNTS)
def test_built_amounts_are_written_digit_for_digit(amount: Decimal) -> None:
    written = write(Transaction(amount=amount))["amount"]
    assert isinstance(written, Decimal)
    assert written.as_tuple() == amount.as_tuple()


@settings(deadline=None)
@given(st.lists(JSON, min_size=6, max_size=6))
def test_unknown_fields_survive_on_every_level(values: list[object]) -> None:
    top, listed, card, late, nested, envelope = values
    raw = {
        "object": "Subscription",
        "new_top": top,
        "account": {
            "object": "Account",
            "new_late": late,
            "payment_methods": {
                "object": "List",
                "total_count": 1,
                "new_envelope": envelope,
                "data": [{"new_listed": listed, "credit_card": {"object": "CreditCard", "new_card": card}}],
            },
            "credit": {"currency_amounts": [{"subscription": {"id": "s1", "new_nested": nested}}]},
        },
    }
    assert write(read(Subscription, raw)) == raw


@settings(deadline=None)
@given(JSON)
def test_an_object_with_any_value_in_a_field_is_readable_and_loses_nothing(value: object) -> None:
    for field in ("shipping_address", "payment_methods", "parent", "notify_before_billing", "tokens"):
        account = read(Account, {"id": "a1", field: value})
        assert account.id == "a1"
        if account.unparsed_fields:
            assert write(account) == {"id": "a1", field: value}


def test_pickle_and_copies_keep_everything() -> None:
    raw = {
        "id": "a1",
        "tier": "gold",
        "payment_methods": {"object": "List", "total_count": 3, "data": [{"id": "p1", "new": Decimal("1.10")}]},
        "credit": {"object": "Credit"},
    }
    account = read(Account, raw)
    for twin in (pickle.loads(pickle.dumps(account)), copy.copy(account), copy.deepcopy(account), account.model_copy()):
        assert twin == account
        assert write(twin) == raw
    deep = copy.deepcopy(account)
    assert deep.payment_methods is not None
    deep.payment_methods[0].id = "changed"
    assert account.payment_methods is not None
    assert account.payment_methods[0].id == "p1"
    assert deep != account


def test_a_dump_of_pydantic_has_the_same_names_and_unknown_fields() -> None:
    method = read(PaymentMethod, {"id": "p1", "new": 1, "policy": {"validate": 1}})
    assert method.model_dump(exclude_unset=True) == {"id": "p1", "new": 1, "policy": {"validate": True}}
    assert method.model_dump_json(exclude_unset=True) == '{"id":"p1","policy":{"validate":true},"new":1}'
