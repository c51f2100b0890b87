"""Rows from anywhere as mappings, some hundred at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import Protocol, TypeAlias, cast, runtime_checkable

from ..errors import InvalidArgumentError

BATCH = 500
"""Rows that are compared at a time: their keys are looked up by one statement."""
Row: TypeAlias = Mapping[str, object]


@runtime_checkable
class RowBatch(Protocol):
    """A record batch of Arrow."""

    def to_pylist(self) -> list[Row]:
        """Give its rows."""
        ...


@runtime_checkable
class RowBatches(Protocol):
    """A table of Arrow."""

    def to_batches(self) -> Iterable[RowBatch]:
        """Give its batches."""
        ...


@runtime_checkable
class DatabaseRow(Protocol):
    """A row of SQLAlchemy."""

    @property
    def _mapping(self) -> Row: ...


Rows: TypeAlias = Iterable[Row | RowBatch | DatabaseRow | sqlite3.Row] | RowBatches
"""Mappings, as `csv.DictReader` and databases give them, or what Arrow reads."""


def batches(rows: Rows) -> Iterator[list[Row]]:
    """Give the rows in lists.

    Raises:
        InvalidArgumentError: They are no rows.
    """
    each = chain.from_iterable(map(_mappings, _iterable(rows)))
    while batch := list(islice(each, BATCH)):
        yield batch


async def batches_async(rows: Rows | AsyncIterable[Row]) -> AsyncIterator[list[Row]]:
    """Give the rows in lists; also those that are read with `async for`."""
    waiting: list[Row] = []
    if isinstance(rows, AsyncIterable):
        async for each in rows:
            waiting += _mappings(each)
            if len(waiting) >= BATCH:
                for batch in batches(waiting):
                    yield batch
                waiting = []
        rows = waiting
    for batch in batches(rows):
        yield batch


def _iterable(rows: object) -> Iterable[object]:
    if isinstance(rows, RowBatches):
        return rows.to_batches()
    kind: type[object] = type(rows)
    if issubclass(kind, Mapping | str | bytes) or not isinstance(rows, Iterable):
        raise InvalidArgumentError(f"rows must be an iterable of mappings, not {kind.__name__}")
    return cast("Iterable[object]", rows)


def _mappings(row: object) -> Iterable[Row]:
    if isinstance(row, Mapping):
        return (cast("Row", row),)
    if isinstance(row, sqlite3.Row):
        return (dict(zip(row.keys(), row, strict=True)),)
    if isinstance(row, RowBatch):
        return row.to_pylist()
    found: object = getattr(row, "_mapping", None)
    if isinstance(found, Mapping):
        return (cast("Row", found),)
    raise InvalidArgumentError(
        f"a row must be a mapping of columns to values, not {type(row).__name__}; of pandas give "
        "frame.to_dict('records'), of a database cursor rows with names"
    )
