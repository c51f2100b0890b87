"""Pages are read ahead and concurrently, by sync and async clients.

The tests rely on events, not on a clock. The service delays a response until the requests that must be in flight at
the same time have arrived. If the SDK doesn't send them, the wait ends in a failure.
"""

from __future__ import annotations

import asyncio
import gc
import os
import threading
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest

from kit.calls import Run, answer, array, page
from subscribekit import RetryPolicy, UserMgmtClient
from subscribekit._core.lists import prefetch
from subscribekit.errors import NotFoundError

PATIENCE = 10.0
"""Seconds until a wait fails. A passing test never waits that long."""


ONCE = RetryPolicy(max_attempts=1)


class Meeting(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A service with ten pages of two items, which can wait until `together` requests have been in flight at once."""

    def __init__(self, group: str, *, together: int = 1, broken: int | None = None) -> None:
        self.group, self.together, self.broken = group, together, broken
        self.requested: list[int] = []
        self.most = self._in_flight = 0
        self._condition = threading.Condition()
        self._changed = asyncio.Event()

    def has_requested(self, number: int) -> bool:
        return number in self.requested

    def wait_for(self, number: int) -> bool:
        """Wait until a page is requested, without iterating."""
        with self._condition:
            return self._condition.wait_for(lambda: self.has_requested(number), PATIENCE)

    async def wait_for_async(self, number: int) -> bool:
        async with asyncio.timeout(PATIENCE):
            while not self.has_requested(number):
                self._changed.clear()
                await self._changed.wait()
        return True

    def _begin(self, request: httpx.Request) -> int:
        params = request.url.params
        start = int(params.get("offset") or params.get("starting_after") or 0)
        self.requested.append(start // 2)
        self._in_flight += 1
        self.most = max(self.most, self._in_flight)
        return start // 2

    def _must_wait(self, number: int) -> bool:
        return number > 0 and self.most < self.together

    def _respond(self, number: int) -> httpx.Response:
        if number == self.broken:
            return answer({}, 404)
        if self.group == "user_mgmt":
            return array(2 * number, 2 * number + 1, total=20)
        last = 2 * number + 2
        return page(str(last - 1), str(last), next_link=f"/accounts?starting_after={last}" if last < 20 else None)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with self._condition:
            number = self._begin(request)
            self._condition.notify_all()
            met = self._condition.wait_for(lambda: not self._must_wait(number), PATIENCE)
            self._in_flight -= 1
            assert met, f"page {number} was requested alone"
            return self._respond(number)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        number = self._begin(request)
        self._changed.set()
        try:
            async with asyncio.timeout(PATIENCE):
                while self._must_wait(number):
                    await asyncio.sleep(0)
        except TimeoutError:
            pytest.fail(f"page {number} was requested alone")
        finally:
            self._in_flight -= 1
        return self._respond(number)


async def was_requested(run: Run, service: Meeting, number: int) -> bool:
    return service.wait_for(number) if run.style == "blocking" else await service.wait_for_async(number)


GROUPS = pytest.mark.parametrize("group", ["billing", "user_mgmt"])
WAYS = pytest.mark.parametrize("way", ["items", "pages"])


def all_ids(group: str) -> list[Any]:
    return list(range(20)) if group == "user_mgmt" else [str(number) for number in range(1, 21)]


async def ids(run: Run, source: Any) -> list[Any]:
    found: list[Any] = []
    async for each in run.every(source):
        found += [item.id for item in each.data] if hasattr(each, "data") else [each.id]
    return found


@GROUPS
@WAYS
def test_with_prefetch_the_next_page_is_requested_while_the_current_one_is_used(group: Any, way: str, run: Run) -> None:
    service = Meeting(group)

    async def story(client: Any) -> None:
        pager = client.accounts.list(prefetch=True)
        iterator = run.iterator(pager if way == "items" else pager.pages())
        await run.following(iterator)
        # The page must be requested before the consumer's own work, which may block the event loop.
        assert service.has_requested(1) if run.style == "async" else await was_requested(run, service, 1)
        assert not service.has_requested(2)
        await ids(run, iterator)
        assert service.requested == list(range(10))

    run(group, story, transport=service)


@GROUPS
@WAYS
def test_without_prefetch_the_next_page_is_not_requested(group: Any, way: str, run: Run) -> None:
    service = Meeting(group)

    async def story(client: Any) -> None:
        pager = client.accounts.list()
        await run.following(run.iterator(pager if way == "items" else pager.pages()))
        for _ in range(20):
            await asyncio.sleep(0)
        assert service.requested == [0]

    run(group, story, transport=service)


@pytest.mark.parametrize("together", [2, 3, 8])
@WAYS
def test_pages_are_requested_concurrently_and_returned_in_order(together: int, way: str, run: Run) -> None:
    service = Meeting("user_mgmt", together=together)

    async def story(client: Any) -> None:
        pager = client.accounts.list(concurrency=together)
        assert await ids(run, pager if way == "items" else pager.pages()) == all_ids("user_mgmt")

    run("user_mgmt", story, transport=service)
    assert service.most == together
    assert sorted(service.requested) == list(range(10))


@pytest.mark.parametrize("together", [2, 3])
def test_raw_pages_are_read_concurrently_too(together: int, run: Run) -> None:
    service = Meeting("user_mgmt", together=together)

    async def story(client: Any) -> None:
        found = [each async for each in run.every(client.with_raw_response.accounts.list(concurrency=together))]
        assert [item.id for each in found for item in each.data.data] == all_ids("user_mgmt")

    run("user_mgmt", story, transport=service)
    assert service.most == together


@GROUPS
@pytest.mark.parametrize("broken", [1, 2, 5, 9])
@pytest.mark.parametrize("options", [{"prefetch": True}, {"concurrency": 4}])
def test_an_error_is_raised_when_its_page_is_reached(
    group: Any, broken: int, options: dict[str, Any], run: Run
) -> None:
    if group == "billing" and "concurrency" in options:
        options = {"prefetch": True}
    service = Meeting(group, broken=broken)

    async def story(client: Any) -> None:
        single = client.with_options(retry=RetryPolicy(max_attempts=1))
        got: list[Any] = []
        iterator = run.iterator(single.accounts.list(**options))
        with pytest.raises(NotFoundError) as caught:
            await run.collect(iterator, got)
        assert got == all_ids(group)[: 2 * broken]
        service.broken = None
        again = [item.id async for item in run.every(client.accounts.list(checkpoint=caught.value.checkpoint))]
        assert got + again == all_ids(group)
        assert got + await ids(run, iterator) == all_ids(group)

    run(group, story, transport=service)


def test_after_an_error_the_later_pages_are_not_requested_again(run: Run) -> None:
    service = Meeting("user_mgmt", together=3, broken=1)

    async def story(client: Any) -> None:
        got: list[Any] = []
        iterator = run.iterator(client.accounts.list(concurrency=3))
        with pytest.raises(NotFoundError):
            await run.collect(iterator, got)
        service.broken = None
        await run.collect(iterator, got)
        assert got == all_ids("user_mgmt")

    run("user_mgmt", story, transport=service)
    assert sorted(service.requested) == sorted([1, *range(10)])


def test_no_more_pages_are_read_ahead_than_max_pages(run: Run) -> None:
    service = Meeting("user_mgmt")

    async def story(client: Any) -> None:
        found = await ids(run, client.accounts.list(concurrency=8, max_pages=3))
        assert found == all_ids("user_mgmt")[:6]

    run("user_mgmt", story, transport=service)
    assert sorted(service.requested) == [0, 1, 2]


@pytest.mark.posix("there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # Python warns about a fork while threads run
@pytest.mark.hazard("H354")
@pytest.mark.parametrize("number", [os.getpid, lambda: 1], ids=["a process", "a PID namespace"])
def test_a_forked_child_does_not_wait_for_threads_of_its_parent(
    monkeypatch: pytest.MonkeyPatch, number: Callable[[], int]
) -> None:
    monkeypatch.setattr(os, "getpid", number)
    service = Meeting("user_mgmt")
    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=service) as client:
        iterator = iter(client.accounts.list(prefetch=True))
        next(iterator)
        assert service.wait_for(1)
        service._condition = threading.Condition()  # a thread of the parent may hold the old lock during the fork
        child = os.fork()
        if child == 0:
            rest = [item.id for item in iterator]
            os._exit(0 if rest == list(range(1, 20)) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert [item.id for item in iterator] == list(range(1, 20))


class Held:
    """A driver that sends requests together, or sends a later request when the test allows it."""

    def __init__(self, together: int) -> None:
        self.gate, self.may_send = threading.Barrier(together), threading.Event()
        self.was_allowed: list[bool] = []

    def exchange(self, operation: Any, name: str, sent: Callable[[], None]) -> None:
        if operation.query == "later":
            self.was_allowed.append(self.may_send.wait(PATIENCE / 2))
        else:
            self.gate.wait(PATIENCE / 2)
        sent()


@pytest.mark.parametrize("held", [1, 8])
def test_the_threads_of_all_pages_start_before_the_first_request_is_awaited(
    held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefetch, "_UNTIL_SENT", PATIENCE)
    operations: Any = [SimpleNamespace(query=number) for number in range(held)]
    ahead = prefetch.Prefetch(cast("Any", Held(held)), "accounts.list")
    ahead.start(operations)
    for each in operations:
        assert ahead.read(each) is None


def test_a_further_page_is_not_awaited_while_others_are_in_flight(monkeypatch: pytest.MonkeyPatch) -> None:
    """The consumer continues with the items that it has."""
    monkeypatch.setattr(prefetch, "_UNTIL_SENT", PATIENCE)
    first, later = SimpleNamespace(query="first"), SimpleNamespace(query="later")
    driver = Held(1)
    ahead = prefetch.Prefetch(cast("Any", driver), "accounts.list")
    ahead.start(cast("Any", [first]))
    ahead.start(cast("Any", [first, later]))
    driver.may_send.set()
    assert ahead.read(cast("Any", later)) is None
    assert driver.was_allowed == [True]


@pytest.mark.parametrize("wrong", ["yes", 1, None, 0, "False"])
def test_prefetch_is_true_or_false(wrong: Any, run: Run) -> None:
    for group in ("billing", "user_mgmt"):
        with pytest.raises(ValueError, match="prefetch must be True or False"):
            run.client(group).accounts.list(prefetch=wrong)


class Waiting(Meeting):
    """A service that responds only to the request for the first page, and counts the canceled requests."""

    cancelled = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        number = self._begin(request)
        self._changed.set()
        if number > 0:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
        return self._respond(number)


async def turns() -> None:
    """Let the event loop run all pending callbacks."""
    for _ in range(50):
        await asyncio.sleep(0)


@GROUPS
def test_a_page_that_is_read_ahead_is_cancelled_with_its_consumer(group: Any) -> None:
    run, service = Run("async"), Waiting(group)

    async def story() -> None:
        async with run.client(group, transport=service) as client:
            iterator = aiter(client.accounts.list(prefetch=True))
            await anext(iterator)
            assert await service.wait_for_async(1)
            del iterator
            await turns()
            assert service.cancelled == 1

    asyncio.run(story())


@GROUPS
def test_a_cancelled_consumer_cancels_the_page_that_it_waits_for(group: Any) -> None:
    run, service = Run("async"), Waiting(group)

    async def story() -> None:
        async with run.client(group, transport=service) as client:
            reading = asyncio.ensure_future(ids(run, client.accounts.list(prefetch=True)))
            await turns()  # by now, the consumer waits for the second page
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
            await turns()
            assert service.requested == [0, 1]
            assert service.cancelled == 1

    asyncio.run(story())


@GROUPS
def test_a_page_that_failed_and_is_never_read_is_not_reported_by_the_event_loop(group: Any) -> None:
    run, reports = Run("async"), list[dict[str, Any]]()

    async def story() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: reports.append(context))
        async with run.client(group, transport=Meeting(group, broken=1), retry=ONCE) as client:
            iterator = aiter(client.accounts.list(prefetch=True))
            await anext(iterator)
            await turns()
            del iterator
            gc.collect()
            await turns()

    asyncio.run(story())
    assert reports == []
