"""Datetimes: those of an application, which may be of subclasses such as pandas has, and those of HTTP headers."""

from datetime import UTC, datetime
from typing import TypeGuard


def is_time(value: object) -> TypeGuard[datetime]:
    """Return whether a value is a time. NaT of pandas is a `datetime` to Python, but has no offset and no value."""
    if not isinstance(value, datetime):
        return False
    try:
        value.utcoffset()
    except ValueError:
        return False
    return True


def exact(value: datetime) -> datetime | None:
    """Return a time as a plain `datetime`, or `None` if it has fractions of a microsecond."""
    plain = datetime.fromisoformat(value.isoformat())
    return plain if plain == value else None


def http_date(value: str) -> datetime | None:
    """Read a date of a header, in any of the three forms of HTTP; `None` for anything else."""
    if not value[:3].isalpha():
        return None
    from email.utils import parsedate_to_datetime

    try:
        timestamp = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return timestamp.replace(tzinfo=UTC) if timestamp.tzinfo is None else timestamp  # the asctime form comes back naive
