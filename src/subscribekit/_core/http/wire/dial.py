"""Opens a socket to a host in an event loop, and tries several addresses at the same time (RFC 8305, Happy Eyeballs).

This module exists because some event loops, such as the event loop of uvloop, can't try several addresses at the same
time.
"""

import asyncio
import socket
from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from ..network_errors import ConnectError, ConnectTimeoutError
from .sockets import HEAD_START, AddressInfo, alternate_families

Attempt: TypeAlias = "asyncio.Task[socket.socket]"


async def dial(host: str, port: int) -> socket.socket:
    """Open a socket to a host.

    Raises:
        ConnectError: The host name has no IP address, or none of its addresses accepts a connection.
    """
    loop = asyncio.get_running_loop()
    try:
        found = _address(host, port) or await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError, LookupError) as error:  # LookupError means that the codec idna can't be loaded
        raise ConnectError from error
    try:
        return await (_connect(loop, found[0]) if len(found) == 1 else _race(loop, found))
    except OSError as error:
        raise (ConnectTimeoutError if isinstance(error, TimeoutError) else ConnectError) from error


def _address(host: str, port: int) -> Sequence[AddressInfo]:
    """Return the address of a host that is an IP address, without starting a thread, which a host name would need."""
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except socket.gaierror:
        return ()


async def _race(loop: asyncio.AbstractEventLoop, found: Sequence[AddressInfo]) -> socket.socket:
    waiting, attempts = deque(alternate_families(found)), set[Attempt]()
    failure: BaseException = OSError("the host name has no IP address")
    try:
        while waiting or attempts:
            if waiting:
                attempts.add(loop.create_task(_connect(loop, waiting.popleft())))
            head_start = HEAD_START if waiting else None
            done, _ = await asyncio.wait(attempts, timeout=head_start, return_when=asyncio.FIRST_COMPLETED)
            for attempt in done:
                attempts.remove(attempt)
                error = attempt.exception()
                if error is None:
                    return attempt.result()
                failure = error
    finally:
        for attempt in attempts:
            attempt.cancel()
            attempt.add_done_callback(_close_unused)
    raise failure


async def _connect(loop: asyncio.AbstractEventLoop, found: AddressInfo) -> socket.socket:
    family, kind, protocol, _, address = found
    sock = socket.socket(family, kind, protocol)
    try:
        sock.setblocking(False)
        await loop.sock_connect(sock, address)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except BaseException:
        sock.close()
        raise
    return sock


def _close_unused(attempt: Attempt) -> None:
    """Close the socket of an attempt that connected after another attempt had already succeeded."""
    if not attempt.cancelled() and attempt.exception() is None:
        attempt.result().close()
