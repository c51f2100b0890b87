"""A typed Python SDK for a subscription-billing platform.

The package imports its public names when they're first used, so that `import subscribekit` is fast.
"""

from typing import TYPE_CHECKING

from ._lazy import imported
from ._version import __version__

if TYPE_CHECKING:
    from ._core.calls.event_loop_warning import BlockingCallWarning
    from ._core.calls.prepared.prepared_request import PreparedRequest
    from ._core.calls.response import Response
    from ._core.calls.telemetry.trace import TraceContext, trace
    from ._core.config.environments import Environment
    from ._core.config.retry_policy import RetryPolicy
    from ._core.config.timeouts import Limits, Timeouts
    from ._core.config.wire_names import WireNames
    from ._core.lists.pager import Pager
    from ._core.lists.pager_async import AsyncPager
    from ._core.operations.readers import Page
    from ._core.operations.transaction_id import new_transaction_id
    from ._core.resolving.verdict import Verdict
    from .billing import AsyncBillingClient, BillingClient
    from .gateway import AsyncGatewayClient, GatewayClient
    from .storefront import AsyncStorefrontClient, StorefrontClient
    from .user_mgmt import ME, AsyncUserMgmtClient, UserMgmtClient

__all__ = [
    "ME",
    "AsyncBillingClient",
    "AsyncGatewayClient",
    "AsyncPager",
    "AsyncStorefrontClient",
    "AsyncUserMgmtClient",
    "BillingClient",
    "BlockingCallWarning",
    "Environment",
    "GatewayClient",
    "Limits",
    "Page",
    "Pager",
    "PreparedRequest",
    "Response",
    "RetryPolicy",
    "StorefrontClient",
    "Timeouts",
    "TraceContext",
    "UserMgmtClient",
    "Verdict",
    "WireNames",
    "__version__",
    "new_transaction_id",
    "trace",
]

_WHERE = {
    "billing": ("AsyncBillingClient", "BillingClient"),
    "gateway": ("AsyncGatewayClient", "GatewayClient"),
    "storefront": ("AsyncStorefrontClient", "StorefrontClient"),
    "user_mgmt": ("AsyncUserMgmtClient", "ME", "UserMgmtClient"),
    "_core.calls.event_loop_warning": ("BlockingCallWarning",),
    "_core.calls.prepared.prepared_request": ("PreparedRequest",),
    "_core.calls.response": ("Response",),
    "_core.calls.telemetry.trace": ("TraceContext", "trace"),
    "_core.config.environments": ("Environment",),
    "_core.config.retry_policy": ("RetryPolicy",),
    "_core.config.timeouts": ("Limits", "Timeouts"),
    "_core.config.wire_names": ("WireNames",),
    "_core.lists.pager": ("Pager",),
    "_core.lists.pager_async": ("AsyncPager",),
    "_core.operations.readers": ("Page",),
    "_core.operations.transaction_id": ("new_transaction_id",),
    "_core.resolving.verdict": ("Verdict",),
}
_MODULE_OF = {name: module for module, names in _WHERE.items() for name in names}


def __getattr__(name: str) -> object:
    value = imported(__name__, _MODULE_OF, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
