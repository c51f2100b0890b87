"""Tests identifiers that the application's `ids` function returns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from sandbox.wire import Wire
from subscribekit.models import EntitlementCharge
from subscribekit.sandbox import Sandbox

PAYMENT = {"account": {"id": "acct-0001"}, "payment_method": {"id": "pm-card-0001"}, "amount": 5}
CHARGE = "/v1/entitlement/psub-entitlement-0001/charge"


def counted() -> Callable[[], str]:
    numbers = count(1)
    return lambda: f"mine-{next(numbers)}"


def charge(wire: Wire) -> Any:
    return wire.call("gateway", "POST", CHARGE, body={"transactionId": "t", "amount": 1}).body


def story(wire: Wire) -> list[object]:
    """Make all calls that create identifiers, advance the time past a bill, and return the responses."""
    seen: list[object] = [charge(wire), wire.made("/payments", PAYMENT)]
    wire.sandbox.advance(days=40)
    refund = wire.made("/transactions/mine-3/refunds", {"amount": 1})
    return [*seen, refund, charge(wire), wire.good("/transactions", {"limit": 100})]


def test_new_resources_use_the_identifiers() -> None:
    wire = Wire(Sandbox(ids=counted()))
    assert charge(wire) == {"transactionReferenceId": "mine-1"}
    assert wire.sandbox.entitlement_charges[0].transaction_reference_id == "mine-1"
    assert wire.made("/payments", PAYMENT)["id"] == "mine-2"
    assert wire.good("/transactions/mine-3")["amount"] == 5
    assert wire.made("/transactions/mine-3/refunds", {"amount": 1})["id"] == "mine-4"
    wire.sandbox.advance(days=40)
    billed = [one["id"] for one in wire.good("/transactions", {"limit": 100})["data"]]
    assert "mine-5" in billed


def test_the_seeded_merchant_and_the_vids_are_the_same_with_any_ids() -> None:
    plain, named = Wire(), Wire(Sandbox(ids=iter(()).__next__))
    for path in ("/transactions", "/payments", "/accounts", "/subscriptions"):
        assert named.good(path) == plain.good(path)
    named.sandbox.reset()
    assert named.good("/transactions") == plain.good("/transactions")
    vids = [Wire(Sandbox(ids=ids)).made("/payments", PAYMENT)["vid"] for ids in (None, counted())]
    assert vids[0] == vids[1]


def test_the_same_ids_give_the_same_responses() -> None:
    first, second = (story(Wire(Sandbox(ids=counted()))) for _ in range(2))
    assert first == second


def test_without_an_ids_function_the_sandbox_counts_numbers() -> None:
    wire = Wire()
    assert charge(wire) == {"transactionReferenceId": "ptx-0000000001"}
    assert wire.made("/payments", PAYMENT)["id"] == "SBX00000008"


def test_reset_and_restore_do_not_rewind_the_function() -> None:
    wire = Wire(Sandbox(ids=counted()))
    wire.made("/payments", PAYMENT)  # this also creates a transaction
    kept = wire.sandbox.snapshot()
    assert charge(wire) == {"transactionReferenceId": "mine-3"}
    wire.sandbox.restore(kept)
    assert wire.get("/payments/mine-1").status == 200
    assert charge(wire) == {"transactionReferenceId": "mine-4"}
    wire.sandbox.reset()
    assert wire.get("/payments/mine-1").status == 404
    assert charge(wire) == {"transactionReferenceId": "mine-5"}


def test_an_identifier_that_a_restore_removed_can_be_used_again() -> None:
    wire = Wire(Sandbox(ids=iter(["a", "b", "b"]).__next__))
    charge(wire)
    kept = wire.sandbox.snapshot()
    charge(wire)
    wire.sandbox.restore(kept)
    assert charge(wire) == {"transactionReferenceId": "b"}
    assert [made.transaction_reference_id for made in wire.sandbox.entitlement_charges] == ["a", "b"]


def test_a_snapshot_of_another_sandbox_does_not_include_its_function() -> None:
    own, other = Wire(Sandbox(ids=counted())), Sandbox(ids=iter(["theirs"]).__next__)
    own.sandbox.restore(other.snapshot())
    assert charge(own) == {"transactionReferenceId": "mine-1"}


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["p", "t", "p"], "'p', which is already used"),
        (["p", "t", "t"], "'t', which is already used"),
        (["p", "t", "acct-0001"], "'acct-0001', which is already used"),
        (["p", "t", ""], "must not be empty"),
        (["p", "t", "a/b"], "or contain a slash"),
        (["p", "t"], "no more identifiers"),
    ],
)
def test_an_invalid_identifier_raises_an_error_and_overwrites_nothing(given: list[str], problem: str) -> None:
    wire = Wire(Sandbox(ids=iter(given).__next__))
    first = wire.made("/payments", PAYMENT)
    with pytest.raises(ValueError, match=problem):
        wire.post("/payments", {**PAYMENT, "amount": 7})
    assert wire.good("/payments/p") == first
    assert wire.good("/transactions/t")["amount"] == 5
    assert wire.good("/payments")["total_count"] == 3


def test_clients_raise_the_error_unchanged() -> None:
    sandbox = Sandbox(ids=lambda: "always")
    body = EntitlementCharge(transaction_id="t-1", amount=1, currency="USD")
    with sandbox.gateway() as gateway:
        receipt = gateway.entitlements.charge("psub-entitlement-0001", body)
        assert receipt.transaction_reference_id == "always"
        with pytest.raises(ValueError, match="'always', which is already used"):
            gateway.entitlements.charge("psub-entitlement-0001", body)
    assert len(sandbox.entitlement_charges) == 1


def test_ids_that_run_out_are_not_mistaken_for_the_end_of_a_list() -> None:
    sandbox = Sandbox(ids=iter(()).__next__)
    with sandbox.billing() as billing:
        pages = iter(billing.accounts.list(limit=10))
        next(pages)
        sandbox.service._now = lambda: sandbox.now.replace(year=2027)
        with pytest.raises(ValueError, match="no more identifiers"):
            list(pages)
