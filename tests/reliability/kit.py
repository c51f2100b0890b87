"""Runs one test body with sync and async clients, over real sockets and with a backoff that takes no time."""

from __future__ import annotations

import asyncio
import inspect
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, get_args

import httpx
import httpx2
import httpx_aiohttp

import subscribekit
from kit.clocks import RunningTime
from kit.faults.server import FaultServer, Origin
from subscribekit import Limits, RetryPolicy, Timeouts
from subscribekit._core.config.address import parse_address
from subscribekit._core.config.clock import Clock
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit._core.http.connections.pool import ConnectionPool
from subscribekit._core.http.connections.pool_async import AsyncConnectionPool
from subscribekit._core.http.connections.route import Route
from subscribekit._core.http.wire.proxy import parse_proxy
from subscribekit._sealed import Secret
from subscribekit.errors import SubscribekitError
from subscribekit.transports import AsyncPooledTransport, PooledTransport

Group = Literal["billing", "gateway", "user_mgmt", "storefront"]
Style = Literal["blocking", "async"]
Backend = Literal["default", "direct", "httpx", "httpx2", "httpx-aiohttp", "pooled"]
BACKENDS: tuple[Backend, ...] = get_args(Backend)[:-1]
"""The HTTP backends over which the tests of the whole retry table run."""
GROUPS: tuple[Group, ...] = ("billing", "gateway", "user_mgmt", "storefront")

CREDENTIALS: dict[Group, dict[str, str]] = {
    "billing": {"api_user": "merchant-4710", "api_key": "basic-key-4711"},
    "gateway": {"api_key": "gateway-key-4712"},
    "user_mgmt": {"session_id": "session-4713"},
    "storefront": {"access_token": "token-4714"},
}
BASIC = "bWVyY2hhbnQtNDcxMDpiYXNpYy1rZXktNDcxMQ=="
SECRETS = ("basic-key-4711", BASIC, "gateway-key-4712", "session-4713", "token-4714")
KIND: dict[Group, str] = {
    "billing": "basic", "gateway": "x-api-key", "user_mgmt": "cookie", "storefront": "bearer"
}  # fmt: skip
"""The only kind of credential that a client of each group sends."""

_LIBRARIES: dict[str, Any] = {"httpx": httpx, "httpx2": httpx2}

CONTEXT = ssl.create_default_context()
"""The TLS context of other libraries' transports to servers without TLS. Creating one takes longer than a test."""

QUICK = Timeouts(connect=5, read=0.2, write=0.2, pool=5)
"""Timeouts for tests in which the response never arrives."""


def hazard(*numbers: str) -> Any:
    """Mark a test with the hazards of `docs/hazards.md` that it covers."""
    import pytest

    return pytest.mark.hazard(*numbers)


class TimedNetwork(ConnectionPool):
    """The SDK's connection pool for sync clients, with a clock."""

    def __init__(self, route: Route, clock: Clock) -> None:
        super().__init__(route)
        self.clock = clock


class TimedAsyncNetwork(AsyncConnectionPool):
    """The SDK's connection pool for async clients, with a clock."""

    def __init__(self, route: Route, clock: Clock) -> None:
        super().__init__(route)
        self.clock = clock


CLIENTS: dict[Style, dict[Group, type[Any]]] = {
    "blocking": {
        "billing": subscribekit.BillingClient,
        "gateway": subscribekit.GatewayClient,
        "user_mgmt": subscribekit.UserMgmtClient,
        "storefront": subscribekit.StorefrontClient,
    },
    "async": {
        "billing": subscribekit.AsyncBillingClient,
        "gateway": subscribekit.AsyncGatewayClient,
        "user_mgmt": subscribekit.AsyncUserMgmtClient,
        "storefront": subscribekit.AsyncStorefrontClient,
    },
}


class Run:
    """Creates clients of one style (sync or async), makes calls with them, and closes them at the end."""

    def __init__(self, style: Style, backend: Backend = "default") -> None:
        self.style: Style = style
        self.http_backend: Backend = backend
        self.time = RunningTime()
        self.opened: list[Any] = []
        """The clients and transports that `close` closes."""
        self._runner = asyncio.Runner()
        self._threads = ThreadPoolExecutor(32)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of async clients."""
        return self._runner.get_loop()

    def client(self, group: Group, srv: Origin | str, *, timed: bool = True, **options: Any) -> Any:
        """Create a client for a server.

        Args:
            group: The service that the client calls.
            srv: The server, or a base URL.
            timed: Whether the client uses the clock of this object, over connections that this object creates if no
                transport is passed. Otherwise, the client is created as an application creates it, with a backoff of a
                millisecond.
            options: Further arguments of the client.
        """
        given: dict[str, Any] = {
            "base_url": srv if isinstance(srv, str) else srv.url,
            "allow_insecure_loopback": True,
            "wire_names": SANDBOX_WIRE_NAMES,
            **CREDENTIALS[group],
        }
        if isinstance(srv, Origin) and srv.url.startswith("https"):
            given["ssl_context"] = srv.client_context()
        if not timed:
            given["retry"] = RetryPolicy(backoff_base=0.001, backoff_max=0.001)
        given |= options
        if timed and "transport" not in given:
            given["transport"] = self._network(given)
        elif timed and not hasattr(given["transport"], "clock"):
            given["transport"].clock = self.time.clock()
        client = CLIENTS[self.style][group](**given)
        self.opened.append(client)
        return client

    def _network(self, options: dict[str, Any]) -> Any:
        """Create the transport of a client, with a clock."""
        blocking, context = self.style == "blocking", options.pop("ssl_context", None)
        if self.http_backend in _LIBRARIES:
            library = _LIBRARIES[self.http_backend]
            kind = library.HTTPTransport if blocking else library.AsyncHTTPTransport
            transport = kind(verify=context or CONTEXT)
        elif self.http_backend == "httpx-aiohttp":
            transport = httpx_aiohttp.AiohttpTransport(verify=context or CONTEXT)
        else:
            proxy = parse_proxy(Secret(options.pop("proxy"))) if "proxy" in options else None
            route = Route(options.get("limits") or Limits(), context, proxy)
            transport = pool = (TimedNetwork if blocking else TimedAsyncNetwork)(route, self.time.clock())
            self.opened.append(pool)
            if self.http_backend == "default":
                over: Any = PooledTransport.over if blocking else AsyncPooledTransport.over
                transport = over(
                    route, parse_address("base_url", options["base_url"], allow_insecure_loopback=True).origin, pool
                )
        transport.clock = self.time.clock()
        self.opened.append(transport)
        return transport

    def __call__(self, result: Any, *uses: Callable[[Any], Any]) -> Any:
        """Return the result of a call, or all items of a list.

        Args:
            result: The value that a method returned, or a client if `uses` follow.
            uses: Calls to make with the client, one after another. The result of the last call is returned.
        """
        for use in uses[:-1]:
            self(use(result))
        return self.finish(uses[-1](result) if uses else result)

    def finish(self, result: Any) -> Any:
        """Await an awaitable, or read a list to its end. Any other value is returned unchanged."""
        if hasattr(result, "__aiter__"):
            return self.wait(_collect(result))
        if inspect.isawaitable(result):
            return self.wait(result)
        return list(result) if hasattr(result, "__next__") or "Pager" in type(result).__name__ else result

    def wait(self, awaitable: Any) -> Any:
        """Run an awaitable in this object's event loop."""

        async def waiting() -> Any:
            return await awaitable

        return self._runner.run(waiting())

    def fails(self, client: Any, use: Callable[[Any], Any]) -> SubscribekitError:
        """Return the error of a call that must fail."""
        try:
            result = self(client, use)
        except SubscribekitError as error:
            return error
        raise AssertionError(f"the call succeeded with {result!r}")

    def begin(self, client: Any, use: Callable[[Any], Any]) -> Any:
        """Start a call in the background, in a thread or as a task."""
        if self.style == "blocking":
            return self._threads.submit(lambda: self.finish(use(client)))
        return self.loop.create_task(_finish(use(client)))

    def arrived(self, srv: Origin, count: int, *, whole: bool = True) -> None:
        """Wait until this many requests have arrived, while the calls in the background continue."""
        if self.style == "blocking":
            srv.wait_for_requests(count, whole=whole)
        else:
            self.wait(asyncio.to_thread(srv.wait_for_requests, count, whole=whole))

    def disconnected(self, srv: Origin) -> None:
        """Wait until the server has no open connection."""
        if self.style == "blocking":
            srv.wait_until_disconnected()
        else:
            self.wait(asyncio.to_thread(srv.wait_until_disconnected))

    def end(self, begun: Any) -> Any:
        """Return the result of a call that `begin` started."""
        return begun.result() if self.style == "blocking" else self.wait(begun)

    def close_client(self, client: Any) -> None:
        """Close a client or a transport."""
        if self.style == "blocking":
            client.close()
        else:
            self.wait(client.aclose())

    def close(self) -> None:
        """Close the clients and transports, and stop the threads and the event loop."""
        for each in self.opened:
            self.close_client(each)
        self._threads.shutdown()
        self._runner.close()


async def _collect(items: Any) -> list[Any]:
    return [item async for item in items]


async def _finish(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else await _collect(result)


def is_stalled(srv: Origin) -> bool:
    """Return whether a step of the script is stalling a connection."""
    return any(connection.stalled for connection in srv._open)  # pyright: ignore[reportPrivateUsage]  for tests only


def sent(srv: FaultServer) -> int:
    """Return the number of complete requests that arrived."""
    return sum(request.complete for request in srv.requests)
