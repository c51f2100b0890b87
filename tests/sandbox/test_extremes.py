"""Tests that neither requests with extreme values nor the passing of time break a sandbox.

The environment variables `SANDBOX_CASES` and `SANDBOX_SEED` set the number of cases and the seed. The message of a
failure contains the seed and the number of the case.
"""

from __future__ import annotations

import os

import pytest

from sandbox.extremes import Extremes, run
from sandbox.wire import Wire
from subscribekit.sandbox.routes import ROUTES

CASES = int(os.environ.get("SANDBOX_CASES", "100"))
SEED = int(os.environ.get("SANDBOX_SEED", "44"))


def test_the_requests_are_valid_before_one_value_is_replaced() -> None:
    made = Extremes(Wire())
    made.prepare()
    kept = made.wire.sandbox.snapshot()
    for route in ROUTES:
        result = made.send(made.valid(route))
        assert result.status in {200, 204}, (route.method, route.template, result.body)
        made.wire.sandbox.restore(kept)


@pytest.mark.hazard("H470")
def test_no_request_and_no_month_breaks_a_sandbox() -> None:
    print(f"seed {SEED}, {CASES} cases")
    assert run(SEED, CASES) == []
