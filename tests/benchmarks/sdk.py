"""The contenders of this SDK, which use only its public interface."""

from __future__ import annotations

from benchmarks.drive import blocking, looped, spin, spread, threaded
from benchmarks.measure import Contender
from subscribekit import AsyncBillingClient, AsyncUserMgmtClient, BillingClient, UserMgmtClient
from subscribekit.transports import direct

PAGE = 100


def get(url: str, path: str, *, threads: int = 1, without_httpx: bool = False) -> Contender:
    """Get one account in each of `threads` threads, with or without httpx above the SDK's connections."""
    account = path.rpartition("/")[2]
    open_client = _direct_client if without_httpx else _client
    return blocking(lambda: open_client(url), threaded(lambda client: client.accounts.retrieve(account), threads))


def async_get(url: str, path: str, *, tasks: int = 1, without_httpx: bool = False) -> Contender:
    """Get one account in each of `tasks` tasks, with or without httpx above the SDK's connections."""
    open_client = _async_direct_client if without_httpx else _async_client
    account = path.rpartition("/")[2]

    async def call(client: AsyncBillingClient) -> object:
        return await client.accounts.retrieve(account)

    return looped(lambda: open_client(url), spread(call, tasks))


def walk(url: str, *, prefetch: bool = False, work_per_page: float = 0.0) -> Contender:
    """Read the list of accounts with a sync client."""

    def work(client: BillingClient, units: int) -> int:
        count = 0
        for _ in client.accounts.list(limit=PAGE, prefetch=prefetch):
            count += 1
            if work_per_page and count % PAGE == 0:
                spin(work_per_page)
        return count

    return blocking(lambda: _client(url), work)


def async_walk(url: str, *, prefetch: bool = False, work_per_page: float = 0.0) -> Contender:
    """Read the list of accounts with an async client."""

    async def work(client: AsyncBillingClient, units: int) -> int:
        count = 0
        async for _ in client.accounts.list(limit=PAGE, prefetch=prefetch):
            count += 1
            if work_per_page and count % PAGE == 0:
                spin(work_per_page)
        return count

    return looped(lambda: _async_client(url), work)


def walk_offsets(url: str, concurrency: int) -> Contender:
    """Read the list of the account-lifecycle API with a sync client, with `concurrency` pages in flight."""

    def work(client: UserMgmtClient, units: int) -> int:
        return sum(1 for _ in client.accounts.list(size=PAGE, concurrency=concurrency))

    return blocking(lambda: UserMgmtClient(base_url=url, session_id="s", allow_insecure_loopback=True), work)


def async_walk_offsets(url: str, concurrency: int) -> Contender:
    """Read the list of the account-lifecycle API with an async client, with `concurrency` pages in flight."""

    async def work(client: AsyncUserMgmtClient, units: int) -> int:
        return len([item async for item in client.accounts.list(size=PAGE, concurrency=concurrency)])

    return looped(lambda: AsyncUserMgmtClient(base_url=url, session_id="s", allow_insecure_loopback=True), work)


def _client(url: str) -> BillingClient:
    return BillingClient(base_url=url, api_user="u", api_key="k", allow_insecure_loopback=True)


def _async_client(url: str) -> AsyncBillingClient:
    return AsyncBillingClient(base_url=url, api_user="u", api_key="k", allow_insecure_loopback=True)


def _direct_client(url: str) -> BillingClient:
    return BillingClient(base_url=url, api_user="u", api_key="k", allow_insecure_loopback=True, transport=direct())


def _async_direct_client(url: str) -> AsyncBillingClient:
    return AsyncBillingClient(base_url=url, api_user="u", api_key="k", allow_insecure_loopback=True, transport=direct())
