"""A small model of the service: the payments, charges, subscriptions, refunds, and other data of one merchant.

The model follows the specification and the published reference. If neither has a fact, the model follows the
assumptions in docs/sandbox-assumptions.md.
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
    """A transaction: its amount, whether it was captured, and the refunded amount."""

    amount: Decimal
    captured: bool
    refunded: Decimal = Decimal(0)


@dataclass
class Reference:
    """The part of the sandbox's data that the random sequences read or change."""

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
        """Grant credit. Each call adds to the credit."""
        self.credit[account] = self.credit.get(account, Decimal(0)) + amount
        return "done"

    def subscribe(self, name: str) -> Ending:
        """Return how the creation of a subscription ends. An identifier can be used only once."""
        return "refused" if name in self.subscriptions else "done"

    def bill(self, name: str, account: str, product: str, transaction: str) -> Decimal:
        """Bill a new subscription: use the credit first, then charge the card at once. Return the charged amount."""
        used = min(self.credit.get(account, Decimal(0)), PRICES[product])
        self.credit[account] = self.credit.get(account, Decimal(0)) - used
        due = PRICES[product] - used
        self.subscriptions[name] = ("Active", transaction)
        self.sales[transaction] = Sale(due, captured=due > 0)
        return due

    def end(self, name: str, *, now: bool, settle: bool) -> Ending:
        """Cancel a subscription. `settle` refunds the unused part, which is everything, because no time passes."""
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
        """Create a transaction. An identifier can be used only once."""
        if name in self.sales:
            return "refused"
        self.sales[name] = Sale(amount, captured)
        return "done"

    def capture(self, name: str) -> Ending:
        """Capture a transaction that is authorized and not captured."""
        if name not in self.sales:
            return "missing"
        if self.sales[name].captured:
            return "refused"
        self.sales[name].captured = True
        return "done"

    def refund(self, name: str, amount: Decimal) -> Ending:
        """Refund a captured transaction, in any number of refunds, up to the amount that isn't refunded yet."""
        if name not in self.sales:
            return "missing"
        sale = self.sales[name]
        if not sale.captured or amount > sale.amount - sale.refunded:
            return "refused"
        sale.refunded += amount
        return "done"

    def pay(self, name: str, *, cash: bool) -> Ending:
        """Make a payment. An identifier can be used only once."""
        if name in self.payments:
            return "refused"
        self.payments[name] = "Success"
        if cash:
            self.cash.add(name)
        return "done"

    def reverse(self, name: str) -> Ending:
        """Reverse a payment of the Merchant Accepted Payment method (E1). Its status becomes `Failure`."""
        if name not in self.payments:
            return "missing"
        if name not in self.cash:
            return "refused"
        self.payments[name] = "Failure"
        return "done"

    def cancel(self, name: str) -> Ending:
        """Cancel a partner subscription, which must have the type `BILLING` (E7)."""
        if name not in self.partners:
            return "missing"
        kind, _ = self.partners[name]
        if kind != "BILLING":
            return "refused"
        self.partners[name] = (kind, "CANCELLED")
        return "done"

    def charge(self, name: str, transaction_id: str, amount: Decimal) -> Ending:
        """Send an entitlement charge for a subscription that the platform manages. Every charge counts (E8)."""
        if name not in self.partners:
            return "missing"
        if self.partners[name][0] != "ENTITLEMENT":
            return "refused"
        self.charges.append((name, transaction_id, amount))
        return "done"

    def set_flags(self, account: str, method: str, *, primary: bool, active: bool) -> Ending:
        """Set the flags of a payment method. At most one payment method of an account is primary (E11)."""
        methods = self.flags.get(account, {})
        if method not in methods:
            return "missing"
        if primary:
            methods.update({name: (False, was_active) for name, (_, was_active) in methods.items()})
        methods[method] = (primary, active)
        return "done"

    def delete_items(self, wanted: Callable[[Mapping[str, Any]], bool]) -> None:
        """Delete the items that the filter selects (E9)."""
        self.items = [item for item in self.items if not wanted(item)]

    def discount(self, name: str, *, percentage: Decimal | None, flat: Decimal | None) -> Ending:
        """Set the discount of a campaign. The two kinds of discount exclude each other (E2)."""
        if name not in self.campaigns:
            return "missing"
        self.campaigns[name].update({"percentage_discount": percentage, "flat": flat})
        return "done"

    def rename(self, name: str, aliases: list[str]) -> Ending:
        """Replace the aliases of a campaign (E2)."""
        if name not in self.campaigns:
            return "missing"
        self.campaigns[name]["aliases"] = aliases
        return "done"

    def open_account(self, name: str, email: str) -> Ending:
        """Create an account. An identifier can be used only once."""
        if name in self.accounts:
            return "refused"
        self.accounts[name] = email
        return "done"

    def move(self, name: str, email: str) -> Ending:
        """Change the email address of an account."""
        if name not in self.accounts:
            return "missing"
        self.accounts[name] = email
        return "done"
