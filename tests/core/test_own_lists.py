"""`collection`: a list at a path that the caller chooses, which the SDK reads like every list of the same API."""

from __future__ import annotations

from typing import Any

import pytest

from core.test_free_requests import BAD_PATHS
from kit.calls import Run, Service, answer, array, page
from looped import looped
from subscribekit.errors import InvalidArgumentError, NotFoundError
from subscribekit.models import Account, Entity, Model

OWN = "/accounts/ann@example.com/more things/v2"


def test_a_list_of_the_billing_api_follows_its_cursors(run: Run) -> None:
    service = Service(
        page("a1", "a2", next_link="/rest/accounts/ann%40example.com/more%20things/v2?starting_after=a2&kind=x"),
        page("a3"),
    )

    async def story(client: Any) -> None:
        pager = client.collection(OWN, Account).list(limit=2, params={"kind": ["x", "y"]})
        assert [each.id async for each in run.every(pager)] == ["a1", "a2", "a3"]

    run("billing", story, transport=service)
    first, second = service.sent
    assert first.url.startswith("https://billing.test/rest/accounts/ann%40example.com/more%20things/v2?")
    assert sorted(first.query) == [("kind", "x"), ("kind", "y"), ("limit", "2")]
    assert sorted(second.query) == [("kind", "x"), ("kind", "y"), ("limit", "2"), ("starting_after", "a2")]


def test_a_list_of_the_account_lifecycle_api_advances_its_offset(run: Run) -> None:
    service = Service(array(1, 2, total=3), array(3, total=3))

    async def story(client: Any) -> None:
        pager = client.collection("/platform/rest/v86/user/devices", Entity).list(size=2, params={"kind": "x"})
        assert [each.id async for each in run.every(pager)] == [1, 2, 3]

    run("user_mgmt", story, transport=service)
    assert [sent.path for sent in service.sent] == ["/platform/rest/v86/user/devices"] * 2
    assert sorted(service.sent[1].query) == [("kind", "x"), ("offset", "2"), ("size", "2")]


def test_a_list_resumes_only_from_a_checkpoint_of_the_same_path(run: Run) -> None:
    service = Service(page("a1", "a2"), page("a2"))

    async def story(client: Any) -> None:
        pager = client.collection("/x/1", Account).list()
        iterator = run.iterator(pager)
        await run.following(iterator)
        again = client.collection("/x/1", Account).list(checkpoint=pager.checkpoint)
        assert [each.id async for each in run.every(again)] == ["a2"]
        assert service.sent[1].query == [("starting_after", "a1")]
        with pytest.raises(InvalidArgumentError, match="another list"):
            client.collection("/x/2", Account).list(checkpoint=pager.checkpoint)

    run("billing", story, transport=service)


def test_an_error_shows_no_identifier(run: Run) -> None:
    service = Service(answer({"object": "Error", "message": "no"}, 404))
    with pytest.raises(NotFoundError) as caught:
        run("billing", lambda client: client.collection(OWN, Account).list(), transport=service)
    assert "ann@" not in str(caught.value)
    assert caught.value.operation == "cursor_collection.list"


def test_a_prepared_request_shows_the_first_page(run: Run) -> None:
    request = run.client("billing", transport=Service()).prepare.collection("/a/b-1", Account).list(limit=5)
    assert (request.method, request.url) == ("GET", "https://billing.test/rest/a/b-1?limit=5")
    assert request.path_template == "/a/{segment}"


@looped("path", [*BAD_PATHS, None, 5, b"/a"])
@looped("group", ["billing", "user_mgmt"])
def test_a_path_that_is_not_plain_or_not_below_the_base_url_is_refused(group: Any, path: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="path"):
        run.client(group, transport=Service()).collection(path, Entity)


@looped("item", [dict, list, Model, "Account", None, Account()])
@looped("group", ["billing", "user_mgmt"])
def test_the_class_of_the_items_must_be_a_model(group: Any, item: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="item must be a model class"):
        run.client(group, transport=Service()).collection("/a", item)


@pytest.mark.parametrize("reserved", ["limit", "starting_after", "ending_before"])
def test_a_paging_parameter_is_refused_in_params(reserved: str, run: Run) -> None:
    client = run.client("billing", transport=Service())
    with pytest.raises(InvalidArgumentError, match=reserved):
        client.collection("/a", Account).list(params={reserved: "1"})
