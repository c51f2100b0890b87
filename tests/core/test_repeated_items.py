"""Repeated items of a list are returned once, different items are all returned, and no list is endless (H415)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Always, Run, Sent, Service, page
from subscribekit._core.lists.page_history import WINDOW, PageHistory
from subscribekit._core.lists.page_iterator import MAX_REPEATED_PAGES
from subscribekit.errors import PaginationError
from subscribekit.sandbox import Sandbox

pytestmark = pytest.mark.hazard("H415")

Row = dict[str, object]
READERS = pytest.mark.parametrize("reader", ["items", "pages", "raw", "prefetch"])


def after(cursor: object) -> str:
    return f"/accounts?starting_after={cursor}"


def vid(value: str, **more: object) -> Row:
    return {"object": "Account", "id": f"id-{value}", "vid": value, **more}


async def collect(run: Run, client: Any, reader: str, got: list[Any], **options: Any) -> None:
    """Read a list into `got` in one of four ways. After an error, `got` has the items before the error."""
    if reader == "raw":
        async for response in run.every(client.with_raw_response.accounts.list(**options)):
            got += response.data.data
    elif reader == "pages":
        async for each in run.every(client.accounts.list(**options).pages()):
            got += each.data
    else:
        async for item in run.every(client.accounts.list(prefetch=reader == "prefetch", **options)):
            got.append(item)


def read(run: Run, service: Service, reader: str = "items", **options: Any) -> list[Any]:
    got: list[Any] = []

    async def story(client: Any) -> None:
        await collect(run, client, reader, got, **options)

    run("billing", story, transport=service)
    return got


def names(found: Sequence[Any]) -> list[Any]:
    return [each.vid or each.name for each in found]


@READERS
def test_an_inclusive_cursor_returns_each_item_once(reader: str, run: Run) -> None:
    service = Service(
        page(vid("a"), vid("b"), next_link=after("b")), page(vid("b"), vid("c"), next_link=after("c")), page(vid("c"))
    )
    assert names(read(run, service, reader)) == ["a", "b", "c"]


@READERS
def test_the_same_items_under_new_cursors_are_returned_once_and_end_with_an_error(reader: str, run: Run) -> None:
    cursors = count()
    service = Always(lambda _: page(vid("a"), vid("b"), next_link=after(next(cursors))))
    got: list[Any] = []

    async def story(client: Any) -> None:
        with pytest.raises(PaginationError, match="10 consecutive pages had no new item") as caught:
            await collect(run, client, reader, got)
        assert caught.value.checkpoint

    run("billing", story, transport=service)
    assert names(got) == ["a", "b"]
    assert len(service.sent) - (reader == "prefetch") == 1 + MAX_REPEATED_PAGES + 1


@pytest.mark.parametrize("end", [None, "new"])
@READERS
def test_ten_pages_without_a_new_item_are_not_an_error(reader: str, end: str | None, run: Run) -> None:
    repeated = [page(vid("a"), next_link=after(n)) if n % 3 else page(next_link=after(n)) for n in range(10)]
    last = page(vid("a")) if end is None else page(vid(end))
    service = Service(page(vid("a"), next_link=after("a")), *repeated, last)
    assert names(read(run, service, reader)) == ["a", *([end] if end else [])]


def test_an_endless_list_raises_the_error_each_time_an_item_is_requested(run: Run) -> None:
    cursors = count()
    service = Always(lambda _: page(vid("a"), next_link=after(next(cursors))))

    async def story(client: Any) -> None:
        iterator = run.iterator(client.accounts.list())
        await run.following(iterator)
        for _ in range(3):
            with pytest.raises(PaginationError):
                await run.following(iterator)
        assert len(service.sent) == 1 + MAX_REPEATED_PAGES + 1

    run("billing", story, transport=service)


@READERS
def test_a_repeated_vid_is_one_item_even_if_its_content_changed(reader: str, run: Run) -> None:
    service = Service(page(vid("a", name="old"), next_link=after("a")), page(vid("a", name="new"), vid("b")))
    found = read(run, service, reader)
    assert (names(found), found[0].name) == (["a", "b"], "old")


@READERS
def test_two_items_that_share_an_id_are_both_returned(reader: str, run: Run) -> None:
    """For example, two billing plans of a published list share an ID."""
    rows: list[Row] = [
        {"object": "Account", "id": "plan", "vid": "v1"}, {"object": "Account", "id": "plan", "vid": "v2"},
        {"object": "Account", "id": "x", "name": "n1"}, {"object": "Account", "id": "x", "name": "n2"},
    ]  # fmt: skip
    pages = [page(row, next_link=after(n)) for n, row in enumerate(rows)]
    assert names(read(run, Service(*pages, page(rows[3])), reader)) == ["v1", "v2", "n1", "n2"]
    assert names(read(run, Service(page(*rows)), reader)) == ["v1", "v2", "n1", "n2"]


def test_an_item_with_a_known_vid_is_returned_once_whatever_its_id_is(run: Run) -> None:
    """The service assigns a different vid to each resource."""
    rows: list[Row] = [{"object": "Account", "id": name, "vid": "v"} for name in "abc"]
    found = read(run, Service(page(*rows[:2], next_link=after("b")), page(rows[2])))
    assert [each.id for each in found] == ["a"]


@READERS
def test_items_without_an_id_and_a_vid_are_all_returned(reader: str, run: Run) -> None:
    row: Row = {"object": "Account", "name": "n"}
    pages = [page(row, row, next_link=after(n)) for n in range(3 * MAX_REPEATED_PAGES)]
    assert len(read(run, Service(*pages, page(row, {**row, "id": "", "vid": None})), reader)) == 2 * len(pages) + 2


def test_an_item_is_returned_once_on_one_page_and_across_pages(run: Run) -> None:
    rows = [
        vid("a"),
        vid("a"),
        {"object": "Account", "id": "x", "name": "n"},
        {"object": "Account", "id": "x", "name": "n"},
    ]
    assert names(read(run, Service(page(*rows)))) == ["a", "n"]
    assert names(read(run, Service(*(page(row, next_link=after(n)) for n, row in enumerate(rows)), page()))) == [
        "a",
        "n",
    ]


def test_an_item_that_is_twice_on_a_page_counts_twice_toward_the_total(run: Run) -> None:
    assert names(read(run, Service(page(vid("a"), vid("a"), total_count=2)))) == ["a"]


@pytest.mark.parametrize("value", [7, "7"])
def test_a_vid_may_be_a_number(value: object, run: Run) -> None:
    service = Service(
        page({"object": "Account", "vid": 7}, next_link=after("a")), page({"object": "Account", "vid": value})
    )
    assert len(read(run, service)) == 1


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_the_entitlements_of_the_sandbox_are_all_returned(limit: int) -> None:
    """Several accounts have the same entitlement, so its ID occurs several times."""
    billing = Sandbox().billing()
    found = [each.id for each in billing.entitlements.list(limit=limit)]
    assert len(found) == billing.entitlements.list().total_count()
    assert len(found) > len(set(found))


@pytest.mark.parametrize("length", [3, 50, 1_500])
@pytest.mark.parametrize("size", [7, 100])
def test_a_list_that_starts_over_under_new_cursors_is_detected(length: int, size: int) -> None:
    def respond(sent: Sent) -> httpx.Response:
        start = int(dict(sent.query)["starting_after"]) if "?" in sent.url else 0
        return page(*(vid(str(n % length)) for n in range(start, start + size)), next_link=after(start + size))

    service, got = Always(respond), list[Any]()
    with (
        Run("blocking").client("billing", transport=service) as client,
        pytest.raises(PaginationError, match="never end"),
    ):
        got.extend(each.vid for each in client.accounts.list())
    assert set(got) == {str(n) for n in range(length)}
    assert len(service.sent) * size < 20 * size * length


def test_the_window_of_a_cursor_list_is_bounded() -> None:
    history = PageHistory(by_offset=False)
    for start in range(0, 5_000, 100):
        repeats, new = history.load([vid(str(number)) for number in range(start, start + 100)])
        assert (any(repeats), new) == (False, 100)
        history.leave()
        assert len(history._known) <= WINDOW + 200
    for number in range(50):
        history.load([{"type": number}] * 100)  # the history doesn't store items that have neither an ID nor a vid
        history.leave()
    assert len(history._pages) <= WINDOW // 100 + 1


# A list that changes while it's read


class Changing:
    """A cursor list that gains and loses rows between two requests. Its cursors stay valid, and may be inclusive."""

    def __init__(self, rows: list[Row], changes: list[tuple[str, int]], *, size: int, inclusive: bool) -> None:
        self.numbers = count()
        self.rows = [(next(self.numbers) * 1_000, row) for row in rows]
        self.changes, self.size, self.inclusive = list(changes), size, inclusive
        self.fresh = count()
        self.places: dict[str, int] = {}
        self.transport = Always(self.respond)

    def respond(self, sent: Sent) -> httpx.Response:
        cursor = dict(sent.query).get("starting_after") if "?" in sent.url else None
        place = -1 if cursor is None else self.places[cursor]
        behind = [each for each in self.rows if each[0] > place]
        if self.inclusive and cursor is not None:
            behind = [each for each in self.rows if each[0] >= place]
        shown = behind[: self.size]
        link = None
        if len(behind) > len(shown):
            name = f"c{next(self.fresh)}"
            self.places[name], link = shown[-1][0], after(name)
        reply = page(*(row for _, row in shown), next_link=link, total_count=len(self.rows))
        self.change()
        return reply

    def change(self) -> None:
        if not self.changes:
            return
        action, number = self.changes.pop(0)
        if action == "remove" and self.rows:
            del self.rows[number % len(self.rows)]
        elif action == "add":
            before = self.rows[number % len(self.rows)][0] if self.rows else 0
            if before + 1 not in dict(self.rows):
                self.rows.append((before + 1, vid(f"added-{next(self.numbers)}")))
                self.rows.sort(key=lambda each: each[0])


def row_of(number: int, kind: str, name: str) -> Row:
    if kind == "vid":
        return {"object": "Account", "id": name, "vid": f"v{number}"}
    if kind == "id":
        return {"object": "Account", "id": name, "name": f"n{number}"}
    return {"object": "Account", "name": name}


@given(
    kinds=st.lists(st.tuples(st.sampled_from(["vid", "id", "neither"]), st.sampled_from("xy")), max_size=12),
    changes=st.lists(st.tuples(st.sampled_from(["add", "remove", "nothing"]), st.integers(0, 20)), max_size=8),
    size=st.integers(2, 5),
    inclusive=st.booleans(),
    reader=st.sampled_from(["items", "pages", "raw", "prefetch"]),
    style=st.sampled_from(["blocking", "async"]),
)
def test_a_list_that_changes_loses_and_repeats_nothing(
    kinds: list[tuple[str, str]],
    changes: list[tuple[str, int]],
    size: int,
    inclusive: bool,
    reader: str,
    style: Any,
) -> None:
    rows = [row_of(number, kind, name) for number, (kind, name) in enumerate(kinds)]
    changing = Changing(rows, changes, size=size, inclusive=inclusive)
    found = [(each.vid, each.id, each.name) for each in read(Run(style), changing.transport, reader)]
    known = [each for each in found if each[0] or each[1]]
    assert len(known) == len(set(known))
    left = [row for _, row in changing.rows]
    stayed = [row for row in rows if any(row is each for each in left)]
    for row in stayed:
        assert (row.get("vid"), row.get("id"), row.get("name")) in found
    anonymous = [row for row in stayed if row.keys() == {"object", "name"}]
    assert sum(not vid and not name for vid, name, _ in found) >= len(anonymous)
