"""The merchant in every new sandbox: a small streaming service.

Only the vids of the merchant's data depend on the seed. All bills of the seeded merchant happened before the sandbox's
start time, so no bill is due at the first call.

The accounts are `acct-0001` to `acct-0025`, with the email addresses `customer-0001@example.com` to
`customer-0025@example.com`. The account `acct-0002` is a child of `acct-0001`.

The account `acct-0001` has the primary payment method `pm-card-0001`, and the Merchant Accepted Payment method
`pm-cash-0001`. The accounts `acct-0002` to `acct-0020` have the cards `pm-card-0002` to `pm-card-0020`. The accounts
`acct-0021` to `acct-0024` have the payment methods `pm-debit-0021` (Direct Debit), `pm-carrier-0022` (carrier billing),
`pm-external-0023`, and `pm-paypal-0024`. The account `acct-0025` has the card `pm-declined-0025`, which is always
declined.

The products are `prod-basic` (9.99 USD), `prod-premium` (19.99 USD), `prod-addon` (4.99 USD), and `prod-api` (billed by
usage). The billing plan `plan-monthly` is monthly, and `plan-annual` costs 90.00 USD a year in addition to the prices
of the products. The billing plan `plan-trial-monthly` is free for 7 days and then monthly, and `plan-three-months` ends
after three months. The season set is `season-football`, and the rate plan is `rate-api-calls`.

The campaign `camp-summer` is an active promotion of 20 % with the code `SUMMER` and the alias `SUN`. The campaign
`camp-flat` is an active coupon of 5.00 USD with the codes `FIVE-0001` to `FIVE-0003`. The campaign `camp-draft` is
`Pending`, and `camp-old` is `Complete`.

The subscription `sub-basic-0001` is `Active`, monthly, and paid by card. The subscription `sub-premium-0002` is
`Active` and annual, and `sub-trial-0003` is `Active` and in its trial. The subscription `sub-cancelling-0004` is
`Pending Cancel`, and `sub-cancelled-0005` is `Cancelled`. The subscription `sub-cash-0006` is `Active` and paid by
Merchant Accepted Payment, and has a balance that is due. The subscription `sub-usage-0007` is `Active` and has unbilled
usage, and `sub-future-0008` is `Pending Activation`.

The payment `pay-cash-0001` is a Merchant Accepted Payment with the status `Success`. The payment `pay-card-0002` was
made by card, so it can't be reversed. The partner subscriptions are `psub-billing-0001`, `psub-billing-0002`,
`psub-entitlement-0001`, and `psub-entitlement-0002`.

In the account-lifecycle API, the users are `user-0001`, which is also `me`, and `user-0002`. The user `user-0001` has
25 linked accounts, 4001 to 4025, and the custom data arrays `devices` and `bookmarks`.
"""

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
