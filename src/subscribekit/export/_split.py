"""`split`: asks the service how many items windows of time have, side by side in both styles."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from datetime import datetime
from typing import TypeVar, cast, overload

from .._core.calls.driving import drive, drive_async, gathered
from .._core.lists.pager import AsyncPager, Pager
from .._core.operations.readers import Page
from ..models._base import Model
from ._parts import ListMethod, Look, Partition, Splitting

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
    """Divide a list into parts by time of creation, which are read side by side: in threads, processes or machines.

    Together the parts hold each item that was created from `since` to `until` once. Windows of time are halved until
    the service counts at most `size` items in each, or it is one second; up to 16 windows are counted at a time, by
    reads of one item each. Items that are created later belong to the next split; give it `parts[-1].until` as `since`.

    The default of `until` is 60 seconds ago (assumed), because the service may show a new item only seconds after it
    was created. Such an item would be in neither of two splits.

    Args:
        list_method: A list that is filtered by time of creation: `billing.accounts.list`, of either style.
        size: Items that a part has at most, unless more were created within one second; at least 1.
        since: The first moment, with a time zone; items that were created before it are in no part.
        until: The moment after the last one, with a time zone. Default: 60 seconds before the call, by the client's
            clock.
        filters: Further filters of the list, and its `limit` (page size, 100 when absent), `prefetch` and `params`.

    Returns:
        The parts, by time; of an async client to be awaited.

    Raises:
        InvalidArgumentError: Another list, a filter that chooses a part itself, or a value that is not one; nothing
            was sent.
        InvalidResponseError: The service does not count the list, or an item has no time of creation.
        FilterNotAppliedError: The service gives what is outside of a window.
        SubscribekitError: As every call.
    """
    method = cast("ListMethod", list_method)
    splitting = Splitting(method, size, since, until, filters)
    run = _run if splitting.is_blocking else _run_async
    return cast("list[Partition[M]] | Awaitable[list[Partition[M]]]", run(splitting, method))


def _run(splitting: Splitting, method: ListMethod) -> list[Partition[Model]]:
    def first_page(look: Look) -> Page[Model]:
        return next(iter(cast("Pager[Model]", splitting.pages(method, look)).pages()))

    def pages(looks: Sequence[Look]) -> list[Page[Model]]:
        reads = [threads.submit(copy_context().run, first_page, look) for look in looks]
        return [read.result() for read in reads]

    threads = ThreadPoolExecutor(_AT_ONCE, "subscribekit-split")
    try:
        return drive(splitting.steps(), pages)
    finally:
        threads.shutdown(cancel_futures=True)


async def _run_async(splitting: Splitting, method: ListMethod) -> list[Partition[Model]]:
    turns = asyncio.Semaphore(_AT_ONCE)

    async def first_page(look: Look) -> Page[Model]:
        async with turns:
            return await anext(aiter(cast("AsyncPager[Model]", splitting.pages(method, look)).pages()))

    async def pages(looks: Sequence[Look]) -> list[Page[Model]]:
        return await gathered(map(first_page, looks))

    return await drive_async(splitting.steps(), pages)
