"""The storefront's clients, for the flags of payment methods.

Python imports the async client and the classes of the resources when you first use them.
"""

from typing import TYPE_CHECKING

from .._generated.sync.storefront.payment_methods import PaymentMethods
from .._lazy import imported
from .client import StorefrontClient

if TYPE_CHECKING:
    from .._generated.aio.storefront.payment_methods import AsyncPaymentMethods
    from .async_client import AsyncStorefrontClient

__all__ = [
    "AsyncPaymentMethods",
    "AsyncStorefrontClient",
    "PaymentMethods",
    "StorefrontClient",
]

_MODULE_OF = {
    "AsyncPaymentMethods": "._generated.aio.storefront.payment_methods",
    "AsyncStorefrontClient": "async_client",
}


def __getattr__(name: str) -> object:
    value = imported(__name__, _MODULE_OF, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
