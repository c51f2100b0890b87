"""Specified or published facts about the seeded merchant's payments, charges, subscriptions, refunds, credit and so on.

Where neither says anything, the assumption of docs/sandbox.md holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Literal

PRICES = {"prod-basic": Decimal("9.99"), "prod-premium": Decimal("19.99"), "prod-api": Decimal(0)}

Ending = Literal["done", "missing", "refused"]


@dataclass
class Sale:
    """A transaction: what was charged, whether it was taken, what was refunded."""

    amount: Decimal
    captured: bool
    refunded: Decimal = Decimal(0)


@dataclass
class Reference:
    """The seeded merchant, as far as the sequences touch it."""

    payments: dict[str, str] = field(default_factory=lambda: {"pay-cash-0001": "Success", "pay-card-0002": "Success"})
    cash: set[str] = field(default_factory=lambda: {"pay-cash-0001"})
    partners: dict[str, tuple[str, str | None]] = field(
        default_factory=lambda: {
            "psub-billing-0001": ("BILLING", None),
            "psub-billing-0002": ("BILLING", None),
            "psub-entitlement-0001": ("ENTITLEMENT", None),
            "psub-entitlement-0002": ("ENTITLEMENT", None),
        }
    )
    charges: list[tuple[str, str, Decimal]] = field(default_factory=list[tuple[str, str, Decimal]])
    flags: dict[str, dict[str, tuple[bool, bool]]] = field(
        default_factory=lambda: {
            "acct-0001": {"pm-card-0001": (True, True), "pm-cash-0001": (False, True)},
            "acct-0002": {"pm-card-0002": (True, True)},
        }
    )
    items: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    campaigns: dict[str, dict[str, Any]] = field(
        default_factory=lambda: {
            "camp-summer": {"percentage_discount": Decimal(20), "aliases": ["SUN"], "flat": None},
            "camp-flat": {"percentage_discount": None, "aliases": None, "flat": Decimal("5.00")},
        }
    )
    accounts: dict[str, str] = field(
        default_factory=lambda: {f"acct-{number:04d}": f"customer-{number:04d}@example.com" for number in range(1, 26)}
    )

    credit: dict[str, Decimal] = field(default_factory=dict[str, Decimal])
    subscriptions: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    sales: dict[str, Sale] = field(default_factory=dict[str, Sale])

    def grant(self, account: str, amount: Decimal) -> Ending:
        """Grant credit; each call grants anew."""
        self.credit[account] = self.credit.get(account, Decimal(0)) + amount
        return "done"

    def subscribe(self, name: str) -> Ending:
        """Create a subscription; an identifier is used once."""
        return "refused" if name in self.subscriptions else "done"

    def bill(self, name: str, account: str, product: str, transaction: str) -> Decimal:
        """Bill a new subscription by card: credit first, then money, which is captured at once."""
        used = min(self.credit.get(account, Decimal(0)), PRICES[product])
        self.credit[account] = self.credit.get(account, Decimal(0)) - used
        due = PRICES[product] - used
        self.subscriptions[name] = ("Active", transaction)
        self.sales[transaction] = Sale(due, captured=due > 0)
        return due

    def end(self, name: str, *, now: bool, settle: bool) -> Ending:
        """Cancel a subscription; `settle` refunds what is unused, which is everything while no time passes."""
        if name not in self.subscriptions:
            return "missing"
        status, transaction = self.subscriptions[name]
        if status == "Cancelled" or (status == "Pending Cancel" and not now):
            return "refused"
        if now and settle:
            sale = self.sales[transaction]
            sale.refunded = sale.amount
        self.subscriptions[name] = ("Cancelled" if now else "Pending Cancel", transaction)
        return "done"

    def sell(self, name: str, amount: Decimal, *, captured: bool) -> Ending:
        """Create a transaction; an identifier is used once."""
        if name in self.sales:
            return "refused"
        self.sales[name] = Sale(amount, captured)
        return "done"

    def capture(self, name: str) -> Ending:
        """Capture what is authorized and not captured."""
        if name not in self.sales:
            return "missing"
        if self.sales[name].captured:
            return "refused"
        self.sales[name].captured = True
        return "done"

    def refund(self, name: str, amount: Decimal) -> Ending:
        """Refund a captured transaction, up to what is not refunded yet, any number of times."""
        if name not in self.sales:
            return "missing"
        sale = self.sales[name]
        if not sale.captured or amount > sale.amount - sale.refunded:
            return "refused"
        sale.refunded += amount
        return "done"

    def pay(self, name: str, *, cash: bool) -> Ending:
        """Make a payment; an identifier is used once."""
        if name in self.payments:
            return "refused"
        self.payments[name] = "Success"
        if cash:
            self.cash.add(name)
        return "done"

    def reverse(self, name: str) -> Ending:
        """E1: only payments made with the Merchant Accepted Payment method; the status becomes `Failure`."""
        if name not in self.payments:
            return "missing"
        if name not in self.cash:
            return "refused"
        self.payments[name] = "Failure"
        return "done"

    def cancel(self, name: str) -> Ending:
        """E7: only records of type `BILLING`."""
        if name not in self.partners:
            return "missing"
        kind, _ = self.partners[name]
        if kind != "BILLING":
            return "refused"
        self.partners[name] = (kind, "CANCELLED")
        return "done"

    def charge(self, name: str, transaction_id: str, amount: Decimal) -> Ending:
        """E8: only platform-managed subscriptions; every charge counts."""
        if name not in self.partners:
            return "missing"
        if self.partners[name][0] != "ENTITLEMENT":
            return "refused"
        self.charges.append((name, transaction_id, amount))
        return "done"

    def set_flags(self, account: str, method: str, *, primary: bool, active: bool) -> Ending:
        """E11: at most one method of an account is the primary one."""
        methods = self.flags.get(account, {})
        if method not in methods:
            return "missing"
        if primary:
            methods.update({name: (False, was_active) for name, (_, was_active) in methods.items()})
        methods[method] = (primary, active)
        return "done"

    def delete_items(self, wanted: Callable[[Mapping[str, Any]], bool]) -> None:
        """E9: the items that the filter selects are gone."""
        self.items = [item for item in self.items if not wanted(item)]

    def discount(self, name: str, *, percentage: Decimal | None, flat: Decimal | None) -> Ending:
        """E2: the two kinds of discount exclude each other."""
        if name not in self.campaigns:
            return "missing"
        self.campaigns[name].update({"percentage_discount": percentage, "flat": flat})
        return "done"

    def rename(self, name: str, aliases: list[str]) -> Ending:
        """E2: aliases replace those that were there."""
        if name not in self.campaigns:
            return "missing"
        self.campaigns[name]["aliases"] = aliases
        return "done"

    def open_account(self, name: str, email: str) -> Ending:
        """Create an account; an identifier is used once."""
        if name in self.accounts:
            return "refused"
        self.accounts[name] = email
        return "done"

    def move(self, name: str, email: str) -> Ending:
        """Give an account another e-mail address."""
        if name not in self.accounts:
            return "missing"
        self.accounts[name] = email
        return "done"
