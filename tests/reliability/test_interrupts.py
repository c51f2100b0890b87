"""If an interrupt arrives at any line of the connection pool, the pool loses at most one connection (H100)."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import signal
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import h11
import pytest

import subscribekit
from kit.clocks import RunningTime
from kit.faults import scripts as f
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from kit.interrupts import InterruptAt
from reliability.kit import CREDENTIALS, TimedNetwork, hazard
from samples import points
from subscribekit import Limits, RetryPolicy, Timeouts
from subscribekit._core.calls.outcomes.unknown_outcome import recorded
from subscribekit._core.config.address import parse_address
from subscribekit._core.http.connections.http11 import HTTP11
from subscribekit._core.http.connections.pool import ConnectionPool
from subscribekit._core.http.connections.pool_async import AsyncConnectionPool
from subscribekit._core.http.connections.route import Route
from subscribekit._core.http.failure import TransportFailure
from subscribekit._core.http.progress import Progress
from subscribekit._core.http.transport import RawRequest
from subscribekit._sealed import NOTHING, Content, SealedHeaders
from subscribekit.models import EntitlementCharge

OWN = str(Path(subscribekit.__file__).parent / "_core" / "http")
BELOW = (str(Path(h11.__file__).parent), str(Path(ssl.__file__)))
CHARGE = EntitlementCharge(transaction_id="tx1", product_code="film", amount=Decimal("4.90"), currency="USD")
TIMES = {"connect": 2.0, "read": 2.0, "write": 2.0, "pool": 2.0}

pytestmark = [
    # The standard library closes a connection that an interrupt leaves without an owner, and warns about it.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def in_its_own_thread(test: Callable[..., None]) -> Callable[..., None]:
    """Run a test in its own thread.

    In CPython 3.11, after an interrupt inside an `except` block of a library, the thread still handles the exception of
    that block. Every exception that the thread raises later has that exception as its context.
    """

    @functools.wraps(test)
    def run(*args: Any, **named: Any) -> None:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(test, *args, **named).result()

    return run


def request(srv: FaultServer) -> RawRequest:
    address = parse_address("base_url", srv.url, allow_insecure_loopback=True)
    headers = [(b"Host", address.netloc.encode())]
    end = time.monotonic() + 5
    return RawRequest("GET", address, "/x", SealedHeaders(headers), [], NOTHING, TIMES, Progress(), end, None)


def exchange(pool: ConnectionPool, srv: FaultServer) -> bytes:
    """Send a request and read its response, as the sync driver does."""
    response = pool.send(request(srv))
    try:
        return b"".join(map(Content.reveal, response.body))
    finally:
        response.body.close()


async def exchange_async(pool: AsyncConnectionPool, srv: FaultServer) -> bytes:
    """Send a request and read its response, as the async driver does."""
    response = await pool.send(request(srv))
    try:
        return b"".join([piece.reveal() async for piece in response.body])
    finally:
        await response.body.aclose()


def descriptors() -> int:
    return len([*Path("/proc/self/fd").iterdir()])


def serves(pool: ConnectionPool, srv: FaultServer, count: int) -> None:
    """Assert that this many calls can run at the same time, and that each one then releases its connection."""
    bodies = [pool.send(request(srv)).body for _ in range(count)]
    assert len(pool._process.permits) == count  # pyright: ignore[reportPrivateUsage]
    for body in bodies:
        assert b"a1" in b"".join(map(Content.reveal, body))
        body.close()
    assert len(pool._process.permits) == 0  # pyright: ignore[reportPrivateUsage]


def interrupted(act: Callable[[], object], number: int, folders: tuple[str, ...]) -> bool:
    """Interrupt a function at one line, and return whether the function reached that line."""
    with InterruptAt(number, folders) as interrupt:
        try:
            act()
        except KeyboardInterrupt as error:
            error.with_traceback(None)  # as the SDK does
    return interrupt.left <= 0


@hazard("H100")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
@pytest.mark.parametrize("reused", [False, True], ids=["fresh", "reused"])
@pytest.mark.parametrize("folders", [(OWN,), (OWN, *BELOW)], ids=["own", "below"])
@in_its_own_thread
def test_an_interrupt_at_any_line_of_the_blocking_pool(tls: bool, reused: bool, folders: tuple[str, ...]) -> None:
    # The libraries below have many lines, so every seventeenth line is enough. A reused TLS connection runs lines that
    # a new connection runs too.
    step = 17 if folders != (OWN,) else 3 if tls and reused else 1
    with FaultServer(f.ok(), tls=tls) as srv:
        context = srv.client_context() if tls else None
        pool = ConnectionPool(Route(Limits(max_connections=2), context))
        exchange(pool, srv)
        pool._process.close_idle()  # pyright: ignore[reportPrivateUsage]
        srv.wait_until_disconnected()
        open_before = descriptors()
        for number in points(step):
            if reused:
                exchange(pool, srv)
            reached = interrupted(lambda: exchange(pool, srv), number, folders)
            assert len(pool._process.permits) == 0  # pyright: ignore[reportPrivateUsage]
            serves(pool, srv, 1)
            pool._process.close_idle()  # pyright: ignore[reportPrivateUsage]
            if not reached:
                break
        assert number > 60
        serves(pool, srv, 2)  # fails if an interrupt lost a permit permanently
        pool._process.close_idle()  # pyright: ignore[reportPrivateUsage]
        srv.wait_until_disconnected()
        assert descriptors() == open_before
        pool.close()


@hazard("H100")
@pytest.mark.parametrize("step", [f.close_after_request(), f.truncate()], ids=str)
@in_its_own_thread
def test_an_interrupt_while_a_failure_is_cleaned_up(srv: FaultServer, step: Step) -> None:
    pool = ConnectionPool(Route(Limits(max_connections=2)))
    for number in points():
        srv.script(step)
        reached = False
        with contextlib.suppress(TransportFailure):
            reached = interrupted(lambda: exchange(pool, srv), number, (OWN,))
        if not reached:
            break
    assert number > 60
    srv.script(f.ok())
    serves(pool, srv, 2)
    pool.close()
    srv.wait_until_disconnected()


@hazard("H100")
@pytest.mark.parametrize("reused", [False, True], ids=["fresh", "reused"])
@in_its_own_thread
def test_an_interrupt_at_any_line_of_the_async_pool(srv: FaultServer, reused: bool) -> None:
    pool = AsyncConnectionPool(Route(Limits(max_connections=2)))
    with asyncio.Runner() as runner:
        runner.run(exchange_async(pool, srv))
        for number in points():
            if reused:
                runner.run(exchange_async(pool, srv))

            async def act(at: int = number) -> bool:
                with InterruptAt(at, (OWN,)) as interrupt:
                    try:
                        await exchange_async(pool, srv)
                    except KeyboardInterrupt as error:
                        error.with_traceback(None)
                return interrupt.left <= 0

            reached = runner.run(act())
            runner.run(_serves_two(pool, srv))
            if not reached:
                break
        assert number > 60
        runner.run(pool.aclose())
        gc.collect()  # an interrupted call can be in a reference cycle, which keeps its connection open
        srv.wait_until_disconnected()


async def _serves_two(pool: AsyncConnectionPool, srv: FaultServer) -> None:
    async with asyncio.timeout(5):
        responses = [await pool.send(request(srv)) for _ in range(2)]
        for response in responses:
            assert b"a1" in b"".join([piece.reveal() async for piece in response.body])
            await response.body.aclose()
    (connections,) = pool._loops.values()  # pyright: ignore[reportPrivateUsage]
    assert not connections.permits
    while connections.idle:
        connections.idle.pop().close()


@hazard("H80", "H100")
@pytest.mark.parametrize("tls", [False, True], ids=["plain", "tls"])
def test_a_cancellation_at_any_step_of_the_async_pool(tls: bool) -> None:
    with FaultServer(f.ok(), tls=tls) as srv, asyncio.Runner() as runner:
        pool = AsyncConnectionPool(Route(Limits(max_connections=2), srv.client_context() if tls else None))

        async def cancelled_after(steps: int) -> bool:
            task = asyncio.ensure_future(exchange_async(pool, srv))
            for _ in range(steps):
                await asyncio.sleep(0)
            done = task.done()
            task.cancel()
            await asyncio.wait((task,))
            return done

        for steps in range(400):
            done = runner.run(cancelled_after(steps))
            runner.run(_serves_two(pool, srv))
            if done:
                break
        runner.run(pool.aclose())
        srv.wait_until_disconnected()


class Alarm(BaseException):
    """The exception of a soft time limit."""


def took(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


@hazard("H100")
def test_hundreds_of_real_signals_do_not_damage_the_pool(srv: FaultServer) -> None:
    client = subscribekit.GatewayClient(
        base_url=srv.url, allow_insecure_loopback=True, limits=Limits(max_connections=2), deadline=5.0,
        retry=RetryPolicy(max_attempts=1), timeouts=Timeouts(pool=1.0), **CREDENTIALS["gateway"],
    )  # fmt: skip

    def ring(*_: object) -> None:
        raise Alarm

    before = signal.signal(signal.SIGALRM, ring)
    hits = 0
    try:
        lasts = min(took(lambda: client.subscriptions.retrieve("s1")) for _ in range(10))
        for number in range(400):
            try:
                signal.setitimer(signal.ITIMER_REAL, max(1e-5, lasts * 1.3 * number / 400))
                client.subscriptions.retrieve("s1")
                signal.setitimer(signal.ITIMER_REAL, 0)
            except Alarm:
                hits += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert hits > 50
    gc.collect()
    begun = [threading.Thread(target=client.subscriptions.retrieve, args=("s1",)) for _ in range(8)]
    for thread in begun:
        thread.start()
    for thread in begun:
        thread.join(5)
        assert not thread.is_alive()
    assert client.subscriptions.retrieve("s1").id == "a1"
    client.close()
    srv.wait_until_disconnected()


def _ring_when(happened: Callable[[], object]) -> None:
    """Send the signal to the main thread as soon as the condition holds, or after a minute."""
    end = time.monotonic() + 60
    while not happened() and time.monotonic() < end:
        time.sleep(0.001)
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGALRM)


def _time_is_up(*_: object) -> None:
    raise TimeoutError("the application's own limit")


@hazard("H250")
@pytest.mark.parametrize(
    ("stalls", "has_stalled_early"),
    [
        (f.tls_stall(), lambda server: server.open_connections),
        (f.stall_before_headers(), lambda server: False),
        (f.stall_mid_body(), lambda server: False),
    ],
)
@pytest.mark.parametrize("is_charge", [False, True], ids=["read", "charge"])
def test_a_timeout_error_that_a_signal_handler_raises_ends_the_call(
    stalls: Any, has_stalled_early: Callable[[FaultServer], object], is_charge: bool, secure: FaultServer
) -> None:
    """The SDK doesn't retry after the application's time limit. If a charge was sent, the exception has its record."""
    secure.script(stalls)
    before = signal.signal(signal.SIGALRM, _time_is_up)
    route = Route(Limits(), secure.client_context())
    client = subscribekit.GatewayClient(
        base_url=secure.url,
        transport=TimedNetwork(route, RunningTime().clock()),
        deadline=None,
        **CREDENTIALS["gateway"],
    )
    ringing = threading.Thread(target=_ring_when, args=(lambda: secure.requests or has_stalled_early(secure),))
    try:
        ringing.start()
        with pytest.raises(TimeoutError, match="own limit") as caught:
            client.entitlements.charge("ps1", CHARGE) if is_charge else client.subscriptions.retrieve("s1")
    finally:
        ringing.join()
        signal.signal(signal.SIGALRM, before)
        client.close()
    was_sent = bool(secure.requests)
    assert len(secure.requests) <= 1
    assert (recorded(caught.value) is not None) == (is_charge and was_sent)


@hazard("H100")
def test_a_signal_handler_can_make_a_call(srv: FaultServer) -> None:
    pool, made = ConnectionPool(Route(Limits(max_connections=50))), 0

    def call(*_: object) -> None:
        nonlocal made
        exchange(pool, srv)
        made += 1

    before = signal.signal(signal.SIGALRM, call)
    try:
        for number in range(100):
            signal.setitimer(signal.ITIMER_REAL, 1e-5 * (number + 1))
            exchange(pool, srv)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert made > 10
    serves(pool, srv, 50)
    pool.close()


@hazard("H100")
def test_an_interrupt_that_a_library_replaces_by_another_exception_is_raised(
    srv: FaultServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = ConnectionPool(Route(Limits()))

    def fall(*_: object) -> None:
        try:
            raise KeyboardInterrupt
        finally:
            raise AssertionError("a half-changed protocol state")

    monkeypatch.setattr(HTTP11, "head", fall)
    with pytest.raises(KeyboardInterrupt):
        exchange(pool, srv)
    monkeypatch.setattr(HTTP11, "head", _broken)
    try:
        _interrupt()
    except KeyboardInterrupt:  # the interrupt that the caller handles doesn't count as one of the call
        with pytest.raises(AssertionError, match="a mistake"):
            exchange(pool, srv)
    assert len(pool._process.permits) == 0  # pyright: ignore[reportPrivateUsage]


def _interrupt() -> None:
    raise KeyboardInterrupt


def _broken(*_: object) -> None:
    raise AssertionError("a mistake")


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    yield
    gc.collect()
