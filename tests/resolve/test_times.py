"""The ages of a write and of the resources in the reads, measured with clocks that nobody can set (H400 to H402)."""

from __future__ import annotations

import asyncio
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import httpx
import pytest

from kit.calls import Always, Run, Sent, answer, page
from kit.clocks import FakeTime
from resolve.cached import BEGIN, http_date
from resolve.test_reads import ERROR, create
from resolve.test_reads import undated as served
from subscribekit import RetryPolicy
from subscribekit._core.calls.moments import Moment, ServiceDates, moment_at, since_1970
from subscribekit._core.calls.outcomes.record import MOMENT
from subscribekit._core.calls.outcomes.unknown_outcome import RECORD
from subscribekit._core.config.clock import SYSTEM, Clock, uptime
from subscribekit.errors import OutcomeUnknownError
from subscribekit.models import Account, Activity, Credit, CurrencyAmount, Refund
from subscribekit.models.activity import ActivityNote

SENT = 1000
"""The second of the kit's clock at which the first request is sent."""
BOOTED = 5000.0
"""The seconds by which the machine's boot clock is ahead of the kit's clock."""


@dataclass
class SteppedTime(FakeTime):
    """A clock whose system time can be changed."""

    step: float = 0.0

    def clock(self) -> Clock:
        return replace(
            super().clock(),
            now=lambda: BEGIN + timedelta(seconds=self.seconds + self.step),
            uptime=lambda: ("boot-1", self.seconds + BOOTED),
        )


def shown_at(seconds: float) -> str:
    """Return a time in the format of a resource. The seconds count from the write."""
    moment = BEGIN + timedelta(seconds=SENT + seconds)
    return moment.isoformat()


class Reads:
    """A service whose reads take some seconds, and which sets the `Date` at the start or the end of each read.

    Args:
        time: The clock.
        shows: Returns the response to a read.
        took: The seconds that each read takes, in order. The last number applies to all further reads.
        late: Whether the `Date` is set at the end of a read.
        ahead: The seconds by which the service's clock is ahead.
    """

    def __init__(
        self, time: FakeTime, shows: Callable[[], httpx.Response], *took: float, late: bool = False, ahead: float = 0.0
    ) -> None:
        self.time, self.shows, self.took, self.late, self.ahead = time, shows, list(took) or [0.0], late, ahead

    def __call__(self, _: Sent) -> httpx.Response:
        took = self.took.pop(0) if len(self.took) > 1 else self.took[0]
        began = self.time.seconds
        self.time.seconds += took
        found = self.shows()
        found.headers["Date"] = http_date((self.time.seconds if self.late else began) + self.ahead)
        return found


def account(created: float, **more: Any) -> Callable[[], httpx.Response]:
    return lambda: answer({"object": "Account", "id": "a1", "name": "Ann", "created": shown_at(created), **more})


def nothing() -> httpx.Response:
    return answer(ERROR, status=404)


# A slow read


@pytest.mark.hazard("H400")
@pytest.mark.parametrize("late", [True, False], ids=["Date at the end", "Date at the beginning"])
@pytest.mark.parametrize(("took", "made"), [(5.0, -3), (5.0, -4.9), (1.1, -1.05), (60.0, -3), (1.0, -1.5)])
def test_after_a_slow_read_an_older_resource_is_not_the_result_of_the_write(
    run: Run, took: float, made: float, late: bool
) -> None:
    time = FakeTime()
    found, _, _ = served(Reads(time, account(made), took, late=late), run, create, time=time)
    assert (found.state, found.result.id) == ("in_effect", "a1"), found


@pytest.mark.hazard("H400")
@pytest.mark.parametrize(("older", "state"), [(1.5, "in_effect"), (1.05, "in_effect"), (0.5, "applied")])
def test_a_resource_that_is_up_to_a_second_older_counts_as_the_result(run: Run, older: float, state: str) -> None:
    """The `Date` loses 0.9 s by rounding, and the read takes 0.9 s after the `Date` is set."""
    time = FakeTime()
    found, _, _ = served(Reads(time, account(0.9 - older), 0.9), run, create, time=time, begin=0.9)
    assert found.state == state


@pytest.mark.hazard("H400")
def test_a_quicker_read_decides_what_a_slower_one_left_open(run: Run) -> None:
    """The service may have set the first `Date` at the start of the read, or at its end."""
    time = FakeTime()
    found, service, _ = served(Reads(time, account(0.25), 0.9, 0.1, late=True), run, create, time=time, begin=0.2)
    assert (found.state, len(service.sent), service.time.slept) == ("applied", 3, [2])


@pytest.mark.hazard("H400")
def test_the_quickest_of_three_reads_shows_the_time_of_the_service(run: Run) -> None:
    for made, state in ((0.0, "applied"), (-3.0, "in_effect")):
        time = FakeTime()
        found, service, _ = served(Reads(time, account(made), 5.0, 5.0, 0.2), run, create, time=time)
        assert (found.state, len(service.sent)) == (state, 4)
    time = FakeTime()
    found, service, _ = served(Reads(time, account(0.0), 5.0), run, create, time=time)
    assert (found.state, len(service.sent)) == ("in_effect", 4)
    found, service, _ = served(Reads(time, account(0.0), 5.0), run, create, time=FakeTime(), wait=False)
    assert (found.state, len(service.sent), service.time.slept) == ("in_effect", 2, [])


@pytest.mark.hazard("H400")
@pytest.mark.parametrize("took", [0.0, 5.0])
def test_without_a_usable_read_a_time_of_creation_proves_nothing(run: Run, took: float) -> None:
    """In the first case, no response has a `Date`. In the second case, the reads take too long."""
    refund = {"object": "Refund", "id": "SBR1", "amount": 5, "created": shown_at(1)}
    granted = {"object": "CurrencyAmount", "currency": "USD", "amount": 5, "granted": shown_at(1)}
    activity = {
        "object": "Activity",
        "type": "Note",
        "account": {"id": "a1"},
        "note_args": {"note": "Hi"},
        "created": shown_at(1),
    }
    cases: list[tuple[Callable[[Any], Any], Callable[[], httpx.Response], str]] = [
        (create, account(1), "in_effect"),
        (create, account(1, name="Bob"), "undecided"),
        (lambda c: c.refunds.create("t1", Refund(amount=Decimal(5))), lambda: page(refund), "undecided"),
        (
            lambda c: c.accounts.grant_credit(
                "a1", Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=Decimal(5))])
            ),
            lambda: answer({"object": "Credit", "currency_amounts": [granted]}),
            "undecided",
        ),
        (
            lambda c: c.activities.create(
                Activity(account=Account(id="a1"), type="Note", note_args=ActivityNote(note="Hi"))
            ),
            lambda: page(activity),
            "undecided",
        ),
    ]
    for use, shows, state in cases:
        time = FakeTime()
        reads: Any = Reads(time, shows, took) if took else lambda _, shows=shows: shows()
        found, _, _ = served(reads, run, use, time=time)
        assert found.state == state, found


@pytest.mark.hazard("H400")
def test_a_later_failed_read_does_not_hide_the_resource(run: Run) -> None:
    """A resource that is missing in a later read proves nothing."""
    for end, state in ((answer(ERROR, status=403), "in_effect"), (nothing(), "undecided")):
        replies = iter((account(1)(), account(1)(), end))
        time = FakeTime()
        found, _, _ = served(Reads(time, lambda replies=replies: next(replies), 5.0), run, create, time=time)  # type: ignore[misc]  # binds the loop's value
        assert found.state == state


# A change of the system time


@pytest.mark.hazard("H401")
@pytest.mark.parametrize("step", [60.0, 86_400.0, -60.0])
def test_a_change_of_the_system_time_does_not_shorten_the_wait(run: Run, step: float) -> None:
    time = SteppedTime()

    def set_time(_: OutcomeUnknownError) -> None:
        time.step = step

    found, service, _ = served(Reads(time, nothing), run, create, time=time, later=2.0, change=set_time)
    assert (found.state, service.time.slept) == ("not_applied", [28])


@pytest.mark.hazard("H401")
@pytest.mark.parametrize("step", [60.0, 3600.0])
@pytest.mark.parametrize(("made", "state"), [(-30, "in_effect"), (-1.5, "in_effect"), (0, "applied"), (1, "applied")])
def test_a_change_of_the_system_time_does_not_move_the_write(run: Run, step: float, made: float, state: str) -> None:
    time = SteppedTime()

    def set_time(_: OutcomeUnknownError) -> None:
        time.step = step

    found, _, _ = served(Reads(time, account(made)), run, create, time=time, later=2.0, change=set_time)
    assert found.state == state


# Another process


def elsewhere(error: Any, *, boot: str = "boot-1", uptime: float | None = None, told: bool = True) -> None:
    """Change the moment in an error to a moment of another process."""
    moment = Moment.of(dict(error.record)[MOMENT])
    assert moment is not None
    moment = moment._replace(process="another", boot=boot, service=moment.service if told else None)
    if uptime is not None:
        moment = moment._replace(uptime=uptime)
    error.record = (*(pair for pair in error.record if pair[0] != MOMENT), (MOMENT, str(moment)))


def stepped(time: SteppedTime, step: float, **how: Any) -> Callable[[Any], None]:
    """Return a function that changes the system time, and changes an error to an error of another process."""

    def change(error: Any) -> None:
        time.step = step
        elsewhere(error, **how)

    return change


@pytest.mark.hazard("H401")
@pytest.mark.parametrize("step", [0.0, 3600.0, -60.0])
def test_another_process_of_the_machine_measures_with_the_boot_clock(run: Run, step: float) -> None:
    time = SteppedTime()
    change = stepped(time, step, told=False)
    found, service, _ = served(Reads(time, nothing), run, create, time=time, later=10.0, change=change)
    assert (found.state, service.time.slept) == ("not_applied", [20])
    for made, state in ((0.0, "applied"), (-30.0, "in_effect")):
        time = SteppedTime()
        change = stepped(time, max(step, 0.0), told=False)
        found, _, _ = served(Reads(time, account(made)), run, create, time=time, later=10.0, change=change)
        assert found.state == state


async def lose_after_a_read(run: Run, client: Any, use: Callable[[Any], Any]) -> Any:
    """Read, so that the client knows the service's time; then lose the response to a write, and return the error."""
    await run.now(client.accounts.retrieve("a9"))
    with pytest.raises(OutcomeUnknownError) as caught:
        await run.now(use(client))
    return pickle.loads(pickle.dumps(caught.value))


def resolved_elsewhere(
    run: Run,
    reads: Callable[[], httpx.Response],
    later: float,
    *,
    dated: bool = True,
    told: bool = True,
    **options: Any,
) -> tuple[Any, list[float]]:
    """Lose a write on a machine whose system time is an hour behind, and resolve it on another machine."""
    time = SteppedTime(step=-3600.0)

    def reply(sent: Sent) -> httpx.Response:
        if sent.method != "GET":
            raise httpx.ReadTimeout("lost")
        ours = sent.path.endswith("a9")
        found = answer({"object": "Account", "id": "a9"}) if ours else reads()
        if ours or dated:
            found.headers["Date"] = http_date(time.seconds)
        return found

    service = Always(reply)
    service.time, service.clock = time, time.clock()

    async def story(client: Any) -> Any:
        error = await lose_after_a_read(run, client, create)
        elsewhere(error, boot="boot-0", told=told)
        time.seconds += later
        time.step = 0.0
        time.slept.clear()
        return await run.now(client.resolve(error, **options))

    return run("billing", story, transport=service, retry=RetryPolicy(max_attempts=1)), time.slept


@pytest.mark.hazard("H401")
def test_another_machine_measures_with_the_clock_of_the_service(run: Run) -> None:
    """By the system times, an hour has passed. A `Date` has whole seconds, so `resolve` waits one second more."""
    found, slept = resolved_elsewhere(run, nothing, 10.0)
    assert (found.state, slept) == ("not_applied", [21])
    found, slept = resolved_elsewhere(run, nothing, 60.0)
    assert (found.state, slept) == ("not_applied", [2])
    found, slept = resolved_elsewhere(run, nothing, 10.0, wait=False)
    assert (found.state, slept) == ("undecided", [])
    assert "the request may still be in flight for 21 s" in found.evidence
    for made, state in ((0.0, "applied"), (-30.0, "in_effect"), (-2.0, "in_effect")):
        assert resolved_elsewhere(run, account(made), 10.0)[0].state == state


@pytest.mark.hazard("H401")
@pytest.mark.parametrize(("dated", "told"), [(False, True), (True, False), (False, False)])
def test_without_a_common_clock_the_wait_counts_from_the_start_of_resolve(run: Run, dated: bool, told: bool) -> None:
    found, slept = resolved_elsewhere(run, nothing, 3600.0, dated=dated, told=told)
    assert (found.state, slept) == ("not_applied", [30])
    found, slept = resolved_elsewhere(run, nothing, 3600.0, dated=dated, told=told, wait=False)
    assert (found.state, slept) == ("undecided", [])
    assert (
        "no clock shows when the request was sent, so a missing resource counts only after a wait of 30 s"
        in found.evidence
    )
    found, slept = resolved_elsewhere(run, account(1.0), 3600.0, dated=dated, told=told)
    assert (found.state, slept) == ("in_effect", [])


def test_another_interpreter_measures_with_the_boot_clock(run: Run) -> None:
    """Another interpreter, which has its own monotonic clock, parses the moment of an error."""
    moment = Moment.of(str(moment_at(SYSTEM, ServiceDates(), time.monotonic(), datetime.now(UTC))))
    assert moment is not None
    program = (
        "import sys\n"
        "from subscribekit._core.calls.moments import Moment\n"
        "from subscribekit._core.config.clock import SYSTEM\n"
        "print(Moment.of(sys.argv[1]).age(SYSTEM))\n"
    )
    age = subprocess.run(
        [sys.executable, "-c", program, str(moment)], capture_output=True, text=True, check=True, timeout=60
    ).stdout
    assert age.strip() == "None" if uptime() is None else 0 <= float(age) < 60
    assert moment.age(SYSTEM) is not None


@pytest.mark.parametrize(
    "text", [None, "", "a b", "p 1.0 - 2.0 -", "p x - 2.0 - -", "p 1.0 - inf - -", "p 1.0 - 2.0 1e300 1e300", "p " * 6]
)
def test_a_damaged_moment_shows_no_time(text: str | None) -> None:
    assert Moment.of(text) is None


def test_a_moment_survives_a_round_trip_as_text() -> None:
    for service in (None, (timedelta(seconds=1_767_226_600.123456), timedelta(seconds=1_767_226_601.5))):
        moment = Moment("p", 1000.1, "boot-1", 6000.25, service)
        assert Moment.of(str(moment)) == moment


@pytest.mark.hazard("H402")
def test_the_date_that_is_furthest_ahead_shows_the_time_of_the_service() -> None:
    """A `Date` from a cache, of a slow response, or next to an `Age` doesn't set the service's time."""
    dates = ServiceDates()
    assert dates.at(0.0) is None
    dates.note({"date": http_date(100)}, 9.5, 10.0)
    dates.note({"date": http_date(130), "age": "0"}, 39.9, 40.0)
    dates.note({"date": http_date(120)}, 49.9, 50.0)  # cached
    dates.note({"date": http_date(200), "age": "3"}, 50.0, 50.1)
    dates.note({"date": http_date(300)}, 50.0, 60.0)
    dates.note({"date": "soon"}, 60.0, 60.1)
    dates.note({}, 61.0, 61.1)
    begin = since_1970(BEGIN)
    assert dates.at(70.0) == (begin + timedelta(seconds=160), begin + timedelta(seconds=161.5))


@pytest.mark.hazard("H402")
@pytest.mark.parametrize("date", ["Mon, 01 Jan 0001 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_date_at_either_end_of_the_calendar_breaks_nothing(run: Run, date: str) -> None:
    def reply(sent: Sent) -> httpx.Response:
        if sent.method != "GET":
            raise httpx.ReadTimeout("lost")
        return answer({"object": "Account", "id": sent.path.rpartition("/")[2], "name": "Ann"}, Date=date)

    async def story(client: Any) -> Any:
        return await run.now(client.resolve(await lose_after_a_read(run, client, create)))

    found = run("billing", story, transport=Always(reply))
    assert found.state in ("in_effect", "undecided")


@pytest.mark.hazard("H402")
def test_a_response_from_before_the_write_is_detected_with_the_clock_of_the_service(run: Run) -> None:
    """The system time was a minute behind when the write was sent, so by this time a cached response seems new."""
    time = SteppedTime(step=-60.0)

    def reply(sent: Sent) -> httpx.Response:
        if sent.method != "GET":
            raise httpx.ReadTimeout("lost")
        if sent.path.endswith("a9"):
            return answer({"object": "Account", "id": "a9"}, Date=http_date(time.seconds))
        found = account(-50)()  # older than the cached response, which is older than the write
        found.headers["Date"] = http_date(SENT - 40)
        return found

    service = Always(reply)
    service.time, service.clock = time, time.clock()

    async def story(client: Any) -> Any:
        error = await lose_after_a_read(run, client, create)
        time.step = 0.0
        return await run.now(client.resolve(error, wait=False))

    found = run("billing", story, transport=service)
    assert (found.state, "is 40 s before the write (cause: a cache kept the response)" in found.evidence) == (
        "undecided", True,
    )  # fmt: skip


@pytest.mark.hazard("H401")
def test_a_system_time_that_was_set_back_does_not_mix_up_two_calls(run: Run) -> None:
    """If one exception object interrupts two calls, it has the record of the second call."""
    time, interrupt = SteppedTime(), KeyboardInterrupt()

    def reply(_: Sent) -> httpx.Response:
        raise interrupt

    service = Always(reply)
    service.time, service.clock = time, time.clock()

    async def story() -> list[str | None]:
        client, named = run.client("billing", transport=service), list[str | None]()
        for name in ("first", "second"):
            with pytest.raises(KeyboardInterrupt):
                await run.now(client.accounts.create(Account(id=name)))
            named.append(getattr(interrupt, RECORD).reconcile_key)
            time.seconds += 1
            time.step -= 3600
        await run.close(client)
        return named

    assert asyncio.run(story()) == ["first", "second"]


def test_an_unreadable_boot_id_does_not_lose_the_outcome(run: Run) -> None:
    """The boot ID is in a file, and it's possible that no descriptor is free when a write is lost."""
    time = SteppedTime()

    def unreadable() -> tuple[str, float]:
        raise OSError(24, "Too many open files")

    def lose(_: Sent) -> httpx.Response:
        raise httpx.ReadTimeout("lost")

    service = Always(lose)
    service.clock = replace(time.clock(), uptime=unreadable)

    async def story(client: Any) -> None:
        with pytest.raises(OutcomeUnknownError) as caught:
            await run.now(create(client))
        moment = Moment.of(dict(caught.value.record)[MOMENT])
        assert moment is not None
        assert (moment.boot, moment._replace(process="another").age(service.clock)) == ("-", None)

    run("billing", story, transport=service)
