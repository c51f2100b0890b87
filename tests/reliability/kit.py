"""One test body for both styles: clients over real sockets, whose back-off takes no time."""

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
from subscribekit import Limits, Timeouts
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
"""Those that the whole retry matrix runs over."""
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
"""The one kind of credential that each group sends."""

_LIBRARIES: dict[str, Any] = {"httpx": httpx, "httpx2": httpx2}

CONTEXT = ssl.create_default_context()
"""Of transports of other libraries to plain servers. Made once, since each takes longer than a test."""

QUICK = Timeouts(connect=5, read=0.2, write=0.2, pool=5)
"""For responses that never come."""


def hazard(*numbers: str) -> Any:
    """Mark a test with the rows of `docs/hazards.md` that it holds."""
    import pytest

    return pytest.mark.hazard(*numbers)


class TimedNetwork(ConnectionPool):
    """The client's own blocking connections, with a clock."""

    def __init__(self, route: Route, clock: Clock) -> None:
        super().__init__(route)
        self.clock = clock


class TimedAsyncNetwork(AsyncConnectionPool):
    """The client's own async connections, with a clock."""

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
    """Makes clients of one style and uses them; what it made is closed with it."""

    def __init__(self, style: Style, backend: Backend = "default") -> None:
        self.style: Style = style
        self.http_backend: Backend = backend
        self.time = RunningTime()
        self.opened: list[Any] = []
        """The clients and transports to close in the end."""
        self._runner = asyncio.Runner()
        self._threads = ThreadPoolExecutor(32)

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop of async clients."""
        return self._runner.get_loop()

    def client(self, group: Group, srv: Origin | str, *, timed: bool = True, **options: Any) -> Any:
        """Make a client of a server.

        Args:
            group: Which interfaces.
            srv: The server, or a base address.
            timed: With the clock of this object, over its own connections if no transport is given; otherwise just as
                an application makes it.
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
        given |= options
        if timed and "transport" not in given:
            given["transport"] = self._network(given)
        elif timed and not hasattr(given["transport"], "clock"):
            given["transport"].clock = self.time.clock()
        client = CLIENTS[self.style][group](**given)
        self.opened.append(client)
        return client

    def _network(self, options: dict[str, Any]) -> Any:
        """Make what carries the calls, with a clock."""
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
        """Give the result of a call, or of a list read to its end.

        Args:
            result: What a method returned; or a client, if `uses` follow.
            uses: Calls to make with the client, one after another; the last one's result is given.
        """
        for use in uses[:-1]:
            self(use(result))
        return self.finish(uses[-1](result) if uses else result)

    def finish(self, result: Any) -> Any:
        """Await or read to the end, if there is anything to await or read."""
        if hasattr(result, "__aiter__"):
            return self.wait(_collect(result))
        if inspect.isawaitable(result):
            return self.wait(result)
        return list(result) if hasattr(result, "__next__") or "Pager" in type(result).__name__ else result

    def wait(self, awaitable: Any) -> Any:
        """Run something in this object's event loop."""

        async def waiting() -> Any:
            return await awaitable

        return self._runner.run(waiting())

    def fails(self, client: Any, use: Callable[[Any], Any]) -> SubscribekitError:
        """Give the error of a call that must fail."""
        try:
            result = self(client, use)
        except SubscribekitError as error:
            return error
        raise AssertionError(f"no error, but {result!r}")

    def begin(self, client: Any, use: Callable[[Any], Any]) -> Any:
        """Start a call beside the test: in a thread, or as a task."""
        if self.style == "blocking":
            return self._threads.submit(lambda: self.finish(use(client)))
        return self.loop.create_task(_finish(use(client)))

    def arrived(self, srv: Origin, count: int, *, whole: bool = True) -> None:
        """Wait until so many requests have arrived, while the calls that were begun go on."""
        if self.style == "blocking":
            srv.wait_for_requests(count, whole=whole)
        else:
            self.wait(asyncio.to_thread(srv.wait_for_requests, count, whole=whole))

    def disconnected(self, srv: Origin) -> None:
        """Wait until no connection is open at the server."""
        if self.style == "blocking":
            srv.wait_until_disconnected()
        else:
            self.wait(asyncio.to_thread(srv.wait_until_disconnected))

    def end(self, begun: Any) -> Any:
        """Give the result of a call that was begun."""
        return begun.result() if self.style == "blocking" else self.wait(begun)

    def close_client(self, client: Any) -> None:
        """Close a client or a transport."""
        if self.style == "blocking":
            client.close()
        else:
            self.wait(client.aclose())

    def close(self) -> None:
        """Close everything."""
        for each in self.opened:
            self.close_client(each)
        self._threads.shutdown()
        self._runner.close()


async def _collect(items: Any) -> list[Any]:
    return [item async for item in items]


async def _finish(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else await _collect(result)


def is_stalled(srv: Origin) -> bool:
    """Whether a step has begun to wait."""
    return any(connection.stalled for connection in srv._open)  # pyright: ignore[reportPrivateUsage]  a test's peek


def sent(srv: FaultServer) -> int:
    """How many whole requests arrived."""
    return sum(request.complete for request in srv.requests)
