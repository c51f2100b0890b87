"""An error is freed with its last reference, because no frame of its traceback refers to it.

Otherwise, its request would stay in memory until the next garbage collection.
"""

from __future__ import annotations

import asyncio
import gc
import gzip
import weakref
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from kit.calls import Group, Run, Sent, Service, answer
from subscribekit import RetryPolicy, webhooks
from subscribekit._core.http.received import Reading
from subscribekit.errors import InvalidResponseError
from subscribekit.models import EntitlementCharge

CHARGE = EntitlementCharge(transaction_id="t1")


class Interrupt(KeyboardInterrupt):
    """An interrupt that supports weak references."""


def is_freed(provoke: Callable[[], object]) -> bool:
    gc.collect()
    gc.disable()
    try:
        try:
            provoke()
        except BaseException as error:
            reference = weakref.ref(error)
        return reference() is None
    finally:
        gc.enable()


CALLS: dict[str, tuple[Group, Callable[[Any], Any]]] = {
    "write": ("gateway", lambda client: client.entitlements.charge("p1", CHARGE)),
    "read": ("gateway", lambda client: client.subscriptions.retrieve("s1")),
    "refused": ("gateway", lambda client: client.subscriptions.retrieve("")),
    "prepare": ("gateway", lambda client: client.prepare.subscriptions.retrieve("")),
    "list": ("billing", lambda client: client.accounts.list(limit=0)),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("status", [403, 504, None])
def test_an_error_of_a_call_is_freed(call: str, status: int | None, run: Run) -> None:
    def reply(_: Sent) -> httpx.Response:
        if status is None:
            raise Interrupt
        return answer({}, status)

    async def failed() -> weakref.ref[BaseException]:
        try:
            await run.now(use(client))
        except BaseException as error:
            return weakref.ref(error)
        raise AssertionError("the call must fail")

    async def story() -> None:
        await failed()  # the first failure also imports modules
        gc.collect()
        gc.disable()
        try:
            assert (await failed())() is None
        finally:
            gc.enable()

    group, use = CALLS[call]
    client = run.client(group, transport=Service(*[reply] * 2), retry=RetryPolicy(max_attempts=1))
    asyncio.run(story())


def test_the_body_of_an_incomplete_gzip_stream_is_freed(run: Run) -> None:
    cut = gzip.compress(b"[]" * 1000)[:-9]
    headers = {"content-encoding": "gzip", "content-type": "application/json"}

    def reply(_: Sent) -> httpx.Response:
        return httpx.Response(200, headers=headers, stream=httpx.ByteStream(cut))

    async def fails() -> None:
        with pytest.raises(InvalidResponseError, match="the gzip stream is incomplete"):
            await run.now(client.subscriptions.retrieve("s1"))

    async def story() -> None:
        await fails()
        gc.collect()
        gc.disable()
        try:
            await fails()
            assert not [each for each in gc.get_objects() if type(each) is Reading]
        finally:
            gc.enable()

    client = run.client("gateway", transport=Service(*[reply] * 2), retry=RetryPolicy(max_attempts=1))
    asyncio.run(story())


@pytest.mark.parametrize(
    "use",
    [
        lambda: webhooks.unwrap(b"{}", "bad", "key"),
        lambda: webhooks.verify(b"{}", "bad", "key"),
        lambda: webhooks.unwrap(b"{", webhooks.sign(b"{", "key"), "key"),
        lambda: webhooks.sign(b"{}", ""),
        lambda: webhooks.unwrap(b"{}", webhooks.sign(b"{}", "key"), "key", max_bytes=0),
    ],
    ids=["signature", "verify", "body", "key", "option"],
)
def test_an_error_of_a_webhook_is_freed(use: Callable[[], object]) -> None:
    assert is_freed(use)
