"""After Ctrl-C or SIGTERM, requests in flight are completed, and other items stay ready. A second one ends the run."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from bulk.kit import Ledgered, charge, client_of, jobs, opened
from subscribekit.bulk import Counts, _opened


class Waiting(Ledgered):
    """A service that responds only when a test releases it."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.begun = threading.Semaphore(0)
        super().__init__(self.wait)

    def wait(self, _: str) -> None:
        self.begun.release()
        self.go.wait(5)


@pytest.mark.parametrize(
    ("number", "error"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)], ids=["Ctrl-C", "SIGTERM"]
)
def test_requests_in_flight_are_completed_after_the_first_signal(
    tmp_path: Path, number: signal.Signals, error: type[BaseException]
) -> None:
    service = Waiting()
    before = signal.getsignal(number)
    seen: list[str] = []

    def interrupt() -> None:
        for _ in range(3):
            service.begun.acquire()
        os.kill(os.getpid(), number)
        while run.stopped is None and run._session is not None and run._session.stopped is None:
            time.sleep(0.001)
        service.go.set()

    with client_of(service) as client, opened(tmp_path / "l.db", client, concurrency=3) as run:
        run.add(jobs(client, 9))
        thread = threading.Thread(target=interrupt)
        thread.start()
        with pytest.raises(error):
            seen.extend(item.state for item in run.send())
        thread.join()
        assert run.stopped == f"interrupted by {number.name}"
        assert run.counts() == Counts(done=3, ready=6)
        assert len(list(run.send())) == 6
    assert seen == ["done"] * 3
    assert signal.getsignal(number) is before
    assert set(service.effects.values()) == {1}


def test_a_second_ctrl_c_stops_at_once(tmp_path: Path) -> None:
    service = Waiting()

    def interrupt() -> None:
        for _ in range(2):
            service.begun.acquire()
        os.kill(os.getpid(), signal.SIGINT)
        while run._session is not None and run._session.stopped is None:
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    with client_of(service) as client:
        with opened(tmp_path / "l.db", client, concurrency=2, lease=2.0) as run:
            run.add(jobs(client, 6))
            thread = threading.Thread(target=interrupt)
            thread.start()
            with pytest.raises(KeyboardInterrupt):
                list(run.send())
            thread.join()
            assert run.counts() == Counts(sent=2, ready=4)
        with opened(tmp_path / "l.db", client) as other:  # both items may be in flight until the lease ends
            assert other.counts() == Counts(sent=2, ready=4)
            with other._open().database.read() as connection:
                assert connection.exec_driver_sql("SELECT ended FROM subscribekit_owners").scalars().all() == [0]
        service.go.set()
        with opened(tmp_path / "l.db", client) as run:
            states = [item.state for item in run.send()]
            assert sorted(states) == ["done"] * 4 + ["unknown"] * 2
    assert set(service.effects.values()) == {1}


def test_a_handler_of_the_application_is_called_in_the_end(tmp_path: Path) -> None:
    service, called = Waiting(), list[int]()
    service.go.set()
    before = signal.signal(signal.SIGTERM, lambda number, _: called.append(number))
    try:
        with client_of(service) as client, opened(tmp_path / "l.db", client, concurrency=2) as run:
            run.add(jobs(client, 40))
            for number, _ in enumerate(run.send()):
                if number == 3:
                    os.kill(os.getpid(), signal.SIGTERM)
            assert called == [signal.SIGTERM]
            counts = run.counts()
            assert counts.ready > 0
            assert counts.sent == counts.unknown == 0
    finally:
        signal.signal(signal.SIGTERM, before)


def test_results_are_read_in_a_thread_without_touching_signals(tmp_path: Path) -> None:
    states: list[str] = []
    with client_of() as client, opened(tmp_path / "l.db", client) as run:
        run.add(jobs(client, 5))
        thread = threading.Thread(target=lambda: states.extend(item.state for item in run.send()))
        thread.start()
        thread.join()
    assert states == ["done"] * 5


@pytest.mark.hazard("H332")
def test_the_handler_of_a_signal_may_use_a_run_whose_engine_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main, began, engines, found = threading.get_ident(), threading.Event(), list[Any](), list[Counts]()
    original = _opened.Engine

    def interrupted(*given: Any) -> Any:
        if not engines:
            signal.pthread_kill(main, signal.SIGUSR1)
            assert began.wait(10)
        engines.append(original(*given))
        return engines[-1]

    def handler(*_: object) -> None:
        began.set()
        run.send_once("order-0", client.prepare.entitlements.charge("ps-0", charge(0)))
        found.append(run.counts())

    monkeypatch.setattr(_opened, "Engine", interrupted)
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with client_of(service := Ledgered()) as client, opened(tmp_path / "l.db", client) as run:
            run.add(jobs(client, 3))
            assert {item.state for item in run.send()} == {"done"}
            assert run.counts() == Counts(done=3)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert [counts.done for counts in found] in ([1], [2], [3])
    assert set(service.effects.values()) == {1}
    assert [engine.is_alive() for engine in engines] == [False]
