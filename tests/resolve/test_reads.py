"""The limits of reads as evidence, the waits before a verdict, and that `resolve` sends only reads (H208)."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import httpx
import pytest

from kit.calls import Always, Run, Sent, answer, page
from resolve.cached import http_date
from subscribekit import RetryPolicy, Verdict
from subscribekit._core.operations.operation import Operation, Safety
from subscribekit._core.resolving.case import Read
from subscribekit._core.resolving.resolve import run as run_blocking
from subscribekit.errors import ClientClosedError, OutcomeUnknownError
from subscribekit.models import Account, Campaign, Refund, Transaction
from subscribekit.models.subscription_changes import change_plan

ERROR = {"object": "Error", "message": "Account not found."}


def served(reads: Callable[[Sent], httpx.Response], run: Run, use: Callable[[Any], Any], **options: Any) -> Any:
    """Lose the response to a write, handle reads with a function, and return the verdict, the service, and the error.

    A response without a `Date` gets the `Date` of the test's clock, unless `dates` is false.
    """
    dates = options.pop("dates", True)

    def reply(sent: Sent) -> httpx.Response:
        found = reads(sent) if sent.method == "GET" else lost()
        if not dates or "date" in found.headers:
            return found
        headers = {**found.headers, "Date": http_date(service.time.seconds)}
        return httpx.Response(found.status_code, headers=headers, content=found.content)

    service = Always(reply)
    service.time = options.pop("time", service.time)
    service.clock = service.time.clock()
    service.time.seconds += options.pop("begin", 0.0)

    async def story(client: Any) -> tuple[Verdict, OutcomeUnknownError]:
        client = client.with_options(headers=options.pop("headers", {}))
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(use(client))
        service.time.slept.clear()
        later = options.pop("later", 0.0)
        service.time.seconds += later
        skew = options.pop("skew", 0.0)
        error = pickle.loads(pickle.dumps(caught.value))
        error.sent_at += timedelta(seconds=skew)
        options.pop("change", lambda _: None)(error)
        return await run.now(client.resolve(error, **options)), error

    found, error = run("billing", story, transport=service, retry=options.pop("retry", None))
    return found, service, error


undated = partial(served, dates=False)
"""The same, but without a `Date` that the test doesn't set."""


def lost() -> httpx.Response:
    raise httpx.ReadTimeout("lost")


def create(client: Any) -> Any:
    return client.accounts.create(Account(id="a1", name="Ann"))


def nothing(_: Sent) -> httpx.Response:
    return answer(ERROR, status=404)


@pytest.mark.hazard("H132")
@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"<html>not found</html>", 404),
        ({"message": "no route matched"}, 404),
        ({"object": "Error", "message": "This endpoint does not exist. Check our API docs."}, 404),
        (None, 404),
        (ERROR, 403),
        (ERROR, 500),
        (b"{", 200),
        ({"object": "Account", "id": "another"}, 200),
    ],
)
def test_an_unusable_response_proves_nothing(run: Run, content: object, status: int) -> None:
    found, service, _ = served(lambda _: answer(content, status=status), run, create)
    assert found.state == "undecided", found
    assert {sent.method for sent in service.sent[1:]} == {"GET"}


def test_a_404_of_the_service_counts_only_if_a_source_documents_the_read(run: Run) -> None:
    assert served(nothing, run, create)[0].state == "not_applied"
    found = served(nothing, run, lambda c: c.payments.reverse("p1"))[0]
    assert found.state == "undecided"
    # For campaigns, a source also documents the list.
    listed = served(
        lambda sent: page({"object": "Campaign", "id": "c2"}) if "/campaigns/" not in sent.path else nothing(sent),
        run,
        lambda c: c.campaigns.create(Campaign(id="c1")),
    )[0]
    assert (listed.state, "campaigns.list" in listed.evidence) == ("not_applied", True)


def test_an_endless_list_proves_nothing(run: Run) -> None:
    pages = iter(range(1000))

    def endless(sent: Sent) -> httpx.Response:
        if "/campaigns/" in sent.path:
            return nothing(sent)
        number = next(pages)
        return page({"object": "Campaign", "id": f"x{number}"}, next_link=f"/rest/campaigns?starting_after=x{number}")

    found, service, _ = served(endless, run, lambda c: c.campaigns.create(Campaign(id="c1")))
    assert (found.state, "more than 20 pages" in found.evidence) == ("undecided", True)
    assert len(service.sent) <= 1 + 2 * 21


def test_a_link_is_missing_only_if_two_reads_agree(run: Run) -> None:
    """A missing link was removed, whoever removed it. One read of one replica doesn't prove that it's missing."""

    def remove(client: Any) -> Any:
        return client.accounts.remove_child("a1", "a2")

    once = RetryPolicy(max_attempts=1)
    found, service, _ = served(nothing, run, remove, retry=once)
    assert (found.state, len(service.sent), service.time.slept) == ("in_effect", 3, [2])
    replies = iter((answer(ERROR, status=404), *[answer({"object": "Account", "id": "a2"})] * 4))
    found, _, _ = served(lambda _: next(replies), run, remove, retry=once, later=60.0)
    assert (found.state, found.safe_to_retry) == ("not_applied", True)
    replies = iter((answer(ERROR, status=404), answer({"object": "Account", "id": "a2"})))
    found, _, _ = served(lambda _: next(replies), run, remove, retry=once, wait=False)
    assert found.state == "undecided"


def test_after_a_success_status_the_verdict_is_never_not_applied(run: Run) -> None:
    """A page with status 200, perhaps from a proxy, doesn't show whether the service carried out the call."""
    service = Always(lambda sent: nothing(sent) if sent.method == "GET" else answer(b"<html>", status=200))

    async def story(client: Any) -> Verdict:
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(create(client))
        assert caught.value.likely_applied
        return await run.now(client.resolve(caught.value))

    found: Verdict = run("billing", story, transport=service)
    assert (found.state, "although the response was a success" in found.evidence) == ("undecided", True)


@pytest.mark.parametrize("when", [None, "today", "nextBill"])
def test_a_plan_change_that_no_read_shows_may_have_been_billed(run: Run, when: str | None) -> None:
    """A change that was made, billed, and reverted looks like no change, whatever its effective date was."""
    shown = {"object": "Subscription", "id": "s1", "vid": "v1", "billing_plan": {"id": "old", "vid": "v2"}}
    change = change_plan("s1", "new")
    found, service, _ = served(
        lambda _: answer(shown), run, lambda c: c.subscriptions.update("s1", change, effective_date=when)
    )
    assert (found.state, found.safe_to_retry) == ("undecided", False)
    assert found.evidence == (
        "subscriptions.update: subscriptions.retrieve shows s1 with other values (billing_plan.id), and not whether "
        "anything was billed."
    )
    assert [each.method for each in service.sent].count("POST") == 1


@pytest.mark.parametrize(("status", "state"), [("Captured", "in_effect"), ("New", "undecided")])
def test_a_finished_sign_up_is_in_effect(run: Run, status: str, state: str) -> None:
    """The evidence is the payment of the transaction that the redirect named."""
    log = [{"object": "TransactionStatus", "status": status}]

    def reads(sent: Sent) -> httpx.Response:
        assert sent.path == "/rest/transactions/t1"
        return answer({"object": "Transaction", "id": "t1", "status_log": log})

    found, _, _ = served(reads, run, lambda c: c.subscriptions.finish("t1"))
    assert (found.state, found.safe_to_retry) == (state, False)
    assert found.support_details.endswith("; transaction: t1")


def test_the_support_details_do_not_call_a_transaction_a_transaction_id(run: Run) -> None:
    """In the documentation, a transaction ID is the merchant's ID of an entitlement charge."""
    refund = Refund(id="r1", amount=Decimal(1))
    found, _, _ = served(lambda _: httpx.Response(502), run, lambda c: c.refunds.create("SBX1", refund))
    assert found.support_details.endswith("; transaction: SBX1; identifier: r1")
    charge = Transaction(id="t1", to_be_captured=True)
    found, _, _ = served(lambda _: httpx.Response(502), run, lambda c: c.transactions.create(charge))
    assert found.support_details.endswith("; transaction: t1")


def test_not_applied_takes_two_reads_and_one_wait(run: Run) -> None:
    found, service, error = served(nothing, run, create)
    assert found.state == "not_applied"
    assert [sent.method for sent in service.sent] == ["POST", "GET", "GET"]
    assert len(service.time.slept) == 1
    assert 0 < service.time.slept[0] <= 30
    assert error.sent_at is not None


@pytest.mark.parametrize(
    ("later", "after", "slept"), [(0, 30, [30]), (10, 30, [20]), (29, 30, [2]), (31, 30, [2]), (0, 0, [2])]
)
def test_the_wait_counts_from_the_time_of_sending(run: Run, later: float, after: float, slept: list[float]) -> None:
    found, service, _ = served(nothing, run, create, later=later, not_applied_after=after)
    assert (found.state, service.time.slept) == ("not_applied", slept)
    assert len(service.sent) == 3


@pytest.mark.hazard("H134")
def test_a_clock_that_is_ahead_does_not_shorten_the_wait(run: Run) -> None:
    found, service, _ = served(nothing, run, create, skew=3600.0)
    assert (found.state, service.time.slept) == ("not_applied", [30])
    early, service, _ = served(nothing, run, create, skew=3600.0, later=31.0, wait=False)
    assert (early.state, service.time.slept) == ("undecided", [])


def test_resolve_without_wait_never_sleeps(run: Run) -> None:
    found, service, _ = served(nothing, run, create, wait=False)
    assert (found.state, service.time.slept, len(service.sent)) == ("undecided", [], 2)
    assert "30 s" in found.evidence
    found, service, _ = served(nothing, run, create, wait=False, later=30.0)
    assert (found.state, service.time.slept, len(service.sent)) == ("undecided", [], 2)
    assert found.evidence.endswith("; a single check doesn't prove that something is missing.")
    # `resolve` doesn't sleep for a retry of a read either.
    retry = RetryPolicy(max_attempts=3)
    found, service, _ = served(lambda _: answer(ERROR, status=503), run, create, wait=False, later=40.0, retry=retry)
    assert (found.state, service.time.slept) == ("undecided", [])


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        ((404, 403, 404), "not_applied"),  # two reads agree, and one is unusable
        ((404, 403, 403), "undecided"),
        ((403,), "undecided"),
    ],
)
def test_a_failed_read_does_not_count(run: Run, statuses: tuple[int, ...], state: str) -> None:
    replies = iter(statuses)
    found, service, _ = served(lambda _: answer(ERROR, status=next(replies)), run, create, later=60.0)
    assert (found.state, len(service.sent)) == (state, 1 + len(statuses))


def test_resolve_waits_after_a_failed_first_read(run: Run) -> None:
    replies = iter((403, 404, 404))
    found, service, _ = served(lambda _: answer(ERROR, status=next(replies)), run, create)
    assert (found.state, len(service.sent), len(service.time.slept)) == ("not_applied", 4, 2)


def test_the_clock_of_the_service_decides_whether_a_resource_is_newer_than_the_write(run: Run) -> None:
    def shown(created: str, date: str | None) -> Callable[[Sent], httpx.Response]:
        more = {} if date is None else {"Date": date}
        return lambda _: answer({"object": "Account", "id": "a1", "name": "Ann", "created": created}, **more)

    # The call is sent at 00:16:40 by the client's clock.
    assert undated(shown("2026-01-01T00:16:40Z", None), run, create)[0].state == "in_effect"
    assert served(shown("2026-01-01T00:16:40Z", None), run, create)[0].state == "applied"
    assert served(shown("2026-01-01T00:16:39Z", None), run, create)[0].state == "in_effect"
    ahead = "Thu, 01 Jan 2026 00:26:40 GMT"
    assert served(shown("2026-01-01T00:16:50Z", ahead), run, create, wait=False)[0].state == "in_effect"
    assert served(shown("2026-01-01T00:26:41Z", ahead), run, create, wait=False)[0].state == "applied"
    assert served(shown("2026-01-01T00:16:41Z", "nonsense"), run, create)[0].state == "in_effect"


@pytest.mark.hazard("H130")
def test_only_reads_can_be_sent() -> None:
    class Driver:
        def exchange(self, *_: object) -> object:
            raise AssertionError("it was sent")

    def steps() -> Any:
        yield Read(
            Operation(method="POST", template="/x", path=("x",), reader=None, safety=Safety.WRITE),  # type: ignore[arg-type]  # never read
            "accounts.create",
        )

    with pytest.raises(AssertionError, match="isn't a read"):
        run_blocking(Driver(), steps())  # type: ignore[arg-type]  # never used


def test_a_closed_client_resolves_nothing(run: Run) -> None:
    service = Always(lambda _: lost())

    async def story() -> None:
        client = run.client("billing", transport=service)
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(create(client))
        await run.close(client)
        with pytest.raises(ClientClosedError):
            await run.now(client.resolve(caught.value))

    asyncio.run(story())
