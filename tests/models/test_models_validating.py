"""Checks how models accept JSON that an application parsed, and the schemas that describe the JSON (H321)."""

from __future__ import annotations

import json as stdlib
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

import subscribekit.models
from looped import looped
from subscribekit.models import (
    Account,
    AccountAssociation,
    CurrencyAmount,
    EntitlementCharge,
    Event,
    PaymentMethod,
    Season,
    Subscription,
    Transaction,
    TransactionItem,
)
from subscribekit.models._base import Model, read, write
from subscribekit.testing import make

MODELS = [
    value
    for name in subscribekit.models.__all__
    if isinstance(value := getattr(subscribekit.models, name), type) and issubclass(value, Model)
]


def by_fastapi(kind: type[Model], values: dict[str, object]) -> Model:
    """Send values as the body of a request to a FastAPI application, and return the model that the application gets."""
    app, taken = FastAPI(), list[Model]()

    def take(body: Any) -> None:
        taken.append(body)

    take.__annotations__ = {"body": kind, "return": None}
    app.post("/")(take)
    answer = TestClient(app).post("/", content=stdlib.dumps(values), headers={"Content-Type": "application/json"})
    if answer.status_code == 422:
        raise ValueError(answer.text)
    return taken[0]


WAYS: dict[str, Callable[[Any, dict[str, object]], Any]] = {
    "model_validate": lambda kind, values: kind.model_validate(values),
    "model_validate_json": lambda kind, values: kind.model_validate_json(stdlib.dumps(values)),
    "TypeAdapter": lambda kind, values: TypeAdapter(kind).validate_python(values),
    "FastAPI": by_fastapi,
}
way = pytest.mark.parametrize("take", WAYS.values(), ids=WAYS)


@pytest.mark.parametrize(
    "build",
    [
        lambda: CurrencyAmount(amount=4.9, currency="USD"),
        lambda: Transaction(items=[{"price": 4.9}]),
        lambda: Subscription(account={"credit": {"currency_amounts": [{"amount": 4.9}]}}),
        lambda: Account(metadata={"limit": 4.9}),
        lambda: Event(amount=4.9),
        lambda: Event(parts=[{"amount": 4.9}]),
        lambda: PaymentMethod(amazon={"limit": 4.9}),
        lambda: setattr(Transaction(), "amount", 4.9),
        lambda: setattr(read(Transaction, {}), "amount", 4.9),
        lambda: setattr(Event(), "amount", 4.9),
        lambda: CurrencyAmount(amount="4.90"),
        lambda: Account(created="2026-01-01T00:00:00Z"),
    ],
)
def test_a_class_call_refuses_floats_and_text(build: Callable[[], object]) -> None:
    with pytest.raises(ValidationError):
        build()


@way
@looped(
    ("sent", "expected"),
    [
        ("4.90", "4.90"),
        ("-0.001", "-0.001"),
        ("12345678901234567890.12345678", "12345678901234567890.12345678"),
        (4.90, "4.9"),
        (0.1, "0.1"),
        (123456789012345.0, "123456789012345.0"),
        (1e-7, "1E-7"),
        (7, "7"),
    ],
)
def test_a_number_can_be_text_or_a_short_float(take: Any, sent: object, expected: str) -> None:
    item = take(Transaction, {"items": [{"price": sent}], "amount": sent}).items[0]
    assert str(item.price) == expected
    assert write(take(CurrencyAmount, {"amount": sent})) == {"amount": Decimal(expected)}
    assert take(Account, {"metadata": {"limit": sent}}).metadata == {
        "limit": sent if isinstance(sent, str | int) else Decimal(expected)
    }


@way
@looped(
    "sent",
    [0.1 + 0.2, 1234567890123456.0, 1.0000000000000002, "4,90", "", " 4.90", "NaN", "1e400", True, [4.9], "1" * 29],
)
def test_any_other_number_is_refused(take: Any, sent: object) -> None:
    with pytest.raises(ValueError, match="amount") as caught:
        take(CurrencyAmount, {"amount": sent, "currency": "USD"})
    assert "money_type" in str(caught.value) or "digits" in str(caught.value)


@pytest.mark.parametrize("sent", [float("nan"), float("inf")])
def test_a_float_that_is_not_finite_is_refused(sent: float) -> None:
    with pytest.raises(ValidationError):
        CurrencyAmount.model_validate({"amount": sent})


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(0, 20))
def test_every_number_of_15_digits_survives_a_float(digits: int, scale: int) -> None:
    exact = Decimal(digits).scaleb(-scale)
    assert CurrencyAmount.model_validate({"amount": float(exact)}).amount == exact


@way
def test_a_time_needs_an_offset(take: Any) -> None:
    moment = datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert take(Account, {"created": "2026-05-01T12:00:00+02:00"}).created == moment
    assert take(EntitlementCharge, {"transactionId": "t", "chargeDate": "2026-05-01T10:00:00Z"}).charge_date == moment
    assert take(AccountAssociation, {"createdDate": "2026-05-01T10:00:00Z"}).created_date == moment
    assert take(Season, {"starts": "2026-05-01", "ends": "2026-05-01T10:00:00Z"}) == Season(
        starts=date(2026, 5, 1), ends=moment
    )
    for refused in ("2026-05-01T10:00:00", "2026-05-01", "soon", ""):
        with pytest.raises(ValueError, match="created"):
            take(Account, {"created": refused})


@way
def test_the_rules_for_new_models_hold(take: Any) -> None:
    for refused in ({"name": "n" * 1025}, {"id": "a/b"}, {"email": 5}, {"payment_methods": [{"id": "a/b"}]}):
        with pytest.raises(ValueError, match=r"1024|path|string"):
            take(Account, refused)
    with pytest.raises(ValueError, match="1024"):
        take(PaymentMethod, {"amazon": {"deep": [{"text": "n" * 1025}]}})


@way
def test_an_open_object_has_exact_numbers(take: Any) -> None:
    event = take(Event, {"amount": 4.90, "parts": [{"amount": 0.5}]})
    assert write(event) == {"amount": Decimal("4.9"), "parts": [{"amount": Decimal("0.5")}]}
    with pytest.raises(ValueError, match="digits"):
        take(Event, {"parts": [{"amount": 0.1 + 0.2}]})


def test_the_limit_of_texts_holds_inside_open_objects() -> None:
    long = "n" * 1025
    for build in (
        lambda: Event(note=long),
        lambda: Event(parts=[{"note": long}]),
        lambda: Event(parts={long: 1}),
        lambda: PaymentMethod(amazon={"agreement": long}),
        lambda: setattr(Event(), "note", long),
    ):
        with pytest.raises(ValidationError, match="1024"):
            build()
    assert Event.model_validate({"note": "n" * 1024, "parts": [{"note": "n" * 1024}]})
    assert read(Event, {"note": long}).model_extra == {"note": long}


# Dumps


def test_amounts_of_a_dump_are_text_and_unknown_numbers_stay_numbers() -> None:
    model = read(Transaction, {"amount": Decimal("1.10"), "new": Decimal("1.10"), "items": [{"price": Decimal(2)}]})
    assert model.model_dump_json(exclude_unset=True) == '{"amount":"1.10","items":[{"price":"2"}],"new":1.10}'
    item = TransactionItem(price=Decimal("1E+2"))
    assert item.model_dump_json(exclude_unset=True, indent=1) == '{\n "price": "1E+2"\n}'


def test_damaged_text_is_refused_without_the_value() -> None:
    for text in ('{"id": "s3cret"', b"\xff", '"s3cret"', "[]"):
        with pytest.raises(ValidationError) as caught:
            Account.model_validate_json(text)
        assert "s3cret" not in str(caught.value)


# Schemas


def satisfies(value: object, schema: dict[str, Any]) -> bool:
    jsonschema = pytest.importorskip("jsonschema")
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


@looped("kind", [kind for kind in MODELS if kind is not Model])
def test_the_input_and_output_of_a_model_match_its_schemas(kind: type[Model]) -> None:
    made = write(make(kind))
    taken, given = kind.model_json_schema(mode="validation"), kind.model_json_schema(mode="serialization")
    as_json = stdlib.loads(read(kind, made).model_dump_json(exclude_unset=True))
    assert satisfies(as_json, taken)
    assert kind.model_validate(as_json) == read(kind, made)
    is_open = kind.model_config.get("extra") == "allow"
    assert satisfies(as_json | {"a_field_of_tomorrow": 1}, taken) is is_open
    for received in (made, made | {"a_field_of_tomorrow": {"rate": Decimal("1.10")}}):
        assert satisfies(stdlib.loads(read(kind, received).model_dump_json()), given)


def test_a_model_accepts_and_refuses_the_same_values_as_its_schema() -> None:
    cases: list[tuple[type[Model], dict[str, object], bool]] = [
        (CurrencyAmount, {"amount": "4.90"}, True),
        (CurrencyAmount, {"amount": 4.9}, True),
        (CurrencyAmount, {"amount": "4,90"}, False),
        (CurrencyAmount, {"amount": True}, False),
        (CurrencyAmount, {"amount": None}, True),
        (Account, {"name": "n" * 1025}, False),
        (Account, {"metadata": {"a": [1]}}, False),
        (Account, {"metadata": {"a": "1", "b": 1, "c": None}}, True),
        (Account, {"payment_methods": []}, True),
        (AccountAssociation, {"createdDate": 1893456000123}, False),
        (AccountAssociation, {"createdDate": "2026-05-01T10:00:00Z"}, True),
    ]
    for kind, values, is_taken in cases:
        assert satisfies(values, kind.model_json_schema()) is is_taken, values
        if is_taken:
            kind.model_validate(values)
        else:
            with pytest.raises(ValidationError):
                kind.model_validate(values)


def test_a_model_accepts_more_than_its_schema_describes() -> None:
    for values in ({"payment_methods": {"object": "List", "data": []}}, {"new": 1}):
        assert not satisfies(values, Account.model_json_schema())
        Account.model_validate(values)


@pytest.mark.parametrize(
    "tokens",
    [
        [{"amount": 1}],
        {"object": "List", "total_count": 9, "url": "/t", "data": [{"amount": 1}]},
        {"object": "List", "data": None},
        {"object": "TokenAmount", "amount": 1},
    ],
)
def test_a_list_in_a_response_satisfies_its_schema(tokens: object) -> None:
    account = read(Account, {"tokens": tokens})
    schema = Account.model_json_schema(mode="serialization")
    assert satisfies(stdlib.loads(account.model_dump_json(exclude_unset=True)), schema)
    assert not satisfies({"tokens": 5}, schema)


def test_a_read_only_field_is_marked_in_the_schema() -> None:
    fields = Subscription.model_json_schema()["properties"]
    assert fields["billing_plan_history"]["readOnly"] is True
    assert "readOnly" not in fields["account"]
