"""Responses that a cache kept, and clocks that differ: they decide nothing (H216, H217)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.kit import Always, Run, Sent, answer, page
from resolve.test_reads import ERROR, create, lost, nothing, served
from subscribekit import Verdict
from subscribekit.errors import OutcomeUnknownError
from subscribekit.models import Refund

SENT = datetime(2026, 1, 1, 0, 16, 40, tzinfo=UTC)
"""When the clock of the kit sends the first request."""


def dated(reply: httpx.Response, made: datetime, age: str | None = None) -> httpx.Response:
    """Give a response the headers of a service or a cache."""
    reply.headers["Date"] = format_datetime(made, usegmt=True)
    if age is not None:
        reply.headers["Age"] = age
    return reply


def refund(client: Any) -> Any:
    return client.refunds.create("t1", Refund(id="r1", amount=Decimal(5)))


class Cached:
    """A service behind a cache that keeps each response for `ttl` seconds, and gives it once more while it asks anew.

    Args:
        honours: Whether the cache asks the service where a request says `no-cache`.
        tells: Whether a kept response bears `Age`.
        behind: Seconds that the clock of the service is behind that of the client.
    """

    def __init__(self, ttl: float = 1.0, *, honours: bool = False, tells: bool = False, behind: float = 0.0) -> None:
        self._ttl, self._honours, self._tells, self._behind = ttl, honours, tells, behind
        self._kept: dict[str, tuple[float, bytes, int]] = {}
        self.refunds: list[dict[str, object]] = []

    def reply(self, sent: Sent, now: float) -> httpx.Response:
        """Give a kept response, a stale one too, and then ask the service for the next reader."""
        fresh = (now, page(*self.refunds).content, 200)
        kept = self._kept.get(sent.path)
        self._kept[sent.path] = fresh if kept is None or now - kept[0] > self._ttl else kept
        if kept is None or (self._honours and sent.headers.get("cache-control") == "no-cache"):
            kept = fresh
        made = SENT + timedelta(seconds=kept[0] - self._behind)
        age = str(int(now - kept[0])) if self._tells and now > kept[0] else None
        return dated(answer(kept[1], status=kept[2]), made, age)


@pytest.mark.hazard("H216")
@pytest.mark.parametrize("tells", [True, False], ids=["with Age", "without Age"])
@pytest.mark.parametrize("honours", [True, False], ids=["asks", "keeps"])
@pytest.mark.parametrize("read_before", [True, False], ids=["read before", "not read before"])
def test_a_refund_behind_a_cache_is_never_called_not_made(
    run: Run, honours: bool, tells: bool, read_before: bool
) -> None:
    """Both looks, half a minute apart, got one kept response, and the refund was made again."""
    cache = Cached(honours=honours, tells=tells)

    def reply(sent: Sent) -> httpx.Response:
        if sent.method == "GET":
            return cache.reply(sent, service.time.seconds - begin)
        cache.refunds.append({"object": "Refund", "id": "r1", "amount": 5, "created": "2026-01-01T00:16:40Z"})
        return lost()

    service = Always(reply)
    begin = service.time.seconds

    async def story(client: Any) -> Verdict:
        if read_before:
            assert [item async for item in run.every(client.refunds.list("t1", limit=100))] == []
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(refund(client))
        return await run.now(client.resolve(caught.value))

    found: Verdict = run("billing", story, transport=service)
    assert found.state != "not_applied"
    assert not found.repeatable
    assert len(cache.refunds) == 1


def test_reads_of_resolve_ask_the_service_and_no_cache(run: Run) -> None:
    _, service, _ = served(nothing, run, create)
    write, *reads = service.sent
    assert {sent.method for sent in reads} == {"GET"}
    assert {(sent.headers["cache-control"], sent.headers["pragma"]) for sent in reads} == {("no-cache", "no-cache")}
    assert "cache-control" not in write.headers


@pytest.mark.hazard("H216")
@pytest.mark.parametrize("age", ["1", "3600", "0, 5", "-1", "soon", "9" * 5000])
def test_an_age_decides_nothing(run: Run, age: str) -> None:
    found, _, _ = served(lambda _: dated(answer(ERROR, status=404), SENT + timedelta(minutes=1), age), run, create)
    assert (found.state, "was read from a cache" in found.evidence) == ("undecided", True)
    assert len(found.evidence) < 200


@pytest.mark.parametrize("age", ["0", None])
def test_responses_that_advance_decide(run: Run, age: str | None) -> None:
    dates = iter(SENT + timedelta(seconds=each) for each in (0, 1))
    found, _, _ = served(lambda _: dated(answer(ERROR, status=404), next(dates), age), run, create)
    assert found.state == "not_applied"


@pytest.mark.hazard("H216")
@pytest.mark.parametrize(
    "dates",
    [
        [SENT - timedelta(hours=1)] * 3,
        [SENT - timedelta(seconds=1)] * 3,
        [SENT + timedelta(seconds=1)] * 3,  # one kept response
        [SENT + timedelta(seconds=9), SENT + timedelta(seconds=8), SENT + timedelta(seconds=9)],
        [SENT + timedelta(seconds=1), None, SENT + timedelta(seconds=9)],  # from two places
        [None, SENT + timedelta(seconds=1), None],
    ],
    ids=["an hour before", "a second before", "the same", "back and forth", "without one between", "with one between"],
)
def test_looks_whose_dates_do_not_advance_decide_nothing(run: Run, dates: list[datetime | None]) -> None:
    given_dates = iter(dates)

    def reply(_: Sent) -> httpx.Response:
        made = next(given_dates)
        return answer(ERROR, status=404) if made is None else dated(answer(ERROR, status=404), made)

    found, _, _ = served(reply, run, create, later=60.0)
    assert found.state == "undecided", found
    assert not found.repeatable


def test_one_kept_response_and_two_new_ones_decide(run: Run) -> None:
    dates = iter(SENT + timedelta(seconds=each) for each in (5, 5, 7))
    found, service, _ = served(lambda _: dated(answer(ERROR, status=404), next(dates)), run, create)
    assert (found.state, service.time.slept) == ("not_applied", [30, 2])


@pytest.mark.hazard("H216")
def test_what_is_gone_from_a_kept_response_is_not_gone(run: Run) -> None:
    made = SENT + timedelta(seconds=1)
    found, _, _ = served(
        lambda _: dated(answer(ERROR, status=404), made), run, lambda c: c.accounts.remove_child("a1", "a2")
    )
    assert found.state == "undecided"


@pytest.mark.hazard("H217")
def test_a_kept_response_does_not_set_the_clock(run: Run) -> None:
    """A resource of 40 minutes before the write was `applied`: the clocks were compared by the old response's Date."""
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": "2025-12-31T23:36:40Z"}
    found, _, _ = served(lambda _: dated(answer(shown), SENT - timedelta(minutes=41)), run, create)
    assert (found.state, "2460 s before the write" in found.evidence) == ("undecided", True)


@pytest.mark.hazard("H217")
def test_a_clock_that_is_far_behind_is_said(run: Run) -> None:
    clock: Callable[[], float] = lambda: service.time.seconds - begin  # noqa: E731  needs the service below
    service = Always(
        lambda sent: (
            dated(answer(ERROR, status=404), SENT + timedelta(seconds=clock() - 75)) if sent.method == "GET" else lost()
        )
    )
    begin = service.time.seconds

    async def story(client: Any) -> Verdict:
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(create(client))
        return await run.now(client.resolve(caught.value))

    found: Verdict = run("billing", story, transport=service)
    assert (found.state, "the service's clock is 75 s behind" in found.evidence) == ("undecided", True)


@pytest.mark.parametrize(("behind", "state"), [(20, "applied"), (-600, "applied"), (0, "applied")])
def test_created_is_compared_with_the_clock_of_the_service(run: Run, behind: int, state: str) -> None:
    made = SENT + timedelta(seconds=25 - behind)
    created = (SENT + timedelta(seconds=1 - behind)).isoformat()
    shown = {"object": "Account", "id": "a1", "name": "Ann", "created": created}
    found, _, _ = served(lambda _: dated(answer(shown), made), run, create, later=25.0, wait=False)
    assert found.state == state


MOMENTS = st.integers(-90, 120)
LOOKS = st.lists(st.tuples(st.none() | MOMENTS, st.sampled_from([None, "0", "1", "45"])), min_size=3, max_size=3)


@pytest.mark.hazard("H216", "H217")
@given(kept_at=st.integers(-3600, 0), served_as=LOOKS, later=st.sampled_from([0.0, 29.0, 31.0, 600.0]))
def test_responses_made_before_the_write_never_say_that_it_was_not_made(
    kept_at: int, served_as: list[tuple[int | None, str | None]], later: float
) -> None:
    """One response, made before the write, is given with whatever `Age`, beside responses without a resource."""
    stale = SENT + timedelta(seconds=kept_at - 1)
    looks = iter(served_as)

    def reply(_: Sent) -> httpx.Response:
        moment, age = next(looks)
        if moment is None:  # the service itself, which shows what was made
            shown = {"object": "Account", "id": "a1", "name": "Ann", "created": "2026-01-01T00:16:41Z"}
            return dated(answer(shown), SENT + timedelta(seconds=later + 30))
        return dated(answer(ERROR, status=404), stale, age)

    found, _, _ = served(reply, Run("blocking"), create, later=later)
    assert found.state in ("applied", "in_effect", "undecided")
