"""Checks an application's datetimes, which can be instances of subclasses, and parses the dates of HTTP headers."""

from datetime import UTC, datetime
from typing import TypeGuard


def is_time(value: object) -> TypeGuard[datetime]:
    """Return whether a value is a point in time, unlike pandas' `NaT`, which is also an instance of `datetime`."""
    if not isinstance(value, datetime):
        return False
    try:
        value.utcoffset()
    except ValueError:
        return False
    return True


def exact(value: datetime) -> datetime | None:
    """Return a time as a plain `datetime`, or `None` if it has nanoseconds, as pandas times can."""
    plain = datetime.fromisoformat(value.isoformat())
    return plain if plain == value else None


def http_date(value: str) -> datetime | None:
    """Parse the date in a header, in any of the three formats of HTTP, or return `None` for any other text."""
    if not value[:3].isalpha():
        return None
    from email.utils import parsedate_to_datetime

    try:
        timestamp = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return timestamp.replace(tzinfo=UTC) if timestamp.tzinfo is None else timestamp  # asctime dates have no time zone
