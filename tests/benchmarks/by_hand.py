"""Contenders with handwritten code: httpx, httpx with pydantic, and raw sockets as the physical limit."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import AsyncGenerator, Callable
from urllib.parse import urlsplit

import httpcore
import httpx

from benchmarks.drive import blocking, looped, repeated, shares, spin, spread, threaded
from benchmarks.hand_models import Account, AccountPage
from benchmarks.measure import Contender

Read = Callable[[httpx.Response], object]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

PAGE = 100
ACCOUNTS = "/accounts"
ASSOCIATIONS = "/platform/rest/v85/user/accounts"


def as_dict(response: httpx.Response) -> object:
    """Parse a response as plain JSON."""
    return json.loads(response.content)


def as_account(response: httpx.Response) -> object:
    """Parse a response into a model."""
    return Account.model_validate_json(response.content)


# Single requests


def raw_get(url: str, path: str) -> Contender:
    """Get one object over a raw socket."""
    request = _request(path)
    return blocking(lambda: _connect(url), repeated(lambda sock: json.loads(_exchange(sock, request))))


def httpcore_get(url: str, path: str) -> Contender:
    """Get one object over a single `httpcore.HTTPConnection`, without httpx."""
    parts = urlsplit(url)
    origin = httpcore.Origin(b"http", (parts.hostname or "").encode(), parts.port or 0)
    headers = [(b"Host", parts.netloc.encode()), (b"Authorization", b"Basic dTpr"), (b"Accept", b"application/json")]

    def get(connection: httpcore.HTTPConnection) -> object:
        response = connection.request("GET", url + path, headers=headers)
        if response.status != 200:
            raise RuntimeError(f"returned {response.status}")
        return json.loads(response.content)

    return blocking(lambda: httpcore.HTTPConnection(origin), repeated(get))


def httpx_get(url: str, path: str, read: Read, *, threads: int = 1) -> Contender:
    """Get one object with an `httpx.Client`, in `threads` threads."""
    return blocking(lambda: _client(url), threaded(lambda client: read(client.get(path).raise_for_status()), threads))


def async_httpcore_get(url: str, path: str) -> Contender:
    """Get one object over a single `httpcore.AsyncHTTPConnection`, without httpx."""
    parts = urlsplit(url)
    origin = httpcore.Origin(b"http", (parts.hostname or "").encode(), parts.port or 0)
    headers = [(b"Host", parts.netloc.encode()), (b"Authorization", b"Basic dTpr"), (b"Accept", b"application/json")]

    async def get(connection: httpcore.AsyncHTTPConnection) -> object:
        response = await connection.request("GET", url + path, headers=headers)
        if response.status != 200:
            raise RuntimeError(f"returned {response.status}")
        return json.loads(response.content)

    return looped(lambda: httpcore.AsyncHTTPConnection(origin), spread(get))


def async_raw_get(url: str, path: str, tasks: int = 1) -> Contender:
    """Get one object over asyncio streams, with one connection for each task."""
    request = _request(path)

    async def work(streams: list[Streams], units: int) -> int:
        async def task(stream: Streams, share: int) -> int:
            reader, writer = stream
            for _ in range(share):
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                json.loads(await reader.readexactly(_length(head)))
            return share

        return sum(await asyncio.gather(*map(task, streams, shares(units, tasks))))

    return looped(lambda: _streams(url, tasks), work)


def async_httpx_get(url: str, path: str, read: Read, *, tasks: int = 1) -> Contender:
    """Get one object with an `httpx.AsyncClient`."""

    async def get(client: httpx.AsyncClient) -> object:
        return read((await client.get(path)).raise_for_status())

    return looped(lambda: _async_client(url), spread(get, tasks))


# Lists


def raw_list(url: str) -> Contender:
    """Read the list over a raw socket, as dicts."""

    def work(sock: socket.socket, units: int) -> int:
        count, cursor = 0, ""
        while True:
            page = json.loads(_exchange(sock, _request(f"{ACCOUNTS}?limit={PAGE}{cursor}")))
            count += len(page["data"])
            if not page.get("next"):
                return count
            cursor = f"&starting_after={page['data'][-1]['id']}"

    return blocking(lambda: _connect(url), work)


def httpx_list(url: str, *, models: bool, work_per_page: float = 0.0, from_bytes: bool = False) -> Contender:
    """Read the list with an `httpx.Client`, as dicts or as models. With `from_bytes`, pydantic parses the JSON."""

    def work(client: httpx.Client, units: int) -> int:
        count, params = 0, {"limit": str(PAGE)}
        while True:
            response = client.get(ACCOUNTS, params=params).raise_for_status()
            seen, last = _read_page(response, models=models, from_bytes=from_bytes)
            spin(work_per_page)
            count += seen
            if last is None:
                return count
            params["starting_after"] = last

    return blocking(lambda: _client(url), work)


def async_httpx_list(url: str, *, models: bool, work_per_page: float = 0.0) -> Contender:
    """Read the list with an `httpx.AsyncClient`, as dicts or as models."""

    async def work(client: httpx.AsyncClient, units: int) -> int:
        count, params = 0, {"limit": str(PAGE)}
        while True:
            seen, last = _read_page((await client.get(ACCOUNTS, params=params)).raise_for_status(), models=models)
            spin(work_per_page)
            count += seen
            if last is None:
                return count
            params["starting_after"] = last

    return looped(lambda: _async_client(url), work)


def httpx_offsets(url: str) -> Contender:
    """Read a list of the account-lifecycle API page by page, as dicts."""

    def work(client: httpx.Client, units: int) -> int:
        count, total = 0, 1
        while count < total:
            response = client.get(ASSOCIATIONS, params={"offset": count, "size": PAGE}).raise_for_status()
            count += len(json.loads(response.content))
            total = int(response.headers["x-total-count"])
        return count

    return blocking(lambda: _client(url), work)


def _read_page(response: httpx.Response, *, models: bool, from_bytes: bool = False) -> tuple[int, str | None]:
    """Return the number of items, and the ID of the last one if there are more pages."""
    if models:
        data = response.content
        page = AccountPage.model_validate_json(data) if from_bytes else AccountPage.model_validate(json.loads(data))
        return len(page.data), page.data[-1].id if page.next else None
    plain = json.loads(response.content)
    return len(plain["data"]), plain["data"][-1]["id"] if plain.get("next") else None


def _client(url: str) -> httpx.Client:
    return httpx.Client(base_url=url, auth=("u", "k"))


def _async_client(url: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=url, auth=("u", "k"))


def _connect(url: str) -> socket.socket:
    parts = urlsplit(url)
    sock = socket.create_connection((parts.hostname or "", parts.port or 0))
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


@contextlib.asynccontextmanager
async def _streams(url: str, count: int) -> AsyncGenerator[list[Streams]]:
    parts = urlsplit(url)
    streams = [await asyncio.open_connection(parts.hostname, parts.port) for _ in range(count)]
    try:
        yield streams
    finally:
        for _, writer in streams:
            writer.close()
            await writer.wait_closed()


def _request(target: str) -> bytes:
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic dTpr\r\n\r\n".encode()


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])


def _exchange(sock: socket.socket, request: bytes) -> bytes:
    sock.sendall(request)
    data = sock.recv(1 << 20)
    head, _, body = data.partition(b"\r\n\r\n")
    missing = _length(head) - len(body)
    pieces = [body]
    while missing > 0:
        pieces.append(sock.recv(1 << 20))
        missing -= len(pieces[-1])
    return b"".join(pieces)
