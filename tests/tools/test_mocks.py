"""No call of a default client bypasses other versions of the test tools that replace the network (H370)."""

from __future__ import annotations

import pytest

from tools.conftest import Story


@pytest.mark.hazard("H370")
@pytest.mark.parametrize("tool", ["vcrpy5", "vcrpy6", "vcrpy7", "vcrpy8"])
def test_a_cassette_intercepts_every_call(story: Story, tool: str) -> None:
    assert story(tool, "patching_tools", "vcrpy") == "blocking\nasync\n"


@pytest.mark.hazard("H370")
def test_pytest_httpx2_intercepts_calls_over_an_httpx2_client(story: Story) -> None:
    assert story("pytest-httpx2", "patching_tools", "pytest-httpx2") == "blocking\nasync\n"


@pytest.mark.hazard("H370", "H371")
@pytest.mark.parametrize("tool", ["vcrpy6", "vcrpy7", "vcrpy8"])
def test_calls_are_recorded_and_played(story: Story, tool: str) -> None:
    """vcrpy 5 isn't tested, because it can't record a streamed response of any httpx client."""
    assert story(tool, "tools.recording") == "blocking\nasync\n"
