"""Examples for the gateway, the account-lifecycle API, and the storefront."""

from __future__ import annotations

from .kit import Example, Family, setup

FAMILIES = (
    Family(
        "gateway",
        "subscriptions",
        "Subscriptions",
        setup("GatewayClient", "gateway"),
        (
            Example(
                "retrieve",
                "Read a subscription through the gateway",
                """\
subscription = gateway.subscriptions.retrieve("sub-basic-0001")
print(subscription.status, subscription.billing_state)""",
            ),
        ),
    ),
    Family(
        "gateway",
        "partner_subscriptions",
        "Partner subscriptions",
        setup("GatewayClient", "gateway"),
        (
            Example(
                "cancel",
                "Cancel a partner subscription",
                """\
cancelled = gateway.partner_subscriptions.cancel("psub-billing-0001")
print(cancelled.id, cancelled.billing_status)""",
            ),
        ),
    ),
    Family(
        "gateway",
        "entitlements",
        "Entitlement charges",
        setup(
            "GatewayClient",
            "gateway",
            "from decimal import Decimal",
            "from subscribekit.models import EntitlementCharge",
        ),
        (
            Example(
                "charge",
                "Send or refund an entitlement charge",
                """\
charge = EntitlementCharge(transaction_id="order-4711", amount=Decimal("4.90"), currency="USD")
receipt = gateway.entitlements.charge("psub-entitlement-0001", charge)
print(receipt.transaction_reference_id)""",
            ),
        ),
    ),
    Family(
        "gateway",
        "campaigns",
        "Campaigns",
        setup("GatewayClient", "gateway"),
        (
            Example(
                "activate",
                "Activate a campaign, or check whether it can be used",
                """\
campaign = gateway.campaigns.activate("camp-summer")
print(campaign.id, campaign.state)""",
            ),
        ),
    ),
    Family(
        "user_mgmt",
        "accounts",
        "Accounts of the user",
        setup("UserMgmtClient", "user_mgmt"),
        (
            Example(
                "list",
                "List the accounts of the signed-in user",
                """\
for account in user_mgmt.accounts.list().take(2):
    print(account.id, account.status)""",
            ),
        ),
    ),
    Family(
        "user_mgmt",
        "entities",
        "Users, groups, features, runtimes",
        setup("UserMgmtClient", "user_mgmt"),
        (
            Example(
                "list",
                "List entities of a user, group, account, subscription, feature, or runtime",
                """\
for user in user_mgmt.entities.list("/group/{groupId}/users", group_id="2001"):
    print(user.id, user.type)""",
            ),
        ),
    ),
    Family(
        "user_mgmt",
        "custom_data",
        "Custom data",
        setup("ME, UserMgmtClient", "user_mgmt", "from subscribekit.filters import field"),
        (
            Example(
                "delete",
                "Delete custom data that matches a filter",
                """\
old = field("age").ge(5)
user_mgmt.custom_data.delete(ME, "devices", filter=old)""",
            ),
        ),
    ),
    Family(
        "storefront",
        "payment_methods",
        "Payment methods",
        setup("StorefrontClient", "storefront"),
        (
            Example(
                "update",
                "Make a payment method the primary one",
                """\
method = storefront.payment_methods.update("acct-0001", payment_method_id="pm-cash-0001", primary=True)
print(method.id, method.primary)""",
            ),
        ),
    ),
)
