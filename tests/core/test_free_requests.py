"""`request` makes calls for which the SDK has no method. They follow the same rules as all other calls."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from billing.cases import Case
from billing.tables import ALL
from kit.calls import AUTH, GROUPS, URL, Group, Run, Service, answer
from looped import looped
from subscribekit import RetryPolicy
from subscribekit._core.config.address import Address
from subscribekit._core.http.backends.library import Library
from subscribekit._core.http.progress import Progress
from subscribekit._core.http.transport import RawRequest
from subscribekit._core.operations.generic import free_operation
from subscribekit._core.operations.operation import Safety
from subscribekit._sealed import NOTHING, SealedHeaders
from subscribekit.errors import (
    InvalidArgumentError,
    InvalidResponseError,
    NotFoundError,
    OutcomeUnknownError,
    RateLimitError,
    ServerError,
)
from subscribekit.models import Account, Campaign, EntitlementCharge, EntitlementChargeReceipt, Payment

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


@looped("path", [*BAD_PATHS, None, 5, b"/a"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_path_is_plain_and_below_the_base_url(path: Any, method: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="path"):
        run("billing", lambda client: client.request(method, path), transport=service)
    assert service.sent == []


@pytest.mark.parametrize("method", ["get", "PATCH", "HEAD", "", "GET ", None, 5])
def test_a_method_is_one_of_four(method: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="method must be GET, POST, PUT, or DELETE"):
        run("billing", lambda client: client.request(method, "/a"), transport=Service())


@pytest.mark.parametrize("group", GROUPS)
@looped("method", ["GET", "POST", "PUT", "DELETE"])
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
def test_values_that_json_cannot_represent_are_refused(body: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="json can't be sent"):
        run("billing", lambda client: client.request("POST", "/a", json=body), transport=Service())


@pytest.mark.parametrize("body", ["text", 5, b"x", True, datetime(2026, 1, 1, tzinfo=UTC)])
def test_a_body_of_another_kind_is_refused(body: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="json must be a model, a mapping, or a list"):
        run("billing", lambda client: client.request("POST", "/a", json=body), transport=Service())


def test_a_get_has_no_body(run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="GET, which has no body"):
        run("billing", lambda client: client.request("GET", "/a", json={}), transport=Service())


@looped(
    "params",
    [
        {"a": 1.5},
        {"a": datetime(2026, 1, 1)},  # noqa: DTZ001  a datetime without a time zone must be refused
        {"a": "x\ny"},
        {"a": "x\x85y"},
        {"a": "x" * 1025},
        {"a": 10**1024},
        {"a": b"x"},
        {"a": []},
        {"a": ()},
        {"a": ["x", None]},
        {"a": [["x"]]},
        {"a": {"b": 1}},
    ],
)
def test_parameters_are_checked(params: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="a must"):
        run("billing", lambda client: client.request("GET", "/a", params=params), transport=Service())


def test_a_result_may_be_a_model(run: Run) -> None:
    service = Service(answer({"object": "Campaign", "id": "c"}))
    result = run("billing", lambda client: client.request("GET", "/campaigns/c", result=Campaign), transport=service)
    assert (type(result), result.id) == (Campaign, "c")


@pytest.mark.parametrize("params", [5, "a=b", [("a", "b")], b"a", True])
def test_parameters_are_a_mapping(params: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="params must be a mapping"):
        run("billing", lambda client: client.request("GET", "/a", params=params), transport=service)
    assert service.sent == []


def test_parameters_may_be_empty_and_repeated(run: Run) -> None:
    service = Service(answer({}))
    params = {"b": ["x y", "z", "x y"], "a": "", "n": (1, True), "at": [datetime(2026, 1, 1, tzinfo=UTC)], "no": None}
    run("billing", lambda client: client.request("GET", "/a", params=params), transport=service)
    assert service.only.url.partition("?")[2] == "b=x%20y&b=z&b=x%20y&a=&n=1&n=1&at=2026-01-01T00%3A00%3A00%2B00%3A00"


@pytest.mark.parametrize("params", [{"filter": ""}, {"filter": " "}, {"a": "x", "b": ["y", ""]}])
def test_a_delete_has_no_empty_parameter(params: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="could delete everything"):
        run("user_mgmt", lambda client: client.request("DELETE", "/a", params=params), transport=service)
    assert service.sent == []


def test_a_patch_is_refused_with_a_reason(run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="update with POST or PUT"):
        run("billing", lambda client: client.request("PATCH", "/a"), transport=Service())


def test_a_result_may_be_an_array(run: Run) -> None:
    service = Service(answer(b'[{"n": 1.50}, 2, "x"]'), answer(b"[]"))

    async def story(client: Any) -> None:
        items = await run.now(client.request("GET", "/a", result=list))
        assert items == [{"n": Decimal("1.50")}, 2, "x"]
        raw = await run.now(client.with_raw_response.request("GET", "/a", result=list))
        assert (raw.data, raw.status_code) == ([], 200)
        assert client.prepare.request("GET", "/a", result=list).url == "https://billing.test/rest/a"

    run("billing", story, transport=service)


@pytest.mark.parametrize("body", [{"object": "List", "data": []}, "text", None, b""])
def test_a_response_that_is_not_an_array_is_an_error(body: Any, run: Run) -> None:
    service = Service(answer(body), answer(body))  # a read with an empty response is retried once
    with pytest.raises(InvalidResponseError):
        run("billing", lambda client: client.request("GET", "/a", result=list), transport=service)


def test_an_error_body_is_an_error_even_if_an_array_is_expected(run: Run) -> None:
    service = Service(answer({"object": "Error", "message": "odd"}))
    with pytest.raises(Exception, match="odd"):
        run("billing", lambda client: client.request("GET", "/a", result=list), transport=service)


@pytest.mark.parametrize(
    "body",
    [{"a": "x" * 1025}, {"x" * 1025: 1}, ["x" * 1025], {"a": [{"b": {"c": "x" * 1025}}]}],
    ids=["value", "key", "array", "deep"],
)
def test_texts_of_a_free_body_have_the_limit_of_the_billing_api(body: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="1,024") as caught:
        run("billing", lambda client: client.request("POST", "/a", json=body), transport=service)
    assert "xxx" not in str(caught.value)
    assert service.sent == []
    service = Service(answer({}), answer({}))
    run("billing", lambda client: client.request("POST", "/a", json={"x" * 1024: "x" * 1024}), transport=service)
    run("gateway", lambda client: client.request("POST", "/a", json=body), transport=service)


@looped("result", [tuple, str, int, object, None, "Campaign", dict[str, str], list[str], bool])
def test_a_result_is_a_model_class_dict_or_list(result: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="result must be a model class, dict, or list"):
        run("billing", lambda client: client.request("GET", "/a", result=result), transport=service)
    assert service.sent == []


def test_responses_are_classified_as_for_other_calls(run: Run) -> None:
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


def test_a_get_is_retried_and_a_post_is_not(run: Run) -> None:
    service = Service(httpx.ReadTimeout("x"), answer({"ok": 1}), httpx.ReadTimeout("x"))

    async def story(client: Any) -> None:
        assert await run.now(client.request("GET", "/a")) == {"ok": 1}
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(client.request("POST", "/orders/o1", json={}))
        assert caught.value.attempts == 1
        assert caught.value.path_template == "/orders/{…}"
        assert caught.value.reconcile_key == "o1"
        assert "charge" not in str(caught.value), (
            "the SDK doesn't know what the call does, so the text must not call it a charge"
        )
        assert "transaction_id" not in str(caught.value)

    run("billing", story, transport=service)


def test_a_put_and_a_delete_are_retried_like_those_of_the_sdk_s_methods(run: Run) -> None:
    service = Service(answer({}, 502), answer({}), answer({}, 502), answer({}))

    async def story(client: Any) -> None:
        await run.now(client.request("PUT", "/a/b", json={}))
        await run.now(client.request("DELETE", "/a/b"))

    run("billing", story, transport=service)


BOLD = RetryPolicy(retry_unknown=True)


@pytest.mark.parametrize("group", GROUPS)
def test_a_post_is_money_and_never_sent_twice(group: Group, run: Run) -> None:
    service = Service(httpx.ReadTimeout("x"), answer({}, 429, retry_after="0"), answer({}, 503), answer({}, 502))

    async def story(client: Any) -> None:
        client = client.with_options(retry=BOLD)
        for expected in (OutcomeUnknownError, RateLimitError, OutcomeUnknownError, OutcomeUnknownError):
            with pytest.raises(expected) as caught:
                await run.now(client.request("POST", "/transactions", json={"id": "t1"}))
            assert caught.value.attempts == 1
            if expected is OutcomeUnknownError:
                assert caught.value.reconcile_key == "t1"

    run(group, story, transport=service)


def test_a_delete_that_selects_is_not_retried(run: Run) -> None:
    calls: list[Any] = [
        lambda client: client.request("DELETE", "/customData/v1/user/u1/notes", params={"filter": "age ge 4"}),
        lambda client: client.request("DELETE", "/customData/v1/user/u1/notes"),
        lambda client: client.request("DELETE", "/a", params={"older": 5}),
        lambda client: client.request("DELETE", "/a", json={"ids": [1]}),
    ]
    service = Service(*(httpx.ReadTimeout("x") for _ in calls))
    for call in calls:
        with pytest.raises(OutcomeUnknownError) as caught:
            run("user_mgmt", call, transport=service)
        assert caught.value.attempts == 1
    assert len(service.sent) == len(calls)


def test_the_reconcile_key_of_a_free_call_is_an_id_of_the_body_or_the_path(run: Run) -> None:
    charge = EntitlementCharge(
        transaction_id="tx-2", amount=Decimal("-1.00"), currency="USD", original_transaction_id="tx-1"
    )
    written = {"transactionId": "tx-2", "originalTransactionId": "tx-1"}
    keys: list[tuple[Any, str, str | None]] = [
        (lambda c: c.request("POST", "/v2/entitlement/ps1/charge", json=charge), "tx-2", "tx-1"),
        (lambda c: c.request("POST", "/v1/entitlement/ps1/charge", json=written), "tx-2", "tx-1"),
        (lambda c: c.request("POST", "/v1/entitlement/ps-1/charge"), "ps-1", None),
        (lambda c: c.request("POST", "/payments", json={"id": "pay-1"}), "pay-1", None),
        (lambda c: c.request("POST", "/payments", json=Payment(id="pay-1")), "pay-1", None),
        (lambda c: c.request("POST", "/transactions/t-1/actions/capture"), "t-1", None),
        (lambda c: c.request("DELETE", "/customData/v1/user/u1/notes", params={"f": "x"}), "u1/notes", None),
        (lambda c: c.request("DELETE", "/CustomData/v1/user/u1/notes"), "u1/notes", None),
        (lambda c: c.request("DELETE", "/customData;v=1/v1/user/u1/notes"), "u1/notes", None),
        (lambda c: c.request("POST", "/orders", json=[1]), "orders", None),
    ]
    for call, key, original in keys:
        with pytest.raises(OutcomeUnknownError) as caught:
            run("gateway", call, transport=Service(httpx.ReadTimeout("x")))
        assert (caught.value.reconcile_key, caught.value.original_transaction_id) == (key, original)


CHARGES = (
    "/v1/entitlement/ps1/charge",
    "/v2/entitlement/ps1/charge",
    "/entitlement/ps1/charge",
    "/gateway/v1/entitlement/ps1/charge",
    "/v1/Entitlement/ps1/CHARGE",
    "/v1/entitlement;a=1/ps1/charge;b",
    "/v1/entitlement/ps1/charge/now",
)


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
@looped("path", CHARGES)
def test_a_charge_is_a_charge_however_its_path_is_written(path: str, method: Any, run: Run) -> None:
    service = Service(answer({"accepted": True}))

    async def story(client: Any) -> None:
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(client.with_options(retry=BOLD).request(method, path, json={"transactionId": "t1"}))
        assert caught.value.likely_applied, "a receipt must have its reference"
        service.answers.append(httpx.ReadTimeout("x"))
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(client.with_options(retry=BOLD).request(method, path, json={"transactionId": "t1"}))
        assert caught.value.attempts == 1

    run("gateway", story, transport=service)


@pytest.mark.parametrize("result", [list, Campaign])
def test_a_charge_whose_result_has_no_reference_is_not_sent(result: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(InvalidArgumentError, match="transactionReferenceId"):
        run("gateway", lambda client: client.request("POST", CHARGES[1], result=result), transport=service)
    assert service.sent == []
    service = Service(answer({"transactionReferenceId": "r-1"}))
    receipt = run(
        "gateway",
        lambda client: client.request("POST", CHARGES[1], result=EntitlementChargeReceipt),
        transport=service,
    )
    assert receipt.transaction_reference_id == "r-1"


# The order of the safety classes, from calls that can be repeated to calls that must never be repeated.
STRICTNESS = {
    Safety.READ: 0,
    Safety.PUT: 1,
    Safety.DELETE: 1,
    Safety.WRITE: 2,
    Safety.DELETE_MATCHING: 2,
    Safety.MONEY: 3,
}


@pytest.mark.hazard("H93")
@looped("case", ALL)
@pytest.mark.parametrize(
    "spelling", ["{}", "/rest{}", "{}/more", "{}/v9", "/v7/x-1{}", "{};a=1"], ids=lambda spelling: spelling
)
def test_a_free_call_is_at_least_as_strict_as_the_method_of_its_path(case: Case, spelling: str) -> None:
    method = case.described()[1]
    path = spelling.format(unquote(case.path))
    for params in (dict(case.query) or None, None):
        free = free_operation(method.method, path, dict, params, None)
        assert STRICTNESS[free.safety] >= STRICTNESS[method.safety]
        if method.safety is Safety.MONEY:
            assert free.safety is Safety.MONEY
    for other in (path.upper(), path.replace("/v1/", "/v2/"), path.replace("/v85/", "/v86/")):
        free = free_operation(method.method, other, dict, dict(case.query) or None, None)
        assert STRICTNESS[free.safety] >= STRICTNESS[method.safety]


def test_a_read_that_fails_for_good_raises_its_last_error(run: Run) -> None:
    service = Service(*(answer({}, 500) for _ in range(3)))
    with pytest.raises(ServerError) as caught:
        run("billing", lambda client: client.request("GET", "/a"), transport=service)
    assert (caught.value.attempts, caught.value.outcome) == (3, "rejected")


def test_a_query_that_httpx_cannot_carry_is_refused_before_it_is_sent(run: Run) -> None:
    service = Service()
    params = {f"name{number}": "x" * 1000 for number in range(70)}
    with pytest.raises(InvalidArgumentError, match=r"the path and query are too long; .* 65536 characters") as caught:
        run("billing", lambda client: client.request("GET", "/accounts", result=dict, params=params), transport=service)
    assert (caught.value.outcome, service.sent) == ("not_sent", [])


@pytest.mark.parametrize("library", ["httpx", "httpx2"])
def test_a_library_that_would_change_the_path_is_refused(library: str) -> None:
    """A library that folds segments would bypass the checks of arguments, and the path would name another resource."""
    address = Address("https", "b.test", None, "")
    request = RawRequest(
        "POST", address, "/accounts/../payments", SealedHeaders([]), [], NOTHING, {}, Progress(), None, None
    )
    with pytest.raises(InvalidArgumentError, match="would change the path"):
        Library(library).request(request, None)
