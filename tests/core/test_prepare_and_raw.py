"""`prepare` returns the exact request and sends nothing. `with_raw_response` adds the known facts about the call."""

from __future__ import annotations

import re
from typing import Any

import httpx
import pytest

from core.operation_cases import CASES, Case
from core.test_credentials import HIDDEN
from kit.calls import CREDENTIALS, GROUPS, SECRETS, URL, Group, Run, Service, answer, array, page
from looped import looped
from subscribekit import PreparedRequest, Response, TraceContext, WireNames
from subscribekit.errors import ConfigurationError, InvalidArgumentError, NotFoundError
from subscribekit.models import Account, Payment

SPAN = TraceContext("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")


@looped("case", CASES.values())
def test_a_prepared_request_is_the_request_that_would_be_sent(case: Case, run: Run) -> None:
    service = Service(
        httpx.Response(
            case.status, headers={"Content-Type": "application/json", **case.answer_headers}, content=case.answer
        )
    )
    requests: list[Any] = []

    async def story(client: Any) -> None:
        requests.append(case.use(client.prepare))
        assert service.sent == []
        await run.finish(case.use(client))

    run(case.group, story, transport=service, trace=SPAN, **case.options)
    (request,) = requests
    assert isinstance(request, PreparedRequest)
    sent = service.only
    assert (request.method, request.url, request.body or b"") == (sent.method, sent.url, sent.body)
    assert list(request.headers) == [name.lower() for name in sent.header_names]
    for name, value in sent.headers.items():
        if name in ("authorization", "cookie", "x-api-key"):
            assert request.headers[name] in ("Basic ***", "Bearer ***", "JSESSIONID=***", "***")
        elif name != "x-b3-spanid":
            assert request.headers[name] == value
    assert re.fullmatch(r"\w+\.\w+", request.operation)
    assert request.path_template.startswith("/")


@looped("case", CASES.values())
def test_a_prepared_request_shows_no_secret_and_its_text_shows_no_value(case: Case) -> None:
    request = case.use(Run("blocking").client(case.group, **case.options).prepare)
    everything = f"{request.headers!r}{dict(request.headers)}{request.url}{request.body!r}"
    assert not any(hidden in everything for hidden in HIDDEN)
    for printed in (str(request), repr(request), f"{request}"):
        assert request.method in printed
        for private in (
            "pay-1",
            "ann%2B",
            "sub-1",
            "ps-1",
            "19.90",
            "t-1",
            "ACME",
            "bookmarks",
            "acc%20",
            "acc 1",
            *HIDDEN,
        ):
            assert private not in printed, printed


def test_prepare_refuses_the_same_arguments_as_the_call(run: Run) -> None:
    prepare = run.client("billing").prepare
    with pytest.raises(InvalidArgumentError, match="payment"):
        prepare.payments.reverse("..")
    with pytest.raises(ConfigurationError, match="accounts_direct_debit_account"):
        prepare.accounts.list(direct_debit_account="DE02")
    with pytest.raises(ConfigurationError, match="api_key"):
        run.client("gateway", base_url=URL["gateway"]).prepare.subscriptions.retrieve("s")
    with pytest.raises(ConfigurationError, match="custom_data_filter_param"):
        run.client("user_mgmt").prepare.custom_data.delete("me", "a", filter="x")


def test_the_first_page_of_a_list_is_prepared(run: Run) -> None:
    request = run.client("billing").prepare.accounts.list(limit=5, ending_before="a9", email="x@y.z")
    assert request.url == f"{URL['billing']}/accounts?email=x%40y.z&limit=5&ending_before=a9"
    assert (request.operation, request.method, request.body, request.path_template) == (
        "accounts.list",
        "GET",
        None,
        "/accounts",
    )
    request = run.client("user_mgmt").prepare.accounts.list(offset=7, size=3)
    assert request.url == f"{URL['user_mgmt']}/platform/rest/v85/user/accounts?offset=7&size=3"
    request = run.client("user_mgmt").prepare.entities.list("/user/{userId}/groups", user_id="u 1")
    assert request.url.endswith("/platform/rest/v85/user/u%201/groups?offset=0")
    assert "u 1" not in request.path_template


def test_a_prepared_request_uses_the_settings_of_the_client(run: Run) -> None:
    client = run.client("billing", compress_requests=True, api_version=None)
    request = client.with_options(headers={"X-Tenant": "7"}, trace="off").prepare.payments.reverse("p")
    assert request.headers["x-tenant"] == "7"
    assert not {"x-api-version", "x-b3-traceid", "x-b3-spanid"} & set(request.headers)


# Raw responses


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(
    ("headers", "lifecycle_id"),
    [
        ({"X_B3_TraceId": "5" * 32}, "5" * 32),
        ({"X_B3_TraceId": "5" * 32, "Request_Id": "r-1"}, "5" * 32),
        ({"Request_Id": "r-1"}, "r-1"),
        ({}, None),
    ],
    ids=str,
)
def test_only_the_account_lifecycle_api_uses_the_trace_id_of_a_response_as_its_request_id(
    group: Group, headers: dict[str, str], lifecycle_id: str | None, run: Run
) -> None:
    """H229: In the other APIs, this header may only repeat the trace ID of the request."""
    expected = lifecycle_id if group == "user_mgmt" else headers.get("Request_Id")
    good, bad = Service(answer({}, **headers)), Service(answer({}, 404, **headers))

    def read(client: Any) -> Any:
        return client.with_raw_response.request("GET", "/x")

    assert run(group, read, transport=good).request_id == expected
    with pytest.raises(NotFoundError) as caught:
        run(group, read, transport=bad)
    assert caught.value.request_id == expected
    assert (expected is not None) == ("request id" in str(caught.value))


def test_a_raw_response_has_all_known_facts_about_the_call(run: Run) -> None:
    service = Service()

    def slow(_: Any) -> httpx.Response:
        service.time.seconds += 2
        return answer({"object": "Campaign", "id": "c"}, 202, Request_Id="r-7", X_Odd="1", Set_Cookie="JSESSIONID=evil")

    service.answers = [httpx.ConnectError("refused"), slow]
    response = run("gateway", lambda client: client.with_raw_response.campaigns.activate("c"), transport=service)
    assert isinstance(response, Response)
    assert response.data.object == "Campaign"
    assert (response.status_code, response.request_id, response.attempts) == (202, "r-7", 2)
    assert response.elapsed == 2.5  # including half a second of backoff
    assert response.trace_id == service.sent[-1].headers["X-B3-TraceId"]
    assert response.headers["X-ODD"] == response.headers["x-odd"] == "1"
    assert "set-cookie" not in response.headers
    assert "Missing" not in response.headers
    assert response.headers.get("missing") is None
    with pytest.raises(TypeError):
        response.headers["x"] = "y"


@looped("case", CASES.values())
def test_every_operation_has_a_raw_form(case: Case, run: Run) -> None:
    headers = {"Content-Type": "application/json", "Request-Id": "r-1", **case.answer_headers}
    service = Service(httpx.Response(case.status, headers=headers, content=case.answer))
    result = run(case.group, lambda client: case.use(client.with_raw_response), transport=service, **case.options)
    responses = result if isinstance(result, list) else [result]
    assert [(each.status_code, each.request_id, each.attempts) for each in responses] == [(case.status, "r-1", 1)]
    data = result[0].data.data if isinstance(result, list) else result.data
    assert case.shown(data) == case.result


def test_without_a_trace_there_is_no_trace_id(run: Run) -> None:
    service = Service(answer({"object": "Payment"}))
    response = run(
        "billing", lambda client: client.with_raw_response.payments.reverse("p"), transport=service, trace="off"
    )
    assert response.trace_id is None
    assert response.request_id is None
    assert isinstance(response.data, Payment)


def test_a_raw_call_raises_the_same_error_as_the_plain_call(run: Run) -> None:
    service = Service(answer({"object": "Error", "message": "gone"}, 404, Request_Id="r-2"))
    with pytest.raises(NotFoundError, match="gone") as caught:
        run("billing", lambda client: client.with_raw_response.payments.reverse("p"), transport=service)
    assert caught.value.request_id == "r-2"


def test_raw_lists_return_pages(run: Run) -> None:
    service = Service(
        page("a1", "a2", next_link="/accounts?starting_after=a2", total_count=3, url="/accounts"),
        page("a3", total_count=3),
    )
    responses = run("billing", lambda client: client.with_raw_response.accounts.list(), transport=service)
    assert [[account.id for account in response.data.data] for response in responses] == [["a1", "a2"], ["a3"]]
    assert {type(account) for response in responses for account in response.data.data} == {Account}
    assert responses[0].data.total_count == 3
    assert responses[0].data.next == "/accounts?starting_after=a2"
    assert responses[1].data.next is None
    assert [response.status_code for response in responses] == [200, 200]


def test_first_returns_the_first_raw_page(run: Run) -> None:
    service = Service(array(1, 2, total=9))

    async def story(client: Any) -> None:
        response = await run.now(client.with_raw_response.accounts.list(size=2).first())
        assert [each.id for each in response.data.data] == [1, 2]
        assert response.data.total_count == 9
        assert response.headers["x-total-count"] == "9"

    run("user_mgmt", story, transport=service)


def test_printing_a_raw_response_shows_no_credential(run: Run) -> None:
    service = Service(answer({"object": "Subscription", "id": "s"}, Set_Cookie=f"JSESSIONID={SECRETS[3]}"))
    response = run("gateway", lambda client: client.with_raw_response.subscriptions.retrieve("s"), transport=service)
    assert not any(hidden in repr(response) for hidden in (*HIDDEN, *CREDENTIALS["gateway"].values()))


def test_an_unset_wire_name_is_refused_in_the_raw_form_too(run: Run) -> None:
    async def story(client: Any) -> None:
        with pytest.raises(ConfigurationError, match="event_summaries_product"):
            await run.finish(client.with_raw_response.event_summaries.list(product="p"))

    run("billing", story, transport=Service(), wire_names=WireNames())


def test_a_custom_request_can_be_prepared_and_sent_raw_too(run: Run) -> None:
    service = Service(answer({"object": "Account", "id": "a1"}, 201, Request_Id="r1"), answer({"x": 1}))

    async def story(client: Any) -> None:
        request = client.prepare.request("POST", "/accounts", json=Account(id="a1"), params={"all": True})
        assert (request.method, request.url, request.body) == (
            "POST",
            f"{URL['billing']}/accounts?all=1",
            b'{"id":"a1"}',
        )
        assert service.sent == []
        raw = client.with_raw_response
        found = await run.finish(raw.request("POST", "/accounts", json=Account(id="a1"), result=Account))
        assert isinstance(found, Response)
        assert (found.data.id, found.status_code, found.request_id) == ("a1", 201, "r1")
        assert (await run.finish(raw.request("GET", "/x"))).data == {"x": 1}

    run("billing", story, transport=service)
