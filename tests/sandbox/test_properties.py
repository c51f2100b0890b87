"""Property tests of filter expressions, of lists with removed items, and of a transaction's amounts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from sandbox.wire import Wire
from subscribekit.filters import Filter, field
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.user_mgmt.expressions import parse

Item = dict[str, Any]
Predicate = Callable[[Item], bool]
ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
}
NUMBERS = st.integers(-3, 3)
WORDS = st.text("ab", min_size=1, max_size=2)


def numeric(name: str, value: int) -> tuple[Filter, Predicate]:
    method, order = getattr(field("n"), name), ORDERS[name]
    return method(value), lambda item: order(item["n"], value)


def textual(name: str, value: str) -> tuple[Filter, Predicate]:
    tests: dict[str, Callable[[str], bool]] = {
        "eq": lambda text: text == value,
        "ne": lambda text: text != value,
        "sw": lambda text: text.startswith(value),
        "ew": lambda text: text.endswith(value),
        "co": lambda text: value in text,
    }
    return getattr(field("t"), name)(value), lambda item: tests[name](item["t"])


def joined(pair: tuple[tuple[Filter, Predicate], tuple[Filter, Predicate]], *, both: bool) -> tuple[Filter, Predicate]:
    (left, first), (right, second) = pair
    if both:
        return left & right, lambda item: first(item) and second(item)
    return left | right, lambda item: first(item) or second(item)


def negated(one: tuple[Filter, Predicate]) -> tuple[Filter, Predicate]:
    return ~one[0], lambda item: not one[1](item)


LEAVES = st.builds(numeric, st.sampled_from(sorted(ORDERS)), NUMBERS) | st.builds(
    textual, st.sampled_from(["eq", "ne", "sw", "ew", "co"]), WORDS
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.builds(joined, st.tuples(inner, inner), both=st.booleans()) | st.builds(negated, inner),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(TREES, NUMBERS, WORDS)
def test_a_built_filter_selects_the_right_items(tree: tuple[Filter, Predicate], number: int, word: str) -> None:
    built, says = tree
    item: Item = {"n": number, "t": word}
    assert parse(str(built))(item) is says(item)


@settings(max_examples=25, deadline=None)
@given(st.data(), st.integers(1, 12))
def test_pages_lose_no_item_while_accounts_are_added_and_removed(data: st.DataObject, limit: int) -> None:
    wire = Wire()
    accounts = wire.sandbox.service.store["accounts"]
    seen: list[str] = []
    removed: set[str] = set()
    query: dict[str, object] = {"limit": limit}
    while page := wire.good("/accounts", query)["data"]:
        seen += [account["id"] for account in page]
        gone = data.draw(st.sampled_from([f"acct-{number:04d}" for number in range(1, 26)]))
        accounts.remove(gone)
        removed.add(gone)
        query["starting_after"] = page[-1]["id"]
    assert seen == sorted(set(seen))
    assert set(seen) | removed == {f"acct-{number:04d}" for number in range(1, 26)}


class TransactionMachine(RuleBasedStateMachine):
    """Compares a transaction with a model of its amount, its state, and its refunded amount."""

    @initialize(cents=st.integers(1, 500), capture=st.booleans())
    def begin(self, cents: int, capture: bool) -> None:
        self.wire = Wire(Sandbox())
        self.amount = Decimal(cents) / 100
        self.state = "Captured" if capture else "Authorized"
        self.refunded = Decimal(0)
        body = {"id": "t", "account": {"id": "acct-0009"}, "amount": str(self.amount), "to_be_captured": capture}
        self.wire.made("/transactions", body)

    @rule()
    def capture(self) -> None:
        allowed = self.state == "Authorized"
        assert self.wire.post("/transactions/t/actions/capture").status == (200 if allowed else 400)
        self.state = "Captured" if allowed else self.state

    @rule()
    def cancel(self) -> None:
        allowed = self.state == "Authorized"
        assert self.wire.post("/transactions/t/actions/cancel").status == (200 if allowed else 400)
        self.state = "Cancelled" if allowed else self.state

    @rule(cents=st.integers(-1, 300))
    def refund(self, cents: int) -> None:
        wanted = Decimal(cents) / 100
        allowed = self.state in {"Captured", "Refunded"} and 0 < wanted <= self.amount - self.refunded
        status = self.wire.post("/transactions/t/refunds", {"amount": str(wanted)}).status
        assert status == (200 if allowed else 400)
        if allowed:
            self.refunded += wanted
            self.state = "Refunded"

    @precondition(lambda self: self.state == "Captured" or self.refunded)
    @rule()
    def pass_a_day(self) -> None:
        self.wire.sandbox.advance(days=1)
        statuses = {refund["status"] for refund in self.wire.good("/transactions/t/refunds")["data"]}
        assert statuses <= {"Complete"}

    @invariant()
    def agrees(self) -> None:
        if hasattr(self, "wire"):
            assert self.wire.good("/transactions/t")["status_log"]["data"][0]["status"] == self.state
            refunds = self.wire.good("/transactions/t/refunds", {"limit": 100})["data"]
            assert sum((refund["amount"] for refund in refunds), Decimal(0)) == self.refunded


TransactionMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=12, deadline=None)
TestTransactionMachine = TransactionMachine.TestCase
