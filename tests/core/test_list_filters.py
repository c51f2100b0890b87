"""Filters of E3 and E4: wire names that the specification doesn't show, and lists that the service didn't filter."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from kit.calls import Run, Sent, Service, answer, envelope, page
from looped import looped
from subscribekit import WireNames
from subscribekit.errors import ConfigurationError, FilterNotAppliedError, InvalidArgumentError

MOMENT = datetime(2026, 3, 1, tzinfo=UTC)
SENT_MOMENT = "2026-03-01T00:00:00+00:00"

UNSET_OF_ACCOUNTS: dict[str, Any] = {
    "boleto_fiscal_number": "123",
    "carrier_billing_encoded_phone_number": "x y",
    "carrier_billing_phone_number": "+49 1",
    "credit_card_account": "4111",
    "direct_debit_account": "DE02",
}
UNSET_OF_SUMMARIES: dict[str, Any] = {"product": "p1", "rate_plan": "r1", "start": MOMENT, "end": MOMENT}
UNSET = [
    *(("accounts", name, value) for name, value in UNSET_OF_ACCOUNTS.items()),
    *(("event_summaries", name, value) for name, value in UNSET_OF_SUMMARIES.items()),
]


def query_text(value: Any) -> str:
    return SENT_MOMENT if isinstance(value, datetime) else str(value)


@pytest.mark.parametrize(("resource", "argument", "value"), UNSET, ids=lambda value: str(value))
def test_an_unset_name_is_refused_at_the_call_and_named(resource: str, argument: str, value: Any, run: Run) -> None:
    service = Service()
    with pytest.raises(ConfigurationError, match=rf"WireNames\({resource}_{argument}='\.\.\.'\)") as caught:
        run("billing", lambda client: getattr(client, resource).list(**{argument: value}), transport=service)
    assert caught.value.outcome == "not_sent"
    assert str(value) not in str(caught.value)
    assert service.sent == []


@pytest.mark.parametrize(("resource", "argument", "value"), UNSET, ids=lambda value: str(value))
def test_a_name_that_is_set_is_sent(resource: str, argument: str, value: Any, run: Run) -> None:
    service = Service(page())
    names = WireNames(**{f"{resource}_{argument}": "their.name"})
    call = lambda client: getattr(client, resource).list(**{argument: value})  # noqa: E731
    assert run("billing", call, transport=service, wire_names=names) == []
    assert service.only.query == [("their.name", query_text(value))]


def test_all_filters_of_accounts_together(run: Run) -> None:
    service = Service(page())
    names = WireNames(**{f"accounts_{name}": f"n_{name}" for name in UNSET_OF_ACCOUNTS})
    published = {"email": "a@b.c", "created_after": MOMENT, "created_before": MOMENT, "payment_method": "pm"}
    run(
        "billing",
        lambda client: client.accounts.list(limit=7, **published, **UNSET_OF_ACCOUNTS),
        transport=service,
        wire_names=names,
    )
    assert sorted(service.only.query) == sorted(
        [
            *((name, query_text(value)) for name, value in published.items()),
            *((f"n_{name}", query_text(value)) for name, value in UNSET_OF_ACCOUNTS.items()),
            ("limit", "7"),
        ]
    )


def test_a_published_name_can_be_unset(run: Run) -> None:
    with pytest.raises(ConfigurationError, match="accounts_email"):
        run(
            "billing",
            lambda client: client.accounts.list(email="a@b.c"),
            transport=Service(),
            wire_names=WireNames(accounts_email=None),
        )


@pytest.mark.parametrize(
    ("group", "call", "name"),
    [
        ("gateway", lambda client: client.subscriptions.retrieve("s", partner_code="x"), "partner_code_header"),
        (
            "gateway",
            lambda client: client.subscriptions.retrieve("s", include_billing_plan_history=True),
            "billing_plan_history_param",
        ),
        (
            "user_mgmt",
            lambda client: client.custom_data.delete("me", "a", filter="a eq 1"),
            "custom_data_filter_param",
        ),
    ],
)
def test_the_other_unset_names_are_refused_too(group: Any, call: Any, name: str, run: Run) -> None:
    service = Service()
    with pytest.raises(ConfigurationError, match=rf"WireNames\({name}="):
        run(group, call, transport=service)
    assert service.sent == []


def test_each_wire_name_has_the_status_of_its_source() -> None:
    names = WireNames(event_summaries_product="product")
    statuses = {name: names.status(name) for name in WireNames.__dataclass_fields__}
    published = {"accounts_email", "accounts_created_after", "accounts_created_before", "accounts_payment_method"}
    assert {name for name, status in statuses.items() if status == "published"} == published
    assumed = {name for name, status in statuses.items() if status == "assumed"}
    assert assumed == {"event_summaries_account", "event_summaries_subscription"}
    assert statuses["event_summaries_product"] == "configured"
    assert WireNames(accounts_email="mail").status("accounts_email") == "configured"
    assert WireNames(event_summaries_account="acc").status("event_summaries_account") == "configured"
    assert sum(status == "unset" for status in statuses.values()) == 11
    assert len(statuses) == 18


@looped("wrong", ["", "a b", "a=b", "x\r\ny", "ä", "a/b", 5, b"x"])
@looped("field", ["partner_code_header", "accounts_email", "custom_data_filter_param"])
def test_a_wire_name_must_be_a_word(field: str, wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match=rf"WireNames\.{field}"):
        WireNames(**{field: wrong})


@pytest.mark.parametrize("name", ["Authorization", "x-api-key", "Host", "X-B3-TraceId", "Content-Length", "COOKIE"])
def test_the_partner_code_cannot_use_a_header_of_the_client(name: str) -> None:
    with pytest.raises(ConfigurationError, match="partner_code_header"):
        WireNames(partner_code_header=name)


# FilterNotAppliedError: an unfiltered response must never pass for a filtered one.


def summary(name: str, reference: object) -> dict[str, object]:
    return {"object": "EventSummary", name: reference}


def listing(argument: str) -> Any:
    return lambda client: client.event_summaries.list(**{argument: "wanted"})


@pytest.mark.parametrize("argument", ["account", "subscription"])
@pytest.mark.parametrize(
    "reference",
    [{"id": "wanted", "vid": "other"}, {"id": "other", "vid": "wanted"}, {"id": "wanted"}, {"vid": "wanted"}],
)
def test_items_that_match_pass(argument: str, reference: dict[str, str], run: Run) -> None:
    assert len(run("billing", listing(argument), transport=Service(page(summary(argument, reference))))) == 1


@pytest.mark.parametrize("argument", ["account", "subscription"])
@pytest.mark.parametrize("reference", [{"id": "other"}, {"vid": "other"}])
def test_an_item_that_shows_only_the_other_identifier_decides_nothing(
    argument: str, reference: dict[str, str], run: Run
) -> None:
    assert len(run("billing", listing(argument), transport=Service(page(summary(argument, reference))))) == 1


@pytest.mark.parametrize("argument", ["account", "subscription"])
def test_an_item_of_another_account_or_subscription_is_an_error(argument: str, run: Run) -> None:
    items = [summary(argument, {"id": "wanted", "vid": "v"}), summary(argument, {"id": "other-1", "vid": "v2"})]
    service = Service(page(*items), page(*items))
    got: list[Any] = []

    async def story(client: Any) -> None:
        pager = listing(argument)(client)
        iterator = run.iterator(pager)
        got.append(await run.following(iterator))
        with pytest.raises(FilterNotAppliedError, match=f"a different {argument}") as caught:
            await run.following(iterator)
        error = caught.value
        assert error.outcome == "rejected"
        assert error.operation == "event_summaries.list"
        assert error.checkpoint
        assert "wanted" not in str(error)
        assert "other-1" not in str(error)
        assert "WireNames" in str(error)
        with pytest.raises(FilterNotAppliedError):  # the iterator raises again for the same item
            await run.following(iterator)
        with pytest.raises(FilterNotAppliedError):
            await run.now(pager.to_list())

    run("billing", story, transport=service)
    assert len(got) == 1


def test_pages_and_raw_pages_are_checked_too(run: Run) -> None:
    wrong = envelope(summary("account", {"id": "other", "vid": "v"}))

    async def story(client: Any) -> None:
        with pytest.raises(FilterNotAppliedError):
            await run.finish(listing("account")(client).pages())
        with pytest.raises(FilterNotAppliedError):
            await run.finish(listing("account")(client.with_raw_response))
        with pytest.raises(FilterNotAppliedError):
            await run.now(listing("account")(client).first())

    run("billing", story, transport=Service(answer(wrong), answer(wrong), answer(wrong)))


def test_a_configured_filter_on_a_reference_is_checked_as_well(run: Run) -> None:
    service = Service(page(summary("product", {"id": "other", "vid": "v"})))
    with pytest.raises(FilterNotAppliedError, match="product"):
        run(
            "billing",
            lambda client: client.event_summaries.list(product="wanted"),
            transport=service,
            wire_names=WireNames(event_summaries_product="product"),
        )


def test_a_published_filter_is_trusted(run: Run) -> None:
    service = Service(page({"object": "Account", "id": "a1", "email": "other@example.com"}))
    assert len(run("billing", lambda client: client.accounts.list(email="a@b.c"), transport=service)) == 1


# Values of filters


@pytest.mark.parametrize("argument", ["created_after", "created_before"])
@pytest.mark.parametrize("wrong", [datetime(2026, 1, 1), "2026-01-01", 0, True], ids=["naive", "text", "int", "bool"])  # noqa: DTZ001
def test_a_timestamp_must_be_an_aware_datetime(argument: str, wrong: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match=argument):
        run("billing", lambda client: client.accounts.list(**{argument: wrong}), transport=Service())


@pytest.mark.parametrize("wrong", [5, True, MOMENT, b"a@b.c", ["a@b.c"], "", "x" * 1025, "a\nb", "\ud800"])
def test_a_text_filter_must_be_text(wrong: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="email") as caught:
        run("billing", lambda client: client.accounts.list(email=wrong), transport=Service())
    assert "a@b.c" not in str(caught.value)


@pytest.mark.parametrize("argument", ["account", "subscription"])
@pytest.mark.parametrize("wrong", ["", "x" * 129, 7, b"x"])
def test_an_identifier_filter_has_at_most_128_characters(argument: str, wrong: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match=argument):
        run("billing", lambda client: client.event_summaries.list(**{argument: wrong}), transport=Service())


@pytest.mark.parametrize("wrong", [2, -1, "false", MOMENT])
def test_billed_is_a_boolean(wrong: Any, run: Run) -> None:
    with pytest.raises(InvalidArgumentError, match="billed"):
        run("billing", lambda client: client.event_summaries.list(billed=wrong), transport=Service())


def test_the_longest_filters_are_sent(run: Run) -> None:
    sent: list[Sent] = []

    def keep(request: Sent) -> Any:
        sent.append(request)
        return page()

    service = Service(keep, keep)
    run("billing", lambda client: client.accounts.list(email="ü" * 1024), transport=service)
    run("billing", lambda client: client.accounts.list(payment_method="x" * 128), transport=service)
    assert sent[0].query == [("email", "ü" * 1024)]
    assert sent[1].query == [("payment_method", "x" * 128)]
