"""Whatever a cache keeps, and whatever the clocks show, a write that was made is not called `not_applied` (H216, H217).

The model knows when each response was made, by a clock that is off by any number of seconds. One limit remains, which
the guide names: a response that lags by the same time in each look cannot be distinguished from a clock that is behind.
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
"""The write takes effect at most so many seconds after it is sent: well before `after`."""
SLOWEST = 3.0
TOLERANCE = 2.5
"""Seconds by which the lags of two responses may differ unnoticed: a `Date` has whole seconds, and clocks drift."""


@dataclass(frozen=True)
class Given:
    """The response of a cache in one look.

    Attributes:
        kept: Seconds after sending at which the response was made; `None` for a new one.
        age: Whether it tells its age: `true`, a `0` that is a lie, or none.
        took: Seconds that the read takes.
    """

    kept: float | None = None
    age: str | None = None
    took: float = 0.0


@dataclass
class World:
    """A service, a cache before it, and three clocks; times are seconds after sending, by the client's clock.

    Args:
        ahead: How far the service's clock is ahead.
        made: When the resource is made.
        looks: The responses of the cache, in turn.
    """

    ahead: float
    made: float
    looks: list[Given]
    begin: float = 0.0
    lags: list[float] = field(default_factory=list[float])

    def verdict(self, later: float, style: Any = "blocking", *, wait: bool = True) -> Verdict:
        """Lose a write, and resolve it some seconds later."""
        time, given = FakeTime(), iter(self.looks)

        def reply(_: Sent) -> httpx.Response:
            now = time.seconds - 1000.0 - self.begin
            look = next(given)
            time.seconds += look.took
            made = now if look.kept is None or look.kept > now else look.kept
            self.lags.append(now - made)
            found = answer(self.shown()) if made >= self.made else answer(ERROR, status=404)
            found.headers["Date"] = http_date(1000.0 + self.begin + made + self.ahead)
            if look.age is not None:
                found.headers["Age"] = str(int(now - made)) if look.age == "true" else look.age
            return found

        found, _, _ = served(
            reply, Run(style), create, time=time, begin=self.begin, later=later, not_applied_after=AFTER, wait=wait
        )
        assert isinstance(found, Verdict)
        return found

    def shown(self) -> dict[str, object]:
        """Give the resource, whose `created` has whole seconds."""
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
    """One response that shows no resource is given again and again, between new ones; some of them tell their age."""
    made = draw(arrivals)
    kept = draw(st.one_of(st.floats(-120, made), st.floats(-4000, -1), st.floats(0, made)).filter(lambda at: at < made))
    looks = [Given(kept if draw(st.booleans()) else None, draw(ages), draw(durations)) for _ in range(3)]
    return World(draw(aheads), made, looks, draw(begins))


@st.composite
def with_any_kept_responses(draw: st.DrawFn) -> World:
    """Each look gets its own response, made at any time before the resource, or a new one."""
    made = draw(arrivals)
    before = st.one_of(st.none(), st.floats(-4000, made), st.floats(-40, made)).filter(
        lambda at: at is None or at < made
    )
    return World(draw(aheads), made, [Given(draw(before), draw(ages), draw(durations)) for _ in range(3)], draw(begins))


@pytest.mark.hazard("H216")
@settings(max_examples=400 // SHARE)
@given(with_one_kept_response(), laters)
@example(World(0.0, 20.0, [Given(), Given(10.0), Given(10.0)]), 0.0)  # kept while the write was under way
@example(World(5.0, 20.0, [Given(), Given(-25.0), Given(-25.0)]), 0.0)
def test_one_kept_response_never_says_that_a_write_was_not_made(world: World, later: float) -> None:
    found = world.verdict(later)
    assert found.state != "not_applied", (found, world.lags)
    assert not found.safe_to_retry


@pytest.mark.hazard("H216")
@settings(max_examples=200 // SHARE)
@given(aheads, arrivals, st.floats(-600, 0), st.lists(ages, min_size=3, max_size=3), laters, begins)
def test_a_cache_that_asks_anew_after_each_response_never_says_so(
    ahead: float, made: float, first: float, told: list[str | None], later: float, begin: float
) -> None:
    """Each look gets what the cache asked for at the look before: ttl 1 s with grace."""
    at = [later, later + 2.0 if later > AFTER else max(AFTER, later + 2.0)]
    looks = [Given(first, told[0]), Given(at[0], told[1]), Given(at[1], told[2])]
    assert World(ahead, made, looks, begin).verdict(later).state != "not_applied"


@pytest.mark.hazard("H216")
@settings(max_examples=400 // SHARE)
@given(with_any_kept_responses(), laters)
def test_only_a_lag_that_the_looks_have_alike_hides_a_write(world: World, later: float) -> None:
    found = world.verdict(later)
    if found.state == "not_applied":
        first, second = sorted(world.lags)[:2]
        assert first > 0, (found, world.lags)
        assert second - first <= TOLERANCE + SLOWEST, (found, world.lags)


@pytest.mark.hazard("H217")
@settings(max_examples=300 // SHARE)
@given(aheads, st.floats(-300, -0.001), st.lists(st.one_of(st.none(), st.floats(-300, 700)), min_size=3, max_size=3),
       laters, begins, st.booleans())  # fmt: skip
def test_a_resource_of_before_is_not_taken_for_the_write_s(
    ahead: float, made: float, kept: list[float | None], later: float, begin: float, wait: bool
) -> None:
    """Another call made the same a while before, and the write never arrived."""
    looks = [Given(None if each is None or each < made else each) for each in kept]
    world = World(ahead, made, looks, begin)
    if world.verdict(later, wait=wait).state == "applied":
        assert -made <= min(world.lags) + TOLERANCE, world.lags


@settings(max_examples=200 // SHARE)
@given(st.floats(-9, 4000), arrivals, laters, begins, st.lists(durations, min_size=3, max_size=3))
@example(0.0, 1.0, 0.0, 0.0, [3.0, 3.0, 3.0])  # not there at the first look, and no read is quick
def test_new_responses_always_decide(ahead: float, made: float, later: float, begin: float, slow: list[float]) -> None:
    """Where no cache is between, and the clock is not far behind, each write that was made is found.

    A read that takes longer than a second does not show when it was made.
    """
    found = World(ahead, made, [Given(took=each) for each in slow], begin).verdict(later)
    assert found.state == ("applied" if min(slow) <= 1 else "in_effect"), found
    never = World(ahead, 10_000.0, [Given(took=each) for each in slow], begin).verdict(later)
    assert never.state == "not_applied", never
