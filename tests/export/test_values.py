"""Values in a table: exact amounts, UTC timestamps, structs, and JSON (H120 to H122)."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from decimal import Context, Decimal, localcontext
from typing import Any, get_args

import duckdb
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from export.kit import Service, page, serve, table
from kit.calls import Run
from looped import looped
from subscribekit import BillingClient, UserMgmtClient, models
from subscribekit.export import ExportError, to_arrow
from subscribekit.export._kinds import _PLAIN, NUMBERS, Scalar, columns_of
from subscribekit.export._kinds import AMOUNTS as EXACT
from subscribekit.models import Model, sensitive_fields
from subscribekit.models._base import read
from subscribekit.models._scalars import Timestamp

AMOUNTS = ["4.90", "0.000000001", "-19.99", "1E+3", "99999999999999999999999999999.999999999", "1.1000000000", "0"]


def transactions(client: Any) -> Any:
    return client.transactions.list()


def amounts_of(value: object) -> list[Decimal]:
    """Return all amounts in a value, at any depth."""
    if isinstance(value, dict):
        return [found for each in value.values() for found in amounts_of(each)]
    if isinstance(value, list):
        return [found for each in value for found in amounts_of(each)]
    return [value] if isinstance(value, Decimal) else []


def served(amount: str, **more: object) -> Service:
    from kit.calls import answer

    body = json.dumps({"object": "List", "data": [{"object": "Transaction", "id": "t1", **more, "amount": "@"}]})
    return Service(answer(body.replace('"@"', amount).encode()))


@pytest.mark.parametrize("amount", AMOUNTS)
def test_an_amount_is_exactly_the_amount_that_the_service_sent(run: Run, amount: str) -> None:
    found = table(run, transactions, served(amount), columns=["id", "amount"])
    assert found.schema.field("amount").type == pa.decimal128(38, 9)
    assert found.column("amount").to_pylist() == [Decimal(amount)]
    frame = pl.DataFrame(found)
    assert frame["amount"].to_list() == [Decimal(amount)]
    assert duckdb.sql("select amount from found").fetchall() == [(Decimal(amount),)]


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12, min_value=-(10**30), max_value=10**30))
def test_an_amount_is_exact_or_refused(amount: Decimal) -> None:
    """H120."""
    with localcontext(Context(prec=60)):
        fits = amount % Decimal("1E-9") == 0 and abs(amount) < 10**29
    try:
        converted = EXACT.convert(amount)
    except ValueError:
        assert not fits
    else:
        assert fits
        assert converted == amount
        assert pa.array([converted], type=pa.decimal128(38, 9)).to_pylist() == [amount]


@pytest.mark.parametrize("amount", ["0.0000000001", "100000000000000000000000000000", "1E+50", "4.9000000001"])
def test_an_amount_that_does_not_fit_is_an_error(run: Run, amount: str) -> None:
    """H120: The error names the column and the item, and shows no value of the item."""
    service = served(amount, source_ip="192.0.2.7", metadata={"note": "secret"})
    with pytest.raises(ExportError) as caught:
        table(run, transactions, service, include_personal=True)
    error = caught.value
    assert (error.column, error.item, error.outcome) == ("amount", "t1", "rejected")
    assert str(error).startswith("column 'amount' of item 't1': the amount doesn't fit decimal128(38, 9)")
    assert amount not in str(error)
    assert "192" not in str(error)
    assert error.__suppress_context__


def test_a_whole_number_fits_int64_or_is_refused() -> None:
    whole = _PLAIN[int]
    assert isinstance(whole, Scalar)
    for number in (-(2**63), 2**63 - 1):
        assert pa.array([whole.convert(number)], type=whole.type).to_pylist() == [number]
    for number in (-(2**63) - 1, 2**63):
        with pytest.raises(ValueError, match="doesn't fit int64"):
            whole.convert(number)


@pytest.mark.parametrize("include_personal", [False, True])
def test_a_quantity_of_ten_decimals_is_refused_and_never_rounded(include_personal: bool) -> None:
    """H120: The service bills the rated units."""
    columns = columns_of(models.EventSummary, include_personal=include_personal)
    exact = read(models.EventSummary, {"rated_unit_total": Decimal("1.000000001")})
    assert columns.field("rated_unit_total", exact) == Decimal("1.000000001")
    finer = read(models.EventSummary, {"rated_unit_total": Decimal("1.0000000001")})
    with pytest.raises(ValueError, match="the amount doesn't fit"):
        columns.field("rated_unit_total", finer)


def test_the_error_shows_the_path_of_a_nested_amount(run: Run) -> None:
    item = {"object": "Transaction", "id": "t1", "items": [{"price": 1}, {"price": "0.0000000001"}]}
    with pytest.raises(ExportError, match=re.escape("'items[1].price' of item 't1'")):
        table(run, transactions, Service(page(item)))


def test_a_number_of_more_than_64_bits_is_an_error(run: Run) -> None:
    item = {"object": "Transaction", "vid": "v1", "billing_attempt": 2**63}
    with pytest.raises(ExportError, match=r"'billing_attempt' of item 'v1': the number doesn't fit int64"):
        table(run, transactions, Service(page(item)))


def test_a_coordinate_is_rounded_and_not_refused() -> None:
    """A precision of 0.1 mm is enough, and the many digits of a geocoder must not stop an export."""
    assert NUMBERS.convert(Decimal("51.507350912345678")) == Decimal("51.507350912")
    account = read(models.Account, {"shipping_address": {"latitude": Decimal("51.507350912345678")}})
    assert columns_of(models.Account, include_personal=True).field("shipping_address", account)


def test_timestamps_are_utc(run: Run) -> None:
    item = {"object": "Account", "id": "a1", "created": "2026-03-01T23:30:00.123456-05:00"}
    found = table(run, lambda client: client.accounts.list(), Service(page(item)))
    assert found.schema.field("created").type == pa.timestamp("us", "UTC")
    assert found.column("created").to_pylist() == [datetime(2026, 3, 2, 4, 30, 0, 123456, tzinfo=UTC)]


def test_a_date_in_a_timestamp_field_becomes_midnight_in_utc(run: Run) -> None:
    seasons = [{"starts": "2026-06-01", "ends": "2026-09-01T12:00:00Z"}]
    item = {"object": "SeasonSet", "id": "s1", "seasons": seasons}
    found = table(run, lambda client: client.season_sets.list(), Service(page(item)), columns=["seasons"])
    (row,) = found.column("seasons").to_pylist()
    assert row[0]["starts"] == datetime(2026, 6, 1, tzinfo=UTC)
    assert row[0]["ends"] == datetime(2026, 9, 1, 12, tzinfo=UTC)


class Own(Model):
    """A model of the caller."""

    id: int | None = None
    day: date | None = None
    at: Timestamp | None = None
    names: list[str] | None = None
    rating: float | None = None
    free: dict[str, object] | None = None
    anything: object = None


def test_a_model_of_the_caller_has_columns_too() -> None:
    types = {name: kind.type for name, kind in columns_of(Own, include_personal=False).fields.items()}
    assert types == {
        "id": pa.int64(),
        "day": pa.date32(),
        "at": pa.timestamp("us", "UTC"),
        "names": pa.list_(pa.string()),
        "rating": pa.float64(),
        "free": pa.string(),
        "anything": pa.string(),
    }


def types_in(kind: pa.DataType) -> set[pa.DataType]:
    if pa.types.is_struct(kind):
        return {found for each in kind for found in types_in(each.type)}
    if pa.types.is_list(kind):
        return types_in(kind.value_type)
    return {kind}


ITEMS = [value for value in map(models.__dict__.get, models.__all__) if value] + [
    getattr(models, name)
    for name in ("Account", "Transaction", "Subscription", "Payment", "Refund", "Invoice", "EventSummary", "Campaign")
]


@looped("kind", [each for each in dict.fromkeys(ITEMS) if isinstance(each, type)])
def test_no_model_has_a_float(kind: type[Any]) -> None:
    """H120: Money is never a float, at any depth."""
    if issubclass(kind, Model) and kind.model_fields:
        columns = columns_of(kind, include_personal=True).type
        allowed = {pa.decimal128(38, 9), pa.string(), pa.bool_(), pa.int64(), pa.timestamp("us", "UTC")}
        assert types_in(columns) <= allowed


def nested_in(kind: pa.DataType) -> set[str]:
    """Return the names of the fields of a struct that are nested."""
    kind = kind.value_type if pa.types.is_list(kind) else kind
    return {field.name for field in kind if pa.types.is_nested(field.type)}


def test_a_referenced_resource_has_only_its_plain_fields() -> None:
    """Otherwise, a table of transactions would have 20,000 columns. The items of a list aren't references."""
    columns = columns_of(models.Transaction, include_personal=True).type
    for name in ("account", "subscription", "source_payment_method"):
        assert nested_in(columns.field(name).type) == set()
    account = columns_of(models.Account, include_personal=True).type
    assert {"credit_card", "paypal"} <= nested_in(account.field("payment_methods").type)
    entitlement = account.field("entitlements").type.value_type
    assert nested_in(entitlement.field("subscription").type) == set()


@pytest.mark.parametrize("family", ["transactions", "payments", "event_summaries", "products", "subscriptions"])
def test_every_amount_of_the_sandbox_is_exact(family: str) -> None:
    """PyArrow, Polars, and DuckDB return the amounts of the models."""
    client = BillingClient(environment="sandbox")
    items = list(getattr(client, family).list(limit=7))
    found = to_arrow(getattr(client, family).list(limit=7), include_personal=True).read_all()
    names = [name for name, kind in zip(found.schema.names, found.schema.types, strict=True) if kind == DECIMAL]
    expected = [tuple(getattr(item, name) for name in names) for item in items]
    assert [tuple(row.values()) for row in found.select(names).to_pylist()] == expected
    if names:
        assert pl.DataFrame(found.select(names)).rows() == expected
        assert duckdb.sql(f"select {', '.join(names)} from found").fetchall() == expected
    nested = columns_of(type(items[0]), include_personal=True)
    for item, row in zip(items, found.to_pylist(), strict=True):
        assert amounts_of(row) == amounts_of(nested.convert(item))


DECIMAL = pa.decimal128(38, 9)


def test_polars_and_duckdb_can_read_the_reader_directly() -> None:
    client = BillingClient(environment="sandbox")
    expected = [(each.id, each.amount) for each in client.transactions.list()]
    reader = to_arrow(client.transactions.list(limit=2), columns=["id", "amount"])
    assert pl.DataFrame(reader).rows() == expected
    reader = to_arrow(client.transactions.list(limit=2), columns=["id", "amount"])
    assert duckdb.sql("select * from reader").fetchall() == expected


# Personal data


SECRET = "SECRET"


def filled(kind: type[Model], depth: int = 0) -> dict[str, object]:
    """Return JSON of a model in which each personal field and each unknown field contains a secret."""
    raw: dict[str, object] = {"not_documented": f"{SECRET}-unknown"}
    for name, field in kind.model_fields.items():
        wire = field.serialization_alias or name
        nested = nested_model(field)
        if nested is not None and depth < 3:
            raw[wire] = filled(nested, depth + 1)
        elif name in sensitive_fields(kind):
            raw[wire] = {"k": SECRET} if "dict" in str(field.annotation) else SECRET
    return raw


def nested_model(field: Any) -> type[Model] | None:
    marks = [*field.metadata, *(m for part in parts(field.annotation) for m in getattr(part, "__metadata__", ()))]
    for part in parts(field.annotation):
        if isinstance(part, type) and issubclass(part, Model):
            return part
    return next((mark.resolve() for mark in marks if hasattr(mark, "resolve")), None)


def parts(annotation: object) -> list[Any]:
    return [annotation, *(found for each in get_args(annotation) for found in parts(each))]


@pytest.mark.parametrize("name", ["Account", "Transaction", "Subscription", "AccountAssociation", "Entity", "Invoice"])
def test_personal_data_is_left_out_by_default(name: str) -> None:
    """H121: This applies at any depth, in structs, in JSON text, and in unknown fields."""
    from subscribekit.export._table import Table

    kind = getattr(models, name)
    item = read(kind, filled(kind))
    rows = {
        personal: json.dumps(Table(kind, None, include_personal=personal).batch([item], "c").to_pylist(), default=str)
        for personal in (False, True)
    }
    assert SECRET in rows[True]
    assert SECRET not in rows[False]
    assert "not_documented" in rows[False]


def test_unknown_fields_are_one_json_column(run: Run) -> None:
    item = {
        "object": "Account", "id": "a1", "tier": {"level": 3}, "created": "no date",
        "shipping_address": {"line4": "x"}, "payment_methods": [{"id": "p"}, {"id": "q", "network": 7}],
    }  # fmt: skip
    service = Service(page(item, "a2"))
    found = table(run, lambda client: client.accounts.list(), service, include_personal=True)
    assert [json.loads(text) if text else text for text in found.column("unknown_fields").to_pylist()] == [
        {
            "tier": {"level": 3},
            "created": "no date",
            "shipping_address": {"line4": "x"},
            "payment_methods": {"1": {"network": 7}},
        },
        None,
    ]


def test_values_of_unknown_fields_are_masked_by_default(run: Run) -> None:
    """H121."""
    item = {"object": "Account", "id": "a1", "tier": {"level": 3}, "shipping_address": {"line4": "Main Street"}}
    found = table(run, lambda client: client.accounts.list(), Service(page(item)))
    (text,) = found.column("unknown_fields").to_pylist()
    assert json.loads(text) == {"tier": "***", "shipping_address": {"line4": "***"}}


def test_tables_of_the_sandbox_have_no_personal_data_by_default() -> None:
    columns = to_arrow(BillingClient(environment="sandbox").accounts.list()).schema.names
    assert not {"email", "name", "metadata"} & set(columns)
    accounts = to_arrow(UserMgmtClient(environment="sandbox").accounts.list()).read_all()
    assert "4111" not in json.dumps(accounts.to_pylist(), default=str)


def test_many_pages_have_one_schema(run: Run) -> None:
    items: list[dict[str, object]] = [{"object": "Account", "id": f"a{n}"} for n in range(5)]
    items[3]["payment_methods"] = [{"object": "PaymentMethod", "id": "p"}]
    found = table(run, lambda client: client.accounts.list(limit=2), serve(items, 2))
    assert found.column("id").to_pylist() == [f"a{n}" for n in range(5)]
    empty = table(run, lambda client: client.accounts.list(limit=2), serve([], 2))
    assert empty.num_rows == 0
    assert empty.schema == found.schema


def test_an_amount_that_is_not_a_number_does_not_become_null() -> None:
    """A null would look like a bill of zero."""
    for converter in (EXACT, NUMBERS):
        with pytest.raises(pa.ArrowException):
            pa.array([converter.convert("4,90")], type=converter.type)
        assert pa.array([converter.convert(None)], type=converter.type).to_pylist() == [None]
