"""Checks that times have a time zone, are in UTC, and are as exact as the values that the service sends."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from subscribekit.models import Account, AccountAssociation, Season
from subscribekit.models._base import read, write


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("2018-06-04T13:59:07-07:00", datetime(2018, 6, 4, 20, 59, 7, tzinfo=UTC)),
        ("2018-06-04T20:59:07Z", datetime(2018, 6, 4, 20, 59, 7, tzinfo=UTC)),
        ("2018-06-04T20:59:07.123456+00:00", datetime(2018, 6, 4, 20, 59, 7, 123456, tzinfo=UTC)),
        ("2018-06-04 22:59:07+0200", datetime(2018, 6, 4, 20, 59, 7, tzinfo=UTC)),
    ],
)
def test_a_time_with_any_offset_is_converted_to_utc(sent: str, expected: datetime) -> None:
    created = read(Account, {"created": sent}).created
    assert created == expected
    assert created is not None
    assert created.tzinfo is UTC


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("2018-06-04T13:59:07", datetime(2018, 6, 4, 13, 59, 7, tzinfo=UTC)),
        ("2018-06-04T13:59:07.5", datetime(2018, 6, 4, 13, 59, 7, 500000, tzinfo=UTC)),
        ("2018-06-04", datetime(2018, 6, 4, tzinfo=UTC)),
        ("20180604", datetime(2018, 6, 4, tzinfo=UTC)),
    ],
)
def test_a_received_time_without_an_offset_is_utc(sent: str, expected: datetime) -> None:
    account = read(Account, {"created": sent, "id": "a1"})
    assert account.created == expected
    assert account.created is not None
    assert account.created.tzinfo is UTC
    assert account.created < datetime(2030, 1, 1, tzinfo=UTC)
    assert write(account) == {"created": expected.isoformat(), "id": "a1"}
    association = read(AccountAssociation, {"createdDate": "2018-06-04T13:59:07"})
    assert association.created_date == datetime(2018, 6, 4, 13, 59, 7, tzinfo=UTC)


@pytest.mark.parametrize("sent", ["soon", "", 1528146000, "2018-13-01T00:00:00Z", True, {"at": 1}])
def test_a_value_that_is_not_a_time_is_not_parsed(sent: object) -> None:
    account = read(Account, {"created": sent, "id": "a1"})
    assert account.created is None
    assert account.unparsed_fields == {"created"}
    assert write(account) == {"created": sent, "id": "a1"}


def test_a_time_at_the_end_of_the_calendar_keeps_its_offset() -> None:
    account = read(Account, {"created": "9999-12-31T23:59:59-07:00"})
    assert account.created is not None
    assert account.created.utcoffset() == timedelta(hours=-7)
    assert write(account) == {"created": "9999-12-31T23:59:59-07:00"}


def test_the_times_of_a_new_model_are_converted_to_utc() -> None:
    account = Account(created=datetime(2030, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))))
    assert account.created == datetime(2030, 1, 1, tzinfo=UTC)
    assert write(account) == {"created": "2030-01-01T00:00:00+00:00"}
    assert account.model_dump(exclude_unset=True) == {"created": datetime(2030, 1, 1, tzinfo=UTC)}


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1000, datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)),
        (-1, datetime(1969, 12, 31, 23, 59, 59, 999000, tzinfo=UTC)),
        (1893456000123, datetime(2030, 1, 1, 0, 0, 0, 123000, tzinfo=UTC)),
        ("1000", datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)),
    ],
)
def test_epoch_milliseconds_are_never_seconds(sent: object, expected: datetime) -> None:
    association = read(AccountAssociation, {"createdDate": sent})
    assert association.created_date == expected
    assert write(association) == {"createdDate": int(str(sent))}


@pytest.mark.parametrize("sent", [10**18, "soon", 1.5, True, []])
def test_a_value_that_is_not_an_epoch_is_not_parsed(sent: Any) -> None:
    association = read(AccountAssociation, {"createdDate": sent, "id": 7})
    assert association.id == 7
    assert association.unparsed_fields == {"createdDate"}
    assert write(association) == {"createdDate": sent, "id": 7}


def test_an_epoch_field_accepts_only_a_datetime_with_a_time_zone() -> None:
    moment = datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert write(AccountAssociation(created_date=moment)) == {"createdDate": 1000}
    for refused in (1000, datetime(1970, 1, 1)):  # noqa: DTZ001
        with pytest.raises(ValidationError):
            AccountAssociation.model_validate({"created_date": refused})


@settings(deadline=None)
@given(st.integers(min_value=-62135596800000, max_value=253402300799999))
def test_every_millisecond_survives(milliseconds: int) -> None:
    association = read(AccountAssociation, {"createdDate": milliseconds})
    assert write(association) == {"createdDate": milliseconds}


@settings(deadline=None)
@given(st.datetimes(datetime(2, 1, 1), datetime(9998, 1, 1), timezones=st.timezones()))  # noqa: DTZ001
def test_every_aware_time_survives(moment: datetime) -> None:
    again = read(Account, write(Account(created=moment)))
    assert again.created == moment.astimezone(UTC)


def test_a_season_is_a_date_or_a_time() -> None:
    season = read(Season, {"starts": "2030-04-01", "ends": "2030-10-01T00:00:00+02:00"})
    assert season.starts == date(2030, 4, 1)
    assert season.ends == datetime(2030, 9, 30, 22, tzinfo=UTC)
    assert write(season) == {"starts": "2030-04-01", "ends": "2030-09-30T22:00:00+00:00"}
    assert read(Season, {"starts": "2030-04-01T00:00:00"}).starts == datetime(2030, 4, 1, tzinfo=UTC)
    built = Season(starts=date(2030, 4, 1), ends=datetime(2030, 10, 1, tzinfo=UTC))
    assert write(built) == {"starts": "2030-04-01", "ends": "2030-10-01T00:00:00+00:00"}
    with pytest.raises(ValidationError):
        Season(starts=datetime(2030, 4, 1))  # noqa: DTZ001
