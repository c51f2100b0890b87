"""The owner of a claim has a number that no other registration gets.

Hazards: H385.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy import event, exc

from bulk.kit import Ledgered, client_of, jobs, opened
from subscribekit.bulk import Counts, Run
from subscribekit.bulk._ledger.schema import owners
from subscribekit.errors import LedgerError

pytestmark = pytest.mark.hazard("H385")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


def fill_the_disk_for_one_commit(run: Run) -> None:
    """Let the next commit fail that registers an owner, as if the disk were full for a moment."""
    engine = run._open().database.engine

    def fail(connection: sa.Connection) -> None:
        if connection.execute(sa.select(owners.c.id)).first() is not None:
            event.remove(engine, "commit", fail)
            raise exc.OperationalError("COMMIT", None, Exception("the disk is full"))

    event.listen(engine, "commit", fail)


def test_a_failed_registration_does_not_affect_the_next_process(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client, concurrency=1) as first:
        first.add(jobs(client, 4))
        fill_the_disk_for_one_commit(first)
        with pytest.raises(LedgerError):
            list(first.send())
        assert service.arrived == []

        def resume_the_first(_: str) -> None:
            service.answer = lambda _: None
            results = first.send()
            assert {next(results).key for _ in range(3)} == {"order-1", "order-2", "order-3"}

        service.answer = resume_the_first
        with opened(path, client, concurrency=1) as second:
            list(second.send())
            assert second.counts() == Counts(done=4)
    assert dict(service.effects) == {f"t{number}": 1 for number in range(4)}


def test_each_registration_has_a_number_of_its_own(place: str) -> None:
    with client_of() as client, opened(place, client) as run:
        ledger, numbers = run._open(), set[int]()
        for _ in range(3):
            with suppress(ZeroDivisionError), ledger.database.write() as connection:
                numbers.add(ledger.register(connection, "a process", 0.0, 1.0))
                raise ZeroDivisionError
    assert len(numbers) == 3
    assert all(0 < number < 2**63 for number in numbers)
