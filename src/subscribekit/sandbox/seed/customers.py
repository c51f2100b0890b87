"""The accounts of the seeded merchant, and their payment methods."""

from __future__ import annotations

from ..billing.rules.ledger import DECLINED_CARD, kept_card
from ..billing.rules.pricing import ZERO
from ..values import Document
from .seeder import CITIES, Seeder


class CustomerSeeder(Seeder):
    """Creates the accounts and the payment methods of the seeded merchant."""

    def run(self) -> None:
        """Add the seeded accounts and payment methods to the store."""
        self._accounts()
        self._payment_methods()

    def _accounts(self) -> None:
        for number in range(1, 26):
            self._store.add(
                "accounts",
                {
                    "id": f"acct-{number:04d}",
                    "created": self._ago(400 - number),
                    "default_currency": "USD",
                    "email": f"customer-{number:04d}@example.com",
                    "email_type": "html",
                    "language": "en-US",
                    "notify_before_billing": number % 2 == 0,
                    "name": f"Customer {number:04d}",
                    "shipping_address": self._address(number),
                    "metadata": {"segment": "family" if number % 3 == 0 else "single"},
                },
            )
        child = self._store["accounts"].find("acct-0002")
        if child is not None:
            child["parent"] = self._link("accounts", "acct-0001")

    def _address(self, number: int) -> Document:
        return {
            "object": "Address",
            "vid": self._store.new_vid("Address"),
            "name": f"Customer {number:04d}",
            "line1": f"{100 + number} Main Street",
            "city": CITIES[number % len(CITIES)],
            "postal_code": f"{94000 + number}",
            "country": "US",
        }

    def _payment_methods(self) -> None:
        self._method("pm-card-0001", 1, "CreditCard", "credit_card", self._card("4111111111111111"), primary=True)
        cash: Document = {"object": "MerchantAcceptedPayment", "amount": ZERO, "payment_type": "Cheque"}
        cash["created"] = self._ago(389)
        self._method("pm-cash-0001", 1, "MerchantAcceptedPayment", "merchant_accepted_payment", cash, primary=False)
        for number in range(2, 21):
            card = self._card(f"41111111111{number:05d}")
            self._method(f"pm-card-{number:04d}", number, "CreditCard", "credit_card", card)
        debit: Document = {"object": "DirectDebit", "account": "XXXXXXXXXXXXXXXXXX3000", "country_code": "DE"}
        debit |= {"_account": "DE89370400440532013000", "last_digits": "3000", "account_length": 22}
        self._method("pm-debit-0021", 21, "DirectDebit", "direct_debit", debit)
        self._method("pm-carrier-0022", 22, "CarrierBilling", "carrier_billing", _carrier())
        external: Document = {"object": "ExternalBilling", "bill_receiver": "CES", "financial_account": "fa-0023"}
        self._method("pm-external-0023", 23, "ExternalBilling", "external_billing", external)
        paypal: Document = {"object": "PayPal", "paypal_email": "customer-0024@example.com"}
        self._method("pm-paypal-0024", 24, "PayPal", "paypal", paypal)
        self._method("pm-declined-0025", 25, "CreditCard", "credit_card", self._card(DECLINED_CARD))

    def _card(self, account: str) -> Document:
        return {"object": "CreditCard", **kept_card(self._store, account), "expiration_date": "203112"}

    def _method(self, key: str, number: int, kind: str, detail: str, fields: Document, *, primary: bool = True) -> None:
        self._store.add(
            "payment_methods",
            {
                "id": key,
                "created": self._ago(390 - number),
                "type": kind,
                detail: fields,
                "account_holder": f"Customer {number:04d}",
                "currency": "USD",
                "primary": primary,
                "active": True,
                "_account": self._link("accounts", f"acct-{number:04d}"),
            },
        )


def _carrier() -> Document:
    return {
        "object": "CarrierBilling",
        "phone_number": {
            "object": "PhoneNumber",
            "phone_type": "CS",
            "country_code": "1",
            "area_code": "650",
            "local_number": "5550122",
        },
        "encoded_phone_number": "enc-0022",
        "carrier": "Example Mobile",
        "currency": "USD",
        "country_code": "US",
    }
