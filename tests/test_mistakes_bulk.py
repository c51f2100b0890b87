"""Mistakes with the values and methods of a bulk run: each is answered with what to write (H207)."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import Ledgered, client_of, jobs, opened
from subscribekit import AsyncGatewayClient
from subscribekit.bulk import AsyncRun, Rate, Stop
from subscribekit.errors import ConfigurationError, RequestError
from subscribekit.models import EntitlementChargeReceipt

RATE = "Rate(50, per=1.0)"
STOP = "Stop(rejected=100, unknown=20)"
PER = "Rate.per must be a number above 0 and at most 86,400"
REQUESTS = "Rate.requests must be a whole number from 1 to 10,000"
REJECTED = "Stop.rejected must be a whole number from 1 to 1,000,000,000,000"

VALUES: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "a number": (lambda: Stop(5), TypeError, f"Stop() takes its arguments by name: write {STOP}"),
    "a limit of errors": (
        lambda: Stop(max_errors=3), TypeError,
        "Stop() got an unexpected keyword argument 'max_errors': write Stop(rejected=100)",
    ),
    "a canary by its name": (
        lambda: Stop(canary=3), TypeError,
        "Stop() got an unexpected keyword argument 'canary': write Stop(after=20)",
    ),
    "a misspelled rule": (
        lambda: Stop(unknwon=3), TypeError,
        "Stop() got an unexpected keyword argument 'unknwon': did you mean unknown=?",
    ),
    "no rule at all": (
        lambda: Stop(cloud=3), TypeError,
        "Stop() got an unexpected keyword argument 'cloud': it takes rejected, unknown, after, amount and currency",
    ),
    "a share": (
        lambda: Stop(rejected=0.1), ConfigurationError, f"{REJECTED}, not float",
    ),
    "text": (
        lambda: Stop(rejected="5"), ConfigurationError, f"{REJECTED}, not str: write the number without quotes",
    ),
    "never": (lambda: Stop(rejected=0), ConfigurationError, f"{REJECTED}; to have no such rule, leave it out"),
    "a flag": (lambda: Stop(rejected=True), ConfigurationError, f"{REJECTED}, not bool"),
    "no rate": (lambda: Rate(), TypeError, f"Rate() needs requests=: write {RATE}"),
    "no requests": (lambda: Rate(per=1.0), TypeError, f"Rate() needs requests=: write {RATE}"),
    "three numbers": (
        lambda: Rate(50, 1.0, 3), TypeError, f"Rate() takes requests and per: write {RATE}",
    ),
    "requests twice": (lambda: Rate(50, requests=5), TypeError, f"Rate() got requests twice: write {RATE}"),
    "requests per second": (
        lambda: Rate(rps=50), TypeError, f"Rate() got an unexpected keyword argument 'rps': write {RATE}",
    ),
    "requests per minute": (
        lambda: Rate(per_minute=50), TypeError,
        "Rate() got an unexpected keyword argument 'per_minute': write Rate(50, per=60.0)",
    ),
    "seconds": (
        lambda: Rate(50, seconds=1), TypeError,
        "Rate() got an unexpected keyword argument 'seconds': write per=1.0, in seconds",
    ),
    "a burst": (
        lambda: Rate(50, burst=5), TypeError,
        "Rate() got an unexpected keyword argument 'burst': requests are spread evenly, without bursts",
    ),
    "requests in text": (
        lambda: Rate("50"), ConfigurationError, f"{REQUESTS}, not str: write {RATE}",
    ),
    "a rate in text": (
        lambda: Rate("50/s"), ConfigurationError, f"{REQUESTS}, not str: write {RATE}",
    ),
    "half a request": (
        lambda: Rate(0.5), ConfigurationError,
        f"{REQUESTS}, not float: write {RATE}; one in two seconds is Rate(1, per=2.0)",
    ),
    "no limit": (
        lambda: Rate(None), ConfigurationError, f"{REQUESTS}, not None: for no limit, leave rate= out of the run",
    ),
    "nothing": (lambda: Rate(0), ConfigurationError, REQUESTS),
    "a timedelta": (
        lambda: Rate(50, per=timedelta(seconds=1)), ConfigurationError,
        f"{PER}, not timedelta: write .total_seconds() after it",
    ),
    "a Decimal": (
        lambda: Rate(50, per=Decimal(1)), ConfigurationError, f"{PER}, not Decimal: write float(...) around it",
    ),
    "a unit": (
        lambda: Rate(50, per="second"), ConfigurationError, f"{PER}, not str: write it in seconds, per=1.0",
    ),
    "no time": (lambda: Rate(50, per=0), ConfigurationError, PER),
}  # fmt: skip


@pytest.mark.parametrize(("use", "kind", "sentence"), VALUES.values(), ids=VALUES)
def test_rates_and_rules_say_how_they_are_written(
    use: Callable[[], object], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        use()
    assert str(caught.value) == sentence


def test_right_ones_stay_what_they_were() -> None:
    assert Rate(50) == Rate(requests=50, per=1.0) == Rate(50, 1)
    assert (Stop(after=3).after, Stop().rejected) == (3, None)


OPTIONS = [
    (
        {"concurrency": "8"},
        "concurrency must be a whole number from 1 to 256, not str: write the number without quotes",
    ),
    ({"concurrency": 0}, "concurrency must be a whole number from 1 to 256"),
    (
        {"lease": timedelta(minutes=1)},
        "lease must be a number above 0 and at most 86,400, not timedelta: write .total_seconds() after it",
    ),
    (
        {"max_attempts": None},
        (
            "max_attempts must be a whole number from 1 to 1,000, not None: leave it out for the usual one, "
            "which cannot be switched off"
        ),
    ),
]


@pytest.mark.parametrize(("options", "sentence"), OPTIONS)
def test_a_run_says_what_its_numbers_are(options: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with client_of() as client, pytest.raises(ConfigurationError) as caught:
        opened(tmp_path / "l.db", client, **options)
    assert str(caught.value) == sentence


async def later() -> AsyncIterator[tuple[str, Any]]:
    yield "k", None


METHODS: dict[str, tuple[Callable[[Any, Any], object], type[Exception], str]] = {
    "a function that makes jobs": (
        lambda run, client: run.add(jobs), RequestError,
        "add takes pairs of a key and a plan, not a function: call it, and write add(jobs())",
    ),
    "one plan": (
        lambda run, client: run.add(next(jobs(client, 1))[1]), RequestError,
        "add takes pairs of a key and a plan, not a PlannedRequest: write add([(key, plan)])",
    ),
    "a key and a plan": (
        lambda run, client: run.add(*next(jobs(client, 1))), TypeError,
        "run.add() takes 2 positional arguments but 3 were given: write run.add([(key, plan)])",
    ),
    "nothing to add": (
        lambda run, client: run.add(None), RequestError,
        (
            "add takes pairs of a key and a plan, not None. If that is the result of a call, the call WAS carried out, "
            "and the ledger knows nothing of it: look what it did before you add it again, and write client.plan in "
            "front of it"
        ),
    ),
    "a result": (
        lambda run, client: run.add(EntitlementChargeReceipt(transaction_reference_id="r1")), RequestError,
        (
            "add takes pairs of a key and a plan, not an EntitlementChargeReceipt. If that is the result of a call, "
            "the call WAS carried out, and the ledger knows nothing of it: look what it did before you add it again, "
            "and write client.plan in front of it"
        ),
    ),
    "a dict of plans": (
        lambda run, client: run.add(dict(jobs(client, 2))), RequestError,
        "add takes pairs of a key and a plan, not a dict: write add(plans.items())",
    ),
    "an async generator": (
        lambda run, client: run.add(later()), RequestError,
        "add takes pairs of a key and a plan, not an async_generator: only AsyncRun takes what is async",
    ),
    "a number of results": (
        lambda run, client: run.results(10), TypeError,
        "run.results() takes 1 positional argument but 2 were given: write run.results(progress=True)",
    ),
    "a limit of results": (
        lambda run, client: run.results(limit=10), TypeError,
        (
            "run.results() got an unexpected keyword argument 'limit': write Run(..., stop=Stop(after=20)) to send "
            "so many"
        ),
    ),
    "items of a preview": (
        lambda run, client: run.preview(limit=3), TypeError,
        "run.preview() got an unexpected keyword argument 'limit': write run.preview(3)",
    ),
    "a preview in text": (
        lambda run, client: run.preview("3"), ConfigurationError,
        "n must be a whole number from 1 to 10,000, not str: write the number without quotes",
    ),
    "a state that is none": (
        lambda run, client: run.items("failed"), RequestError,
        "state must be one of ready, sent, done, rejected, unknown, or None",
    ),
    "a note by place": (
        lambda run, client: next(run.items()).record_outcome("done", "ticket 88"), TypeError,
        (
            "item.record_outcome() takes 2 positional arguments but 3 were given: write "
            "item.record_outcome('not_done', note='ticket 88')"
        ),
    ),
    "a reason": (
        lambda run, client: next(run.items()).record_outcome("done", reason="ticket 88"), TypeError,
        "item.record_outcome() got an unexpected keyword argument 'reason': write note='ticket 88'",
    ),
    "a receipt": (
        lambda run, client: next(run.items()).record_outcome("done", receipt="ptx-1"), TypeError,
        (
            "item.record_outcome() got an unexpected keyword argument 'receipt': write "
            "result=EntitlementChargeReceipt(transaction_reference_id='...')"
        ),
    ),
    "no state": (
        lambda run, client: next(run.items()).record_outcome(), TypeError,
        (
            "item.record_outcome() missing 1 required positional argument: 'state': write "
            "item.record_outcome('not_done', note='ticket 88')"
        ),
    ),
    "another state": (
        lambda run, client: next(run.items()).record_outcome("ready"), RequestError,
        "the outcome of an item is recorded as 'done', 'not_done' or 'rejected'; 'not_done' sends it again",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "kind", "sentence"), METHODS.values(), ids=METHODS)
def test_the_methods_of_a_run_say_what_they_take(
    use: Callable[[Any, Any], object], kind: type[Exception], sentence: str, tmp_path: Path
) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 1))
        with pytest.raises(kind) as caught:
            use(run, client)
        assert str(caught.value) == sentence
    assert service.arrived == []


AWAITED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "a key and a plan": (
        lambda run: run.add("k", None),
        "run.add() takes 2 positional arguments but 3 were given: write await run.add([(key, plan)])",
    ),
    "items of a preview": (
        lambda run: run.preview(limit=3),
        "run.preview() got an unexpected keyword argument 'limit': write run.preview(3)",
    ),
    "no plan": (
        lambda run: run.once("k"),
        "run.once() missing 1 required positional argument: 'plan': write await run.once(key, plan)",
    ),
    "a report nowhere": (
        lambda run: run.report(),
        "run.report() missing 1 required positional argument: 'path': write await run.report('report.csv')",
    ),
    "seconds": (
        lambda run: run.resolve(timeout=3),
        "run.resolve() got an unexpected keyword argument 'timeout': write after=30.0",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "sentence"), AWAITED.values(), ids=AWAITED)
def test_the_methods_of_an_async_run_say_it_too(use: Callable[[Any], Any], sentence: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            AsyncGatewayClient(environment="sandbox") as client,
            AsyncRun(tmp_path / "l.db", client) as run,
        ):
            with pytest.raises(TypeError) as caught:
                await use(run)
            assert str(caught.value) == sentence

    asyncio.run(story())


def test_settling_says_it_awaited_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            AsyncGatewayClient(environment="sandbox") as client,
            AsyncRun(tmp_path / "l.db", client) as run,
        ):
            await run.add(jobs(client, 1))
            item = await anext(run.items())
            with pytest.raises(TypeError) as caught:
                await item.record_outcome("done", "ticket 88")
            assert str(caught.value) == (
                "item.record_outcome() takes 2 positional arguments but 3 were given: "
                "write await item.record_outcome('not_done', note='ticket 88')"
            )

    asyncio.run(story())


@pytest.mark.parametrize("name", ["add", "preview", "once", "report", "resolve"])
def test_an_advised_method_stays_awaitable(name: str) -> None:
    method = getattr(AsyncRun, name)
    assert inspect.iscoroutinefunction(method)
    assert method.__qualname__ == f"AsyncRun.{name}"
    assert "self" in inspect.signature(method).parameters


def test_the_items_of_a_run_have_no_length_and_say_what_has(tmp_path: Path) -> None:
    told = "reads items as they are asked for and has no length: write"
    with client_of(Ledgered()) as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 3))
        for use in (len, bool):
            with pytest.raises(TypeError) as caught:
                use(run.items("unknown"))
            assert str(caught.value) == f"run.items('unknown') {told} run.counts().unknown"
        with pytest.raises(TypeError) as caught:
            len(run.items())  # type: ignore[arg-type]  # that is the mistake
        assert str(caught.value) == f"run.items() {told} run.counts().total"
        assert len(list(run.items())) == run.counts().total == 3
        with closing(run.items("ready")) as some:
            assert next(some).state == "ready"
        assert list(some) == []


def test_the_items_of_an_async_run_say_it_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with (
            AsyncGatewayClient(environment="sandbox") as client,
            AsyncRun(tmp_path / "l.db", client) as run,
        ):
            with pytest.raises(TypeError, match=r"write \(await run\.counts\(\)\)\.done$"):
                bool(run.items("done"))
            assert [each async for each in run.items()] == []

    asyncio.run(story())
