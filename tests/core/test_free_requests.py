"""`request`: calls that the SDK has no method for, with all its rules."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import httpx
import pytest

from core.kit import AUTH, GROUPS, URL, Group, Run, Service, answer
from subscribekit import RetryPolicy
from subscribekit.errors import InvalidResponseError, NotFoundError, OutcomeUnknownError, RequestError, ServerError
from subscribekit.models import Account, Campaign

BAD_PATHS = [
    "",
    "accounts",
    "//evil.test/x",
    "https://evil.test/x",
    "http://evil.test",
    "/",
    "/a/",
    "/a//b",
    "/a/../b",
    "/..",
    "/./a",
    "/a?b=1",
    "/a#b",
    "/a%2fb",
    "/a\\b",
    "/a\nb",
    "/\x00",
    "/\ud800",
    "/" + "x" * 1025,
]


@pytest.mark.parametrize("path", [*BAD_PATHS, None, 5, b"/a"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_path_is_plain_and_below_the_base_address(path: Any, method: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(RequestError, match="path"):
        run("billing", lambda client: client.request(method, path), transport=service)
    assert service.sent == []


@pytest.mark.parametrize("method", ["get", "PATCH", "HEAD", "", "GET ", None, 5])
def test_a_method_is_one_of_four(method: Any, run: Run) -> None:
    with pytest.raises(RequestError, match="method must be GET, POST, PUT or DELETE"):
        run("billing", lambda client: client.request(method, "/a"), transport=Service())


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE"])
def test_a_free_call_has_the_group_s_headers_and_credential(group: Group, method: Any, run: Run) -> None:
    service = Service(answer(b'{"amount": 19.90, "n": 1}'))
    result = run(
        group,
        lambda client: client.request(method, "/new thing/x:1", params={"all": True, "n": 0, "at": "a b", "no": None}),
        transport=service,
    )
    assert result == {"amount": Decimal("19.90"), "n": 1}
    assert str(result["amount"]) == "19.90"
    sent = service.only
    assert (sent.method, sent.url) == (method, f"{URL[group]}/new%20thing/x%3A1?all=1&n=0&at=a%20b")
    for name, value in AUTH[group].items():
        assert sent.headers[name] == value
    assert ("X-API-Version" in sent.headers) == (group == "billing")
    assert sent.body == b""


def test_a_body_may_be_a_model_a_mapping_or_a_list(run: Run) -> None:
    service = Service(*(answer({}) for _ in range(3)))

    async def story(client: Any) -> None:
        await run.now(client.request("POST", "/a", json=Account(id="a1", email=None)))
        await run.now(client.request("PUT", "/a", json={"x": [Decimal("1.10"), None, True, "ü"]}))
        await run.now(client.request("DELETE", "/a", json=[1]))

    run("billing", story, transport=service)
    assert [sent.body for sent in service.sent] == [
        b'{"id":"a1","email":null}',
        '{"x":[1.10,null,true,"ü"]}'.encode(),
        b"[1]",
    ]
    assert {sent.headers["Content-Type"] for sent in service.sent} == {"application/json"}


@pytest.mark.parametrize(
    "body",
    [
        {"a": 1.5},
        {"a": float("nan")},
        {"a": Decimal("NaN")},
        {"a": object()},
        {1: 2},
        {"a": {"b": {1}}},
        {"a": "\ud800"},
    ],
)
def test_what_json_cannot_carry_is_refused(body: Any, run: Run) -> None:
    with pytest.raises(RequestError, match="json cannot be sent"):
        run("billing", lambda client: client.request("POST", "/a", json=body), transport=Service())


@pytest.mark.parametrize("body", ["text", 5, b"x", True, datetime(2026, 1, 1, tzinfo=UTC)])
def test_a_body_of_another_kind_is_refused(body: Any, run: Run) -> None:
    with pytest.raises(RequestError, match="json must be a model, a mapping or a list"):
        run("billing", lambda client: client.request("POST", "/a", json=body), transport=Service())


def test_a_get_has_no_body(run: Run) -> None:
    with pytest.raises(RequestError, match="GET has no body"):
        run("billing", lambda client: client.request("GET", "/a", json={}), transport=Service())


@pytest.mark.parametrize("params", [{"a": 1.5}, {"a": ["x"]}, {"a": datetime(2026, 1, 1)}, {"a": "x\ny"}, {"a": ""}])  # noqa: DTZ001
def test_parameters_are_checked(params: Any, run: Run) -> None:
    with pytest.raises(RequestError, match="a must"):
        run("billing", lambda client: client.request("GET", "/a", params=params), transport=Service())


def test_a_result_may_be_a_model(run: Run) -> None:
    service = Service(answer({"object": "Campaign", "id": "c"}))
    result = run("billing", lambda client: client.request("GET", "/campaigns/c", result=Campaign), transport=service)
    assert (type(result), result.id) == (Campaign, "c")


@pytest.mark.parametrize("result", [list, str, int, object, None, "Campaign", dict[str, str]])
def test_a_result_is_a_model_class_or_dict(result: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(RequestError, match="result must be a model class or dict"):
        run("billing", lambda client: client.request("GET", "/a", result=result), transport=service)
    assert service.sent == []


def test_answers_are_judged_as_ever(run: Run) -> None:
    service = Service(
        answer({"object": "Error", "message": "no such thing"}, 404),
        answer({"object": "Error", "message": "odd"}, 200),
        answer([1]),
        answer(),
    )

    async def story(client: Any) -> None:
        with pytest.raises(NotFoundError) as missing:
            await run.now(client.request("GET", "/a/b1"))
        assert missing.value.operation == "request"
        with pytest.raises(Exception, match="odd"):
            await run.now(client.request("GET", "/a"))
        with pytest.raises(InvalidResponseError):
            await run.now(client.request("GET", "/a"))
        assert await run.now(client.request("DELETE", "/a")) == {}

    run("billing", story, transport=service)


def test_identifiers_stay_out_of_the_error_s_template(run: Run) -> None:
    service = Service(answer({}, 404))
    with pytest.raises(NotFoundError) as caught:
        run("billing", lambda client: client.request("GET", "/accounts/ann@example.com/v1"), transport=service)
    assert "ann@example.com" not in str(caught.value)
    assert "GET /accounts/{…}/v1" in str(caught.value)


def test_a_get_is_repeated_and_a_post_is_not(run: Run) -> None:
    service = Service(httpx.ReadTimeout("x"), answer({"ok": 1}), httpx.ReadTimeout("x"))

    async def story(client: Any) -> None:
        assert await run.now(client.request("GET", "/a")) == {"ok": 1}
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(client.request("POST", "/orders/o1", json={}))
        assert caught.value.attempts == 1
        assert caught.value.path_template == "/orders/{…}"
        assert caught.value.reconcile_key == "o1"
        assert "charge" not in str(caught.value), "nothing is known about the call, so the text must not say so"
        assert "transaction_id" not in str(caught.value)

    run("billing", story, transport=service)


def test_a_put_and_a_delete_are_repeated_as_those_of_the_sdk(run: Run) -> None:
    service = Service(answer({}, 502), answer({}), answer({}, 502), answer({}))

    async def story(client: Any) -> None:
        await run.now(client.request("PUT", "/a/b", json={}))
        await run.now(client.request("DELETE", "/a/b"))

    run("billing", story, transport=service)


def test_a_post_is_repeated_when_the_caller_says_so(run: Run) -> None:
    service = Service(answer({}, 502), answer({"ok": 1}))

    async def story(client: Any) -> None:
        bold = client.with_options(retry=RetryPolicy(retry_unknown=True))
        assert await run.now(bold.request("POST", "/a", json={})) == {"ok": 1}

    run("billing", story, transport=service)


def test_a_read_that_fails_for_good_raises_its_last_error(run: Run) -> None:
    service = Service(*(answer({}, 500) for _ in range(3)))
    with pytest.raises(ServerError) as caught:
        run("billing", lambda client: client.request("GET", "/a"), transport=service)
    assert (caught.value.attempts, caught.value.outcome) == (3, "rejected")
