"""Call the eleven operations of the specification, and print each call, its result, and its request and trace IDs.

    python examples/quickstart.py

By default, the example uses the sandbox inside the package, which needs no account and no network. To use a real
environment, set `SUBSCRIBEKIT_ENVIRONMENT`, and the addresses and credentials of that environment. The page "Start in
five minutes" of the documentation describes these variables. In a real environment, the IDs come from options, or from
variables such as `SUBSCRIBEKIT_QUICKSTART_PAYMENT`. The example skips each step whose IDs are missing, and changes data
only if you pass `--write`.
"""

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeVar

from subscribekit import (
    ME,
    BillingClient,
    GatewayClient,
    Response,
    StorefrontClient,
    UserMgmtClient,
    __version__,
    new_transaction_id,
)
from subscribekit.errors import SubscribekitError
from subscribekit.filters import field as property_
from subscribekit.models import EntitlementCharge

T = TypeVar("T")

SEEDED = {
    "subscription": "sub-basic-0001",
    "usage": "sub-usage-0007",
    "payment": "pay-cash-0001",
    "campaign": "camp-summer",
    "partner": "psub-billing-0001",
    "entitlement": "psub-entitlement-0001",
    "product": "prod-addon",
    "account": "acct-0001",
    "method": "pm-cash-0001",
    "array": "devices",
}
"""IDs that exist in the sandbox. A real environment has other IDs."""

USES = {
    "subscription": "Subscription to read.",
    "usage": "Subscription whose unbilled usage is listed.",
    "payment": "Payment to reverse.",
    "campaign": "Campaign to activate and update.",
    "partner": "Partner subscription to cancel.",
    "entitlement": "Partner subscription to charge.",
    "product": "Product of the charge.",
    "account": "Account that owns the payment method.",
    "method": "Payment method that becomes primary.",
    "array": "Array of custom data to delete from.",
}
"""The help text for each ID."""


@dataclass(frozen=True)
class Day:
    """The options of a run: the environment, the IDs to use, and whether writes are allowed."""

    environment: Literal["sandbox"] | None
    write: bool
    ids: dict[str, str] = field(default_factory=lambda: dict(SEEDED))

    def has(self, title: str, *names: str, writes: bool = False) -> bool:
        """Return whether a step can run. If it can't, print the reason."""
        missing = [f"--{name}" for name in names if name not in self.ids]
        if missing:
            print(f"{title:<24} skipped: needs {' and '.join(missing)}\n")
        elif writes and not self.write:
            print(f"{title:<24} skipped: changes data; pass --write to run it\n")
        return not missing and (self.write or not writes)


def read_arguments() -> Day:
    """Read the command-line options. In the sandbox, every option has a default."""
    sandbox = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"
    parser = argparse.ArgumentParser(description="Call the eleven operations of the specification once.")
    parser.add_argument(
        "--write",
        action="store_true",
        help="Also run the steps that change data. In the sandbox, the example always runs them.",
    )
    for name, seeded in SEEDED.items():
        variable = f"SUBSCRIBEKIT_QUICKSTART_{name.upper()}"
        parser.add_argument(
            f"--{name}",
            default=seeded if sandbox else os.environ.get(variable),
            metavar="ID",
            help=f"{USES[name]} In a real environment, the default is the value of {variable}.",
        )
    options: dict[str, str | bool | None] = vars(parser.parse_args())
    ids = {name: value for name, value in options.items() if isinstance(value, str)}
    return Day("sandbox" if sandbox else None, sandbox or options["write"] is True, ids)


def show(title: str, call: str, response: Response[T], result: str) -> None:
    """Print one step: the call, its result, and the IDs to send to the operator if you ask for help."""
    ids = [f"request {response.request_id}"] if response.request_id else []
    ids += [f"trace {response.trace_id}"] if response.trace_id else []
    print(f"{title:<24} {call}\n{'':<24} {result}\n{'':<24} {response.status_code}  {'  '.join(ids)}\n")


def billing_calls(day: Day) -> None:
    """Call the billing API."""
    with BillingClient(environment=day.environment) as client:
        billing = client.with_raw_response
        accounts = billing.accounts.list(limit=3).first()
        names = ", ".join(each.id or "" for each in accounts.data.data)
        result = f"{accounts.data.total_count} accounts, the first: {names}"
        show("List accounts", "billing.accounts.list(limit=3)", accounts, result)

        if day.has("List unbilled usage", "usage"):
            usage = billing.event_summaries.list(subscription=day.ids["usage"], billed=False).first()
            result = "; ".join(f"{each.event_count} events, {each.rated_unit_total} units" for each in usage.data.data)
            show(
                "List unbilled usage", f"billing.event_summaries.list(subscription={day.ids['usage']!r})", usage, result
            )

        if day.has("Reverse a payment", "payment", writes=True):
            payment = billing.payments.reverse(day.ids["payment"])
            result = f"{payment.data.amount} {payment.data.currency}, status {payment.data.status}"
            show("Reverse a payment", f"billing.payments.reverse({day.ids['payment']!r})", payment, result)


def campaign_calls(day: Day) -> None:
    """Check a campaign with the gateway, and then change it with the billing API."""
    with GatewayClient(environment=day.environment) as gateway, BillingClient(environment=day.environment) as billing:
        if not day.has("Activate a campaign", "campaign", writes=True):
            return
        name = day.ids["campaign"]
        active = gateway.with_raw_response.campaigns.activate(name)
        campaign = active.data
        result = f"{campaign.name}: {campaign.state}, redeemable until {campaign.offer_end_date}"
        show("Activate a campaign", f"gateway.campaigns.activate({name!r})", active, result)

        campaign.description = "Checked by the quickstart"
        changed = billing.with_raw_response.campaigns.update(name, campaign)
        result = f"{changed.data.name}: {changed.data.description}"
        show("Update a campaign", f"billing.campaigns.update({name!r}, campaign)", changed, result)


def gateway_calls(day: Day) -> None:
    """Call the gateway."""
    with GatewayClient(environment=day.environment) as client:
        gateway = client.with_raw_response
        if day.has("Read a subscription", "subscription"):
            response = gateway.subscriptions.retrieve(day.ids["subscription"])
            read = response.data
            result = f"{read.status}, {read.billing_state}, entitled through {read.entitled_through}"
            show("Read a subscription", f"gateway.subscriptions.retrieve({read.id!r})", response, result)

        if day.has("Charge an entitlement", "entitlement", "product", writes=True):
            charge = EntitlementCharge(
                transaction_id=new_transaction_id(),  # store it before the call, to identify the charge later
                product_code=day.ids["product"],
                amount=Decimal("4.90"),
                currency="USD",
            )
            receipt = gateway.entitlements.charge(day.ids["entitlement"], charge)
            result = f"{charge.amount} {charge.currency}, receipt {receipt.data.transaction_reference_id}"
            show(
                "Charge an entitlement",
                f"gateway.entitlements.charge({day.ids['entitlement']!r}, charge)",
                receipt,
                result,
            )

        if day.has("Cancel a subscription", "partner", writes=True):
            cancelled = gateway.partner_subscriptions.cancel(day.ids["partner"])
            result = f"{cancelled.data.type}, now {cancelled.data.billing_status}"
            call = f"gateway.partner_subscriptions.cancel({day.ids['partner']!r})"
            show("Cancel a subscription", call, cancelled, result)


def lifecycle_calls(day: Day) -> None:
    """Call the account-lifecycle API."""
    with UserMgmtClient(environment=day.environment) as client:
        user_mgmt = client.with_raw_response
        page = user_mgmt.accounts.list(size=2).first()
        names = ", ".join(each.display_name or "" for each in page.data.data)
        result = f"{page.data.total_count} accounts, the first: {names}"
        show("List my accounts", "user_mgmt.accounts.list(size=2)", page, result)

        if day.has("Delete custom data", "array", writes=True):
            old = property_("age").ge(5) & property_("active").eq(False)
            deleted = user_mgmt.custom_data.delete(ME, day.ids["array"], filter=old)
            call = f"user_mgmt.custom_data.delete(ME, {day.ids['array']!r}, filter=...)"
            show("Delete custom data", call, deleted, f"items where {old}")


def storefront_calls(day: Day) -> None:
    """Call the storefront."""
    with StorefrontClient(environment=day.environment) as client:
        if day.has("Switch payment method", "account", "method", writes=True):
            account, method = day.ids["account"], day.ids["method"]
            update = client.with_raw_response.payment_methods.update
            response = update(account, payment_method_id=method, primary=True, active=True)
            changed = response.data
            result = f"{changed.id}: {changed.type}, primary {changed.primary}, active {changed.active}"
            show("Switch payment method", f"storefront.payment_methods.update({account!r}, ...)", response, result)


GROUPS: tuple[Callable[[Day], None], ...] = (
    billing_calls,
    campaign_calls,
    gateway_calls,
    lifecycle_calls,
    storefront_calls,
)


def main() -> int:
    """Run all steps, and return the exit status. If a call to one API fails, the steps of the other APIs still run."""
    day = read_arguments()
    where = "the sandbox inside this process" if day.environment else os.environ["SUBSCRIBEKIT_ENVIRONMENT"]
    print(f"subscribekit {__version__} against {where}\n")
    failed = 0
    for calls in GROUPS:
        try:
            calls(day)
        except SubscribekitError as error:
            failed += 1
            print(f"{type(error).__name__} (outcome {error.outcome}): {error}\n", file=sys.stderr)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
