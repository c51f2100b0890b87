"""Call the eleven operations of the specification with the async clients, and send reads in parallel.

    python examples/quickstart_async.py

The example has the same options and environment variables as `quickstart.py`. By default, it uses the sandbox inside
the package.
"""

import asyncio
import os
import sys
from decimal import Decimal

from quickstart import Day, read_arguments, show

from subscribekit import (
    ME,
    AsyncBillingClient,
    AsyncGatewayClient,
    AsyncStorefrontClient,
    AsyncUserMgmtClient,
    __version__,
    new_transaction_id,
)
from subscribekit.errors import SubscribekitError
from subscribekit.filters import field
from subscribekit.models import EntitlementCharge


async def read_in_parallel(
    day: Day, billing: AsyncBillingClient, gateway: AsyncGatewayClient, user_mgmt: AsyncUserMgmtClient
) -> None:
    """Send three reads in parallel, and print the responses after all have arrived."""
    if not day.has("Read in parallel", "subscription"):
        return
    name = day.ids["subscription"]
    accounts, subscription, mine = await asyncio.gather(
        billing.with_raw_response.accounts.list(limit=3).first(),
        gateway.with_raw_response.subscriptions.retrieve(name),
        user_mgmt.with_raw_response.accounts.list(size=2).first(),
    )
    names = ", ".join(each.id or "" for each in accounts.data.data)
    result = f"{accounts.data.total_count} accounts, the first: {names}"
    show("List accounts", "await billing.accounts.list(limit=3).first()", accounts, result)
    result = f"{subscription.data.status}, {subscription.data.billing_state}"
    show("Read a subscription", f"await gateway.subscriptions.retrieve({name!r})", subscription, result)
    names = ", ".join(each.display_name or "" for each in mine.data.data)
    result = f"{mine.data.total_count} accounts, the first: {names}"
    show("List my accounts", "await user_mgmt.accounts.list(size=2).first()", mine, result)


async def read_usage(day: Day, billing: AsyncBillingClient) -> None:
    """Read a list with `async for`, which requests each page when it's needed."""
    if day.has("List unbilled usage", "usage"):
        units: int | Decimal = 0
        async for summary in billing.event_summaries.list(subscription=day.ids["usage"], billed=False):
            units += summary.rated_unit_total or 0
        print(
            f"{'List unbilled usage':<24} async for ... in billing.event_summaries.list(...)\n{'':<24} {units} units\n"
        )


async def move_money(day: Day, billing: AsyncBillingClient, gateway: AsyncGatewayClient) -> None:
    """Charge an entitlement and reverse a payment."""
    if day.has("Charge an entitlement", "entitlement", "product", writes=True):
        charge = EntitlementCharge(
            transaction_id=new_transaction_id(),  # store it before the call, to identify the charge later
            product_code=day.ids["product"],
            amount=Decimal("4.90"),
            currency="USD",
        )
        receipt = await gateway.with_raw_response.entitlements.charge(day.ids["entitlement"], charge)
        result = f"{charge.amount} {charge.currency}, receipt {receipt.data.transaction_reference_id}"
        show("Charge an entitlement", "await gateway.entitlements.charge(...)", receipt, result)
    if day.has("Reverse a payment", "payment", writes=True):
        payment = await billing.with_raw_response.payments.reverse(day.ids["payment"])
        result = f"{payment.data.amount} {payment.data.currency}, status {payment.data.status}"
        show("Reverse a payment", f"await billing.payments.reverse({day.ids['payment']!r})", payment, result)


async def manage_campaign(day: Day, billing: AsyncBillingClient, gateway: AsyncGatewayClient) -> None:
    """Check that a campaign can be redeemed, and then change its description."""
    if not day.has("Activate a campaign", "campaign", writes=True):
        return
    name = day.ids["campaign"]
    active = await gateway.with_raw_response.campaigns.activate(name)
    show("Activate a campaign", f"await gateway.campaigns.activate({name!r})", active, f"state {active.data.state}")
    active.data.description = "Checked by the quickstart"
    changed = await billing.with_raw_response.campaigns.update(name, active.data)
    show("Update a campaign", f"await billing.campaigns.update({name!r}, ...)", changed, changed.data.description or "")


async def serve_customer(
    day: Day, gateway: AsyncGatewayClient, user_mgmt: AsyncUserMgmtClient, storefront: AsyncStorefrontClient
) -> None:
    """Cancel a partner subscription, delete custom data, and change the primary payment method."""
    if day.has("Cancel a subscription", "partner", writes=True):
        cancelled = await gateway.with_raw_response.partner_subscriptions.cancel(day.ids["partner"])
        result = f"{cancelled.data.type}, now {cancelled.data.billing_status}"
        show("Cancel a subscription", "await gateway.partner_subscriptions.cancel(...)", cancelled, result)
    if day.has("Delete custom data", "array", writes=True):
        old = field("age").ge(5) & field("active").eq(False)
        deleted = await user_mgmt.with_raw_response.custom_data.delete(ME, day.ids["array"], filter=old)
        show("Delete custom data", "await user_mgmt.custom_data.delete(ME, ...)", deleted, f"items where {old}")
    if day.has("Switch payment method", "account", "method", writes=True):
        update = storefront.with_raw_response.payment_methods.update
        response = await update(day.ids["account"], payment_method_id=day.ids["method"], primary=True, active=True)
        result = f"{response.data.id}: primary {response.data.primary}, active {response.data.active}"
        show("Switch payment method", "await storefront.payment_methods.update(...)", response, result)


async def main() -> int:
    """Run all steps, and return the exit status."""
    day = read_arguments()
    where = "the sandbox inside this process" if day.environment else os.environ["SUBSCRIBEKIT_ENVIRONMENT"]
    print(f"subscribekit {__version__} (async clients) against {where}\n")
    try:
        async with (
            AsyncBillingClient(environment=day.environment) as billing,
            AsyncGatewayClient(environment=day.environment) as gateway,
            AsyncUserMgmtClient(environment=day.environment) as user_mgmt,
            AsyncStorefrontClient(environment=day.environment) as storefront,
        ):
            await read_in_parallel(day, billing, gateway, user_mgmt)
            await read_usage(day, billing)
            await move_money(day, billing, gateway)
            await manage_campaign(day, billing, gateway)
            await serve_customer(day, gateway, user_mgmt, storefront)
    except SubscribekitError as error:
        print(f"{type(error).__name__} (outcome {error.outcome}): {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
