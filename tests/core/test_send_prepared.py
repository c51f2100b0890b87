"""A prepared request is sent unchanged, byte for byte, and returns the result of its call (H201)."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import httpx
import pytest

from core.operation_cases import CASES, Case
from kit.calls import Run, Service, answer, array, page
from looped import looped
from subscribekit import Environment, Page, PreparedRequest, TraceContext, __version__
from subscribekit.errors import (
    ClientClosedError,
    ConfigurationError,
    InvalidArgumentError,
    InvalidResponseError,
    NotFoundError,
    OutcomeUnknownError,
)
from subscribekit.models import Account, EntitlementCharge, EntitlementChargeReceipt, Subscription

CREDENTIAL_NAMES = ("authorization", "cookie", "x-api-key")


def answered(case: Case) -> httpx.Response:
    headers = {"Content-Type": "application/json", **case.answer_headers}
    return httpx.Response(case.status, headers=headers, content=case.answer)


@looped("case", CASES.values())
def test_a_prepared_request_is_sent_byte_for_byte_and_returns_the_result_of_its_call(case: Case, run: Run) -> None:
    service = Service(answered(case), answered(case))

    async def story(client: Any) -> tuple[Any, Any, Any]:
        request = case.use(client.prepare)
        unpickled = pickle.loads(pickle.dumps(request))
        assert unpickled == request
        result = await run.now(client.send(unpickled))
        return request, result, await run.finish(case.use(client))

    request, result, called = run(case.group, story, transport=service, **case.options)
    sent = service.sent[0]
    assert (request.method, request.url, request.body or b"") == (sent.method, sent.url, sent.body)
    assert list(request.headers) == [name.lower() for name in sent.header_names]
    for name, value in sent.headers.items():
        if name in CREDENTIAL_NAMES:
            assert value == service.sent[1].headers[name]
        elif name != "x-b3-spanid":
            assert request.headers[name] == value
    assert (result.data if isinstance(result, Page) else result) == called


def test_a_page_of_a_list_is_read_as_models(run: Run) -> None:
    service = Service(page("a1", "a2", total_count=7, next_link="/rest/accounts?starting_after=a2"))

    async def story(client: Any) -> Any:
        return await run.now(client.send(client.prepare.accounts.list(limit=2)))

    found = run("billing", story, transport=service)
    assert [account.id for account in found.data] == ["a1", "a2"]
    assert isinstance(found.data[0], Account)
    assert found.total_count == 7
    service = Service(array(1, 2, total=5))

    async def offsets(client: Any) -> Any:
        return await run.now(client.send(client.prepare.accounts.list(size=2)))

    assert run("user_mgmt", offsets, transport=service).total_count == 5


def test_a_page_of_another_list_is_refused(run: Run) -> None:
    service = Service(page({"object": "EventSummary", "id": "e1", "account": {"id": "a2", "vid": "v2"}}))

    async def story(client: Any) -> Any:
        return await run.now(client.send(client.prepare.event_summaries.list(account="a1")))

    with pytest.raises(InvalidResponseError, match="a different account"):
        run("billing", story, transport=service)


def test_a_prepared_request_of_another_api_or_origin_is_refused_and_nothing_is_sent(run: Run) -> None:
    service = Service()
    others = [
        run.client("gateway", transport=service).prepare.subscriptions.retrieve("s1"),
        run.client(
            "billing", transport=service, base_url="https://elsewhere.test/rest", api_user="u", api_key="k"
        ).prepare.accounts.retrieve("a1"),
        PreparedRequest("payments.reverse", "POST", "https://billing.test/rest/x", {}, None, "/x"),
        None,
        run.client("billing", transport=service).accounts,
    ]
    for other, message in zip(
        others, ("by GatewayClient", "elsewhere", "by hand", "NoneType", "Accounts"), strict=True
    ):

        async def story(client: Any, other: Any = other) -> Any:
            return await run.now(client.send(other))

        with pytest.raises(InvalidArgumentError, match=message) as caught:
            run("billing", story, transport=service)
        assert caught.value.outcome == "not_sent"
    assert service.sent == []


@pytest.mark.parametrize(
    "change",
    [
        {"body": b"{}"},
        {"body": None},
        {"url": "https://billing.test/rest/accounts/other"},
        {"method": "PUT"},
        {"path_template": "/other"},
        {"headers": {}},
        {"operation": "accounts.create"},  # `resolve` selects its reads by this name
    ],
)
def test_a_prepared_request_that_was_changed_is_refused_and_nothing_is_sent(run: Run, change: dict[str, Any]) -> None:
    """The SDK sends only the request that the object shows, never the request that it was copied from."""
    service = Service()

    async def story(client: Any) -> Any:
        request = client.prepare.accounts.update("a1", Account(name="Ann"))
        return await run.now(client.send(replace(request, **change)))

    async def further(client: Any) -> Any:
        request = client.prepare.accounts.update("a1", Account(name="Ann"))
        return await run.now(client.send(replace(request, headers={**request.headers, "X-Tenant": "7"})))

    with pytest.raises(InvalidArgumentError, match="modified"):
        run("billing", further, transport=service)
    with pytest.raises(InvalidArgumentError, match="modified"):
        run("billing", story, transport=service)
    assert service.sent == []


def test_a_sent_request_keeps_the_rules_of_its_call(run: Run) -> None:
    """A write can have an unknown outcome, a read is retried, and a closed client refuses the request."""
    service = Service(answer({"code": "server-error", "message": "no"}, status=500), answer(status=404), page())

    async def story(client: Any) -> None:
        request = client.prepare.payments.reverse("p1")
        with pytest.raises(OutcomeUnknownError) as unknown:
            await run.now(client.send(request))
        assert (unknown.value.operation, unknown.value.reconcile_key) == ("payments.reverse", "p1")
        with pytest.raises(NotFoundError):
            await run.now(client.send(client.prepare.accounts.retrieve("a1")))
        service.answers[:] = [httpx.ConnectError("no"), answer({"object": "Account", "id": "a1"})]
        assert (await run.now(client.send(client.prepare.accounts.retrieve("a1")))).id == "a1"
        await run.close(client)
        with pytest.raises(ClientClosedError):
            await run.now(client.send(request))

    run("billing", story, transport=service)


def test_a_prepared_request_that_needs_a_key_is_not_sent_without_one(run: Run) -> None:
    charge = EntitlementCharge(transaction_id="t1", amount=Decimal("4.90"), currency="USD")
    request = run.client("gateway", transport=Service()).prepare.entitlements.charge("ps1", charge)

    async def story(client: Any) -> Any:
        return await run.now(client.send(request))

    with pytest.raises(ConfigurationError, match="API key"):
        run("gateway", story, transport=Service(), base_url="https://gateway.test")


def test_a_prepared_request_has_one_trace_and_a_new_span_each_time_it_is_sent(run: Run) -> None:
    service = Service(*[answer({"object": "Subscription", "id": "s1"}) for _ in range(2)])

    async def story(client: Any) -> Any:
        request = client.prepare.subscriptions.retrieve("s1")
        return request, [await run.now(client.send(request)) for _ in range(2)]

    request, found = run("billing", story, transport=service)
    assert all(isinstance(each, Subscription) for each in found)
    assert {sent.headers["x-b3-traceid"] for sent in service.sent} == {request.headers["x-b3-traceid"]}
    assert len({sent.headers["x-b3-spanid"] for sent in service.sent}) == 2


def test_a_prepared_request_of_another_environment_is_refused_and_nothing_is_sent(run: Run) -> None:
    """Both environments have the same address. Only the name shows whose money a request moves."""
    service = Service(answer({"object": "Account", "id": "a1"}), answer({"object": "Account", "id": "a1"}))
    own = {"base_url": "https://billing.test/rest", "api_user": "u", "api_key": "k", "transport": service}

    def prepared_for(environment: str | None) -> PreparedRequest[Account]:
        client = run.client("billing", environment=environment and Environment(name=environment), **own)
        request: PreparedRequest[Account] = client.prepare.accounts.update("a1", Account(name="Ann"))
        return request

    def send(request: PreparedRequest[Account], environment: str | None) -> Any:
        async def story(client: Any) -> Any:
            return await run.now(client.send(request))

        return run("billing", story, environment=environment and Environment(name=environment), **own)

    with pytest.raises(InvalidArgumentError) as caught:
        send(prepared_for("shop-eu"), "shop-us")
    assert str(caught.value) == (
        "request is for environment 'shop-eu', and this client for 'shop-us'; nothing was sent. "
        "Send the request with a client for the environment of the request"
    )
    assert service.sent == []
    assert send(prepared_for("shop-eu"), "shop-eu").id == "a1"
    assert send(prepared_for("shop-eu"), None).id == "a1"  # a client without an environment has no name to compare


def a_prepared_request(run: Run) -> PreparedRequest[EntitlementChargeReceipt]:
    charge = EntitlementCharge(transaction_id="t1", amount=Decimal("4.90"), currency="USD")
    request: PreparedRequest[EntitlementChargeReceipt] = run.client(
        "gateway", transport=Service()
    ).prepare.entitlements.charge("ps1", charge)
    return request


class Forgetful(pickle.Unpickler):
    """An unpickler that finds no private module of the SDK, as if a later version had moved them."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("subscribekit._core"):
            raise ModuleNotFoundError(f"No module named {module!r}")
        return super().find_class(module, name)


def test_a_prepared_request_is_pickled_by_its_public_name(run: Run) -> None:
    """A later version can load the pickle, whichever module contains the class then."""
    request = a_prepared_request(run)
    assert Forgetful(io.BytesIO(pickle.dumps(request))).load() == request
    for made in (copy.copy(request), copy.deepcopy(request)):
        assert made == request
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(request, protocol)) == request


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("EntitlementChargeReceipt", "EntitlementChargeXeceipt", "reader.model isn't valid"),
        ("M$", "X$", "safety isn't valid"),
        ('"prefix"', '"prefax"', "call.prefix isn't valid"),
        ('"origin":', '"target":', "call.origin isn't valid"),
        ('\\"kind\\"', '\\"kynd\\"', "reader.kind isn't valid"),
        ('\\"compared', '\\"odd\\":true,\\"compared', "odd isn't valid"),
        ("/entitlement/", "/ent tlement/", "the target isn't a valid path and query"),
        ("https://", "https:\n//", "the stored call isn't valid"),
        ('"url"', '"urX"', "url isn't valid"),
    ],
)
def test_the_error_about_a_pickle_with_another_layout_names_the_cause(
    old: str, new: str, reason: str, run: Run
) -> None:
    """The SDK never moves a value to another field, because the value could mean something else there."""
    restore, (name, version, form, text, *rest) = a_prepared_request(run).__reduce__()
    assert old in text
    with pytest.raises(InvalidArgumentError) as caught:
        restore(name, version, form, text.replace(old, new), *rest)
    assert caught.value.outcome == "not_sent"
    message = str(caught.value)
    version = f"subscribekit {__version__}, read by {__version__}"
    assert message.startswith(f"can't unpickle entitlements.charge (pickled by {version}; ")
    assert reason in message
    assert message.endswith("); nothing was sent. Create the prepared request again with client.prepare")


@pytest.mark.parametrize("change", [lambda parts: parts[:-1], lambda parts: (*parts, 1), lambda parts: (1, *parts[1:])])
def test_a_pickle_with_other_parts_is_refused(change: Callable[[Any], Any], run: Run) -> None:
    restore, (name, version, form, *parts) = a_prepared_request(run).__reduce__()
    with pytest.raises(InvalidArgumentError, match=r"; the content has unexpected parts\); nothing was sent"):
        restore(name, version, form, *change(tuple(parts)))


@pytest.mark.parametrize("older", [1, 2])
def test_the_error_about_a_pickle_in_an_older_format_names_the_format(older: int, run: Run) -> None:
    request = a_prepared_request(run)
    restore, (name, version, form, *parts) = request.__reduce__()
    assert restore(name, version, form, *parts) == request
    with pytest.raises(InvalidArgumentError, match=rf"pickled by .*; format {older} instead of 3\); nothing was sent"):
        restore(name, version, older, *parts)


class Mine(Account):
    """A model class of the caller. A pickle refers to it by name, as to any class."""


def test_a_pickled_request_keeps_a_result_class_of_the_caller(run: Run) -> None:
    service = Service(answer({"object": "Account", "id": "a1"}))

    async def story(client: Any) -> Any:
        request = client.prepare.request("GET", "/accounts/a1", result=Mine)
        return await run.now(client.send(pickle.loads(pickle.dumps(request))))

    assert type(run("billing", story, transport=service)) is Mine


def test_a_changed_copy_stays_refused_after_it_is_pickled(run: Run) -> None:
    changed = replace(a_prepared_request(run), body=b"{}")
    by_hand = PreparedRequest("payments.reverse", "POST", "https://x.test/", {}, None, "/")
    for request, reason in ((changed, "was modified"), (by_hand, "built by hand")):
        unpickled = pickle.loads(pickle.dumps(request))
        assert unpickled == request
        service = Service()

        async def story(client: Any, unpickled: Any = unpickled) -> Any:
            return await run.now(client.send(unpickled))

        with pytest.raises(InvalidArgumentError, match=reason):
            run("gateway", story, transport=service)
        assert service.sent == []


def test_extra_headers_and_the_trace_are_in_a_pickle(run: Run) -> None:
    service = Service(answer({"object": "Account", "id": "a1"}))
    context = TraceContext("0123456789abcdef0123456789abcdef", "0123456789abcdef", sampled=True)

    async def story(client: Any) -> Any:
        request = client.with_options(headers={"X-Tenant": "t-4711"}, trace=context).prepare.accounts.retrieve("a1")
        return await run.now(client.send(pickle.loads(pickle.dumps(request))))

    run("billing", story, transport=service)
    assert service.sent[0].headers["x-tenant"] == "t-4711"
    assert service.sent[0].headers["x-b3-traceid"] == context.trace_id
    assert service.sent[0].headers["x-b3-parentspanid"] == context.span_id
    assert service.sent[0].headers["x-b3-sampled"] == "1"


def test_the_pickle_of_a_prepared_request_holds_plain_values(run: Run) -> None:
    """A pickle doesn't refer to a private module or to a name in it."""
    found: set[tuple[str, str]] = set()

    class Noting(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            found.add((module, name))
            return super().find_class(module, name)

    for case in CASES.values():
        request = case.use(run.client(case.group, transport=Service(), **case.options).prepare)
        pickled = pickle.dumps(request)
        assert b"_core" not in pickled
        assert Noting(io.BytesIO(pickled)).load() == request
    assert found == {("subscribekit", "PreparedRequest._of_pickle")}
