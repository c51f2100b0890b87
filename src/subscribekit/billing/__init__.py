"""The clients of the billing API, and the classes of its resources for annotations.

Python imports the async client and the classes of the resources when you first use them.
"""

from typing import TYPE_CHECKING

from .._lazy import imported
from .client import BillingClient

if TYPE_CHECKING:
    from .._generated.aio.billing.accounts import AsyncAccounts
    from .._generated.aio.billing.activities import AsyncActivities
    from .._generated.aio.billing.billing_plans import AsyncBillingPlans
    from .._generated.aio.billing.campaigns import AsyncCampaigns
    from .._generated.aio.billing.cursor_collection import AsyncCursorCollection
    from .._generated.aio.billing.entitlements import AsyncEntitlements
    from .._generated.aio.billing.event_summaries import AsyncEventSummaries
    from .._generated.aio.billing.events import AsyncEvents
    from .._generated.aio.billing.generic_resource import AsyncGenericResource
    from .._generated.aio.billing.invoices import AsyncInvoices
    from .._generated.aio.billing.payment_methods import AsyncPaymentMethods
    from .._generated.aio.billing.payments import AsyncPayments
    from .._generated.aio.billing.products import AsyncProducts
    from .._generated.aio.billing.rate_plans import AsyncRatePlans
    from .._generated.aio.billing.refunds import AsyncRefunds
    from .._generated.aio.billing.season_sets import AsyncSeasonSets
    from .._generated.aio.billing.subscriptions import AsyncSubscriptions
    from .._generated.aio.billing.transactions import AsyncTransactions
    from .._generated.sync.billing.accounts import Accounts
    from .._generated.sync.billing.activities import Activities
    from .._generated.sync.billing.billing_plans import BillingPlans
    from .._generated.sync.billing.campaigns import Campaigns
    from .._generated.sync.billing.cursor_collection import CursorCollection
    from .._generated.sync.billing.entitlements import Entitlements
    from .._generated.sync.billing.event_summaries import EventSummaries
    from .._generated.sync.billing.events import Events
    from .._generated.sync.billing.generic_resource import GenericResource
    from .._generated.sync.billing.invoices import Invoices
    from .._generated.sync.billing.payment_methods import PaymentMethods
    from .._generated.sync.billing.payments import Payments
    from .._generated.sync.billing.products import Products
    from .._generated.sync.billing.rate_plans import RatePlans
    from .._generated.sync.billing.refunds import Refunds
    from .._generated.sync.billing.season_sets import SeasonSets
    from .._generated.sync.billing.subscriptions import Subscriptions
    from .._generated.sync.billing.transactions import Transactions
    from .async_client import AsyncBillingClient

__all__ = [
    "Accounts",
    "Activities",
    "AsyncAccounts",
    "AsyncActivities",
    "AsyncBillingClient",
    "AsyncBillingPlans",
    "AsyncCampaigns",
    "AsyncCursorCollection",
    "AsyncEntitlements",
    "AsyncEventSummaries",
    "AsyncEvents",
    "AsyncGenericResource",
    "AsyncInvoices",
    "AsyncPaymentMethods",
    "AsyncPayments",
    "AsyncProducts",
    "AsyncRatePlans",
    "AsyncRefunds",
    "AsyncSeasonSets",
    "AsyncSubscriptions",
    "AsyncTransactions",
    "BillingClient",
    "BillingPlans",
    "Campaigns",
    "CursorCollection",
    "Entitlements",
    "EventSummaries",
    "Events",
    "GenericResource",
    "Invoices",
    "PaymentMethods",
    "Payments",
    "Products",
    "RatePlans",
    "Refunds",
    "SeasonSets",
    "Subscriptions",
    "Transactions",
]

_WHERE = {
    "accounts": "Accounts",
    "activities": "Activities",
    "billing_plans": "BillingPlans",
    "campaigns": "Campaigns",
    "cursor_collection": "CursorCollection",
    "entitlements": "Entitlements",
    "event_summaries": "EventSummaries",
    "events": "Events",
    "generic_resource": "GenericResource",
    "invoices": "Invoices",
    "payment_methods": "PaymentMethods",
    "payments": "Payments",
    "products": "Products",
    "rate_plans": "RatePlans",
    "refunds": "Refunds",
    "season_sets": "SeasonSets",
    "subscriptions": "Subscriptions",
    "transactions": "Transactions",
}
_MODULE_OF = {"AsyncBillingClient": "async_client"} | {
    f"{prefix}{name}": f"._generated.{form}.billing.{module}"
    for module, name in _WHERE.items()
    for form, prefix in (("sync", ""), ("aio", "Async"))
}


def __getattr__(name: str) -> object:
    value = imported(__name__, _MODULE_OF, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
