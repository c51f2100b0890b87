"""The sandbox as its users hold it: the platform with connected clients.

Clients reach the platform alone, so that it and they do not import each other in a circle.
"""

from __future__ import annotations

from typing import cast

from ..billing import AsyncBillingClient, BillingClient
from ..gateway import AsyncGatewayClient, GatewayClient
from ..storefront import AsyncStorefrontClient, StorefrontClient
from ..user_mgmt import AsyncUserMgmtClient, UserMgmtClient
from .platform import Platform, default_platform


class Sandbox(Platform):
    """A merchant's whole platform in this process.

    The same seed, clock and ids give the same responses. Time stands still at `DEFAULT_START` unless a clock is given,
    and moves with `advance`; the back-off of connected clients passes at once. All methods may be called from any
    thread.

    Clients with custom settings connect with `environment=sandbox.environment`, or through `with_options`.

    Attributes:
        environment: Addresses, credentials and wire names of the sandbox.
        service: The service behind the transports.
        faults: The director of faults, see `subscribekit.sandbox.faults`.
        webhooks: Push notifications of what happens, see `subscribekit.sandbox.webhooks`.

    Args:
        seed: Another seed gives other vids.
        clock: Where the time comes from; it tells aware datetimes.
        settings: Page sizes of group C, grace and retry days, currency, tax: what an operator sets for a merchant.
        ids: Where new identifiers of transactions, payments and refunds and new references of entitlement charges come
            from; counted numbers when left out. It is called by one thread at a time, and must not repeat itself: a
            call that would get a taken identifier fails with `ValueError`. The seeded merchant has its own identifiers.
            Vids are hashes and depend on the seed alone. `reset` and `restore` do not rewind it.
        responses: The form of responses where the two sources differ: that of the specification, or that of published
            samples. Left out, the settings say it.
    """

    def billing(self) -> BillingClient:
        """Return a connected client of group A."""
        return BillingClient(environment=self.environment, transport=self.transport)

    def gateway(self) -> GatewayClient:
        """Return a connected client of group B."""
        return GatewayClient(environment=self.environment, transport=self.transport)

    def user_mgmt(self) -> UserMgmtClient:
        """Return a connected client of group C."""
        return UserMgmtClient(environment=self.environment, transport=self.transport)

    def storefront(self) -> StorefrontClient:
        """Return a connected client of group D."""
        return StorefrontClient(environment=self.environment, transport=self.transport)

    def async_billing(self) -> AsyncBillingClient:
        """Return a connected asynchronous client of group A."""
        return AsyncBillingClient(environment=self.environment, transport=self.async_transport)

    def async_gateway(self) -> AsyncGatewayClient:
        """Return a connected asynchronous client of group B."""
        return AsyncGatewayClient(environment=self.environment, transport=self.async_transport)

    def async_user_mgmt(self) -> AsyncUserMgmtClient:
        """Return a connected asynchronous client of group C."""
        return AsyncUserMgmtClient(environment=self.environment, transport=self.async_transport)

    def async_storefront(self) -> AsyncStorefrontClient:
        """Return a connected asynchronous client of group D."""
        return AsyncStorefrontClient(environment=self.environment, transport=self.async_transport)


def default_sandbox() -> Sandbox:
    """Return the process-wide sandbox, the one behind `environment="sandbox"`."""
    platform = default_platform()
    if not isinstance(platform, Sandbox):
        platform.__class__ = Sandbox  # clients have reached it before; a sandbox only has more methods
    return cast("Sandbox", platform)
