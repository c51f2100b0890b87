"""Lists of the account-lifecycle API (H73, H74).

The offset advances by the number of received items. An empty page or the latest total ends a list.
"""

from __future__ import annotations

from typing import Any, get_args

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Always, Run, Sent, Service, answer, array
from looped import looped
from subscribekit import UserMgmtClient
from subscribekit.errors import (
    BadRequestError,
    InvalidArgumentError,
    InvalidResponseError,
    NotFoundError,
    PageSizeError,
    ServerError,
)
from subscribekit.models import AccountAssociation
from subscribekit.models.entity import Entity
from subscribekit.user_mgmt import EntityPath


def accounts(client: Any, **arguments: Any) -> Any:
    return client.accounts.list(**arguments)


def ids(items: Any) -> list[int]:
    return [item.id for item in items]


def offsets(service: Service) -> list[str]:
    return [dict(sent.query)["offset"] for sent in service.sent]


def test_pages_are_read_until_the_total_is_reached(run: Run) -> None:
    service = Service(array(1, 2, total=5), array(3, 4, total=5), array(5, total=5))
    items = run("user_mgmt", lambda client: accounts(client, size=2), transport=service)
    assert ids(items) == [1, 2, 3, 4, 5]
    assert all(type(item) is AccountAssociation for item in items)
    assert [sent.query for sent in service.sent] == [[("offset", offset), ("size", "2")] for offset in ("0", "2", "4")]


def test_without_a_size_the_service_chooses_the_page_size(run: Run) -> None:
    service = Service(array(1, 2, 3, total=3))
    run("user_mgmt", accounts, transport=service)
    assert service.only.query == [("offset", "0")]


def test_a_list_can_start_at_an_offset(run: Run) -> None:
    service = Service(array(41, 42, total=43), array(43, total=43))
    assert ids(run("user_mgmt", lambda client: accounts(client, offset=40), transport=service)) == [41, 42, 43]
    assert offsets(service) == ["40", "42"]


@pytest.mark.parametrize("total", [None, -1, "x", "", "1.5", "9" * 30, " 2"])
def test_without_a_usable_total_an_empty_page_is_the_end(total: Any, run: Run) -> None:
    service = Service(array(1, 2, total=total), array(3, total=total), array(total=total))
    assert ids(run("user_mgmt", lambda client: accounts(client, size=2), transport=service)) == [1, 2, 3]
    assert offsets(service) == ["0", "2", "3"]


def test_a_short_page_is_not_the_end(run: Run) -> None:
    service = Service(array(*range(20), total=50), array(*range(20, 40), total=50), array(*range(40, 50), total=50))
    items = run("user_mgmt", lambda client: accounts(client, size=100), transport=service)
    assert ids(items) == list(range(50))
    assert offsets(service) == ["0", "20", "40"]


def test_the_latest_total_counts(run: Run) -> None:
    service = Service(array(1, 2, total=9), array(3, 4, total=4))
    assert ids(run("user_mgmt", accounts, transport=service)) == [1, 2, 3, 4]
    service = Service(array(1, 2, total=3), array(3, 4, total=5), array(5, total=5))
    assert ids(run("user_mgmt", accounts, transport=service)) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("total", [1, 3])
def test_a_total_of_one_page_ends_a_list_that_begins_later(total: int, run: Run) -> None:
    """The total isn't smaller than the number of items, so it doesn't contradict them."""
    service = Service(array(*range(total), total=total))
    assert ids(run("user_mgmt", lambda client: accounts(client, offset=40), transport=service)) == list(range(total))


@pytest.mark.hazard("H72")
@pytest.mark.parametrize("total", [0, 1, 3])
def test_a_total_that_is_too_small_does_not_end_the_list(total: int, run: Run) -> None:
    service = Service(array(1, 2, total=total), array(3, 4, total=total), array(total=total))
    assert ids(run("user_mgmt", accounts, transport=service)) == [1, 2, 3, 4]


def test_items_that_moved_to_the_next_page_are_returned_once(run: Run) -> None:
    service = Service(array(1, 2, 3, total=6), array(3, 4, 5, total=6))

    async def story(client: Any) -> None:
        pager = accounts(client, size=3)
        assert ids(await run.finish(pager)) == [1, 2, 3, 4, 5]

    run("user_mgmt", story, transport=service)
    assert offsets(service) == ["0", "3"]


def test_items_without_an_id_are_all_returned(run: Run) -> None:
    service = Service(
        answer([{"type": "a"}, {"type": "a"}], X_Total_Count="4"), answer([{"id": None}, {}], X_Total_Count="4")
    )
    assert len(run("user_mgmt", accounts, transport=service)) == 4


@pytest.mark.parametrize("total", [0, 1, 3, 100, None])
def test_size_0_requests_the_whole_list_at_once(total: int | None, run: Run) -> None:
    items = range(total or 0)
    service = Service(array(*items, total=total))
    assert ids(run("user_mgmt", lambda client: accounts(client, size=0), transport=service)) == list(items)
    assert service.only.query == [("offset", "0"), ("size", "0")]


@pytest.mark.parametrize("status", [200, 400, 500])
@pytest.mark.parametrize("code", ["max-return-page-size", "page-size-error", "invalid-page-offset"])
def test_a_page_that_the_service_refuses_raises_page_size_error(code: str, status: int, run: Run) -> None:
    service = Service(
        answer({"operationError": {"code": code, "message": "m"}}, status), *[answer({"code": code}, 500)] * 2
    )
    with pytest.raises(PageSizeError) as caught:
        run("user_mgmt", lambda client: accounts(client, size=0), transport=service)
    assert (caught.value.code, caught.value.status_code, caught.value.operation) == (code, status, "accounts.list")
    assert isinstance(caught.value, BadRequestError)
    assert caught.value.checkpoint


def test_total_count(run: Run) -> None:
    service = Service(array(1, 2, total=7), array(total=0), array(1))

    async def story(client: Any) -> None:
        assert await run.now(accounts(client).total_count()) == 7
        assert await run.now(accounts(client).total_count()) == 0
        assert await run.now(accounts(client).total_count()) is None

    run("user_mgmt", story, transport=service)


def test_pages(run: Run) -> None:
    service = Service(array(1, 2, total=3), array(2, 3, total=3))
    pages = run("user_mgmt", lambda client: accounts(client).pages(), transport=service)
    assert [ids(page.data) for page in pages] == [[1, 2], [3]]
    assert [page.total_count for page in pages] == [3, 3]
    assert [(page.next, page.previous) for page in pages] == [(None, None)] * 2


@pytest.mark.parametrize("max_pages", [1, 2])
def test_max_pages(max_pages: int, run: Run) -> None:
    service = Service(array(1, 2, total=6), array(3, 4, total=6))
    items = run("user_mgmt", lambda client: accounts(client, max_pages=max_pages), transport=service)
    assert ids(items) == list(range(1, 2 * max_pages + 1))


@looped("body", [b"{}", b"null", b'"x"', b"5", b'{"data": []}', b"[5]", b'["x"]', b"[null]", b"[[]]", b""])
def test_a_body_that_is_not_a_page_of_objects_is_an_error(body: bytes, run: Run) -> None:
    with pytest.raises(InvalidResponseError) as caught:
        run("user_mgmt", accounts, transport=Service(*[answer(body)] * (1 if body else 2)))
    assert caught.value.checkpoint


def test_an_iterator_can_be_used_after_an_error(run: Run) -> None:
    service = Service(array(1, 2, total=3), *(answer({}, 500) for _ in range(3)), array(3, total=3))
    got: list[int] = []

    async def story(client: Any) -> None:
        pager = accounts(client, size=2)
        iterator = run.iterator(pager)
        got.extend([(await run.following(iterator)).id for _ in range(2)])
        with pytest.raises(ServerError) as caught:
            await run.following(iterator)
        assert caught.value.checkpoint == pager.checkpoint
        got.append((await run.following(iterator)).id)
        assert await run.at_its_end(iterator)

    run("user_mgmt", story, transport=service)
    assert got == [1, 2, 3]
    assert offsets(service) == ["0", "2", "2", "2", "2"]


# Pages read concurrently


@pytest.mark.parametrize("concurrency", [1, 2, 3, 64])
@pytest.mark.parametrize("prefetch", [False, True])
def test_pages_read_concurrently_are_returned_in_order(concurrency: int, prefetch: bool, run: Run) -> None:
    def respond(sent: Sent) -> httpx.Response:
        start = int(dict(sent.query)["offset"])
        return array(*range(start, min(start + 3, 20)), total=20)

    service = Always(respond)
    items = run(
        "user_mgmt",
        lambda client: accounts(client, size=3, concurrency=concurrency, prefetch=prefetch),
        transport=service,
    )
    assert ids(items) == list(range(20))
    assert sorted(int(offset) for offset in offsets(service)) == [0, 3, 6, 9, 12, 15, 18]


def test_an_error_of_a_concurrent_read_is_raised_when_its_page_is_reached(run: Run) -> None:
    broken = True

    def respond(sent: Sent) -> httpx.Response:
        start = int(dict(sent.query)["offset"])
        return answer({}, 404) if start == 4 and broken else array(start, start + 1, total=8)

    got: list[int] = []

    async def story(client: Any) -> None:
        nonlocal broken
        pager = accounts(client, size=2, concurrency=3)
        iterator = run.iterator(pager)
        got.extend([(await run.following(iterator)).id for _ in range(4)])
        with pytest.raises(NotFoundError) as caught:
            await run.following(iterator)
        broken = False
        got.extend(ids(await run.finish(accounts(client, size=2, checkpoint=caught.value.checkpoint))))

    run("user_mgmt", story, transport=Always(respond))
    assert got == list(range(8))


@given(
    size=st.integers(1, 7),
    total=st.integers(0, 30),
    start=st.integers(0, 35),
    served=st.integers(1, 7),
    concurrency=st.integers(1, 4),
)
def test_any_list_is_read_whole_and_in_order(size: int, total: int, start: int, served: int, concurrency: int) -> None:
    def respond(sent: Sent) -> httpx.Response:
        offset = int(dict(sent.query)["offset"])
        return array(*range(offset, min(offset + min(size, served), total)), total=total)

    with UserMgmtClient(base_url="https://u.test", session_id="s", transport=Always(respond)) as client:
        items = client.accounts.list(offset=start, size=size, concurrency=concurrency).to_list()
    assert ids(items) == list(range(start, total))


# The 30 paginated operations of the specification (Limits, rule 6)


@looped("path", get_args(EntityPath))
def test_each_of_the_thirty_lists_can_be_read(path: str, run: Run) -> None:
    given_id = {}
    sent_path = path
    if "{" in path:
        name = path.partition("{")[2].partition("}")[0]
        given_id = {name.removesuffix("Id") + "_id": "x 1"}
        sent_path = path.replace("{" + name + "}", "x%201")
    service = Service(array(1, total=1))
    (item,) = run("user_mgmt", lambda client: client.entities.list(path, **given_id), transport=service)
    assert type(item) is Entity
    assert service.only.url == f"https://users.test/platform/rest/v85{sent_path}?offset=0"


def test_there_are_thirty_lists() -> None:
    assert len(set(get_args(EntityPath))) == 30


@pytest.mark.parametrize(
    ("path", "arguments", "message"),
    [
        ("/user/{userId}/groups", {}, "user_id is missing"),
        ("/user/groups", {"user_id": "u"}, "user_id doesn't belong"),
        ("/user/{userId}/groups", {"user_id": "u", "group_id": "g"}, "group_id doesn't belong"),
        ("/group/{groupId}/users", {"account_id": "a"}, "is missing|doesn't belong"),
        ("/group/1/users", {}, "path must be one of"),
        ("/anything", {}, "path must be one of"),
        ("/user/runtimes?x=1", {}, "path must be one of"),
        ("", {}, "path must be one of"),
        (None, {}, "path must be one of"),
        (5, {}, "path must be one of"),
    ],
)
def test_an_unknown_path_and_a_missing_or_extra_id_are_refused(
    path: Any, arguments: Any, message: str, run: Run
) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        run("user_mgmt", lambda client: client.entities.list(path, **arguments), transport=Service())
