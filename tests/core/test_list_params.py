"""`params` adds query parameters to any list.

The SDK quotes their values, refuses reserved names, and makes the parameters part of the checkpoint.
"""

from __future__ import annotations

import inspect
from datetime import UTC, datetime
from typing import Any, get_origin, get_type_hints

import pytest

from descriptions import methods
from kit.calls import Run, Service, array, page
from looped import looped
from subscribekit import BillingClient, Pager, StorefrontClient, UserMgmtClient
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import Chargeback

MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
GROUPS = pytest.mark.parametrize("group", ["billing", "user_mgmt"])


def empty_response(group: str) -> Any:
    return page() if group == "billing" else array(total=0)


@GROUPS
@looped(
    ("value", "texts"),
    [
        ("a b&c=d", ["a b&c=d"]),
        (5, ["5"]),
        (True, ["1"]),
        (False, ["0"]),
        (MOMENT, ["2026-03-01T00:00:00+00:00"]),
        (None, []),
        (["b", "a", 3, False], ["b", "a", "3", "0"]),
        (("x", None), ["x"]),
    ],
)
def test_values_are_sent_by_their_type(group: Any, value: Any, texts: list[str], run: Run) -> None:
    service = Service(empty_response(group))
    run(group, lambda client: client.accounts.list(params={"own name": value}), transport=service)
    sent = [(name, text) for name, text in service.only.query if name and name != "offset"]
    assert sent == [("own name", text) for text in texts]


@GROUPS
def test_every_page_raw_page_and_prepared_request_has_the_params(group: Any, run: Run) -> None:
    if group == "billing":
        service = Service(page("a1", next_link="/accounts?starting_after=a1"), page("a2"), page("a1"))
    else:
        service = Service(array(1, total=2), array(2, total=2), array(1, total=1))
    params = {"state": ["open", "late"]}

    async def story(client: Any) -> None:
        assert len(await run.finish(client.accounts.list(params=params))) == 2
        await run.now(client.with_raw_response.accounts.list(params=params).first())
        assert "state=open&state=late" in client.prepare.accounts.list(params=params).url

    run(group, story, transport=service)
    for sent in service.sent:
        assert [text for name, text in sent.query if name == "state"] == ["open", "late"]


@GROUPS
@pytest.mark.parametrize("name", ["limit", "starting_after", "ending_before", "offset", "size"])
def test_parameters_that_select_the_page_are_refused(group: Any, name: str, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match=rf"selects the page; use the argument of list\(\) for {name}"):
        run(group, lambda client: client.accounts.list(params={name: "1"}), transport=Service())


@GROUPS
@looped(
    ("params", "message"),
    [
        (5, "params must be a mapping"),
        ("a=b", "params must be a mapping"),
        ([("a", "b")], "params must be a mapping"),
        ({"a": 1.5}, "a must be a string"),
        ({"a": b"x"}, "a must be a string"),
        ({"a": {"b": "c"}}, "a must be a string"),
        ({"a": ["x", ["y"]]}, "a must be a string"),
        ({"a": []}, "a contains no value"),  # without a value, the list would have no filter and return every item
        ({"a": ()}, "a contains no value"),
        ({"a": [None, None]}, "a contains no value"),
        ({"a": "x\r\ny"}, "a must not contain"),
        ({"a": "\ud800"}, "a must not contain"),
        ({"a": datetime(2026, 1, 1)}, "a must be a datetime with a time zone"),  # noqa: DTZ001
        ({5: "x"}, "name of a query parameter"),
        ({"": "x"}, "name of a query parameter"),
        ({"k" * 1025: 1.5}, "^the name of a query parameter must have 1 to 1024 characters$"),
        ({"k" * 1025: []}, "^the name of a query parameter must have 1 to 1024 characters$"),
        ({"a\nb": "x"}, "name of a query parameter"),
    ],
)
def test_the_error_about_a_wrong_parameter_names_it(group: Any, params: Any, message: str, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        run(group, lambda client: client.accounts.list(params=params), transport=Service())


@pytest.mark.parametrize(("resource", "argument"), [("accounts", "email"), ("entitlements", "account")])
def test_a_filter_is_not_sent_twice(resource: str, argument: str, run: Run) -> None:
    async def story(client: Any) -> None:
        for face in (client, client.with_raw_response, client.prepare):
            with pytest.raises(InvalidArgumentError, match=f"that an argument already sends: {argument}"):
                getattr(face, resource).list(**{argument: "x"}, params={argument: "x"})

    run("billing", story, transport=Service())


@GROUPS
def test_params_belong_to_the_checkpoint(group: Any, run: Run) -> None:
    client = run.client(group)
    checkpoint = client.accounts.list(params={"state": ["a", "b"]}).checkpoint
    client.accounts.list(params={"state": ["a", "b"]}, checkpoint=checkpoint)
    for other in (None, {}, {"state": "a"}, {"state": ["a", "c"]}, {"State": ["a", "b"]}):
        with pytest.raises(InvalidArgumentError, match="other filters"):
            client.accounts.list(params=other, checkpoint=checkpoint)


def test_a_parameter_is_not_taken_for_a_filter_of_that_field(run: Run) -> None:
    client = run.client("billing")
    checkpoint = client.accounts.list(email="x").checkpoint
    with pytest.raises(InvalidArgumentError, match="other filters"):
        client.accounts.list(params={"accounts_email": "x"}, checkpoint=checkpoint)


def list_methods() -> list[tuple[Any, str]]:
    """Return each list method of each resource, as the resource and the name of the method."""
    found = []
    for client in (
        BillingClient(base_url="https://b.test", api_user="u", api_key="k"),
        UserMgmtClient(base_url="https://u.test", session_id="s"),
        StorefrontClient(base_url="https://s.test", access_token="t"),
    ):
        names = [
            name for name in dir(client) if not name.startswith("_") and name not in ("prepare", "with_raw_response")
        ]
        for resource in [getattr(client, name) for name in names]:
            found += [(resource, name) for name, each in methods(type(resource)).items() if returns_a_list(each)]
    billing = BillingClient(base_url="https://b.test", api_user="u", api_key="k")
    return [*found, (billing.resource("chargebacks", Chargeback), "list")]


def returns_a_list(method: Any) -> bool:
    return get_origin(get_type_hints(method)["return"]) is Pager


def test_every_list_has_params() -> None:
    lists = list_methods()
    assert len(lists) >= 20
    for resource, name in lists:
        parameters = inspect.signature(getattr(type(resource), name)).parameters
        assert "params" in parameters, (type(resource).__name__, name)


@looped("name", ["starting_after", "ending_before"])
@looped("cursor", ["a\r\nX-Evil: 1", "a\0", "a\x7f", "a\u0085"])
def test_a_cursor_holds_no_control_character(name: str, cursor: str, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match=f"{name} must not contain control characters"):
        run("billing", lambda client: client.accounts.list(**{name: cursor}), transport=Service())
