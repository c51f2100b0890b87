"""A run stops before the total that its ledger has sent exceeds an amount limit (H238)."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bulk.kit import URL, Ledgered, client_of, opened
from bulk.test_kills import Killed
from bulk.workers import KEY, Nursery
from kit.clocks import FakeTime
from kit.counting import CountingServer
from subscribekit import AsyncGatewayClient, BillingClient, GatewayClient
from subscribekit._json import decode, encode_stored
from subscribekit._sealed import Content
from subscribekit.bulk import AsyncRun, Counts, Run, StopPolicy
from subscribekit.bulk._ledger.charged import EXACT, Charged, amount_of, charged
from subscribekit.errors import BulkError, ConfigurationError, InvalidArgumentError, LedgerError
from subscribekit.models import Account, EntitlementCharge, Refund, RefundItem, Transaction, TransactionItem
from subscribekit.sandbox import Sandbox, Settings

pytestmark = pytest.mark.hazard("H238")

DECLINED = httpx.Response(402, json={"code": "x", "message": "no"})
AMOUNTS = ("4.00", "3.50", "2.50", "0.01", "5")


def jobs(client: Any, *amounts: str, currency: str = "USD", start: int = 0) -> Any:
    for number, amount in enumerate(amounts, start):
        charge = EntitlementCharge(transaction_id=f"t{number}", amount=Decimal(amount), currency=currency)
        yield f"order-{number}", client.prepare.entitlements.charge(f"ps-{number}", charge)


def limited(amount: str, **more: Any) -> StopPolicy:
    return StopPolicy(max_amount=Decimal(amount), currency="USD", **more)


def states(run: Run) -> dict[str, str]:
    return {item.key: item.state for item in run.items()}


@pytest.mark.parametrize("workers", [1, 4])
@pytest.mark.parametrize(("limit", "sent"), [("10", 3), ("10.00", 3), ("9.99", 2), ("7.5", 2), ("3.99", 0), ("100", 5)])
def test_a_run_ends_before_its_total_exceeds_the_limit(place: str, limit: str, sent: int, workers: int) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(place, client, stop=limited(limit), concurrency=workers) as run:
        run.add(jobs(client, *AMOUNTS))
        assert [item.state for item in run.send()] == ["done"] * sent
        assert run.counts() == Counts(ready=5 - sent, done=sent)
        assert len(service.arrived) == sent
        if sent < 5:
            assert run.stopped is not None
            assert f"'order-{sent}', would add {AMOUNTS[sent]}" in run.stopped
            assert "USD are sent, done, or unknown" in run.stopped
        assert list(run.send()) == []  # the limit counts the whole ledger, so another call sends nothing more


def test_an_async_run_ends_before_its_total_exceeds_the_limit(place: str) -> None:
    service = Ledgered()

    async def story() -> None:
        client = AsyncGatewayClient(base_url=URL, api_key="k", transport=service)
        async with client, AsyncRun(place, client, stop=limited("10")) as run:
            await run.add(jobs(client, *AMOUNTS))
            assert [item.state async for item in run.send()] == ["done"] * 3
            assert (await run.counts()).ready == 2
            request = dict(jobs(client, *AMOUNTS))["order-4"]
            with pytest.raises(BulkError, match="amount limit") as caught:
                await run.send_once("order-4", request)
            assert caught.value.outcome == "not_sent"

    asyncio.run(story())
    assert sorted(service.arrived) == ["t0", "t1", "t2"]


def test_rejected_items_do_not_count_and_unknown_ones_do(place: str) -> None:
    replies: dict[str, Any] = {
        "t0": httpx.Response(402, json={"code": "x", "message": "no"}),
        "t1": httpx.ReadError("x"),
    }
    service = Ledgered(replies.get)
    with client_of(service) as client, opened(place, client, stop=limited("6.01"), concurrency=1) as run:
        run.add(jobs(client, *AMOUNTS))
        assert {item.key: item.state for item in run.send()} == {
            "order-0": "rejected", "order-1": "unknown", "order-2": "done", "order-3": "done",
        }  # fmt: skip
        assert run.counts().ready == 1


def test_an_item_that_could_not_be_sent_counts_once(place: str) -> None:
    refusals = iter([httpx.ConnectError("no")] * 9)
    service = Ledgered(lambda charged: next(refusals, None))
    service.clock = FakeTime().clock()  # type: ignore[attr-defined]  # a fake clock, so that no retry waits
    with client_of(service) as client:
        with opened(place, client, stop=limited("15.01"), concurrency=1, max_attempts=100) as run:
            run.add(jobs(client, *AMOUNTS))
            assert [item.state for item in run.send()] == ["done"] * 5
        assert len(service.effects) == 5


def test_earlier_runs_without_a_limit_count_and_purged_items_too(place: str) -> None:
    service = Ledgered()
    with client_of(service) as client:
        with opened(place, client) as run:
            run.add(jobs(client, "4.00", "3.50"))
            assert len(list(run.send())) == 2
            assert run.purge_data() == 2
        with opened(place, client, stop=limited("10")) as run:
            run.add(jobs(client, "2.51", start=2))
            assert list(run.send()) == []
            assert run.stopped is not None
            assert "7.50 of 10 USD" in run.stopped
        with opened(place, client) as run:  # this process doesn't use the limit
            assert [item.state for item in run.send()] == ["done"]


def test_a_process_without_a_limit_is_counted_by_one_that_has_it(place: str) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(place, client, stop=limited("10")) as run, opened(place, client) as other:
        run.add(jobs(client, "4.00"))
        assert len(list(run.send())) == 1
        other.add(jobs(client, "4.00", start=1))
        assert len(list(other.send())) == 1
        run.add(jobs(client, "2.01", "1", start=2))
        assert list(run.send()) == []
        assert run.counts() == Counts(done=2, ready=2)


def test_a_recorded_outcome_counts(place: str) -> None:
    replies: dict[str, Any] = {
        "t0": httpx.Response(402, json={"code": "x", "message": "no"}),
        "t1": httpx.ReadError("x"),
    }
    with client_of(Ledgered(replies.get)) as client, opened(place, client, stop=limited("9"), concurrency=1) as run:
        run.add(jobs(client, "4.00", "4.00"))
        assert {item.state for item in run.send()} == {"rejected", "unknown"}
        for item in run.items():
            item.record_outcome("applied" if item.state == "rejected" else "not_applied")
        run.add(jobs(client, "1.01", start=2))
        assert [item.key for item in run.send()] == ["order-1"]
        assert run.counts() == Counts(ready=1, done=1, unknown=1)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda c: c.prepare.request("POST", "/v1/x", result=dict, json={"amount": 5}), "no amount or no currency"),
        (
            lambda c: c.prepare.request("POST", "/v1/x", result=dict, json={"amount": "5", "currency": "USD"}),
            "no amount",
        ),
        (lambda c: c.prepare.request("POST", "/v1/x", result=dict), "no amount and currency"),
        (lambda c: c.prepare.entitlements.charge("p", EntitlementCharge(
            transaction_id="t", amount=Decimal(-1), currency="USD", original_transaction_id="o",
        )), "negative"),
        (lambda c: c.prepare.entitlements.charge("p", EntitlementCharge(
            transaction_id="t", amount=Decimal(1), currency="EUR",
        )), "its currency is EUR"),
    ],
    ids=["no currency", "a text", "no body", "negative", "another currency"],
)  # fmt: skip
def test_items_that_cannot_be_counted_are_refused_by_key(place: str, make: Callable[[Any], Any], why: str) -> None:
    service = Ledgered()
    with client_of(service) as client:
        with opened(place, client, stop=limited("10")) as run:
            with pytest.raises(InvalidArgumentError, match=f"'odd'.*{why}"):
                run.add([("odd", make(client))])
            with pytest.raises(InvalidArgumentError, match=f"'odd'.*{why}"):
                run.send_once("odd", make(client))
        with opened(place, client) as run:
            run.add([("odd", make(client))])
            with (
                opened(place, client, stop=limited("10")) as run,
                pytest.raises(InvalidArgumentError, match=f"'odd'.*{why}"),
            ):
                list(run.send())
        with (
            opened(place, client, stop=limited("10")) as run,
            pytest.raises(InvalidArgumentError, match=f"'odd'.*{why}"),
        ):
            run.send_once("order-0", next(iter(jobs(client, "1")))[1])
    assert service.arrived == []


def sale(*lines: TransactionItem, **more: Any) -> Callable[[Any], Any]:
    """Prepare a transaction of some items."""
    given = {"id": "t1", "account": Account(id="acct-0001"), "currency": "USD", "items": list(lines) or None, **more}
    return lambda c: c.prepare.transactions.create(Transaction(**{k: v for k, v in given.items() if v is not None}))


def line(price: str | None = "490", quantity: str | None = "3", **more: Any) -> TransactionItem:
    """Return an item to which no tax can be added."""
    money = {name: Decimal(text) for name, text in (("price", price), ("quantity", quantity)) if text is not None}
    return TransactionItem(**{"sku": "film", "tax_type": "Inclusive Sales", **money, **more})


def refund(**more: Any) -> Callable[[Any], Any]:
    return lambda c: c.prepare.refunds.create("SBX00000001", Refund(amount=Decimal(5), currency="USD", **more))


UNCOUNTED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "items and amount": (sale(line(), amount=Decimal("4.90")), "items and amount are both set"),
    "added tax": (sale(line(tax_type="Exclusive Sales")), "tax may be added to an item"),
    "tax of the service's choice": (sale(line(tax_type=None)), "tax may be added to an item"),
    "one of two items": (sale(line(), line(tax_type=None)), "tax may be added to an item"),
    "no price": (sale(line(None)), "the price of an item is missing"),
    "a negative price": (sale(line(), line("-490")), "negative"),
    "a negative quantity": (sale(line(quantity="-1")), "negative"),
    "an added discount": (sale(line(discount=Decimal(1))), "discount of an item is above 0"),
    "no currency": (sale(line(), currency=None), "no amount or no currency"),
    "items of another request": (
        lambda c: c.prepare.request(
            "POST", "/x", result=dict, json={"currency": "USD", "items": [{"price": 1, "tax_type": "Inclusive"}]}
        ),
        "no amount or no currency",
    ),
    "a refund without its tax": (refund(amount_includes_tax=False), "amount_includes_tax isn't true"),
    "a refund of items": (refund(refund_items=[RefundItem(amount=Decimal(90))]), "refund_items and amount are both"),
    "a refund without a body": (
        lambda c: c.prepare.request("POST", "/transactions/SBX00000001/refunds", result=dict),
        "the request has no body",
    ),
}


@pytest.mark.hazard("H404")
@pytest.mark.parametrize("name", UNCOUNTED)
def test_a_request_that_may_charge_more_than_its_amount_is_refused(tmp_path: Path, name: str) -> None:
    """Before the check, a limit of 10 USD allowed a transaction of 1,470 USD, because its `amount` was 4.90."""
    make, why = UNCOUNTED[name]
    message = re.escape(f"can't count 'order-0' toward the amount limit: {why}") if "and amount" in name else why
    sandbox, path = Sandbox(), tmp_path / "l.db"
    with sandbox.billing() as client:
        with opened(path, client, stop=limited("10")) as run:
            with pytest.raises(InvalidArgumentError, match=message):
                run.add([("order-0", make(client))])
            assert run.counts() == Counts()
        with opened(path, client) as run:
            run.add([("order-0", make(client))])
            assert run.preview().amounts == ()
        with opened(path, client, stop=limited("10")) as run, pytest.raises(InvalidArgumentError, match=message):
            list(run.send())
    assert sandbox.requests == []


@pytest.mark.hazard("H404")
def test_an_entitlement_charge_without_its_tax_is_refused(place: str) -> None:
    charge = EntitlementCharge(transaction_id="t", amount=Decimal(1), currency="USD", tax_included=False)
    with client_of() as client, opened(place, client, stop=limited("10")) as run:
        with pytest.raises(
            InvalidArgumentError, match="can't count 'order-0' toward the amount limit: tax_included isn't true"
        ):
            run.add([("order-0", client.prepare.entitlements.charge("p", charge))])
        paid = charge.model_copy(update={"tax_included": True})
        assert run.add([("order-0", client.prepare.entitlements.charge("p", paid))]) == 1


@pytest.mark.hazard("H404")
@pytest.mark.parametrize(
    ("lines", "figure"),
    [
        ([line("4.90", "2")], "9.80"),
        ([line("4.90", None)], "4.90"),
        ([line("4.90", "0.5"), line("1", "3", tax_type=None, tax_classification="TaxExempt")], "5.450"),
        ([line("4.90", "2", discount=Decimal(-1))], "9.80"),
        ([line("0", "7")], "0"),
    ],
    ids=["two", "no quantity", "two items", "a discount", "free"],
)
def test_the_preview_shows_what_the_items_cost_and_the_limit_counts_it(
    tmp_path: Path, lines: list[TransactionItem], figure: str
) -> None:
    """The sandbox adds tax to each item that allows it."""
    sandbox = Sandbox(settings=Settings(tax_percent={"US": Decimal(25)}))
    with sandbox.billing() as client, opened(tmp_path / "l.db", client, stop=limited("9.80"), concurrency=1) as run:
        items = [(key, sale(*lines, id=key)(client)) for key in ("order-0", "order-1")]
        run.add(items)
        assert run.preview().amounts[0].largest == Decimal(figure)
        assert run.preview().amounts[0].total == 2 * Decimal(figure)
        assert len(list(run.send())) == (1 if 2 * Decimal(figure) > Decimal("9.80") else 2)
        charged = client.transactions.retrieve("order-0").amount
        assert charged is not None
        assert charged <= Decimal(figure)


@pytest.mark.hazard("H404")
def test_items_of_any_form_are_counted_exactly_or_not_at_all() -> None:
    def found(*items: object, **more: object) -> Charged:
        return charged("transactions.create", Content(encode_stored({"currency": "USD", "items": list(items), **more})))

    inclusive = {"price": Decimal("0.10"), "tax_type": "Inclusive Use"}
    assert found(inclusive, inclusive, inclusive).amount == "0.30"
    assert found({**inclusive, "price": Decimal("1E-999")}, {**inclusive, "price": Decimal("1E999")}).why
    assert found(amount=5).amount == "5"  # an empty list contains no prices
    envelope = {"object": "List", "data": [inclusive]}
    assert (
        charged("transactions.create", Content(encode_stored({"currency": "USD", "items": envelope}))).amount == "0.10"
    )
    for odd in (None, "x", 5, [], {**inclusive, "price": "1"}, {**inclusive, "price": True}):
        assert (found(odd).amount, bool(found(odd).why)) == (None, True)


def test_a_later_item_that_cannot_be_counted_ends_the_run(place: str) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(place, client, stop=limited("10")) as run, opened(place, client) as other:
        run.add(jobs(client, "1"))
        assert len(list(run.send())) == 1
        other.add(jobs(client, "1", currency="EUR", start=1))
        with pytest.raises(InvalidArgumentError, match=r"'order-1'.*EUR"):
            list(run.send())
        with pytest.raises(InvalidArgumentError, match=r"'order-1'.*EUR"):
            run.send_once("order-1", dict(jobs(client, "1", currency="EUR", start=1))["order-1"])
        assert run.counts() == Counts(done=1, ready=1)
    assert service.arrived == ["t0"]


def test_a_body_that_is_not_json_has_no_amount() -> None:
    assert amount_of(Content(b"amount=1&currency=USD")) == amount_of(Content(b"[1]")) == amount_of(None) == (None, None)


def test_send_once_counts_and_returns_earlier_results(place: str) -> None:
    with client_of() as client, opened(place, client, stop=limited("5")) as run:
        requests = dict(jobs(client, "4", "2", "1"))
        assert run.send_once("order-0", requests["order-0"])
        with pytest.raises(BulkError, match=r"4 of 5 USD") as caught:
            run.send_once("order-1", requests["order-1"])
        assert caught.value.outcome == "not_sent"
        assert run.send_once("order-2", requests["order-2"])
        assert run.send_once("order-0", requests["order-0"]).transaction_reference_id == "ref-t0"


def test_concurrent_calls_of_send_once_stay_below_the_limit(place: str) -> None:
    service = Ledgered()
    refused: list[str] = []
    with client_of(service) as client, opened(place, client, stop=limited("15")) as run:

        def work(number: int) -> None:
            (request,) = (request for _, request in jobs(client, "1.50", start=number))
            try:
                run.send_once(f"order-{number}", request)
            except BulkError:
                refused.append(f"order-{number}")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert run.counts() == Counts(done=10, ready=14)
    assert (len(service.effects), len(refused)) == (10, 14)


def test_a_compressed_body_has_its_amount(tmp_path: Path) -> None:
    sandbox = Sandbox()
    client = BillingClient(environment="sandbox", transport=sandbox.transport, compress_requests=True)
    with client, opened(tmp_path / "l.db", client, stop=limited("2")) as run:
        for number in range(3):
            run.add([(f"r{number}", client.prepare.request(
                "POST", "/transactions/SBX00000001/refunds", result=dict, json={"amount": Decimal(1), "currency": "USD"}
            ))])  # fmt: skip
        assert run.preview().amounts[0].total == 3
        assert len(list(run.send())) == 2


def test_an_amount_that_was_changed_in_the_ledger_is_noticed(tmp_path: Path) -> None:
    service = Ledgered()
    path = tmp_path / "l.db"
    with client_of(service) as client:
        with opened(path, client) as run:
            run.add(jobs(client, "9999"))
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE subscribekit_items SET amount = '1'")
        with opened(path, client, stop=limited("10")) as run, pytest.raises(LedgerError, match="damaged"):
            list(run.send())
    assert service.arrived == []


@pytest.mark.parametrize(
    "given_values",
    [
        {"max_amount": Decimal(1)}, {"currency": "USD"}, {"max_amount": 1.5, "currency": "USD"},
        {"max_amount": "5", "currency": "USD"}, {"max_amount": True, "currency": "USD"},
        {"max_amount": Decimal(0), "currency": "USD"}, {"max_amount": Decimal(-1), "currency": "USD"},
        {"max_amount": Decimal("NaN"), "currency": "USD"}, {"max_amount": Decimal("Infinity"), "currency": "USD"},
        {"max_amount": Decimal(1), "currency": "usd"}, {"max_amount": Decimal(1), "currency": ""},
    ],
    ids=repr,
)  # fmt: skip
def test_invalid_limits_are_refused(given_values: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="max_amount must be a Decimal above 0"):
        StopPolicy(**given_values)


def test_the_preview_shows_the_amounts(place: str) -> None:
    with client_of() as client, opened(place, client) as run:
        run.add([*jobs(client, *AMOUNTS), *jobs(client, "7", currency="EUR", start=5)])
        preview = run.preview(2)
        eur, usd = preview.amounts
        assert (usd.items, usd.total, usd.largest, usd.smallest) == (
            5, Decimal("15.01"), Decimal(5), Decimal("0.01"),
        )  # fmt: skip
        assert (eur.currency, eur.total, len(preview)) == ("EUR", 7, 2)
        assert repr(preview).splitlines()[1] == "5 items with a total of 15.01 USD, the largest 5, the smallest 0.01"
        assert "15.01 USD" in preview._repr_html_()
        assert isinstance(preview, list)


MONEY = st.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=0, max_value=10**15)


@given(st.lists(MONEY, max_size=30), MONEY)
def test_sums_are_exact(amounts: list[Decimal], limit: Decimal) -> None:
    total = Decimal(0)
    for each in amounts:
        total = EXACT.add(total, each)
    scaled = sum(int(each.scaleb(9)) for each in amounts)
    assert int(total.scaleb(9)) == scaled
    assert (total > limit) == (scaled > int(limit.scaleb(9)))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=5),
        lambda inner: st.dictionaries(st.sampled_from(["amount", "currency", "x"]), inner) | st.lists(inner),
        max_leaves=8,
    )
)
def test_only_a_number_and_a_currency_at_the_top_are_an_amount(content: Any) -> None:
    body = json.dumps(content).encode()
    amount, currency = amount_of(Content(body))
    has_both = (
        isinstance(content, dict) and type(content.get("amount")) is int and isinstance(content.get("currency"), str)
    )
    assert (amount is not None) == (currency is not None) == has_both
    if has_both:
        assert decode((amount or "").encode()) == content["amount"]


@pytest.mark.parametrize("seed", [1])
@pytest.mark.parametrize("place", ["sqlite", "postgresql"], indirect=True)
def test_killed_processes_stay_below_the_limit(tmp_path: Path, nursery: Nursery, place: str, seed: int) -> None:
    """Three processes with 16 workers each are killed at random moments. The service counts the charges."""
    with CountingServer(seed=seed, lost=4, reset=3) as server:
        killed = Killed(tmp_path, server, nursery, seed, place)
        killed.kill(6, 3, 0.1, items=400, workers=16, limit="90")
        killed.finish("counts", items=400, workers=16, limit="90")
        assert sum(server.effects.values()) * Decimal("1.50") <= 90
        client = GatewayClient(base_url=server.url, api_key=KEY, allow_insecure_loopback=True)
        with client, opened(place, client) as run:
            counts = run.counts()
        assert (counts.sent + counts.done + counts.unknown) * Decimal("1.50") == 90
        assert counts.ready == 400 - 60 - counts.rejected
    assert set(server.effects.values()) == {1}


def test_items_before_an_item_that_cannot_be_counted_are_sent(place: str) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(place, client, stop=limited("10")) as run, opened(place, client) as other:
        run.add(jobs(client, "1"))
        assert len(list(run.send())) == 1
        other.add(jobs(client, "1", "2", start=1))
        other.add(jobs(client, "1", currency="EUR", start=3))
        other.add(jobs(client, "1", start=4))
        with pytest.raises(InvalidArgumentError, match=r"'order-3'.*EUR"):
            list(run.send())
        assert run.counts() == Counts(done=3, ready=2)
    assert sorted(service.arrived) == ["t0", "t1", "t2"]
