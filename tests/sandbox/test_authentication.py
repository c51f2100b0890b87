"""Tests the authentication of each API, and the shape of its error."""

from __future__ import annotations

import base64

import pytest

from sandbox.wire import REST, Wire

GATEWAY_PATHS = [
    ("GET", "/submgmt/v2/subscriptions/sub-basic-0001"),
    ("POST", "/partnersub/v2/partnerSubscription/psub-billing-0001/cancel"),
    ("POST", "/v1/entitlement/psub-entitlement-0001/charge"),
]


def test_billing_without_credentials_is_401_with_an_error_object(wire: Wire) -> None:
    result = wire.get("/accounts", credentials=False)
    assert result.status == 401
    assert result.body == {"object": "Error", "message": "The request could not be authenticated."}
    assert result.headers["Request-Id"]


@pytest.mark.parametrize("pair", [b"sandbox-merchant:wrong", b"other:sandbox-key", b""])
def test_billing_with_wrong_credentials_is_403(wire: Wire, pair: bytes) -> None:
    header = {"authorization": "Basic " + base64.b64encode(pair).decode()}
    result = wire.get("/accounts", headers=header)
    assert (result.status, result.body["object"]) == (403, "Error")


@pytest.mark.parametrize("header", ["Basic ***", "Bearer abc", "Basic"])
def test_billing_with_an_unreadable_header_is_refused(wire: Wire, header: str) -> None:
    assert wire.get("/accounts", headers={"authorization": header}).status in {401, 403}


@pytest.mark.parametrize(("method", "path"), GATEWAY_PATHS)
@pytest.mark.parametrize("headers", [{}, {"x-api-key": "wrong"}])
def test_gateway_needs_its_key(wire: Wire, method: str, path: str, headers: dict[str, str]) -> None:
    result = wire.call("gateway", method, path, headers=headers, credentials=False)
    assert result.status == 401
    assert result.body == {"code": "authentication-required", "message": "missing or invalid credentials"}


def test_campaign_activation_works_with_and_without_a_key_but_not_with_a_wrong_one(wire: Wire) -> None:
    path = "/gateway/v1/campaigns/camp-summer/actions/activate"
    assert wire.call("gateway", "POST", path).status == 200
    assert wire.call("gateway", "POST", path, credentials=False).status == 200
    assert wire.call("gateway", "POST", path, headers={"x-api-key": "wrong"}).status == 401


@pytest.mark.parametrize("cookie", ["", "JSESSIONID=wrong", "OTHER=sandbox-session"])
def test_user_mgmt_needs_the_session_cookie(wire: Wire, cookie: str) -> None:
    result = wire.call("user_mgmt", "GET", f"{REST}/user/accounts", headers={"cookie": cookie})
    assert result.status == 401
    assert result.body["operationError"]["code"] == "authentication-required"
    assert set(result.body["operationError"]) == {"code", "message", "type", "authorities"}
    assert result.body["operationErrors"][0]["code"] == "authentication-required"
    assert "stackTrace" in result.body


def test_the_session_cookie_may_stand_among_others(wire: Wire) -> None:
    cookie = "a=b; JSESSIONID=sandbox-session; c=d"
    assert wire.call("user_mgmt", "GET", f"{REST}/user/accounts", headers={"cookie": cookie}).status == 200


@pytest.mark.parametrize("header", ["", "Bearer wrong", "Basic sandbox-token"])
def test_storefront_needs_the_bearer_token(wire: Wire, header: str) -> None:
    path = "/storefront/paymentMethod/account/acct-0001"
    result = wire.call("storefront", "PUT", path, body={}, headers={"authorization": header})
    assert (result.status, result.body["code"]) == (401, "authentication-required")


def test_recorded_requests_hold_no_credential(wire: Wire) -> None:
    wire.get("/accounts", headers={"x-api-version": "20190501"})
    wire.call("gateway", "GET", GATEWAY_PATHS[0][1])
    wire.call("user_mgmt", "GET", f"{REST}/user/accounts")
    wire.call("storefront", "PUT", "/storefront/paymentMethod/account/acct-0001", body={})
    shown = repr(wire.sandbox.requests)
    assert len(wire.sandbox.requests) == 4
    for secret in ("c2FuZGJveC", "sandbox-gateway-key", "sandbox-session", "sandbox-token"):
        assert secret not in shown
    first = wire.sandbox.requests[0]
    assert (first.group, first.method, first.path, first.status) == ("billing", "GET", "/accounts", 200)
    assert first.headers["authorization"] == "Basic ***"
    assert first.headers["x-api-version"] == "20190501"
