"""The eleven operations of the specification, and three raw requests that stand for all other operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal
from urllib.parse import unquote

import pytest

from kit.faults import scripts as f
from kit.faults.payloads import THING, encode
from kit.faults.steps import Step
from kit.faults.wire import Exchange
from reliability.kit import Group
from subscribekit.filters import field
from subscribekit.models import Campaign, EntitlementCharge

Column = Literal["S", "P", "D1", "D2", "MA", "M", "M$"]
"""Column of the retry table. `MA` contains the writes of the billing API, which documents 429 as a rejection."""

CHARGE = EntitlementCharge(transaction_id="tx-1", product_code="p", amount=Decimal("47.11"), currency="EUR")


@dataclass(frozen=True)
class Op:
    """An operation, how to call it, and what a second request would do (`column`)."""

    name: str
    group: Group
    column: Column
    method: str
    use: Callable[[Any], Any]
    good: Step
    key: str | None = None
    """The key that reconciles an unknown outcome."""

    def __str__(self) -> str:
        return self.name

    @property
    def writes(self) -> bool:
        """Whether the operation is a write."""
        return self.column != "S"


GOOD = f.ok(THING)
PAGE = f.page([THING])


def good(identifier: str) -> Step:
    """Return a success response that contains the resource with this ID."""
    return f.ok({**THING, "id": identifier})


def _show_named(exchange: Exchange) -> None:
    assert exchange.request is not None
    identifier = unquote(exchange.request.target.partition("?")[0].rpartition("/")[2])
    exchange.send(exchange.framed(200, encode({**THING, "id": identifier})))


NAMED = Step("named", "request", _show_named)
"""A success response that contains the resource whose ID is the last segment of the path."""

OPERATIONS = (
    Op("E1", "billing", "MA", "POST", lambda c: c.payments.reverse("p1"), good("p1"), "p1"),
    Op("E2", "billing", "MA", "POST", lambda c: c.campaigns.update("c1", Campaign(name="n")), good("c1"), "c1"),
    Op("E3", "billing", "S", "GET", lambda c: c.accounts.list(email="jane@example.org"), PAGE),
    Op("E4", "billing", "S", "GET", lambda c: c.event_summaries.list(billed=False), PAGE),
    Op("E5", "gateway", "M", "POST", lambda c: c.campaigns.activate("c1"), good("c1"), "c1"),
    Op("E6", "gateway", "S", "GET", lambda c: c.subscriptions.retrieve("s1"), GOOD),
    Op("E7", "gateway", "M", "POST", lambda c: c.partner_subscriptions.cancel("ps1"), good("ps1"), "ps1"),
    Op("E8", "gateway", "M$", "POST", lambda c: c.entitlements.charge("ps1", CHARGE), GOOD, "tx-1"),
    Op(
        "E9", "user_mgmt", "D2", "DELETE",
        lambda c: c.custom_data.delete("u1", "toys", filter=field("age").ge(18)), f.no_content(), "u1/toys",
    ),
    Op("E10", "user_mgmt", "S", "GET", lambda c: c.accounts.list(), f.offset_page([{"id": 1}], total=1)),
    Op(
        "E11", "storefront", "P", "PUT",
        lambda c: c.payment_methods.update("a1", payment_method_id="a1", primary=True, active=True), GOOD, "a1",
    ),
    Op("free-GET", "billing", "S", "GET", lambda c: c.request("GET", "/things/t1"), GOOD),
    Op("free-DELETE", "billing", "D1", "DELETE", lambda c: c.request("DELETE", "/things/t1"), GOOD, "t1"),
    Op("free-POST", "billing", "M$", "POST", lambda c: c.request("POST", "/things", json={}), GOOD, "things"),
)  # fmt: skip

BY_NAME = {op.name: op for op in OPERATIONS}
ONE_OF_EACH = tuple(BY_NAME[name] for name in ("E6", "E11", "free-DELETE", "E9", "E2", "E7", "E8"))
WRITES = tuple(op for op in OPERATIONS if op.writes)

E1, E2, E3, E4, E5, E6, E7, E8, E9, E10, E11 = OPERATIONS[:11]
FREE_GET, FREE_DELETE, FREE_POST = OPERATIONS[11:]

every_operation = pytest.mark.parametrize("op", OPERATIONS, ids=str)
every_write = pytest.mark.parametrize("op", WRITES, ids=str)
every_class = pytest.mark.parametrize("op", ONE_OF_EACH, ids=str)
