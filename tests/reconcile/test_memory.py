"""Reading and comparing need memory for one page, not for the whole list."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx

from subscribekit import BillingClient
from subscribekit.reconcile import Reconciliation

PAGE = 100


def served(count: int) -> httpx.MockTransport:
    """Return a transport that serves a list of `count` accounts, and creates each page on request."""

    def page(request: httpx.Request) -> httpx.Response:
        after = parse_qs(urlsplit(str(request.url)).query).get("starting_after", ["a-"])[0]
        first = int(after[2:]) + 1 if after[2:] else 0
        last = min(first + PAGE, count)
        data = [
            {"object": "Account", "id": f"a-{n:06}", "vid": f"v{n}", "language": "en-US"} for n in range(first, last)
        ]
        body = {"object": "List", "data": data, "total_count": count, "url": "/accounts"}
        return httpx.Response(200, json=body | ({"next": f"/accounts?starting_after=a-{last - 1:06}"} if data else {}))

    return httpx.MockTransport(page)


def rows(count: int) -> Iterator[dict[str, str]]:
    """Yield the merchant's rows, of which the first ten differ."""
    for n in range(count):
        yield {"id": f"a-{n:06}", "language": "de-DE" if n < 10 else "en-US"}


def peak(folder: Path, count: int) -> int:
    """Compare a list, and return the peak memory in bytes."""
    client = BillingClient(base_url="https://billing.test", api_user="u", api_key="k", transport=served(count))
    pager = client.accounts.list(limit=PAGE)
    with client, Reconciliation(folder / f"{count}.db", pager, key="id", fields={"language": "language"}) as check:
        before = gc.get_threshold()
        gc.set_threshold(700, 10, 10)  # Python 3.13 and later collect garbage less often
        tracemalloc.start()
        try:
            check.read()
            check.compare(rows(count))
            assert (check.counts().equal, check.counts().differs) == (count - 10, 10)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
            gc.set_threshold(*before)


def test_memory_does_not_grow_with_the_list(tmp_path: Path) -> None:
    peak(tmp_path, 200)  # the first calls import modules and build models
    assert peak(tmp_path, 5_000) < 2 * peak(tmp_path, 1_000)
