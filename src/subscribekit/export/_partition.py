"""`partition`: asks the service how many items windows of time have, side by side in both styles."""

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
from ._partitions import ListMethod, Look, Partition, Partitioning

M = TypeVar("M", bound=Model)

_AT_ONCE = 16
"""Windows that are counted side by side."""


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
    """Divide a list into partitions by time of creation, to read them in parallel threads, processes, or machines.

    Together the partitions hold each item that was created from `since` to `until` once. Windows of time are halved
    until the service counts at most `size` items in each, or it is one second; up to 16 windows are counted at a time,
    by reads of one item each. Items that are created later belong to the next `partition`; pass
    `partitions[-1].until` as its `since`.

    The default of `until` is 60 seconds ago (assumed), because the service may show a new item only seconds after it
    was created. Such an item would be in the partitions of neither of two calls.

    Args:
        list_method: A list that is filtered by time of creation: `billing.accounts.list`, of either style.
        size: Items that a partition has at most, unless more were created within one second; at least 1.
        since: The first moment, with a time zone; items that were created before it are in no partition.
        until: The moment after the last one, with a time zone. Default: 60 seconds before the call, by the client's
            clock.
        filters: Further filters of the list, and its `limit` (page size, 100 when absent), `prefetch` and `params`.

    Returns:
        The partitions in order of time. With an async client, await the result.

    Raises:
        InvalidArgumentError: The list has no filter by time of creation, a filter chooses a part of the list, or a
            value isn't valid. Nothing was sent.
        InvalidResponseError: The service does not count the list, or an item has no time of creation.
        FilterNotAppliedError: The service gives what is outside of a window.
        SubscribekitError: As every call.
    """
    method = cast("ListMethod", list_method)
    partitioning = Partitioning(method, size, since, until, filters)
    run = _run if partitioning.is_blocking else _run_async
    return cast("list[Partition[M]] | Awaitable[list[Partition[M]]]", run(partitioning, method))


def _run(partitioning: Partitioning, method: ListMethod) -> list[Partition[Model]]:
    def first_page(look: Look) -> Page[Model]:
        return next(iter(cast("Pager[Model]", partitioning.pages(method, look)).pages()))

    def pages(looks: Sequence[Look]) -> list[Page[Model]]:
        reads = [threads.submit(copy_context().run, first_page, look) for look in looks]
        return [read.result() for read in reads]

    threads = ThreadPoolExecutor(_AT_ONCE, "subscribekit-partition")
    try:
        return drive(partitioning.steps(), pages)
    finally:
        threads.shutdown(cancel_futures=True)


async def _run_async(partitioning: Partitioning, method: ListMethod) -> list[Partition[Model]]:
    turns = asyncio.Semaphore(_AT_ONCE)

    async def first_page(look: Look) -> Page[Model]:
        async with turns:
            return await anext(aiter(cast("AsyncPager[Model]", partitioning.pages(method, look)).pages()))

    async def pages(looks: Sequence[Look]) -> list[Page[Model]]:
        return await gathered(map(first_page, looks))

    return await drive_async(partitioning.steps(), pages)
