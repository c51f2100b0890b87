"""Sign up a customer with an account, a card, a billing plan, a product, and a promotion code in one call.

    python examples/create_subscription.py

By default, the example uses the sandbox inside the package. To use a real environment, set `SUBSCRIBEKIT_ENVIRONMENT`,
and pass a billing plan, a product, and a payment method of that environment. There, the example sends a dry run, and
creates the subscription only if you pass `--write`.
"""

import argparse
import os
from datetime import UTC, datetime
from uuid import uuid4

from subscribekit import BillingClient
from subscribekit.errors import NotFoundError, OutcomeUnknownError
from subscribekit.models import Account, BillingPlan, CreditCard, PaymentMethod, Product, Subscription, SubscriptionItem

IN_SANDBOX = os.environ.get("SUBSCRIBEKIT_ENVIRONMENT", "sandbox") == "sandbox"


def new_subscription(plan: str, product: str, code: str | None, payment_method: str | None) -> Subscription:
    """Build the subscription. The merchant chooses all IDs, so that it can find the resources after any failure."""
    order = uuid4().hex[:12]
    if payment_method is not None:
        method = PaymentMethod(vid=payment_method)
    else:
        card = CreditCard(account="4111111111111111", expiration_date="203112")
        method = PaymentMethod(id=f"card-{order}", type="CreditCard", credit_card=card, account_holder="Ada Example")
    item = SubscriptionItem(id=f"item-{order}", product=Product(id=product))
    if code is not None:
        item.campaign_code = code
    return Subscription(
        id=f"sub-{order}",
        account=Account(id=f"customer-{order}", email="ada@example.com", default_currency="USD"),
        billing_plan=BillingPlan(id=plan),
        payment_method=method,
        items=[item],
        currency="USD",
    )


def create(client: BillingClient, body: Subscription) -> Subscription | None:
    """Create the subscription once. If there's no response, look up its ID instead of sending it a second time."""
    try:
        return client.subscriptions.create(body)
    except OutcomeUnknownError as error:
        print(f"The outcome is unknown. {error}")
    try:
        return client.subscriptions.retrieve(body.id or "")
    except NotFoundError:
        print(f"Subscription {body.id} doesn't exist so far. Check again later, before you create it a second time.")
        return None


def describe(title: str, subscription: Subscription, at: datetime) -> None:
    """Print the charges, the status, and the entitlement of a subscription."""
    first, following = subscription.most_recent_billing, subscription.next_billing
    entitled = subscription.entitlement_at(at)
    print(f"{title}\n  ID             {subscription.id}")
    print(f"  status         {subscription.status}, {subscription.billing_state}")
    if first is not None:
        print(f"  charged now    {first.amount} {first.currency}")
    if following is not None and following.created is not None:
        print(f"  next charge    {following.amount} {following.currency} on {following.created:%Y-%m-%d}")
    print(f"  entitled       {entitled.decision}: {entitled.reason}\n")


def main() -> None:
    """Preview the subscription, and then create it."""
    parser = argparse.ArgumentParser(description="Sign up a customer.")
    parser.add_argument("--plan", default="plan-monthly", help="ID of the billing plan.")
    parser.add_argument("--product", default="prod-basic", help="ID of the product.")
    parser.add_argument("--code", default="SUMMER" if IN_SANDBOX else None, help="Coupon or promotion code.")
    parser.add_argument(
        "--payment-method",
        help="The vid of a payment method without an account. Required in a real environment. In the sandbox, the "
        "default is a test card.",
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="Create the subscription. In the sandbox, the example always creates it.",
    )
    options = parser.parse_args()
    if not IN_SANDBOX and options.payment_method is None:
        parser.error("--payment-method is required in a real environment; do not put card numbers in a script")

    body = new_subscription(options.plan, options.product, options.code, options.payment_method)
    with BillingClient(environment="sandbox" if IN_SANDBOX else None) as client:
        preview = client.subscriptions.create(body, dryrun=True)
        describe("Preview (a dry run, which stores nothing)", preview, preview.created or datetime.now(UTC))
        if not (IN_SANDBOX or options.write):
            print("Pass --write to create the subscription.")
            return
        created = create(client, body)
        if created is not None:
            describe("Created", created, created.created or datetime.now(UTC))


if __name__ == "__main__":
    main()
