"""The subscriptions of the seeded merchant, their usage, and the payments."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from ..billing.rules.cycle import open_billing
from ..billing.rules.ledger import new_transaction
from ..billing.rules.pricing import ZERO
from ..billing.rules.rating import new_usage
from ..values import Document, documents, value_list
from .seeder import Seeder


class SubscriptionSeeder(Seeder):
    """Creates the subscriptions, the usage, and the payments of the seeded merchant."""

    def run(self) -> None:
        """Add the seeded subscriptions, usage, and payments to the store."""
        self._subscriptions()
        self._usage()
        self._payments()

    def _subscriptions(self) -> None:
        self._subscription("sub-basic-0001", 1, "plan-monthly", ("prod-basic",), 20)
        self._subscription("sub-premium-0002", 2, "plan-annual", ("prod-premium", "prod-addon"), 100)
        self._subscription("sub-trial-0003", 3, "plan-trial-monthly", ("prod-basic",), 2)
        cancelling = self._subscription("sub-cancelling-0004", 4, "plan-monthly", ("prod-basic",), 10)
        cancelled = self._subscription("sub-cancelled-0005", 5, "plan-monthly", ("prod-basic",), 25)
        self._subscription("sub-cash-0006", 1, "plan-monthly", ("prod-premium",), 5, method="pm-cash-0001")
        self._subscription("sub-usage-0007", 7, "plan-monthly", ("prod-api",), 15)
        self._end(cancelling, "Pending Cancel", self._start + timedelta(days=20))
        self._end(cancelled, "Cancelled", self._ago(15))
        self._future()

    def _subscription(
        self, key: str, number: int, plan: str, products: Sequence[str], age: int, *, method: str = ""
    ) -> Document:
        at = self._ago(age)
        subscription = self._store.add("subscriptions", self._fields(key, number, plan, at, method))
        subscription["items"] = value_list(
            self._item(key, index, product, at, at) for index, product in enumerate(products)
        )
        open_billing(self._store, subscription, at, self._settings)
        return subscription

    def _fields(self, key: str, number: int, plan: str, at: datetime, method: str) -> Document:
        return {
            "id": key,
            "account": self._link("accounts", f"acct-{number:04d}"),
            "payment_method": self._link("payment_methods", method or f"pm-card-{number:04d}"),
            "billing_plan": self._link("billing_plans", plan),
            "currency": "USD",
            "created": at,
            "starts": at,
            "billing_day": at.day,
            "minimum_commitment": 0,
            "notify_on_transition": False,
            "statement_format": "DoNotSend",
            "metadata": {},
            "_plan_history": [{"plan": self._link("billing_plans", plan).vid, "starts": at}],
        }

    def _end(self, subscription: Document, status: str, ends: datetime) -> None:
        subscription |= {"status": status, "billing_state": "Billing Completed", "ends": ends, "entitled_through": ends}
        subscription["_paid_until"] = subscription.pop("_next")
        for item in documents(subscription, "items"):
            item["ends"] = ends

    def _future(self) -> None:
        starts = self._start + timedelta(days=30)
        fields = self._fields("sub-future-0008", 8, "plan-monthly", self._ago(1), "")
        fields |= {"starts": starts, "_begins": starts, "status": "Pending Activation", "billing_state": "Unbilled"}
        subscription = self._store.add("subscriptions", {**fields, "balance": ZERO, "billing_day": starts.day})
        subscription["items"] = [self._item("sub-future-0008", 0, "prod-basic", self._ago(1), starts)]

    def _item(self, key: str, index: int, product: str, created: datetime, starts: datetime) -> Document:
        return {
            "object": "SubscriptionItem",
            "id": f"{key}-item-{index}",
            "vid": self._store.new_vid("SubscriptionItem"),
            "index": index,
            "product": self._link("products", product),
            "currency": "USD",
            "quantity": 1,
            "created": created,
            "starts": starts,
        }

    def _usage(self) -> None:
        for key, plan_units in (("sub-usage-0007", (3, 8, 13)), ("sub-basic-0001", (2,))):
            subscription = self._store["subscriptions"].find(key) or {}
            item = documents(subscription, "items")[0]
            usage = new_usage(self._store, subscription, item, self._link("rate_plans", "rate-api-calls"))
            usage["_events"] = value_list(
                {"at": self._ago(14 - 2 * at), "units": units, "billed": at == 0} for at, units in enumerate(plan_units)
            )

    def _payments(self) -> None:
        for key, method, price in (
            ("pay-cash-0001", "pm-cash-0001", "19.99"),
            ("pay-card-0002", "pm-card-0001", "9.99"),
        ):
            at = self._ago(4)
            owner = self._link("accounts", "acct-0001")
            transaction = new_transaction(
                self._store,
                at,
                self._settings,
                account=owner,
                method=self._store["payment_methods"].find(method),
                amount=Decimal(price),
                currency="USD",
                statuses=("New", "Captured"),
                identifier=f"txn-{key}",
            )
            self._store.add(
                "payments",
                {
                    "id": key,
                    "created": at,
                    "account": owner,
                    "amount": Decimal(price),
                    "currency": "USD",
                    "payment_method": self._link("payment_methods", method),
                    "status": "Success",
                    "_transaction": self._store["transactions"].link(transaction),
                },
            )
