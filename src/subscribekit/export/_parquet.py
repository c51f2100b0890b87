"""Writes Parquet files. An export appends pages to an Arrow stream, and finally converts the stream to Parquet."""

# pyright: basic
# The type hints of pyarrow are incomplete.

from __future__ import annotations

import os
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from .._core.lists.pager import Pager
from .._private_files import replace
from ..models import Model
from . import checkpoint_of, to_arrow

_GROUP = 50_000
"""Number of rows in a row group. A row group must fit in memory, but small row groups make reading slower."""


class Parquet:
    """Parquet with the columns of `to_arrow`: exact amounts, times in UTC, and nested values as structs."""

    def __init__(self, pager: Pager[Model], columns: Sequence[str] | None, *, include_personal: bool) -> None:
        self._reader = to_arrow(pager, columns=columns, include_personal=include_personal)

    def head(self) -> bytes:
        """Return the start of an Arrow stream, which contains the schema."""
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, self._reader.schema):
            pass
        stream = sink.getvalue().to_pybytes()
        return stream[: -len(_END)]

    def pages(self) -> Iterator[tuple[bytes, int, str]]:
        """Yield each page as a serialized batch, the number of rows in the page, and the checkpoint after the page."""
        for batch in self._reader:
            yield batch.serialize().to_pybytes(), batch.num_rows, checkpoint_of(batch)

    def complete(self, partial: Path) -> Path:
        """Convert the stream to a Parquet file in the same folder, and return the file."""
        file = partial.with_name(f"{partial.name}.whole")
        with pa.memory_map(str(partial)) as source, pa.ipc.open_stream(source) as stream:
            deque(_written(file, stream, _GROUP), maxlen=0)
        return file


def write_partition(
    file: Path, pager: Pager[Model], columns: Sequence[str] | None, *, include_personal: bool
) -> Generator[int]:
    """Write a list to a temporary file, and rename the file when it's complete.

    Yields the number of rows of each row group after the row group is written.
    """
    partial = file.with_name(f"{file.name}.partial")
    try:
        yield from _written(partial, to_arrow(pager, columns=columns, include_personal=include_personal), _SMALL_GROUP)
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def rows_of(file: Path) -> int:
    """Return the number of rows of a Parquet file. Reads only the metadata at the end of the file."""
    return int(pq.read_metadata(file).num_rows)


_SMALL_GROUP = 1_000
"""Number of rows in a row group of a partition's file. The row groups are small, because the SDK writes several files
in parallel, and keeps a row group of each file in memory."""
_END = b"\xff\xff\xff\xff\x00\x00\x00\x00"
"""The end marker of an Arrow stream. An export doesn't write the end marker, so that it can append pages at any time.
Readers also accept a stream without the marker."""


def _written(file: Path, stream: pa.RecordBatchReader, size: int) -> Iterator[int]:
    """Write a Parquet file, yield the number of rows of each row group, and flush the file to the disk."""
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
