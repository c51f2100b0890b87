"""Parquet: pages are kept as an Arrow stream, which can be appended to, and become one file at the end."""

# pyright: basic
# The types of pyarrow are known in part only.

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ..._core.lists.pager import Pager
from ..._private_files import replace
from ...errors import ConfigurationError
from ...export import checkpoint_of, to_arrow
from ...models import Model

_GROUP = 50_000
"""Rows of one row group: enough for a reader to skip over, few enough for the memory."""


class Parquet:
    """Columns as `subscribekit.export.to_arrow` gives them: exact amounts, times in UTC, nested values as structs."""

    def __init__(self, pager: Pager[Model], columns: str | None, *, include_personal: bool) -> None:
        names = None if columns is None else [name.strip() for name in columns.split(",")]
        self._reader = to_arrow(pager, columns=names, include_personal=include_personal)

    def head(self) -> bytes:
        """The schema."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self._reader.schema):
            pass
        whole = sink.getvalue().to_pybytes()
        return whole[: -len(_END)]

    def pages(self) -> Iterator[tuple[bytes, int, str]]:
        """One batch for each page, how many rows it has, and where the list goes on after it."""
        for batch in self._reader:
            yield batch.serialize().to_pybytes(), batch.num_rows, checkpoint_of(batch)

    def whole(self, partial: Path) -> Path:
        """Write the Parquet file beside the stream."""
        file = partial.with_name(f"{partial.name}.whole")
        with pa.memory_map(str(partial)) as source, pa.ipc.open_stream(source) as stream:
            deque(_written(file, stream, _GROUP), maxlen=0)
        return file


def write_partition(
    file: Path, pager: Pager[Model], columns: Sequence[str] | None, *, include_personal: bool
) -> Generator[int]:
    """Write a list to a file that gets its name when it is whole; gives the rows of each page as it is read."""
    partial = file.with_name(f"{file.name}.partial")
    try:
        yield from _written(partial, to_arrow(pager, columns=columns, include_personal=include_personal), _SMALL_GROUP)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def table_of(
    file: Path, source: BinaryIO, columns: Sequence[str]
) -> tuple[Sequence[str], Callable[[], Iterator[pa.RecordBatch]]]:
    """Return the names of a file's columns, and a function that reads the rows of the given columns from the start.

    Raises:
        ConfigurationError: The file isn't a Parquet file, or a column has a time zone that this machine doesn't know.
            While the rows are read: they are damaged.
    """
    try:
        table = pq.ParquetFile(source)
    except pa.ArrowInvalid:
        raise ConfigurationError(f"{file} is no Parquet file") from None
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
                f"{file}, column {column!r}: unknown time zone {kind.tz!r}; write the times in UTC"
            ) from None
    for at in range(kind.num_fields):
        _refuse_unknown_zone(file, column, kind.field(at).type)


def _batches(file: Path, table: pq.ParquetFile, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
    try:
        yield from table.iter_batches(columns=list(dict.fromkeys(columns)))
    except (pa.ArrowException, OSError):
        raise ConfigurationError(f"{file} is damaged: its rows cannot be read") from None


def rows_of(file: Path) -> int:
    """Count the rows of a file, which its end says."""
    return int(pq.read_metadata(file).num_rows)


_SMALL_GROUP = 1_000
"""Rows that wait for a row group in each of several files that are written at a time."""
_END = b"\xff\xff\xff\xff\x00\x00\x00\x00"
"""How an Arrow stream ends; a reader also takes the end of the file."""


def _written(file: Path, stream: pa.RecordBatchReader, size: int) -> Iterator[int]:
    """Write a Parquet file through to the disk; gives the rows of each row group."""
    with os.fdopen(replace(file), "wb") as sink:
        with pq.ParquetWriter(sink, stream.schema) as writer:
            for table in _groups(stream, size):
                writer.write_table(table)
                yield table.num_rows
        sink.flush()
        os.fsync(sink.fileno())


def _groups(stream: pa.RecordBatchReader, size: int) -> Iterator[pa.Table]:
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in stream:
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= size:
            yield pa.Table.from_batches(waiting, stream.schema)
            waiting, rows = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting, stream.schema)
