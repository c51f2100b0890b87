"""Reads tables with sync and async clients, and serves the lists for them page by page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa

from kit.calls import Always, Answer, Run, Sent, Service, envelope, page
from subscribekit.export import to_arrow


def batches(run: Run, use: Callable[[Any], Any], service: Service, **options: Any) -> list[pa.RecordBatch]:
    """Read a list of the billing API as record batches."""

    async def story() -> list[pa.RecordBatch]:
        client = run.client("billing", transport=service)
        reader = to_arrow(use(client), **options)
        return [batch async for batch in run.every(reader)]

    return asyncio.run(story())


def table(run: Run, use: Callable[[Any], Any], service: Service, **options: Any) -> pa.Table:
    """Read a list of the billing API as one table."""

    async def story() -> pa.Table:
        client = run.client("billing", transport=service)
        return await run.now(to_arrow(use(client), **options).read_all())

    return asyncio.run(story())


def serve(items: Sequence[dict[str, object]], size: int) -> Always:
    """Return a service with items in pages of `size` and, as in the real service, an empty last page."""

    def respond(sent: Sent) -> Any:
        after = dict(sent.query).get("starting_after") if "?" in sent.url else None
        ids = [item["id"] for item in items]
        begin = 0 if after is None else ids.index(after) + 1
        part = items[begin : begin + size]
        more = f"{sent.path.removeprefix('/rest')}?starting_after={part[-1]['id']}" if part else None
        return page(*part, next_link=more)

    return Always(respond)


__all__ = ["Answer", "Service", "batches", "envelope", "page", "serve", "table"]
