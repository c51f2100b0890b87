"""Calls over the SDK's own connections work while a test tool stops or moves the clock (H421)."""

from __future__ import annotations

import pytest

from tools.clocks import CLOCKS, WHEN
from tools.conftest import Story


@pytest.mark.hazard("H421")
@pytest.mark.parametrize("when", WHEN)
@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("style", ["blocking", "async"])
def test_calls_work_while_a_clock_is_held(story: Story, style: str, clock: str, when: str) -> None:
    assert story(CLOCKS[clock][0], "tools.clocks", style, clock, when) == f"{clock}\n"
