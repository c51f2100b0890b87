"""httpx transports that pass requests to the sandbox instead of sending the requests over a network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from urllib.parse import urlsplit

import httpx

from .._core.config.clock import Clock
from .._core.config.environments import Environment
from .faults import Broken, Dripping, FaultDirector
from .faults.requests import Result
from .http.wire import GROUPS, Group, SandboxResponse, arrived
from .webhooks.dispatch import LONGEST_WAIT, Dispatch


class _Adapter:
    """Converts httpx's requests to the sandbox's requests, and the sandbox's responses to httpx's responses."""

    def __init__(self, faults: FaultDirector, environment: Environment, clock: Clock, dispatch: Dispatch) -> None:
        self.clock = clock
        self.environment = environment
        self._faults = faults
        self._dispatch = dispatch
        self._groups: dict[str, Group] = {}
        for group in GROUPS:
            host = urlsplit(environment.address(group, {}) or "").hostname
            if host:
                self._groups[host] = group

    def _result(self, sent: httpx.Request, body: bytes) -> Result:
        group = self._groups.get(sent.url.host)
        if group is None or sent.url.scheme != "https":
            raise httpx.ConnectError(
                "the sandbox doesn't serve this address; use the https addresses of sandbox.environment", request=sent
            )
        target = sent.url.raw_path.decode("ascii")
        return self._faults.handle(arrived(group, sent.method.upper(), target, sent.headers.items(), body))

    def _translated(self, result: Result, sent: httpx.Request) -> httpx.Response:
        if isinstance(result, Broken):
            return _broken(result, sent)
        if isinstance(result, Dripping):
            return _response(result.response, sent, _Drip(result, self.clock))
        return _response(result, sent, httpx.ByteStream(result.body))


class SandboxTransport(_Adapter, httpx.BaseTransport):
    """A sync httpx transport that passes requests to a sandbox."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request to the sandbox, send the webhooks that the request caused, and return the response."""
        result = self._result(request, request.read())
        self._dispatch.deliver()
        return self._translated(result, request)


class AsyncSandboxTransport(_Adapter, httpx.AsyncBaseTransport):
    """An async httpx transport that passes requests to a sandbox."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Pass a request to the sandbox, send the webhooks that the request caused, and return the response."""
        result = self._result(request, await request.aread())
        self._dispatch.deliver(longest=0)
        if not self._dispatch.wait(0):
            # Wait for the webhooks in another thread, because their receiver can be a server in this event loop.
            await asyncio.to_thread(self._dispatch.wait, LONGEST_WAIT)
        return self._translated(result, request)


def _response(response: SandboxResponse, sent: httpx.Request, stream: httpx.SyncByteStream) -> httpx.Response:
    headers = {**response.headers, "Content-Length": str(len(response.body))}
    return httpx.Response(response.status, headers=headers, stream=stream, request=sent)


def _broken(result: Broken, sent: httpx.Request) -> httpx.Response:
    """Raise httpx's exception for a broken connection.

    If the response was cut, return a response that fails while it's read.
    """
    if result.breakage == "refused":
        raise httpx.ConnectError("connection refused", request=sent)
    if result.breakage == "timed_out":
        raise httpx.ReadTimeout("the response didn't arrive within the read timeout", request=sent)
    if result.response is None:
        raise httpx.RemoteProtocolError("server disconnected without sending a response", request=sent)
    return _response(result.response, sent, _Cut(result.response.body))


class _Cut(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A response body that ends with an error after its first half."""

    def __init__(self, body: bytes) -> None:
        self._half = body[: len(body) // 2]

    def __iter__(self) -> Iterator[bytes]:
        yield self._half
        raise _cut_off()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        yield self._half
        raise _cut_off()


class _Drip(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A response body in pieces, which advances the clients' clock before each piece."""

    def __init__(self, dripping: Dripping, clock: Clock) -> None:
        self._pieces = dripping.pieces
        self._pause = dripping.pause
        self._clock = clock

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self._clock.sleep(self._pause)
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self._pieces:
            await self._clock.sleep_async(self._pause)
            yield piece


def _cut_off() -> httpx.RemoteProtocolError:
    return httpx.RemoteProtocolError("peer closed connection without sending complete message body")
