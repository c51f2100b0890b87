"""Exact arithmetic on received amounts."""

from __future__ import annotations

from decimal import Decimal

import pytest

from subscribekit.models import Refund, TaxItem, Transaction, TransactionItem
from subscribekit.models._base import read
from subscribekit.models.money import item_tax, item_total, items_total, refundable_amount, tax_total

CHARGE = {
    "id": "t1",
    "amount": Decimal("31.10"),
    "currency": "USD",
    "items": [
        {
            "sku": "p1",
            "price": Decimal("29.00"),
            "quantity": 1,
            "tax_type": "Exclusive Sales",
            "tax": [{"amount": Decimal("1.80")}, {"amount": Decimal("0.30")}],
            "subtotal": Decimal("29.00"),
            "total": Decimal("31.10"),
        },
        {"sku": "Total Tax", "name": "Total Tax", "price": 0, "total": Decimal("2.10")},
    ],
}


def charge(**changes: object) -> Transaction:
    return read(Transaction, {**CHARGE, **changes})


def refund(amount: str, **fields: object) -> Refund:
    return read(Refund, {"amount": amount, **fields})


def items() -> list[TransactionItem]:
    return list(charge().items or ())


def test_the_amount_of_a_transaction_is_the_sum_of_its_items_without_the_repeated_tax() -> None:
    assert items_total(items()) == Decimal("31.10")
    assert tax_total(items()) == Decimal("2.10")
    assert item_tax(items()[0]) == Decimal("2.10")


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"price": Decimal("4.99"), "quantity": Decimal(3)}, "14.97"),
        ({"price": Decimal("4.99")}, "4.99"),
        ({"subtotal": Decimal("10.00"), "discount": Decimal("-2.50")}, "7.50"),
        (
            {"subtotal": Decimal("10.00"), "tax_type": "Exclusive Sales", "tax": [TaxItem(amount=Decimal("0.80"))]},
            "10.80",
        ),
        (
            {"subtotal": Decimal("10.00"), "tax_type": "Inclusive Sales", "tax": [TaxItem(amount=Decimal("0.80"))]},
            "10.00",
        ),
        ({"total": Decimal("1.00"), "subtotal": Decimal("2.00")}, "1.00"),
        ({"subtotal": Decimal("1.00"), "tax": [TaxItem(amount=Decimal("0.00"))]}, "1.00"),
        ({}, "0"),
    ],
)
def test_the_total_of_an_item(fields: dict[str, object], expected: str) -> None:
    assert item_total(TransactionItem.model_validate(fields)) == Decimal(expected)


def test_tax_of_an_unknown_kind_is_an_error() -> None:
    item = TransactionItem(subtotal=Decimal("10.00"), tax=[TaxItem(amount=Decimal("0.80"))])
    with pytest.raises(ValueError, match="added or included"):
        item_total(item)


def test_sums_are_exact_beyond_the_default_precision() -> None:
    long = [TransactionItem(total=Decimal(9999999999999999999999999999)), TransactionItem(total=Decimal("0.01"))]
    assert str(items_total(long)) == "9999999999999999999999999999.01"


@pytest.mark.parametrize(
    ("refunds", "expected"),
    [
        ([], "31.10"),
        ([refund("10.00"), refund("1.10")], "20.00"),
        ([refund("31.10", amount_includes_tax=True)], "0"),
        ([refund("10.00", status="Processing"), refund("5.00", status="Failed")], "21.10"),
        ([refund("29.00", amount_includes_tax=False)], "0"),
        ([refund("40.00")], "0"),
        ([refund("1.00", currency="USD", transaction={"id": "t1"})], "30.10"),
    ],
)
def test_the_refundable_amount_is_what_remains(refunds: list[Refund], expected: str) -> None:
    assert refundable_amount(charge(), refunds) == Decimal(expected)


@pytest.mark.parametrize(
    "fields",
    [
        {"status": "Cancelled"},
        {"status_log": [{"status": "Cancelled"}, {"status": "New"}]},
    ],
)
def test_a_transaction_that_was_never_paid_has_nothing_to_refund(fields: dict[str, object]) -> None:
    assert refundable_amount(charge(**fields), []) == 0


@pytest.mark.parametrize("status", ["Complete", "Authorized", "Something New"])
def test_a_transaction_with_any_other_status_counts_as_paid(status: str) -> None:
    log = [{"status": "Cancelled"}, {"status": status}]
    assert refundable_amount(charge(status=status, status_log=log), []) == Decimal("31.10")


def test_a_refund_without_tax_of_an_untaxed_transaction_counts_in_full() -> None:
    untaxed = charge(items=[{"sku": "p1", "total": Decimal("31.10")}])
    assert refundable_amount(untaxed, [refund("10.00", amount_includes_tax=False)]) == Decimal("21.10")


@pytest.mark.parametrize(
    ("changes", "given", "message"),
    [
        ({"amount": None}, refund("1.00"), "no amount"),
        ({}, read(Refund, {}), "no amount"),
        ({}, refund("1.00", currency="EUR"), "different currencies"),
        ({}, refund("1.00", transaction={"id": "t2"}), "another transaction"),
        ({"vid": "v1"}, refund("1.00", transaction={"id": "t1", "vid": "v2"}), "another transaction"),
        ({}, refund("10.00", amount_includes_tax=False), "doesn't include its tax"),
        ({"items": None}, refund("10.00", amount_includes_tax=False), "doesn't include its tax"),
    ],
)
def test_an_unknown_refundable_amount_is_an_error(changes: dict[str, object], given: Refund, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        refundable_amount(charge(**changes), [given])
