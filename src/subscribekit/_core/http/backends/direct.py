"""The SDK's own connections, without an httpx client."""

from functools import cached_property
from typing import Never, NoReturn

from ...config.timeouts import Limits
from ..connections.route import Route
from ..transport import AsyncTransport, Transport

_NAME = "own connections, direct"


class Direct:
    """The result of `subscribekit.transports.direct`: connections for sync and async clients.

    Closing a client doesn't close the connections, so close the `Direct` object yourself. Clients can share a `Direct`
    object if their base URLs have the same origin.
    """

    def __init__(self, route: Route) -> None:
        self._route = route
        self.limits: Limits = route.limits

    @cached_property
    def blocking(self) -> Transport:
        """The connections of sync clients."""
        from ..connections.pool import ConnectionPool  # the sandbox doesn't need this module, which imports h11

        pool = ConnectionPool(self._route)
        pool.name = _NAME
        return pool

    @cached_property
    def asynchronous(self) -> AsyncTransport:
        """The connections of async clients."""
        # Sync clients don't need this module, which imports asyncio.
        from ..connections.pool_async import AsyncConnectionPool

        pool: AsyncConnectionPool = AsyncConnectionPool(self._route)
        pool.name = _NAME
        return pool

    def handle_request(self, request: Never, /) -> NoReturn:
        """Raise an error, because `direct()` doesn't accept requests of httpx.

        Raises:
            TypeError: Always.
        """
        raise TypeError("direct() works only in clients of subscribekit; use PooledTransport() in an httpx client")

    handle_async_request = handle_request

    def close(self) -> None:
        """Close the idle connections of sync clients."""
        self.blocking.close()

    async def aclose(self) -> None:
        """Close the idle connections of async clients in this event loop."""
        await self.asynchronous.aclose()
