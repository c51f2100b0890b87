"""Divides a list into partitions by creation time, with a sync or an async client."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from typing import TypeVar, cast, overload

from .._core.calls.driving import drive, drive_async, gathered
from .._core.lists.pager import Pager
from .._core.lists.pager_async import AsyncPager
from .._core.operations.readers import Page
from ..models._base import Model
from ._partitions import ListMethod, PageRead, Partition, Partitioning

M = TypeVar("M", bound=Model)

_CONCURRENCY = 16
"""Maximum number of time ranges whose items are counted in parallel."""


@overload
def partition(
    list_method: Callable[..., Pager[M]],
    *,
    size: int,
    since: datetime,
    until: datetime | None = None,
    **filters: object,
) -> list[Partition[M]]: ...
@overload
def partition(
    list_method: Callable[..., AsyncPager[M]],
    *,
    size: int,
    since: datetime,
    until: datetime | None = None,
    **filters: object,
) -> Awaitable[list[Partition[M]]]: ...
def partition(
    list_method: Callable[..., Pager[M]] | Callable[..., AsyncPager[M]],
    *,
    size: int,
    since: datetime,
    until: datetime | None = None,
    **filters: object,
) -> list[Partition[M]] | Awaitable[list[Partition[M]]]:
    """Divide a list into partitions by creation time, so that you can read them in parallel threads or processes.

    The partitions contain each item that was created from `since` to `until`, and no item is in two partitions. The SDK
    halves a time range until the range contains at most `size` items, by the service's count, or is one second long.
    The SDK counts the items of up to 16 time ranges in parallel, with a read of one item for each range. To partition
    items that are created later, call `partition` again, with `partitions[-1].until` as `since`.

    The default of `until` is 60 seconds ago (assumed), because the service may list a new item only seconds after its
    creation. If you set an `until` later than the default, a new item could be missing from the partitions of this call
    and of the next call.

    Args:
        list_method: The list method of a sync or async client. The list must have filters by creation time; only
            `billing.accounts.list` has such filters.
        size: Maximum number of items in a partition, at least 1. A partition contains more than `size` items
            only if all its items were created within one second.
        since: Start of the first partition, with a time zone. Items that were created before `since` are in no
            partition.
        until: End of the last partition, with a time zone. Items that were created at or after `until` are in no
            partition. The default is 60 seconds before the call, on the client's clock.
        filters: The filters of the list, except those by creation time. You can also pass `limit` (page size, 100 by
            default), `prefetch`, and `params`.

    Returns:
        The partitions, sorted by time. If `list_method` is from an async client, await the result.

    Raises:
        InvalidArgumentError: The list has no filters by creation time, or a filter such as `checkpoint` selects a part
            of the list. `size`, `since`, `until`, or a filter isn't valid. Nothing was sent.
        InvalidResponseError: The service doesn't return the number of items, or an item has no creation time.
        FilterNotAppliedError: The service returns items that were created outside the requested time range.
        SubscribekitError: A request failed.
    """
    method = cast("ListMethod", list_method)
    partitioning = Partitioning(method, size, since, until, filters)
    run = _run if partitioning.is_blocking else _run_async
    return cast("list[Partition[M]] | Awaitable[list[Partition[M]]]", run(partitioning, method))


def _run(partitioning: Partitioning, method: ListMethod) -> list[Partition[Model]]:
    def first_page(read: PageRead) -> Page[Model]:
        return next(iter(cast("Pager[Model]", partitioning.pages(method, read)).pages()))

    def pages(reads: Sequence[PageRead]) -> list[Page[Model]]:
        futures = [threads.submit(copy_context().run, first_page, read) for read in reads]
        return [future.result() for future in futures]

    threads = ThreadPoolExecutor(_CONCURRENCY, "subscribekit-partition")
    try:
        return drive(partitioning.steps(), pages)
    finally:
        threads.shutdown(cancel_futures=True)


async def _run_async(partitioning: Partitioning, method: ListMethod) -> list[Partition[Model]]:
    free = asyncio.Semaphore(_CONCURRENCY)

    async def first_page(read: PageRead) -> Page[Model]:
        async with free:
            return await anext(aiter(cast("AsyncPager[Model]", partitioning.pages(method, read)).pages()))

    async def pages(reads: Sequence[PageRead]) -> list[Page[Model]]:
        return await gathered(map(first_page, reads))

    return await drive_async(partitioning.steps(), pages)
