"""The SDK's trust settings apply even if truststore replaces `ssl.SSLContext` (H373)."""

from __future__ import annotations

import pytest

from tools.conftest import Story
from tools.trust import CONTEXTS


@pytest.mark.hazard("H373")
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("kind", CONTEXTS)
@pytest.mark.parametrize("style", ["blocking", "async"])
def test_the_configured_trust_decides(story: Story, style: str, kind: str, when: str) -> None:
    """The test injects truststore before the SDK is imported, or after the client is created."""
    assert story("truststore", "tools.trust", style, kind, when) == f"{kind}\n"
