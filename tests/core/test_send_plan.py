"""A plan that is sent is the request that was looked at, byte for byte, and gives what its call gives (H201)."""

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

from core.kit import Run, Service, answer, array, page
from core.operation_cases import CASES, Case
from looped import looped
from subscribekit import Environment, Page, PreparedRequest, __version__
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
def test_a_plan_is_sent_byte_for_byte_and_gives_what_its_call_gives(case: Case, run: Run) -> None:
    service = Service(answered(case), answered(case))

    async def story(client: Any) -> tuple[Any, Any, Any]:
        plan = case.use(client.prepare)
        there = pickle.loads(pickle.dumps(plan))
        assert there == plan
        result = await run.now(client.send(there))
        return plan, result, await run.finish(case.use(client))

    plan, result, called = run(case.group, story, transport=service, **case.options)
    sent = service.sent[0]
    assert (plan.method, plan.url, plan.body or b"") == (sent.method, sent.url, sent.body)
    assert list(plan.headers) == [name.lower() for name in sent.header_names]
    for name, value in sent.headers.items():
        if name in CREDENTIAL_NAMES:
            assert value == service.sent[1].headers[name]
        elif name != "x-b3-spanid":
            assert plan.headers[name] == value
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

    with pytest.raises(InvalidResponseError, match="another account"):
        run("billing", story, transport=service)


def test_a_plan_of_another_group_or_origin_is_refused_and_nothing_is_sent(run: Run) -> None:
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
    for other, said in zip(others, ("group gateway", "elsewhere", "by hand", "NoneType", "Accounts"), strict=True):

        async def story(client: Any, other: Any = other) -> Any:
            return await run.now(client.send(other))

        with pytest.raises(InvalidArgumentError, match=said) as caught:
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
        {"operation": "accounts.create"},  # by this name an unknown outcome would be resolved
    ],
)
def test_a_plan_that_was_changed_is_refused_and_nothing_is_sent(run: Run, change: dict[str, Any]) -> None:
    """The shown plan runs: never the request that it was made of."""
    service = Service()

    async def story(client: Any) -> Any:
        plan = client.prepare.accounts.update("a1", Account(name="Ann"))
        return await run.now(client.send(replace(plan, **change)))

    async def further(client: Any) -> Any:
        plan = client.prepare.accounts.update("a1", Account(name="Ann"))
        return await run.now(client.send(replace(plan, headers={**plan.headers, "X-Tenant": "7"})))

    with pytest.raises(InvalidArgumentError, match="changed"):
        run("billing", further, transport=service)
    with pytest.raises(InvalidArgumentError, match="changed"):
        run("billing", story, transport=service)
    assert service.sent == []


def test_a_sent_plan_keeps_the_rules_of_its_call(run: Run) -> None:
    """An unknown outcome stays one, with the call's name; a read is retried; a closed client refuses."""
    service = Service(answer({"code": "server-error", "message": "no"}, status=500), answer(status=404), page())

    async def story(client: Any) -> None:
        plan = client.prepare.payments.reverse("p1")
        with pytest.raises(OutcomeUnknownError) as unknown:
            await run.now(client.send(plan))
        assert (unknown.value.operation, unknown.value.reconcile_key) == ("payments.reverse", "p1")
        with pytest.raises(NotFoundError):
            await run.now(client.send(client.prepare.accounts.retrieve("a1")))
        service.answers[:] = [httpx.ConnectError("no"), answer({"object": "Account", "id": "a1"})]
        assert (await run.now(client.send(client.prepare.accounts.retrieve("a1")))).id == "a1"
        await run.close(client)
        with pytest.raises(ClientClosedError):
            await run.now(client.send(plan))

    run("billing", story, transport=service)


def test_a_plan_that_needs_a_key_is_not_sent_without_one(run: Run) -> None:
    charge = EntitlementCharge(transaction_id="t1", amount=Decimal("4.90"), currency="USD")
    plan = run.client("gateway", transport=Service()).prepare.entitlements.charge("ps1", charge)

    async def story(client: Any) -> Any:
        return await run.now(client.send(plan))

    with pytest.raises(ConfigurationError, match="API key"):
        run("gateway", story, transport=Service(), base_url="https://gateway.test")


def test_one_plan_is_one_trace_and_each_sending_a_span(run: Run) -> None:
    service = Service(*[answer({"object": "Subscription", "id": "s1"}) for _ in range(2)])

    async def story(client: Any) -> Any:
        plan = client.prepare.subscriptions.retrieve("s1")
        return plan, [await run.now(client.send(plan)) for _ in range(2)]

    plan, found = run("billing", story, transport=service)
    assert all(isinstance(each, Subscription) for each in found)
    assert {sent.headers["x-b3-traceid"] for sent in service.sent} == {plan.headers["x-b3-traceid"]}
    assert len({sent.headers["x-b3-spanid"] for sent in service.sent}) == 2


def test_a_plan_of_another_environment_is_refused_and_nothing_is_sent(run: Run) -> None:
    """At one address: what differs is whose money it is."""
    service = Service(answer({"object": "Account", "id": "a1"}), answer({"object": "Account", "id": "a1"}))
    own = {"base_url": "https://billing.test/rest", "api_user": "u", "api_key": "k", "transport": service}

    def plan_of(environment: str | None) -> PreparedRequest[Account]:
        client = run.client("billing", environment=environment and Environment(name=environment), **own)
        plan: PreparedRequest[Account] = client.prepare.accounts.update("a1", Account(name="Ann"))
        return plan

    def send(plan: PreparedRequest[Account], environment: str | None) -> Any:
        async def story(client: Any) -> Any:
            return await run.now(client.send(plan))

        return run("billing", story, environment=environment and Environment(name=environment), **own)

    with pytest.raises(InvalidArgumentError) as caught:
        send(plan_of("shop-eu"), "shop-us")
    assert str(caught.value) == "the plan was made for the environment 'shop-eu', and this client is of 'shop-us'"
    assert service.sent == []
    assert send(plan_of("shop-eu"), "shop-eu").id == "a1"
    assert send(plan_of("shop-eu"), None).id == "a1"  # your own address has no name to compare


def a_plan(run: Run) -> PreparedRequest[EntitlementChargeReceipt]:
    charge = EntitlementCharge(transaction_id="t1", amount=Decimal("4.90"), currency="USD")
    plan: PreparedRequest[EntitlementChargeReceipt] = run.client(
        "gateway", transport=Service()
    ).prepare.entitlements.charge("ps1", charge)
    return plan


class Forgetful(pickle.Unpickler):
    """Reads as a package would whose modules were moved."""

    def find_class(self, module: str, name: str) -> Any:
        if module.startswith("subscribekit._core"):
            raise ModuleNotFoundError(f"No module named {module!r}")
        return super().find_class(module, name)


def test_a_plan_is_pickled_by_its_public_name(run: Run) -> None:
    """The way in is found whatever module a later version keeps it in."""
    plan = a_plan(run)
    assert Forgetful(io.BytesIO(pickle.dumps(plan))).load() == plan
    for made in (copy.copy(plan), copy.deepcopy(plan)):
        assert made == plan
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(plan, protocol)) == plan


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda data: data.replace(b"_core.calls.plans.prepared", b"_core.calls.plans.preparex"), "No module named"),
        (lambda data: data.replace(b"Prepared", b"Prepaxed"), "no attribute 'Prepaxed'"),
        (lambda data: data.replace(b"EntitlementChargeReceipt", b"EntitlementChargeXeceipt"), "no attribute"),
        (lambda data: data.replace(b"M$", b"X$"), "'X$' is not a valid Safety"),
        (lambda data: data.replace(b"prefix", b"prefax"), "Prepared has other fields"),
        (lambda data: data.replace(b"Prepared", b"prepared"), "no attribute 'prepared'"),
        (lambda data: data.replace(b"\x08Prepared", b"\x08Settings"), "Settings has other fields"),
    ],
)
def test_a_plan_of_another_layout_says_so(change: Callable[[bytes], bytes], reason: str, run: Run) -> None:
    """Nothing is put into a field that it was not in: it might mean something else there."""
    data = pickle.dumps(a_plan(run))
    assert change(data) != data
    with pytest.raises(InvalidArgumentError) as caught:
        pickle.loads(change(data))
    assert caught.value.outcome == "not_sent"
    said = str(caught.value)
    version = f"subscribekit {__version__} and cannot be read by {__version__}"
    assert said.startswith(f"the plan of entitlements.charge was pickled by {version} (")
    assert reason in said
    assert said.endswith("); nothing was sent. Make it anew with client.prepare")


def test_the_pickle_of_a_plan_holds_plain_values(run: Run) -> None:
    """Every plan: nothing in it is found by a place inside of the package, but for what names its parts."""
    found: set[tuple[str, str]] = set()

    class Noting(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            found.add((module, name))
            return super().find_class(module, name)

    for case in CASES.values():
        plan = case.use(run.client(case.group, transport=Service(), **case.options).prepare)
        assert Noting(io.BytesIO(pickle.dumps(plan))).load() == plan
    assert found == {("subscribekit", "PreparedRequest._of_pickle")}
