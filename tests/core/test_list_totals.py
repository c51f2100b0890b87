"""A list that ends before its total is an error, because items may be missing.

A cursor list doesn't end when it reaches its total (H72, H416).
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Always, Run, Sent, Service, answer, array, page
from subscribekit.errors import PaginationError
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import wrong_total

pytestmark = pytest.mark.hazard("H416", "H72")

READERS = pytest.mark.parametrize("reader", ["items", "pages", "raw", "to_list", "take"])


def after(cursor: object) -> str:
    return f"/accounts?starting_after={cursor}"


async def read(run: Run, client: Any, reader: str = "items", **options: Any) -> list[Any]:
    """Read a list to its end in one of five ways, and return the IDs of its items."""
    if reader == "raw":
        responses = await run.finish(client.with_raw_response.accounts.list(**options))
        return [item.id for response in responses for item in response.data.data]
    pager = client.accounts.list(**options)
    if reader == "pages":
        return [item.id for each in await run.finish(pager.pages()) for item in each.data]
    if reader == "items":
        return [item.id for item in await run.finish(pager)]
    return [item.id for item in await run.now(pager.to_list() if reader == "to_list" else pager.take(1_000))]


@READERS
def test_one_page_with_fewer_items_than_its_total_is_an_error(reader: str, run: Run) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(PaginationError, match="ended after 2 of 250 items") as caught:
            await read(run, client, reader)
        assert caught.value.checkpoint
        assert caught.value.operation == "accounts.list"

    run("billing", story, transport=Service(page("a1", "a2", total_count=250)))


@pytest.mark.parametrize("total", [2, 3])
def test_a_list_of_one_page_must_contain_all_items(total: int, run: Run) -> None:
    async def story(client: Any) -> None:
        if total == 3:
            with pytest.raises(PaginationError):
                await read(run, client)
        else:
            assert await read(run, client) == ["a1", "a2"]

    run("billing", story, transport=Service(page("a1", "a2", total_count=total)))


def test_an_empty_list_with_a_total_is_an_error(run: Run) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(PaginationError, match="ended after 0 of 250 items"):
            await run.now(client.accounts.list().first())

    run("billing", story, transport=Service(page(total_count=250)))


@pytest.mark.parametrize(
    ("totals", "is_error"),
    [
        ((5, 5, 5), False),  # two items are missing
        ((6, 6, 6), False),  # three items are missing, and three pages were read
        ((7, 7, 7), True),
        ((7, 6, 7), False),  # the smallest total counts
        ((None, 7, None), True),
        ((None, None, None), False),
        ((2, 250, 250), False),
        ((0, 0, 0), False),
    ],
)
@READERS
def test_a_list_of_several_pages_may_lack_one_item_per_page(
    totals: tuple[int | None, ...], is_error: bool, reader: str, run: Run
) -> None:
    pages = [
        page(f"a{n}", next_link=after(n) if n < 3 else None, total_count=total) for n, total in enumerate(totals, 1)
    ]

    async def story(client: Any) -> None:
        if is_error:
            with pytest.raises(PaginationError, match="ended after 3 of 7 items"):
                await read(run, client, reader)
        else:
            assert await read(run, client, reader) == ["a1", "a2", "a3"]

    run("billing", story, transport=Service(*pages))


@pytest.mark.parametrize("ahead", [{}, {"prefetch": True}, {"concurrency": 3}])
def test_an_offset_list_that_ends_before_its_total_is_an_error(ahead: dict[str, Any], run: Run) -> None:
    service = Always(lambda sent: array(1, total=250) if dict(sent.query)["offset"] == "0" else array(total=250))

    async def story(client: Any) -> None:
        got: list[Any] = []
        with pytest.raises(PaginationError, match="ended after 1 of 250 items"):
            await run.collect(client.accounts.list(**ahead), got)
        assert got == [1]

    run("user_mgmt", story, transport=service)


def test_an_iterator_raises_the_error_each_time_and_sends_nothing_more(run: Run) -> None:
    service = Service(page("a1", total_count=9))

    async def story(client: Any) -> None:
        pager = client.accounts.list()
        iterator = run.iterator(pager)
        assert (await run.following(iterator)).id == "a1"
        for _ in range(3):
            with pytest.raises(PaginationError) as caught:
                await run.following(iterator)
            assert caught.value.checkpoint == pager.checkpoint

    run("billing", story, transport=service)


@pytest.mark.parametrize("start", [{"starting_after": "a0"}, {"ending_before": "a9"}])
def test_a_list_that_starts_at_another_item_is_not_compared_with_its_total(start: dict[str, str], run: Run) -> None:
    async def story(client: Any) -> None:
        assert await read(run, client, **start) == ["a1"]

    run("billing", story, transport=Service(page("a1", total_count=250)))


def test_a_resumed_list_and_one_with_an_offset_are_not_compared_with_the_total(run: Run) -> None:
    async def resumed(client: Any) -> None:
        pager = client.accounts.list()
        await run.now(pager.take(1))
        assert await read(run, client, checkpoint=pager.checkpoint) == ["a2"]

    run("billing", resumed, transport=Service(page("a1", "a2", total_count=250), page("a2", total_count=250)))

    async def offset(client: Any) -> None:
        assert await read(run, client, offset=1) == [1]

    run("user_mgmt", offset, transport=Service(array(1, total=250), array(total=250)))


@READERS
def test_a_list_stopped_by_max_pages_or_the_caller_is_not_compared_with_the_total(reader: str, run: Run) -> None:
    async def story(client: Any) -> None:
        assert await read(run, client, reader, max_pages=1) == ["a1"]

    run("billing", story, transport=Service(page("a1", next_link=after(1), total_count=250)))

    async def stopped(client: Any) -> None:
        assert [item.id for item in await run.now(client.accounts.list().take(1))] == ["a1"]

    run("billing", stopped, transport=Service(page("a1", total_count=250)))


def test_repeated_items_are_counted_once(run: Run) -> None:
    rows = [{"object": "Account", "id": "a", "vid": "v"}] * 4
    pages = [page(row, next_link=after(n) if n < 3 else None, total_count=9) for n, row in enumerate(rows)]

    async def story(client: Any) -> None:
        with pytest.raises(PaginationError, match="ended after 1 of 9 items"):
            await read(run, client)

    run("billing", story, transport=Service(*pages))


@given(
    count=st.integers(0, 12),
    removed=st.lists(st.integers(0, 11), max_size=6),
    size=st.integers(1, 4),
    style=st.sampled_from(["blocking", "async"]),
)
def test_a_shrinking_offset_list_with_correct_totals_is_not_an_error(
    count: int, removed: list[int], size: int, style: Any
) -> None:
    """At most one item disappears between two pages."""
    items, changes = list(range(count)), list(removed)

    def respond(sent: Sent) -> Any:
        start = int(dict(sent.query)["offset"])
        reply = answer([{"id": each} for each in items[start : start + size]], X_Total_Count=str(len(items)))
        if changes and items:
            del items[changes.pop(0) % len(items)]
        return reply

    found = Run(style)("user_mgmt", lambda client: client.accounts.list(size=size), transport=Always(respond))
    assert len({each.id for each in found}) == len(found)


def test_the_wrong_total_of_the_sandbox_is_detected() -> None:
    sandbox = Sandbox()
    sandbox.faults.add("/accounts", wrong_total(), times=10)
    with pytest.raises(PaginationError, match="ended after 25 of 1000000 items"):
        sandbox.billing().accounts.list().to_list()
