"""Pages that are read ahead or side by side really are, in both styles; by events, not by clocks.

The service holds a response back until what must happen at the same time has happened. Where nothing is read ahead it
never happens, and the wait ends in a failure.
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
"""Seconds until a wait is a failure; a passing test waits for none of them."""


ONCE = RetryPolicy(max_attempts=1)


class Meeting(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Ten pages of two items; a request may wait until so many are under way at once."""

    def __init__(self, group: str, *, together: int = 1, broken: int | None = None) -> None:
        self.group, self.together, self.broken = group, together, broken
        self.asked: list[int] = []
        self.most = self._under_way = 0
        self._condition = threading.Condition()
        self._changed = asyncio.Event()

    def begun(self, number: int) -> bool:
        return number in self.asked

    def wait_for(self, number: int) -> bool:
        """Wait without iterating until a page was asked for."""
        with self._condition:
            return self._condition.wait_for(lambda: self.begun(number), PATIENCE)

    async def wait_for_async(self, number: int) -> bool:
        async with asyncio.timeout(PATIENCE):
            while not self.begun(number):
                self._changed.clear()
                await self._changed.wait()
        return True

    def _begin(self, request: httpx.Request) -> int:
        params = request.url.params
        start = int(params.get("offset") or params.get("starting_after") or 0)
        self.asked.append(start // 2)
        self._under_way += 1
        self.most = max(self.most, self._under_way)
        return start // 2

    def _wants_company(self, number: int) -> bool:
        return number > 0 and self.most < self.together

    def _give(self, number: int) -> httpx.Response:
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
            met = self._condition.wait_for(lambda: not self._wants_company(number), PATIENCE)
            self._under_way -= 1
            assert met, f"page {number} was asked for alone"
            return self._give(number)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        number = self._begin(request)
        self._changed.set()
        try:
            async with asyncio.timeout(PATIENCE):
                while self._wants_company(number):
                    await asyncio.sleep(0)
        except TimeoutError:
            pytest.fail(f"page {number} was asked for alone")
        finally:
            self._under_way -= 1
        return self._give(number)


async def asked(run: Run, service: Meeting, number: int) -> bool:
    return service.wait_for(number) if run.style == "blocking" else await service.wait_for_async(number)


GROUPS = pytest.mark.parametrize("group", ["billing", "user_mgmt"])
WAYS = pytest.mark.parametrize("way", ["items", "pages"])


def whole(group: str) -> list[Any]:
    return list(range(20)) if group == "user_mgmt" else [str(number) for number in range(1, 21)]


async def names(run: Run, source: Any) -> list[Any]:
    found: list[Any] = []
    async for each in run.every(source):
        found += [item.id for item in each.data] if hasattr(each, "data") else [each.id]
    return found


@GROUPS
@WAYS
def test_with_prefetch_the_next_page_is_asked_for_while_this_one_is_used(group: Any, way: str, run: Run) -> None:
    service = Meeting(group)

    async def story(client: Any) -> None:
        pager = client.accounts.list(prefetch=True)
        iterator = run.iterator(pager if way == "items" else pager.pages())
        await run.following(iterator)
        # Asked for before the consumer's own work, which may hold the event loop.
        assert service.begun(1) if run.style == "async" else await asked(run, service, 1)
        assert not service.begun(2)
        await names(run, iterator)
        assert service.asked == list(range(10))

    run(group, story, transport=service)


@GROUPS
@WAYS
def test_without_prefetch_it_is_not(group: Any, way: str, run: Run) -> None:
    service = Meeting(group)

    async def story(client: Any) -> None:
        pager = client.accounts.list()
        await run.following(run.iterator(pager if way == "items" else pager.pages()))
        for _ in range(20):
            await asyncio.sleep(0)
        assert service.asked == [0]

    run(group, story, transport=service)


@pytest.mark.parametrize("together", [2, 3, 8])
@WAYS
def test_pages_are_asked_for_side_by_side_and_come_in_order(together: int, way: str, run: Run) -> None:
    service = Meeting("user_mgmt", together=together)

    async def story(client: Any) -> None:
        pager = client.accounts.list(concurrency=together)
        assert await names(run, pager if way == "items" else pager.pages()) == whole("user_mgmt")

    run("user_mgmt", story, transport=service)
    assert service.most == together
    assert sorted(service.asked) == list(range(10))


@pytest.mark.parametrize("together", [2, 3])
def test_raw_pages_are_read_side_by_side_too(together: int, run: Run) -> None:
    service = Meeting("user_mgmt", together=together)

    async def story(client: Any) -> None:
        found = [each async for each in run.every(client.with_raw_response.accounts.list(concurrency=together))]
        assert [item.id for each in found for item in each.data.data] == whole("user_mgmt")

    run("user_mgmt", story, transport=service)
    assert service.most == together


@GROUPS
@pytest.mark.parametrize("broken", [1, 2, 5, 9])
@pytest.mark.parametrize("options", [{"prefetch": True}, {"concurrency": 4}])
def test_an_error_comes_up_where_its_page_stands(group: Any, broken: int, options: dict[str, Any], run: Run) -> None:
    if group == "billing" and "concurrency" in options:
        options = {"prefetch": True}
    service = Meeting(group, broken=broken)

    async def story(client: Any) -> None:
        single = client.with_options(retry=RetryPolicy(max_attempts=1))
        got: list[Any] = []
        iterator = run.iterator(single.accounts.list(**options))
        with pytest.raises(NotFoundError) as caught:
            await run.collect(iterator, got)
        assert got == whole(group)[: 2 * broken]
        service.broken = None
        again = [item.id async for item in run.every(client.accounts.list(checkpoint=caught.value.checkpoint))]
        assert got + again == whole(group)
        assert got + await names(run, iterator) == whole(group)

    run(group, story, transport=service)


def test_after_an_error_the_pages_behind_it_are_not_asked_for_again(run: Run) -> None:
    service = Meeting("user_mgmt", together=3, broken=1)

    async def story(client: Any) -> None:
        got: list[Any] = []
        iterator = run.iterator(client.accounts.list(concurrency=3))
        with pytest.raises(NotFoundError):
            await run.collect(iterator, got)
        service.broken = None
        await run.collect(iterator, got)
        assert got == whole("user_mgmt")

    run("user_mgmt", story, transport=service)
    assert sorted(service.asked) == sorted([1, *range(10)])


def test_no_more_pages_are_read_ahead_than_max_pages(run: Run) -> None:
    service = Meeting("user_mgmt")

    async def story(client: Any) -> None:
        found = await names(run, client.accounts.list(concurrency=8, max_pages=3))
        assert found == whole("user_mgmt")[:6]

    run("user_mgmt", story, transport=service)
    assert sorted(service.asked) == [0, 1, 2]


@pytest.mark.posix("there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of a fork beside threads
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
        service._condition = threading.Condition()  # the thread of the parent may have held it
        child = os.fork()
        if child == 0:
            rest = [item.id for item in iterator]
            os._exit(0 if rest == list(range(1, 20)) else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert [item.id for item in iterator] == list(range(1, 20))


class Held:
    """A driver whose requests leave together, or one by one when the test lets them."""

    def __init__(self, together: int) -> None:
        self.gate, self.leaves = threading.Barrier(together), threading.Event()
        self.left: list[bool] = []

    def exchange(self, operation: Any, name: str, sent: Callable[[], None]) -> None:
        if operation.query == "later":
            self.left.append(self.leaves.wait(PATIENCE / 2))
        else:
            self.gate.wait(PATIENCE / 2)
        sent()


@pytest.mark.parametrize("held", [1, 8])
def test_the_threads_of_pages_begin_before_the_first_request_is_awaited(
    held: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prefetch, "_UNTIL_SENT", PATIENCE)
    operations: Any = [SimpleNamespace(query=number) for number in range(held)]
    ahead = prefetch.Prefetch(cast("Any", Held(held)), "accounts.list")
    ahead.start(operations)
    for each in operations:
        assert ahead.read(each) is None


def test_a_further_page_is_not_awaited_while_others_are_on_their_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """The consumer goes on with the items that it has."""
    monkeypatch.setattr(prefetch, "_UNTIL_SENT", PATIENCE)
    first, later = SimpleNamespace(query="first"), SimpleNamespace(query="later")
    driver = Held(1)
    ahead = prefetch.Prefetch(cast("Any", driver), "accounts.list")
    ahead.start(cast("Any", [first]))
    ahead.start(cast("Any", [first, later]))
    driver.leaves.set()
    assert ahead.read(cast("Any", later)) is None
    assert driver.left == [True]


@pytest.mark.parametrize("wrong", ["yes", 1, None, 0, "False"])
def test_prefetch_is_true_or_false(wrong: Any, run: Run) -> None:
    for group in ("billing", "user_mgmt"):
        with pytest.raises(ValueError, match="prefetch must be True or False"):
            run.client(group).accounts.list(prefetch=wrong)


class Waiting(Meeting):
    """Never responds but to the first page, and notes what was cancelled."""

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
        return self._give(number)


async def turns() -> None:
    """Let the event loop do what is to be done."""
    for _ in range(50):
        await asyncio.sleep(0)


@GROUPS
def test_a_page_that_is_read_ahead_ends_with_its_consumer(group: Any) -> None:
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
def test_a_consumer_that_is_cancelled_ends_the_page_that_it_waits_for(group: Any) -> None:
    run, service = Run("async"), Waiting(group)

    async def story() -> None:
        async with run.client(group, transport=service) as client:
            reading = asyncio.ensure_future(names(run, client.accounts.list(prefetch=True)))
            await turns()  # it waits for the second page by now
            reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
            await turns()
            assert service.asked == [0, 1]
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
