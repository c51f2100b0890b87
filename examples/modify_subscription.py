"""Add a product to a subscription, replace the product, change the billing plan, and show the price of each change.

    python examples/modify_subscription.py

By default, the example uses the sandbox inside the package. To use a real environment, set `SUBSCRIBEKIT_ENVIRONMENT`,
and pass a subscription, two products, and a billing plan of that environment. There, the example sends a dry run, and
changes the subscription only if you pass `--write`.
"""

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from subscribekit import BillingClient
from subscribekit.models import Subscription
from subscribekit.models.money import items_total
from subscribekit.models.subscription_changes import add_item, change_plan, replace_item

IN_SANDBOX = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"


@dataclass(frozen=True)
class Change:
    """One change: the body of the request, and the date when the change takes effect."""

    title: str
    body: Subscription
    effective: Literal["today", "nextBill"]


def changes(subscription: str, product: str, better: str, plan: str) -> Iterator[Change]:
    """Return three changes. Subscription items that a body doesn't contain don't change."""
    yield Change(f"Add {product}", add_item(subscription, product), "today")
    yield Change(f"Replace {product} with {better}", replace_item(subscription, product, better), "today")
    yield Change(f"Change to {plan} at the next bill", change_plan(subscription, plan), "nextBill")


def bill(subscription: Subscription) -> str:
    """Return the lines of the latest bill as text."""
    latest = subscription.most_recent_billing
    if latest is None or not latest.items:
        return "  no bill\n"
    lines = [f"  {item.name or item.sku or '':<40}{item.total or 0:>9}\n" for item in latest.items]
    return "".join(lines) + f"  {'Total':<40}{items_total(latest.items):>9} {latest.currency}\n"


def apply(client: BillingClient, subscription: str, change: Change, *, write: bool) -> None:
    """Preview a change with a dry run, and then send it once, because each request can bill the customer."""
    before = client.subscriptions.retrieve(subscription)
    prorated = True if change.effective == "today" else None
    preview = client.subscriptions.update(
        subscription, change.body, effective_date=change.effective, bill_prorated_period=prorated, dryrun=True
    )
    print(f"{change.title}\n{'-' * len(change.title)}")
    charged = before.most_recent_billing != preview.most_recent_billing
    print(f"To be billed now:\n{bill(preview)}" if charged else "Nothing is billed now.")
    if not write:
        return
    after = client.subscriptions.update(
        subscription, change.body, effective_date=change.effective, bill_prorated_period=prorated
    )
    plan = after.billing_plan.id if after.billing_plan else None
    products = [item.product.id for item in after.items or () if item.product and item.ends is None]
    print(f"Changed. Billing plan: {plan}. Products: {', '.join(str(each) for each in products)}.\n")


def main() -> None:
    """Apply the changes one after the other."""
    parser = argparse.ArgumentParser(description="Change a subscription.")
    parser.add_argument(
        "--subscription",
        default="sub-basic-0001" if IN_SANDBOX else None,
        required=not IN_SANDBOX,
        help="ID of the subscription.",
    )
    parser.add_argument("--product", default="prod-addon", help="ID of the product to add.")
    parser.add_argument("--better", default="prod-premium", help="ID of the product that replaces it.")
    parser.add_argument("--plan", default="plan-annual", help="ID of the new billing plan.")
    parser.add_argument(
        "--write", action="store_true", help="Send the changes. In the sandbox, the example always sends them."
    )
    options = parser.parse_args()
    write: bool = IN_SANDBOX or options.write
    with BillingClient(environment="sandbox" if IN_SANDBOX else None) as client:
        for change in changes(options.subscription, options.product, options.better, options.plan):
            apply(client, options.subscription, change, write=write)
            if not write:
                print("The other changes build on this one, so a dry run can't preview them.")
                print("Pass --write to send all changes.")
                return


if __name__ == "__main__":
    main()
