"""A service that counts effects, and the network between it and the clients of simulated processes.

A request that has left a process is on its way by itself: it arrives even if the process dies or pauses meanwhile.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

from subscribekit import _sealed
from subscribekit._core.config.clock import Clock
from subscribekit._core.http.failure import TransportFailure
from subscribekit._core.http.transport import Body, RawRequest, RawResponse, Transport

from .faults import Faults
from .scheduler import Scheduler

LATEST = 2.0
"""Simulated seconds after which no request is in flight anymore. The runs resolve with a longer time."""
_START = datetime(2027, 1, 1, tzinfo=UTC)
_NAME = re.compile(r"order-\d+")


class Content:
    """The body of a response, in one piece."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[_sealed.Content]:
        yield _sealed.Content(self._content)

    def close(self) -> None:
        """Do nothing, because nothing is open."""


@dataclass
class Exchange:
    """A request in flight."""

    response: RawResponse[Body] | None = None
    is_over: bool = False

    def end(self, response: RawResponse[Body] | None = None) -> None:
        """Deliver a response to the client, or break its connection."""
        if not self.is_over:
            self.response, self.is_over = response, True


@dataclass(frozen=True)
class Resource:
    """A resource that a write has created.

    Attributes:
        body: The fields of its request.
        made_at: When, in simulated seconds.
        is_ours: Whether a request of the simulated runs made it, and not another caller before.
    """

    body: dict[str, Any]
    made_at: float
    is_ours: bool = True


class Service:
    """A service that makes charges or refunds, and returns them.

    Args:
        scheduler: The clock of the simulation.
        faults: Decides which faults affect each request.
        clock_offset: Seconds by which the service's clock is ahead.
        digits: The number of decimal places in the seconds of a creation time: 0 or 3.
        slowness: The maximum number of seconds that a request or a response takes.
        effect: Called after each effect, with the item's key.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        faults: Faults,
        clock_offset: float,
        digits: int,
        slowness: float,
        effect: Callable[[str], None],
    ) -> None:
        self._scheduler, self._faults, self._effect = scheduler, faults, effect
        self._offset, self._digits, self._slowness = clock_offset, digits, slowness
        self.made: dict[str, list[Resource]] = {}
        self.to_come: Counter[str] = Counter()
        self._read_before: dict[str, list[RawResponse[Body]]] = {}

    def effects(self, key: str) -> int:
        """Count the effects that requests of the runs had for an item."""
        return sum(each.is_ours for each in self.made.get(key, ()))

    # Requests

    def leave(self, request: RawRequest) -> Exchange:
        """Accept a request whose first byte has left."""
        exchange = Exchange()
        self._scheduler.note(f"SENDS: {request.method} {request.target} {request.body.reveal().decode()}")
        if request.method == "GET":
            self._read(request, exchange)
        else:
            self._write(request, exchange)
        return exchange

    def _write(self, request: RawRequest, exchange: Exchange) -> None:
        key = _NAME.search(f"{request.target} {request.body.reveal().decode()}")
        assert key is not None
        name, body, random = key[0], json.loads(request.body.reveal()), self._faults.random
        there, back = random.uniform(0.001, self._slowness), random.uniform(0.001, self._slowness)
        lost = self._lost_at()
        if self._faults.strike("request lost"):
            self._after(lost, exchange.end)
        elif self._faults.strike("response lost"):
            self._after(there, lambda: self._make(name, body))
            self.to_come[name] += 1
            self._after(there + lost, exchange.end)
        elif self._faults.strike("late effect"):
            self._after(random.uniform(0.3, LATEST), lambda: self._make(name, body))
            self.to_come[name] += 1
            self._after(lost, exchange.end)
        elif self._faults.strike("rejected"):
            self._after(there + back, lambda: exchange.end(self._error(request, 400)))
        elif self._faults.strike("slow down"):
            self._after(there + back, lambda: exchange.end(self._error(request, 429)))
        elif self._faults.strike("server error"):
            if random.random() < 0.5:
                self._after(there, lambda: self._make(name, body))
                self.to_come[name] += 1
            self._after(there + back, lambda: exchange.end(self._error(request, 500)))
        else:
            self._after(there, lambda: self._make(name, body))
            self.to_come[name] += 1
            if self._faults.strike("late response"):
                back = random.uniform(0.5, 6.0)
            self._after(there + back, lambda: exchange.end(self._shown(name)))

    def _lost_at(self) -> float:
        """Draw when a connection breaks: soon, or never, so that the client waits for its read timeout."""
        return self._faults.random.uniform(0.01, 0.5) if self._faults.random.random() < 0.7 else 1e6

    def _make(self, name: str, body: dict[str, Any]) -> None:
        self.to_come[name] -= 1
        self.made.setdefault(name, []).append(Resource(body, self._scheduler.now))
        self._scheduler.note(f"EFFECT: {name}")
        self._effect(name)

    def _read(self, request: RawRequest, exchange: Exchange) -> None:
        random, before = self._faults.random, self._read_before.setdefault(request.target, [])
        there, back = random.uniform(0.001, self._slowness), random.uniform(0.001, self._slowness)
        if self._faults.strike("read fails"):
            self._after(there + back, lambda: exchange.end(self._error(request, 500)))
            return
        if not before and "read is cached" in self._faults.rates:  # another application has read it earlier
            before.append(self._looked_up(request, self._scheduler.now - random.uniform(0.0, 10.0)))
        if before and self._faults.strike("read is cached"):
            kept = random.choice(before)
            self._after(there + back, lambda: exchange.end(_again(kept)))
            return
        if self._faults.strike("read is slow"):
            there, back = random.uniform(0.1, 4.0), random.uniform(0.1, 4.0)

        def answer() -> None:
            response = self._looked_up(request, self._scheduler.now)
            before.append(response)
            self._after(back, lambda: exchange.end(_again(response)))

        self._after(there, answer)

    def _after(self, seconds: float, event: Callable[[], None]) -> None:
        self._scheduler.at(self._scheduler.now + seconds, event)

    # Responses

    def time(self, at: float) -> datetime:
        """Return the time of day by the service's clock."""
        return _START + timedelta(seconds=at + self._offset)

    def _looked_up(self, request: RawRequest, at: float) -> RawResponse[Body]:
        """Return the response to a read at a simulated time."""
        key = _NAME.search(request.target)
        assert key is not None
        made = [each for each in self.made.get(key[0], []) if each.made_at <= at]
        if "/refunds" in request.target:
            return self._response(200, {"object": "List", "data": [self._resource(each) for each in made]}, at=at)
        if made:
            return self._response(200, self._resource(made[-1]), at=at)
        return self._response(404, {"object": "Error", "code": 404, "message": "there is none"}, at=at)

    def _shown(self, name: str) -> RawResponse[Body]:
        made = self.made[name][-1]
        if "transactionId" in made.body:
            return self._response(200, {"transactionReferenceId": f"ref-{name}"})
        return self._response(200, self._resource(made))

    def _resource(self, made: Resource) -> dict[str, Any]:
        created = self.time(made.made_at).isoformat(timespec="milliseconds" if self._digits else "seconds")
        return {"vid": f"v{made.made_at:.6f}", "created": created.replace("+00:00", "Z"), **made.body}

    def _error(self, request: RawRequest, status: int) -> RawResponse[Body]:
        body = {"object": "Error", "code": status, "message": "a simulated fault"}
        return self._response(status, body, *([(b"Retry-After", b"1")] if status == 429 else []))

    def _response(
        self, status: int, body: object, *more: tuple[bytes, bytes], at: float | None = None
    ) -> RawResponse[Body]:
        content = json.dumps(body).encode()
        written_at = self.time(self._scheduler.now if at is None else at)
        date = format_datetime(written_at.replace(microsecond=0), usegmt=True)
        headers = [
            (b"Content-Type", b"application/json"), (b"Content-Length", b"%d" % len(content)), (b"Date", date.encode())
        ]  # fmt: skip
        return RawResponse(status, [*headers, *more], Content(content))


def _again(response: RawResponse[Body]) -> RawResponse[Body]:
    return RawResponse(response.status, response.headers, response.body)


class Network(Transport):
    """The transport of one process's client.

    Args:
        scheduler: Passes the turn while a request waits.
        service: Receives the requests.
        faults: Decides which connections are refused.
        clock: The client's clock.
    """

    def __init__(self, scheduler: Scheduler, service: Service, faults: Faults, clock: Clock) -> None:
        self._scheduler, self._service, self._faults, self.clock = scheduler, service, faults, clock

    def send(self, request: RawRequest) -> RawResponse[Body]:
        """Send one request, unless a fault stops it, and return the response."""
        request.progress.wait()
        self._scheduler.switch("connection")
        if request.method != "GET" and self._faults.strike("connection refused"):
            raise TransportFailure("the connection was refused", "nothing")
        request.progress.begin()
        request.progress.reach("headers_started")  # the last check of the lease; nothing happens after it
        exchange = self._service.leave(request)
        request.progress.reach("body_sent")
        self._scheduler.wait("response", lambda: exchange.is_over, request.timeouts["read"])
        if exchange.response is None:
            exchange.is_over = True
            raise TransportFailure("the connection was lost", "body_sent")
        return exchange.response

    def close(self) -> None:
        """Do nothing, because nothing is open."""
