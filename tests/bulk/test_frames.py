"""Tools that record local variables find no secret in the SDK's frames while a bulk run waits for its ledger (H451)."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from reliability.frames import Found, at_waits, looked_at, shown, suspended
from subscribekit import AsyncBillingClient, BillingClient, RetryPolicy
from subscribekit._sealed import Sealed
from subscribekit.bulk import AsyncRun, Run
from subscribekit.bulk._ledger.database import Database
from subscribekit.bulk._sending.background import Call
from subscribekit.bulk._sending.runtime import SYSTEM_RUNTIME
from subscribekit.errors import LedgerError
from subscribekit.models import Account

URL = "https://billing.test"
KEY = "billing-key-4712"
SENT, CAME, REFUSED = "sent-body-4714", "response-body-4715", "error-body-4716"
PASSWORD = "database-password-4723"

Use = Callable[[], Any]


def account(name: str) -> Account:
    return Account(id=name, name=SENT)


class Service(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A service that creates accounts, loses the response about `lost`, and rejects `refused`."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        name = request.url.path.rpartition("/")[2] if request.method == "GET" else self._name(request.read())
        if request.method == "POST" and name == "lost":
            raise httpx.ReadError("lost")
        if name == "refused":
            return httpx.Response(400, json={"object": "Error", "message": "no", "explanation": REFUSED})
        return httpx.Response(200, json={"object": "Account", "id": name, "name": SENT, "company": CAME})

    @staticmethod
    def _name(body: bytes) -> str:
        return next(name for name in ("lost", "refused", "done", "once") if f'"{name}"'.encode() in body)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return self.handle_request(request)


async def collected(items: AsyncIterator[Any]) -> list[Any]:
    return [item async for item in items]


class Style:
    """A sync or async run, whose methods are functions that return how to wait for their result."""

    def __init__(self, style: str, path: Path) -> None:
        self.is_async = style == "async"
        kind, run = (AsyncBillingClient, AsyncRun) if self.is_async else (BillingClient, Run)
        self.client: Any = kind(
            base_url=URL, api_user="merchant-4711", api_key=KEY, transport=Service(), retry=RetryPolicy(max_attempts=1)
        )
        self.run: Any = run(path, self.client, concurrency=2)

    def requests(self) -> Iterator[tuple[str, Any]]:
        for name in ("done", "lost", "refused"):
            yield name, self.client.prepare.accounts.create(account(name))

    async def requests_async(self) -> AsyncIterator[tuple[str, Any]]:
        for each in self.requests():
            yield each

    def uses(self) -> Iterator[Use]:
        run, each = self.run, self.client.prepare.accounts.create(account("once"))
        gather: Callable[[Any], Any] = collected if self.is_async else list
        if self.is_async:
            yield lambda: run.add(self.requests_async())
        yield lambda: run.add(self.requests())
        yield run.preview
        yield lambda: gather(run.send())
        yield lambda: run.resolve(not_applied_after=0)
        yield lambda: run.send_once("once", each)
        yield lambda: run.send_once("once", each)
        yield lambda: gather(run.items())


@contextmanager
def profiled(found: Found) -> Iterator[None]:
    """Inspect the frames of every thread whenever it waits."""
    # The first check of a logger's level waits for a lock of `logging`, which isn't part of the promise.
    logging.getLogger("subscribekit").isEnabledFor(logging.INFO)
    profile = at_waits(found.look)
    threading.setprofile(profile)
    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]  # the stub doesn't know that None removes it


def look_at_tasks(found: Found) -> None:
    """Inspect the frames of all tasks of the event loop. They all wait while this task runs."""
    for task in asyncio.all_tasks():
        if task is not asyncio.current_task():
            for frame in suspended(task.get_coro()):
                found.look(frame)


async def waited_for(found: Found, use: Use) -> Any:
    async def used() -> Any:
        return await use()

    task = asyncio.ensure_future(used())
    while not task.done():
        await asyncio.sleep(0)
        look_at_tasks(found)
    return await task


async def story_async(style: Style, found: Found) -> list[Any]:
    async with style.client, style.run:
        with profiled(found):
            return [await waited_for(found, use) for use in style.uses()]


def story(style: Style, found: Found) -> list[Any]:
    if style.is_async:
        return asyncio.run(story_async(style, found))
    with style.client, style.run, profiled(found):
        return [use() for use in style.uses()]


@pytest.mark.hazard("H451")
@pytest.mark.parametrize("style", ["blocking", "async"])
def test_no_frame_shows_a_body_while_a_run_waits_for_its_ledger(tmp_path: Path, style: str) -> None:
    found = Found((KEY, SENT, CAME, REFUSED))
    results = story(Style(style, tmp_path / "charges.db"), found)
    states = {item.key: item.state for item in results[-1]}
    assert states == {"done": "done", "lost": "done", "refused": "rejected", "once": "done"}
    assert {item.result.company for item in results[-1] if item.state == "done"} == {CAME}
    waiting = "awaited" if style == "async" else "receive"
    assert {
        "add",
        "run_each",
        "claim",
        "claim_key",
        "write_results",
        "record_outcome_of",
        "page",
        waiting,
    } <= found.functions
    assert "\n".join(sorted(found.shown)) == ""


@pytest.mark.hazard("H451")
def test_no_frame_and_no_attribute_shows_the_password_of_a_database() -> None:
    place, found = f"postgresql://merchant:{PASSWORD}@127.0.0.1:1/charges", Found((PASSWORD,))
    address = Sealed[str | os.PathLike[str]](place)
    with looked_at(found), pytest.raises(LedgerError):
        Database(address)
    assert {"__init__", "_open_server", "_prepare"} <= found.functions
    assert "\n".join(sorted(found.shown)) == ""
    client = AsyncBillingClient(base_url=URL, api_user="merchant-4711", api_key=KEY, transport=Service())
    assert list(shown(AsyncRun(place, client), (PASSWORD,))) == []


@pytest.mark.hazard("H451")
def test_the_result_of_a_ledger_thread_is_hidden_until_it_is_returned() -> None:
    running: set[Call[str]] = set()
    call = Call(SYSTEM_RUNTIME, lambda: SENT, running)
    call.join()
    assert list(shown(call, (SENT,))) == []
    assert call.result() == SENT
