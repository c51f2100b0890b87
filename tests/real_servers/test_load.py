"""The comparison of outcomes and effects, on which the other tests of this folder rely, detects errors."""

from __future__ import annotations

import ssl
import time

import pytest

from real_servers.backend import Backend
from real_servers.load import Disturbance, Load


@pytest.mark.parametrize(
    ("ended", "effects"),
    [("done", 0), ("done", 2), ("unknown", 2), ("not_sent", 1), ("rejected", 0), ("rejected", 1), ("interrupted", 0)],
)
def test_a_wrong_effect_is_detected(ended: str, effects: int, trust: ssl.SSLContext) -> None:
    with Backend() as backend:
        load = Load("blocking", "https://127.0.0.1", trust, charges=2, ended={"right": "done", "odd": ended})
        backend.effects.update({"right": 1, "odd": effects})
        with pytest.raises(AssertionError, match="odd"):
            load.check(backend)


def test_correct_effects_pass(trust: ssl.SSLContext) -> None:
    ended = {"a": "done", "b": "unknown", "c": "unknown", "d": "not_sent"}
    with Backend() as backend:
        backend.effects.update({"a": 1, "b": 1})
        Load("blocking", "https://127.0.0.1", trust, charges=4, ended=ended).check(backend)


def test_an_effect_without_a_charge_is_detected(trust: ssl.SSLContext) -> None:
    with Backend() as backend:
        backend.effects.update({"a": 1, "b": 1})
        with pytest.raises(AssertionError):
            Load("blocking", "https://127.0.0.1", trust, charges=1, ended={"a": "done"}).check(backend)


def test_a_disturbance_that_fails_fails_the_test() -> None:
    def fail() -> None:
        raise RuntimeError("the proxy did not come back")

    disturbance = Disturbance(fail, every=0.001)
    disturbance.__enter__()
    while not disturbance.reached(1):
        time.sleep(0.001)
    with pytest.raises(RuntimeError, match="come back"):
        disturbance.__exit__()
