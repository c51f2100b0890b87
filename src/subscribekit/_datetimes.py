"""Datetimes of an application, which may be of subclasses, such as those of pandas."""

from datetime import datetime
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
