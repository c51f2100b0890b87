"""Trouble on command: what the connection or the service does wrong, for which requests, how often.

    sandbox.faults.add("/v1/entitlement/{id}/charge", drop_after_commit())
    sandbox.faults.add(("GET", "/accounts"), rate_limited(retry_after=1), times=2)
    sandbox.faults.add("transactions", twice())

A fault acts before the request reaches the service, after the service has done its work ("after commit"), or on the
answer on its way back. `late`, `twice` and `out_of_order` act on push notifications.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

from .._core.config.locks import Guard
from .http.routes import ROUTER
from .http.wire import Answer, Group, Request, Seen
from .service import Service
from .trouble.altered import continues, error_answer, goes_ahead, next_address, on_page, with_header
from .trouble.matching import Match, Matches, is_class, meant_by, no_request
from .values import Document
from .webhooks.faults import DeliveryFault, PushEvent, late, out_of_order, twice

__all__ = [
    "Broken",
    "DeliveryFault",
    "Dripping",
    "Fault",
    "FaultDirector",
    "FaultRule",
    "Match",
    "corrupt_gzip",
    "drop_after_commit",
    "drop_before_commit",
    "empty_page_with_next",
    "foreign_next",
    "html",
    "late",
    "out_of_order",
    "rate_limited",
    "refuse",
    "repeated_cursor",
    "server_error",
    "server_error_after_commit",
    "slow_drip",
    "stall",
    "truncated",
    "twice",
    "wrong_total",
]

Breakage: TypeAlias = Literal["refused", "lost", "timed_out", "cut"]
GZIP_TRAILER = 8
_WITH_CURSORS: tuple[Group, ...] = ("billing",)


@dataclass(frozen=True)
class Broken:
    """A connection that broke: refused, lost before a response, silent for too long, or cut within the response."""

    breakage: Breakage
    answer: Answer | None = None


@dataclass(frozen=True)
class Dripping:
    """A whole response whose body comes in pieces, with a pause in seconds before each."""

    answer: Answer
    pieces: tuple[bytes, ...]
    pause: float


Result: TypeAlias = Answer | Broken | Dripping


@dataclass(frozen=True)
class Fault:
    """One kind of trouble.

    Args:
        name: Its name.
        act: The effect on a request that reached the sandbox.
        applies: Whether it can happen to a request at all.
        lists: The groups whose lists it happens to; none when it is not about lists.
    """

    name: str
    act: Callable[[Service, Request], Result]
    applies: Callable[[Request], bool] = lambda request: True  # noqa: ARG005  the common case
    lists: tuple[Group, ...] = ()


def refuse() -> Fault:
    """Refuse the connection: nothing is sent."""
    return Fault("refuse", lambda _service, _request: Broken("refused"))


def drop_before_commit() -> Fault:
    """Lose the connection after the request has left and before the service has seen it."""

    def act(service: Service, request: Request) -> Result:
        service.lose(request)
        return Broken("lost")

    return Fault("drop_before_commit", act)


def drop_after_commit() -> Fault:
    """Lose the connection after the service has done its work: the response never arrives."""

    def act(service: Service, request: Request) -> Result:
        service.handle(request)
        return Broken("lost")

    return Fault("drop_after_commit", act)


def stall(*, committed: bool = False) -> Fault:
    """Let the response not come in time; the read timeout is raised at once, nothing waits.

    Args:
        committed: Whether the service does its work all the same.

    Raises:
        ValueError: `committed` is no boolean.
    """
    if type(committed) is not bool:
        raise ValueError(f"committed must be True or False, not {committed!r}")

    def act(service: Service, request: Request) -> Result:
        if committed:
            service.handle(request)
        else:
            service.lose(request)
        return Broken("timed_out")

    return Fault("stall", act)


def html(status: int = 502) -> Fault:
    """Return a proxy's page in place of the service."""
    _check_status(status)
    page = f"<!DOCTYPE html><html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>"

    def act(service: Service, request: Request) -> Result:
        service.lose(request)
        return Answer(status, {"Content-Type": "text/html; charset=utf-8"}, page.encode())

    return Fault("html", act)


def truncated() -> Fault:
    """Cut the connection in the middle of the response's body, after the service has done its work."""

    def act(service: Service, request: Request) -> Result:
        return Broken("cut", service.handle(request))

    return Fault("truncated", act)


def slow_drip(seconds: float = 90.0, *, pieces: int = 9) -> Fault:
    """Let the response's body come in small pieces, after the service has done its work.

    Nothing waits: before each piece the clock of the sandbox's clients moves on, so a deadline shorter than `seconds`
    ends the call. It is one clock: calls that run at the same time see it move too. Only on a port
    (`subscribekit.sandbox.server`) the pieces really take that long. A response without a body comes at once.

    Args:
        seconds: The time of all pieces together; the default is longer than a client's default deadline.
        pieces: How many pieces at most; each has at least one byte.

    Raises:
        ValueError: `seconds` is negative or not finite, or `pieces` is not positive.
    """
    is_time = isinstance(seconds, int | float | Decimal) and type(seconds) is not bool and 0 <= seconds < float("inf")
    if not is_time or type(pieces) is not int or pieces < 1:
        raise ValueError("a drip takes finite seconds that are not negative, and at least one piece")

    def act(service: Service, request: Request) -> Result:
        answer = service.handle(request)
        size = max(1, -(-len(answer.body) // pieces))
        parts = tuple(answer.body[at : at + size] for at in range(0, len(answer.body), size))
        return Dripping(answer, parts, seconds / max(1, len(parts)))

    return Fault("slow_drip", act)


def corrupt_gzip() -> Fault:
    """Damage a compressed response, after the service has done its work."""

    def act(service: Service, request: Request) -> Result:
        answer = service.handle(request)
        packed = (
            answer.body if answer.headers.get("Content-Encoding") == "gzip" else gzip.compress(answer.body, mtime=0)
        )
        # A wrong checksum is noticed by every reader; damage further ahead can pass for a stream that goes on.
        damaged = packed[:-GZIP_TRAILER] + bytes(255 - byte for byte in packed[-GZIP_TRAILER:])
        return Answer(answer.status, {**answer.headers, "Content-Encoding": "gzip"}, damaged)

    return Fault("corrupt_gzip", act)


def rate_limited(retry_after: int | str | None = 1) -> Fault:
    """Return 429 in place of the service.

    Args:
        retry_after: The header's value, seconds or a date; `None` leaves the header out.
    """

    def act(service: Service, request: Request) -> Result:
        service.lose(request)
        answer = error_answer(request.group, 429, "too many requests")
        return answer if retry_after is None else with_header(answer, "Retry-After", str(retry_after))

    return Fault("rate_limited", act)


def server_error(status: int = 500, *, retry_after: int | str | None = None) -> Fault:
    """Return a server error in place of the service, which does nothing."""
    _check_status(status)

    def act(service: Service, request: Request) -> Result:
        service.lose(request)
        answer = error_answer(request.group, status, "server error")
        return answer if retry_after is None else with_header(answer, "Retry-After", str(retry_after))

    return Fault("server_error", act)


def server_error_after_commit(status: int = 500) -> Fault:
    """Return a server error although the service has done its work."""
    _check_status(status)

    def act(service: Service, request: Request) -> Result:
        service.handle(request)
        return error_answer(request.group, status, "server error")

    return Fault("server_error_after_commit", act)


def repeated_cursor() -> Fault:
    """Let `next` of a page lead to the same page again; it waits for a page that was asked for with a cursor."""

    def change(request: Request, page: Document, _service: Service) -> None:
        page["next"] = next_address(request, dict(request.query).get("starting_after", ""))

    return Fault("repeated_cursor", on_page(change), continues, _WITH_CURSORS)


def empty_page_with_next() -> Fault:
    """Put an empty page with a new cursor before the page that was asked for; no item is lost."""

    def change(request: Request, page: Document, service: Service) -> None:
        cursor = f"void-{service.store.number('void')}"
        asked = dict(request.query).get("starting_after", "")
        service.store.cursors[cursor] = service.store.cursors.get(asked, asked)
        page["data"] = []
        page["next"] = next_address(request, cursor)

    return Fault("empty_page_with_next", on_page(change), goes_ahead, _WITH_CURSORS)


def foreign_next(address: str = "https://elsewhere.invalid/accounts?starting_after=acct-0001") -> Fault:
    """Let `next` of a page lead to another address."""
    if type(address) is not str:
        raise ValueError(f"the address must be a text, not {address!r}")

    def change(_request: Request, page: Document, _service: Service) -> None:
        page["next"] = address

    return Fault("foreign_next", on_page(change), lists=_WITH_CURSORS)


def wrong_total(total: int = 1_000_000) -> Fault:
    """Tell a wrong number of items, in `total_count` of group A or `X-Total-Count` of group C."""
    if type(total) is not int:
        raise ValueError(f"the total must be a whole number, not {total!r}")

    def change(_request: Request, page: Document, _service: Service) -> None:
        page["total_count"] = total

    alter = on_page(change)

    def act(service: Service, request: Request) -> Result:
        if request.group != "user_mgmt":
            return alter(service, request)
        return with_header(service.handle(request), "X-Total-Count", str(total))

    return Fault("wrong_total", act, lists=("billing", "user_mgmt"))


def _check_status(status: int) -> None:
    if type(status) is not int or not 200 <= status <= 599:
        raise ValueError(f"the status must be a whole number from 200 to 599, such as 502, not {status!r}")


@dataclass
class FaultRule:
    """A fault that waits for its requests; `fired` counts how often it has happened."""

    match: Match
    fault: Fault | DeliveryFault
    times: int | None
    fired: int = 0
    _meant: Matches = field(default=no_request, repr=False, compare=False)

    @property
    def is_waiting(self) -> bool:
        """Whether it has not happened as often as it shall."""
        return self.times is None or self.fired < self.times

    def meets(self, request: Request) -> bool:
        """Tell whether the fault happens to a request."""
        fault = self.fault
        if not isinstance(fault, Fault) or not self._meant(request) or not fault.applies(request):
            return False
        found = ROUTER.find(request) if fault.lists else None
        return not fault.lists or (found is not None and found[0].is_list and found[0].group in fault.lists)

    def concerns(self, event: PushEvent) -> bool:
        """Tell whether the fault happens to a push notification."""
        if not isinstance(self.fault, DeliveryFault):
            return False
        if not is_class(self.match):
            return event.request is not None and self._meant(event.request)
        return self.match in (event.class_name, (event.class_name, event.event_name))


class FaultDirector:
    """Decides which request meets which fault."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._rules: list[FaultRule] = []
        self._guard = Guard()

    @property
    def pending(self) -> list[FaultRule]:
        """The rules that have not happened as often as they shall."""
        with self._guard.lock:
            return [rule for rule in self._rules if rule.is_waiting]

    def add(self, match: Match, fault: Fault | DeliveryFault, times: int | None = 1) -> FaultRule:
        """Let a fault happen to the next requests or push notifications that match, in the order of the rules.

        Args:
            match: The requests to meet: a path template (`/payments/{payment}/actions/reverse`; text in
                braces does not count), with a method before it if wanted (`GET /accounts`); the name of an operation
                (`entitlements.charge`, also `gateway.entitlements.charge`); the path of one resource that there is; a
                pair of a method and a part of the path, with an identifier to come behind its resource; or a
                predicate. For `late`, `twice` and `out_of_order` also a class of push notifications (`"accounts"`) or a
                pair of class and event; anything else matches what such requests cause.
            fault: The fault, such as `drop_after_commit()`; see the functions of this module.
            times: How often; `None` means always.

        Raises:
            ValueError: No request can match, the fault cannot happen to those that do, or `times` is not positive.
            TypeError: `match` or `fault` is none.
        """
        if not isinstance(fault, Fault | DeliveryFault):
            raise TypeError(_no_fault(fault))
        if times is not None and (type(times) is not int or times < 1):
            raise ValueError("times must be at least 1, or None for always")
        lists = None if isinstance(fault, DeliveryFault) else fault.lists
        meant = meant_by(match, self._service.store, fault.name, lists)
        rule = FaultRule(match, fault, times, _meant=meant)
        with self._guard.lock:
            self._rules.append(rule)
        return rule

    def clear(self) -> None:
        """Forget all rules."""
        with self._guard.lock:
            self._rules.clear()

    def handle(self, request: Request) -> Result:
        """Handle a request, with the fault that waits for it."""
        fault = self._fire(lambda rule: rule.meets(request))
        if not isinstance(fault, Fault):
            return self._service.handle(request)
        since = len(self._service.requests)
        result = fault.act(self._service, request)
        self._service.note(request, since, fault.name, _seen(result))
        return result

    def of_event(self, event: PushEvent) -> DeliveryFault | None:
        """Return the fault that waits for a push notification."""
        fault = self._fire(lambda rule: rule.concerns(event))
        return fault if isinstance(fault, DeliveryFault) else None

    def _fire(self, wanted: Callable[[FaultRule], bool]) -> Fault | DeliveryFault | None:
        with self._guard.lock:
            for rule in self._rules:
                if rule.is_waiting and wanted(rule):
                    rule.fired += 1
                    return rule.fault
        return None


def _seen(result: Result) -> Seen:
    """Say what a client sees of what a fault made."""
    if isinstance(result, Broken):
        return _BROKEN[result.breakage]
    return result.answer.status if isinstance(result, Dripping) else result.status


_BROKEN: dict[Breakage, Seen] = {"refused": "dropped", "lost": "dropped", "timed_out": "timed out", "cut": "cut"}


def _no_fault(given: object) -> str:
    """Say what to write in place of what is no fault."""
    name = given if isinstance(given, str) else getattr(given, "__name__", "")
    if name in __all__ and name.islower():
        return f"write {name}(), with parentheses, of subscribekit.sandbox.faults"
    order = "; the match comes first, then the fault" if isinstance(given, str | tuple) else ""
    return f"the fault must be what a function of this module gives, such as drop_after_commit(), not {given!r}{order}"
