"""Test the checkout code of a merchant with the sandbox: no network, no mock, and no second charge.

    python -m pytest examples/test_checkout.py

The fixtures `sandbox` and `gateway_client` come from the pytest plugin of the package, which pytest loads
automatically. The first part of this file is the merchant's code, which would be a separate module in a real project.
"""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

import pytest

from subscribekit import GatewayClient, new_transaction_id
from subscribekit.errors import Outcome, OutcomeUnknownError, SubscribekitError
from subscribekit.models import EntitlementCharge
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import (
    Fault,
    connection_refused,
    corrupt_gzip,
    drop_after_commit,
    drop_before_commit,
    proxy_page,
    rate_limited,
    read_timeout,
    server_error,
    server_error_after_commit,
    slow_response,
    truncated,
)

# The merchant's code

State = Literal["open", "paid", "refused", "to be reconciled"]
AFTER: dict[Outcome, State] = {"not_sent": "open", "rejected": "refused", "unknown": "to be reconciled"}
"""The state of an order after an error, by the error's outcome. Only open orders are charged again."""


@dataclass
class Order:
    """An order as the shop stores it. The transaction ID is stored before the request is sent."""

    transaction_id: str
    subscription: str
    product: str
    amount: Decimal
    state: State = "open"
    receipt: str | None = None
    support_details: str | None = None


def check_out(gateway: GatewayClient, order: Order) -> None:
    """Charge an order, and store the outcome."""
    charge = EntitlementCharge(
        transaction_id=order.transaction_id, product_code=order.product, amount=order.amount, currency="USD"
    )
    try:
        receipt = gateway.entitlements.charge(order.subscription, charge)
    except OutcomeUnknownError as error:
        order.state, order.support_details = (
            AFTER[error.outcome],
            gateway.resolve(error).support_details,
        )  # the text for the operator
    except SubscribekitError as error:
        order.state = AFTER[error.outcome]
    else:
        order.state, order.receipt = "paid", receipt.transaction_reference_id


def try_open_orders(gateway: GatewayClient, orders: list[Order]) -> None:
    """Charge the open orders, as the shop does every hour."""
    for order in orders:
        if order.state == "open":
            check_out(gateway, order)


# The merchant's tests

CHARGE = "/v1/entitlement/{id}/charge"


@pytest.fixture
def order() -> Order:
    """Return a new order."""
    return Order(new_transaction_id(), "psub-entitlement-0001", "prod-addon", Decimal("4.90"))


def test_a_customer_pays(sandbox: Sandbox, gateway_client: GatewayClient, order: Order) -> None:
    check_out(gateway_client, order)

    (charged,) = sandbox.entitlement_charges
    assert (order.state, order.receipt) == ("paid", charged.transaction_reference_id)
    assert charged.fields["amount"] == Decimal("4.90")
    assert charged.fields["transactionId"] == order.transaction_id


def test_a_lost_response_does_not_charge_twice(sandbox: Sandbox, gateway_client: GatewayClient, order: Order) -> None:
    sandbox.faults.add(CHARGE, drop_after_commit())
    check_out(gateway_client, order)
    try_open_orders(gateway_client, [order])

    assert len(sandbox.entitlement_charges) == 1
    assert order.state == "to be reconciled"
    assert order.support_details is not None
    assert order.transaction_id in order.support_details


def test_an_open_order_is_charged_later(sandbox: Sandbox, gateway_client: GatewayClient, order: Order) -> None:
    sandbox.faults.add(CHARGE, connection_refused(), times=3)  # the SDK makes three attempts, and sends nothing
    check_out(gateway_client, order)
    assert (order.state, sandbox.entitlement_charges) == ("open", [])

    try_open_orders(gateway_client, [order])
    assert (order.state, len(sandbox.entitlement_charges)) == ("paid", 1)


def test_a_rejected_charge_is_not_sent_again(sandbox: Sandbox, gateway_client: GatewayClient, order: Order) -> None:
    order.subscription = "psub-billing-0001"  # only subscriptions of the type ENTITLEMENT can be charged
    check_out(gateway_client, order)
    try_open_orders(gateway_client, [order])

    assert (order.state, len(sandbox.requests)) == ("refused", 1)


FAULTS: list[Callable[[], Fault]] = [
    corrupt_gzip,
    drop_after_commit,
    drop_before_commit,
    proxy_page,
    rate_limited,
    connection_refused,
    server_error,
    server_error_after_commit,
    slow_response,
    read_timeout,
    truncated,
]


@pytest.mark.parametrize("times", [1, 2, 5])
@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_charges_twice(
    sandbox: Sandbox, gateway_client: GatewayClient, order: Order, fault: Callable[[], Fault], times: int
) -> None:
    sandbox.faults.add(CHARGE, fault(), times=times)
    for _ in range(10):
        try_open_orders(gateway_client, [order])

    assert len(sandbox.entitlement_charges) <= 1
    assert (order.state == "paid") <= (len(sandbox.entitlement_charges) == 1)
