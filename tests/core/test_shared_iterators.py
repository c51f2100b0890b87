"""An iterator has one consumer at a time. A second thread or task is refused, and no item is lost or repeated (H90)."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import httpx
import pytest

from kit.calls import CREDENTIALS, URL, Always, Run, Sent, array, page
from subscribekit import AsyncBillingClient, BillingClient, UserMgmtClient
from subscribekit.errors import InvalidArgumentError

LINK = "/accounts?starting_after="
WAYS = pytest.mark.parametrize("way", ["items", "pages", "raw"])
AHEAD = pytest.mark.parametrize("prefetch", [False, True])


def iterator_of(client: Any, way: str, prefetch: bool, style: str) -> Any:
    pager = client.accounts.list(prefetch=prefetch)
    source = {"items": pager, "pages": pager, "raw": client.with_raw_response.accounts.list(prefetch=prefetch)}[way]
    source = source.pages() if way == "pages" else source
    return aiter(source) if style == "async" else iter(source)


def ids(found: Any) -> list[str]:
    if hasattr(found, "id"):
        return [found.id]
    return [item.id for item in (found.data if isinstance(found.data, list) else found.data.data)]


class Held(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A service that delays its first response until the test releases it."""

    def __init__(self) -> None:
        self.requested, self.released = threading.Event(), threading.Event()
        self.requested_async, self.released_async = asyncio.Event(), asyncio.Event()

    def _respond(self, request: httpx.Request) -> httpx.Response:
        return page("a2") if b"starting_after" in request.url.query else page("a1", next_link=LINK + "a1")

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requested.set()
        assert self.released.wait(30)
        return self._respond(request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requested_async.set()
        await asyncio.wait_for(self.released_async.wait(), 30)
        return self._respond(request)


@WAYS
@AHEAD
def test_a_second_thread_is_refused_while_a_page_is_read(way: str, prefetch: bool) -> None:
    held = Held()
    with (
        BillingClient(base_url=URL["billing"], transport=held, **CREDENTIALS["billing"]) as client,
        ThreadPoolExecutor(1) as pool,
    ):
        iterator = iterator_of(client, way, prefetch, "blocking")
        first = pool.submit(next, iterator)
        assert held.requested.wait(30)
        with pytest.raises(InvalidArgumentError, match="another thread or task is using this iterator") as caught:
            next(iterator)
        assert caught.value.operation == "accounts.list"
        assert caught.value.outcome == "not_sent"
        held.released.set()
        assert ids(first.result(30)) == ["a1"]
        assert [name for each in iterator for name in ids(each)] == ["a2"]


@WAYS
@AHEAD
def test_a_second_task_is_refused_while_a_page_is_read(way: str, prefetch: bool) -> None:
    async def story() -> None:
        held = Held()
        async with AsyncBillingClient(base_url=URL["billing"], transport=held, **CREDENTIALS["billing"]) as client:
            iterator = iterator_of(client, way, prefetch, "async")
            first = asyncio.ensure_future(anext(iterator))
            await asyncio.wait_for(held.requested_async.wait(), 30)
            with pytest.raises(InvalidArgumentError, match="another thread or task is using this iterator"):
                await anext(iterator)
            held.released_async.set()
            assert ids(await first) == ["a1"]
            assert [name async for each in iterator for name in ids(each)] == ["a2"]

    asyncio.run(story())


def test_a_cancelled_step_frees_the_iterator() -> None:
    async def story() -> None:
        held = Held()
        async with AsyncBillingClient(base_url=URL["billing"], transport=held, **CREDENTIALS["billing"]) as client:
            iterator = iterator_of(client, "items", prefetch=True, style="async")
            first = asyncio.ensure_future(anext(iterator))
            await asyncio.wait_for(held.requested_async.wait(), 30)
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            held.released_async.set()
            assert [item.id async for item in iterator] == ["a1", "a2"]

    asyncio.run(story())


@AHEAD
@pytest.mark.parametrize("group", ["billing", "user_mgmt"])
def test_threads_that_share_an_iterator_get_each_item_once(group: str, prefetch: bool) -> None:
    def respond(sent: Sent) -> httpx.Response:
        arguments = dict(sent.query)
        start = int(arguments.get("offset") or arguments.get("starting_after") or 0)
        if group == "user_mgmt":
            return array(*range(start, start + 5), total=60)
        names = [str(number) for number in range(start + 1, start + 6)]
        return page(*names, next_link=LINK + names[-1] if start < 55 else None)

    kind: Any = BillingClient if group == "billing" else UserMgmtClient
    credentials: Any = CREDENTIALS[group]  # type: ignore[index]  # `group` is one of two keys
    with kind(base_url="https://s.test", transport=Always(respond), **credentials) as client:
        iterator = iter(client.accounts.list(prefetch=prefetch))
        got: list[Any] = []

        def consume() -> None:
            while True:
                try:
                    got.append(next(iterator).id)
                except InvalidArgumentError:
                    continue
                except StopIteration:
                    return

        threads = [threading.Thread(target=consume) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(got) == len(set(got)) == 60


def test_each_consumer_of_a_shared_pager_has_its_own_iteration(run: Run) -> None:
    def respond(sent: Sent) -> httpx.Response:
        start = int(dict(sent.query)["offset"])
        return array(start, start + 1, total=20)

    async def story(client: Any) -> None:
        pager = client.accounts.list(prefetch=True)
        if run.style == "async":
            found = await asyncio.gather(*(pager.to_list() for _ in range(4)))
        else:
            with ThreadPoolExecutor(4) as pool:
                found = [each.result(30) for each in [pool.submit(pager.to_list) for _ in range(4)]]
        assert [[item.id for item in each] for each in found] == [list(range(20))] * 4

    run("user_mgmt", story, transport=Always(respond))


def test_an_iterator_may_move_to_another_thread_between_two_items() -> None:
    service = Always(lambda sent: page("a2") if "?" in sent.url else page("a1", next_link=LINK + "a1"))
    with BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=service) as client:
        iterator = iter(client.accounts.list(prefetch=True))
        found = [ThreadPoolExecutor(1).submit(next, iterator).result(30).id for _ in range(2)]
    assert found == ["a1", "a2"]


def test_an_iteration_can_continue_in_another_event_loop() -> None:
    service = Always(lambda sent: page("a2") if "?" in sent.url else page("a1", next_link=LINK + "a1"))
    client = AsyncBillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=service)
    iterator = aiter(client.accounts.list(prefetch=True))

    async def following() -> str:
        return str((await anext(iterator)).id)

    assert [asyncio.run(following()) for _ in range(2)] == ["a1", "a2"]
    asyncio.run(client.aclose())


def test_a_nested_step_of_the_same_iterator_is_refused_and_does_not_hang() -> None:
    iterators: list[Iterator[Any]] = []

    def respond(sent: Sent) -> httpx.Response:
        with pytest.raises(InvalidArgumentError, match="is using this iterator"):
            next(iterators[0])
        return page("a1")

    with BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=Always(respond)) as client:
        iterators.append(iter(client.accounts.list()))
        assert next(iterators[0]).id == "a1"


def test_an_interrupt_on_any_line_of_a_step_frees_the_iterator() -> None:
    class Interrupted(BaseException):
        pass

    def respond(sent: Sent) -> httpx.Response:
        start = int(dict(sent.query)["offset"])
        return array(*range(start, start + 2))

    def read(client: UserMgmtClient, line: int) -> bool:
        """Interrupt the step at a line, or return `False` if the step has fewer lines."""
        lines = iter(range(line))

        def trace(frame: FrameType, event: str, _: object) -> Any:
            if not frame.f_code.co_filename.endswith(("page_iterator.py", "page_history.py", "prefetch.py")):
                return trace if frame.f_code.co_name == "advance" else None
            if event == "line" and next(lines, None) is None:
                sys.settrace(None)
                raise Interrupted
            return trace

        iterator, before = iter(client.accounts.list(size=2)), sys.gettrace()  # coverage has a trace function too
        sys.settrace(trace)
        try:
            next(iterator)
        except Interrupted:
            assert next(iterator).id in (0, 1)  # the iterator isn't in use anymore
            return True
        finally:
            sys.settrace(before)
        return False

    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=Always(respond)) as client:
        lines = 0
        while read(client, lines):
            lines += 1
    assert lines > 20
