"""Converts the rows of a table to mappings, in lists of at most 500 rows."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol, TypeAlias, cast, runtime_checkable

from ..errors import InvalidArgumentError

BATCH = 500
"""The number of rows that are compared at a time, so that one statement can look up the keys of these rows."""
Row: TypeAlias = Mapping[str, object]


@runtime_checkable
class RowBatch(Protocol):
    """An Arrow record batch."""

    def to_pylist(self) -> list[Row]:
        """Return the rows."""
        ...


class _ArrowValue(Protocol):
    def as_py(self) -> object: ...


class _ArrowColumn(Protocol):
    @property
    def type(self) -> object: ...

    def __iter__(self) -> Iterator[_ArrowValue]: ...


class _ArrowSchema(Protocol):
    @property
    def names(self) -> Sequence[str]: ...


@runtime_checkable
class _ArrowColumns(Protocol):
    @property
    def schema(self) -> _ArrowSchema: ...

    @property
    def columns(self) -> Sequence[_ArrowColumn]: ...


@runtime_checkable
class RowBatches(Protocol):
    """An Arrow table."""

    def to_batches(self) -> Iterable[RowBatch]:
        """Return the batches."""
        ...


@runtime_checkable
class DatabaseRow(Protocol):
    """An SQLAlchemy row."""

    @property
    def _mapping(self) -> Row: ...


Rows: TypeAlias = Iterable[Row | RowBatch | DatabaseRow | sqlite3.Row] | RowBatches
"""The merchant's table: mappings, such as those of `csv.DictReader` and databases, or an Arrow table."""


def batches(rows: Rows) -> Iterator[list[Row]]:
    """Yield the rows in lists of up to `BATCH` rows.

    Raises:
        InvalidArgumentError: The argument doesn't contain rows, or Python can't represent a value. The error message
            contains the row and the column of the value.
    """
    each = _numbered(_iterable(rows))
    while batch := list(islice(each, BATCH)):
        yield batch


async def batches_async(rows: Rows | AsyncIterable[Row]) -> AsyncIterator[list[Row]]:
    """Yield the rows of a sync or async iterable in lists of up to `BATCH` rows."""
    waiting: list[Row] = []
    number = 0
    if isinstance(rows, AsyncIterable):
        async for each in rows:
            found = _mappings(each, number)
            number += len(found)
            waiting += found
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


def _numbered(rows: Iterable[object]) -> Iterator[Row]:
    number = 0
    for each in rows:
        found = _mappings(each, number)
        number += len(found)
        yield from found


def _mappings(row: object, before: int) -> Sequence[Row]:
    """Return the rows in one element of an iterable, such as one mapping or an Arrow record batch.

    `before` is the number of earlier rows, for error messages.
    """
    if isinstance(row, Mapping):
        return (cast("Row", row),)
    if isinstance(row, sqlite3.Row):
        return (dict(zip(row.keys(), row, strict=True)),)
    if isinstance(row, RowBatch):
        return _rows_of(row, before)
    found: object = getattr(row, "_mapping", None)
    if isinstance(found, Mapping):
        return (cast("Row", found),)
    raise InvalidArgumentError(
        f"a row must be a mapping of columns to values, not {type(row).__name__}. For pandas, pass "
        "frame.to_dict('records'); for a database cursor, use rows with column names"
    )


def _rows_of(batch: RowBatch, before: int) -> Sequence[Row]:
    try:
        return batch.to_pylist()
    except (ArithmeticError, LookupError, ValueError):
        problem = _unreadable_value(batch, before)
        if problem is None:
            raise
    # Raise the error outside the `except` block, so that its context isn't Arrow's error, which contains the value.
    raise InvalidArgumentError(problem)


def _unreadable_value(batch: RowBatch, before: int) -> str | None:
    if not isinstance(batch, _ArrowColumns):
        return None
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        for number, value in enumerate(column, before + 1):
            try:
                value.as_py()
            except (ArithmeticError, LookupError, ValueError):
                return (
                    f"row {number:,}: column {name!r}: Python can't hold this value of the Arrow type {column.type}; "
                    "write times in UTC, in whole microseconds, and in the years 1 to 9999, or leave the column out"
                )
    return None
