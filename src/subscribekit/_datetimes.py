"""Checks datetimes from the application, including instances of subclasses, and parses dates in HTTP headers."""

from datetime import UTC, datetime
from typing import TypeGuard


def is_time(value: object) -> TypeGuard[datetime]:
    """Return whether a value is a point in time.

    The value `NaT` of pandas is an instance of `datetime`, but isn't a point in time.
    """
    if not isinstance(value, datetime):
        return False
    try:
        value.utcoffset()
    except ValueError:
        return False
    return True


def exact(value: datetime) -> datetime | None:
    """Return a time as a plain `datetime`, or `None` if the time has nanoseconds, which a `datetime` can't contain."""
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
