"""The respx routes mock every operation for sync and async clients, and match no request that the service rejects."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import httpx
import pytest
import respx

import subscribekit
from subscribekit import ME, Environment, RetryPolicy, errors
from subscribekit.errors import ConfigurationError
from subscribekit.filters import field
from subscribekit.models import (
    Account,
    AccountAssociation,
    Campaign,
    EntitlementCharge,
    EntitlementChargeReceipt,
    EventSummary,
    PartnerSubscription,
    Payment,
    StorefrontPaymentMethod,
    Subscription,
)
from subscribekit.testing import RespxRoutes, make, make_batch, respx_routes

ONCE = RetryPolicy(max_attempts=1)
CHARGE = EntitlementCharge(transaction_id="t-1", amount=Decimal("19.90"), currency="EUR")
DISCOUNT = Campaign(percentage_discount=Decimal("12.50"))
ADULTS = field("age").ge(18)
FLAGS: dict[str, Any] = {"payment_method_id": "pm-1", "primary": True, "active": False}
GROUPS = {"billing": "Billing", "gateway": "Gateway", "user_mgmt": "UserMgmt", "storefront": "Storefront"}


@dataclass(frozen=True)
class Case:
    group: str
    mock: Callable[..., respx.Route]
    call: Callable[[Any], Any]
    kind: type[Any]
    other: Callable[[Any], Any] | None = None
    """A call that the route must not match."""


R = respx_routes
CASES = {
    "E1": Case(
        "billing",
        lambda **more: R.payment_reverse("pay 1", **more),
        lambda it: it.payments.reverse("pay 1"),
        Payment,
        lambda it: it.payments.reverse("pay-2"),
    ),
    "E2": Case(
        "billing",
        lambda **more: R.campaign_update("c-1", body=DISCOUNT, **more),
        lambda it: it.campaigns.update("c-1", DISCOUNT),
        Campaign,
        lambda it: it.campaigns.update("c-1", Campaign(percentage_discount=Decimal("12.5001"))),
    ),
    "E3": Case(
        "billing",
        lambda **more: R.account_list(make_batch(Account, 45), params={"email": "a+b@example.com"}, **more),
        lambda it: it.accounts.list(limit=10, email="a+b@example.com"),
        Account,
        lambda it: it.accounts.list(limit=10, email="ab@example.com"),
    ),
    "E4": Case(
        "billing",
        lambda **more: R.event_summary_list(make_batch(EventSummary, 45), params={"billed": "0"}, **more),
        lambda it: it.event_summaries.list(billed=False),
        EventSummary,
        lambda it: it.event_summaries.list(billed=True),
    ),
    "E5": Case(
        "gateway",
        lambda **more: R.campaign_activate("SAVE", **more),
        lambda it: it.campaigns.activate("SAVE"),
        Campaign,
        lambda it: it.campaigns.activate("SAVED"),
    ),
    "E6": Case(
        "gateway",
        lambda **more: R.subscription_retrieve("s-1", **more),
        lambda it: it.subscriptions.retrieve("s-1", include_billing_plan_history=True),
        Subscription,
        lambda it: it.subscriptions.retrieve("s-2"),
    ),
    "E7": Case(
        "gateway",
        lambda **more: R.partner_subscription_cancel("ps-1", **more),
        lambda it: it.partner_subscriptions.cancel("ps-1"),
        PartnerSubscription,
        lambda it: it.partner_subscriptions.cancel("ps-2"),
    ),
    "E8": Case(
        "gateway",
        lambda **more: R.entitlement_charge("ps-1", charge=CHARGE, **more),
        lambda it: it.entitlements.charge("ps-1", CHARGE),
        EntitlementChargeReceipt,
        lambda it: it.entitlements.charge("ps-1", CHARGE.model_copy(update={"transaction_id": "t-2"})),
    ),
    "E9": Case(
        "user_mgmt",
        lambda **more: R.custom_data_delete(ME, "devices", filter=ADULTS, **more),
        lambda it: it.custom_data.delete(ME, "devices", filter=ADULTS),
        type(None),
        lambda it: it.custom_data.delete(ME, "devices", filter=~ADULTS),
    ),
    "E10": Case(
        "user_mgmt",
        lambda **more: R.user_account_list(make_batch(AccountAssociation, 45), **more),
        lambda it: it.accounts.list(size=10),
        AccountAssociation,
    ),
    "E11": Case(
        "storefront",
        lambda **more: R.payment_method_update("acct-1", **more),
        lambda it: it.payment_methods.update("acct-1", **FLAGS),
        StorefrontPaymentMethod,
        lambda it: it.payment_methods.update("acct-2", **FLAGS),
    ),
}
LISTS = ("E3", "E4", "E10")
ids = pytest.mark.parametrize("case", CASES.values(), ids=list(CASES))
styles = pytest.mark.parametrize("style", ["", "Async"], ids=["blocking", "async"])


def run(case: Case, style: str, call: Callable[[Any], Any] | None = None, **options: Any) -> Any:
    """Make a sync or async call, and read a list to its end."""
    kind = getattr(subscribekit, f"{style}{GROUPS[case.group]}Client")
    client = kind(**({"environment": R.environment} | options), retry=ONCE)

    async def make_call() -> Any:
        result = (call or case.call)(client)
        if hasattr(result, "to_list"):
            result = result.to_list()
        return await result if inspect.isawaitable(result) else result

    return asyncio.run(make_call())


@ids
@styles
@respx.mock
def test_every_operation_is_mocked(case: Case, style: str) -> None:
    route = case.mock()
    result = run(case, style)
    if isinstance(result, list):
        assert len(result) == 45
        assert len({id(item) for item in result}) == 45
        assert route.call_count >= 3
        assert all(isinstance(item, case.kind) for item in result)
    else:
        assert isinstance(result, case.kind)
        assert route.call_count == 1


@ids
@respx.mock(assert_all_called=False)
def test_another_argument_is_not_mocked(case: Case, respx_mock: respx.MockRouter) -> None:
    case.mock()
    if case.other is not None:
        with pytest.raises(AssertionError, match="not mocked"):
            run(case, "", case.other)


CREDENTIALS: dict[str, dict[str, Any]] = {
    "billing": {"api_user": "respx-merchant", "api_key": "wrong"},
    "gateway": {"api_key": "wrong"},
    "user_mgmt": {"session_id": "wrong"},
    "storefront": {"access_token": "wrong"},
}


@ids
@respx.mock(assert_all_called=False)
def test_another_credential_is_not_mocked(case: Case, respx_mock: respx.MockRouter) -> None:
    case.mock()
    with pytest.raises(AssertionError, match="not mocked"):
        run(case, "", **CREDENTIALS[case.group])


@respx.mock(assert_all_called=False)
def test_another_version_is_not_mocked(respx_mock: respx.MockRouter) -> None:
    case = CASES["E1"]
    case.mock()
    with pytest.raises(AssertionError, match="not mocked"):
        run(case, "", api_version=None)


@pytest.mark.parametrize(
    "request_",
    [
        httpx.Request("GET", "https://users.respx.test/platform/rest/v85/user/accounts"),
        httpx.Request("PUT", "https://storefront.respx.test/storefront/paymentMethod/account/a", json={}),
        httpx.Request("POST", "https://gateway.respx.test/v1/entitlement/ps-1/charge", json={}),
        httpx.Request("POST", "https://billing.respx.test/payments/p/actions/reverse"),
    ],
    ids=["user_mgmt", "storefront", "gateway", "billing"],
)
def test_a_request_without_credential_or_headers_matches_nothing(request_: httpx.Request) -> None:
    router = respx.MockRouter(assert_all_called=False)
    routes = RespxRoutes(router=router)
    routes.user_account_list()
    routes.payment_method_update()
    routes.entitlement_charge()
    routes.payment_reverse()
    with pytest.raises(AssertionError, match="not mocked"):
        router.handler(request_)


@ids
@styles
@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 429, 500, 503])
@respx.mock
def test_an_error_has_the_shape_of_its_api(status: int, style: str, case: Case) -> None:
    case.mock(error=status)
    with pytest.raises(errors.SubscribekitError) as caught:
        run(case, style)
    error = caught.value
    if isinstance(error, errors.APIError):
        assert error.status_code == status
        assert (error.body is None) == (status == 429 and case.group != "billing")
    else:
        # After a server error, the write may have been carried out.
        assert isinstance(error, errors.OutcomeUnknownError)
        assert status >= 500
        assert error.status_code == status


@pytest.mark.parametrize(
    ("name", "code", "kind"),
    [
        ("E7", "partner-subscription-not-found", errors.PartnerSubscriptionNotFoundError),
        ("E7", 404, errors.PartnerSubscriptionNotFoundError),
        ("E9", "user-not-found", errors.UserNotFoundError),
        ("E9", 404, errors.UserNotFoundError),
        ("E10", "page-size-error", errors.PageSizeError),
        ("E10", "max-return-page-size", errors.PageSizeError),
        ("E10", "authentication-required", errors.AuthenticationError),
        ("E10", "ACCESS_FORBIDDEN", errors.PermissionDeniedError),
        ("E6", "input-conflict", errors.ConflictError),
        ("E8", "forbidden", errors.PermissionDeniedError),
        ("E11", "not-found", errors.NotFoundError),
        ("E5", "invalid-request", errors.BadRequestError),
    ],
)
@respx.mock
def test_a_documented_code_raises_its_error(name: str, code: int | str, kind: type[errors.APIError]) -> None:
    CASES[name].mock(error=code)
    with pytest.raises(kind) as caught:
        run(CASES[name], "")
    assert isinstance(code, int) or caught.value.code == code


@pytest.mark.parametrize(("failure", "outcome"), [(httpx.ConnectError, "not_sent"), (httpx.ReadTimeout, "unknown")])
@styles
@respx.mock
def test_a_connection_can_fail(failure: type[httpx.TransportError], outcome: str, style: str) -> None:
    CASES["E8"].mock(error=failure)
    with pytest.raises(errors.SubscribekitError) as caught:
        run(CASES["E8"], style)
    assert caught.value.outcome == outcome


@pytest.mark.parametrize("code", ["not-found", "no-such-code"])
def test_a_code_that_is_not_documented_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="documented error code"):
        CASES["E1" if code == "not-found" else "E6"].mock(error=code)


@respx.mock
def test_lists_can_be_read_backward() -> None:
    accounts = make_batch(Account, 7)
    R.account_list(accounts)
    with subscribekit.BillingClient(environment=R.environment) as billing:
        back = billing.accounts.list(limit=3, ending_before=accounts[5].id).to_list()
        assert [account.id for account in back] == [accounts[i].id for i in (2, 3, 4, 0, 1)]
        page = billing.with_raw_response.accounts.list(limit=3).first().data
        assert (page.total_count, page.url) == (7, "/accounts?limit=3")
        assert billing.accounts.list(limit=3).total_count() == 7


@respx.mock
def test_a_page_size_of_zero_returns_all_results() -> None:
    R.user_account_list(make_batch(AccountAssociation, 30))
    with subscribekit.UserMgmtClient(environment=R.environment) as users:
        assert len(users.with_raw_response.accounts.list(size=0).first().data.data) == 30
        assert len(users.accounts.list(offset=25).to_list()) == 5


def test_a_given_result_is_returned() -> None:
    payment = make(Payment, amount=Decimal("10.10"), status="Failure")
    with respx.mock:
        R.payment_reverse(result=payment)
        with subscribekit.BillingClient(environment=R.environment) as billing:
            assert billing.payments.reverse(payment.id or "") == payment


def test_routes_can_belong_to_another_environment() -> None:
    own = Environment(name="mine", base_url="https://billing.test/rest/", api_user="u", api_key="k")
    router = respx.MockRouter()
    routes = RespxRoutes(own, router=router, api_version=None)
    with router:
        routes.payment_reverse("p")
        with subscribekit.BillingClient(environment=own, api_version=None) as billing:
            assert billing.payments.reverse("p").id == "p"
    for make_route in (routes.subscription_retrieve, lambda: routes.custom_data_delete(filter=ADULTS)):
        with pytest.raises(ConfigurationError):
            make_route()
    with pytest.raises(ConfigurationError, match="no access_token"):
        RespxRoutes(Environment(name="mine", storefront_url="https://d.test")).payment_method_update()


@respx.mock
def test_a_campaign_is_activated_without_an_api_key() -> None:
    keyless = Environment(name="mine", gateway_url="https://gateway.test")
    RespxRoutes(keyless).campaign_activate("SAVE")
    with subscribekit.GatewayClient(environment=keyless) as gateway:
        assert gateway.campaigns.activate("SAVE").id == "SAVE"


def test_the_error_without_respx_names_the_package_to_install() -> None:
    program = """
import sys
sys.modules["respx"] = None
try:
    from subscribekit.testing import respx_routes
except ModuleNotFoundError as error:
    assert "pip install respx" in str(error) and error.name == "respx", (error, error.name)
else:
    raise AssertionError
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
