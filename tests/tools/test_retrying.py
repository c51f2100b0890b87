"""If httpx-retries sends a request twice, the outcome is never `not_sent` or `rejected` (H376)."""

from __future__ import annotations

import pytest

from tools.conftest import Story


@pytest.mark.hazard("H376")
def test_a_charge_that_the_transport_repeated_has_an_unknown_outcome(story: Story) -> None:
    assert story("httpx-retries", "tools.retrying") == "blocking\nasync\n"
