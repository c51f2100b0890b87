"""Amounts don't depend on the decimal context of the application, neither on the current one nor on the default one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from decimal import (
    Clamped,
    Context,
    Decimal,
    DivisionByZero,
    FloatOperation,
    Inexact,
    InvalidOperation,
    Overflow,
    Rounded,
    Subnormal,
    Underflow,
    localcontext,
)  # fmt: skip
from pathlib import Path

import pytest
from pydantic import ValidationError

from subscribekit import BillingClient, GatewayClient
from subscribekit.bulk import Run, StopPolicy
from subscribekit.errors import InvalidArgumentError
from subscribekit.export import to_arrow
from subscribekit.models import Account, EntitlementCharge, Transaction, TransactionItem
from subscribekit.models.money import items_total
from subscribekit.reconcile import Reconciliation
from subscribekit.sandbox import Sandbox
from subscribekit.testing import Factory

pytestmark = pytest.mark.hazard("H428")
ALL = [Clamped, DivisionByZero, FloatOperation, Inexact, InvalidOperation, Overflow, Rounded, Subnormal, Underflow]
CONTEXTS = {
    "four digits": Context(prec=4),
    "a small Emax": Context(Emax=2, Emin=-2),
    "every trap": Context(traps=ALL),
    "every trap and four digits": Context(prec=4, traps=ALL),
    "no trap": Context(traps=[]),
    "small e": Context(capitals=0, clamp=1),
}


@pytest.fixture(params=CONTEXTS.values(), ids=list(CONTEXTS))
def foreign(request: pytest.FixtureRequest) -> Iterator[None]:
    """Set a decimal context other than Python's, as an application may do."""
    with localcontext(request.param):
        yield


def charge(billing: BillingClient, price: str) -> Transaction:
    return billing.transactions.create(
        Transaction(
            id="order-1",
            account=Account(id="acct-0009"),
            currency="USD",
            items=[TransactionItem(sku="sku", name="name", price=Decimal(price), quantity=1)],
            to_be_captured=True,
        )
    )


@pytest.mark.usefixtures("foreign")
def test_the_sandbox_computes_every_digit() -> None:
    made = charge(Sandbox().billing(), "114.98")
    assert str(made.amount) == "114.98"


@pytest.mark.usefixtures("foreign")
def test_the_sandbox_bills_the_same_months() -> None:
    sandbox = Sandbox()
    sandbox.advance(days=65)
    billing = sandbox.billing()
    found = [str(each.amount) for each in billing.transactions.list(account="acct-0001")]
    with localcontext(Context()):
        other = Sandbox()
        other.advance(days=65)
        assert found == [str(each.amount) for each in other.billing().transactions.list(account="acct-0001")] != []


@pytest.mark.usefixtures("foreign")
def test_a_float_of_many_digits_is_still_refused() -> None:
    with pytest.raises(ValidationError, match="A float should have at most 15 digits"):
        Transaction.model_validate({"amount": 0.1 + 0.2})
    with pytest.raises(ValidationError, match="A Decimal that is created from a float has more"):
        Transaction(amount=Decimal("4.9000000000000003552713678800500929355621337890625"))


@pytest.mark.usefixtures("foreign")
def test_amounts_are_sent_digit_by_digit() -> None:
    gateway = GatewayClient(environment="sandbox", check_minor_units=True)
    body = EntitlementCharge(transaction_id="t", amount=Decimal("12345678.90"), currency="USD")
    assert b'"amount":12345678.90' in (gateway.prepare.entitlements.charge("p", body).body or b"")
    with pytest.raises(InvalidArgumentError, match="USD has 2"):
        gateway.prepare.entitlements.charge(
            "p", EntitlementCharge(transaction_id="t", amount=Decimal("12345678.901"), currency="USD")
        )


@pytest.mark.usefixtures("foreign")
def test_totals_are_exact() -> None:
    items = [TransactionItem(price=Decimal("114.985"), quantity=3), TransactionItem(price=Decimal("0.001"))]
    assert str(items_total(items)) == "344.956"


@pytest.mark.usefixtures("foreign")
def test_columns_keep_nine_decimals() -> None:
    sandbox = Sandbox()
    charge(sandbox.billing(), "114.98")
    table = to_arrow(sandbox.billing().transactions.list(), columns=["id", "amount"]).read_all().to_pylist()
    assert [str(row["amount"]) for row in table if row["id"] == "order-1"] == ["114.980000000"]


@pytest.mark.usefixtures("foreign")
def test_a_run_counts_money_exactly(tmp_path: Path) -> None:
    gateway = Sandbox().gateway()
    with Run(tmp_path / "ledger", gateway, stop=StopPolicy(max_amount=Decimal("123.45"), currency="USD")) as run:
        run.add(
            (f"order-{number}", gateway.prepare.entitlements.charge(
                "psub-entitlement-0001",
                EntitlementCharge(transaction_id=f"order-{number}", amount=Decimal("61.725"), currency="USD"),
            ))
            for number in range(3)
        )  # fmt: skip
        assert sorted(item.key for item in run.send()) == ["order-0", "order-1"]


@pytest.mark.usefixtures("foreign")
def test_a_comparison_finds_equal_amounts_equal(tmp_path: Path) -> None:
    billing = Sandbox().billing()
    charge(billing, "114.98")
    pager = billing.transactions.list(account="acct-0009")
    with Reconciliation(tmp_path / "file", pager, key="id", fields={"amount": "amount"}) as check:
        check.read()
        check.compare([{"id": "order-1", "amount": Decimal("114.980")}])
        assert [each for each in check.differences() if each.key == "order-1"] == []


@pytest.mark.usefixtures("foreign")
def test_a_factory_makes_the_same_resources() -> None:
    made = [str(Factory(7).make(kind)) for kind in (Account, Transaction)]
    with localcontext(Context()):
        assert made == [str(Factory(7).make(kind)) for kind in (Account, Transaction)]


PROGRAM = """
import decimal
for context in (decimal.DefaultContext, decimal.getcontext()):
    context.prec, context.Emax, context.Emin = 4, 2, -2
from decimal import Decimal
from subscribekit.models import TransactionItem
from subscribekit.models.money import items_total
from subscribekit.sandbox import Sandbox
print(items_total([TransactionItem(price=Decimal("114.985"), quantity=3000)]))
sandbox = Sandbox()
sandbox.advance(days=65)
print(sorted({str(each.amount) for each in sandbox.billing().transactions.list(account="acct-0001")}))
"""


def test_a_changed_default_context_changes_nothing() -> None:
    changed = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout
    plain = PROGRAM.replace("4, 2, -2", "28, 999999, -999999")
    assert changed == subprocess.run([sys.executable, "-c", plain], capture_output=True, text=True, check=True).stdout
    assert changed.startswith("344955.000\n")
