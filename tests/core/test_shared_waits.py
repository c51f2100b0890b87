"""With `RetryPolicy(share_retry_after=True)`, all calls of a client and its copies wait together (H290)."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from kit.calls import URL, Run, Sent, Service, answer, array, page
from kit.clocks import FakeTime
from subscribekit import AsyncBillingClient, Limits, RetryPolicy
from subscribekit._core.calls.backoff import Pause
from subscribekit.errors import (
    ConfigurationError,
    ConnectionFailedError,
    DeadlineExceededError,
    RateLimitError,
    SubscribekitError,
)
from subscribekit.hooks import Hooks, ResponseEvent
from subscribekit.models import Account

pytestmark = pytest.mark.hazard("H290")

SHARED = RetryPolicy(share_retry_after=True)
ONCE = RetryPolicy(share_retry_after=True, max_attempts=1)


def busy(status: int = 429, seconds: object = 30) -> httpx.Response:
    """Return a response that asks all callers to wait."""
    return answer(
        {"object": "Error", "message": "slow down"} if status == 429 else None, status, retry_after=str(seconds)
    )


class Timed(Service):
    """A service that records the arrival time of each request."""

    def __init__(self, *answers: Any) -> None:
        super().__init__(*answers)
        self.arrivals: list[float] = []

    def following(self, sent: Sent) -> Any:
        self.arrivals.append(self.time.seconds)
        return super().following(sent)


async def _refused(run: Run, call: Any) -> SubscribekitError:
    try:
        await run.now(call())
    except SubscribekitError as error:
        return error
    raise AssertionError("no error")


@pytest.mark.parametrize("status", [429, 503])
def test_a_write_and_a_read_of_a_copy_wait_until_the_shared_wait_ends(run: Run, status: int) -> None:
    service = Timed(busy(status), answer({"id": "a2"}), page("a1"))

    async def story(client: Any) -> None:
        copy = client.with_options(deadline=None)
        await _refused(run, lambda: client.accounts.retrieve("a1"))
        await run.now(client.accounts.create(Account(id="a2")))
        await run.finish(copy.accounts.list())

    run("billing", story, transport=service, retry=ONCE)
    assert service.arrivals == [1000, 1030, 1030]


def test_only_a_client_with_share_retry_after_waits(run: Run) -> None:
    service = Timed(busy(), answer({"id": "a1"}), answer({"id": "a1"}))

    async def story(client: Any) -> None:
        await _refused(run, lambda: client.accounts.retrieve("a1"))
        await run.now(client.accounts.retrieve("a1"))
        await run.now(client.with_options(retry=SHARED).accounts.retrieve("a1"))

    run("billing", story, transport=service, retry=RetryPolicy(max_attempts=1))
    assert service.arrivals == [1000, 1000, 1030]


def test_a_retry_waits_for_the_longer_wait_of_another_call(run: Run) -> None:
    """The call waits for 5 s. Then another call extends the wait by 10 s."""
    service = Timed(busy(seconds=5), answer({"id": "a1"}))
    first: list[bool] = []

    async def story(client: Any) -> None:
        driver = client.accounts._driver
        before = driver.settings.clock.sleep

        def sleep(seconds: float) -> None:
            before(seconds)
            if not first:
                first.append(True)
                driver.settings.share_retry_after(10.0)

        async def sleep_async(seconds: float) -> None:
            sleep(seconds)

        object.__setattr__(driver.settings.clock, "sleep", sleep)
        object.__setattr__(driver.settings.clock, "sleep_async", sleep_async)
        await run.now(client.accounts.retrieve("a1"))

    run("billing", story, transport=service, retry=SHARED)
    assert service.arrivals == [1000, 1015]


def test_a_call_whose_deadline_passes_during_the_wait_is_refused_at_once(run: Run) -> None:
    service = Timed(busy(), answer({"id": "a1"}))
    found: list[SubscribekitError] = []

    async def story(client: Any) -> None:
        await _refused(run, lambda: client.accounts.retrieve("a1"))
        hurried = client.with_options(deadline=10)
        found.append(await _refused(run, lambda: hurried.accounts.create(Account(id="a2"))))
        await run.now(client.accounts.retrieve("a1"))

    run("billing", story, transport=service, retry=ONCE)
    error = found[0]
    assert isinstance(error, DeadlineExceededError)
    assert (error.outcome, error.attempts) == ("not_sent", 0)
    assert str(error) == (
        "the deadline of 10 s for the whole call would pass during the 30 s that the service asked all calls to wait; "
        "nothing was sent"
    )
    assert service.arrivals == [1000, 1030]


def test_a_retry_whose_deadline_passes_during_the_wait_keeps_its_own_error(run: Run) -> None:
    service = Timed(busy(seconds=5))
    found: list[SubscribekitError] = []

    async def story(client: Any) -> None:
        settings = client.accounts._driver.settings

        def refuse(_: Sent) -> httpx.Response:
            settings.share_retry_after(50.0)
            return busy(seconds=5)

        service.answers = [refuse]
        found.append(await _refused(run, lambda: client.with_options(deadline=20).accounts.retrieve("a1")))

    run("billing", story, transport=service, retry=SHARED)
    assert isinstance(found[0], RateLimitError)
    assert service.arrivals == [1000]
    assert "would pass during the 45 s" in "".join(found[0].__notes__)


def test_a_wait_longer_than_the_maximum_is_not_shared(run: Run) -> None:
    service = Timed(busy(seconds=61), answer({"id": "a1"}))

    async def story(client: Any) -> None:
        await _refused(run, lambda: client.accounts.retrieve("a1"))
        await run.now(client.accounts.retrieve("a1"))

    run("billing", story, transport=service, retry=SHARED)
    assert service.arrivals == [1000, 1000]


def test_the_credential_is_requested_after_the_wait(run: Run) -> None:
    service = Timed(busy(), array())
    requested_at: list[float] = []

    def credential() -> str:
        requested_at.append(service.time.seconds)
        return "key-4711"

    async def story(client: Any) -> None:
        await _refused(run, lambda: client.accounts.list().to_list())
        await run.now(client.accounts.list().to_list())

    run("user_mgmt", story, base_url=URL["user_mgmt"], session_id=credential, transport=service, retry=ONCE)
    assert requested_at == [1000, 1030]


class Sleepers(FakeTime):
    """A clock that advances when `number` tasks sleep."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number, self.woken = number, asyncio.Event()

    async def sleep_async(self, seconds: float) -> None:
        self.slept.append(seconds)
        if len(self.slept) == self.number:
            self.seconds += seconds
            self.woken.set()
        await asyncio.wait_for(self.woken.wait(), 20)


def test_64_tasks_send_nothing_during_the_wait_even_if_they_wait_for_a_connection() -> None:
    """One of eight connections receives a 429. The other 56 tasks are held back after they get a connection."""
    asyncio.run(_64_tasks())


async def _64_tasks() -> None:
    arrived: list[float] = []
    attempts: list[int] = []
    ended: list[ResponseEvent] = []
    eight, refused, clock = asyncio.Event(), asyncio.Event(), Sleepers(1 + 56)

    def record(event: ResponseEvent) -> None:
        ended.append(event)
        refused.set()

    serving: list[asyncio.Task[Any] | None] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving.append(asyncio.current_task())
        while (await reader.readline()).startswith(b"GET "):
            await reader.readuntil(b"\r\n\r\n")
            arrived.append(clock.seconds)
            status = b"429 Too Many Requests\r\nRetry-After: 30" if len(arrived) == 1 else b"200 OK"
            if len(arrived) == 8:
                eight.set()
            await asyncio.wait_for((refused if status.startswith(b"200") else eight).wait(), 20)
            body = b'{"object": "Account", "id": "a1"}'
            writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        client = AsyncBillingClient(
            base_url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", allow_insecure_loopback=True,
            api_user="u", api_key="key-4711", limits=Limits(max_connections=8), retry=SHARED, deadline=None,
            observers=[Hooks(on_request=lambda event: attempts.append(event.attempt), on_response=record)],
        )  # fmt: skip
        object.__setattr__(client._driver.settings, "clock", clock.clock())  # pyright: ignore[reportPrivateUsage]  the test has real sockets and its own clock
        async with client:
            await asyncio.gather(*(client.accounts.retrieve("a1") for _ in range(64)))
        await asyncio.gather(*(each for each in serving if each is not None))
    assert arrived == [1000] * 8 + [1030] * 57
    held_back = [each.error for each in ended if isinstance(each.error, ConnectionFailedError)]
    assert {error.outcome for error in held_back} == {"not_sent"}
    assert len(ended) == len(attempts) == 65 + len(held_back)
    assert attempts.count(2) == 1  # a request that was held back isn't counted as an attempt


def test_threads_share_the_wait() -> None:
    """Many threads extend the wait at once, and the longest wait applies."""
    pause, start = Pause(), threading.Barrier(8)

    def extend(number: int) -> None:
        start.wait()
        for each in range(2000):
            pause.extend(float(each * 8 + number))

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(extend, range(8)))
    assert pause.left(0.0) == 1999 * 8 + 7


@pytest.mark.parametrize("value", [1, "yes", None])
def test_share_retry_after_is_true_or_false(value: Any) -> None:
    with pytest.raises(ConfigurationError, match="share_retry_after must be True or False"):
        RetryPolicy(share_retry_after=value)
