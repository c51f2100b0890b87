"""Unknown items of a run are resolved by reads. Those that were carried out are done; the others are sent again."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from bulk.kit import opened
from subscribekit import BillingClient
from subscribekit.bulk import AsyncRun, Counts, Resolved, Run
from subscribekit.bulk._sending.session import result_of_ended_worker
from subscribekit.errors import InvalidArgumentError
from subscribekit.hooks import Hooks
from subscribekit.models import Account, Transaction
from subscribekit.sandbox import Sandbox


class Losing(httpx.BaseTransport):
    """The sandbox, which loses requests for new accounts or their responses as a test decides."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.clock = inner.clock
        self.how: dict[str, str] = {}
        self.writes: list[str] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return self.inner.handle_request(request)
        body = request.read()
        if request.headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        how = next((how for name, how in self.how.items() if f'"{name}"'.encode() in body), "")
        self.writes.append(how)
        if how == "request":
            raise httpx.ReadError("lost before it arrived")
        response = self.inner.handle_request(request)
        if how == "answer":
            raise httpx.ReadError("lost")
        return response


def jobs(client: BillingClient) -> Any:
    for name in ("one", "two", "three"):
        yield name, client.prepare.accounts.create(Account(id=name, name="Ann"))


def test_lost_requests_and_lost_responses_are_distinguished(tmp_path: Path) -> None:
    sandbox = Sandbox()
    losing = Losing(sandbox.transport)
    losing.how = {"one": "request", "two": "answer"}
    with BillingClient(environment="sandbox", transport=losing) as client:
        with opened(tmp_path / "l.db", client) as run:
            run.add(jobs(client))
            assert {item.key: item.state for item in run.send()} == {
                "one": "unknown", "two": "unknown", "three": "done",
            }  # fmt: skip
        with opened(tmp_path / "l.db", client) as run:  # like another process, which has only the ledger
            losing.how = {}
            assert run.resolve() == Resolved(applied=1, not_applied=1)
            assert run.counts() == Counts(done=2, ready=1)
            (two,) = [item for item in run.items("done") if item.key == "two"]
            assert isinstance(two.result, Account)
            assert two.result.id == "two"
            assert two.note is not None
            assert [item.key for item in run.send()] == ["one"]
            assert run.counts() == Counts(done=3)
    assert len(losing.writes) == 4


def test_items_of_a_dead_process_are_resolved_from_the_ledger(tmp_path: Path) -> None:
    sandbox = Sandbox()
    client = BillingClient(environment="sandbox", transport=sandbox.transport)
    with client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client))
        leave_sent(run, "one", "two")
        client.accounts.create(Account(id="one", name="Ann"))  # the same call as that of the dead process
        assert [item.key for item in run.send()] == ["one", "two", "three"]
        (one, two) = run.items("unknown")
        assert one.error is not None
        assert "ended before it stored the response" in str(one.error)
        assert client.resolve(one.error).state == client.resolve(one).state == "applied"
        assert run.resolve() == Resolved(applied=1, not_applied=1)
        assert {item.key: item.state for item in run.items()} == {"one": "done", "two": "ready", "three": "done"}
        assert two.state == "unknown"
        assert [item.key for item in run.send()] == ["two"]


def test_an_async_run_resolves_items_of_a_dead_process(tmp_path: Path) -> None:
    sandbox = Sandbox()
    with sandbox.billing() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client))
        leave_sent(run, "one", "two")
        client.accounts.create(Account(id="one", name="Ann"))  # the same call as that of the dead process
        assert [item.key for item in run.send()] == ["one", "two", "three"]
    asyncio.run(resolved_in_a_loop(tmp_path / "l.db", sandbox))


async def resolved_in_a_loop(path: Path, sandbox: Sandbox) -> None:
    begun = sandbox.transport.clock.monotonic()
    async with sandbox.async_billing() as client, AsyncRun(path, client) as run:
        assert await run.resolve(wait=False) == Resolved(applied=1, undecided=1)
        assert sandbox.transport.clock.monotonic() == begun
        assert await run.resolve() == Resolved(not_applied=1)
        assert sandbox.transport.clock.monotonic() > begun  # the client slept on the sandbox's clock
        assert {item.key: item.state async for item in run.items()} == {"one": "done", "two": "ready", "three": "done"}
        assert [item.key async for item in run.send()] == ["two"]
        assert await run.counts() == Counts(done=3)


def test_the_time_of_resolve_counts_from_when_an_item_was_sent(tmp_path: Path) -> None:
    sandbox = Sandbox()
    with (
        BillingClient(environment="sandbox", transport=sandbox.transport) as client,
        opened(tmp_path / "l.db", client) as run,
    ):
        run.add(jobs(client))
        sandbox.advance(minutes=60)
        leave_sent(run, "one")  # this item may still be in flight
        ledger = run._open()
        with ledger.database.write() as connection:
            assert ledger.expire(connection, ledger.database.clock(connection)[1])
        assert run.resolve(not_applied_after=30.0) == Resolved(not_applied=1)
        assert sandbox.transport.clock.monotonic() >= 30.0  # the client slept on the sandbox's clock


@pytest.mark.hazard("H403")
@pytest.mark.parametrize("step", [0, 3600, -3600])
def test_a_lost_item_counts_from_the_end_of_its_lease_whatever_the_time_of_day_says(tmp_path: Path, step: int) -> None:
    """The process stalled for 100 s, so it may have sent the item just before its lease ended."""
    now = [datetime(2026, 3, 2, 9, tzinfo=UTC)]
    sandbox = Sandbox(clock=lambda: now[0])
    with sandbox.billing() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client))
        leave_sent(run, "one")
        sandbox.transport.clock.sleep(100.0)
        now[0] += timedelta(seconds=step)
        expire(run)
        sandbox.transport.clock.sleep(10.0)
        before = sandbox.transport.clock.monotonic()
        assert run.resolve(not_applied_after=30.0) == Resolved(not_applied=1)
        assert sandbox.transport.clock.monotonic() - before == 20.0


@pytest.mark.hazard("H403")
@pytest.mark.parametrize("style", ["blocking", "async"])
def test_a_run_counts_once_for_all_items_whose_time_no_clock_shows(tmp_path: Path, style: str) -> None:
    sandbox = Sandbox()
    clock = sandbox.transport.clock
    with sandbox.billing() as client:
        with opened(tmp_path / "l.db", client, concurrency=1) as run:
            run.add(jobs(client))
            leave_sent(run, "one", "two", "three")
            clock.sleep(3600.0)
            expire(run)
            forget_clocks(run)
            assert run.resolve(wait=False) == Resolved(undecided=3)
            (one, *_) = run.items("unknown")
            assert one.note is not None
            assert "so a missing resource counts only after a wait of 30 s (wait=True)" in one.note
            before = clock.monotonic()
            if style == "blocking":
                assert run.resolve() == Resolved(not_applied=3)
        if style == "async":
            assert asyncio.run(resolved_by_one_worker(tmp_path / "l.db", sandbox)) == Resolved(not_applied=3)
    assert clock.monotonic() - before == 30.0 + 2.0 + 2.0


async def resolved_by_one_worker(path: Path, sandbox: Sandbox) -> Resolved:
    async with sandbox.async_billing() as client, AsyncRun(path, client, concurrency=1) as run:
        return await run.resolve()


@pytest.mark.hazard("H403")
def test_an_item_that_turns_unknown_while_a_run_resolves_counts_from_its_own_reads(tmp_path: Path) -> None:
    """A process on another machine may have sent the item after this run started to count."""
    sandbox = Sandbox()
    clock = sandbox.transport.clock

    def lose_another(_: object) -> None:
        if len(list(run.items("unknown"))) == 1:
            expire(run)
            forget_clocks(run)

    client = BillingClient(environment=sandbox.environment, observers=[Hooks(on_request=lose_another)])
    with client, opened(tmp_path / "l.db", client, concurrency=1) as run:
        run.add(jobs(client))
        leave_sent(run, "one")
        expire(run)
        forget_clocks(run)
        leave_sent(run, "two")
        assert run.resolve() == Resolved(not_applied=2)
    assert clock.monotonic() == 30.0 + 30.0


def test_a_cancelled_item_counts_from_the_resolve(tmp_path: Path) -> None:
    """The ledger knows when the item was claimed, but not when its request left."""
    sandbox = Sandbox()
    with sandbox.billing() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client))
        leave_sent(run, "one")
        ledger = run._open()
        entry = ledger.entry("one")
        assert entry is not None
        with ledger.database.write() as connection:
            ledger.write_results(connection, [(entry, result_of_ended_worker(was_sent=True))], 0.0)
        sandbox.transport.clock.sleep(60.0)
        assert run.resolve() == Resolved(not_applied=1)
    assert sandbox.transport.clock.monotonic() == 90.0


def expire(run: Run) -> None:
    """Expire the leases, so that the items of dead processes become `unknown`."""
    ledger = run._open()
    with ledger.database.write() as connection:
        assert ledger.expire(connection, ledger.database.clock(connection)[1])


def forget_clocks(run: Run) -> None:
    """Remove the clock times of the items, as if another machine had sent them."""
    with run._open().database.write() as connection:
        connection.exec_driver_sql("UPDATE subscribekit_items SET claimed = NULL, expired = NULL")


def leave_sent(run: Run, *keys: str) -> None:
    """Leave items `sent`, as if their process had been killed."""
    ledger = run._open()
    with ledger.database.write() as connection:
        _, now = ledger.database.clock(connection)
        owner = ledger.register(connection, "dead", now - 100, 1)
        for key in keys:
            assert ledger.claim_key(connection, owner, key)[0]


def test_only_a_real_dry_run_is_sent_again(tmp_path: Path) -> None:
    losing = Losing(Sandbox().transport)
    losing.how = {"own": "answer"}
    with BillingClient(environment="sandbox", transport=losing) as client, opened(tmp_path / "l.db", client) as run:
        charge = Transaction(id="own", account=Account(id="acct-0001"))
        free = client.prepare.request(
            "POST",
            "/transactions",
            result=dict,
            params={"dryrun": 1},
            json={"id": "own", "account": {"id": "acct-0001"}},
        )
        run.add([("dry", client.prepare.transactions.create(charge, dryrun=True)), ("free", free)])
        assert {item.state for item in run.send()} == {"unknown"}
        assert run.resolve() == Resolved(not_applied=1, undecided=1)
        assert [item.key for item in run.items("ready")] == ["dry"]
        (undecided,) = run.items("unknown")
        assert undecided.error is not None
        assert undecided.note.endswith(str(client.resolve(undecided.error, wait=False).support_details))


@pytest.mark.hazard("H220")
@pytest.mark.parametrize("style", ["blocking", "async"])
@pytest.mark.parametrize("is_empty", [True, False], ids=["an empty ledger", "an item of a dead process"])
def test_invalid_times_are_refused_by_name(tmp_path: Path, style: str, is_empty: bool) -> None:
    """`not_applied_after=True` once counted as one second after the lease of the dead process."""
    sandbox = Sandbox()
    with BillingClient(environment="sandbox", transport=sandbox.transport) as client:
        with opened(tmp_path / "l.db", client) as run:
            if not is_empty:
                run.add(jobs(client))
                leave_sent(run, "one")
                assert sum(1 for _ in run.send()) == 3
            if style == "blocking":
                refuses(lambda **given: run.resolve(**given))
        reads = len(sandbox.requests)
        if style == "async":
            asyncio.run(refused_in_a_loop(tmp_path / "l.db", sandbox))
    assert len(sandbox.requests) == reads


WRONG: list[tuple[str, dict[str, object]]] = [
    *[
        ("not_applied_after", {"not_applied_after": each})
        for each in (True, False, -1, float("nan"), float("inf"), "30", None)
    ],
    *[("wait", {"wait": each}) for each in (1, 0, 2.5, "yes", None)],
]


def refuses(resolve: Callable[..., object]) -> None:
    for name, given in WRONG:
        with pytest.raises(InvalidArgumentError, match=rf"^{name} must be "):
            resolve(**given)


async def refused_in_a_loop(path: Path, sandbox: Sandbox) -> None:
    async with (
        sandbox.async_billing() as client,
        AsyncRun(str(path), client) as run,
    ):
        for name, given in WRONG:
            with pytest.raises(InvalidArgumentError, match=rf"^{name} must be "):
                await run.resolve(**given)  # type: ignore[arg-type]  # the test passes wrong types
