"""The seeded data of the gateway and the account-lifecycle API: partner subscriptions, custom data, and entities."""

from __future__ import annotations

from decimal import Decimal

from ..values import Document, Value, copied, epoch_millis, text
from .seeder import CITIES, Seeder

USER = "user-0001"
OTHER_USER = "user-0002"


class LifecycleSeeder(Seeder):
    """Creates the partner subscriptions, custom data, and entities of the seeded merchant."""

    def run(self) -> None:
        """Add the seeded partner subscriptions, custom data, and entities to the store."""
        self._partner_subscriptions()
        self._custom_data()
        self._entities()

    def _partner_subscriptions(self) -> None:
        for kind in ("BILLING", "ENTITLEMENT"):
            for number in (1, 2):
                key = f"psub-{kind.lower()}-{number:04d}"
                self._store.partner_subscriptions[key] = {
                    "id": key,
                    "organizationId": "org-0001",
                    "partnerCode": "STREAMCO",
                    "createdDate": self._ago(120),
                    "updatedDate": self._ago(40),
                    "type": kind,
                    "partnerCustomerId": f"partner-customer-{number:04d}",
                    "billingPaymentMethod": "CarrierBilling",
                }

    def _custom_data(self) -> None:
        devices: list[Document] = [
            {
                "name": "living room",
                "kind": "tv",
                "age": 4,
                "active": True,
                "tags": ["home"],
                "os": {"name": "webos"},
            },
            {"name": "old phone", "kind": "phone", "age": 7, "active": False, "tags": [], "os": {"name": "android"}},
            {"name": "new phone", "kind": "phone", "age": 1, "active": True, "tags": ["mobile", "home"]},
            {"name": "tablet", "kind": "tablet", "age": 3, "active": True, "tags": [], "os": {"name": "android"}},
        ]
        bookmarks: list[Document] = [
            {"title": f"Episode {number}", "watched": number < 3, "seconds": 600 * number} for number in range(1, 6)
        ]
        self._store.custom_data["1001"] = {"devices": devices, "bookmarks": bookmarks}
        self._store.custom_data["1002"] = {"devices": [copied(devices[0])]}

    def _entities(self) -> None:
        self._store.users = {"me": "1001", USER: "1001", OTHER_USER: "1002"}
        user = self._entity("user", 1001, "First user")
        self._entity("user", 1002, "Second user")
        self._join(user, self._entity("group", 2001, "Household"))
        for number in (1, 2):
            self._join(user, self._entity("runtime", 3000 + number, f"Device {number}"))
        for number in range(1, 26):
            account = self._entity("account", 4000 + number, f"Customer {number:04d}", **self._account_fields(number))
            self._join(user, account)
            self._subscription_entities(user, account, number)
        self._join(("subscription", "5001"), self._entity("feature", 6001, "High definition"))

    def _entity(self, kind: str, key: int, name: str, **fields: Value) -> tuple[str, str]:
        at = epoch_millis(self._ago(200))
        self._store.entities[kind, str(key)] = {
            "id": key,
            "type": kind,
            "displayName": name,
            "status": "activated",
            "createdDate": at,
            "activatedDate": at,
            "updatedDate": at,
            "association": {"attributes": {}, "flags": {f"mint.{kind}.owner": "true"}},
            **fields,
        }
        return kind, str(key)

    def _join(self, one: tuple[str, str], other: tuple[str, str]) -> None:
        self._store.edges.append((one, other))

    def _account_fields(self, number: int) -> Document:
        account = self._store["accounts"].find(f"acct-{number:04d}") or {}
        billing: Document = {
            "id": f"bss-{number:04d}",
            "accountId": text(account, "id"),
            "email": text(account, "email"),
            "language": text(account, "language"),
            "name": text(account, "name"),
            "metadta": {"segment": "single"},  # the platform misspells `metadata` as `metadta`
            "addresses": [{"id": f"addr-{number:04d}", "city": CITIES[number % len(CITIES)], "country": "US"}],
        }
        return {
            "attributes": {
                "bssName": "billing",
                "billing.account.AccountNumber": f"AN-{number:06d}",
                "internalProviderAccountId": text(account, "vid"),
                "paymentProviderAccountId": text(account, "id"),
                "paymentProviderId": "provider-1",
                "bssAccounts": [billing],
                "paymentDetails": [_payment_detail(number)],
            }
        }

    def _subscription_entities(self, user: tuple[str, str], account: tuple[str, str], number: int) -> None:
        if number > len(self._store["subscriptions"]):
            return
        subscription = list(self._store["subscriptions"])[number - 1]
        detail: Document = {
            "id": f"pps-{number:04d}",
            "providerSubscriptionId": text(subscription, "id"),
            "internalProviderSubscriptionId": text(subscription, "vid"),
            "productId": "prod-basic",
            "productDescription": "Basic stream",
            "subscriptionPrice": Decimal("9.99"),
            "subscriptionCurrency": "USD",
            "subscriptionStartDate": epoch_millis(self._ago(100)),
            "paymentMethod": _payment_detail(number),
        }
        made = self._entity(
            "subscription",
            5000 + number,
            f"Subscription {number}",
            attributes={"paymentProviderSubscriptions": [detail]},
        )
        self._join(account, made)
        self._join(user, made)


def _payment_detail(number: int) -> Document:
    return {
        "id": f"pd-{number:04d}",
        "paymentMethodId": f"pm-card-{number:04d}",
        "paymentMethodName": "Credit card",
        "paymentTypeName": "CreditCard",
        "active": True,
        "primary": True,
        "status": "activated",
        "additionalFields": {},
        "cardNumber": f"XXXXXXXXXXXX{number:04d}",
        "expirationMonth": "12",
        "expirationYear": "2031",
    }
