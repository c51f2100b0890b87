"""Sends charges and reads with one client, several at once, while a test disturbs the servers in between."""

from __future__ import annotations

import asyncio
import ssl
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import count
from typing import Any, Literal

from real_servers.backend import Backend
from subscribekit import AsyncGatewayClient, GatewayClient, Limits, RetryPolicy, Timeouts
from subscribekit.errors import SubscribekitError
from subscribekit.models import EntitlementCharge

Style = Literal["blocking", "async"]

_WORKERS = 8
_PAUSE = 0.1
"""The seconds that a worker waits after `not_sent`. Otherwise, most charges would fail while no server listens."""


@dataclass
class Load:
    """The calls of one client, and their outcomes.

    Args:
        style: The kind of client.
        url: The base URL, which is that of a proxy or of the service.
        trust: The TLS context, which trusts the CA of the tests.
        proxy: The URL of a forward proxy.
        charges: The smallest number of charges. Every second charge is followed by a read.
        ended: The end of each charge by key, which is `done` or the outcome of the error.
    """

    style: Style
    url: str
    trust: ssl.SSLContext
    proxy: str | None = None
    charges: int = 300
    ended: dict[str, str] = field(default_factory=dict[str, str])
    errors: list[SubscribekitError] = field(default_factory=list[SubscribekitError])
    failed_reads: list[SubscribekitError] = field(default_factory=list[SubscribekitError])

    def run(self, enough: Callable[[], bool] = lambda: True) -> None:
        """Make all calls.

        Args:
            enough: Returns whether the disturbances suffice. Until then, the charges continue, up to ten times as many.
        """
        self._numbers = count()
        self._enough = enough
        if self.style == "blocking":
            self._run_blocking()
        else:
            asyncio.run(self._run_async())

    def _options(self) -> dict[str, Any]:
        return {
            "base_url": self.url,
            "api_key": "gateway-key-4712",
            "ssl_context": self.trust,
            "proxy": self.proxy,
            "timeouts": Timeouts(connect=3, read=5, write=5, pool=10),
            "deadline": 15,
            "retry": RetryPolicy(backoff_base=0.1, backoff_max=0.4),
            "limits": Limits(max_connections=_WORKERS),
        }

    def _next(self) -> int | None:
        number = next(self._numbers)
        over = number >= self.charges and (self._enough() or number >= 10 * self.charges)
        return None if over else number

    def _run_blocking(self) -> None:
        def worker() -> None:
            while (number := self._next()) is not None:
                key = f"order-{number}"
                with self._noting(key):
                    self._match(key, client.entitlements.charge("psub-1", _charge(key)).transaction_reference_id)
                if self.ended[key] == "not_sent":
                    time.sleep(_PAUSE)
                elif number % 2:
                    with self._reading():
                        self._match_read(number, client.subscriptions.retrieve(f"sub-{number}").id)

        with GatewayClient(**self._options()) as client, ThreadPoolExecutor(_WORKERS) as threads:
            for done in [threads.submit(worker) for _ in range(_WORKERS)]:
                done.result()

    async def _run_async(self) -> None:
        async def worker() -> None:
            while (number := self._next()) is not None:
                key = f"order-{number}"
                with self._noting(key):
                    receipt = await client.entitlements.charge("psub-1", _charge(key))
                    self._match(key, receipt.transaction_reference_id)
                if self.ended[key] == "not_sent":
                    await asyncio.sleep(_PAUSE)
                elif number % 2:
                    with self._reading():
                        self._match_read(number, (await client.subscriptions.retrieve(f"sub-{number}")).id)

        async with AsyncGatewayClient(**self._options()) as client, asyncio.TaskGroup() as tasks:
            for _ in range(_WORKERS):
                tasks.create_task(worker())

    @contextmanager
    def _noting(self, key: str) -> Iterator[None]:
        assert key not in self.ended
        try:
            yield
        except SubscribekitError as error:
            self.ended[key] = error.outcome
            self.errors.append(error)
        else:
            self.ended[key] = "done"

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except SubscribekitError as error:
            self.failed_reads.append(error)

    def _match(self, key: str, reference: str | None) -> None:
        assert reference == f"ref-{key}", f"{key} was given the receipt {reference}"

    def _match_read(self, number: int, found: str | None) -> None:
        assert found == f"sub-{number}", f"sub-{number} was given the response for {found}"

    # Checks

    def check(self, backend: Backend) -> None:
        """Compare the outcomes of the charges with their effects. No request may be in flight anymore."""
        backend.settle()
        allowed = {"done": (1,), "unknown": (0, 1), "not_sent": (0,)}
        assert len(self.ended) >= self.charges
        wrong = {
            key: (ended, backend.effects[key])
            for key, ended in self.ended.items()
            if backend.effects[key] not in allowed.get(ended, ())
        }
        assert not wrong, f"{wrong}: {self.told}"
        assert set(backend.effects) <= set(self.ended)
        assert {error.outcome for error in self.failed_reads} <= {"not_sent", "rejected"}

    @property
    def counts(self) -> Counter[str]:
        """The number of charges with each outcome."""
        return Counter(self.ended.values())

    @property
    def share(self) -> float:
        """The share of the charges that succeeded, from 0 to 1."""
        return self.counts["done"] / len(self.ended)

    @property
    def told(self) -> Counter[str]:
        """The messages of the errors, and the number of each."""
        return Counter(f"{type(error).__name__} {error.outcome}: {error}"[:200] for error in self.errors)


def _charge(key: str) -> EntitlementCharge:
    return EntitlementCharge(transaction_id=key, amount=Decimal("4.90"), currency="USD")


class Disturbance:
    """Repeats an action in another thread until the `with` block ends."""

    def __init__(self, act: Callable[[], None], *, every: float) -> None:
        self.count = 0
        self._act, self._every = act, every
        self._over = threading.Event()
        self.problem: BaseException | None = None
        self._thread = threading.Thread(target=self._work)

    def _work(self) -> None:
        try:
            while not self._over.wait(self._every):
                self._act()
                self.count += 1
        except BaseException as problem:
            self.problem = problem

    def reached(self, count: int) -> bool:
        """Return whether the action ran `count` times, or failed, which must also end the wait."""
        return self.count >= count or self.problem is not None

    def __enter__(self) -> Disturbance:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        if self.problem is not None:
            raise self.problem
