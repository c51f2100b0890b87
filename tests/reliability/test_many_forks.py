"""Forks while calls are in flight: no connection at the server receives requests of two processes (H379).

With `SUBSCRIBEKIT_HEAVY`, as in the gate, each test forks 100 times.
"""

from __future__ import annotations

import asyncio
import os
import threading
import warnings
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import httpx
import httpx2
import pytest

from kit.faults.server import FaultServer
from reliability.kit import Run, hazard
from reliability.operations import NAMED
from reliability.test_http_backends import caller, ours
from subscribekit import transports
from subscribekit.errors import ConfigurationError

FORKS = 100 if "SUBSCRIBEKIT_HEAVY" in os.environ else 3
BACKENDS = ["default", "direct", "pooled", "httpx", "httpx2", "http_client"]
pytestmark = pytest.mark.posix("there is no fork")


@pytest.fixture(autouse=True)
def _forks_with_threads() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*multi-threaded.*fork", category=DeprecationWarning)
        yield


def backend(run: Run, kind: str) -> dict[str, Any]:
    is_blocking = run.style == "blocking"
    if kind == "direct":
        return {"transport": transports.direct()}
    if kind == "pooled":
        pooled: Any = transports.PooledTransport if is_blocking else transports.AsyncPooledTransport
        return {"http_client": caller(run, httpx, transport=pooled())}
    if kind == "http_client":
        return {"http_client": caller(run, httpx)}
    library: Any = {"httpx": httpx, "httpx2": httpx2}.get(kind)
    if library is None:
        return {}
    run.opened.append(made := (library.HTTPTransport if is_blocking else library.AsyncHTTPTransport)())
    return {"transport": made}


def own_identifier() -> str:
    """Return an identifier that contains the ID of this process."""
    return f"of-{os.getpid()}"


def ended(act: Any) -> int:
    """Return the exit code of a child: 0 if its call succeeded, and 3 if the SDK refused it before it was sent."""
    try:
        act()
    except ConfigurationError as error:
        return 3 if error.outcome == "not_sent" else 4
    except BaseException:
        return 5
    return 0


def wait(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def blocking_codes(client: Any) -> set[int]:
    stop, failed = threading.Event(), list[BaseException]()

    def use() -> None:
        try:
            while not stop.is_set():
                client.subscriptions.retrieve(own_identifier())
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=use) for _ in range(3)]
    for thread in threads:
        thread.start()
    codes: set[int] = set()
    try:
        for _ in range(FORKS):
            if (child := os.fork()) == 0:
                os._exit(ended(lambda: client.subscriptions.retrieve(own_identifier())))
            codes.add(wait(child))
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failed == []
    return codes


async def async_codes(client: Any) -> set[int]:
    stop = False

    async def use() -> None:
        while not stop:
            await client.subscriptions.retrieve(own_identifier())

    tasks = [asyncio.create_task(use()) for _ in range(3)]
    codes: set[int] = set()
    try:
        for _ in range(FORKS):
            await asyncio.sleep(0)
            if (child := os.fork()) == 0:
                os._exit(ended(lambda: asyncio.run(client.subscriptions.retrieve(own_identifier()))))
            codes.add(await asyncio.to_thread(wait, child))
    finally:
        stop = True
        await asyncio.gather(*tasks)
    return codes


@hazard("H379")
@pytest.mark.parametrize("kind", BACKENDS)
def test_no_connection_serves_two_processes(run: Run, kind: str) -> None:
    with FaultServer(NAMED) as server:
        client = ours(run, **backend(run, kind), base_url=server.url, allow_insecure_loopback=True)
        run(client, lambda each: each.subscriptions.retrieve(own_identifier()))
        codes = blocking_codes(client) if run.style == "blocking" else run.wait(async_codes(client))
        senders: dict[int, set[str]] = defaultdict(set)
        for request in server.requests:
            senders[request.connection].add(request.target.rpartition("/")[2])
        refused = kind in ("httpx", "httpx2", "http_client")
        assert codes == ({3} if refused else {0})
        assert {number: each for number, each in senders.items() if len(each) > 1} == {}
        assert len(set.union(*senders.values())) == (1 if refused else 1 + FORKS)
        if kind == "direct":
            run.opened.append(client._driver.transport)
