"""If two processes or threads change an item or a pause at the same time, neither undoes the other's change.

Hazards: H152, H144.
"""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from bulk.kit import Ledgered, charge, client_of, jobs, opened
from bulk.test_interrupted import Hanging, async_client, within
from subscribekit import Verdict
from subscribekit._sealed import Sealed
from subscribekit.bulk import AsyncRun, Counts, Run
from subscribekit.bulk._ledger.ledger import Ledger
from subscribekit.bulk._sending import workers as _workers


def registered(ledger: Ledger) -> int:
    with ledger.database.write() as connection:
        return ledger.register(connection, "a process", ledger.database.clock(connection)[1], 60.0)


def taken(ledger: Ledger, owner: int, key: str, *, commit: bool = True) -> Any:
    """Claim an item, in a transaction that may be rolled back."""
    with ledger.database.write() as connection:
        (entry,), _ = ledger.claim_key(connection, owner, key)
        if not commit:
            connection.rollback()
    return entry


def given_back(ledger: Ledger, entry: Any) -> str:
    """Return an item whose claim wasn't confirmed, and return its state."""
    with ledger.database.write() as connection:
        ledger.return_claims(connection, [entry])
    found = ledger.entry(entry.key)
    assert found is not None
    return found.state


def test_an_item_of_another_process_is_not_returned(place: str) -> None:
    with client_of() as client, opened(place, client) as run:
        run.add(jobs(client, 1))
        ledger = run._open()
        one, two = registered(ledger), registered(ledger)
        lost = taken(ledger, one, "order-0", commit=False)
        theirs = taken(ledger, two, "order-0")
        assert lost.sends == theirs.sends
        assert given_back(ledger, lost) == "sent"
        assert given_back(ledger, theirs) == "ready"


def test_an_item_that_was_sent_again_is_not_returned(place: str) -> None:
    with client_of() as client, opened(place, client) as run:
        run.add(jobs(client, 1))
        ledger = run._open()
        owner = registered(ledger)
        first = taken(ledger, owner, "order-0")
        assert given_back(ledger, first) == "ready"
        second = taken(ledger, owner, "order-0")
        assert given_back(ledger, first) == "sent"
        assert given_back(ledger, second) == "ready"


def unknown(run: Run) -> Any:
    (item,) = run.items("unknown")
    return item


def test_a_verdict_does_not_apply_to_a_later_send(place: str) -> None:
    service = Ledgered(lambda _: httpx.ReadError("lost"))
    with client_of(service) as client, opened(place, client) as run:
        run.add(jobs(client, 1))
        list(run.send())
        before = unknown(run)._entry
        unknown(run).record_outcome("not_applied", note="looked, and it was not there")
        list(run.send())
        assert unknown(run)._entry.sends == 2
        applied = Sealed(verdict("applied"))
        assert run._record_verdict(before, applied) == "changed"
        assert run.counts() == Counts(unknown=1)
        assert run._record_verdict(unknown(run)._entry, applied) == "applied"
        assert run.counts() == Counts(done=1)


def verdict(state: Any) -> Verdict[Any]:
    return Verdict(state=state, safe_to_retry=False, evidence="a look", support_details="", result=None)


@pytest.mark.parametrize("first_is_longer", [True, False])
def test_a_shorter_pause_does_not_replace_a_longer_one(place: str, first_is_longer: bool) -> None:
    pauses = (1000.0, 10.0) if first_is_longer else (10.0, 1000.0)
    with client_of() as client, opened(place, client) as run:
        ledger = run._open()
        with ledger.database.write() as connection:
            _, now = ledger.database.clock(connection)
            for pause in pauses:
                ledger.pause(connection, now + pause)
        with ledger.database.read() as connection:
            assert ledger.pace(connection, changing=False)[0] == pytest.approx(now + 1000.0)


@pytest.mark.parametrize("first_is_longer", [True, False])
def test_the_longer_of_two_429_pauses_applies(place: str, first_is_longer: bool) -> None:
    waits = (1000.0, 10.0) if first_is_longer else (10.0, 1000.0)
    with client_of() as client, opened(place, client) as run:
        engine, ledger = run._started(), run._open()
        go = threading.Event()
        engine._inbox.put(go.wait)  # type: ignore[arg-type]  # blocks the engine, so that one commit handles both messages
        for wait in waits:
            engine.pause_run(wait)
        go.set()
        engine.close()
        with ledger.database.read() as connection:
            left = ledger.pace(connection, changing=False)[0] - ledger.database.clock(connection)[1]
        assert left == pytest.approx(1000.0, abs=30.0)


@pytest.mark.parametrize("first_is_longer", [True, False])
def test_the_longer_of_two_connection_pauses_applies(place: str, first_is_longer: bool) -> None:
    with client_of() as client, opened(place, client) as run:
        engine = run._started()
        for wait in (1000.0, 10.0) if first_is_longer else (10.0, 1000.0):
            engine.pause_process(wait)
        engine.close()
        assert engine._claimer.process_paused_until - engine._runtime.running_time() == pytest.approx(1000.0, abs=30.0)


@pytest.mark.parametrize("how", ["once", "results"])
def test_an_item_that_arrives_during_a_cancellation_is_returned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    service, tasks = Hanging(), list["asyncio.Task[Any]"]()
    arrive = _workers._set_claim

    def arrived(place: Any, claim: Any) -> None:
        arrive(place, claim)
        if claim is not None and tasks:
            tasks.pop().cancel()  # cancels the waiting task before it runs again

    async def story() -> None:
        async with async_client(service) as client, AsyncRun(tmp_path / "l.db", client, concurrency=1) as run:
            request = client.prepare.entitlements.charge("ps-1", charge(1))
            await run.add([("a", request)])

            async def read() -> None:
                async for _ in run.send():
                    pass

            monkeypatch.setattr(_workers, "_set_claim", arrived)
            task = asyncio.ensure_future(run.send_once("a", request) if how == "once" else read())
            tasks.append(task)
            with pytest.raises(asyncio.CancelledError):
                await task
            counts = await run.counts()
            while counts.sent:
                await asyncio.sleep(0.001)
                counts = await run.counts()
            assert service.begun in (0, 1)
            assert counts == (Counts(ready=1) if service.begun == 0 else Counts(done=1))
            if how == "once":
                assert service.begun == 0

    within(15, lambda: asyncio.run(story()))


def test_an_item_that_arrives_after_the_event_loop_ended_is_returned(tmp_path: Path) -> None:
    service = Hanging()
    client, waiting = async_client(service), list[Any]()
    run = AsyncRun(tmp_path / "l.db", client, lease=60.0)

    async def story() -> None:
        request = client.prepare.entitlements.charge("ps-1", charge(1))
        await run.add([("a", request)])
        run._started().pause_process(0.3)
        waiting.append(asyncio.ensure_future(run.send_once("a", request)))
        await asyncio.sleep(0.05)

    within(10, lambda: asyncio.run(story()))
    time.sleep(0.5)
    within(10, run._close)
    assert service.begun == 0
    with client_of() as blocking, opened(tmp_path / "l.db", blocking) as after:
        assert after.counts() == Counts(ready=1)
