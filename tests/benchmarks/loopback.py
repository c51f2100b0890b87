"""A keep-alive HTTP server in its own process, with an adjustable latency."""

from __future__ import annotations

import asyncio
import functools
import multiprocessing
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs

from benchmarks import payloads

_HOST = "127.0.0.1"
_SMALL = payloads.small_account()
_ACCOUNT = payloads.account("a1")
# Two peers accept only their own fields, so this has the same amount of content with their names.
_CUSTOMER = (
    b'{"data": {"id": "small", "name": "Ada Example", "email": "ada@example.com", "marketing_consent": false, '
    b'"status": "active", "locale": "en", "created_at": "2024-05-01T12:00:00+00:00", '
    b'"updated_at": "2024-05-01T12:00:00+00:00"}, "meta": {"request_id": "r1"}}'
)
_LOWER_CASE = _SMALL.replace(b'"Account"', b'"account"').replace(b'"created"', b'"created_at"')


class Loopback:
    """The process of the server, as a context manager.

    Args:
        latency: The seconds before each response.
        accounts: The number of accounts in the list of the billing API.
        associations: The number of account associations in the list of the account-lifecycle API.
    """

    def __init__(self, *, latency: float = 0.0, accounts: int = 10_000, associations: int = 3_000) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would inherit the clients' sockets
        self._ready, child = context.Pipe(duplex=False)
        self._process = context.Process(target=_serve, args=(child, latency, accounts, associations), daemon=True)
        self.port = 0

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://{_HOST}:{self.port}"

    def __enter__(self) -> Self:
        self._process.start()
        if not self._ready.poll(30):
            raise RuntimeError("the benchmark server did not start")
        self.port = int(self._ready.recv())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.join()
        self._ready.close()


class _Handler(asyncio.Protocol):
    """Responds to GET requests without a body."""

    def __init__(self, latency: float, accounts: int, associations: int) -> None:
        self._latency = latency
        self._accounts = accounts
        self._associations = associations
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a stream is needed")
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            if self._buffer.startswith(b"0\r\n"):  # an empty body in chunks
                self._buffer = self._buffer[end + 4 :]
                continue
            target = self._buffer.split(b" ", 2)[1].decode("latin-1")
            self._buffer = self._buffer[end + 4 :]
            answer = self._answer(target)
            if self._latency:
                asyncio.get_running_loop().call_later(self._latency, self._transport.write, answer)
            else:
                self._transport.write(answer)

    def _answer(self, target: str) -> bytes:
        path, _, query = target.partition("?")
        values = {name: found[0] for name, found in parse_qs(query).items()}
        if "cursor" in values or "after" in values or "starting_after" in values:
            cursor = values.get("cursor") or values.get("after") or values.get("starting_after", "")
            first = payloads.position_after(cursor)
        else:
            first = int(values.get("offset", "0"))
        match path:
            case "/accounts/small" | "/v1/customers/small":
                return _ok(_SMALL)
            case "/accounts/a1" | "/v1/customers/a1":
                return _ok(_ACCOUNT)
            case "/customers/small":
                return _ok(_CUSTOMER)
            case "/lower/accounts/small":
                return _ok(_LOWER_CASE)
            case "/accounts":
                return _ok(payloads.page(first, int(values.get("limit", "20")), self._accounts))
            case "/peers/accounts" | "/v1/customers":
                return _ok(payloads.peer_page(first, int(values.get("limit", "20")), self._accounts))
            case "/platform/rest/v85/user/accounts":
                body = payloads.associations(first, int(values.get("size", "20")), self._associations)
                return _ok(body, b"X-Total-Count: %d\r\n" % self._associations)
            case _:
                return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def _ok(body: bytes, headers: bytes = b"") -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nRequest-Id: r1\r\n%sContent-Length: %d\r\n\r\n"
    return head % (headers, len(body)) + body


def _serve(ready: Connection, latency: float, accounts: int, associations: int) -> None:
    asyncio.run(_listen(ready, functools.partial(_Handler, latency, accounts, associations)))


async def _listen(ready: Connection, handler: functools.partial[_Handler]) -> None:
    server = await asyncio.get_running_loop().create_server(handler, _HOST, 0, backlog=256)
    ready.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()
