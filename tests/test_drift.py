"""Drift: fields and values that the service sends and the models don't know (H123, H124)."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract import story
from contract.styles import STYLES, Shop, Style
from contract.test_responses import LISTS, model_of
from kit.calls import Always, Run, Service, answer, page
from subscribekit.drift import MAX_FINDINGS, MAX_VALUES, DriftDetector, DriftError, Finding
from subscribekit.errors import APIError, InvalidArgumentError
from subscribekit.models import Account, Payment, PaymentMethod, Subscription
from subscribekit.sandbox import Sandbox

ACCOUNT = {
    "object": "Account", "id": "a1", "email": "jane@example.com", "loyalty": {"tier": "gold"}, "created": "tomorrow",
    "email_type": "morse", "shipping_address": {"line4": "Main Street 4"},
    "payment_methods": [{"id": "p", "type": "Shells"}, {"id": "q", "type": "Shells"}, {"type": "CreditCard"}],
}  # fmt: skip
FOUND = [
    Finding("billing", "accounts.retrieve", "Account", "created", "unparsed_value", 1),
    Finding("billing", "accounts.retrieve", "Account", "email_type", "unknown_enum", 1, "morse"),
    Finding("billing", "accounts.retrieve", "Account", "loyalty", "unknown_field", 1),
    Finding("billing", "accounts.retrieve", "PaymentMethod", "payment_methods[].type", "unknown_enum", 2, "Shells"),
    Finding("billing", "accounts.retrieve", "Address", "shipping_address.line4", "unknown_field", 1),
]


def detect(run: Run, use: Any, *answers: Any, group: Any = "billing") -> DriftDetector:
    drift = DriftDetector()
    run(group, use, transport=Service(*answers), observers=[drift])
    return drift


def account(client: Any) -> Any:
    return client.accounts.retrieve("a1")


def test_every_level_of_a_result_is_checked(run: Run) -> None:
    drift = detect(run, account, answer(ACCOUNT))
    assert drift.findings() == FOUND
    assert drift.results == 1


def test_items_of_a_list_are_checked_when_they_are_returned(run: Run) -> None:
    drift = DriftDetector()
    service = Service(page(ACCOUNT, ACCOUNT, "a3", next_link="/accounts?starting_after=a3"), page(ACCOUNT))

    async def use(client: Any) -> None:
        pager = client.accounts.list()
        assert drift.results == 0
        await run.now(pager.take(1))
        assert drift.results == 1
        service.answers[:0] = [page(ACCOUNT, ACCOUNT, "a3", next_link="/accounts?starting_after=a3")]
        async for _ in run.every(pager.pages()):
            pass

    run("billing", use, transport=service, observers=[drift])
    assert drift.results == 5
    assert {each.count for each in drift.findings() if each.path == "loyalty"} == {4}
    assert {each.operation for each in drift.findings()} == {"accounts.list"}


def test_raw_responses_are_checked(run: Run) -> None:
    drift = detect(run, lambda client: client.with_raw_response.accounts.retrieve("a1"), answer(ACCOUNT))
    assert drift.findings() == FOUND


@pytest.mark.parametrize(
    ("body", "status", "codes"),
    [
        ({"code": "quota-exceeded", "message": "m"}, 409, ["quota-exceeded"]),
        ({"code": "not-found", "message": "m"}, 404, []),
        ({"code": "invalid-request", "message": "m", "validationErrors": [{"code": "x"}]}, 400, []),
        ({"operationError": {"code": "page-weight-error"}}, 400, ["page-weight-error"]),
        ({"object": "Error", "message": "no"}, 400, []),
        ({"code": "customer 4111111111111111", "message": "m"}, 400, ["(text of 25 characters)"]),
    ],
)
def test_unknown_error_codes_are_found(run: Run, body: Any, status: int, codes: list[str]) -> None:
    drift = DriftDetector()
    with pytest.raises(APIError):
        run(
            "gateway", lambda client: client.subscriptions.retrieve("s1"),
            transport=Service(answer(body, status)), observers=[drift],
        )  # fmt: skip
    assert [(each.model, each.path, each.kind, each.value) for each in drift.findings()] == [
        ("Error", "code", "unknown_code", code) for code in codes
    ]


def test_an_error_that_was_retried_counts(run: Run) -> None:
    drift = detect(
        run, account, answer({"code": "busy", "message": "m"}, 502), answer({"object": "Account", "id": "a1"})
    )
    assert [(each.value, each.count) for each in drift.findings()] == [("busy", 1)]


# Values in reports


@pytest.mark.parametrize(
    "value",
    [
        "jane@example.com", "4111111111111111", "+49 171 1234567", "x" * 65, "Jane\nDoe", "\x1b[31mred", "",
        "DE89 3704 0044", "https://example.com/?id=1",
    ],
)  # fmt: skip
def test_a_value_that_cannot_belong_to_an_enumeration_is_not_shown(run: Run, value: str) -> None:
    """H123."""
    drift = detect(run, account, answer({"object": "Account", "id": "a1", "email_type": value}))
    (finding,) = drift.findings()
    assert finding.value == f"(text of {len(value)} characters)"
    assert not value or value not in str(drift) + drift.to_json() + drift._repr_html_()


@given(st.text(max_size=100))
def test_a_name_is_shortened_and_printable(name: str) -> None:
    """H123. Names come from the service, too."""
    drift = DriftDetector()
    raw: Any = {"object": "Account", name: 1}
    if name not in Account.model_fields:
        from subscribekit.models._base import read

        drift.result_read("billing", "accounts.list", read(Account, raw))
        (finding,) = drift.findings()
        assert finding.path.isprintable()
        assert len(finding.path) <= 64
        assert len(str(drift).splitlines()) == 2


def test_no_value_of_a_personal_or_unknown_field_is_kept(run: Run) -> None:
    """H123."""
    drift = detect(run, account, answer(ACCOUNT))
    with pytest.raises(DriftError) as caught:
        drift.check()
    shown = str(drift) + drift.to_json() + drift._repr_html_() + repr(drift) + str(caught.value) + repr(vars(drift))
    for secret in ("jane", "example.com", "gold", "Main", "tomorrow"):
        assert secret not in shown


def test_a_field_of_many_values_is_no_enumeration(run: Run) -> None:
    """H123. The detector stops collecting the values of a field that has many, because they may be free text."""
    items = [{"object": "Account", "id": f"a{n}", "email_type": f"kind{chr(97 + n)}"} for n in range(26)]
    drift = detect(run, lambda client: client.accounts.list(), page(*items))
    assert len(drift.findings()) == MAX_VALUES + 1
    assert sum(each.count for each in drift.findings()) == 26
    assert "(further values)" in {each.value for each in drift.findings()}


def test_memory_is_bounded(run: Run) -> None:
    """H124."""
    items = [{"object": "Account", "id": "a", "x" + "".join(chr(97 + int(d)) for d in str(n)): 1} for n in range(1500)]
    drift = detect(run, lambda client: client.accounts.list(), page(*items))
    assert len(drift.findings()) == MAX_FINDINGS
    assert drift.dropped == 500
    assert "500 further findings were only counted" in str(drift)
    assert "500 further findings were only counted" in drift._repr_html_()
    with pytest.raises(DriftError):
        drift.check(drift.to_json())


# Reports


def test_the_text_report_is_a_table(run: Run) -> None:
    lines = str(detect(run, account, answer(ACCOUNT))).splitlines()
    assert lines[0].split() == ["operation", "model", "path", "kind", "value", "count"]
    assert lines[4].split() == [
        "billing.accounts.retrieve", "PaymentMethod", "payment_methods[].type", "unknown_enum", "Shells", "2",
    ]  # fmt: skip
    assert len(lines) == 6


def test_json_has_the_findings(run: Run) -> None:
    content = json.loads(detect(run, account, answer(ACCOUNT)).to_json())
    assert [Finding(**each) for each in content] == FOUND
    assert json.loads(DriftDetector().to_json()) == []


def test_html_is_a_table_and_escaped(run: Run) -> None:
    texts: list[str] = []

    class Reads(HTMLParser):
        def handle_data(self, data: str) -> None:
            texts.append(data)

    drift = detect(run, account, answer({"object": "Account", "id": "a1", "<script>": 1, "email_type": "a&b"}))
    html = drift._repr_html_()
    Reads().feed(html)
    assert "<script>" not in html
    assert "(text of 8 characters)" in texts
    assert "a&b" in texts
    assert html.count("<tr>") == 3
    assert DriftDetector()._repr_html_() == "<p>no findings in 0 results</p>"


def test_the_reports_without_findings(run: Run) -> None:
    drift = detect(run, account, answer({"object": "Account", "id": "a1"}))
    assert str(drift) == "no findings in 1 results"
    assert repr(drift) == "<DriftDetector: 0 findings in 1 results>"
    drift.check()


def test_check_accepts_known_findings(run: Run) -> None:
    drift = detect(run, account, answer(ACCOUNT))
    drift.check(drift.to_json())
    drift.check(drift.to_json().encode())
    known = json.dumps([each for each in json.loads(drift.to_json()) if each["path"] != "loyalty"])
    with pytest.raises(DriftError, match="loyalty") as caught:
        drift.check(known)
    assert caught.value.findings == (FOUND[2],)
    assert "line4" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong", ["", "{}", "[1]", '[{"group": 1}]', "[{}, []]", 5, "[", '[{"group": ["x"]}]'], ids=repr
)
def test_an_invalid_accepted_report_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidArgumentError, match="to_json"):
        DriftDetector().check(wrong)


def test_an_accepted_report_with_the_name_of_an_older_kind_is_refused() -> None:
    run = Run("blocking")
    drift = DriftDetector()
    run.client(
        "billing", transport=Always(lambda _: answer({**ACCOUNT, "new": 1})), observers=[drift]
    ).accounts.retrieve("a1")
    drift.check(drift.to_json())
    older = drift.to_json().replace("unknown_field", "unread_value", 1)
    with pytest.raises(InvalidArgumentError, match="accepted has a kind other than unknown_field, unparsed_value, "):
        drift.check(older)


# Concurrency


def test_threads_and_clients_share_a_detector() -> None:
    """H124. No finding is lost."""
    drift, run = DriftDetector(), Run("blocking")
    client = run.client("billing", transport=Always(lambda _: answer(ACCOUNT)), observers=[drift])
    other = run.client("billing", transport=Always(lambda _: page(ACCOUNT)), observers=[drift])

    def read(number: int) -> None:
        for _ in range(25):
            account(client) if number % 2 else list(other.accounts.list())
            str(drift)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(read, range(8)))
    assert drift.results == 200
    assert {each.count for each in drift.findings() if each.path == "loyalty"} == {100}


@pytest.mark.posix("there is no fork here")
@pytest.mark.filterwarnings("ignore:This process.*:DeprecationWarning")
def test_a_forked_child_does_not_wait_for_a_thread_that_it_does_not_have() -> None:
    """H124."""
    drift, account = DriftDetector(), Account(id="a1")
    with drift._guard.lock:
        child = os.fork()
        if child == 0:
            signal.alarm(2)
            drift.result_read("billing", "accounts.retrieve", account)
            os._exit(0 if drift.results == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert drift.results == 0


def test_tasks_share_a_detector() -> None:
    drift, run = DriftDetector(), Run("async")

    async def use() -> None:
        client = run.client("billing", transport=Always(lambda _: answer(ACCOUNT)), observers=[drift])
        await asyncio.gather(*(account(client) for _ in range(50)))

    asyncio.run(use())
    assert [each.count for each in drift.findings()] == [50, 50, 50, 100, 50]


def test_a_failing_detector_changes_no_result(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    class Broken(DriftDetector):
        def result_read(self, group: str, operation: str, result: object) -> None:
            raise ValueError("no")

    results = run("billing", lambda c: c.accounts.list(), transport=Service(page("a1")), observers=[Broken()])
    assert [each.id for each in results] == ["a1"]
    assert "an observer failed" in caplog.text


def test_a_page_read_ahead_counts_once(run: Run) -> None:
    drift = DriftDetector()
    service = Service(page(ACCOUNT, next_link="/accounts?starting_after=a1"), page({**ACCOUNT, "id": "a2"}))
    run("billing", lambda c: c.accounts.list(prefetch=True), transport=service, observers=[drift])
    assert drift.results == 2


def test_a_connection_error_is_no_drift(run: Run) -> None:
    drift = detect(run, account, httpx.ConnectError("x"), answer({"object": "Account", "id": "a1"}))
    assert (drift.findings(), drift.results) == ([], 1)


# The sandbox


class WatchedShop(Shop):
    """The four clients of a sandbox, with an observer."""

    def __init__(self, style: Style, drift: DriftDetector) -> None:
        super().__init__(style)
        blocking = style == "blocking"
        options: dict[str, Any] = {
            "environment": self.sandbox.environment,
            "transport": self.sandbox.transport if blocking else self.sandbox.async_transport,
            "observers": [drift],
        }
        run = Run(style)
        for group in ("billing", "gateway", "user_mgmt", "storefront"):
            setattr(self, group, run.client(group, **options))


@pytest.mark.parametrize("style", STYLES)
def test_reads_of_a_new_sandbox_find_no_drift(style: Style) -> None:
    """Reads every list of the SDK, and the resources of the lists one by one."""
    drift = DriftDetector()
    with WatchedShop(style, drift) as shop:
        for call in LISTS.values():
            shop(call(shop))
        for name in (
            "accounts",
            "campaigns",
            "products",
            "subscriptions",
            "transactions",
            "billing_plans",
            "rate_plans",
        ):
            family = getattr(shop.billing, name)
            for item in shop(family.list())[:10]:
                shop(family.retrieve(item.id or item.vid))
        for item in shop(shop.billing.resource("payments", Payment).list()):
            shop(shop.billing.resource("payments", Payment).retrieve(item.id))
        for item in shop(shop.billing.resource("payment_methods", PaymentMethod).list()):
            shop(shop.billing.resource("payment_methods", PaymentMethod).retrieve(item.id))
        for item in shop(shop.billing.resource("subscriptions", Subscription).list()):
            shop(shop.gateway.subscriptions.retrieve(item.id, include_billing_plan_history=True))
        shop(shop.user_mgmt.accounts.list())
        for _, call in story.entity_lists():
            shop(call(shop))
    assert drift.results > 300
    assert str(drift) == f"no findings in {drift.results} results"


@pytest.mark.parametrize("style", STYLES)
def test_operations_of_the_sandbox_find_no_drift(style: Style) -> None:
    """Includes writes, and the resources that months of billing create."""
    drift = DriftDetector()
    calls = story.ACCOUNTS | story.CATALOGUE | story.BILLING | story.OTHERS
    with WatchedShop(style, drift) as shop:
        for call in (calls | dict(story.families(model_of))).values():
            shop(call(shop))
        for _ in range(3):
            shop.sandbox.advance(days=31)
            for call in LISTS.values():
                shop(call(shop))
        groups = {recorded.group for recorded in shop.sandbox.requests}
    assert groups == {"billing", "gateway", "user_mgmt", "storefront"}
    assert str(drift) == f"no findings in {drift.results} results"


def test_drift_of_the_sandbox_is_found() -> None:
    """Shows that the tests above can fail."""
    sandbox, drift = Sandbox(), DriftDetector()
    record = sandbox.service.store["accounts"].find("acct-0001")
    assert record is not None
    record["loyalty"] = "gold"
    client = Run("blocking").client(
        "billing", environment=sandbox.environment, transport=sandbox.transport, observers=[drift]
    )
    list(client.accounts.list())
    assert [(each.path, each.kind, each.count) for each in drift.findings()] == [("loyalty", "unknown_field", 1)]
