"""An unusable ledger is refused before anything is sent, and isn't changed (H151, H153, H154, H155)."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from bulk.kit import KEY, Ledgered, client_of, jobs, opened
from subscribekit import BillingClient, Environment, GatewayClient
from subscribekit._core.config.clock import uptime
from subscribekit.bulk import Counts, Run
from subscribekit.bulk._ledger import database as _database
from subscribekit.bulk._ledger.schema import NEVER, VERSION
from subscribekit.errors import BulkError, LeaseLostError, LedgerError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


def made(path: Path, number: int = 5) -> None:
    with client_of() as client, opened(path, client) as run:
        run.add(jobs(client, number))


@pytest.mark.parametrize("content", [b"key,amount\n", b"SQLite format 3\0" + bytes(200)])
def test_a_file_of_another_kind_is_refused_and_not_changed(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    path.chmod(0o644)
    with client_of() as client, pytest.raises(LedgerError, match="isn't a ledger"):
        Run(path, client)
    assert path.read_bytes() == content
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_database_of_another_application_is_refused_and_not_changed(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE users (name)")
    other.close()
    before = path.read_bytes()
    with client_of() as client, pytest.raises(LedgerError, match="isn't a ledger"):
        Run(path, client)
    assert path.read_bytes() == before


def test_a_folder_and_a_missing_folder_are_refused(tmp_path: Path) -> None:
    with client_of() as client:
        for place in (tmp_path, tmp_path / "missing" / "l.db"):
            with pytest.raises(LedgerError):
                Run(place, client)


def test_a_newer_ledger_is_refused(path: Path) -> None:
    made(path)
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version = {VERSION + 1}")
    other.close()
    with client_of() as client, pytest.raises(LedgerError, match=rf"version {VERSION + 1}.*update subscribekit"):
        Run(path, client)
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version = {VERSION}")
        other.execute(f"UPDATE subscribekit_ledger SET version = {VERSION + 1}")
    other.close()
    with client_of() as client, pytest.raises(LedgerError, match=f"version {VERSION + 1}"):
        Run(path, client)


def test_an_older_ledger_is_refused_and_not_changed(path: Path) -> None:
    made(path)
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version = {VERSION - 1}")
        other.execute("ALTER TABLE subscribekit_items DROP COLUMN claimed")
    other.close()
    before, service = path.read_bytes(), Ledgered()
    message = f"has version {VERSION - 1}, but this version of subscribekit needs version {VERSION}.*Nothing was sent"
    with client_of(service) as client, pytest.raises(LedgerError, match=message):
        Run(path, client)
    assert path.read_bytes() == before
    assert service.arrived == []


def test_a_ledger_belongs_to_a_service_a_base_url_and_an_environment(path: Path) -> None:
    made(path)
    staging = Environment(name="staging", gateway_url="https://gateway.test", gateway_api_key=KEY)
    for other, what in (
        (BillingClient(base_url="https://gateway.test", api_user="u", api_key="k"), "the service 'gateway'"),
        (GatewayClient(base_url="https://gateway.other", api_key=KEY), "the base URL 'https://gateway.test'"),
        (GatewayClient(base_url="https://gateway.test/test", api_key=KEY), "the base URL 'https://gateway.test'"),
        (GatewayClient(environment=staging), "the environment 'custom'"),
    ):
        with other, pytest.raises(LedgerError, match=what):
            Run(path, other)
    with client_of() as client, opened(path, client) as run:
        assert run.counts() == Counts(ready=5)


def test_a_damaged_ledger_is_refused(path: Path) -> None:
    made(path, 200)
    content = bytearray(path.read_bytes())
    content[4096:12288] = bytes(8192)
    path.write_bytes(content)
    service = Ledgered()
    with client_of(service) as client, pytest.raises(LedgerError, match="damaged"):
        Run(path, client)
    assert service.arrived == []


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with client_of() as client, pytest.raises(LedgerError, match=r"isn't a regular file$"):
        Run(tmp_path, client)


def test_a_ledger_with_a_trigger_is_refused(path: Path) -> None:
    made(path)
    with sqlite3.connect(path) as other:
        other.execute("CREATE TRIGGER t AFTER UPDATE ON subscribekit_items BEGIN DELETE FROM subscribekit_items; END")
    other.close()
    with client_of() as client, pytest.raises(LedgerError, match="isn't a ledger"):
        Run(path, client)


def test_a_damaged_request_stops_the_run(path: Path) -> None:
    made(path)
    with sqlite3.connect(path) as other:
        other.execute("UPDATE subscribekit_items SET target = 'x y' WHERE key = 'order-0'")
    other.close()
    service = Ledgered()
    with client_of(service) as client, opened(path, client, concurrency=1) as run:
        with pytest.raises(LedgerError, match="'order-0' can't be read: the target isn't a valid path and query"):
            list(run.send())
        assert run.counts() == Counts(ready=5)
    assert service.arrived == []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_database, "BUSY_SECONDS", 0.05)


@pytest.mark.usefixtures("impatient")
def test_a_locked_ledger_is_refused_and_a_run_ends_in_order(path: Path) -> None:
    made(path, 300)  # so many items that some are left when the lock is acquired
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with client_of() as client, pytest.raises(LedgerError, match="locked by another program"):
        Run(path, client)
    other.execute("ROLLBACK")
    service = Ledgered()
    with client_of(service) as client:
        with opened(path, client, concurrency=2) as run:
            timer = threading.Timer(0.4, other.execute, ["ROLLBACK"])
            results = run.send()
            for _ in range(5):
                next(results)
            other.execute("BEGIN IMMEDIATE")
            timer.start()
            with pytest.raises(LedgerError, match="locked"):
                list(results)
            timer.join()
            counts = run.counts()
            assert counts.done == len(service.arrived)
            assert counts.sent == counts.unknown == 0
        with opened(path, client) as run:
            assert len(list(run.send())) == 300 - counts.done
    assert set(service.effects.values()) == {1}
    other.close()


def test_a_full_disk_is_reported_and_nothing_is_sent_twice(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client:
        with opened(path, client, concurrency=2) as run:
            run.add(jobs(client, 20))
            pages = run._open().database
            with pages.read() as connection:
                size = connection.exec_driver_sql("PRAGMA page_count").scalar_one()

            def small(connection: Any, *_: object) -> None:
                connection.execute(f"PRAGMA max_page_count = {size}")

            from sqlalchemy import event

            event.listen(pages.engine, "checkout", small)
            with pytest.raises(LedgerError, match="disk is full"):
                run.add((f"n{key}", request) for key, request in jobs(client, 3000, 100))
            event.remove(pages.engine, "checkout", small)
        with opened(path, client) as run:
            run.add(jobs(client, 20))
            list(run.send())
    assert set(service.effects.values()) == {1}


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o660, 0o604, 0o620, 0o610, 0o601])
def test_looser_file_permissions_are_restricted(path: Path, mode: int) -> None:
    made(path)
    path.chmod(mode)
    made(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.hazard("H354")
@pytest.mark.posix("there is no fork")
@pytest.mark.parametrize("number", ["os.getpid", "lambda: 1"], ids=["a process", "a PID namespace"])
def test_a_forked_process_cannot_use_the_run(path: Path, number: str) -> None:
    code = f"""
import os, sys
os.getpid = {number}
sys.path.insert(0, {str(Path(__file__).parent.parent)!r})
from bulk.kit import client_of, jobs, opened
from pathlib import Path
from subscribekit.errors import BulkError
client = client_of()
run = opened(Path({str(path)!r}), client)
run.add(jobs(client, 3))
if os.fork() == 0:
    uses = (
        run.counts, lambda: list(run.send()), lambda: run.add(jobs(client, 1)), lambda: run.send_once("a", None)
    )
    for use in uses:
        try:
            use()
        except BulkError as error:
            assert "fork" in str(error)
        else:
            os._exit(1)
    run.close()
    os._exit(repr(run) != "<Run that is closed>")
assert os.waitstatus_to_exitcode(os.wait()[1]) == 0
print(len(list(run.send())))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("3", "")


def test_a_closed_run_and_a_second_reader_are_refused(path: Path) -> None:
    with client_of() as client:
        with opened(path, client) as run:
            run.add(jobs(client, 100))
            reading = run.send()
            next(reading)
            with pytest.raises(BulkError, match="still being iterated"):
                list(run.send())
        with pytest.raises(BulkError, match="closed"):
            run.counts()
        with pytest.raises(BulkError, match="closed"):
            run.send()
        run.close()


# Leases


def test_items_of_another_process_are_unknown_when_its_lease_ends(path: Path) -> None:
    made(path)
    with client_of() as client:
        with opened(path, client) as run:
            ledger = run._open()
            with ledger.database.write() as connection:
                _, now = ledger.database.clock(connection)
                owner = ledger.register(connection, "another", now, 0.3)
                assert ledger.claim_key(connection, owner, "order-2")[0]
        with opened(path, client) as run:
            items = {item.key: item.state for item in run.send()}
            database = run._open().database
            with database.write() as connection:
                assert database.clock(connection)[1] >= now + 0.3
            assert items.pop("order-2") == "unknown"
            assert set(items.values()) == {"done"}
            assert run.counts() == Counts(done=4, unknown=1)


def test_a_stalled_process_sends_nothing_more(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from subscribekit.bulk._sending import lease as _lease

    made(path)
    service = Ledgered()
    with client_of(service) as client, opened(path, client, concurrency=1) as run:
        monkeypatch.setattr(_lease.Lease, "is_valid", property(lambda _: False))
        with pytest.raises(LeaseLostError, match="stalled"):
            list(run.send())
        assert run.counts() == Counts(ready=5)
    assert service.arrived == []


def test_a_lease_that_another_process_ended_stops_the_run(path: Path) -> None:
    def end_the_lease(_: str) -> None:
        other = sqlite3.connect(path, timeout=5)
        other.execute("UPDATE subscribekit_owners SET ended = 1")
        other.execute("UPDATE subscribekit_items SET state = 'unknown' WHERE state = 'sent'")
        other.commit()
        other.close()

    made(path)
    service = Ledgered(end_the_lease)
    with client_of(service) as client, opened(path, client, concurrency=1) as run:
        items = list(run.send())
        assert [item.state for item in items] == ["done"] * 5  # the sender's result counts, although the lease expired
        assert run.counts() == Counts(done=5)
    assert set(service.effects.values()) == {1}


@pytest.mark.parametrize(("verdict", "state", "kept"), [("recorded", "rejected", "rejected"), (None, "ready", "done")])
def test_a_late_result_keeps_the_verdict_but_prevents_a_second_send(
    path: Path, verdict: str | None, state: str, kept: str, caplog: pytest.LogCaptureFixture
) -> None:
    made(path, 1)

    def decide(_: str) -> None:
        other = sqlite3.connect(path, timeout=5)
        other.execute("UPDATE subscribekit_items SET state = ?, verdict = ?", [state, verdict])
        other.commit()
        other.close()

    with client_of(Ledgered(decide)) as client, opened(path, client, concurrency=1) as run:
        list(run.send())
        assert [item.state for item in run.items()] == [kept]
    messages = [
        each.getMessage()
        for each in caplog.records
        if "arrived after the lease expired and was not recorded" in each.getMessage()
    ]
    assert len(messages) == (verdict is not None)


@pytest.mark.hazard("H454")
@pytest.mark.parametrize("again", ["unknown", "done"])
def test_a_late_rejection_is_not_the_outcome_of_an_item_that_was_sent_again(path: Path, again: str) -> None:
    made(path, 1)

    def send_again_elsewhere(_: str) -> httpx.Response:
        other = sqlite3.connect(path, timeout=5)
        other.execute("UPDATE subscribekit_items SET state = ?, sends = sends + 1, owner = 1", [again])
        other.commit()
        other.close()
        return httpx.Response(400, json={"code": "bad-request", "message": "no"})

    with client_of(Ledgered(send_again_elsewhere)) as client, opened(path, client, concurrency=1) as run:
        assert [item.state for item in run.send()] == [again]
        assert [item.state for item in run.items()] == [again]


def test_a_restart_of_the_machine_ends_all_leases(path: Path) -> None:
    made(path)
    with client_of() as client:
        with opened(path, client) as run:
            ledger = run._open()
            with ledger.database.write() as connection:
                _, now = ledger.database.clock(connection)
                owner = ledger.register(connection, "before", now + 10**6, 60)
                ledger.claim_key(connection, owner, "order-1")
                connection.exec_driver_sql("UPDATE subscribekit_ledger SET epoch = 'before', paused_until = 1e12")
        with opened(path, client) as run:
            assert {item.key: item.state for item in run.send()}["order-1"] == "unknown"
            assert run.counts() == Counts(done=4, unknown=1)


def test_a_restart_of_the_machine_makes_items_due_that_have_attempts_left(path: Path) -> None:
    made(path)
    with client_of() as client, opened(path, client) as run:
        with run._open().database.write() as connection:
            connection.exec_driver_sql("UPDATE subscribekit_ledger SET epoch = 'before'")
            connection.exec_driver_sql("UPDATE subscribekit_items SET due = 1e12 WHERE key = 'order-1'")
            connection.exec_driver_sql(f"UPDATE subscribekit_items SET due = {NEVER} WHERE key = 'order-2'")
        with opened(path, client) as after, after._open().database.read() as connection:
            found = connection.exec_driver_sql("SELECT key, due FROM subscribekit_items").all()
    assert {str(key): due for key, due in found} == {f"order-{n}": NEVER if n == 2 else 0 for n in range(5)}


def test_a_clock_that_jumps_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jumps = iter([0.0, 1e6, -1e6, 5e5] * 1000)
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    service = Ledgered()
    with client_of(service) as client, opened(path, client, lease=5.0) as run:
        run.add(jobs(client, 50))
        states = {item.state for item in run.send()}
    # If leases use the time of day, a jump may end a lease. Its requests become unknown, and are not sent again.
    assert states <= ({"done", "unknown"} if uptime() is None else {"done"})
    assert set(service.effects.values()) == {1}


def test_a_ledger_needs_no_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        made(path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)
