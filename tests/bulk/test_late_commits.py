"""PostgreSQL with other defaults, and PostgreSQL that executes a COMMIT after the SDK's connection has died.

Hazards: H386, H387.
"""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Iterator
from typing import Self

import pytest
import sqlalchemy as sa

from bulk.kit import Ledgered, client_of, jobs, opened
from bulk.postgresql import Postgres
from subscribekit.bulk import Counts
from subscribekit.bulk._sending import engine as _engine
from subscribekit.errors import LedgerError


@pytest.fixture
def settings(server: Postgres) -> Iterator[Postgres]:
    """Return the server, and undo changed settings at the end."""
    yield server
    server.reset()


@pytest.mark.hazard("H386")
@pytest.mark.parametrize("level", ["serializable", "repeatable read"])
def test_each_transaction_is_read_committed_whatever_the_default_is(
    settings: Postgres, database: str, level: str
) -> None:
    settings.set(default_transaction_isolation=level)
    service = Ledgered()

    def work() -> None:
        with client_of(service) as client, opened(database, client, concurrency=4) as run:
            run.add(jobs(client, 60))
            for _ in run.send():
                pass

    failures: list[BaseException] = []

    def watched() -> None:
        try:
            work()
        except LedgerError as error:
            failures.append(error)

    threads = [threading.Thread(target=watched) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert dict(service.effects) == {f"t{number}": 1 for number in range(60)}
    with client_of() as client, opened(database, client) as run:
        for transaction in (run._open().database.read, run._open().database.write):
            with transaction() as connection:
                assert connection.exec_driver_sql("SHOW transaction_isolation").scalar_one() == "read committed"


class Network:
    """A network to a server. On request, it disconnects the client at a COMMIT and delivers that COMMIT later."""

    def __init__(self, server: sa.URL) -> None:
        self._path = f"{server.query['host']}/.s.PGSQL.{server.port or 5432}"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.cuts = False
        self.delivers, self.delivered = threading.Event(), threading.Event()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._path)
            while True:
                ready, _, _ = select.select([client, server], [], [], 60)
                if not ready:
                    return
                for source in ready:
                    data = source.recv(65536)
                    if not data:
                        return
                    if source is client and self.cuts and b"COMMIT" in data:
                        self.cuts = False
                        client.close()
                        assert self.delivers.wait(60)
                        server.sendall(data)
                        server.recv(65536)  # the confirmation of the COMMIT
                        self.delivered.set()
                        return
                    (server if source is client else client).sendall(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.delivers.set()
        self._listener.close()


@pytest.mark.hazard("H387")
@pytest.mark.parametrize("goes_on", [True, False], ids=["and goes on", "and closes"])
def test_an_item_whose_claim_is_committed_after_the_connection_died_is_ready_again(
    server: Postgres, database: str, goes_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_engine, "_WRITE_RETRY_SECONDS", 0.1)
    service = Ledgered()
    with Network(server.url) as network:
        place = sa.make_url(database).set(host="127.0.0.1", port=network.port)
        url = place.difference_update_query(["host"]).render_as_string(hide_password=False)
        late = threading.Timer(0.5, network.delivers.set)
        with client_of(service) as client, opened(url, client, concurrency=1, lease=10.0) as run:
            run.add(jobs(client, 3))
            claim = run._open().claim

            def cut(*given: object) -> object:
                network.cuts = True
                late.start()
                run._open().claim = claim  # type: ignore[method-assign]
                return claim(*given)  # type: ignore[arg-type]

            run._open().claim = cut  # type: ignore[method-assign, assignment]
            with pytest.raises(LedgerError):
                list(run.send())
            assert service.arrived == []
            if goes_on:
                assert {item.state for item in run.send()} == {"done"}
        assert network.delivered.wait(60)
        late.join()
        with client_of(service) as client, opened(url, client) as run:
            assert run.counts() == (Counts(done=3) if goes_on else Counts(ready=3))
            list(run.send())
            assert run.counts() == Counts(done=3)
    assert dict(service.effects) == {f"t{number}": 1 for number in range(3)}
