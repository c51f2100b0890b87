"""Calls the four APIs with the client that openapi-python-client generated from the document.

It runs in the environment of the tool, which doesn't have the SDK. The package of the client must be on the path:

    python generated_calls.py BILLING GATEWAY USER_MGMT STOREFRONT
"""

from __future__ import annotations

import base64
import sys

from subscription_billing_client import AuthenticatedClient
from subscription_billing_client.api.billing import (
    billing_accounts_create,
    billing_accounts_list,
    billing_accounts_retrieve,
    billing_accounts_update,
    billing_subscriptions_retrieve,
    billing_transactions_list,
)
from subscription_billing_client.api.gateway import gateway_entitlements_charge
from subscription_billing_client.api.storefront import storefront_payment_methods_update
from subscription_billing_client.api.user_mgmt import user_mgmt_accounts_list, user_mgmt_custom_data_delete
from subscription_billing_client.models import (
    Account,
    AccountList,
    AccountRequest,
    BillingError,
    EntitlementChargeRequest,
    StorefrontPaymentMethodsUpdateRequest,
    Subscription,
    TransactionList,
)


def main(billing: str, gateway: str, user_mgmt: str, storefront: str) -> None:
    """Call each API at the given address."""
    token = base64.b64encode(b"sandbox-merchant:sandbox-key").decode()
    call_billing(AuthenticatedClient(base_url=billing, token=token, prefix="Basic"))
    key = "sandbox-gateway-key"
    call_gateway(AuthenticatedClient(base_url=gateway, token=key, prefix="", auth_header_name="X-API-KEY"))
    headers, cookies = {"Content-Type": "application/json"}, {"JSESSIONID": "sandbox-session"}
    call_user_mgmt(AuthenticatedClient(base_url=user_mgmt, token="unused", headers=headers, cookies=cookies))
    call_storefront(AuthenticatedClient(base_url=storefront, token="sandbox-token"))
    print("called")


def call_billing(client: AuthenticatedClient) -> None:
    made = billing_accounts_create.sync(client=client, body=AccountRequest(id="generated", email="g@example.com"))
    assert isinstance(made, Account)
    assert (made.id, made.object_) == ("generated", "Account")
    changed = billing_accounts_update.sync("generated", client=client, body=AccountRequest(company="Generated"))
    assert isinstance(changed, Account)
    assert changed.company == "Generated"
    page = billing_accounts_list.sync(client=client, limit=2)
    assert isinstance(page, AccountList)
    assert [each.id for each in page.data] == ["acct-0001", "acct-0002"]
    missing = billing_accounts_retrieve.sync_detailed("nobody", client=client)
    assert missing.status_code == 404
    assert isinstance(missing.parsed, BillingError)
    subscription = billing_subscriptions_retrieve.sync("sub-premium-0002", client=client)
    assert isinstance(subscription, Subscription)
    assert subscription.account.id == "acct-0002"
    assert isinstance(billing_transactions_list.sync(client=client), TransactionList)


def call_gateway(client: AuthenticatedClient) -> None:
    charge = EntitlementChargeRequest(transaction_id="generated-1", amount=4.9, currency="USD")
    assert gateway_entitlements_charge.sync(
        "psub-entitlement-0001", client=client, body=charge
    ).transaction_reference_id


def call_user_mgmt(client: AuthenticatedClient) -> None:
    assert len(user_mgmt_accounts_list.sync(client=client, size=3)) == 3
    deleted = user_mgmt_custom_data_delete.sync_detailed("me", "devices", client=client, filter_="age ge 5")
    assert deleted.status_code == 204


def call_storefront(client: AuthenticatedClient) -> None:
    flags = StorefrontPaymentMethodsUpdateRequest(payment_method_id="pm-cash-0001", primary=True, active=True)
    assert storefront_payment_methods_update.sync("acct-0001", client=client, body=flags).primary is True


if __name__ == "__main__":
    main(*sys.argv[1:])
