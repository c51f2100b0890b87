"""Routes for respx that mock the eleven operations of the specification, and match only correct requests.

    @respx.mock
    def test_accounts():
        respx_routes.account_list([make(Account), make(Account)])
        with BillingClient(environment=respx_routes.environment) as billing:
            assert len(billing.accounts.list().to_list()) == 2

A route matches a call only if the method, the path, the credential, and the API's headers are correct. A call without
authentication fails the test, because the call matches no route. Each method returns the `respx.Route`, so that you can
use `route.called`, `route.calls`, and `route.mock`.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final
from urllib.parse import quote

import httpx

from .._core.config.environments import SANDBOX_WIRE_NAMES, Environment, Group
from .._json import encode
from ..errors import ConfigurationError
from ..filters import Filter, filter_text
from ..models import (
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
from ..models._base import Model, write_body
from . import route_responses as responses
from .factories import make
from .route_responses import Error

try:
    import respx
    from respx.patterns import M as pattern_of  # noqa: N811  respx exports this name
except ModuleNotFoundError as _missing:
    raise ModuleNotFoundError("respx_routes requires respx; run: pip install respx", name=_missing.name) from None

TEST_ENVIRONMENT: Final[Environment] = Environment(
    name="respx",
    base_url="https://billing.respx.test",
    gateway_url="https://gateway.respx.test",
    user_mgmt_url="https://users.respx.test",
    storefront_url="https://storefront.respx.test",
    api_user="respx-merchant",
    api_key="respx-key",
    gateway_api_key="respx-gateway-key",
    session_id="respx-session",
    access_token="respx-token",  # noqa: S106  not a secret, because no host has this name
    wire_names=SANDBOX_WIRE_NAMES,
)
"""An environment with host names that don't exist.

Pass the environment to your clients, as in `BillingClient(environment=respx_routes.environment)`.
"""


class RespxRoutes:
    """Adds routes for the operations of one environment.

    Each method accepts the IDs in the path; `None` matches any ID. The route returns the argument `result`, or, by
    default, a random resource with the ID of the request. If you set `error`, the route returns or raises an error
    instead. `error` is an HTTP status, a documented error code of an API other than billing, or an exception class for
    a failed connection, such as `httpx.ReadTimeout`.

    Args:
        environment: The environment with the addresses, credentials, and wire names that the routes match.
        router: The router to add the routes to; by default, the router of `@respx.mock`.
        api_version: The header `X-API-Version` of billing API requests, or `None` if the client doesn't send the
            header.
        cookie_name: The name of the session cookie of the account-lifecycle API.
    """

    def __init__(
        self,
        environment: Environment = TEST_ENVIRONMENT,
        *,
        router: respx.Router | None = None,
        api_version: str | None = "20190501",
        cookie_name: str = "JSESSIONID",
    ) -> None:
        self.environment: Environment = environment
        self._router = router
        self._api_version = api_version
        self._cookie_name = cookie_name

    def payment_reverse(
        self, payment: str | None = None, *, result: Payment | None = None, error: Error | None = None
    ) -> respx.Route:
        """Mock `billing.payments.reverse` (E1)."""
        from ..models import Payment

        respond = _one("billing", result, make(Payment, status="Failure"), named_by=-3)
        return self._mock("billing", "POST", ("payments", payment, "actions", "reverse"), respond, error)

    def campaign_update(
        self,
        campaign: str | None = None,
        *,
        body: Campaign | None = None,
        result: Campaign | None = None,
        error: Error | None = None,
    ) -> respx.Route:
        """Mock `billing.campaigns.update` (E2).

        If you set `body`, the route matches only a call that sends exactly this campaign.
        """
        from ..models import Campaign

        respond = _one("billing", result, make(Campaign), named_by=-1)
        return self._mock("billing", "POST", ("campaigns", campaign), respond, error, body=body, has_body=True)

    def account_list(
        self, accounts: Sequence[Account] = (), *, params: Mapping[str, str] | None = None, error: Error | None = None
    ) -> respx.Route:
        """Mock `billing.accounts.list` (E3) with all pages of the list.

        `params` contains the query parameters that the call must send, with their wire names.
        """
        respond = partial(responses.cursor_page, list(accounts))
        return self._mock("billing", "GET", ("accounts",), respond, error, params=params)

    def event_summary_list(
        self,
        summaries: Sequence[EventSummary] = (),
        *,
        params: Mapping[str, str] | None = None,
        error: Error | None = None,
    ) -> respx.Route:
        """Mock `billing.event_summaries.list` (E4) with all pages of the list.

        `params` contains the query parameters that the call must send, with their wire names.
        """
        respond = partial(responses.cursor_page, list(summaries))
        return self._mock("billing", "GET", ("event_summaries",), respond, error, params=params)

    def campaign_activate(
        self, campaign: str | None = None, *, result: Campaign | None = None, error: Error | None = None
    ) -> respx.Route:
        """Mock `gateway.campaigns.activate` (E5).

        If the environment has a `gateway_api_key`, the route matches only a call with this key. If the environment has
        no `gateway_api_key`, the route ignores the key of the call.
        """
        from ..models import Campaign

        path = ("gateway", "v1", "campaigns", campaign, "actions", "activate")
        respond = _one("gateway", result, make(Campaign), named_by=-3)
        keyless = self.environment.credential("gateway_api_key") is None
        return self._mock("gateway", "POST", path, respond, error, keyless=keyless)

    def subscription_retrieve(
        self, subscription: str | None = None, *, result: Subscription | None = None, error: Error | None = None
    ) -> respx.Route:
        """Mock `gateway.subscriptions.retrieve` (E6)."""
        from ..models import Subscription

        respond = _one("gateway", result, make(Subscription), named_by=-1)
        return self._mock("gateway", "GET", ("submgmt", "v2", "subscriptions", subscription), respond, error)

    def partner_subscription_cancel(
        self,
        partner_subscription: str | None = None,
        *,
        result: PartnerSubscription | None = None,
        error: Error | None = None,
    ) -> respx.Route:
        """Mock `gateway.partner_subscriptions.cancel` (E7)."""
        from ..models import PartnerSubscription

        made = make(PartnerSubscription, type="BILLING", billing_status="CANCELLED")
        respond = _one("gateway", result, made, named_by=-2)
        path = ("partnersub", "v2", "partnerSubscription", partner_subscription, "cancel")
        return self._mock("gateway", "POST", path, respond, error, not_found="partner-subscription-not-found")

    def entitlement_charge(
        self,
        partner_subscription: str | None = None,
        *,
        charge: EntitlementCharge | None = None,
        result: EntitlementChargeReceipt | None = None,
        error: Error | None = None,
    ) -> respx.Route:
        """Mock `gateway.entitlements.charge` (E8).

        If you set `charge`, the route matches only a call that sends exactly this charge.
        """
        from ..models import EntitlementChargeReceipt

        respond = partial(responses.one, "gateway", result or make(EntitlementChargeReceipt))
        path = ("v1", "entitlement", partner_subscription, "charge")
        return self._mock("gateway", "POST", path, respond, error, body=charge, has_body=True)

    def custom_data_delete(
        self,
        user_id: str | None = None,
        property_array_name: str | None = None,
        *,
        filter: Filter | str | None = None,  # noqa: A002  the name of the SDK's argument
        error: Error | None = None,
    ) -> respx.Route:
        """Mock `user_mgmt.custom_data.delete` (E9).

        If you set `filter`, the route matches only a call that sends exactly this filter.

        Raises:
            ConfigurationError: `filter` is set, but the environment has no wire name for the filter.
        """
        params: dict[str, str] | None = None
        if filter is not None:
            names = self.environment.wire_names
            if names is None:
                raise ConfigurationError("filter requires wire_names; set wire_names in the environment")
            params = {names.resolve("custom_data_filter_param"): filter_text(filter)}
        path = ("customData", "v1", "user", user_id, property_array_name)
        return self._mock("user_mgmt", "DELETE", path, responses.done, error, params=params, not_found="user-not-found")

    def user_account_list(
        self, accounts: Sequence[AccountAssociation] = (), *, error: Error | None = None
    ) -> respx.Route:
        """Mock `user_mgmt.accounts.list` (E10) with all pages of the list."""
        respond = partial(responses.offset_page, list(accounts))
        return self._mock("user_mgmt", "GET", ("platform", "rest", "v85", "user", "accounts"), respond, error)

    def payment_method_update(
        self,
        account: str | None = None,
        *,
        result: StorefrontPaymentMethod | None = None,
        error: Error | None = None,
    ) -> respx.Route:
        """Mock `storefront.payment_methods.update` (E11)."""
        from ..models import StorefrontPaymentMethod

        respond = _one("storefront", result, make(StorefrontPaymentMethod), named_by="paymentMethodId")
        path = ("storefront", "paymentMethod", "account", account)
        return self._mock("storefront", "PUT", path, respond, error, has_body=True)

    def _mock(
        self,
        group: Group,
        method: str,
        path: tuple[str | None, ...],
        respond: Callable[[httpx.Request], httpx.Response],
        error: Error | None,
        *,
        not_found: str | None = None,
        params: Mapping[str, str] | None = None,
        body: Model | None = None,
        has_body: bool = False,
        keyless: bool = False,
    ) -> respx.Route:
        address = self.environment.address(group)
        if address is None:
            raise ConfigurationError(
                f"environment {self.environment.name!r} has no address for the API {group}. Set the address in the "
                "environment"
            )
        segments = "/".join("[^/?]+" if part is None else re.escape(quote(part, safe="")) for part in path)
        lookups: dict[str, object] = {
            "method": method,
            "url__regex": rf"^{re.escape(address.rstrip('/'))}/{segments}(\?.*)?$",
            "headers": self._headers(group, has_body=has_body, keyless=keyless),
        }
        if params is not None:
            lookups["params"] = dict(params)
        if body is not None:
            lookups["json"] = json.loads(encode(write_body(body)))
        route = _add(self._router, lookups)
        if isinstance(error, int | str):
            return route.mock(return_value=responses.error(group, error, not_found=not_found))
        return route.mock(side_effect=respond if error is None else error)

    def _headers(self, group: Group, *, has_body: bool, keyless: bool) -> dict[str, str]:
        headers = {"Accept": "application/json", **({} if keyless else self._credential(group))}
        if has_body or group == "user_mgmt":
            headers["Content-Type"] = "application/json"
        if group == "billing" and self._api_version is not None:
            headers["X-API-Version"] = self._api_version
        return headers

    def _credential(self, group: Group) -> dict[str, str]:
        if group == "billing":
            pair = f"{self._secret('api_user')}:{self._secret('api_key')}"
            return {"Authorization": "Basic " + b64encode(pair.encode()).decode()}
        if group == "gateway":
            return {"X-API-KEY": self._secret("gateway_api_key")}
        if group == "user_mgmt":
            return {"Cookie": f"{self._cookie_name}={self._secret('session_id')}"}
        return {"Authorization": f"Bearer {self._secret('access_token')}"}

    def _secret(self, name: str) -> str:
        secret = self.environment.credential(name)
        if secret is None:
            raise ConfigurationError(
                f"environment {self.environment.name!r} has no {name}, which the route needs; set {name} in "
                f"the Environment"
            )
        return secret.reveal()


def _one(
    group: Group, result: Model | None, random_model: Model, *, named_by: int | str
) -> Callable[[httpx.Request], httpx.Response]:
    """Return a function that responds with the result, or with a random model that has the ID of the request."""
    if result is None:
        return partial(responses.named, group, random_model, named_by)
    return partial(responses.one, group, result)


def _add(router: respx.Router | None, lookups: dict[str, object]) -> respx.Route:
    return (router or respx.mock).route(pattern_of(**lookups))


respx_routes: Final[RespxRoutes] = RespxRoutes()
"""Adds routes for `TEST_ENVIRONMENT` to the router of `@respx.mock`."""
