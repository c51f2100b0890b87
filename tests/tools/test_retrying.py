"""httpx-retries below the SDK: what it sends twice is never called unsent or refused (H376)."""

from __future__ import annotations

import pytest

from tools.conftest import Story


@pytest.mark.hazard("H376")
def test_a_charge_that_the_transport_repeated_is_unknown(story: Story) -> None:
    assert story("httpx-retries", "tools.retrying") == "blocking\nasync\n"
