"""The merchant in every new sandbox: a small streaming service. Only the vids of the merchant's data depend on the seed.

All bills of the seeded merchant happened before the sandbox's start time, so no bill is due at the first call.

| Data | IDs |
|---|---|
| Accounts | `acct-0001` to `acct-0025`; `acct-0002` is a child of `acct-0001`; email addresses `customer-0001@example.com` and so on |
| Payment methods | `pm-card-0001` (primary) and `pm-cash-0001` (Merchant Accepted Payment) of `acct-0001`; `pm-card-0002` to `pm-card-0020` of the accounts with these numbers; `pm-debit-0021` (Direct Debit), `pm-carrier-0022` (carrier billing), `pm-external-0023`, `pm-paypal-0024`; `pm-declined-0025` of `acct-0025`, a card that is always declined |
| Products | `prod-basic` (9.99 USD), `prod-premium` (19.99 USD), `prod-addon` (4.99 USD), `prod-api` (usage) |
| Billing plans | `plan-monthly`, `plan-annual` (90.00 USD a year in addition to the prices of the products), `plan-trial-monthly` (7 days free, then monthly), `plan-three-months` (ends after three months) |
| Season set and rate plan | `season-football`, `rate-api-calls` |
| Campaigns | `camp-summer` (Active promotion, 20 %, code `SUMMER`, alias `SUN`), `camp-flat` (Active coupon, 5.00 USD, codes `FIVE-0001` to `FIVE-0003`), `camp-draft` (Pending), `camp-old` (Complete) |
| Subscriptions | `sub-basic-0001` (Active, card, monthly), `sub-premium-0002` (Active, annual), `sub-trial-0003` (Active, in its trial), `sub-cancelling-0004` (Pending Cancel), `sub-cancelled-0005` (Cancelled), `sub-cash-0006` (Active, Merchant Accepted Payment, balance due), `sub-usage-0007` (Active, with unbilled usage), `sub-future-0008` (Pending Activation) |
| Payments | `pay-cash-0001` (Merchant Accepted Payment, `Success`), `pay-card-0002` (card; cannot be reversed) |
| Partner subscriptions | `psub-billing-0001`, `psub-billing-0002`, `psub-entitlement-0001`, `psub-entitlement-0002` |
| Account-lifecycle API | User `user-0001` (also `me`), and another user `user-0002`; 25 linked accounts, 4001 to 4025; arrays `devices` and `bookmarks` of `user-0001` |
"""  # noqa: E501  a table

from __future__ import annotations

from datetime import datetime

from ..settings import Settings
from ..store import Store
from .catalog import CatalogSeeder
from .customers import CustomerSeeder
from .lifecycle import LifecycleSeeder
from .subscriptions import SubscriptionSeeder


def seed(store: Store, start: datetime, settings: Settings) -> None:
    """Fill a store with the merchant's state at the time `start`."""
    for part in (CustomerSeeder, CatalogSeeder, SubscriptionSeeder, LifecycleSeeder):
        part(store, start, settings).run()
