"""The gateway's clients, for subscriptions, partner subscriptions, entitlement charges, and campaign activation.

Python imports the async client and the classes of the resources when you first use them.
"""

from typing import TYPE_CHECKING

from .._generated.sync.gateway.campaigns import Campaigns
from .._generated.sync.gateway.entitlements import Entitlements
from .._generated.sync.gateway.partner_subscriptions import PartnerSubscriptions
from .._generated.sync.gateway.subscriptions import Subscriptions
from .._lazy import imported
from .client import GatewayClient

if TYPE_CHECKING:
    from .._generated.aio.gateway.campaigns import AsyncCampaigns
    from .._generated.aio.gateway.entitlements import AsyncEntitlements
    from .._generated.aio.gateway.partner_subscriptions import AsyncPartnerSubscriptions
    from .._generated.aio.gateway.subscriptions import AsyncSubscriptions
    from .async_client import AsyncGatewayClient

__all__ = [
    "AsyncCampaigns",
    "AsyncEntitlements",
    "AsyncGatewayClient",
    "AsyncPartnerSubscriptions",
    "AsyncSubscriptions",
    "Campaigns",
    "Entitlements",
    "GatewayClient",
    "PartnerSubscriptions",
    "Subscriptions",
]

_MODULE_OF = {
    "AsyncCampaigns": "._generated.aio.gateway.campaigns",
    "AsyncEntitlements": "._generated.aio.gateway.entitlements",
    "AsyncPartnerSubscriptions": "._generated.aio.gateway.partner_subscriptions",
    "AsyncSubscriptions": "._generated.aio.gateway.subscriptions",
    "AsyncGatewayClient": "async_client",
}


def __getattr__(name: str) -> object:
    value = imported(__name__, _MODULE_OF, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
