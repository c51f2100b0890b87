"""Cached responses, and a service's clock that differs from the client's, prove nothing (H216, H217)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest

from kit.calls import Run, Sent, answer, page
from kit.clocks import FakeTime
from resolve.cached import CachedService, http_date
from resolve.test_reads import ERROR, create, nothing
from resolve.test_reads import undated as served
from subscribekit import RetryPolicy, Verdict
from subscribekit.errors import OutcomeUnknownError
from subscribekit.models import Account, Refund, Subscription

SENT = 1000
"""The second of the kit's clock at which the first request is sent."""


def dated(reply: httpx.Response, seconds: float | None, age: str | None = None) -> httpx.Response:
    """Set the headers of a service or a cache in a response. The seconds count from the write."""
    if seconds is not None:
        reply.headers["Date"] = http_date(SENT + seconds)
    if age is not None:
        reply.headers["Age"] = age
    return reply


def absent(seconds: float | None, age: str | None = None) -> httpx.Response:
    """Return the 404 of a missing resource."""
    return dated(answer(ERROR, status=404), seconds, age)


def in_turn(*seconds: float | None) -> Callable[[Sent], httpx.Response]:
    """Return a function that responds with a 404, each time with the next `Date`."""
    dates = iter(seconds)
    return lambda _: absent(next(dates))


ONCE = RetryPolicy(max_attempts=1)


def remove(client: Any) -> Any:
    return client.accounts.remove_child("a1", "a2")


def refund(client: Any) -> Any:
    return client.refunds.create("t1", Refund(id="r1", amount=Decimal(5)))


async def resolved(run: Run, client: Any, **options: Any) -> Verdict:
    """Lose the response to a refund, and return the verdict."""
    with pytest.raises(OutcomeUnknownError) as caught:
        await run.now(refund(client))
    found: Verdict = await run.now(client.resolve(caught.value, **options))
    return found


@pytest.mark.hazard("H216")
@pytest.mark.parametrize("sends_age", [True, False], ids=["with Age", "without Age"])
@pytest.mark.parametrize("honors_no_cache", [True, False], ids=["asks", "keeps"])
@pytest.mark.parametrize("read_before", [True, False], ids=["read before", "not read before"])
def test_the_verdict_for_a_refund_behind_a_cache_is_never_not_applied(
    run: Run, honors_no_cache: bool, sends_age: bool, read_before: bool
) -> None:
    """If `resolve` trusted two reads that get the same cached response, the caller would make the refund again."""
    cache = CachedService(FakeTime(), honors_no_cache=honors_no_cache, sends_age=sends_age)

    async def story() -> Verdict:
        client = cache.client(run)
        if read_before:
            assert [item async for item in run.every(client.refunds.list("t1", limit=100))] == []
            cache.time.sleep(5)
        found = await resolved(run, client)
        await run.close(client)
        return found

    with cache.serving():
        found = asyncio.run(story())
    assert len(cache.refunds) == 1
    assert not found.safe_to_retry
    assert found.state == ("undecided" if read_before and sends_age and not honors_no_cache else "applied")


def test_a_cache_that_never_refreshes_leaves_the_verdict_undecided(run: Run) -> None:
    cache = CachedService(FakeTime(), honors_no_cache=False, sends_age=False)
    cache.TTL = 10_000.0

    async def story() -> Verdict:
        client = cache.client(run)
        assert [item async for item in run.every(client.refunds.list("t1", limit=100))] == []
        found = await resolved(run, client)
        await run.close(client)
        return found

    with cache.serving():
        found = asyncio.run(story())
    assert (found.state, found.safe_to_retry) == ("undecided", False)


def test_the_reads_of_resolve_request_no_cached_response(run: Run) -> None:
    _, service, _ = served(nothing, run, create)
    write, *reads = service.sent
    assert {sent.method for sent in reads} == {"GET"}
    assert {(sent.headers["cache-control"], sent.headers["pragma"]) for sent in reads} == {("no-cache", "no-cache")}
    assert not {"cache-control", "pragma"} & set(write.headers)


def test_no_page_of_a_list_is_requested_from_a_cache(run: Run) -> None:
    def reply(sent: Sent) -> httpx.Response:
        last = "starting_after" in sent.url
        link = None if last else "/rest/transactions/t1/refunds?starting_after=x1"
        return page({"object": "Refund", "id": "x2" if last else "x1"}, next_link=link)

    found, service, _ = served(reply, run, refund)
    assert (found.state, len(service.sent)) == ("not_applied", 5)
    assert all(sent.headers.get("cache-control") == "no-cache" for sent in service.sent[1:])


def test_a_cache_control_header_of_the_client_does_not_apply_to_the_reads_of_resolve(run: Run) -> None:
    headers = {"Cache-Control": "max-stale", "X-Shop": "1"}
    _, service, _ = served(nothing, run, create, headers=headers)
    assert service.sent[0].headers["cache-control"] == "max-stale"
    assert {sent.headers["cache-control"] for sent in service.sent[1:]} == {"no-cache"}
    assert {sent.headers["x-shop"] for sent in service.sent} == {"1"}


@pytest.mark.hazard("H216")
@pytest.mark.parametrize("age", ["1", "3600", "0, 5", "-1", "soon", "0.5", "9" * 5000])
def test_a_response_with_an_age_decides_nothing(run: Run, age: str) -> None:
    found, _, _ = served(lambda _: absent(60, age), run, create)
    assert (found.state, "was read from a cache" in found.evidence) == ("undecided", True)
    assert len(found.evidence) < 200
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": "2026-01-01T00:16:41Z"}
    found, _, _ = served(lambda _: dated(answer(shown), 60, age), run, create)
    assert (found.state, found.result) == ("undecided", None)


@pytest.mark.parametrize("age", ["0", "00", " 0 ", "", None])
@pytest.mark.parametrize("ahead", [0, 3600, -20])
def test_dates_that_advance_with_the_time_lead_to_a_verdict(run: Run, age: str | None, ahead: int) -> None:
    dates = iter((0, 30, 32) if ahead >= 0 else (-20, 10, 12))
    found, _, _ = served(lambda _: absent(next(dates) + max(ahead, 0), age), run, create)
    assert found.state == "not_applied"


@pytest.mark.hazard("H216")
@pytest.mark.parametrize(
    ("dates", "later"),
    [
        ([-3600, -3600, -3600], 60),
        ([-1, -1, -1], 60),
        ([0, 0, 0], 60),
        ([9, 8, 9], 60),
        ([1, None, 9], 60),
        ([None, 1, None], 60),
        ([0, 1, 1], 0),  # cached a second after the write, which arrived in the tenth second
        ([0, 10, 10], 0),
        ([5, 5, 7], 0),  # a clock that is 5 s ahead, and two cached responses
        ([-1, 10, 10], 0),
    ],
    ids=str,
)
def test_dates_that_do_not_advance_with_the_time_decide_nothing(
    run: Run, dates: list[float | None], later: float
) -> None:
    found, _, _ = served(in_turn(*dates), run, create, later=later)
    assert (found.state, found.safe_to_retry) == ("undecided", False), found


@pytest.mark.parametrize(
    ("dates", "later", "slept"),
    [
        ([0, 0, 32], 0, [30, 2]),  # one cached response between two new ones
        ([-9, 30, 32], 0, [30, 2]),
        ([-9, 62, 64], 60, [2, 2]),  # a cache that refreshes while it returns a cached response
        ([60, 62], 60, [2]),
        ([-1, 29, 31], 0, [30, 2]),  # a clock that is a second behind
    ],
    ids=str,
)
def test_a_cached_response_next_to_two_new_ones_does_not_prevent_a_verdict(
    run: Run, dates: list[float], later: float, slept: list[float]
) -> None:
    found, service, _ = served(in_turn(*dates), run, create, later=later)
    assert (found.state, service.time.slept) == ("not_applied", slept)


@pytest.mark.parametrize(
    ("dates", "says"),
    [
        ([60, 60, 60], "; the Date headers of the reads don't advance with the time between them."),
        ([-99, -99, 64], "; a single check doesn't prove that something is missing."),
    ],
)
def test_the_evidence_says_why_an_absence_does_not_count(run: Run, dates: list[float], says: str) -> None:
    found, service, _ = served(in_turn(*dates), run, create, later=60)
    assert (found.state, found.evidence.endswith(says), service.time.slept) == ("undecided", True, [2, 2])


@pytest.mark.hazard("H216")
def test_a_cached_page_among_new_ones_decides_nothing(run: Run) -> None:
    """The refund is on the second page, and the cache returns this page from before the refund."""

    def reply(sent: Sent) -> httpx.Response:
        now = sent_at.seconds - SENT
        if "starting_after" in sent.url:
            return dated(page(), 1)
        found = page({"object": "Refund", "id": "x1"}, next_link="/rest/transactions/t1/refunds?starting_after=x1")
        return dated(found, now)

    sent_at = FakeTime()
    found, _, _ = served(reply, run, refund, time=sent_at)
    assert (found.state, found.safe_to_retry) == ("undecided", False)


@pytest.mark.hazard("H216")
def test_a_cached_404_does_not_show_that_a_child_was_removed(run: Run) -> None:
    found, _, _ = served(lambda _: absent(1), run, remove, retry=ONCE)
    assert found.state == "undecided"
    found, service, _ = served(in_turn(0, 2), run, remove, retry=ONCE)
    assert (found.state, service.time.slept) == ("in_effect", [2])


@pytest.mark.parametrize("later", [0, 60])
def test_one_read_without_a_wait_does_not_prove_that_a_resource_is_missing(run: Run, later: float) -> None:
    for use in (create, remove):
        found, service, _ = served(nothing, run, use, later=later, wait=False, retry=ONCE)
        assert (found.state, len(service.sent), service.time.slept) == ("undecided", 2, [])
    assert found.evidence.endswith("a single check doesn't prove that something is missing.")


# Clocks


@pytest.mark.hazard("H217")
def test_a_cached_response_does_not_set_the_clock(run: Run) -> None:
    """By the `Date` of the cached response, a resource from 40 minutes before the write would count as its result."""
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": "2025-12-31T23:36:40Z"}
    found, _, _ = served(lambda _: dated(answer(shown), -2460), run, create)
    assert (found.state, "2460 s before the write" in found.evidence) == ("undecided", True)


@pytest.mark.hazard("H217")
@pytest.mark.parametrize(("behind", "later"), [(45, 0.0), (45, 10.0), (45, 44.0), (3600, 600.0)])
def test_the_evidence_names_a_clock_that_is_behind_by_more_than_the_time_since_the_write(
    run: Run, behind: int, later: float
) -> None:
    time = FakeTime()
    found, _, _ = served(
        lambda _: absent(time.seconds - SENT - behind), run, create, later=later, time=time, wait=False
    )
    assert (found.state, f"the service's clock is {behind} s behind" in found.evidence) == ("undecided", True)


def test_a_clock_that_is_behind_by_less_leads_to_a_verdict(run: Run) -> None:
    time = FakeTime()
    found, _, _ = served(lambda _: absent(time.seconds - SENT - 45), run, create, not_applied_after=60.0, time=time)
    assert (found.state, time.slept) == ("not_applied", [60, 2])


def test_a_date_in_the_second_of_the_write_is_not_before_it(run: Run) -> None:
    """The write is sent half a second after a full second, and a `Date` has whole seconds."""
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": "2026-01-01T00:16:40.600Z"}
    reads: Callable[[Sent], httpx.Response] = lambda _: dated(answer(shown), 0)  # noqa: E731  shorter than a function
    assert served(reads, run, create, begin=0.5, wait=False)[0].state == "applied"
    assert served(reads, run, create, begin=1.0, wait=False)[0].state == "undecided"


@pytest.mark.hazard("H134")
def test_a_sender_whose_clock_is_ahead_does_not_make_each_response_seem_old(run: Run) -> None:
    time = FakeTime()
    found, _, _ = served(lambda _: absent(time.seconds - SENT), run, create, skew=3600.0, time=time)
    assert (found.state, time.slept) == ("not_applied", [30])


@pytest.mark.parametrize("date", ["Thu Jan  1 00:16:30 2026", "Thursday, 01-Jan-26 00:16:30 GMT"])
def test_a_date_in_an_older_format_is_accepted(run: Run, date: str) -> None:
    found, _, _ = served(lambda _: answer(ERROR, status=404, Date=date), run, create)
    assert (found.state, "10 s before the write" in found.evidence) == ("undecided", True)


@pytest.mark.parametrize("behind", [20, -600, 0])
@pytest.mark.parametrize(("made", "state"), [(0, "applied"), (1, "applied"), (-2, "in_effect")])
def test_created_is_compared_with_the_clock_of_the_service(run: Run, behind: int, made: int, state: str) -> None:
    created = http_created(made - behind)
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": created}
    found, _, _ = served(lambda _: dated(answer(shown), 25 - behind), run, create, later=25.0, wait=False)
    assert found.state == state


def test_created_is_compared_with_the_date_that_is_furthest_ahead(run: Run) -> None:
    """The first read shows that the service's clock is 60 s ahead. The second response was cached for 30 s."""
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": http_created(40)}
    replies = iter((absent(60), dated(answer(shown), 60)))
    found, _, _ = served(lambda _: next(replies), run, create)
    assert found.state == "in_effect"  # created 20 s before the write, by the service's clock


def http_created(seconds: float) -> str:
    """Return a time in the format of a resource's `created`."""
    from resolve.cached import BEGIN

    return (BEGIN + timedelta(seconds=SENT + seconds)).isoformat()


def test_the_clock_of_the_service_counts_for_refunds_without_an_id(run: Run) -> None:
    shown = {"object": "Refund", "id": "SBR1", "amount": 5, "created": http_created(-590)}
    for made, state in ((0, "undecided"), (-600, "in_effect")):
        found, _, _ = served(
            lambda _, made=made: dated(page(shown), 31 + made),  # type: ignore[misc]  # binds the loop's value
            run,
            lambda c: c.refunds.create("t1", Refund(amount=Decimal(5))),
            later=31.0,
            wait=False,
        )
        assert found.state == ("undecided" if made else state)


def test_a_cached_response_does_not_decide_about_an_update(run: Run) -> None:
    old = {"object": "Account", "id": "a1", "vid": "v1", "name": "Ann"}
    new = {**old, "name": "Renamed"}
    replies = iter((dated(answer(old), -60), dated(answer(new), 30)))
    found, _, _ = served(lambda _: next(replies), run, lambda c: c.accounts.update("a1", Account(name="Renamed")))
    assert found.state == "in_effect"
    assert found.result is not None
    gone = {"object": "Subscription", "id": "s1", "status": "Active"}
    found, _, _ = served(lambda _: dated(answer(gone), 1), run, lambda c: c.subscriptions.cancel("s1"))
    assert (found.state, isinstance(found.result, Subscription)) == ("undecided", True)
