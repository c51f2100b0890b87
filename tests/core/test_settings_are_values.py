"""Settings are values that threads and tasks share: nothing can be assigned, and each argument has its name."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

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
def test_each_argument_has_its_name(value: Any) -> None:
    with pytest.raises(TypeError):
        type(value)(3)
