"""The routing table: every operation the sandbox answers."""

from __future__ import annotations

from collections.abc import Iterator

from . import (
    billing_accounts,
    billing_campaigns,
    billing_cancel,
    billing_catalog,
    billing_family,
    billing_modify,
    billing_payment_methods,
    billing_payments,
    billing_records,
    billing_subscriptions,
    billing_transactions,
    billing_usage,
    gateway,
    lifecycle,
    storefront,
)
from .resources import listing, retrieving
from .router import Handler, Route, Router
from .store import CONVENTIONAL_COLLECTIONS

# Specified (E1 to E4) and published operations of group A.
_BILLING: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/accounts", billing_accounts.list_accounts),
    ("POST", "/accounts", billing_accounts.create),
    ("GET", "/accounts/{account}", retrieving("accounts", "account")),
    ("POST", "/accounts/{account}", billing_accounts.update),
    ("GET", "/accounts/{account}/children", billing_family.list_children),
    ("POST", "/accounts/{account}/children", billing_family.add_child),
    ("GET", "/accounts/{account}/children/{child}", billing_family.retrieve_child),
    ("DELETE", "/accounts/{account}/children/{child}", billing_family.remove_child),
    ("GET", "/accounts/{account}/credits", billing_family.read_credit),
    ("POST", "/accounts/{account}/credits", billing_family.grant_credit),
    ("POST", "/accounts/{account}/entitlements", billing_family.grant_entitlement),
    ("GET", "/accounts/{account}/entitlements/{entitlement}", billing_family.check_entitlement),
    ("DELETE", "/accounts/{account}/entitlements/{entitlement}", billing_family.revoke_entitlement),
    ("GET", "/activities", billing_records.list_activities),
    ("POST", "/activities", billing_records.record_activity),
    ("GET", "/billing_plans", billing_catalog.list_plans),
    ("POST", "/billing_plans", billing_catalog.creating("billing_plans")),
    ("GET", "/billing_plans/{billing_plan}", retrieving("billing_plans", "billing_plan")),
    ("POST", "/billing_plans/{billing_plan}", billing_catalog.updating("billing_plans", "billing_plan")),
    ("GET", "/campaigns", listing("campaigns")),
    ("POST", "/campaigns", billing_campaigns.create),
    ("POST", "/campaigns/{campaign}", billing_campaigns.update),
    ("GET", "/entitlements", billing_family.list_entitlements),
    ("GET", "/event_summaries", billing_usage.list_summaries),
    ("GET", "/invoices", billing_records.list_invoices),
    ("GET", "/invoices/{invoice}", retrieving("invoices", "invoice")),
    ("GET", "/payment_methods", billing_payment_methods.list_methods),
    ("POST", "/payment_methods", billing_payment_methods.create),
    ("GET", "/payment_methods/{payment_method}", retrieving("payment_methods", "payment_method")),
    ("POST", "/payment_methods/{payment_method}", billing_payment_methods.update),
    ("POST", "/payments", billing_payments.create),
    ("POST", "/payments/{payment}/actions/reverse", billing_payments.reverse),
    ("GET", "/products", billing_catalog.list_products),
    ("POST", "/products", billing_catalog.creating("products")),
    ("GET", "/products/{product}", retrieving("products", "product")),
    ("POST", "/products/{product}", billing_catalog.updating("products", "product")),
    ("GET", "/rate_plans", listing("rate_plans")),
    ("POST", "/rate_plans", billing_catalog.creating("rate_plans")),
    ("GET", "/rate_plans/{rate_plan}", retrieving("rate_plans", "rate_plan")),
    ("GET", "/season_sets", listing("season_sets")),
    ("POST", "/season_sets", billing_catalog.creating("season_sets")),
    ("GET", "/subscriptions", billing_subscriptions.list_subscriptions),
    ("POST", "/subscriptions", billing_subscriptions.create),
    ("GET", "/subscriptions/{subscription}", retrieving("subscriptions", "subscription")),
    ("POST", "/subscriptions/{subscription}", billing_modify.update),
    ("POST", "/subscriptions/{subscription}/actions/cancel", billing_cancel.cancel),
    ("POST", "/subscriptions/{subscription}/actions/finish", billing_subscriptions.finish),
    ("POST", "/subscriptions/{subscription}/billing_day_changes", billing_subscriptions.delay_billing),
    ("GET", "/subscriptions/{subscription}/billing_plan_history", billing_subscriptions.plan_history),
    ("GET", "/subscriptions/{subscription}/subscription_item_history", billing_subscriptions.item_history),
    ("GET", "/transactions", billing_transactions.list_transactions),
    ("POST", "/transactions", billing_transactions.create),
    ("GET", "/transactions/{transaction}", retrieving("transactions", "transaction")),
    ("POST", "/transactions/{transaction}/actions/cancel", billing_transactions.cancel),
    ("POST", "/transactions/{transaction}/actions/capture", billing_transactions.capture),
    ("GET", "/transactions/{transaction}/refunds", billing_transactions.list_refunds),
    ("POST", "/transactions/{transaction}/refunds", billing_transactions.create_refund),
)

# What follows the conventions of the specification alone; no operation is published.
_CONVENTIONAL: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/activities/{id}", retrieving("activities", "id")),
    ("GET", "/entitlements/{id}", billing_family.retrieve_entitlement),
    ("GET", "/event_summaries/{id}", billing_usage.retrieve),
    ("GET", "/campaigns/{campaign}", retrieving("campaigns", "campaign")),
    ("GET", "/payments", listing("payments")),
    ("GET", "/payments/{payment}", retrieving("payments", "payment")),
    ("GET", "/refunds", listing("refunds")),
    ("GET", "/refunds/{refund}", retrieving("refunds", "refund")),
    ("GET", "/season_sets/{season_set}", retrieving("season_sets", "season_set")),
    ("POST", "/season_sets/{season_set}", billing_catalog.updating("season_sets", "season_set")),
    ("POST", "/rate_plans/{rate_plan}", billing_catalog.updating("rate_plans", "rate_plan")),
    ("GET", "/tokens", listing("tokens")),
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
    yield Route("billing", "GET", f"/{name}", listing(name))
    yield Route("billing", "POST", f"/{name}", billing_records.creating(name))
    yield Route("billing", "GET", one, retrieving(name, "id"))
    yield Route("billing", "POST", one, billing_records.updating(name))
    yield Route("billing", "DELETE", one, billing_records.deleting(name))


def _user_mgmt() -> Iterator[Route]:
    for template in lifecycle.PAGINATED:
        yield Route("user_mgmt", "GET", lifecycle.ROOT + template, lifecycle.listing(template))
    custom_data = "/customData/v1/user/{userId}/{propertyArrayName}"
    yield Route("user_mgmt", "DELETE", custom_data, lifecycle.delete_custom_data)


ROUTES: tuple[Route, ...] = (
    *(Route("billing", *operation) for operation in (*_BILLING, *_CONVENTIONAL)),
    *(route for name in CONVENTIONAL_COLLECTIONS for route in _conventional(name)),
    *_GATEWAY,
    *_user_mgmt(),
    *_STOREFRONT,
)
ROUTER = Router(ROUTES)
