"""Tests sync and async clients of a sandbox with the eleven specified operations, and the effects of faults."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from decimal import Decimal

import pytest

from subscribekit import ME, BillingClient
from subscribekit.errors import (
    BadRequestError,
    ConfigurationError,
    ConnectionFailedError,
    DeadlineExceededError,
    NotFoundError,
    OutcomeUnknownError,
    PageSizeError,
    PaginationError,
    PartnerSubscriptionNotFoundError,
    PaymentAuthorizationError,
    RateLimitError,
    SubscribekitError,
    UserNotFoundError,
)
from subscribekit.models import Campaign, EntitlementCharge, EntitlementChargeReceipt, PaymentMethod
from subscribekit.sandbox import Sandbox, default_sandbox, faults

CHARGE = EntitlementCharge(transaction_id="t-1", amount=Decimal("1.10"), currency="USD")
CHARGE_PATH = "/v1/entitlement/{id}/charge"


def test_the_eleven_operations_blocking() -> None:
    sandbox = Sandbox()
    with sandbox.billing() as billing:
        assert billing.payments.reverse("pay-cash-0001").status == "Failure"
        assert billing.campaigns.update("camp-summer", Campaign(name="New")).name == "New"
        assert [account.id for account in billing.accounts.list(limit=7)] == [f"acct-{n:04d}" for n in range(1, 26)]
        assert billing.event_summaries.list(subscription="sub-usage-0007", billed=False).to_list()[0].event_count == 2
    with sandbox.gateway() as gateway:
        assert gateway.campaigns.activate("camp-summer").state == "Active"
        shown = gateway.subscriptions.retrieve("sub-basic-0001", partner_code="p", include_billing_plan_history=True)
        assert (shown.status, shown.billing_state) == ("Active", "Good Standing")
        assert gateway.partner_subscriptions.cancel("psub-billing-0001").billing_status == "CANCELLED"
        assert gateway.entitlements.charge("psub-entitlement-0001", CHARGE).transaction_reference_id
    with sandbox.user_mgmt() as user_mgmt:
        assert user_mgmt.custom_data.delete(ME, "devices", filter='kind eq "phone"') is None
        assert len(list(user_mgmt.accounts.list(size=10))) == 25
    with sandbox.storefront() as storefront:
        update = storefront.payment_methods.update
        assert update("acct-0001", payment_method_id="pm-cash-0001", primary=True, active=True).primary is True
    assert [charge.fields["amount"] for charge in sandbox.entitlement_charges] == [Decimal("1.10")]
    assert {request.status for request in sandbox.requests} <= {200, 204}


def test_the_eleven_operations_async() -> None:
    async def work() -> None:
        sandbox = Sandbox()
        async with sandbox.async_billing() as billing:
            assert (await billing.payments.reverse("pay-cash-0001")).status == "Failure"
            assert (await billing.campaigns.update("camp-summer", Campaign(name="New"))).name == "New"
            assert len([account async for account in billing.accounts.list(limit=7)]) == 25
            assert len(await billing.event_summaries.list(account="acct-0007").to_list()) == 1
        async with sandbox.async_gateway() as gateway:
            assert (await gateway.campaigns.activate("camp-summer")).state == "Active"
            assert (await gateway.subscriptions.retrieve("sub-basic-0001")).status == "Active"
            assert (await gateway.partner_subscriptions.cancel("psub-billing-0001")).billing_status == "CANCELLED"
            assert (await gateway.entitlements.charge("psub-entitlement-0001", CHARGE)).transaction_reference_id
        async with sandbox.async_user_mgmt() as user_mgmt:
            await user_mgmt.custom_data.delete(ME, "devices", filter='kind eq "phone"')
            assert len([account async for account in user_mgmt.accounts.list(size=10)]) == 25
        async with sandbox.async_storefront() as storefront:
            update = storefront.payment_methods.update
            assert (await update("acct-0001", payment_method_id="pm-cash-0001", primary=True, active=True)).primary
        assert len(sandbox.custom_data("me", "devices")) == 2

    asyncio.run(work())


def test_refusals_become_the_errors_of_their_codes() -> None:
    sandbox = Sandbox()
    with sandbox.billing() as billing, pytest.raises(NotFoundError, match="Payment not found"):
        billing.payments.reverse("nothing")
    with sandbox.gateway() as gateway, pytest.raises(PartnerSubscriptionNotFoundError):
        gateway.partner_subscriptions.cancel("nothing")
    with sandbox.user_mgmt() as user_mgmt, pytest.raises(UserNotFoundError):
        user_mgmt.custom_data.delete("nobody", "devices", filter="age eq 1")
    with sandbox.user_mgmt() as user_mgmt, pytest.raises(PageSizeError):
        user_mgmt.request("GET", "/platform/rest/v85/user/accounts", params={"size": 101}, result=dict)
    body = {"account": {"id": "acct-0025"}, "amount": 1}
    with sandbox.billing() as billing, pytest.raises(PaymentAuthorizationError):
        billing.request("POST", "/transactions", json=body, result=dict)


def test_a_lost_response_is_unknown_and_the_charge_was_made_once() -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE_PATH, faults.drop_after_commit())
    with sandbox.gateway() as gateway, pytest.raises(OutcomeUnknownError) as caught:
        gateway.entitlements.charge("psub-entitlement-0001", CHARGE)
    assert (caught.value.outcome, caught.value.reconcile_key) == ("unknown", "t-1")
    assert len(sandbox.entitlement_charges) == 1


def test_a_charge_is_retried_after_a_refused_connection_and_made_once() -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE_PATH, faults.connection_refused(), times=2)
    with sandbox.gateway() as gateway:
        assert gateway.entitlements.charge("psub-entitlement-0001", CHARGE).transaction_reference_id
    assert len(sandbox.entitlement_charges) == 1
    sandbox.faults.add(CHARGE_PATH, faults.connection_refused(), times=None)
    with sandbox.gateway() as gateway, pytest.raises(ConnectionFailedError) as caught:
        gateway.entitlements.charge("psub-entitlement-0001", CHARGE)
    assert caught.value.outcome == "not_sent"
    assert len(sandbox.entitlement_charges) == 1


@pytest.mark.parametrize(
    "fault",
    [
        faults.drop_before_commit(),
        faults.read_timeout(),
        faults.read_timeout(committed=True),
        faults.proxy_page(),
        faults.proxy_page(200),
        faults.truncated(),
        faults.corrupt_gzip(),
        faults.slow_response(),
        faults.server_error(),
        faults.server_error_after_commit(),
    ],
)
def test_no_fault_makes_a_second_charge(fault: faults.Fault) -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE_PATH, fault)
    with sandbox.gateway() as gateway, pytest.raises(OutcomeUnknownError):
        gateway.entitlements.charge("psub-entitlement-0001", CHARGE)
    assert len(sandbox.requests) == 1
    assert len(sandbox.entitlement_charges) <= 1


@pytest.mark.parametrize(
    "fault",
    [
        faults.connection_refused(),
        faults.drop_before_commit(),
        faults.read_timeout(),
        faults.proxy_page(),
        faults.truncated(),
        faults.corrupt_gzip(),
        faults.rate_limited(1),
        faults.server_error(503),
        faults.server_error_after_commit(),
    ],
)
def test_a_read_is_retried_until_it_succeeds(fault: faults.Fault) -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", fault)
    with sandbox.billing() as billing:
        assert len(list(billing.accounts.list())) == 25


def read_and_charge(sandbox: Sandbox, style: str, deadline: float | None) -> list[object]:
    """Read a list and submit a charge. Return the total and the receipt; an error replaces the result of its call."""

    async def awaited() -> list[object]:
        async with sandbox.async_billing() as billing, sandbox.async_gateway() as gateway:
            read = billing.with_options(deadline=deadline).accounts.list().total_count()
            charge = gateway.with_options(deadline=deadline).entitlements.charge("psub-entitlement-0001", CHARGE)
            return list(await asyncio.gather(read, charge, return_exceptions=True))

    if style == "async":
        return asyncio.run(awaited())
    done: list[object] = []
    with sandbox.billing() as billing, sandbox.gateway() as gateway:
        for call in (
            lambda: billing.with_options(deadline=deadline).accounts.list().total_count(),
            lambda: gateway.with_options(deadline=deadline).entitlements.charge("psub-entitlement-0001", CHARGE),
        ):
            try:
                done.append(call())
            except SubscribekitError as error:
                done.append(error)
    return done


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_a_slow_response_that_outlasts_the_deadline_ends_the_call(style: str) -> None:
    sandbox = Sandbox()
    rules = [sandbox.faults.add(path, faults.slow_response(900), times=None) for path in ("GET /accounts", CHARGE_PATH)]
    read, charge = read_and_charge(sandbox, style, 600.0)  # in real time, it would outlast the time limit of a test
    assert isinstance(read, DeadlineExceededError)
    assert (read.outcome, read.attempts) == ("rejected", 1)
    assert isinstance(charge, OutcomeUnknownError)
    assert (charge.outcome, charge.likely_applied, charge.reconcile_key, charge.attempts) == ("unknown", True, "t-1", 1)
    assert isinstance(charge.__cause__, DeadlineExceededError)
    assert [rule.fired for rule in rules] == [1, 1]
    assert len(sandbox.entitlement_charges) == 1
    assert read.elapsed >= 600
    assert charge.elapsed >= 600


@pytest.mark.parametrize("style", ["blocking", "async"])
@pytest.mark.parametrize(("seconds", "deadline"), [(90, None), (20, 60.0), (90, 200.0)])
def test_a_slow_response_within_the_deadline_is_complete(style: str, seconds: float, deadline: float | None) -> None:
    sandbox = Sandbox()
    for path in ("GET /accounts", CHARGE_PATH):
        sandbox.faults.add(path, faults.slow_response(seconds))
    read, charge = read_and_charge(sandbox, style, deadline)
    assert (read, charge) == (25, EntitlementChargeReceipt(transaction_reference_id="ptx-0000000001"))
    assert sandbox.transport.clock.monotonic() == pytest.approx(2 * seconds)


def test_a_rate_limited_charge_is_rejected() -> None:
    sandbox = Sandbox()
    sandbox.faults.add(CHARGE_PATH, faults.rate_limited(7))
    with sandbox.gateway() as gateway, pytest.raises(RateLimitError) as caught:
        gateway.entitlements.charge("psub-entitlement-0001", CHARGE)
    assert (caught.value.outcome, caught.value.retry_after) == ("rejected", 7)
    assert sandbox.entitlement_charges == []


def test_inconsistent_lists_raise_errors() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", faults.empty_page_with_next(), times=3)
    with sandbox.billing() as billing:
        assert len(list(billing.accounts.list(limit=10))) == 25
        for fault in (
            faults.repeated_cursor(),
            faults.foreign_next("https://elsewhere.invalid/other?starting_after=x"),
        ):
            sandbox.faults.add("/accounts", fault)
            with pytest.raises(PaginationError):
                list(billing.accounts.list(limit=10))


def test_the_named_environment_is_the_default_sandbox() -> None:
    before = len(default_sandbox().requests)
    with BillingClient(environment="sandbox") as billing:
        assert billing.accounts.list(email="customer-0001@example.com").total_count() == 1
    assert len(default_sandbox().requests) == before + 1


def test_the_default_sandbox_is_the_platform_that_clients_have_reached_before() -> None:
    code = """
from subscribekit import BillingClient
with BillingClient(environment="sandbox") as billing:
    billing.payments.reverse("pay-cash-0001")
from subscribekit.sandbox import Sandbox, default_sandbox
sandbox = default_sandbox()
assert type(sandbox) is Sandbox and len(sandbox.requests) == 1
sandbox.advance(days=1)
with BillingClient(environment="sandbox") as billing, sandbox.billing() as other:
    assert other.payments.reverse("pay-cash-0001").status == "Failure"
    sandbox.reset()
    assert billing.accounts.list().total_count() == 25
    assert [request.path for request in sandbox.requests] == ["/accounts"]
assert sandbox.now == Sandbox().now
"""
    subprocess.run([sys.executable, "-I", "-c", code], check=True, timeout=60)


def test_the_sandbox_needs_no_wire_names() -> None:
    with Sandbox().billing() as billing:
        assert billing.accounts.list(credit_card_account="4111111111111111").to_list()[0].id == "acct-0001"
        assert billing.event_summaries.list(product="prod-api").total_count() == 1
    elsewhere = BillingClient(base_url="https://example.com", api_user="u", api_key="k")
    with elsewhere as billing, pytest.raises(ConfigurationError):
        billing.accounts.list(credit_card_account="4")


def test_a_creation_with_vin_vid_updates_that_payment_method() -> None:
    sandbox = Sandbox()
    with sandbox.billing() as billing:
        before = billing.payment_methods.retrieve("pm-card-0001")
        sent = PaymentMethod.model_validate({"id": "ignored", "vin_vid": before.vid, "account_holder": "Ann"})
        made = billing.payment_methods.create(sent)
        assert (made.id, made.vid, made.account_holder) == ("pm-card-0001", before.vid, "Ann")
        assert "vin_vid" not in (made.model_extra or {})
        with pytest.raises(NotFoundError):
            billing.payment_methods.create(PaymentMethod.model_validate({"vin_vid": "0" * 40}))
        with pytest.raises(BadRequestError, match='PaymentMethod already exists: id="pm-card-0001"'):
            billing.payment_methods.create(PaymentMethod(id="pm-card-0001", type="CreditCard"))
