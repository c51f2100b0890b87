"""PostgreSQL behaves like SQLite, even if several processes use one ledger."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from bulk.kit import Ledgered, charge, client_of, jobs, opened
from bulk.test_interrupted import within
from subscribekit import GatewayClient
from subscribekit.bulk import Counts, RateLimit, Run
from subscribekit.bulk._ledger import database as _database
from subscribekit.bulk._ledger.schema import VERSION
from subscribekit.errors import BulkError, LedgerError, OutcomeUnknownError


def test_items_are_sent_once_and_read_back(place: str) -> None:
    answers: dict[str, Any] = {"t3": httpx.Response(400, json={"message": "no"}), "t4": httpx.ReadError("lost")}
    service = Ledgered(answers.get)
    with client_of(service) as client:
        with opened(place, client) as run:
            assert run.add(jobs(client, 30)) == 30
            assert run.add(jobs(client, 31)) == 1
            with pytest.raises(BulkError, match="another request"):
                run.add([("order-1", client.prepare.entitlements.charge("ps-1", charge(99)))])
            live = {item.key: (item.state, item.result) for item in run.send()}
            assert len(live) == 31
        with opened(place, client) as run:
            assert run.counts() == Counts(done=29, rejected=1, unknown=1)
            assert {item.key: (item.state, item.result) for item in run.items()} == live
            (unknown,) = run.items("unknown")
            assert isinstance(unknown.error, OutcomeUnknownError)
            unknown.record_outcome("not_applied")
            answers.clear()
            assert [item.key for item in run.send()] == ["order-4"]
            found = run.send_once("order-5", client.prepare.entitlements.charge("ps-5", charge(5)))
            assert found.transaction_reference_id == "ref-t5"
            assert run.purge_data() == 30
            assert [item.result for item in run.items("done")] == [None] * 30
    assert {name: number for name, number in service.effects.items() if number != 1} == {"t4": 2}
    with client_of(service) as client, opened(place, client) as run, run._open().database.read() as connection:
        left = connection.exec_driver_sql("SELECT ended FROM subscribekit_owners").scalars().all()
        assert all(left), "a closed run must have no lease"


@pytest.mark.hazard("H234")
def test_purging_during_a_read_ends_soon_and_reports_old_pages(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_database, "BUSY_SECONDS", 0.2)
    tries, waits = _database.Database._tries, list[None]()
    monkeypatch.setattr(_database.Database, "_tries", lambda this: (waits.append(each) for each in tries(this)))
    with client_of() as client, opened(place, client) as run, opened(place, client) as reader:
        run.add(jobs(client, 2))
        list(run.send())
        with reader._open().database.read() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM subscribekit_items").one()
            with pytest.raises(
                LedgerError, match="is being read by another program, so its files still contain the purged data"
            ):
                run.purge_data()
            assert len(waits) < 5  # there are few tries, because the database itself waits at each one
        assert [item.result for item in run.items("done")] == [None, None]
        assert run.purge_data() == 0


def test_many_runs_on_one_ledger_share_its_items(place: str) -> None:
    service, seen = Ledgered(lambda _: time.sleep(0.001)), Counter[str]()
    lock = threading.Lock()

    def work() -> None:
        with client_of(service) as client, opened(place, client, concurrency=3) as run:
            run.add(jobs(client, 150))
            for item in run.send():
                with lock:
                    seen[item.key] += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == len(service.effects) == 150
    assert set(seen.values()) == set(service.effects.values()) == {1}


def test_a_rate_limit_applies_to_all_runs_of_a_ledger(place: str) -> None:
    times: list[float] = []
    service = Ledgered(lambda _: times.append(time.monotonic()))

    def work() -> None:
        with client_of(service) as client, opened(place, client, rate_limit=RateLimit(100, per=1.0)) as run:
            run.add(jobs(client, 60))
            list(run.send())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(times) == 60
    assert max(times) - min(times) >= 0.5


def test_items_become_unknown_when_their_lease_ends(place: str) -> None:
    with client_of() as client:
        with opened(place, client) as run:
            run.add(jobs(client, 4))
            ledger = run._open()
            with ledger.database.write() as connection:
                _, now = ledger.database.clock(connection)
                ledger.claim(connection, ledger.register(connection, "dead", now, 0.1), 2, now)
        with opened(place, client) as run:
            assert Counter(item.state for item in run.send()) == {"unknown": 2, "done": 2}


def test_a_server_clock_that_was_set_back_does_not_lengthen_a_pause(place: str) -> None:
    with client_of() as client, opened(place, client) as run:
        run.add(jobs(client, 3))
        ledger = run._open()
        with ledger.database.write() as connection:
            ledger.pause(connection, ledger.database.clock(connection)[1] + 86_400)  # no run writes such a long pause
        within(5, lambda: list(run.send()))
        assert run.counts() == Counts(done=3)


def test_a_ledger_of_another_origin_or_version_is_refused(place: str) -> None:
    with client_of() as client, opened(place, client) as run:
        run.add(jobs(client, 1))
        with run._open().database.write() as connection:
            connection.execute(sa.text(f"UPDATE subscribekit_ledger SET version = {VERSION + 1}"))
        with pytest.raises(LedgerError, match=rf"version {VERSION + 1}.*update subscribekit"):
            Run(place, client)
        with run._open().database.write() as connection:
            connection.execute(sa.text(f"UPDATE subscribekit_ledger SET version = {VERSION - 1}"))
        with pytest.raises(LedgerError, match=rf"has version {VERSION - 1}.*needs version {VERSION}.*Nothing was sent"):
            Run(place, client)
        with run._open().database.write() as connection:
            connection.execute(sa.text(f"UPDATE subscribekit_ledger SET version = {VERSION}"))
    with (
        GatewayClient(base_url="https://other.test", api_key="k") as other,
        pytest.raises(LedgerError, match="base URL"),
    ):
        Run(place, other)


def test_the_error_about_a_missing_server_does_not_show_the_password() -> None:
    url = "postgresql+psycopg://ann:hush-4716@127.0.0.1:1/ledger"
    with client_of() as client, pytest.raises(LedgerError, match="can't be used") as caught:
        Run(url, client)
    assert "hush" not in str(caught.value)
