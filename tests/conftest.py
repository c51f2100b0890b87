"""What holds for every test: no settings of the process environment, and hypothesis without a clock."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("subscribekit", deadline=None, derandomize=True, max_examples=100, print_blob=True)
settings.load_profile("subscribekit")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("SUBSCRIBEKIT_"):
            monkeypatch.delenv(name)
