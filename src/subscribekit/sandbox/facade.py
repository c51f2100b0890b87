"""The class `Sandbox`, which adds connected clients to the platform.

The clients import only the platform, and this module imports the clients. This avoids an import cycle.
"""

from __future__ import annotations

from typing import cast

from ..billing import AsyncBillingClient, BillingClient
from ..gateway import AsyncGatewayClient, GatewayClient
from ..storefront import AsyncStorefrontClient, StorefrontClient
from ..user_mgmt import AsyncUserMgmtClient, UserMgmtClient
from .platform import Platform, default_platform


class Sandbox(Platform):
    """A simulated platform with one merchant, in this process.

    The same `seed`, `clock`, and `ids` produce the same responses. Without a `clock`, the time stands still at
    `DEFAULT_START` until you call `advance`. The backoff of connected clients takes no real time. You can call all
    methods from any thread.

    To connect a client with your own settings, pass `environment=sandbox.environment` to it, or call `with_options` on
    a connected client.

    Attributes:
        environment: The sandbox's addresses, credentials, and wire names.
        service: The service behind the transports.
        faults: Adds and clears faults; see `subscribekit.sandbox.faults`.
        webhooks: Sends webhooks to your receivers; see `subscribekit.sandbox.webhooks`.

    Args:
        seed: The number that vids are derived from.
        clock: A function that returns the current time, as a datetime with a time zone.
        settings: The operator's settings for the merchant, such as the grace period, the currency, and the tax.
        ids: A function that returns the next identifier for a new transaction, payment, refund, or reference of an
            entitlement charge. By default, the sandbox numbers them. The sandbox calls the function in one thread at a
            time. If the function returns an identifier that is already used, the call that needs one raises
            `ValueError`.
            The function doesn't affect the seeded merchant's identifiers or the vids. `reset` and `restore` don't
            rewind it.
        responses: The source that responses follow where the specification and the published samples differ:
            `"specification"` or `"published"`. By default, `settings.responses`.
    """

    def billing(self) -> BillingClient:
        """Return a client of the billing API that is connected to this sandbox."""
        return BillingClient(environment=self.environment, transport=self.transport)

    def gateway(self) -> GatewayClient:
        """Return a client of the gateway that is connected to this sandbox."""
        return GatewayClient(environment=self.environment, transport=self.transport)

    def user_mgmt(self) -> UserMgmtClient:
        """Return a client of the account-lifecycle API that is connected to this sandbox."""
        return UserMgmtClient(environment=self.environment, transport=self.transport)

    def storefront(self) -> StorefrontClient:
        """Return a client of the storefront that is connected to this sandbox."""
        return StorefrontClient(environment=self.environment, transport=self.transport)

    def async_billing(self) -> AsyncBillingClient:
        """Return an async client of the billing API that is connected to this sandbox."""
        return AsyncBillingClient(environment=self.environment, transport=self.async_transport)

    def async_gateway(self) -> AsyncGatewayClient:
        """Return an async client of the gateway that is connected to this sandbox."""
        return AsyncGatewayClient(environment=self.environment, transport=self.async_transport)

    def async_user_mgmt(self) -> AsyncUserMgmtClient:
        """Return an async client of the account-lifecycle API that is connected to this sandbox."""
        return AsyncUserMgmtClient(environment=self.environment, transport=self.async_transport)

    def async_storefront(self) -> AsyncStorefrontClient:
        """Return an async client of the storefront that is connected to this sandbox."""
        return AsyncStorefrontClient(environment=self.environment, transport=self.async_transport)


def default_sandbox() -> Sandbox:
    """Return the sandbox that all clients with `environment="sandbox"` in this process share."""
    platform = default_platform()
    if not isinstance(platform, Sandbox):
        # A client may have created the platform already. `Sandbox` only adds methods to it.
        platform.__class__ = Sandbox
    return cast("Sandbox", platform)
