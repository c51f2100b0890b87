"""Type checkers must report each line that ends with `# error`, and no other line. This file is never executed."""

from datetime import datetime
from decimal import Decimal

from subscribekit import (
    AsyncBillingClient,
    AsyncGatewayClient,
    BillingClient,
    GatewayClient,
    RetryPolicy,
    StorefrontClient,
    Timeouts,
    UserMgmtClient,
    WireNames,
)
from subscribekit.filters import field
from subscribekit.models import Account, Campaign, EntitlementCharge, Payment


def unknown_keywords(billing: BillingClient, gateway: GatewayClient) -> None:
    billing.accounts.list(emial="a@b.c")  # error
    billing.payments.reverse("p", reason="x")  # error
    gateway.subscriptions.retrieve("s", partner="x")  # error
    billing.with_options(timeout=5)  # error
    billing.with_raw_response.accounts.list(page=2)  # error
    billing.prepare.payments.reverse("p", dryrun=True)  # error
    BillingClient(environment="production", user="u")  # error
    WireNames(accounts_mail="mail")  # error
    RetryPolicy(attempts=3)  # error


def wrong_types(
    billing: BillingClient, gateway: GatewayClient, users: UserMgmtClient, storefront: StorefrontClient
) -> None:
    billing.payments.reverse(7)  # error
    billing.payments.reverse(None)  # error
    billing.accounts.list(limit="20")  # error
    billing.accounts.list(created_after="2026-01-01")  # error
    billing.event_summaries.list(billed="no")  # error
    billing.campaigns.update("c", {"name": "x"})  # error
    billing.campaigns.update("c", Account())  # error
    gateway.entitlements.charge("p", {"transactionId": "t"})  # error
    gateway.subscriptions.retrieve("s", partner_code=7)  # error
    users.custom_data.delete("me", "a", filter=None)  # error
    users.entities.list("/group/1/users")  # error
    users.accounts.list(size="5")  # error
    storefront.payment_methods.update("a", payment_method_id="p", primary="yes", active=True)  # error
    billing.request("PATCH", "/x")  # error
    billing.request("GET", "/x", result=tuple)  # error
    billing.request("GET", "/x", params={"a": 1.5})  # error
    billing.request("GET", "/x", params={"a": [None]})  # error
    billing.collection("/x", dict)  # error
    users.custom_data.delete(1.5, "a", filter="x")  # error
    users.entities.list("/group/{groupId}/users", group_id=b"7")  # error
    storefront.payment_methods.update("a", payment_method_id="p", primary=None)  # error
    UserMgmtClient(environment="sandbox", api_release=85)  # error
    BillingClient(environment="prod", api_user="u", api_key="k")  # error
    BillingClient(environment="sandbox", timeouts=5)  # error
    BillingClient(environment="sandbox", trace="on")  # error
    StorefrontClient(environment="sandbox", access_token=7)  # error
    Timeouts(read="5")  # error


def missing_and_surplus_arguments(billing: BillingClient, gateway: GatewayClient, storefront: StorefrontClient) -> None:
    billing.payments.reverse()  # error
    billing.payments.reverse("p", "q")  # error
    billing.campaigns.update("c")  # error
    billing.accounts.list(20)  # error
    gateway.entitlements.charge("p")  # error
    storefront.payment_methods.update("a", primary=True)  # error
    EntitlementCharge(amount=1)  # error
    BillingClient("production")  # error
    billing.request("GET")  # error


async def awaiting(billing: BillingClient, asynchronous: AsyncBillingClient, gateway: AsyncGatewayClient) -> None:
    asynchronous.payments.reverse("p")  # error
    gateway.entitlements.charge("p", EntitlementCharge(transaction_id="t"))  # error
    print(asynchronous.payments.reverse("p").id)  # error
    forgotten: Payment = asynchronous.payments.reverse("p")  # error
    await billing.payments.reverse("p")  # error
    await asynchronous.prepare.payments.reverse("p")  # error
    for _ in asynchronous.accounts.list():  # error
        pass
    async for _ in billing.accounts.list():  # error
        pass
    await asynchronous.accounts.list()  # error
    list(asynchronous.accounts.list())  # error
    asynchronous.accounts.list().first()  # error
    with asynchronous:  # error
        pass
    asynchronous.close()  # error
    asynchronous.request("GET", "/x")  # error
    print(forgotten)


def unknown_names(billing: BillingClient, gateway: GatewayClient, account: Account, payment: Payment) -> None:
    billing.account.list()  # error
    billing.payments.revert("p")  # error
    gateway.payments.reverse("p")  # error
    print(account.emial)  # error
    account.emial = "a@b.c"  # error
    print(payment.amount.quantize(Decimal(1)))  # error
    print(billing.payments.reverse("p").transaction)  # error
    print(billing.with_raw_response.payments.reverse("p").id)  # error
    billing.prepare.accounts.list().first()  # error
    billing.deadline = 5  # error


def models(now: datetime, campaign: Campaign) -> None:
    Account(emial="a@b.c")  # error
    Account(id=7)  # error
    EntitlementCharge(transaction_id="t", amount=1.5)  # error
    EntitlementCharge(transaction_id="t", amount="1.50")  # error
    EntitlementCharge(transaction_id="t", tax_included="yes")  # error
    EntitlementCharge(transactionId="t")  # error
    Campaign(percentage_discount=12.5)  # error
    Campaign(offer_start_date="2026-01-01")  # error
    Campaign(promotion_code_aliases=[1])  # error
    campaign.percentage_discount = 12.5  # error
    campaign.offer_end_date = "2026-01-01"  # error
    campaign.name = now  # error


def filters() -> None:
    field("age").ge(1.5)  # error
    field("age").eq([1])  # error
    field("name").co(5)  # error
    field("name").like("x")  # error
    field("a").eq(1) & "b eq 2"  # error
