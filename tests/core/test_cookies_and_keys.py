"""Cookies in addition to the session cookie of group C, and credentials of group A that aren't ASCII."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from kit.calls import AUTH, CREDENTIALS, GROUPS, SECRETS, Group, Run, Service, answer, array
from looped import looped
from subscribekit.errors import ConfigurationError, InvalidArgumentError

SESSION = SECRETS[3]


@looped("name", ["Cookie", "cookie", "COOKIE"])
@looped("cookies", ["other=1", "a=", "a=1; b=x-2_~!", "__Host-route=node.7"])
def test_a_cookie_joins_the_session_in_one_header(name: str, cookies: str, run: Run) -> None:
    service = Service(array(total=0), array(total=0))

    async def story(client: Any) -> None:
        with_cookies = client.with_options(headers={name: cookies, "X-Tenant": "7"})
        assert [each async for each in run.every(with_cookies.accounts.list())] == []
        assert [each async for each in run.every(client.accounts.list())] == []

    run("user_mgmt", story, transport=service)
    first, second = service.sent
    assert [value for key, value in first.headers.multi_items() if key == "cookie"] == [
        f"JSESSIONID={SESSION}; {cookies}"
    ]
    assert first.headers["X-Tenant"] == "7"
    assert second.headers["Cookie"] == f"JSESSIONID={SESSION}", "the original client must stay unchanged"


def test_the_last_headers_option_decides(run: Run) -> None:
    service = Service(*(array(total=0) for _ in range(3)))

    async def story(client: Any) -> None:
        one = client.with_options(headers={"Cookie": "a=1"})
        for each in (
            one.with_options(deadline=5),
            one.with_options(headers={"Cookie": "b=2"}),
            one.with_options(headers={}),
        ):
            await run.now(each.accounts.list().first())

    run("user_mgmt", story, transport=service)
    assert [sent.headers["Cookie"].partition("; ")[2] for sent in service.sent] == ["a=1", "b=2", ""]


def test_a_renewed_session_keeps_its_cookies(run: Run) -> None:
    sessions = iter(["old", "new"])
    service = Service(answer({"code": "authentication-required", "message": "no"}, 401), array(total=0))

    async def story(client: Any) -> None:
        await run.now(client.with_options(headers={"Cookie": "a=1"}).accounts.list().first())

    run("user_mgmt", story, base_url="https://users.test", session_id=lambda: next(sessions), transport=service)
    assert [sent.headers["Cookie"] for sent in service.sent] == ["JSESSIONID=old; a=1", "JSESSIONID=new; a=1"]


@pytest.mark.hazard("H94")
@looped(
    "cookies",
    [
        "JSESSIONID=x",
        "jsessionid=x",
        "a=1; JSessionId=x",
        "a=1; a=2",
        "a=1; A=2",
        "",
        "a",
        "=1",
        "a=1;b=2",
        "a=1;  b=2",
        "a=1; ",
        "a=1,2",
        'a="1"',
        "a=b\\c",
        "a b=1",
        "a=1 2",
    ],
)
def test_a_cookie_never_replaces_or_repeats_the_session(cookies: str, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="Cookie"):
        run(
            "user_mgmt",
            lambda client: client.with_options(headers={"Cookie": cookies}).accounts.list(),
            transport=service,
        )
    assert service.sent == []


@pytest.mark.parametrize("cookie", ["SID=x", "sid=x", "JSESSIONID=x"])
def test_a_session_cookie_of_another_name_is_protected_too(cookie: str, run: Run) -> None:
    client = run.client("user_mgmt", transport=Service(), cookie_name="SID")
    with pytest.raises(InvalidArgumentError, match="session"):
        client.with_options(headers={"Cookie": cookie})


@pytest.mark.parametrize("group", [group for group in GROUPS if group != "user_mgmt"])
def test_other_groups_have_no_cookies(group: Group, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="isn't allowed"):
        run.client(group, transport=Service()).with_options(headers={"Cookie": "a=1"})


def test_a_prepared_request_and_a_repr_show_no_cookie(run: Run) -> None:
    client = run.client("user_mgmt", transport=Service()).with_options(headers={"Cookie": "route=hidden-1"})
    request = client.prepare.accounts.list()
    assert request.headers["Cookie"] == "JSESSIONID=***; route=***"
    shown = repr(client) + repr(request) + repr(client._settings) + str(request)
    assert "hidden-1" not in shown


@pytest.mark.parametrize("headers", [{"X-A": "1", "x-a": "2"}, {"Cookie": "a=1", "cookie": "b=2"}])
def test_a_duplicate_header_is_refused(headers: dict[str, str], run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="duplicate extra header"):
        run.client("user_mgmt", transport=Service()).with_options(headers=headers)


@pytest.mark.parametrize("user", ["händler", "merchant"])
@pytest.mark.parametrize("key", ["schlüssel", "鍵-1", "kéy 1:2", "key"])
def test_a_key_is_encoded_as_utf_8(user: str, key: str, run: Run) -> None:
    service = Service(answer({"id": "a1"}))
    run(
        "billing",
        lambda client: client.accounts.retrieve("a1"),
        base_url="https://billing.test",
        api_user=user,
        api_key=key,
        transport=service,
    )
    scheme, _, value = service.only.headers["Authorization"].partition(" ")
    assert (scheme, base64.b64decode(value).decode()) == ("Basic", f"{user}:{key}")


@looped("argument", ["api_user", "api_key"])
@looped("bad", ["é\n", "é\x00", "é\x85", "\u2028é", "\u200eé", "é\ud800", " é", "é\u00a0", ""])
def test_a_key_has_no_control_characters(argument: str, bad: str, run: Run) -> None:
    with pytest.raises(ConfigurationError, match=argument) as caught:
        run.client("billing", base_url="https://billing.test", **{**CREDENTIALS["billing"], argument: bad})
    assert "é" not in str(caught.value)


@pytest.mark.parametrize("group", [group for group in GROUPS if group != "billing"])
def test_other_credentials_stay_ascii(group: Group, run: Run) -> None:
    (argument,) = CREDENTIALS[group]
    assert AUTH[group]
    with pytest.raises(ConfigurationError, match="ASCII"):
        run.client(group, base_url="https://other.test", **{argument: "schlüssel"})
