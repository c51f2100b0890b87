"""Shared parts of the bulk tests: a service that counts charges, its clients, and the items to send."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx

from subscribekit import GatewayClient, RetryPolicy
from subscribekit.bulk import Run
from subscribekit.models import EntitlementCharge

URL = "https://gateway.test"
KEY = "gateway-key-4712"


def charge(number: int, amount: str = "1.50") -> EntitlementCharge:
    return EntitlementCharge(transaction_id=f"t{number}", amount=Decimal(amount), currency="USD")


def receipt(number: str = "r1") -> httpx.Response:
    return httpx.Response(200, json={"transactionReferenceId": number}, headers={"Request-Id": f"q-{number}"})


Answer = Callable[[str], httpx.Response | Exception | None]


class Ledgered(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """A service that counts charges. By default, it returns a receipt; a test can set another response."""

    def __init__(self, answer: Answer = lambda _: None) -> None:
        self.answer = answer
        self.effects: Counter[str] = Counter()
        self.arrived: list[str] = []
        self._lock = threading.Lock()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        charged = json.loads(request.read())["transactionId"]
        with self._lock:
            self.arrived.append(charged)
        answer = self.answer(charged)
        if isinstance(answer, httpx.ConnectError):
            raise answer
        if answer is None or not isinstance(answer, httpx.Response) or answer.status_code >= 500:
            with self._lock:
                self.effects[charged] += 1
        if isinstance(answer, Exception):
            raise answer
        return receipt(f"ref-{charged}") if answer is None else answer

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await request.aread()
        return self.handle_request(request)


def client_of(service: Ledgered | None = None, **options: Any) -> GatewayClient:
    options.setdefault("retry", RetryPolicy(max_attempts=1))
    return GatewayClient(base_url=URL, api_key=KEY, transport=service or Ledgered(), **options)


def jobs(client: Any, number: int, start: int = 0) -> Iterator[tuple[str, Any]]:
    for each in range(start, start + number):
        yield f"order-{each}", client.prepare.entitlements.charge(f"ps-{each}", charge(each))


def files(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}*"))


def opened(path: Path | str, client: Any, **options: Any) -> Run:
    return Run(path, client, **{"concurrency": 4, "lease": 5.0, **options})
