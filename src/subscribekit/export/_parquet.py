"""Parquet: pages are kept as an Arrow stream, which can be appended to, and become one file at the end."""

# pyright: basic
# The types of pyarrow are known in part only.

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
"""Rows of one row group: enough for a reader to skip over, few enough for the memory."""


class Parquet:
    """Columns as `subscribekit.export.to_arrow` gives them: exact amounts, times in UTC, nested values as structs."""

    def __init__(self, pager: Pager[Model], columns: Sequence[str] | None, *, include_personal: bool) -> None:
        self._reader = to_arrow(pager, columns=columns, include_personal=include_personal)

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
