"""An async run behaves like a sync one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from bulk.kit import KEY, URL, Ledgered, charge, client_of, jobs
from kit.clocks import FakeTime
from subscribekit import AsyncBillingClient, AsyncGatewayClient, BillingClient, RetryPolicy
from subscribekit.bulk import AsyncItem, AsyncRun, Counts, Run, StopPolicy
from subscribekit.bulk._base import BATCH
from subscribekit.bulk._sending.engine import Engine
from subscribekit.errors import BulkError, ConfigurationError, InvalidArgumentError, LedgerError, OutcomeUnknownError
from subscribekit.models import Account


class Slowly(Ledgered):
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0.002)
        return await super().handle_async_request(request)


def client(service: Ledgered) -> AsyncGatewayClient:
    return AsyncGatewayClient(base_url=URL, api_key=KEY, transport=service, retry=RetryPolicy(max_attempts=1))


def test_each_item_is_sent_once(tmp_path: Path) -> None:
    answers: dict[str, Any] = {"t3": httpx.Response(400), "t4": httpx.ReadError("lost")}
    service, reported = Slowly(answers.get), list[Counts]()

    async def story() -> None:
        async with client(service) as gateway, AsyncRun(tmp_path / "l.db", gateway, concurrency=4) as run:
            assert await run.add(jobs(gateway, 20)) == 20

            async def later() -> AsyncIterator[Any]:
                for job in jobs(gateway, 5, 20):
                    yield job

            assert await run.add(later()) == 5
            assert len(await run.preview(3)) == 3
            items = [item async for item in run.send(progress=reported.append)]
            assert {item.key for item in items} == {f"order-{each}" for each in range(25)}
            assert await run.counts() == Counts(done=23, rejected=1, unknown=1)
            (item,) = [item async for item in run.items("unknown")]
            assert isinstance(item, AsyncItem)
            assert isinstance(item.error, OutcomeUnknownError)
            await item.record_outcome("not_applied", note="the operator says so")
            answers.clear()
            assert [item.key async for item in run.send()] == ["order-4"]
            assert await run.report(tmp_path / "report.csv") == 25
            assert await run.purge_data() == 24
            assert repr(run) == f"<AsyncRun on {run._open().database.name}>"

    asyncio.run(story())
    assert reported[-1].ready == 0
    assert {name: number for name, number in service.effects.items() if number != 1} == {"t4": 2}


@pytest.mark.parametrize("style", ["blocking", "async"])
def test_a_429_that_the_client_retries_pauses_the_run(
    style: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float | None] = []
    monkeypatch.setattr(Engine, "pause_run", lambda _, wait: waits.append(wait))
    answers = [httpx.Response(429, headers={"Retry-After": "17"}), httpx.Response(201, json={"id": "a-1"})]
    transport = httpx.MockTransport(lambda _: answers.pop(0))
    transport.clock = FakeTime().clock()  # type: ignore[attr-defined]  # a fake clock, so that no wait takes time
    options: dict[str, Any] = {"base_url": URL, "api_user": "u", "api_key": KEY, "transport": transport}

    async def story() -> Counts:
        async with AsyncBillingClient(**options) as client, AsyncRun(tmp_path / "l.db", client) as run:
            await run.add([("a", client.prepare.accounts.create(Account(id="a-1")))])
            assert [item.key async for item in run.send()] == ["a"]
            return await run.counts()

    def blocking_story() -> Counts:
        with BillingClient(**options) as client, Run(tmp_path / "l.db", client) as run:
            run.add([("a", client.prepare.accounts.create(Account(id="a-1")))])
            assert [item.key for item in run.send()] == ["a"]
            return run.counts()

    assert (asyncio.run(story()) if style == "async" else blocking_story()) == Counts(done=1)
    assert waits == [17]


def test_requests_in_flight_are_completed_after_the_loop_is_left(tmp_path: Path) -> None:
    service = Slowly()

    async def story() -> None:
        async with client(service) as gateway:
            async with AsyncRun(tmp_path / "l.db", gateway, concurrency=4) as run:
                await run.add(jobs(gateway, 60))
                async for _ in run.send():
                    break
            async with AsyncRun(tmp_path / "l.db", gateway) as run:
                counts = await run.counts()
                assert counts.sent == counts.unknown == 0
                assert 0 < counts.done < 60
                assert [item async for item in run.send()] != []
                assert await run.counts() == Counts(done=60)

    asyncio.run(story())
    assert set(service.effects.values()) == {1}


def test_requests_in_flight_are_completed_after_a_cancellation(tmp_path: Path) -> None:
    service = Slowly()

    async def story() -> None:
        async with client(service) as gateway, AsyncRun(tmp_path / "l.db", gateway, concurrency=4) as run:
            await run.add(jobs(gateway, 200))

            async def read() -> None:
                async for _ in run.send():
                    pass

            task = asyncio.create_task(read())
            while len(service.arrived) < 10:
                await asyncio.sleep(0.001)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            counts = await run.counts()
            assert counts.sent == counts.unknown == 0
            assert counts.done == len(service.arrived) < 200
            assert run.stopped == "interrupted"
            assert len([item async for item in run.send()]) == counts.ready

    asyncio.run(story())
    assert set(service.effects.values()) == {1}


class Holding(Ledgered):
    """A service that carries out each request immediately, but delays all responses except the first one."""

    def __init__(self, expected: int) -> None:
        super().__init__()
        self._expected = expected
        self.all_arrived = asyncio.Event()
        self.released = asyncio.Event()

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        if len(self.arrived) == self._expected:
            self.all_arrived.set()
        if len(self.arrived) > 1:
            await self.released.wait()
        return response


async def several_turns() -> None:
    """Let anyio cancel again at each `await` that it can reach."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.hazard("H439")
@pytest.mark.parametrize("reader", ["waits", "works", "closes"])
def test_requests_in_flight_are_completed_after_an_anyio_cancel_scope(reader: str, tmp_path: Path) -> None:
    """The scope cancels while the reader waits for a result, handles a result, or has left the loop."""

    async def story() -> None:
        service, is_there = Holding(8), asyncio.Event()

        async def read(run: AsyncRun) -> None:
            async for _ in run.send():
                is_there.set()
                if reader == "works":
                    await anyio.sleep_forever()
                if reader == "closes":
                    await service.all_arrived.wait()
                    return

        async def cancel(scope: anyio.CancelScope) -> None:
            await service.all_arrived.wait()
            await is_there.wait()
            await several_turns()
            scope.cancel()
            await several_turns()
            service.released.set()

        async with client(service) as gateway:
            with anyio.CancelScope() as scope:
                async with AsyncRun(tmp_path / "l.db", gateway, concurrency=8) as run:
                    await run.add(jobs(gateway, 8))
                    cancelling = asyncio.create_task(cancel(scope))
                    await read(run)
            assert service.released.is_set()  # closing the run waited for the responses
            await cancelling
            async with AsyncRun(tmp_path / "l.db", gateway) as run:
                assert await run.counts() == Counts(done=8)
        assert set(service.effects.values()) == {1}

    asyncio.run(story())


@pytest.mark.hazard("H439")
def test_a_second_cancellation_of_asyncio_ends_the_wait_within_a_cancel_scope(tmp_path: Path) -> None:
    async def story() -> None:
        service = Holding(4)

        async def read() -> None:
            with anyio.CancelScope():
                async for _ in run.send():
                    pass

        async with client(service) as gateway, AsyncRun(tmp_path / "l.db", gateway, concurrency=4) as run:
            await run.add(jobs(gateway, 4))
            reading = asyncio.create_task(read())
            await service.all_arrived.wait()
            for _ in range(2):
                await several_turns()
                reading.cancel()
            with pytest.raises(asyncio.CancelledError):
                await reading
        async with client(service) as gateway, AsyncRun(tmp_path / "l.db", gateway) as run:
            counts = await run.counts()
            assert (counts.done, counts.sent + counts.unknown) == (1, 3)  # items stay `sent` until the lease ends

    asyncio.run(story())


def test_send_once_sends_once(tmp_path: Path) -> None:
    service = Slowly()

    async def story() -> None:
        async with client(service) as gateway, AsyncRun(tmp_path / "l.db", gateway) as run:
            request = gateway.prepare.entitlements.charge("ps-1", charge(1))
            found = await asyncio.gather(*(run.send_once("a", request) for _ in range(5)))
            assert {each.transaction_reference_id for each in found} == {"ref-t1"}
            with pytest.raises(BulkError, match="another request"):
                await run.send_once("a", gateway.prepare.entitlements.charge("ps-1", charge(2)))

    asyncio.run(story())
    assert service.arrived == ["t1"]


def test_an_invalid_ledger_is_refused_when_the_run_is_entered(tmp_path: Path) -> None:
    (tmp_path / "l.db").write_text("not a ledger")

    async def story() -> None:
        async with client(Ledgered()) as gateway:
            with pytest.raises(LedgerError, match="isn't a ledger"):
                async with AsyncRun(tmp_path / "l.db", gateway):
                    pass
            with pytest.raises(ConfigurationError, match="sync client"):
                Run(tmp_path / "x.db", gateway)  # type: ignore[arg-type]

    asyncio.run(story())
    with client_of() as blocking, pytest.raises(ConfigurationError, match="async client"):
        AsyncRun(tmp_path / "x.db", blocking)  # type: ignore[arg-type]


def test_a_canary_and_a_failure(tmp_path: Path) -> None:
    service = Slowly()

    async def story() -> None:
        gateway = client(service)
        async with AsyncRun(tmp_path / "l.db", gateway, stop=StopPolicy(max_items=3)) as run:
            await run.add(jobs(gateway, 9))
            assert len([item async for item in run.send()]) == 3
            await gateway.aclose()
            with pytest.raises(Exception, match="closed"):
                async for _ in run.send():
                    pass
            assert (await run.counts()).ready == 6

    asyncio.run(story())


def test_a_call_without_prepare_sends_one_charge_and_says_so(tmp_path: Path) -> None:
    service = Ledgered()

    async def story() -> None:
        async with client(service) as gateway, AsyncRun(tmp_path / "l.db", gateway) as run:

            async def forgotten() -> AsyncIterator[Any]:
                for each in range(20):
                    yield f"order-{each}", await gateway.entitlements.charge("ps-1", charge(each))

            with pytest.raises(InvalidArgumentError, match="was already carried out"):
                await run.add(forgotten())
            assert service.arrived == ["t0"]
            with pytest.raises(InvalidArgumentError, match="not awaited; nothing was sent"):
                await run.add([("order-1", gateway.entitlements.charge("ps-1", charge(1)))])  # type: ignore[list-item]
            assert (await run.counts()).total == 0

    asyncio.run(story())
    assert service.arrived == ["t0"]


def test_items_are_added_in_batches(tmp_path: Path) -> None:
    async def story() -> list[int]:
        async with client(Ledgered()) as gateway, AsyncRun(tmp_path / "l.db", gateway) as run:
            added = [await run.add(jobs(gateway, BATCH + 1)), await run.add(jobs(gateway, 2 * BATCH + 2))]
            return [*added, (await run.counts()).ready]

    assert asyncio.run(story()) == [BATCH + 1, BATCH + 1, 2 * BATCH + 2]
