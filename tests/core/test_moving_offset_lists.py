"""Offset lists that change during an iteration or never end (H92).

No item is lost, no iteration is endless, and memory is bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Always, Run, Sent, Service, answer, array
from looped import looped
from subscribekit import UserMgmtClient
from subscribekit._core.lists.page_history import WINDOW, PageHistory
from subscribekit._core.lists.page_iterator import MAX_REPEATED_PAGES
from subscribekit.errors import InvalidArgumentError, PaginationError


class Moving:
    """A list of the service that a script changes after each request."""

    def __init__(self, items: list[Any], *changes: Callable[[list[Any]], object], total: bool = False) -> None:
        self.items, self.changes, self.total = list(items), list(changes), total
        self.transport = Always(self.respond)

    def respond(self, sent: Sent) -> httpx.Response:
        arguments = dict(sent.query)
        start, size = int(arguments["offset"]), int(arguments["size"])
        entries = [each if isinstance(each, dict) else {"id": each} for each in self.items[start : start + size]]
        reply = answer(entries, **({"X_Total_Count": str(len(self.items))} if self.total else {}))
        if self.changes:
            self.changes.pop(0)(self.items)
        return reply


def ids(found: Any) -> list[Any]:
    return [each.id for each in found]


def read(run: Run, moving: Moving, **options: Any) -> list[Any]:
    return ids(run("user_mgmt", lambda client: client.accounts.list(**options), transport=moving.transport))


def add(*new: Any) -> Callable[[list[Any]], object]:
    return lambda items: items.__setitem__(slice(0, 0), new)


@looped("total", [False, True])
@looped("size", [1, 2, 3, 4])
@looped("ahead", [{}, {"prefetch": True}])
def test_an_item_added_in_front_does_no_harm(size: int, total: bool, ahead: dict[str, Any], run: Run) -> None:
    moving = Moving([1, 2, 3, 4, 5], add(0), total=total)
    found = read(run, moving, size=size, **ahead)
    assert found == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("total", [False, True])
def test_an_item_added_in_front_of_each_page_does_no_harm(total: bool, run: Run) -> None:
    moving = Moving([1, 2, 3], *(add(-n) for n in range(1, MAX_REPEATED_PAGES + 1)), total=total)
    assert read(run, moving, size=1) == [1, 2, 3]


@given(
    changes=st.lists(st.integers(0, 3), max_size=8),
    size=st.integers(2, 5),
    count=st.integers(0, 20),
    total=st.booleans(),
)
def test_additions_in_front_lose_and_repeat_nothing(changes: list[int], size: int, count: int, total: bool) -> None:
    numbers = iter(range(1000, 2000))
    script = [add(*(next(numbers) for _ in range(each))) for each in changes]
    moving = Moving(list(range(count)), *script, total=total)
    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=moving.transport) as client:
        found = ids(client.accounts.list(size=size))
    assert [each for each in found if each < 1000] == list(range(count))
    assert len(found) == len(set(found))


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_different_items_with_the_same_id_are_all_returned_at_any_page_size(size: int, run: Run) -> None:
    entries = [{"id": 1, "type": "user"}, {"id": 1, "type": "group"}, {"id": 2}, {"id": 2, "status": "ACTIVE"}]
    assert read(run, Moving(entries), size=size) == [1, 1, 2, 2]


@pytest.mark.parametrize("total", [None, 50])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_service_that_ignores_the_offset_is_detected(total: int | None, count: int, run: Run) -> None:
    service = Always(lambda _: array(*range(count), total=total))
    got: list[int] = []

    async def story(client: Any) -> None:
        pager = client.accounts.list(size=count)
        with pytest.raises(PaginationError, match="would never end") as caught:
            await run.collect(pager, got)
        assert caught.value.checkpoint == pager.checkpoint

    run("user_mgmt", story, transport=service)
    assert got == list(range(count))
    assert len(service.sent) == MAX_REPEATED_PAGES + 2


def test_repeated_items_that_reach_the_total_do_not_end_the_list(run: Run) -> None:
    service = Always(lambda _: array(1, 2, total=4))
    with pytest.raises(PaginationError, match="would never end"):
        run("user_mgmt", lambda client: client.accounts.list(size=2), transport=service)


def test_an_ignored_offset_is_detected_even_if_the_content_changes(run: Run) -> None:
    times = iter(range(10**6))
    service = Always(lambda _: answer([{"id": 1, "updatedDate": next(times)}, {"id": 2, "updatedDate": next(times)}]))
    with pytest.raises(PaginationError, match="would never end"):
        run("user_mgmt", lambda client: client.accounts.list(size=2), transport=service)
    assert len(service.sent) == MAX_REPEATED_PAGES + 2


def test_a_last_page_repeated_for_every_later_offset_is_detected_even_if_its_content_changes(run: Run) -> None:
    times = iter(range(10**6))

    def respond(sent: Sent) -> httpx.Response:
        start = min(int(dict(sent.query)["offset"]), 10)
        return answer([{"id": start + n, "updatedDate": next(times)} for n in range(2)])

    service = Always(respond)
    with pytest.raises(PaginationError, match="would never end"):
        run("user_mgmt", lambda client: client.accounts.list(size=2), transport=service)
    assert len(service.sent) == 6 + MAX_REPEATED_PAGES + 1


def test_a_repeated_page_of_items_without_an_id_is_an_error(run: Run) -> None:
    service = Always(lambda _: answer([{"type": "a"}]))
    got: list[Any] = []

    async def story(client: Any) -> None:
        with pytest.raises(PaginationError, match="would never end"):
            await run.collect(client.accounts.list(size=1), got)

    run("user_mgmt", story, transport=service)
    assert len(got) == 1
    assert len(service.sent) == 2


@pytest.mark.parametrize(
    ("length", "size", "before"),
    [
        (3, 7, 0), (3, 100, 700), (50, 7, 700), (50, 100, 0), (1_500, 7, 700), (1_500, 100, 0), (2_300, 7, 0),
        (2_300, 100, 700),
    ],
)  # fmt: skip
def test_a_service_that_starts_over_is_detected(length: int, size: int, before: int) -> None:
    """With `before`, the service returns to the middle of the list, so that its first page is never repeated."""

    def respond(sent: Sent) -> httpx.Response:
        start = int(dict(sent.query)["offset"])
        return array(*(-n if n < before else (n - before) % length for n in range(start, start + size)))

    service = Always(respond)
    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=service) as client:
        got: list[int] = []
        with pytest.raises(PaginationError, match="would never end"):
            got.extend(item.id for item in client.accounts.list(size=size))
    assert len(service.sent) * size < 20 * size * (length + before)
    if length % size == before == 0:  # detected at the repeated first page, before an item is returned twice
        assert len(got) == length


def test_an_endless_iteration_raises_the_error_each_time(run: Run) -> None:
    service = Always(lambda _: array(1))

    async def story(client: Any) -> None:
        iterator = run.iterator(client.accounts.list(size=1))
        await run.following(iterator)
        for _ in range(3):
            with pytest.raises(PaginationError):
                await run.following(iterator)

    run("user_mgmt", story, transport=service)


# Memory


def held(history: PageHistory) -> int:
    """Return the number of hashes in a history."""
    return len(history._known) + sum(map(len, history._pages))


def test_the_memory_of_a_long_list_is_bounded() -> None:
    history = PageHistory(by_offset=True)
    most = 0
    for start in range(0, 50_000, 100):
        assert not any(history.load([{"id": number} for number in range(start, start + 100)])[0])
        history.leave()
        most = max(most, held(history))
    assert most <= 2 * (WINDOW + 2 * 100)


def test_the_window_contains_the_previous_page_at_any_page_size() -> None:
    history = PageHistory(by_offset=True)
    page = [{"id": number} for number in range(5 * WINDOW)]
    history.load(page)
    history.leave()
    assert history.load([page[-1], {"id": "new"}])[0] == [True, False]


def test_repeated_items_of_the_window_are_detected_across_small_pages() -> None:
    history = PageHistory(by_offset=True)
    for number in range(WINDOW):
        history.load([{"id": number}])
        history.leave()
    assert history.load([{"id": 0}, {"id": WINDOW - 1}, {"id": WINDOW}])[0] == [True, True, False]


def test_an_iteration_holds_no_more_than_its_window() -> None:
    def respond(sent: Sent) -> httpx.Response:
        start = int(dict(sent.query)["offset"])
        return array(*range(start, start + 100), total=20_000)

    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=Always(respond)) as client:
        iterator: Any = iter(client.accounts.list(size=100, prefetch=True))
        assert sum(1 for _ in iterator) == 20_000
        assert held(iterator.pages._history) <= 2 * (WINDOW + 200)
        assert not iterator.pages._handed
        assert not iterator._source._running


# Numbers out of range


@pytest.mark.parametrize("offset", [2**63, 10**30, 10**5000], ids=["over 63 bits", "31 digits", "5001 digits"])
def test_an_offset_of_64_bits_or_more_is_refused(offset: int, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="offset must be an integer"):
        run("user_mgmt", lambda client: client.accounts.list(offset=offset), transport=Service())


@pytest.mark.parametrize("ahead", [{}, {"prefetch": True}, {"concurrency": 64}])
def test_the_largest_offset_is_accepted(ahead: dict[str, Any], run: Run) -> None:
    service = Always(lambda sent: array(1) if dict(sent.query)["offset"] == str(2**63 - 1) else array())
    found = run("user_mgmt", lambda client: client.accounts.list(offset=2**63 - 1, **ahead), transport=service)
    assert ids(found) == [1]


@pytest.mark.parametrize("total", ["9" * 19, "9" * 5000, "0" * 30])
def test_a_total_of_any_length_does_no_harm(total: str, run: Run) -> None:
    service = Always(lambda sent: array(1, total=total) if dict(sent.query)["offset"] == "0" else array())
    found = run("user_mgmt", lambda client: client.accounts.list(prefetch=True), transport=service)
    assert ids(found) == [1]
