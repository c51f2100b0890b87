"""Every test here runs in both styles."""

from __future__ import annotations

import pytest

from kit.calls import Run, Style


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest) -> Run:
    style: Style = request.param
    return Run(style)
