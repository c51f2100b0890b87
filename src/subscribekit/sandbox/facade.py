"""The class `Sandbox`, which adds methods that return connected clients to the platform.

To avoid an import cycle, the clients import only the module `platform`, and this module imports the clients.
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

    Two sandboxes with the same `seed`, `clock`, and `ids` return the same responses to the same requests. If you don't
    pass a `clock`, the sandbox's time is `DEFAULT_START`, and changes only when you call `advance`. Clients that are
    connected to the sandbox wait no real time before a retry. You can call all methods of a sandbox from any thread.

    To connect a client with your own settings, pass `environment=sandbox.environment` to the client, or call
    `with_options` on a connected client.

    Attributes:
        environment: The sandbox's addresses, credentials, and wire names.
        service: The simulated service that handles the requests of the transports.
        faults: The object that adds and clears faults; see `subscribekit.sandbox.faults`.
        webhooks: The object that sends webhooks to your receivers; see `subscribekit.sandbox.webhooks`.

    Args:
        seed: The number from which the sandbox derives all vids.
        clock: A function that returns the current time as a datetime with a time zone.
        settings: The operator's settings for the merchant, such as the grace period, the currency, and the tax.
        ids: A function that returns the next identifier for a new transaction, payment, or refund, or the next
            reference of an entitlement charge. By default, the sandbox creates numbered identifiers. The sandbox calls
            `ids` in one thread at a time. If `ids` returns an identifier that is already used, the call that needs an
            identifier raises `ValueError`.
            The function `ids` doesn't affect the seeded merchant's identifiers or the vids. `reset` and `restore` don't
            rewind `ids`.
        responses: The source that responses follow if the specification and the published samples differ:
            `"specification"` or `"published"`. The default is `settings.responses`.
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
        # A client that is created before this call creates the shared platform as a `Platform`. Changing the class of
        # this `Platform` object is enough, because `Sandbox` only adds methods.
        platform.__class__ = Sandbox
    return cast("Sandbox", platform)
