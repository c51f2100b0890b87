"""The SDK's own connections without a client of httpx above them."""

from functools import cached_property
from typing import Never, NoReturn

from ...config.timeouts import Limits
from ..connections.route import Route
from ..transport import AsyncTransport, Transport

_NAME = "own connections, direct"


class Direct:
    """What `subscribekit.transports.direct` gives: connections for clients of the SDK of either style.

    It belongs to its maker: closing a client leaves it open, and clients may share it as long as their addresses have
    one origin.
    """

    def __init__(self, route: Route) -> None:
        self._route = route
        self.limits: Limits = route.limits

    @cached_property
    def blocking(self) -> Transport:
        """The connections of blocking clients."""
        from ..connections.pool import ConnectionPool  # with h11, which clients with other backends do without

        pool = ConnectionPool(self._route)
        pool.name = _NAME
        return pool

    @cached_property
    def asynchronous(self) -> AsyncTransport:
        """The connections of async clients."""
        from ..connections.pool_async import AsyncConnectionPool  # with asyncio, which a blocking client does without

        pool: AsyncConnectionPool = AsyncConnectionPool(self._route)
        pool.name = _NAME
        return pool

    def handle_request(self, request: Never, /) -> NoReturn:
        """Refuse a request of httpx.

        Raises:
            TypeError: Always.
        """
        raise TypeError("direct() is for clients of subscribekit; PooledTransport() goes into a client of httpx")

    handle_async_request = handle_request

    def close(self) -> None:
        """Close the idle connections of blocking clients."""
        self.blocking.close()

    async def aclose(self) -> None:
        """Close the idle connections of async clients, those of this event loop."""
        await self.asynchronous.aclose()
