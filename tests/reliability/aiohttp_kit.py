"""Async clients over the aiohttp backend, for the tests that every other transport passes."""

from __future__ import annotations

from typing import Any

from faults.server import Origin
from reliability.kit import Group, Run
from subscribekit import Limits
from subscribekit._core.config.clock import Clock
from subscribekit._core.http.aiohttp_transport import AiohttpTransport
from subscribekit.transports import aiohttp


class TimedAiohttp(AiohttpTransport):
    """The backend, with a clock."""

    def __init__(self, ssl_context: Any, limits: Limits, clock: Clock) -> None:
        super().__init__(ssl_context, limits)
        self.clock = clock


class AiohttpRun(Run):
    """Async clients over aiohttp, with the clock of the suite unless a test wants none."""

    def __init__(self) -> None:
        super().__init__("async")

    def client(self, group: Group, srv: Origin | str, *, timed: bool = True, **options: Any) -> Any:
        if not timed and "transport" not in options:
            context = srv.client_context() if isinstance(srv, Origin) and srv.url.startswith("https") else None
            options["transport"] = aiohttp(ssl_context=context, limits=options.pop("limits", None))
            self.opened.append(options["transport"])
        return super().client(group, srv, timed=timed, **options)

    def _network(self, options: dict[str, Any]) -> Any:
        network = TimedAiohttp(options.pop("ssl_context", None), options.get("limits") or Limits(), self.time.clock())
        self.opened.append(network)
        return network
