"""The base class of the classes that create the data of the seeded merchant."""

from __future__ import annotations

from datetime import datetime, timedelta

from ..settings import Settings
from ..store import Store
from ..values import Link

CITIES = ("Redwood City", "Austin", "Portland", "Boise", "Madison")


class Seeder:
    """Base class of the classes that create a part of the seeded data. `start` is the sandbox's start time."""

    def __init__(self, store: Store, start: datetime, settings: Settings) -> None:
        self._store = store
        self._start = start
        self._settings = settings

    def _ago(self, days: int) -> datetime:
        return self._start - timedelta(days=days)

    def _link(self, collection: str, key: str) -> Link:
        found = self._store[collection].find(key)
        if found is None:
            raise LookupError(key)
        return self._store[collection].link(found)
