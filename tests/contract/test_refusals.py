"""Checks that each error response of the sandbox raises the exception for its status and error code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import subscribekit
from contract.styles import STYLES, Shop, Style
from subscribekit import ME, errors
from subscribekit.models import Account, Campaign, EntitlementCharge, Payment, PaymentMethod, PaymentMethodPolicy

styles = pytest.mark.parametrize("style", STYLES)
Call = Callable[[Shop], Any]

REFUSALS: dict[str, tuple[Call, type[errors.APIError], int, str | None]] = {
    "unknown payment": (lambda it: it.billing.payments.reverse("none"), errors.NotFoundError, 404, None),
    "card payment": (
        lambda it: it.billing.payments.reverse("pay-card-0002"),
        errors.BadRequestError,
        400,
        None,
    ),
    "unknown value": (
        lambda it: it.billing.campaigns.update("camp-summer", Campaign(state="Sleeping")),
        errors.BadRequestError,
        400,
        None,
    ),
    "unknown cursor": (lambda it: it.billing.accounts.list(starting_after="none"), errors.BadRequestError, 400, None),
    "unknown endpoint": (lambda it: it.billing.request("GET", "/nothing"), errors.NotFoundError, 404, None),
    "declined card": (
        lambda it: it.billing.accounts.update(
            "acct-0025",
            Account(payment_methods=[PaymentMethod(id="pm-declined-0025", policy=PaymentMethodPolicy(validate_=True))]),
        ),
        errors.PaymentAuthorizationError,
        402,
        None,
    ),
    "payment without an amount": (lambda it: it.billing.payments.create(Payment()), errors.BadRequestError, 400, None),
    "unknown campaign": (lambda it: it.gateway.campaigns.activate("none"), errors.NotFoundError, 404, "not-found"),
    "campaign outside its dates": (
        lambda it: it.gateway.campaigns.activate("camp-old"),
        errors.ValidationFailedError,
        400,
        "invalid-request",
    ),
    "unknown subscription": (
        lambda it: it.gateway.subscriptions.retrieve("none"),
        errors.NotFoundError,
        404,
        "not-found",
    ),
    "unknown partner subscription": (
        lambda it: it.gateway.partner_subscriptions.cancel("none"),
        errors.PartnerSubscriptionNotFoundError,
        404,
        "partner-subscription-not-found",
    ),
    "charge for a subscription that the partner bills": (
        lambda it: it.gateway.entitlements.charge("psub-billing-0001", EntitlementCharge(transaction_id="t", amount=1)),
        errors.ValidationFailedError,
        400,
        "invalid-request",
    ),
    "unknown user": (
        lambda it: it.user_mgmt.custom_data.delete("none", "devices", filter="age ge 1"),
        errors.UserNotFoundError,
        404,
        "user-not-found",
    ),
    "invalid filter": (
        lambda it: it.user_mgmt.custom_data.delete(ME, "devices", filter="age around 1"),
        errors.ValidationFailedError,
        400,
        "invalid-request",
    ),
    "negative offset": (
        lambda it: it.user_mgmt.request("GET", "/platform/rest/v85/user/accounts", params={"offset": -1}),
        errors.PageSizeError,
        400,
        "invalid-page-offset",
    ),
    "page too large": (
        lambda it: it.user_mgmt.request("GET", "/platform/rest/v85/user/accounts", params={"size": 101}),
        errors.PageSizeError,
        400,
        "page-size-error",
    ),
    "unknown account": (
        lambda it: it.storefront.payment_methods.update("none", payment_method_id="x", primary=True, active=True),
        errors.NotFoundError,
        404,
        "not-found",
    ),
}


@styles
@pytest.mark.parametrize(("call", "kind", "status", "code"), REFUSALS.values(), ids=list(REFUSALS))
def test_an_error_response_raises_its_exception(
    call: Call, kind: type[errors.APIError], status: int, code: str | None, style: Style
) -> None:
    with Shop(style) as shop:
        with pytest.raises(kind) as caught:
            shop(call(shop))
        error = caught.value
        assert (error.status_code, error.code, error.outcome) == (status, code, "rejected")
        assert error.message or isinstance(error, errors.ValidationFailedError)
        (request,) = shop.sandbox.requests
        assert (error.request_id is not None) == (request.group in ("billing", "user_mgmt"))


WRONG = {
    "billing": (
        "BillingClient",
        {"api_key": "wrong"},
        lambda it: it.payments.reverse("p"),
        errors.PermissionDeniedError,
    ),
    "gateway": (
        "GatewayClient",
        {"gateway_api_key": "wrong"},
        lambda it: it.subscriptions.retrieve("s"),
        errors.AuthenticationError,
    ),
    "user_mgmt": (
        "UserMgmtClient",
        {"session_id": "wrong"},
        lambda it: it.accounts.list().total_count(),
        errors.AuthenticationError,
    ),
    "storefront": (
        "StorefrontClient",
        {"access_token": "wrong"},
        lambda it: it.payment_methods.update("a", payment_method_id="p", primary=True, active=True),
        errors.AuthenticationError,
    ),
}


@styles
@pytest.mark.parametrize("group", WRONG)
def test_a_wrong_credential_is_refused_by_every_api(group: str, style: Style) -> None:
    name, credential, call, kind = WRONG[group]
    with Shop(style) as shop:
        sandbox = shop.sandbox
        environment = replace(sandbox.environment, **credential)
        if style == "blocking":
            client = getattr(subscribekit, name)(environment=environment, transport=sandbox.transport)
        else:
            client = getattr(subscribekit, f"Async{name}")(environment=environment, transport=sandbox.async_transport)
        with pytest.raises(kind) as caught:
            shop(call(client))
        assert caught.value.status_code in (401, 403)
        assert "wrong" not in str(caught.value)
