"""The verdict for a write that was carried out is never `not_applied`, whatever caches and clocks do (H216, H217).

The model knows when each response was created. The service's clock differs by any number of seconds. One limit remains,
which the guide names: if each response lags by the same time, `resolve` can't distinguish this from a clock that is
behind.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kit.calls import Run, Sent, answer
from kit.clocks import FakeTime
from resolve.cached import http_date
from resolve.test_reads import ERROR, create
from resolve.test_reads import undated as served
from samples import SHARE
from subscribekit import Verdict

AFTER = 30.0
LATEST = 20.0
"""The write takes effect at most this many seconds after it's sent, which is well before `AFTER`."""
SLOWEST = 3.0
TOLERANCE = 2.5
"""Seconds by which the lags of two responses may differ unnoticed: a `Date` has whole seconds, and clocks drift."""


@dataclass(frozen=True)
class Given:
    """The response of a cache to one read.

    Attributes:
        kept: The time at which the response was created, in seconds after sending, or `None` for a new response.
        age: The `Age` header: `true` for the true age, `0`, which may be false, or `None` for no header.
        took: The seconds that the read takes.
    """

    kept: float | None = None
    age: str | None = None
    took: float = 0.0


@dataclass
class World:
    """A service, a cache in front of it, and three clocks. Times are seconds after sending, by the client's clock.

    Args:
        ahead: The seconds by which the service's clock is ahead.
        made: The time at which the resource is created.
        responses: The responses of the cache, in order.
    """

    ahead: float
    made: float
    responses: list[Given]
    begin: float = 0.0
    lags: list[float] = field(default_factory=list[float])

    def verdict(self, later: float, style: Any = "blocking", *, wait: bool = True) -> Verdict:
        """Lose the response to a write, resolve the outcome some seconds later, and return the verdict."""
        time, given = FakeTime(), iter(self.responses)

        def reply(_: Sent) -> httpx.Response:
            now = time.seconds - 1000.0 - self.begin
            response = next(given)
            time.seconds += response.took
            made = now if response.kept is None or response.kept > now else response.kept
            self.lags.append(now - made)
            found = answer(self.shown()) if made >= self.made else answer(ERROR, status=404)
            found.headers["Date"] = http_date(1000.0 + self.begin + made + self.ahead)
            if response.age is not None:
                found.headers["Age"] = str(int(now - made)) if response.age == "true" else response.age
            return found

        found, _, _ = served(
            reply, Run(style), create, time=time, begin=self.begin, later=later, not_applied_after=AFTER, wait=wait
        )
        assert isinstance(found, Verdict)
        return found

    def shown(self) -> dict[str, object]:
        """Return the resource, whose `created` has whole seconds."""
        created = http_date(1000.0 + self.begin + self.made + self.ahead)
        moment = httpx.Response(200, headers={"Date": created})
        return {"object": "Account", "id": "a1", "name": "Ann", "created": _iso(moment.headers["Date"])}


def _iso(date: str) -> str:
    from email.utils import parsedate_to_datetime

    return parsedate_to_datetime(date).isoformat()


seconds = st.integers(-4000, 700_000).map(lambda each: each / 1000)
aheads = st.one_of(st.just(0.0), st.floats(-100, 100), st.sampled_from([-3600.0, 3600.0, 30.0, -30.0, 32.0]))
ages = st.sampled_from([None, "true", "0"])
durations = st.sampled_from([0.0, 0.4, SLOWEST])
laters = st.sampled_from([0.0, 1.7, 29.0, 31.0, 600.0])
begins = st.floats(0, 0.999)
arrivals = st.floats(0, LATEST)


@st.composite
def with_one_kept_response(draw: st.DrawFn) -> World:
    """Draw a world whose cache repeats one response without the resource, between new ones. Some have an age."""
    made = draw(arrivals)
    kept = draw(st.one_of(st.floats(-120, made), st.floats(-4000, -1), st.floats(0, made)).filter(lambda at: at < made))
    responses = [Given(kept if draw(st.booleans()) else None, draw(ages), draw(durations)) for _ in range(3)]
    return World(draw(aheads), made, responses, draw(begins))


@st.composite
def with_any_kept_responses(draw: st.DrawFn) -> World:
    """Draw a world in which each read gets a new response, or one from any time before the resource was created."""
    made = draw(arrivals)
    before = st.one_of(st.none(), st.floats(-4000, made), st.floats(-40, made)).filter(
        lambda at: at is None or at < made
    )
    return World(draw(aheads), made, [Given(draw(before), draw(ages), draw(durations)) for _ in range(3)], draw(begins))


@pytest.mark.hazard("H216")
@settings(max_examples=400 // SHARE)
@given(with_one_kept_response(), laters)
@example(World(0.0, 20.0, [Given(), Given(10.0), Given(10.0)]), 0.0)  # cached while the write was in flight
@example(World(5.0, 20.0, [Given(), Given(-25.0), Given(-25.0)]), 0.0)
def test_one_cached_response_never_makes_a_write_seem_not_applied(world: World, later: float) -> None:
    found = world.verdict(later)
    assert found.state != "not_applied", (found, world.lags)
    assert not found.safe_to_retry


@pytest.mark.hazard("H216")
@settings(max_examples=200 // SHARE)
@given(aheads, arrivals, st.floats(-600, 0), st.lists(ages, min_size=3, max_size=3), laters, begins)
def test_a_cache_that_refreshes_after_each_response_never_makes_a_write_seem_not_applied(
    ahead: float, made: float, first: float, age_headers: list[str | None], later: float, begin: float
) -> None:
    """Each read gets the response that the cache requested at the read before, as with a TTL of 1 s and grace."""
    at = [later, later + 2.0 if later > AFTER else max(AFTER, later + 2.0)]
    responses = [Given(first, age_headers[0]), Given(at[0], age_headers[1]), Given(at[1], age_headers[2])]
    assert World(ahead, made, responses, begin).verdict(later).state != "not_applied"


@pytest.mark.hazard("H216")
@settings(max_examples=400 // SHARE)
@given(with_any_kept_responses(), laters)
def test_only_a_lag_that_two_reads_share_hides_a_write(world: World, later: float) -> None:
    found = world.verdict(later)
    if found.state == "not_applied":
        first, second = sorted(world.lags)[:2]
        assert first > 0, (found, world.lags)
        assert second - first <= TOLERANCE + SLOWEST, (found, world.lags)


@pytest.mark.hazard("H217")
@settings(max_examples=300 // SHARE)
@given(aheads, st.floats(-300, -0.001), st.lists(st.one_of(st.none(), st.floats(-300, 700)), min_size=3, max_size=3),
       laters, begins, st.booleans())  # fmt: skip
def test_an_older_resource_does_not_count_as_the_result_of_the_write(
    ahead: float, made: float, kept: list[float | None], later: float, begin: float, wait: bool
) -> None:
    """Another call created an equal resource before, and the write never arrived."""
    responses = [Given(None if each is None or each < made else each) for each in kept]
    world = World(ahead, made, responses, begin)
    if world.verdict(later, wait=wait).state == "applied":
        assert -made <= min(world.lags) + TOLERANCE, world.lags


@settings(max_examples=200 // SHARE)
@given(st.floats(-9, 4000), arrivals, laters, begins, st.lists(durations, min_size=3, max_size=3))
@example(0.0, 1.0, 0.0, 0.0, [3.0, 3.0, 3.0])  # missing in the first read, and no read is quick
def test_new_responses_always_lead_to_a_verdict(
    ahead: float, made: float, later: float, begin: float, slow: list[float]
) -> None:
    """Without a cache, and with a clock that isn't far behind, `resolve` finds each write that was carried out.

    A read that takes longer than a second doesn't show the service's time, so the verdict is only `in_effect`.
    """
    found = World(ahead, made, [Given(took=each) for each in slow], begin).verdict(later)
    assert found.state == ("applied" if min(slow) <= 1 else "in_effect"), found
    never = World(ahead, 10_000.0, [Given(took=each) for each in slow], begin).verdict(later)
    assert never.state == "not_applied", never
