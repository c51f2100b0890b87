"""The routing table, which contains every operation that the sandbox handles."""

from __future__ import annotations

from collections.abc import Iterator

from . import gateway, storefront
from .billing import (
    account_links,
    accounts,
    campaigns,
    catalog,
    payment_methods,
    payments,
    records,
    transactions,
    usage,
)
from .billing.resources import listing_all, retrieving
from .billing.subscriptions import cancel, modify, subscriptions
from .http.router import Handler, Route, Router
from .store import CONVENTIONAL_COLLECTIONS
from .user_mgmt import handlers as user_mgmt

# The operations of the billing API that the specification documents (E1 to E4), or that the operator has published.
_BILLING: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/accounts", accounts.list_accounts),
    ("POST", "/accounts", accounts.create),
    ("GET", "/accounts/{account}", retrieving("accounts", "account")),
    ("POST", "/accounts/{account}", accounts.update),
    ("GET", "/accounts/{account}/children", account_links.list_children),
    ("POST", "/accounts/{account}/children", account_links.add_child),
    ("GET", "/accounts/{account}/children/{child}", account_links.retrieve_child),
    ("DELETE", "/accounts/{account}/children/{child}", account_links.remove_child),
    ("GET", "/accounts/{account}/credits", account_links.read_credit),
    ("POST", "/accounts/{account}/credits", account_links.grant_credit),
    ("POST", "/accounts/{account}/entitlements", account_links.grant_entitlement),
    ("GET", "/accounts/{account}/entitlements/{entitlement}", account_links.check_entitlement),
    ("DELETE", "/accounts/{account}/entitlements/{entitlement}", account_links.revoke_entitlement),
    ("GET", "/activities", records.list_activities),
    ("POST", "/activities", records.record_activity),
    ("GET", "/billing_plans", catalog.list_plans),
    ("POST", "/billing_plans", catalog.creating("billing_plans")),
    ("GET", "/billing_plans/{billing_plan}", retrieving("billing_plans", "billing_plan")),
    ("POST", "/billing_plans/{billing_plan}", catalog.updating("billing_plans", "billing_plan")),
    ("GET", "/campaigns", listing_all("campaigns")),
    ("POST", "/campaigns", campaigns.create),
    ("POST", "/campaigns/{campaign}", campaigns.update),
    ("GET", "/entitlements", account_links.list_entitlements),
    ("GET", "/event_summaries", usage.list_summaries),
    ("GET", "/invoices", records.list_invoices),
    ("GET", "/invoices/{invoice}", retrieving("invoices", "invoice")),
    ("GET", "/payment_methods", payment_methods.list_methods),
    ("POST", "/payment_methods", payment_methods.create),
    ("GET", "/payment_methods/{payment_method}", retrieving("payment_methods", "payment_method")),
    ("POST", "/payment_methods/{payment_method}", payment_methods.update),
    ("POST", "/payments", payments.create),
    ("POST", "/payments/{payment}/actions/reverse", payments.reverse),
    ("GET", "/products", catalog.list_products),
    ("POST", "/products", catalog.creating("products")),
    ("GET", "/products/{product}", retrieving("products", "product")),
    ("POST", "/products/{product}", catalog.updating("products", "product")),
    ("GET", "/rate_plans", listing_all("rate_plans")),
    ("POST", "/rate_plans", catalog.creating("rate_plans")),
    ("GET", "/rate_plans/{rate_plan}", retrieving("rate_plans", "rate_plan")),
    ("GET", "/season_sets", listing_all("season_sets")),
    ("POST", "/season_sets", catalog.creating("season_sets")),
    ("GET", "/subscriptions", subscriptions.list_subscriptions),
    ("POST", "/subscriptions", subscriptions.create),
    ("GET", "/subscriptions/{subscription}", retrieving("subscriptions", "subscription")),
    ("POST", "/subscriptions/{subscription}", modify.update),
    ("POST", "/subscriptions/{subscription}/actions/cancel", cancel.cancel),
    ("POST", "/subscriptions/{subscription}/actions/finish", subscriptions.finish),
    ("POST", "/subscriptions/{subscription}/billing_day_changes", subscriptions.delay_billing),
    ("GET", "/subscriptions/{subscription}/billing_plan_history", subscriptions.list_plan_history),
    ("GET", "/subscriptions/{subscription}/subscription_item_history", subscriptions.list_item_history),
    ("GET", "/transactions", transactions.list_transactions),
    ("POST", "/transactions", transactions.create),
    ("GET", "/transactions/{transaction}", retrieving("transactions", "transaction")),
    ("POST", "/transactions/{transaction}/actions/cancel", transactions.cancel),
    ("POST", "/transactions/{transaction}/actions/capture", transactions.capture),
    ("GET", "/transactions/{transaction}/refunds", transactions.list_refunds),
    ("POST", "/transactions/{transaction}/refunds", transactions.create_refund),
)

# The undocumented operations of the billing API, whose URLs follow the specification's conventions.
_CONVENTIONAL: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/activities/{id}", retrieving("activities", "id")),
    ("GET", "/entitlements/{id}", account_links.retrieve_entitlement),
    ("GET", "/event_summaries/{id}", usage.retrieve),
    ("GET", "/campaigns/{campaign}", retrieving("campaigns", "campaign")),
    ("GET", "/payments", listing_all("payments")),
    ("GET", "/payments/{payment}", retrieving("payments", "payment")),
    ("GET", "/refunds", listing_all("refunds")),
    ("GET", "/refunds/{refund}", retrieving("refunds", "refund")),
    ("GET", "/season_sets/{season_set}", retrieving("season_sets", "season_set")),
    ("POST", "/season_sets/{season_set}", catalog.updating("season_sets", "season_set")),
    ("POST", "/rate_plans/{rate_plan}", catalog.updating("rate_plans", "rate_plan")),
    ("GET", "/tokens", listing_all("tokens")),
    ("GET", "/tokens/{token}", retrieving("tokens", "token")),
)

_GATEWAY = (
    Route("gateway", "POST", "/gateway/v1/campaigns/{campaign}/actions/activate", gateway.activate_campaign, True),
    Route("gateway", "GET", "/submgmt/v2/subscriptions/{id}", gateway.retrieve_subscription),
    Route("gateway", "POST", "/partnersub/v2/partnerSubscription/{id}/cancel", gateway.cancel_partner_subscription),
    Route("gateway", "POST", "/v1/entitlement/{id}/charge", gateway.charge_entitlement),
)

_STOREFRONT = (Route("storefront", "PUT", "/storefront/paymentMethod/account/{id}", storefront.update_payment_method),)


def _conventional(name: str) -> Iterator[Route]:
    one = f"/{name}/{{id}}"
    yield Route("billing", "GET", f"/{name}", listing_all(name))
    yield Route("billing", "POST", f"/{name}", usage.record_event if name == "events" else catalog.creating(name))
    yield Route("billing", "GET", one, retrieving(name, "id"))
    yield Route("billing", "POST", one, catalog.updating(name, "id"))
    yield Route("billing", "DELETE", one, records.deleting(name))


def _user_mgmt() -> Iterator[Route]:
    for template in user_mgmt.PAGINATED:
        yield Route("user_mgmt", "GET", user_mgmt.ROOT + template, user_mgmt.listing(template))
    custom_data = "/customData/v1/user/{userId}/{propertyArrayName}"
    yield Route("user_mgmt", "DELETE", custom_data, user_mgmt.delete_custom_data)


ROUTES: tuple[Route, ...] = (
    *(Route("billing", *operation) for operation in (*_BILLING, *_CONVENTIONAL)),
    *(route for name in CONVENTIONAL_COLLECTIONS for route in _conventional(name)),
    *_GATEWAY,
    *_user_mgmt(),
    *_STOREFRONT,
)
ROUTER = Router(ROUTES)
