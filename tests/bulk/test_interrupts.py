"""After an interrupt at any line of a run, requests in flight are completed, and no item is sent twice or left over.

Hazards: H167.
"""

from __future__ import annotations

import linecache
import threading
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import subscribekit.bulk
from bulk.kit import Ledgered, charge, client_of, jobs, opened
from bulk.test_interrupted import within
from kit.interrupts import InterruptAt
from samples import points
from subscribekit.bulk import Counts

OWN = (str(Path(subscribekit.bulk.__file__).parent),)


class Interrupt(InterruptAt):
    """Skips `with` statements. A tracer can raise before the end of a block starts, but a signal can't."""

    def _local(self, frame: FrameType, event: str, arg: object) -> Any:
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
        return self._local if line.lstrip().startswith("with ") else super()._local(frame, event, arg)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "charges.db"


def test_send_once_may_be_interrupted_at_any_line(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client, lease=60.0) as run:
        made = 0
        for number in points(4):
            made += 1
            key, request = f"key-{number}", client.prepare.entitlements.charge("ps-1", charge(number))
            interrupt = Interrupt(number, OWN)
            try:
                with interrupt:
                    run.send_once(key, request)
            except KeyboardInterrupt as error:
                error.with_traceback(None)
            within(5, lambda key=key, request=request: run.send_once(key, request))  # type: ignore[misc]  # bound as they are now
            assert service.effects[f"t{number}"] == 1
            if interrupt.left > 0:
                break
        assert number > 50
        assert run.counts() == Counts(done=made)


# If the run was interrupted before its first step, the results were in fact not read.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_send_may_be_interrupted_at_any_line(path: Path) -> None:
    service = Ledgered()
    with client_of(service) as client, opened(path, client, concurrency=2, lease=60.0) as run:
        for number in points(2):
            run.add(jobs(client, 2, number * 10))
            interrupt = Interrupt(number, OWN)
            try:
                with interrupt:
                    list(run.send())
            except KeyboardInterrupt as error:
                error.with_traceback(None)
            within(5, lambda: list(run.send()))
            counts = run.counts()
            assert (counts.ready, counts.sent, counts.rejected) == (0, 0, 0)
            if interrupt.left > 0:
                break
        assert number > 50
        assert counts.unknown == 0
    assert set(service.effects.values()) == {1}
    assert not [thread for thread in threading.enumerate() if thread.name == "subscribekit-worker"]
