"""Hostile pages of a list: links that lead elsewhere, and items and responses of an unexpected structure (H22, H56)."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.calls import Run, Service, answer, page
from looped import looped
from subscribekit import BillingClient
from subscribekit.errors import InvalidResponseError, PaginationError


def after(cursor: str) -> str:
    return f"/accounts?limit=2&starting_after={cursor}"


def accounts(client: Any, **arguments: Any) -> Any:
    return client.accounts.list(**arguments)


def ids(items: Any) -> list[str]:
    return [item.id for item in items]


# The SDK treats links of the service as hostile input, and uses only their cursor (H22).

FOREIGN = [
    "https://evil.test/rest/accounts?starting_after=a9",
    "https://billing.test/rest/accounts?starting_after=a9",
    "http://billing.test/rest/accounts?starting_after=a9",
    "//evil.test/accounts?starting_after=a9",
    "/\\evil.test/accounts?starting_after=a9",
    "\\\\evil.test\\accounts?starting_after=a9",
    "/accounts@evil.test?starting_after=a9",
    "/other?starting_after=a9",
    "/accounts/a1?starting_after=a9",
    "/rest/rest/accounts?starting_after=a9",
    "/accounts/../other?starting_after=a9",
    "/./accounts?starting_after=a9",
    "/accounts#?starting_after=a9",
    "/accounts?starting_after=a9#x",
    "accounts?starting_after=a9",
    "?starting_after=a9",
    "/accounts",
    "/accounts?",
    "/accounts?starting_after=",
    "/accounts?starting_after=a9&starting_after=a10",
    "/accounts?starting_after=a9&starting_after=",
    "/accounts?ending_before=a9",
    "/accounts?STARTING_AFTER=a9",
    "/accounts?limit=2",
    " /accounts?starting_after=a9",
    "/accounts?starting_after=a9\r\nX-Evil: 1",
    "/accounts?starting_after=a9\x00",
    "javascript:alert(1)",
    "/accounts;x=1?starting_after=a9",
    "/Accounts?starting_after=a9",
]


@looped("link", FOREIGN)
def test_a_link_that_leads_elsewhere_is_not_followed(link: str, run: Run) -> None:
    service = Service(page("a1", next_link=link))
    got: list[str] = []

    async def story(client: Any) -> None:
        await run.collect(accounts(client), got)

    with pytest.raises(PaginationError, match="leads outside this list, so the SDK didn't follow the link") as caught:
        run("billing", story, transport=service)
    assert got == ["a1"]
    assert len(service.sent) == 1
    assert "evil" not in str(caught.value)


@pytest.mark.parametrize("link", [5, True, ["/accounts?starting_after=a9"], {"href": "x"}])
def test_a_link_is_text(link: Any, run: Run) -> None:
    service = Service(page("a1", next_link=link))
    with pytest.raises(InvalidResponseError, match="next isn't a string"):
        run("billing", accounts, transport=service)


@pytest.mark.parametrize(
    "link",
    ["/accounts?starting_after=a9", "/rest/accounts?starting_after=a9", "/accounts/?x=1&starting_after=a9&limit=100"],
)
def test_only_the_cursor_of_a_link_is_used(link: str, run: Run) -> None:
    service = Service(page("a1", next_link=link), page("a10"))
    run("billing", lambda client: accounts(client, limit=7, email="x@y.z"), transport=service)
    assert service.sent[1].url == "https://billing.test/rest/accounts?email=x%40y.z&limit=7&starting_after=a9"


@given(st.text(alphabet=st.characters(exclude_categories=("Cs",)), min_size=1, max_size=30))
def test_any_cursor_of_the_service_is_sent_back_as_it_is(cursor: str) -> None:
    service = Service(page("a1", next_link="/accounts?starting_after=" + quote(cursor, safe="")), page("a2"))
    with BillingClient(base_url="https://b.test", api_user="u", api_key="k", transport=service) as client:
        assert ids(client.accounts.list()) == ["a1", "a2"]
    assert service.sent[1].query == [("starting_after", cursor)]


# Items of an unexpected structure


def test_an_item_of_another_kind_is_an_error_where_it_stands(run: Run) -> None:
    service = Service(page("a1", {"object": "Campaign", "id": "private-1"}, "a3"))
    got: list[str] = []

    async def story(client: Any) -> None:
        pager = accounts(client)
        iterator = run.iterator(pager)
        got.append((await run.following(iterator)).id)
        for _ in range(2):
            with pytest.raises(InvalidResponseError, match="an item of the list has an unexpected structure") as caught:
                await run.following(iterator)
            assert "private-1" not in str(caught.value)
            assert caught.value.operation == "accounts.list"

    run("billing", story, transport=service)
    assert got == ["a1"]


def test_the_error_of_an_item_identifies_its_response(run: Run) -> None:
    service = Service(answer({"object": "List", "data": [5]}, Request_Id="r-1"))
    with pytest.raises(InvalidResponseError) as caught:
        run("billing", accounts, transport=service)
    assert (caught.value.status_code, caught.value.request_id, caught.value.attempts) == (200, "r-1", 1)
    assert caught.value.trace_id == service.only.headers["X-B3-TraceId"]


@pytest.mark.parametrize(
    "body",
    [[], "x", 5, None, {}, {"object": "List"}, {"object": "List", "data": None}, {"object": "List", "data": {}},
     {"object": "Account", "data": []}],
)  # fmt: skip
def test_a_response_that_is_not_a_list_is_an_error(body: Any, run: Run) -> None:
    service = Service(answer(json.dumps(body).encode()))
    with pytest.raises(InvalidResponseError) as caught:
        run("billing", accounts, transport=service)
    assert caught.value.status_code == 200
    assert caught.value.checkpoint


def test_an_empty_response_is_not_an_empty_list(run: Run) -> None:
    service = Service(answer(), answer())  # the body could have been cut off, so the read is retried once
    with pytest.raises(InvalidResponseError):
        run("billing", accounts, transport=service)
    assert not service.answers
