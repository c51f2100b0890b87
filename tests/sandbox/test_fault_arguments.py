"""Tests that the functions that create faults reject invalid arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from looped import looped
from subscribekit.sandbox import faults

MAKERS: Any = faults


@looped("name", ["proxy_page", "server_error", "server_error_after_commit"])
@looped("invalid", ["x", 5, 199, 600, True, 502.0, None])
def test_an_invalid_status_is_rejected(name: str, invalid: Any) -> None:
    with pytest.raises(ValueError, match=r"^status must be a whole number from 200 to 599, such as 502, not "):
        getattr(faults, name)(invalid)


@pytest.mark.parametrize("use", [
    lambda: MAKERS.slow_response("90"), lambda: MAKERS.slow_response(90, pieces="3"),
    lambda: MAKERS.slow_response(True),
    lambda: MAKERS.wrong_total("3"), lambda: MAKERS.foreign_next(3), lambda: MAKERS.read_timeout(committed="yes"),
    lambda: MAKERS.slow_response(float("nan")), lambda: MAKERS.slow_response(90, pieces=2.5),
])  # fmt: skip
def test_a_value_of_a_wrong_type_is_rejected_when_the_fault_is_created(use: Callable[[], object]) -> None:
    with pytest.raises(ValueError, match="must be"):
        use()
