"""Lists with repeated cursors, empty pages, wrong totals, shifting items, and failures between pages."""

from __future__ import annotations

from typing import Any

import pytest

from kit.faults import scripts as f
from kit.faults.server import FaultServer
from kit.faults.steps import Step
from reliability.kit import Run, hazard
from reliability.operations import E3, E10
from subscribekit import RetryPolicy
from subscribekit.errors import (
    DeadlineExceededError,
    InvalidArgumentError,
    InvalidResponseError,
    PaginationError,
    ServerError,
    SubscribekitError,
)

ONCE = RetryPolicy(max_attempts=1)


def items(*names: str) -> list[dict[str, object]]:
    return [{"object": "Account", "id": name} for name in names]


def after(cursor: str) -> str:
    return f"/accounts?starting_after={cursor}"


def ids(accounts: list[Any]) -> list[Any]:
    return [each.id for each in accounts]


@hazard("H70")
@pytest.mark.parametrize(("cursors", "requests"), [(["a", "a"], 2), (["a", "b", "a"], 3), (["a", "b", "c", "b"], 4)])
def test_a_repeated_cursor_is_an_error(run: Run, srv: FaultServer, cursors: list[str], requests: int) -> None:
    srv.script(*(f.page(items(f"i{n}"), after(cursor)) for n, cursor in enumerate(cursors)))
    client = run.client("billing", srv)
    error = run.fails(client, E3.use)
    assert isinstance(error, PaginationError)
    assert (error.operation, len(srv.requests)) == ("accounts.list", requests)
    assert error.checkpoint is not None


@hazard("H70")
def test_a_cursor_that_repeats_the_first_one_is_an_error(run: Run, srv: FaultServer) -> None:
    srv.script(f.page(items("b"), after("a")))
    error = run.fails(run.client("billing", srv), lambda c: c.accounts.list(starting_after="a"))
    assert isinstance(error, PaginationError)
    assert len(srv.requests) == 1


@hazard("H70")
def test_only_max_pages_limits_the_number_of_pages(run: Run, srv: FaultServer) -> None:
    srv.script(*(f.page(items(f"i{n}"), after(f"i{n}")) for n in range(150)), f.page(items("last")))
    assert len(run(run.client("billing", srv), E3.use)) == 151
    srv.script(*(f.page(items(f"i{n}"), after(f"i{n}")) for n in range(10)))
    assert len(run(run.client("billing", srv), lambda c: c.accounts.list(max_pages=3))) == 3


@hazard("H71")
@pytest.mark.parametrize("end", [None, ""])
def test_an_empty_page_does_not_end_the_list(run: Run, srv: FaultServer, end: str | None) -> None:
    srv.script(f.page(items("a"), after("a")), f.page([], after("b")), f.page(items("x"), end))
    assert ids(run(run.client("billing", srv), E3.use)) == ["a", "x"]


@hazard("H71")
def test_too_many_empty_pages_are_an_error(run: Run, srv: FaultServer) -> None:
    srv.script(*(f.page([], after(f"c{n}")) for n in range(50)))
    error = run.fails(run.client("billing", srv), E3.use)
    assert isinstance(error, PaginationError)
    assert len(srv.requests) == 11


@hazard("H72")
@pytest.mark.parametrize("total", [0, -1, 1, "many", "1", None, 1.5, True])
def test_the_total_does_not_end_a_list_that_is_read_by_cursor(run: Run, srv: FaultServer, total: object) -> None:
    srv.script(f.page(items("a"), after("a"), total=total), f.page(items("b"), total=total))
    assert ids(run(run.client("billing", srv), E3.use)) == ["a", "b"]


@hazard("H72")
@pytest.mark.parametrize("total", [10**9, "7"])
def test_a_list_that_ends_before_its_total_is_an_error(run: Run, srv: FaultServer, total: object) -> None:
    srv.script(f.page(items("a"), after("a"), total=total), f.page(items("b"), total=total))
    error = run.fails(run.client("billing", srv), E3.use)
    assert isinstance(error, PaginationError)
    assert str(error).startswith(f"the list ended after 2 of {total} items")


@hazard("H73")
@pytest.mark.parametrize("total", [None, "-1", "many", "1e3", "", "²"])
def test_an_invalid_total_of_a_list_that_is_read_by_offset_is_ignored(
    run: Run, srv: FaultServer, total: str | None
) -> None:
    pages = [[{"id": 1}, {"id": 2}], [{"id": 3}], []]
    srv.script(
        *(f.offset_page(list[object](page), total.encode().decode("latin-1") if total else total) for page in pages)
    )
    assert ids(run(run.client("user_mgmt", srv), E10.use)) == [1, 2, 3]
    assert [request.target.partition("?")[2] for request in srv.requests] == ["offset=0", "offset=2", "offset=3"]


@hazard("H73")
def test_an_item_that_moved_to_the_next_page_is_returned_once(run: Run, srv: FaultServer) -> None:
    srv.script(
        f.offset_page([{"id": 1}, {"id": 2}], 5),
        f.offset_page([{"id": 2}, {"id": 3}], 5),
        f.offset_page([{"id": 4}], 5),
    )
    assert ids(run(run.client("user_mgmt", srv), E10.use)) == [1, 2, 3, 4]


@hazard("H73")
def test_a_list_that_shrinks_while_it_is_read_ends(run: Run, srv: FaultServer) -> None:
    srv.script(f.offset_page([{"id": 1}, {"id": 2}], 100), f.offset_page([], 2))
    assert ids(run(run.client("user_mgmt", srv), E10.use)) == [1, 2]
    srv.script(f.offset_page([{"id": 1}, {"id": 2}], 100), f.offset_page([{"id": 3}], 3))
    assert ids(run(run.client("user_mgmt", srv), E10.use)) == [1, 2, 3]


@hazard("H70", "H73")
def test_a_service_that_ignores_the_offset_causes_an_error(run: Run, srv: FaultServer) -> None:
    srv.script(*[f.offset_page([{"id": 1}, {"id": 2}])] * 30, f.offset_page([]))
    error = run.fails(run.client("user_mgmt", srv), E10.use)
    assert isinstance(error, PaginationError)
    assert len(srv.requests) <= 12


@hazard("H74")
def test_a_short_page_does_not_end_the_list(run: Run, srv: FaultServer) -> None:
    pages = [[{"id": n} for n in range(start, start + 20)] for start in (0, 20)]
    srv.script(
        f.offset_page(list[object](pages[0]), 50),
        f.offset_page(list[object](pages[1]), 50),
        f.offset_page([{"id": 99}], 41),
    )
    assert len(run(run.client("user_mgmt", srv), lambda c: c.accounts.list(size=100))) == 41
    assert [request.target.partition("?")[2] for request in srv.requests] == [
        "offset=0&size=100", "offset=20&size=100", "offset=40&size=100",
    ]  # fmt: skip


@hazard("H74")
@pytest.mark.parametrize("size", [-1, 101, 1.0, True, "5"])
def test_a_page_size_is_checked(run: Run, srv: FaultServer, size: Any) -> None:
    assert isinstance(
        run.fails(run.client("user_mgmt", srv), lambda c: c.accounts.list(size=size)), InvalidArgumentError
    )
    assert srv.connections == 0


@hazard("H74")
def test_size_zero_requests_all_items_at_once(run: Run, srv: FaultServer) -> None:
    srv.script(f.offset_page([{"id": 1}, {"id": 2}]))
    assert ids(run(run.client("user_mgmt", srv), lambda c: c.accounts.list(size=0))) == [1, 2]
    assert len(srv.requests) == 1


FAILURES = [
    (f.status(500), ServerError),
    (f.close_after_request(), SubscribekitError),
    (f.truncate(), InvalidResponseError),
    (f.ok({"object": "List"}), InvalidResponseError),
]


@hazard("H75")
@pytest.mark.parametrize(("failure", "kind"), FAILURES, ids=str)
def test_an_iterator_resumes_after_an_error_and_a_new_list_resumes_from_the_checkpoint(
    run: Run, srv: FaultServer, failure: Step, kind: type[SubscribekitError]
) -> None:
    srv.script(f.page(items("a", "b"), after("b")), failure, f.page(items("c")))
    client = run.client("billing", srv, retry=ONCE)
    pager = client.accounts.list(limit=2)

    async def story() -> tuple[list[str], SubscribekitError, list[str]]:
        iterator = aiter(pager) if run.style == "async" else iter(pager)

        async def following() -> Any:
            return await anext(iterator) if run.style == "async" else next(iterator)

        before = [(await following()).id, (await following()).id]
        with pytest.raises(kind) as caught:
            await following()
        return before, caught.value, [(await following()).id]

    before, error, rest = run.wait(story())
    assert (before, rest) == (["a", "b"], ["c"])
    assert error.checkpoint is not None
    srv.script(f.page(items("c")))
    assert ids(run(run.client("billing", srv), lambda c: c.accounts.list(limit=2, checkpoint=error.checkpoint))) == [
        "c"
    ]
    assert srv.requests[-1].target == "/accounts?limit=2&starting_after=b"


@hazard("H57", "H75")
def test_an_item_of_another_kind_does_not_lose_the_items_before_it(run: Run, srv: FaultServer) -> None:
    srv.script(f.page([*items("a", "b"), {"object": "Campaign", "id": "c"}]))
    pager = run.client("billing", srv).accounts.list()
    error = run.fails(pager, lambda found: found)
    assert isinstance(error, InvalidResponseError)
    srv.script(f.page(items("c")))
    assert ids(run(run.client("billing", srv), lambda c: c.accounts.list(checkpoint=error.checkpoint))) == ["c"]
    assert srv.requests[-1].target == "/accounts?starting_after=b"


@hazard("H75")
def test_a_list_that_is_read_by_offset_resumes_from_its_checkpoint(run: Run, srv: FaultServer) -> None:
    srv.script(f.offset_page([{"id": 1}, {"id": 2}], 3), f.status(404))
    error = run.fails(run.client("user_mgmt", srv), E10.use)
    srv.script(f.offset_page([{"id": 3}], 3))
    rest = run(run.client("user_mgmt", srv), lambda c: c.accounts.list(checkpoint=error.checkpoint))
    assert (ids(rest), srv.requests[-1].target.partition("?")[2]) == ([3], "offset=2")


@hazard("H10", "H75")
def test_the_deadline_applies_to_a_page_and_not_to_the_list(run: Run, srv: FaultServer) -> None:
    srv.script(*(f.page(items(f"i{n}"), after(f"i{n}")) for n in range(3)), f.stall_before_headers())
    pager = run.client("billing", srv, deadline=0.3).accounts.list()
    with pytest.raises(DeadlineExceededError) as caught:
        run(pager)
    assert caught.value.checkpoint == pager.checkpoint
