"""Reads the merchant's table from a Parquet file."""

# pyright: basic
# The type hints of pyarrow are incomplete.

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ...errors import ConfigurationError


def table_of(
    file: Path, source: BinaryIO, columns: Sequence[str]
) -> tuple[Sequence[str], Callable[[], Iterator[pa.RecordBatch]]]:
    """Return the column names of a file, and a function that reads the given columns of all rows.

    Raises:
        ConfigurationError: The file isn't a Parquet file, or this machine doesn't know the time zone of a column. The
            returned function raises `ConfigurationError` if the rows are damaged.
    """
    try:
        table = pq.ParquetFile(source)
    except pa.ArrowInvalid:
        raise ConfigurationError(f"{file} isn't a Parquet file") from None
    for name in columns:
        for each in table.schema_arrow.get_all_field_indices(name):
            _refuse_unknown_zone(file, name, table.schema_arrow.field(each).type)
    return table.schema_arrow.names, lambda: _batches(file, table, columns)


def _refuse_unknown_zone(file: Path, column: str, kind: pa.DataType) -> None:
    if pa.types.is_timestamp(kind) and kind.tz:
        try:
            pa.scalar(0, kind).as_py()
        except (KeyError, ValueError):
            raise ConfigurationError(
                f"{file}, column {column!r}: unknown time zone {kind.tz!r}. Write the times in UTC"
            ) from None
    for at in range(kind.num_fields):
        _refuse_unknown_zone(file, column, kind.field(at).type)


def _batches(file: Path, table: pq.ParquetFile, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    try:
        yield from table.iter_batches(columns=list(dict.fromkeys(columns)))
    except (pa.ArrowException, OSError):
        raise ConfigurationError(f"{file} is damaged, so its rows can't be read. Create the file again") from None
