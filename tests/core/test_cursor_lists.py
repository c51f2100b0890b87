"""Lists of group A return each item once and in order, and send no request after the last page (H70 to H75)."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from kit.calls import Always, Run, Sent, Service, answer, page
from subscribekit import Page, RetryPolicy
from subscribekit.errors import InvalidArgumentError, NotFoundError, PaginationError, ServerError, SubscribekitError
from subscribekit.models import Account


def after(cursor: str) -> str:
    return f"/accounts?limit=2&starting_after={cursor}"


def before(cursor: str) -> str:
    return f"/accounts?limit=2&ending_before={cursor}"


def accounts(client: Any, **arguments: Any) -> Any:
    return client.accounts.list(**arguments)


def ids(items: Any) -> list[str]:
    return [item.id for item in items]


def three_pages() -> Service:
    return Service(
        page("a1", "a2", next_link=after("a2"), total_count=5),
        page("a3", "a4", next_link=after("a4"), total_count=6),
        page("a5", total_count=5),
    )


def test_every_page_is_read_with_the_same_filters(run: Run) -> None:
    service = three_pages()
    items = run("billing", lambda client: accounts(client, limit=2, email="x@y.z"), transport=service)
    assert ids(items) == ["a1", "a2", "a3", "a4", "a5"]
    assert all(type(item) is Account for item in items)
    fixed = [("email", "x@y.z"), ("limit", "2")]
    assert [sent.query for sent in service.sent] == [
        fixed,
        [*fixed, ("starting_after", "a2")],
        [*fixed, ("starting_after", "a4")],
    ]


def test_nothing_is_read_before_it_is_needed(run: Run) -> None:
    service = three_pages()

    async def story(client: Any) -> None:
        pager = accounts(client)
        assert service.sent == []
        iterator = run.iterator(pager)
        assert service.sent == []
        seen = [(await run.following(iterator)).id for _ in range(2)]
        assert (seen, len(service.sent)) == (["a1", "a2"], 1)
        await run.following(iterator)
        assert len(service.sent) == 2

    run("billing", story, transport=service)


def test_each_iteration_starts_anew(run: Run) -> None:
    service = Service(page("a1"), page("a1", "a2"))

    async def story(client: Any) -> None:
        pager = accounts(client)
        assert ids(await run.finish(pager)) == ["a1"]
        assert ids(await run.finish(pager)) == ["a1", "a2"]

    run("billing", story, transport=service)


def test_two_iterations_do_not_disturb_each_other(run: Run) -> None:
    service = Service(page("a1", next_link=after("a1")), page("a1", next_link=after("a1")), page("a2"), page("a2"))

    async def story(client: Any) -> None:
        pager = accounts(client)
        first, second = run.iterator(pager), run.iterator(pager)
        seen = [(await run.following(iterator)).id for iterator in (first, second, first, second)]
        assert seen == ["a1", "a1", "a2", "a2"]

    run("billing", story, transport=service)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 99])
def test_take_and_to_list_read_no_more_pages_than_they_need(count: int, run: Run) -> None:
    service = three_pages()
    everything = ["a1", "a2", "a3", "a4", "a5"]

    async def story(client: Any) -> None:
        assert ids(await run.now(accounts(client).take(count))) == everything[:count]
        assert len(service.sent) == min(3, (count + 1) // 2)

    run("billing", story, transport=service)
    service = three_pages()

    async def listed(client: Any) -> None:
        assert ids(await run.now(accounts(client).to_list(limit=count))) == everything[:count]
        assert len(service.sent) == min(3, (count + 1) // 2)

    run("billing", listed, transport=service)


def test_to_list_and_first(run: Run) -> None:
    async def story(client: Any) -> None:
        assert ids(await run.now(accounts(client).to_list())) == ["a1", "a2", "a3", "a4", "a5"]
        assert (await run.now(accounts(client).first())).id == "b1"
        assert await run.now(accounts(client).first()) is None

    service = three_pages()
    service.answers += [page("b1", "b2", next_link=after("b2")), page()]
    run("billing", story, transport=service)
    assert service.answers == []


@pytest.mark.parametrize("limit", [-1, 1.5, "3", True])
def test_to_list_refuses_a_wrong_limit(limit: Any, run: Run) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(InvalidArgumentError, match="limit must be an integer"):
            await run.now(accounts(client).to_list(limit=limit))

    run("billing", story, transport=Service())


def test_pages(run: Run) -> None:
    pages = run("billing", lambda client: accounts(client).pages(), transport=three_pages())
    assert [ids(each.data) for each in pages] == [["a1", "a2"], ["a3", "a4"], ["a5"]]
    assert all(type(each) is Page for each in pages)
    assert [each.total_count for each in pages] == [5, 6, 5]
    assert [each.next for each in pages] == [after("a2"), after("a4"), None]


@pytest.mark.parametrize("end", [None, "", 0])
def test_the_list_ends_only_when_next_is_absent(end: Any, run: Run) -> None:
    if end == 0:
        service = Service(page("a1", next_link=after("a1")), answer({"object": "List", "data": [], "next": None}))
    else:
        service = Service(page("a1", next_link=after("a1")), page("a2", next_link=end))
    assert ids(run("billing", accounts, transport=service)) == (["a1"] if end == 0 else ["a1", "a2"])


def test_a_list_continues_after_an_empty_page_with_a_new_cursor(run: Run) -> None:
    service = Service(
        page(next_link=after("c1")), page(next_link=after("c2")), page("a1", next_link=after("a1")), page()
    )
    assert ids(run("billing", accounts, transport=service)) == ["a1"]


@pytest.mark.parametrize("before_them", [0, 1])
def test_ten_empty_pages_in_a_row_are_read_and_an_eleventh_is_an_error(before_them: int, run: Run) -> None:
    start = [page("a0", next_link=after("a0"))] * before_them
    empty = [page(next_link=after(f"c{number}")) for number in range(10)]
    service = Service(*start, *empty, page("a1"))
    assert ids(run("billing", accounts, transport=service))[-1] == "a1"
    service = Service(*start, *empty, page(next_link=after("c10")), page("a1"))
    with pytest.raises(PaginationError, match="10 consecutive pages had no new item") as caught:
        run("billing", accounts, transport=service)
    assert caught.value.checkpoint


def test_empty_pages_are_counted_anew_after_a_full_one(run: Run) -> None:
    pages = []
    for number in range(25):
        full = [f"a{number}"] if number % 8 == 7 else []
        pages.append(page(*full, next_link=after(f"c{number}")))
    assert ids(run("billing", accounts, transport=Service(*pages, page("end")))) == ["a7", "a15", "a23", "end"]


@pytest.mark.parametrize(
    "cursors",
    [["a1", "a1"], ["a1", "a2", "a1"], ["a1", "a2", "a3", "a2"], ["x"] * 2],
    ids=["same", "back to the first", "cycle of two", "never an item's"],
)
def test_a_repeated_cursor_is_an_error_after_all_earlier_items_were_returned(cursors: list[str], run: Run) -> None:
    service = Service(*(page(f"i{number}", next_link=after(cursor)) for number, cursor in enumerate(cursors)))
    got: list[str] = []

    async def story(client: Any) -> None:
        pager = accounts(client)
        with pytest.raises(PaginationError, match="the same cursor twice") as caught:
            await run.collect(pager, got)
        assert caught.value.outcome == "rejected"
        assert caught.value.operation == "accounts.list"
        assert caught.value.checkpoint == pager.checkpoint

    run("billing", story, transport=service)
    assert got == [f"i{number}" for number in range(len(cursors))]


def test_the_caller_s_own_cursor_counts_as_seen(run: Run) -> None:
    service = Service(page("a1", next_link=after("start")))
    with pytest.raises(PaginationError, match="twice"):
        run("billing", lambda client: accounts(client, starting_after="start"), transport=service)


@pytest.mark.parametrize("reader", ["items", "pages", "raw", "to_list"])
def test_every_error_of_an_iteration_carries_a_checkpoint_and_the_call_s_name(reader: str, run: Run) -> None:
    async def story(client: Any) -> None:
        if reader == "to_list":
            await run.now(accounts(client).to_list())
        source = {
            "items": accounts(client),
            "pages": accounts(client).pages(),
            "raw": accounts(client.with_raw_response),
        }
        await run.finish(source[reader])

    for broken in (
        lambda: page("a2", next_link=after("a1")),  # a loop
        lambda: page("a2", next_link="https://evil.test/accounts?starting_after=a9"),
        lambda: answer({"object": "List", "data": "x"}),
        lambda: answer({"object": "List", "data": [5]}),
        lambda: answer({}, 404),
        lambda: answer({"object": "Error", "message": "m"}),
        lambda: answer({}, 302),
    ):
        service = Service(page("a1", next_link=after("a1")), broken(), broken(), broken())
        with pytest.raises(SubscribekitError) as caught:
            run("billing", story, transport=service)
        assert caught.value.checkpoint, caught.value
        assert caught.value.operation == "accounts.list"


def test_an_iterator_can_be_used_after_an_error(run: Run) -> None:
    service = Service(
        page("a1", "a2", next_link=after("a2")), *(answer({}, 500) for _ in range(3)), answer({}, 404), page("a3"),
    )  # fmt: skip
    got: list[str] = []

    async def story(client: Any) -> None:
        iterator = run.iterator(accounts(client))
        got.extend([(await run.following(iterator)).id for _ in range(2)])
        with pytest.raises(ServerError):
            await run.following(iterator)
        with pytest.raises(NotFoundError):
            await run.following(iterator)
        got.append((await run.following(iterator)).id)
        assert await run.at_its_end(iterator)
        assert await run.at_its_end(iterator)

    run("billing", story, transport=service)
    assert got == ["a1", "a2", "a3"]
    assert [sent.query[-1:] for sent in service.sent[1:]] == [[("starting_after", "a2")]] * 5


@pytest.mark.parametrize("max_pages", [1, 2, 3, 4])
def test_max_pages(max_pages: int, run: Run) -> None:
    service = three_pages()
    items = run("billing", lambda client: accounts(client, max_pages=max_pages), transport=service)
    assert len(items) == min(5, 2 * max_pages)
    assert len(service.sent) == min(3, max_pages)


def test_the_sdk_does_not_limit_the_number_of_pages() -> None:
    def respond(sent: Sent) -> httpx.Response:
        number = int(dict(sent.query).get("starting_after", "0")) if "?" in sent.url else 0
        return page(str(number), next_link=after(str(number + 1)) if number < 1200 else None)

    items = Run("blocking")("billing", accounts, transport=Always(respond))
    assert len(items) == 1201


# A total doesn't end a list (H72)


@pytest.mark.parametrize("total", [0, -1, 1, 4, "x", None, 1.5, [], True])
def test_a_total_does_not_end_a_list(total: Any, run: Run) -> None:
    service = Service(page("a1", next_link=after("a1"), total_count=total), page("a2", total_count=total))
    assert ids(run("billing", accounts, transport=service)) == ["a1", "a2"]


@pytest.mark.parametrize(
    ("total", "expected"), [(7, 7), (0, 0), ("7", 7), (-1, None), ("x", None), (None, None), (True, None)]
)
def test_total_count(total: Any, expected: int | None, run: Run) -> None:
    service = Service(page("a1", next_link=after("a1"), total_count=total))

    async def story(client: Any) -> None:
        assert await run.now(accounts(client).total_count()) == expected

    run("billing", story, transport=service)


def test_total_count_returns_the_latest_total_that_was_read(run: Run) -> None:
    service = three_pages()

    async def story(client: Any) -> None:
        pager = accounts(client)
        iterator = run.iterator(pager)
        for total in (5, 5, 6, 6, 5):
            await run.following(iterator)
            assert await run.now(pager.total_count()) == total
        assert len(service.sent) == 3

    run("billing", story, transport=service)


# Reading backwards


def test_a_list_that_is_read_backwards_keeps_the_order_within_a_page(run: Run) -> None:
    service = Service(
        page("a3", "a4", previous_link=before("a3"), next_link=after("a4")), page("a1", "a2", next_link=after("a2"))
    )
    items = run("billing", lambda client: accounts(client, ending_before="a5", limit=2), transport=service)
    assert ids(items) == ["a3", "a4", "a1", "a2"]
    assert [sent.query for sent in service.sent] == [
        [("limit", "2"), ("ending_before", "a5")],
        [("limit", "2"), ("ending_before", "a3")],
    ]


def test_a_list_that_is_read_backwards_detects_loops(run: Run) -> None:
    service = Service(page("a3", previous_link=before("a5")))
    with pytest.raises(PaginationError, match="twice"):
        run("billing", lambda client: accounts(client, ending_before="a5"), transport=service)


# Reading ahead


def test_prefetch_changes_neither_order_nor_requests(run: Run) -> None:
    service = three_pages()
    items = run("billing", lambda client: accounts(client, prefetch=True), transport=service)
    assert ids(items) == ["a1", "a2", "a3", "a4", "a5"]
    assert [sent.query[0] if sent.query[0][0] else None for sent in service.sent] == [
        None, ("starting_after", "a2"), ("starting_after", "a4"),
    ]  # fmt: skip


def test_with_prefetch_an_error_is_raised_when_its_page_is_reached(run: Run) -> None:
    service = Service(page("a1", "a2", next_link=after("a2")), answer({}, 404), page("a3"))
    got: list[str] = []

    async def story(client: Any) -> None:
        single = client.with_options(retry=RetryPolicy(max_attempts=1))
        iterator = run.iterator(accounts(single, prefetch=True))
        got.append((await run.following(iterator)).id)
        got.append((await run.following(iterator)).id)
        with pytest.raises(NotFoundError) as caught:
            await run.following(iterator)
        assert caught.value.checkpoint
        got.append((await run.following(iterator)).id)

    run("billing", story, transport=service)
    assert got == ["a1", "a2", "a3"]
