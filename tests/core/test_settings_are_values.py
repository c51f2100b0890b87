"""Settings are immutable, because threads and tasks share them, and their arguments are keyword-only."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from kit.calls import Run, Service, answer
from subscribekit import Environment, Limits, RetryPolicy, Timeouts, WireNames

VALUES: list[Any] = [RetryPolicy(), Timeouts(), Limits(), WireNames(), Environment(name="mine")]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_nothing_can_be_assigned(value: Any) -> None:
    for each in fields(value):
        with pytest.raises(FrozenInstanceError):
            setattr(value, each.name, None)
    with pytest.raises((AttributeError, TypeError)):
        value.no_such_setting = 1


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_the_arguments_are_keyword_only(value: Any) -> None:
    with pytest.raises(TypeError):
        type(value)(3)


def test_settings_show_no_header() -> None:
    """A traceback can show the `repr` of local variables, and a header can contain a secret of the application."""
    with Run("blocking").client("gateway", transport=Service(answer({"id": "s1"}))) as client:
        own = client.with_options(headers={"X-Own": "own-secret"})
        own.subscriptions.retrieve("s1")
        settings = own._driver.settings
        assert settings.header_cache
        assert "own-secret" not in repr(settings)
