"""Other versions of test tools that replace the network: no call of a default client gets past them (H370)."""

from __future__ import annotations

import pytest

from tools.conftest import Story


@pytest.mark.hazard("H370")
@pytest.mark.parametrize("tool", ["vcrpy5", "vcrpy6", "vcrpy7", "vcrpy8"])
def test_a_cassette_gets_what_it_would_have_caught(story: Story, tool: str) -> None:
    assert story(tool, "patching_tools", "vcrpy") == "blocking\nasync\n"


@pytest.mark.hazard("H370")
def test_pytest_httpx2_holds_back_the_calls_over_a_client_of_httpx2(story: Story) -> None:
    assert story("pytest-httpx2", "patching_tools", "pytest-httpx2") == "blocking\nasync\n"


@pytest.mark.hazard("H370", "H371")
@pytest.mark.parametrize("tool", ["vcrpy6", "vcrpy7", "vcrpy8"])
def test_calls_are_recorded_and_played(story: Story, tool: str) -> None:
    """vcrpy 5 cannot record a response that is streamed, by any client of httpx."""
    assert story(tool, "tools.recording") == "blocking\nasync\n"
