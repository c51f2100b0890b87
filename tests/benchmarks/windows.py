"""A server in its own process that lists accounts by cursor and by creation time, with a latency."""

from __future__ import annotations

import asyncio
import functools
import multiprocessing
from bisect import bisect_left, bisect_right
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs

_HOST = "127.0.0.1"
_BEGIN = datetime(2015, 1, 1, tzinfo=UTC).timestamp()
_SPAN = timedelta(days=3650).total_seconds()


class WindowServer:
    """The process of the server, as a context manager.

    Args:
        latency: The seconds before each response.
        accounts: The number of accounts, which were created over ten years.
        bursts: Whether a tenth of the accounts were created in one second, and half of them on one day.
    """

    def __init__(self, *, latency: float, accounts: int, bursts: bool = False) -> None:
        context = multiprocessing.get_context("spawn")
        self._ready, child = context.Pipe(duplex=False)
        self._process = context.Process(target=_serve, args=(child, latency, accounts, bursts), daemon=True)
        self.port = 0

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://{_HOST}:{self.port}"

    def __enter__(self) -> Self:
        self._process.start()
        if not self._ready.poll(60):
            raise RuntimeError("the server did not start")
        self.port = int(self._ready.recv())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._process.terminate()
        self._process.join()
        self._ready.close()


def times(accounts: int, *, bursts: bool) -> list[float]:
    """Return the creation time of each account, in order."""
    burst, day = (accounts // 10, accounts // 2) if bursts else (0, 0)
    spread = [_BEGIN + _SPAN * n / (accounts - burst - day) for n in range(accounts - burst - day)]
    on_one_day = [_BEGIN + _SPAN / 2 + 86_400 * n / day for n in range(day)]
    in_one_second = [_BEGIN + _SPAN / 4 + 0.5] * burst
    return sorted(spread + on_one_day + in_one_second)


class _Handler(asyncio.Protocol):
    def __init__(self, latency: float, created: list[float], rows: list[bytes]) -> None:
        self._latency, self._created, self._rows, self._buffer = latency, created, rows, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if not isinstance(transport, asyncio.Transport):
            raise TypeError("a stream is needed")
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            target = self._buffer.split(b" ", 2)[1].decode("latin-1")
            self._buffer = self._buffer[end + 4 :]
            asyncio.get_running_loop().call_later(self._latency, self._transport.write, self._answer(target))

    def _answer(self, target: str) -> bytes:
        path, _, query = target.partition("?")
        asked = {name: found[0] for name, found in parse_qs(query).items()}
        if path.startswith("/accounts/"):
            return _ok(self._rows[int(path.removeprefix("/accounts/a"))])
        if path == "/subscriptions":
            return _ok(
                b'{"object":"List","total_count":1,"data":[{"object":"Subscription","id":"s-%s"}]}'
                % asked["account"].encode()
            )
        first, last = 0, len(self._created)
        if "created_after" in asked:
            first = bisect_right(self._created, _seconds(asked["created_after"]))
        if "created_before" in asked:
            last = bisect_left(self._created, _seconds(asked["created_before"]))
        total, limit = max(last - first, 0), int(asked.get("limit", "20"))
        if "starting_after" in asked:
            first = int(asked["starting_after"].removeprefix("a")) + 1
        end = max(min(first + limit, last), first)
        more = b',"next":"/accounts?starting_after=a%07d"' % (end - 1) if end < last else b""
        body = b'{"object":"List","total_count":%d%s,"data":[%s]}' % (total, more, b",".join(self._rows[first:end]))
        return _ok(body)


def _seconds(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _row(number: int, created: float) -> bytes:
    time = datetime.fromtimestamp(created, UTC).isoformat(timespec="microseconds").encode()
    return (
        b'{"object":"Account","id":"a%07d","vid":"7c3b1f0e9d2a4b%07d","created":"%s","default_currency":"EUR",'
        b'"email":"ada%d@example.com","name":"Ada Example"}' % (number, number, time, number)
    )


def _ok(body: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nRequest-Id: r1\r\nContent-Length: %d\r\n\r\n"
    return head % len(body) + body


def _serve(ready: Connection, latency: float, accounts: int, bursts: bool) -> None:
    created = times(accounts, bursts=bursts)
    rows = [_row(number, each) for number, each in enumerate(created)]
    asyncio.run(_listen(ready, functools.partial(_Handler, latency, created, rows)))


async def _listen(ready: Connection, handler: functools.partial[_Handler]) -> None:
    server = await asyncio.get_running_loop().create_server(handler, _HOST, 0, backlog=256)
    ready.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()
