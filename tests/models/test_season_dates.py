"""Checks that the bounds of a season are read as dates or timestamps, as the service sends them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from subscribekit.models import Season
from subscribekit.models._base import read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2026-03-01", date(2026, 3, 1)),
        ("2026-03-01T10:00:00Z", datetime(2026, 3, 1, 10, tzinfo=UTC)),
        ("2026-03-01T10:00:00+02:00", datetime(2026, 3, 1, 8, tzinfo=UTC)),
    ],
)
def test_a_bound_is_read_as_a_date_or_a_timestamp(text: str, value: Any) -> None:
    season = read(Season, {"object": "Season", "starts": text, "ends": text})
    assert (season.starts, season.ends) == (value, value)
    assert type(season.starts) is type(value)
