"""`partition` divides a list by creation time. Together, the partitions contain each item once (H289)."""

from __future__ import annotations

import asyncio
import pickle
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from export.windows import Account, Meaning, Windows, account
from kit.calls import Run
from looped import looped
from samples import SHARE
from subscribekit.errors import FilterNotAppliedError, InvalidArgumentError, InvalidResponseError, SubscribekitError
from subscribekit.export import Partition, checkpoint_of, partition, to_arrow
from subscribekit.sandbox import Sandbox

pytestmark = pytest.mark.hazard("H289")

SINCE = datetime(2015, 1, 1, tzinfo=UTC)
UNTIL = datetime(2026, 1, 1, tzinfo=UTC)
BORDERS = [
    Meaning(after_is_open=after, before_is_open=before, fractions=fractions)
    for after, before, fractions in product((True, False), repeat=3)
]


def spread(number: int, *, since: datetime = SINCE, until: datetime = UNTIL) -> list[Account]:
    """Return accounts with random creation times in a period."""
    chance = random.Random(number)
    span = (until - since) // timedelta(microseconds=1)
    return [account(each, since + timedelta(microseconds=chance.randrange(span))) for each in range(number)]


def divided(run: Run, service: Windows, **options: Any) -> list[Partition[Any]]:
    """Divide the list of accounts into partitions."""
    options = {"size": 50, "since": SINCE, "until": UNTIL, **options}

    async def story(client: Any) -> list[Partition[Any]]:
        found: list[Partition[Any]] = await run.now(partition(client.accounts.list, **options))
        return found

    partitions: list[Partition[Any]] = run("billing", story, transport=service)
    return partitions


def read(run: Run, service: Windows, partitions: Sequence[Partition[Any]]) -> list[str]:
    """Read partitions, and return the IDs of their accounts."""

    async def story(client: Any) -> list[str]:
        return [item.id for each in partitions for item in [item async for item in run.every(each.read(client))]]

    ids: list[str] = run("billing", story, transport=service)
    return ids


def everything(service: Windows) -> list[str]:
    return sorted(str(each["id"]) for each in service.accounts)


@pytest.mark.parametrize("meaning", BORDERS, ids=str)
def test_each_item_is_in_one_partition_however_the_service_interprets_the_filters(run: Run, meaning: Meaning) -> None:
    first = divided(run, Windows(spread(500), Meaning()))
    borders = [each.since + timedelta(microseconds=offset) for each in first for offset in (-1_000_000, -1, 0, 1)]
    accounts = spread(500) + [account(1000 + n, each) for n, each in enumerate(borders) if SINCE <= each < UNTIL]
    service = Windows(accounts, meaning)
    partitions = divided(run, service)
    assert sorted(read(run, service, partitions)) == everything(service)
    assert sorted(read(run, service, first)) == everything(service)
    assert all(each.count <= 50 for each in partitions)
    assert partitions[0].since == SINCE
    assert partitions[-1].until == UNTIL
    assert all(left.until == right.since for left, right in pairwise(partitions))


@settings(max_examples=60, deadline=None)
@given(
    seconds=st.lists(st.integers(0, 40), max_size=60),
    fractions=st.integers(0, 999_999),
    size=st.integers(1, 8),
    begin=st.integers(0, 1_999_999),
    length=st.integers(0, 30_000_000),
    meaning=st.sampled_from(BORDERS),
)
def test_each_item_of_any_list_is_in_one_partition(
    seconds: list[int], fractions: int, size: int, begin: int, length: int, meaning: Meaning
) -> None:
    since = SINCE + timedelta(microseconds=begin)
    until = since + timedelta(microseconds=length)
    times = [SINCE + timedelta(seconds=each, microseconds=fractions * (n % 2)) for n, each in enumerate(seconds)]
    service = Windows([account(n, each) for n, each in enumerate(times)], meaning)
    run = Run("blocking")
    partitions = divided(run, service, since=since, until=until, size=size)
    expected = sorted(f"a{n}" for n, each in enumerate(times) if since <= each < until)
    assert sorted(read(run, service, partitions)) == expected
    assert all(each.count <= size or each.until - each.since <= timedelta(seconds=1) for each in partitions)


@pytest.mark.parametrize("meaning", BORDERS[:4], ids=str)
def test_a_burst_enlarges_only_its_own_partitions(run: Run, meaning: Meaning) -> None:
    """A tenth of the accounts were created in one second, and half of them on one day."""
    day = datetime(2020, 2, 29, tzinfo=UTC)
    burst = [account(5000 + n, day + timedelta(days=300, microseconds=n)) for n in range(100)]
    on_one_day = [account(7000 + n, day + timedelta(seconds=160 * n)) for n in range(500)]
    service = Windows(spread(400) + burst + on_one_day, meaning)
    partitions = divided(run, service, size=40)
    assert next(each.count for each in partitions if each.count > 40) >= 100
    assert sum(each.count > 40 for each in partitions) <= 2  # the second of the burst, and the second after it
    assert len(partitions) < 1000 / 40 * 2.5
    assert len(service.sent) < 350
    assert sorted(read(run, service, partitions)) == everything(service)
    assert max(service.times_sent.values()) <= 2


CLOSED = Meaning(after_is_open=False, before_is_open=False)


@looped("seconds", range(0, 60, SHARE))
def test_a_second_with_more_items_than_size_is_not_divided_whatever_until_is(seconds: int) -> None:
    """The service includes both ends of a window, so several windows of one second contain the same items."""
    since, at = SINCE, SINCE + timedelta(minutes=30)
    until = at + timedelta(minutes=30, seconds=seconds)
    burst = [account(5000 + n, at) for n in range(20)]
    service, run = Windows(spread(9, since=since, until=at) + burst, CLOSED), Run("blocking")
    partitions = divided(run, service, size=8, until=until)
    assert sorted(read(run, service, partitions)) == everything(service)
    assert all(each.count <= 8 or each.until - each.since <= timedelta(seconds=1) for each in partitions)
    assert len(service.sent) < 120


@settings(max_examples=100 // SHARE)
@given(
    seconds=st.integers(0, 10_000),
    burst=st.integers(3, 12),
    micro=st.sampled_from([0, 1, 500_000, 999_999]),
    meaning=st.sampled_from(BORDERS),
    fraction=st.sampled_from([0, 250_000]),
)
def test_a_burst_at_any_moment_is_read_once(
    seconds: int, burst: int, micro: int, meaning: Meaning, fraction: int
) -> None:
    at = SINCE + timedelta(seconds=seconds, microseconds=micro)
    accounts = [account(n, at) for n in range(burst)] + [account(100, SINCE), account(101, at + timedelta(seconds=3))]
    service, run = Windows(accounts, meaning), Run("blocking")
    until = SINCE + timedelta(seconds=10_010, microseconds=fraction)
    assert sorted(read(run, service, divided(run, service, size=2, until=until))) == everything(service)


@pytest.mark.hazard("H418")
def test_an_item_that_becomes_visible_after_a_partition_is_in_the_next_one(run: Run) -> None:
    """The account was created 1 s before the first call, but is visible only after the partitions are read."""
    service = Windows(spread(20), Meaning())
    service.time.seconds = 0.0
    first = divided(run, service, until=None)
    found = read(run, service, first)
    service.accounts.append(account(900, UNTIL - timedelta(seconds=1)))
    service.time.seconds = 120.0
    found += read(run, service, divided(run, service, until=None, since=first[-1].until))
    assert sorted(found) == everything(service)


@pytest.mark.hazard("H418")
def test_until_is_60_seconds_before_the_call(run: Run) -> None:
    """`until` is a time of the client's clock with its microseconds. The request contains the next whole second."""
    service = Windows(spread(3), Meaning(fractions=False))
    service.time.seconds = 560.25
    partitions = divided(run, service, until=None)
    assert partitions[-1].until == datetime(2026, 1, 1, 0, 8, 20, 250_000, tzinfo=UTC)
    service.accounts.append(account(9, partitions[-1].until - timedelta(microseconds=1)))
    assert sorted(read(run, service, partitions)) == ["a0", "a1", "a2", "a9"]
    assert any(
        ("created_before", "2026-01-01T00:08:21+00:00") in sent.query for sent in service.sent if "?" in sent.url
    )


@pytest.mark.parametrize("seconds", [0, 59, -10])
def test_a_since_of_less_than_60_seconds_ago_is_refused(seconds: int, run: Run) -> None:
    service = Windows(spread(3), Meaning())
    since = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=service.time.seconds - seconds)
    with pytest.raises(InvalidArgumentError, match="since must be at least 60 seconds ago, unless until is set"):
        divided(run, service, until=None, since=since)
    assert service.sent == []
    assert len(divided(run, service, until=since, since=since)) == 1


@pytest.mark.parametrize("years", [2, 9])
def test_a_period_that_ended_years_ago_is_partitioned_even_if_items_were_created_later(years: int, run: Run) -> None:
    service = Windows(spread(300), Meaning())
    service.time.seconds = 0.0
    until = UNTIL - timedelta(days=365 * years)
    expected = sorted(str(each["id"]) for each in service.accounts if str(each["created"]) < until.isoformat())
    assert sorted(read(run, service, divided(run, service, until=until))) == expected
    assert 0 < len(expected) < 300


def test_an_empty_list_is_one_empty_partition(run: Run) -> None:
    service = Windows([], Meaning())
    (each,) = divided(run, service)
    assert (each.count, each.since, each.until) == (0, SINCE, UNTIL)
    assert read(run, service, [each]) == []


@pytest.mark.parametrize("without_time", [True, False])
def test_a_list_with_an_account_without_a_creation_time_is_refused(run: Run, without_time: bool) -> None:
    """The service may exclude the account from all windows or include it in each of them."""
    service = Windows([*spread(100), account(500, None)], Meaning(without_time=without_time))
    with pytest.raises(SubscribekitError, match=r"period in which no item|100 of \d+ items have a creation time"):
        divided(run, service)


def test_each_read_of_an_account_without_a_creation_time_raises_an_error_that_names_it(run: Run) -> None:
    service = Windows(spread(100), Meaning(without_time=True))
    each = divided(run, service, size=100)[0]
    service.accounts[50]["created"] = None

    async def story(client: Any) -> None:
        reading = run.iterator(each.read(client))
        for _ in range(50):
            await run.following(reading)
        for _ in range(2):
            with pytest.raises(InvalidResponseError, match="Account 'a50' has no creation time"):
                await run.following(reading)

    run("billing", story, transport=service)


def test_an_error_names_an_account_of_the_sandbox_without_a_creation_time() -> None:
    """The sandbox treats the account as created now, so it's after the end of each window."""
    sandbox = Sandbox()
    billing = sandbox.billing()
    del next(iter(sandbox.service.store["accounts"]))["created"]
    with pytest.raises(InvalidResponseError, match=r"Account '.*' has no creation time"):
        partition(billing.accounts.list, size=5, since=SINCE)


def test_a_list_without_total_count_is_refused(run: Run) -> None:
    with pytest.raises(InvalidResponseError, match=r"no total_count for accounts\.list"):
        divided(run, Windows(spread(5), Meaning(counts=False)))


@pytest.mark.parametrize("known", [(), ("created_after",), ("created_before",)])
def test_a_service_that_does_not_know_a_filter_is_refused_after_a_few_reads(run: Run, known: Sequence[str]) -> None:
    service = Windows(spread(500), Meaning(known=known))
    with pytest.raises(FilterNotAppliedError, match="created_after and created_before"):
        divided(run, service)
    assert len(service.sent) == 7


def test_a_service_that_compares_only_days_is_refused_before_each_second_is_counted(run: Run) -> None:
    day = datetime(2020, 2, 29, tzinfo=UTC)
    meaning = Meaning(days=True, after_is_open=False, before_is_open=False)
    service = Windows(spread(200, since=day, until=day + timedelta(hours=20)), meaning)
    with pytest.raises(FilterNotAppliedError, match="ignores the time of day"):
        divided(run, service)
    assert len(service.sent) < 60


def test_items_outside_of_a_window_raise_an_error_because_others_may_be_missing(run: Run) -> None:
    """If a service compares only days, it returns no items for a window within one day."""
    day = datetime(2020, 2, 29, tzinfo=UTC)
    service = Windows(spread(200, since=day, until=day + timedelta(hours=20)), Meaning(days=True, after_is_open=False))
    partitions = divided(run, service)
    with pytest.raises(FilterNotAppliedError, match="outside the requested time range"):
        read(run, service, partitions)


def test_accounts_that_are_created_while_the_list_is_partitioned_do_no_harm(run: Run) -> None:
    service = Windows(spread(300), Meaning())
    number = iter(range(1000, 9000))
    respond = service.give

    def grow(sent: Any) -> Any:
        service.accounts.append(account(next(number), UNTIL + timedelta(seconds=1)))
        return respond(sent)

    service.give = grow
    with pytest.warns(UserWarning, match="without a creation time are in no partition") as caught:
        partitions = divided(run, service)
    assert "subscribekit/export" not in caught[0].filename  # the warning refers to the line of the caller
    assert len(read(run, service, partitions)) == 300


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"size": 0}, "size must be an integer of at least 1"),
        ({"size": True}, "size must be an integer of at least 1"),
        ({"since": datetime(2015, 1, 1)}, "since must be a datetime with a time zone"),  # noqa: DTZ001
        ({"since": "2015-01-01"}, "since must be a datetime with a time zone"),
        ({"until": datetime(2026, 1, 1)}, "until must be a datetime with a time zone"),  # noqa: DTZ001
        ({"until": SINCE - timedelta(seconds=1)}, "until must not be before since"),
        ({"since": datetime.min.replace(tzinfo=UTC)}, "since must be in the years 1970 to 9997"),
        ({"until": datetime.max.replace(tzinfo=timezone(timedelta(hours=-9)))}, "until must be in the years"),
        ({"created_after": SINCE}, "created_after can't be passed to partition"),
        ({"created_before": SINCE}, "created_before can't be passed to partition"),
        ({"starting_after": "a1"}, "starting_after can't be passed to partition"),
        ({"ending_before": "a1"}, "ending_before can't be passed to partition"),
        ({"checkpoint": "x"}, "checkpoint can't be passed to partition"),
        ({"max_pages": 1}, "max_pages can't be passed to partition"),
        ({"limit": 101}, "limit must be an integer from 1 to 100"),
        ({"email": 5}, "email must be a string"),
    ],
    ids=str,
)
def test_invalid_arguments_are_refused_before_a_request(run: Run, options: dict[str, Any], sentence: str) -> None:
    service = Windows(spread(5), Meaning())
    with pytest.raises(InvalidArgumentError, match=sentence):
        divided(run, service, **options)
    assert service.sent == []


def test_only_a_list_method_with_creation_filters_is_accepted(run: Run) -> None:
    service = Windows(spread(5), Meaning())

    async def story(client: Any) -> None:
        for other in (
            client.subscriptions.list, client.with_raw_response.accounts.list, client.prepare.accounts.list,
            client.accounts.retrieve, client.accounts.list(), list, None,
        ):  # fmt: skip
            with pytest.raises(InvalidArgumentError, match=r"billing\.accounts\.list"):
                await run.now(partition(other, size=5, since=SINCE))

    run("billing", story, transport=service)
    assert service.sent == []


def test_a_pickled_partition_can_be_read_by_any_client_of_its_api(run: Run) -> None:
    service = Windows(spread(200), Meaning())
    partitions = divided(run, service, email="ada@example.com", limit=7, params={"x": "1"})
    copies = pickle.loads(pickle.dumps(partitions))
    assert copies == partitions
    assert len({*copies, *partitions}) == len(partitions)
    assert "ada" not in repr(partitions)
    assert [each.name for each in partitions] == sorted(each.name for each in partitions)
    assert partitions[0].name.startswith("accounts-20150101T000000-")
    service.sent.clear()
    assert len(read(run, service, copies)) == 200
    for sent in service.sent:
        assert {("email", "ada@example.com"), ("limit", "7"), ("x", "1")} <= set(sent.query)


def test_a_client_of_another_api_is_refused(run: Run) -> None:
    each = divided(run, Windows(spread(5), Meaning()))[0]

    async def story(client: Any) -> None:
        with pytest.raises(InvalidArgumentError, match="client must be a client of the API billing"):
            each.read(client)

    run("gateway", story)
    with pytest.raises(InvalidArgumentError, match="client of the API billing"):
        each.read("billing")  # type: ignore[call-overload]  # the mistake is intended


def test_a_partition_resumes_from_a_checkpoint_and_becomes_a_table(run: Run) -> None:
    service = Windows(spread(300), Meaning())
    each = max(divided(run, service, size=150, limit=20), key=lambda each: each.count)

    async def story(client: Any) -> tuple[list[str], list[str]]:
        reader = to_arrow(each.read(client))
        batches = [batch async for batch in run.every(reader)]
        first = batches[0]["id"].to_pylist()
        rest = each.read(client, checkpoint=checkpoint_of(batches[0]))
        return [str(i) for b in batches for i in b["id"].to_pylist()], first + [e.id async for e in run.every(rest)]

    whole, resumed = run("billing", story, transport=service)
    assert whole == resumed
    assert len(whole) > 100


def test_partitions_can_be_read_concurrently() -> None:
    service = Windows(spread(2000), Meaning())
    client = Run("blocking").client("billing", transport=service)
    partitions = partition(client.accounts.list, size=100, since=SINCE, until=UNTIL)
    with ThreadPoolExecutor(8) as threads:
        ids = [each.id for items in threads.map(lambda each: each.read(client).to_list(), partitions) for each in items]
    assert sorted(map(str, ids)) == everything(service)


def test_an_error_ends_the_partitioning_and_leaves_no_task() -> None:
    service = Windows(spread(300), Meaning())
    respond = service.give
    service.give = lambda sent: respond(sent) if len(service.sent) < 12 else pytest.fail("broken mock")

    async def story() -> None:
        client = Run("async").client("billing", transport=service)
        with pytest.raises(BaseException, match="broken mock"):
            await partition(client.accounts.list, size=5, since=SINCE, until=UNTIL)
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(story())
