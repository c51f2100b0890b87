"""Sends calls while a tool stops or moves the clock. Runs in its own process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any
from unittest import mock


def frozen() -> AbstractContextManager[Any]:
    import freezegun

    return freezegun.freeze_time("2031-05-01 12:00:00")


def frozen_but_for_asyncio() -> AbstractContextManager[Any]:
    import freezegun

    return freezegun.freeze_time("2031-05-01 12:00:00", real_asyncio=True)


def ticking() -> AbstractContextManager[Any]:
    import freezegun

    return freezegun.freeze_time("2021-05-01 12:00:00", tick=True)


def traveled() -> AbstractContextManager[Any]:
    import time_machine

    return time_machine.travel("2031-05-01 12:00:00", tick=False)


def traveled_back() -> AbstractContextManager[Any]:
    import time_machine

    return time_machine.travel("2001-05-01 12:00:00", tick=True)


def mocked() -> AbstractContextManager[Any]:
    return mock.patch("time.monotonic", return_value=1e9)


Held = Callable[[], AbstractContextManager[Any]]

CLOCKS: dict[str, tuple[str, Held, bool]] = {
    "freezegun": ("freezegun", frozen, False),
    "freezegun, real asyncio": ("freezegun", frozen_but_for_asyncio, True),
    "freezegun, ticking": ("freezegun", ticking, True),
    "time-machine": ("time-machine", traveled, True),
    "time-machine, ticking": ("time-machine", traveled_back, True),
    "mock": ("freezegun", mocked, False),
}
"""For each name: the tool's folder, a function that holds the clock, and whether an event loop's timers still run."""

WHEN = ("before the first import", "before the first call")
"""When the clock is held for the first time."""


class Calls:
    """Sends calls with one sync or async client, in the client's own event loop, to a service that fails once."""

    def __init__(self, style: str, service: Any, *, retries: bool) -> None:
        import subscribekit

        self._retries, self._service = retries, service
        client_class: Any = subscribekit.BillingClient if style == "blocking" else subscribekit.AsyncBillingClient
        self._client = client_class(
            base_url=service.url, api_user="u", api_key="k", allow_insecure_loopback=True, deadline=50.0,
            retry=subscribekit.RetryPolicy(backoff_base=0.01),
        )  # fmt: skip
        self._loop = None if style == "blocking" else asyncio.new_event_loop()

    def __call__(self) -> None:
        """Read, reverse a payment, and read once more with a retry."""
        from kit.faults import scripts as f

        client = self._client
        self._service.script(f.ok({"object": "Account", "id": "a"}), f.ok({"object": "Transaction", "id": "p"}))
        assert self._wait(client.accounts.retrieve("a")).id == "a"
        assert self._wait(client.payments.reverse("p")).id == "p"
        if self._retries:
            self._service.script(f.status(503), f.ok({"object": "Account", "id": "b"}))
            assert self._wait(client.accounts.retrieve("b")).id == "b"

    def _wait(self, result: Any) -> Any:
        return result if self._loop is None else self._loop.run_until_complete(result)

    def close(self) -> None:
        """Close the client and the event loop."""
        if self._loop is None:
            self._client.close()
        else:
            self._wait(self._client.aclose())
            self._loop.close()


def main(style: str, clock: str, when: str) -> None:
    """Send calls while the clock is held, afterward, and while it's held again."""
    _, held, timers_run = CLOCKS[clock]
    from kit.faults.server import FaultServer  # the module doesn't import the SDK

    retries = timers_run or style == "blocking"
    with FaultServer() as service:
        calls = None if when == WHEN[0] else Calls(style, service, retries=retries)
        with held():
            calls = calls or Calls(style, service, retries=retries)
            calls()
        calls()
        with held():
            calls()
        calls.close()
    print(clock)


if __name__ == "__main__":
    main(*sys.argv[1:])
