"""Connections to a host with several addresses, and reused file descriptors (H187, H188, H359)."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kit.faults.server import FaultServer
from reliability.kit import Run, hazard, sent
from reliability.operations import E8
from subscribekit import RetryPolicy, Timeouts
from subscribekit._core.http.network_errors import ConnectError
from subscribekit._core.http.wire import dial, sockets
from subscribekit._core.http.wire.sockets_async import AsyncSocket
from subscribekit._sealed import Content
from subscribekit.errors import ConnectionFailedError
from subscribekit.transports import direct

NAME = "localhost"


def head_start(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    for module in (dial, sockets):
        monkeypatch.setattr(module, "HEAD_START", seconds)


def leads_to(monkeypatch: pytest.MonkeyPatch, *addresses: tuple[str, int]) -> None:
    """Make `NAME` resolve to these addresses."""
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **options: Any) -> Any:
        if host != NAME:
            return real(host, port, *args, **options)
        if options.get("flags"):
            raise socket.gaierror(socket.EAI_NONAME, "not an address")
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", address) for address in addresses]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


@contextlib.contextmanager
def deaf() -> Iterator[tuple[str, int]]:
    """Yield the address of a server that accepts no connection, because its queue is full."""
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0), backlog=0))
        address: tuple[str, int] = server.getsockname()
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(address)
        yield address


def descriptors() -> set[str]:
    return {each.name for each in Path("/proc/self/fd").iterdir()}


@hazard("H188", "H359")
def test_a_refusal_leads_to_the_next_address_at_once(
    run: Run, srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    head_start(monkeypatch, 3600.0)
    leads_to(monkeypatch, ("127.0.0.1", free_port()), ("127.0.0.1", srv.port))
    client = run.client("gateway", f"http://{NAME}:{srv.port}")
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert (sent(srv), srv.connections) == (1, 1)


@hazard("H188")
def test_sockets_that_connect_later_are_closed(run: Run, srv: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    head_start(monkeypatch, 0.0)
    leads_to(monkeypatch, *[("127.0.0.1", srv.port)] * 3)
    client = run.client("gateway", f"http://{NAME}:{srv.port}", timed=False)
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    run.close_client(client)
    srv.wait_until_disconnected()
    assert sent(srv) == 1


@hazard("H188")
def test_only_one_of_the_sockets_that_connect_at_the_same_time_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[socket.socket] = []
    begun: list[None] = []

    async def connect(*_: object) -> socket.socket:
        begun.append(None)
        while len(begun) < 3:
            await asyncio.sleep(0)
        made.append(sock := socket.socket())
        return sock

    async def story() -> None:
        addresses: Any = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 1))] * 3
        won = await dial._race(asyncio.get_running_loop(), addresses)  # pyright: ignore[reportPrivateUsage]
        for _ in range(5):
            await asyncio.sleep(0)
        assert len(made) > 1
        assert [each for each in made if each.fileno() != -1] == [won]
        won.close()

    head_start(monkeypatch, 0.0)
    monkeypatch.setattr(dial, "_connect", connect)
    asyncio.run(story())


@hazard("H188")
def test_if_every_address_refuses_the_error_contains_the_reason(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    leads_to(monkeypatch, ("127.0.0.1", free_port()), ("127.0.0.1", free_port()))
    client = run.client("gateway", f"http://{NAME}:1", retry=RetryPolicy(max_attempts=1))
    error = run.fails(client, E8.use)
    assert isinstance(error, ConnectionFailedError)
    assert error.outcome == "not_sent"
    assert "Connection refused" in str(error)


@hazard("H188")
@pytest.mark.parametrize("number", [1, 3])
def test_connection_attempts_that_time_out_leave_no_socket_open(
    run: Run, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    head_start(monkeypatch, 0.0)
    once = RetryPolicy(max_attempts=1)
    with deaf() as address:
        leads_to(monkeypatch, *[address] * number)
        client = run.client("gateway", f"http://{NAME}:1", timeouts=Timeouts(connect=0.05), retry=once)
        run.fails(client, E8.use)  # opens the descriptors of the event loop and of its thread for DNS lookups
        before = descriptors()
        error = run.fails(client, E8.use)
        if run.style == "async":
            run.wait(asyncio.sleep(0))
        assert descriptors() == before
    assert isinstance(error, ConnectionFailedError)
    assert (error.outcome, "no connection in time" in str(error)) == ("not_sent", True)


@hazard("H188")
@pytest.mark.parametrize("name", ["a" * 300, "\ud800", "no-such-name.invalid"])
def test_a_name_without_an_address_raises_a_connect_error(name: str) -> None:
    with pytest.raises(ConnectError):
        asyncio.run(dial.dial(name, 1))


@hazard("H359")
def test_an_address_that_drops_packets_does_not_delay_a_call(
    run: Run, srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    head_start(monkeypatch, 0.0)
    with deaf() as address:
        leads_to(monkeypatch, address, address, ("127.0.0.1", srv.port))
        client = run.client("gateway", f"http://{NAME}:{srv.port}", timeouts=Timeouts(connect=3600.0), deadline=5.0)
        assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert (sent(srv), run.time.slept) == (1, [])


@hazard("H359")
def test_a_late_refusal_does_not_end_the_attempts_with_other_addresses(
    srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first two refusals arrive only after the connection attempts have started."""
    head_start(monkeypatch, 0.0)
    real = sockets._connected  # pyright: ignore[reportPrivateUsage]
    met: list[socket.socket] = []

    def refused_first(sock: socket.socket) -> socket.socket:
        met.append(sock)
        if len(met) < 3:
            sock.close()
            raise ConnectionRefusedError(111, "Connection refused")
        return real(sock)

    monkeypatch.setattr(sockets, "_connected", refused_first)
    run = Run("blocking")
    leads_to(monkeypatch, *[("127.0.0.1", srv.port)] * 3)
    client = run.client("gateway", f"http://{NAME}:{srv.port}")
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert [each.fileno() == -1 for each in met] == [True, True, False]
    run.close()


@hazard("H359")
def test_sockets_of_another_library_connect_one_after_the_other(
    srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Libraries such as PySocks talk to a proxy while they connect, so they need a blocking socket."""
    limits: list[float | None] = []

    class Tunnelled(socket.socket):
        def connect(self, address: Any) -> None:
            limits.append(self.gettimeout())
            super().connect(address)

    run, own = Run("blocking"), direct()
    run.opened.append(own)
    client = run.client("gateway", f"http://{NAME}:{srv.port}", transport=own, timeouts=Timeouts(connect=30.0))
    leads_to(monkeypatch, ("127.0.0.1", free_port()), ("127.0.0.1", srv.port))
    monkeypatch.setattr(socket, "socket", Tunnelled)
    assert run(client, E8.use).transaction_reference_id == "ref-1"
    assert [round(each or 0) for each in limits] == [15, 30]
    run.close()


@hazard("H359")
def test_address_families_alternate() -> None:
    six: Any = [(socket.AF_INET6, number) for number in range(3)]
    four: Any = [(socket.AF_INET, number) for number in range(2)]
    assert sockets.alternate_families([*six, *four]) == [six[0], four[0], six[1], four[1], six[2]]
    assert sockets.alternate_families([*four, *six]) == [four[0], six[0], four[1], six[1], six[2]]
    assert sockets.alternate_families([]) == []


@hazard("H187")
def test_a_descriptor_that_an_interrupted_task_still_waits_for_can_be_reused() -> None:
    async def story() -> None:
        mine, peer = socket.socketpair()
        mine.setblocking(False)
        number, stream = mine.fileno(), AsyncSocket(mine)
        cut_off = asyncio.create_task(stream.read(None))
        await asyncio.sleep(0)
        stream.close()  # as after an interrupt, which doesn't notify the waiting task
        peer.close()
        mine, peer = socket.socketpair()
        assert number in (mine.fileno(), peer.fileno())
        again, other = (mine, peer) if mine.fileno() == number else (peer, mine)
        again.setblocking(False)
        with other:
            next_one = AsyncSocket(again)
            reading = asyncio.create_task(next_one.read(5.0))
            await asyncio.sleep(0)
            other.sendall(b"x")
            assert await reading == Content(b"x")
            next_one.close()
        cut_off.cancel()

    asyncio.run(story())
