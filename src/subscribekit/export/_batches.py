"""Reads the pages of a list as record batches, with a sync or an async client."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, cast

import pyarrow as pa

from .._core.calls.response import Response
from .._core.lists.iterators import Pages
from .._core.lists.iterators_async import AsyncPages
from .._core.lists.page_iterator import PageIterator
from .._core.lists.pager import Pager
from .._core.lists.pager_async import AsyncPager
from .._core.operations.readers import Page
from ..errors import SubscribekitError
from ..models._base import Model
from ._error import ExportError
from ._table import CHECKPOINT, Table

__all__ = ["CHECKPOINT", "AsyncRecordBatches", "read_batches"]

M = TypeVar("M", bound=Model)


class _ExportPosition(Generic[M]):
    """The position in a list up to which an export has converted the items.

    If the conversion of a page fails, the next read converts the same page again.
    """

    def __init__(self, pages: PageIterator[M], table: Table[M]) -> None:
        self._iterator, self._table = pages, table
        self.checkpoint = pages.checkpoint
        self.waiting: Response[Page[M]] | None = None

    def convert(self, response: Response[Page[M]]) -> pa.RecordBatch:
        """Convert a page to a batch, and keep the page in `waiting` until the conversion succeeds."""
        self.waiting, checkpoint = response, self._iterator.checkpoint
        try:
            batch = self._table.batch(response.data.data, checkpoint)
        except ExportError as error:
            error.checkpoint = self.checkpoint
            raise
        self.waiting, self.checkpoint = None, checkpoint
        return batch


class Batches(_ExportPosition[M]):
    """An iterator over the batches of a list, for a `RecordBatchReader`."""

    def __init__(self, pages: Pages[M], table: Table[M]) -> None:
        super().__init__(pages.pages, table)
        self._pages = pages

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        return self

    def __next__(self) -> pa.RecordBatch:
        return self.convert(self.waiting or next(self._pages))


def read_batches(pager: Pager[M], columns: Sequence[str] | None, *, include_personal: bool) -> pa.RecordBatchReader:
    """Return a reader for a list of a sync client."""
    pages = cast("Pages[M]", pager.responses())
    table = Table(pages.pages.listing.item, columns, include_personal=include_personal)
    return pa.RecordBatchReader.from_batches(table.schema, Batches(pages, table))


class AsyncRecordBatches:
    """The record batches of an async client's list, for `async for`. To read all batches, await `read_all()`.

    `to_arrow` creates this object. Don't use the object in several tasks at the same time. Each batch is returned only
    once.

    Attributes:
        schema: The schema of every batch.
    """

    def __init__(self, pager: AsyncPager[M], columns: Sequence[str] | None, *, include_personal: bool) -> None:
        self._pages = cast("AsyncPages[Model]", pager.responses())
        table = Table(self._pages.pages.listing.item, columns, include_personal=include_personal)
        self._reading = _ExportPosition(self._pages.pages, table)
        self.schema: pa.Schema = table.schema

    def __aiter__(self) -> AsyncRecordBatches:
        return self

    async def __anext__(self) -> pa.RecordBatch:
        waiting = self._reading.waiting
        return self._reading.convert(await anext(self._pages) if waiting is None else waiting)

    async def read_all(self) -> pa.Table:
        """Read the rest of the list as one table.

        Raises:
            SubscribekitError: A page couldn't be read, or a value doesn't fit its column. The `checkpoint` of the error
                is the position before the call, because the failed call returned no rows.
        """
        begun = self._reading.checkpoint
        try:
            batches = [batch async for batch in self]
        except SubscribekitError as error:
            error.checkpoint = begun
            raise
        return pa.Table.from_batches(batches, schema=self.schema)
