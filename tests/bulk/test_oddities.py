"""Unusual input and unusual failures affect only their own item.

Hazards: H168, H169.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from bulk.kit import KEY, URL, Ledgered, charge, client_of, jobs, opened
from bulk.postgresql import Postgres
from bulk.test_interrupted import within
from subscribekit import BillingClient
from subscribekit.bulk import Counts
from subscribekit.errors import LedgerError, SubscribekitError
from subscribekit.models import Account


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


class UnspeakableError(Exception):
    """An error whose text can't be read."""

    def __str__(self) -> str:
        raise ZeroDivisionError


class UnwritableError(SubscribekitError):
    """An application's error with values that JSON can't represent."""

    code = object()


@pytest.mark.parametrize("error", [UnspeakableError(), UnwritableError("x", outcome="unknown")], ids=["text", "value"])
def test_an_error_that_cannot_be_stored_ends_the_run_in_order(path: Path, error: Exception) -> None:
    service = Ledgered(lambda charged: error if charged == "t1" else None)
    with client_of(service) as client, opened(path, client, concurrency=1) as run:
        run.add(jobs(client, 4))
        with pytest.raises((SubscribekitError, UnspeakableError)):
            within(5, lambda: list(run.send()))
        assert run.counts() == Counts(done=1, unknown=1, ready=2)
        list(run.send())
    assert set(service.effects.values()) == {1}


KEYS = [
    "'; DROP TABLE subscribekit_items; --", "%(state_1)s", "?", "{}", "a b", " ", "=cmd()", "é", "e\u0301", "\u202e",
    "\U0001f4b8" * 255, "%", "\\", '"', "NULL", "0", "K", "k", "\u212a",
]  # fmt: skip


def test_keys_with_unusual_characters_are_distinct(tmp_path: Path, place: str) -> None:
    service = Ledgered()
    with client_of(service) as client:
        for _ in range(2):
            with opened(place, client) as run:
                run.add((key, client.prepare.entitlements.charge("p", charge(each))) for each, key in enumerate(KEYS))
                list(run.send())
                assert {item.key for item in run.items("done")} == set(KEYS)
                assert run.report(tmp_path / "report.csv") == len(KEYS)
                run.send_once(KEYS[0], client.prepare.entitlements.charge("p", charge(0)))
    assert set(service.effects.values()) == {1}
    assert len(service.effects) == len(KEYS)


def test_a_large_body_is_sent_as_it_was_added(place: str) -> None:
    seen: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(request.read())
        return httpx.Response(200, json={"id": "a", "name": "Ann"})

    with BillingClient(base_url=URL, api_user="u", api_key=KEY, transport=httpx.MockTransport(answer)) as client:
        metadata = {f"k{number}": "x" * 1000 for number in range(1000)}
        request = client.prepare.accounts.create(Account(id="a", name="Ann", metadata=metadata))
        with opened(place, client) as run:
            run.add([("a", request)])
            assert {item.state for item in run.send()} == {"done"}
            assert run.purge_data() == 1
    assert seen == [request.body]
    assert len(seen[0]) > 1_000_000


def test_unreadable_results_do_not_hide_the_others(place: str) -> None:
    with client_of() as client, opened(place, client) as run:
        run.add(jobs(client, 3))
        list(run.send())
        with run._open().database.write() as connection:
            connection.execute(
                sa.text("UPDATE subscribekit_items SET result = :result WHERE key = 'order-1'"), {"result": b"[1"}
            )
        states: dict[str, Any] = {}
        for item in run.items():
            assert item.state == "done"
            try:
                states[item.key] = item.result
            except SubscribekitError as error:
                states[item.key] = type(error)
        assert [type(each).__name__ for each in states.values()] == [
            "EntitlementChargeReceipt", "type", "EntitlementChargeReceipt",
        ]  # fmt: skip
        assert run.counts() == Counts(done=3)


@pytest.mark.parametrize("encoding", ["LATIN1", "SQL_ASCII"])
def test_a_database_that_cannot_hold_every_text_is_refused(server: Postgres, encoding: str) -> None:
    options = f"ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    place = server.create(f"odd_{encoding.lower()} {options}")
    with client_of() as client, pytest.raises(LedgerError, match="UTF8"):
        opened(place, client)


def test_a_file_with_another_name_or_a_mount_of_its_own_is_refused(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with client_of() as client:
        with opened(path, client) as run:
            run.add(jobs(client, 1))
        other = tmp_path / "other.db"
        other.hardlink_to(path)
        for name in (path, other):  # with two names, the file would have two -wal files
            with pytest.raises(LedgerError, match="another name"):
                opened(name, client)
        other.unlink()
        from subscribekit import _sqlite_files

        mounts = tmp_path / "mountinfo"
        mounts.write_text(f"36 35 98:0 /l.db {path} rw,noatime - ext3 /dev/root rw\n")
        monkeypatch.setattr(_sqlite_files, "_MOUNTS", mounts)
        with pytest.raises(LedgerError, match="mounted"):
            opened(path, client)
        mounts.write_text(f"36 35 98:0 / {path.parent} rw,noatime - ext3 /dev/root rw\n")
        with opened(path, client) as run:
            assert run.counts() == Counts(ready=1)
