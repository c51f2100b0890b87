"""Tests that a fault applies to the requests that it names, and that an impossible match is rejected (H181)."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import Any

import pytest

from looped import looped
from pages.coverage import rows
from subscribekit.errors import OutcomeUnknownError
from subscribekit.models import Account, EntitlementCharge
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import delayed_webhook, drop_after_commit, duplicate_webhook, server_error

CHARGE = EntitlementCharge(transaction_id="order-1", amount=Decimal("4.90"), currency="USD")
PATH = "/v1/entitlement/psub-entitlement-0001/charge"
ROWS = [row for row in rows() if "{family}" not in row.path]


@pytest.mark.parametrize(
    "match",
    [
        "/v1/entitlement/{id}/charge",
        "/v1/entitlement/{partner_subscription}/charge",
        "POST /v1/entitlement/{partner_subscription}/charge",
        "post /v1/entitlement/{…}/charge",
        "entitlements.charge",
        "gateway.entitlements.charge",
        PATH,
        f"POST {PATH}",
        ("POST", "/entitlement/"),
        ("post", "psub-entitlement-0001"),
        ("POST", "psub-entitlement-0001/charge"),
    ],
)
def test_every_way_of_writing_an_operation_matches(match: Any) -> None:
    sandbox = Sandbox()
    rule = sandbox.faults.add(match, drop_after_commit(), times=2)
    with sandbox.gateway() as gateway, pytest.raises(OutcomeUnknownError):
        gateway.entitlements.charge("psub-entitlement-0001", CHARGE)

    async def story() -> None:
        async with sandbox.async_gateway() as gateway:
            with pytest.raises(OutcomeUnknownError):
                await gateway.entitlements.charge("psub-entitlement-0001", CHARGE)

    asyncio.run(story())
    assert rule.fired == 2
    assert len(sandbox.entitlement_charges) == 2


@looped("row", ROWS)
def test_every_name_and_template_of_the_sdk_is_known(row: Any) -> None:
    faults = Sandbox().faults
    for match in (row.path, f"{row.method} {row.path}", row.name, f"{row.group}.{row.name}"):
        faults.add(match, server_error())
    assert len(faults.pending) == 4


def test_an_operation_name_matches_only_its_own_requests() -> None:
    sandbox = Sandbox()
    billing, users = sandbox.billing(), sandbox.user_mgmt()
    sandbox.faults.add("billing.accounts.list", server_error(), times=None)
    sandbox.faults.add("accounts.retrieve_child", server_error(), times=None)
    assert users.accounts.list().total_count() == 25
    assert billing.accounts.list_children("acct-0001") is not None
    assert billing.accounts.retrieve("acct-0001").id == "acct-0001"
    with pytest.raises(Exception, match="server error"):
        billing.accounts.list().first()
    (rule, other) = sandbox.faults.pending
    assert (rule.fired > 0, other.fired) == (True, 0)


def test_the_path_of_a_resource_matches_only_this_resource() -> None:
    sandbox = Sandbox()
    billing = sandbox.billing()
    sandbox.faults.add("POST /accounts/acct-0002", drop_after_commit())
    billing.accounts.update("acct-0001", Account(name="Ann"))
    with pytest.raises(OutcomeUnknownError):
        billing.accounts.update("acct-0002", Account(name="Ann"))


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (drop_after_commit, r"write drop_after_commit\(\)"),
        (delayed_webhook, r"write delayed_webhook\(\)"),
        ("rate_limited", r"write rate_limited\(\)"),
        ("/accounts", "pass the match first"),
        (None, r"such as drop_after_commit\(\), not None"),
        (Exception("x"), "must be the result of a function of subscribekit.sandbox.faults"),
    ],
)
def test_an_invalid_fault_is_rejected(fault: Any, message: str) -> None:
    faults = Sandbox().faults
    with pytest.raises(TypeError, match=message):
        faults.add("/accounts", fault)
    assert faults.pending == []


@pytest.mark.parametrize(
    ("match", "message"),
    [
        (("POST", "/entitelment/"), "did you mean 'entitlement'"),
        (("/entitlement/", "POST"), r"the method must come first; write \('POST', '/entitlement/'\)"),
        (("FETCH", "/accounts"), "'FETCH' isn't an HTTP method of the sandbox"),
        (("GET", "/charge"), None),
        (("GET", "/v1/entitlement"), "no path of a GET request contains"),
        (("GET", ""), "contains ''"),
        (("PUT", "/accounts"), "no path of a PUT request"),
        ("/v1/entitelment/{id}/charge", "did you mean '/v1/entitlement/{id}/charge'"),
        ("POST /account", "did you mean 'POST /accounts'"),
        ("DELETE /accounts", "the sandbox has only GET /accounts and POST /accounts"),
        ("entitlement.charge", "did you mean 'entitlements.charge'"),
        ("gateway.accounts.list", "did you mean '"),
        ("/payments/reverse", r"write '/payments/\{payment\}' to match all resources"),
        ("POST /accounts/acct-9999", r"\('POST', '/accounts/acct-9999'\) to match a resource that doesn't exist yet"),
        ("", "no operation of the sandbox has the name or path ''"),
        ("charge", "did you mean 'entitlements.charge'"),
        ("cancel", "did you mean 'partner_subscriptions.cancel', 'subscriptions.cancel' or 'transactions.cancel'"),
        ("create", "write the resource before the name, such as 'accounts.create'"),
        (("POST", "/nonsense"), r"before the identifier, such as \('POST', '/accounts/nonsense'\)"),
        (("POST", "/sub-2"), r"before the identifier, such as \('POST', '/accounts/sub-2'\)"),
        (("GET", "nonsense"), r"before the identifier, such as \('GET', '/accounts/nonsense'\)"),
        (("DELETE", "/nonsense"), "no path of a DELETE request contains '/nonsense'"),
    ],
)
def test_an_impossible_match_is_rejected_with_a_suggestion(match: Any, message: str | None) -> None:
    faults = Sandbox().faults
    if message is None:  # `/charges` and `/chargebacks` start with this
        faults.add(match, server_error())
        return
    with pytest.raises(ValueError, match=message):
        faults.add(match, server_error())
    assert faults.pending == []


@pytest.mark.parametrize(
    "match",
    [
        ("POST", "/acct-0001"),
        ("POST", "acct-00"),  # part of several identifiers
        ("POST", "/accounts/new"),
        ("POST", "/new/refunds"),
        ("DELETE", "/devices"),
        ("POST", "/charges/new"),
        "billing.charges.create",  # a generic resource, `billing.resource("charges", Charge)`
    ],
)
def test_a_possible_match_is_accepted(match: Any) -> None:
    assert Sandbox().faults.add(match, server_error()).is_waiting


@pytest.mark.parametrize("match", [None, 7, ("GET",), ("GET", "/accounts", 2), ("GET", None), ["GET", "/accounts"]])
def test_a_match_of_the_wrong_type_is_rejected(match: Any) -> None:
    with pytest.raises(TypeError, match=r"match|pair"):
        Sandbox().faults.add(match, server_error())


@pytest.mark.parametrize("times", [0, -1, True, 1.5, "2"])
def test_times_is_a_positive_number(times: Any) -> None:
    with pytest.raises(ValueError, match="times must be a whole number of at least 1"):
        Sandbox().faults.add("/accounts", server_error(), times=times)


@pytest.mark.parametrize(
    ("match", "message"), [("account", "did you mean"), (("account", "data change"), "did you mean 'accounts'")]
)
def test_an_unknown_class_is_rejected(match: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Sandbox().faults.add(match, duplicate_webhook())
