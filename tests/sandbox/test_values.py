"""Tests the values in request bodies: types, ranges, times, and sets. Invalid values are rejected with status 400."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

import pytest

import subscribekit.models as models
from sandbox.wire import CREDENTIALS, Wire
from subscribekit._json import encode
from subscribekit.errors import OutcomeUnknownError, ServerError
from subscribekit.sandbox import Sandbox, SandboxRequest
from subscribekit.sandbox.billing.rules import cycle
from subscribekit.sandbox.billing.shapes import READER, SHAPES
from subscribekit.sandbox.billing.shapes.sets import SETS


def order(**more: Any) -> dict[str, Any]:
    body = {"id": "new", "account": {"id": "acct-0009"}, "items": [{"product": {"id": "prod-basic"}}]}
    return body | {"billing_plan": {"id": "plan-monthly"}} | more


def plan(**period: Any) -> dict[str, Any]:
    return {"id": "new", "periods": [{"type": "Month", "quantity": 1, "cycles": 0, **period}]}


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("/accounts", {"metadata": [None, None]}, "metadata"),
    ("/accounts", {"metadata": {"a": [1]}}, "metadata.a"),
    ("/accounts", {"metadata": "a"}, "metadata"),
    ("/accounts", {"name": {}}, "name"),
    ("/accounts", {"company": ["x"]}, "company"),
    ("/accounts", {"email_type": "pdf"}, "email_type"),
    ("/accounts", {"shipping_address": {"city": []}}, "city"),
    ("/payment_methods", {"credit_card": {"last_digits": {}}}, "last_digits"),
    ("/payment_methods", {"policy": 5}, "policy"),
    ("/payment_methods", {"policy": {"validate": "maybe"}}, "validate"),
    ("/payment_methods", {"carrier_billing": {"phone_number": {"phone_type": "Brick"}}}, "phone_type"),
    ("/billing_plans", plan(type="Fortnight"), "type"),
    ("/billing_plans", plan(quantity=0), "quantity"),
    ("/billing_plans", plan(quantity=-1), "quantity"),
    ("/billing_plans", plan(quantity=10**9), "quantity"),
    ("/billing_plans", plan(cycles=-1), "cycles"),
    ("/billing_plans", {"status": "Asleep"}, "status"),
    ("/billing_plans", {"end_of_life": "2026-02-31"}, "end_of_life"),
    ("/products", {"prices": [{"amount": "1e400", "currency": "USD"}]}, "amount"),
    ("/products", {"prices": [{"amount": 10**13, "currency": "USD"}]}, "amount"),
    ("/products", {"prices": [{"amount": "NaN", "currency": "USD"}]}, "amount"),
    ("/products", {"prices": [{"amount": "0.0000000000001", "currency": "USD"}]}, "amount"),
    ("/campaigns", {"percentage_discount": 101}, "percentage_discount"),
    ("/subscriptions", order(billing_day=32), "billing_day"),
    ("/subscriptions", order(billing_day=0), "billing_day"),
    ("/subscriptions", order(ends="2026-13-01"), "ends"),
    ("/subscriptions", order(policy={"immediate_auth_failure_policy": "shrug"}), "immediate_auth_failure_policy"),
    ("/subscriptions", order(items=[{"product": {"id": "prod-basic"}, "quantity": -1}]), "quantity"),
    ("/subscriptions", order(items=[{"product": {"id": "prod-basic"}, "quantity": 10**10}]), "quantity"),
    ("/transactions", {"account": {"id": "acct-0009"}, "amount": "Infinity"}, "amount"),
    ("/transactions", {"account": {"id": "acct-0009"}, "items": [{"sku": "s", "quantity": -1}]}, "quantity"),
    ("/transactions", {"account": {"id": "acct-0009"}, "items": [{"sku": "s", "tax_type": "None"}]}, "tax_type"),
    ("/events", {"subscription": {"id": "sub-usage-0007"}, "amount": 10**27}, "amount"),
]


@pytest.mark.parametrize(("path", "body", "name"), REFUSED, ids=lambda value: str(value)[:60])
def test_a_value_of_another_type_or_range_or_set_is_refused(wire: Wire, path: str, body: Any, name: str) -> None:
    result = wire.post(path, body)
    assert (result.status, result.body["object"]) == (400, "Error")
    assert name in result.body["message"]


@pytest.mark.parametrize("name", SETS)
def test_a_set_accepts_only_its_values(wire: Wire, name: str) -> None:
    shape, _, field = name.partition(".")
    assert SHAPES[shape].fields[field].allowed == SETS[name].values
    assert SETS[name].source in {"specification", "published", "assumed"}
    for value in SETS[name].values:
        assert READER.read(shape, {field: value}) == {field: value}


FAR = ("9999-12-31", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59-12:00")


@pytest.mark.parametrize("never", FAR)
def test_a_date_that_means_never_is_accepted(wire: Wire, never: str) -> None:
    made = wire.made("/accounts/acct-0009/entitlements", {"id": "forever", "starts": "0001-01-01", "ends": never})
    assert made["ends"].startswith("9999-12-31")
    wire.made("/billing_plans", {"id": "lasting", "end_of_life": never, **plan()} | {"id": "lasting"})
    campaign = {"id": "always", "state": "Active", "offer_end_date": never, "expiration_date": never}
    assert wire.made("/campaigns", campaign)["offer_end_date"].startswith("9999-12-31")
    wire.made("/subscriptions", order(ends=never))
    delayed = wire.made("/subscriptions/new/billing_day_changes", None, {"to_date": never[:10]})
    assert delayed["ends"].startswith("9999-12-31")
    waiting = wire.made("/subscriptions", order(id="later", starts=never))
    assert waiting["status"] == "Pending Activation"
    wire.sandbox.advance(days=31)
    assert wire.good("/subscriptions", {"limit": 100})["total_count"] == 10
    assert wire.good("/accounts/acct-0009/entitlements/forever")["state"] is True


def test_a_period_that_ends_after_the_year_9999_ends_with_it(wire: Wire) -> None:
    wire.made("/billing_plans", plan(type="Year", quantity=10_000))
    made = wire.made("/subscriptions", order(billing_plan={"id": "new"}))
    assert made["next_billing"]["created"] == "9999-12-31T00:00:00Z"
    wire.sandbox.advance(days=31)
    assert wire.good("/subscriptions/new")["status"] == "Active"


def test_names_of_the_sandbox_itself_are_ignored(wire: Wire) -> None:
    own = {"_next": "2026-03-03", "_cycle": 7, "_plan_history": [{"plan": 5}], "_account": {"a": 1}}
    plain = wire.made("/subscriptions", order())
    wire.made("/subscriptions", order(id="other", **own))
    assert wire.made("/subscriptions/other", own)["next_billing"] == plain["next_billing"]
    assert len(wire.good("/subscriptions/other/billing_plan_history")["data"]) == 1


@pytest.mark.parametrize("form", ["specification", "published"])
def test_a_resource_can_be_sent_back_as_it_was_read(form: Any) -> None:
    wire = Wire(Sandbox(responses=form))
    wire.made("/subscriptions", order(items=[{"product": {"id": "prod-basic"}, "campaign_code": "SUMMER"}]))
    for path in (
        "/accounts/acct-0001", "/billing_plans/plan-monthly", "/campaigns/camp-flat", "/payment_methods/pm-card-0001",
        "/products/prod-basic", "/rate_plans/rate-api-calls", "/season_sets/season-football", "/subscriptions/new",
    ):  # fmt: skip
        result = wire.post(path, encode(wire.good(path)))
        assert result.status == 200, (path, result.body)


def fail(*_given: object, **_more: object) -> Any:
    raise RuntimeError("a bug in the sandbox")


@pytest.mark.hazard("H470")
@pytest.mark.parametrize(
    ("group", "method", "path"),
    [
        ("billing", "GET", "/accounts"),
        ("gateway", "GET", "/submgmt/v2/subscriptions/sub-basic-0001"),
        ("user_mgmt", "GET", "/platform/rest/v85/user/accounts"),
        ("storefront", "PUT", "/storefront/paymentMethod/account/acct-0001"),
    ],
)
def test_a_failure_inside_has_the_shape_of_the_group(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, group: Any, method: str, path: str
) -> None:
    request = SandboxRequest(group, method, path, (), CREDENTIALS[group], b'{"paymentMethodId": "pm-card-0001"}')
    with monkeypatch.context() as patch, caplog.at_level(logging.ERROR, "subscribekit.sandbox"):
        patch.setattr(wire.sandbox.service, "_call", fail)
        result = wire.call(group, method, path, (), {"paymentMethodId": "pm-card-0001"})
    assert result.status == 500
    assert result.body.get("object") == "Error" if group == "billing" else result.body["code"] == "server-error"
    assert "RuntimeError: a bug in the sandbox" in caplog.text
    assert "Traceback" in caplog.text
    assert wire.sandbox.requests[-1].status == 500
    assert wire.sandbox.handle(request).status == 200


@pytest.mark.hazard("H470")
def test_in_process_a_failure_inside_is_a_server_error_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = Sandbox()
    with sandbox.billing() as billing:
        before = billing.subscriptions.list().total_count()
        with monkeypatch.context() as patch:
            patch.setattr("subscribekit.sandbox.billing.subscriptions.subscriptions.open_billing", fail)
            with pytest.raises(OutcomeUnknownError) as write:
                billing.subscriptions.create(models.Subscription.model_validate(order()))
            assert isinstance(write.value.__cause__, ServerError)
            patch.setattr(sandbox.service, "_call", fail)
            with pytest.raises(ServerError, match="internal error of the sandbox"):
                billing.subscriptions.retrieve("sub-basic-0001")
        assert billing.subscriptions.list().total_count() == before
        assert billing.subscriptions.create(models.Subscription.model_validate(order())).status == "Active"


@pytest.mark.hazard("H470")
def test_a_step_in_time_that_fails_is_logged_once_and_stops_no_other(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    charge = cycle.charge

    def failing(store: Any, subscription: Any, *given: Any) -> Any:
        return fail() if subscription["id"] == "sub-basic-0001" else charge(store, subscription, *given)

    monkeypatch.setattr(cycle, "charge", failing)
    with caplog.at_level(logging.ERROR, "subscribekit.sandbox"):
        wire.sandbox.advance(days=31)
        wire.sandbox.advance(days=31)
        assert wire.good("/subscriptions", {"limit": 100})["total_count"] == 8
    assert len(caplog.records) == 1
    assert "Traceback" in caplog.text
    billed = wire.good("/transactions", {"subscription": "sub-usage-0007"})["data"]
    assert [datetime.fromisoformat(each["created"]).month for each in billed] == [2, 3, 4]
