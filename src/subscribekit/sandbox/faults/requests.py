"""Faults of requests: each acts before the service sees the request, after its work, or on its response."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from ..http.wire import Group, SandboxRequest, SandboxResponse, Seen
from ..service import Service
from ..values import Document
from .altered import continues, error_response, goes_ahead, next_address, on_page, with_header

Breakage: TypeAlias = Literal["refused", "lost", "timed_out", "cut"]
_SEEN: dict[Breakage, Seen] = {"refused": "dropped", "lost": "dropped", "timed_out": "timed out", "cut": "cut"}
GZIP_TRAILER = 8
_WITH_CURSORS: tuple[Group, ...] = ("billing",)


@dataclass(frozen=True)
class Broken:
    """A connection that broke: refused, lost before a response, silent for too long, or cut within the response."""

    breakage: Breakage
    response: SandboxResponse | None = None

    @property
    def status(self) -> Seen:
        """The break as the client sees it."""
        return _SEEN[self.breakage]


@dataclass(frozen=True)
class Dripping:
    """A whole response whose body comes in pieces, with a pause in seconds before each."""

    response: SandboxResponse
    pieces: tuple[bytes, ...]
    pause: float

    @property
    def status(self) -> int:
        """The status of the response."""
        return self.response.status


Result: TypeAlias = SandboxResponse | Broken | Dripping


@dataclass(frozen=True)
class Fault:
    """One fault of a request.

    Args:
        name: Its name.
        act: The effect on a request that reached the sandbox.
        applies: Whether it can happen to a request at all.
        lists: The groups whose lists it happens to; none when it is not about lists.
    """

    name: str
    act: Callable[[Service, SandboxRequest], Result]
    applies: Callable[[SandboxRequest], bool] = lambda request: True  # noqa: ARG005  the common case
    lists: tuple[Group, ...] = ()


def connection_refused() -> Fault:
    """Refuse the connection: nothing is sent."""
    return Fault("connection_refused", lambda _service, _request: Broken("refused"))


def drop_before_commit() -> Fault:
    """Lose the connection after the request has left and before the service has seen it."""
    return _in_place("drop_before_commit", lambda _request: Broken("lost"))


def drop_after_commit() -> Fault:
    """Lose the connection after the service has done its work: the response never arrives."""
    return _after_commit("drop_after_commit", lambda _request, _response: Broken("lost"))


def read_timeout(*, committed: bool = False) -> Fault:
    """Let the response not come in time; the read timeout is raised at once, nothing waits.

    Args:
        committed: Whether the service does its work all the same.

    Raises:
        ValueError: `committed` is no boolean.
    """
    if type(committed) is not bool:
        raise ValueError(f"committed must be True or False, not {committed!r}")

    if committed:
        return _after_commit("read_timeout", lambda _request, _response: Broken("timed_out"))
    return _in_place("read_timeout", lambda _request: Broken("timed_out"))


def proxy_page(status: int = 502) -> Fault:
    """Return a proxy's page in place of the service."""
    _check_status(status)
    page = f"<!DOCTYPE html><html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>"

    response = SandboxResponse(status, {"Content-Type": "text/html; charset=utf-8"}, page.encode())
    return _in_place("proxy_page", lambda _request: response)


def truncated() -> Fault:
    """Cut the connection in the middle of the response's body, after the service has done its work."""
    return _after_commit("truncated", lambda _request, response: Broken("cut", response))


def slow_response(seconds: float = 90.0, *, pieces: int = 9) -> Fault:
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
        raise ValueError("slow_response takes finite seconds that are not negative, and at least one piece")

    def slow_down(_request: SandboxRequest, response: SandboxResponse) -> Dripping:
        size = max(1, -(-len(response.body) // pieces))
        pieces_of_body = tuple(response.body[at : at + size] for at in range(0, len(response.body), size))
        return Dripping(response, pieces_of_body, seconds / max(1, len(pieces_of_body)))

    return _after_commit("slow_response", slow_down)


def corrupt_gzip() -> Fault:
    """Damage a compressed response, after the service has done its work."""

    def damage(_request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_packed = response.headers.get("Content-Encoding") == "gzip"
        packed = response.body if is_packed else gzip.compress(response.body, mtime=0)
        # A wrong checksum is noticed by every reader; damage further ahead can pass for a stream that goes on.
        damaged = packed[:-GZIP_TRAILER] + bytes(255 - byte for byte in packed[-GZIP_TRAILER:])
        return SandboxResponse(response.status, {**response.headers, "Content-Encoding": "gzip"}, damaged)

    return _after_commit("corrupt_gzip", damage)


def rate_limited(retry_after: int | str | None = 1) -> Fault:
    """Return 429 in place of the service.

    Args:
        retry_after: The header's value, seconds or a date; `None` leaves the header out.
    """
    return _in_place(
        "rate_limited", lambda request: error_response(request.group, 429, "too many requests", retry_after)
    )


def server_error(status: int = 500, *, retry_after: int | str | None = None) -> Fault:
    """Return a server error in place of the service, which does nothing."""
    _check_status(status)
    return _in_place("server_error", lambda request: error_response(request.group, status, "server error", retry_after))


def server_error_after_commit(status: int = 500) -> Fault:
    """Return a server error although the service has done its work."""
    _check_status(status)
    return _after_commit(
        "server_error_after_commit", lambda request, _response: error_response(request.group, status, "server error")
    )


def repeated_cursor() -> Fault:
    """Let `next` of a page lead to the same page again; it waits for a page that was asked for with a cursor."""

    def change(request: SandboxRequest, page: Document, _service: Service) -> None:
        page["next"] = next_address(request, dict(request.query).get("starting_after", ""))

    return Fault("repeated_cursor", on_page(change), continues, _WITH_CURSORS)


def empty_page_with_next() -> Fault:
    """Put an empty page with a new cursor before the page that was asked for; no item is lost."""

    def change(request: SandboxRequest, page: Document, service: Service) -> None:
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

    def change(_request: SandboxRequest, page: Document, _service: Service) -> None:
        page["next"] = address

    return Fault("foreign_next", on_page(change), lists=_WITH_CURSORS)


def wrong_total(total: int = 1_000_000) -> Fault:
    """Tell a wrong number of items, in `total_count` of group A or `X-Total-Count` of group C."""
    if type(total) is not int:
        raise ValueError(f"the total must be a whole number, not {total!r}")

    def change(_request: SandboxRequest, page: Document, _service: Service) -> None:
        page["total_count"] = total

    alter = on_page(change)

    def act(service: Service, request: SandboxRequest) -> Result:
        if request.group != "user_mgmt":
            return alter(service, request)
        return with_header(service.handle(request), "X-Total-Count", str(total))

    return Fault("wrong_total", act, lists=("billing", "user_mgmt"))


def _check_status(status: int) -> None:
    if type(status) is not int or not 200 <= status <= 599:
        raise ValueError(f"the status must be a whole number from 200 to 599, such as 502, not {status!r}")


def _in_place(name: str, make: Callable[[SandboxRequest], Result]) -> Fault:
    """Return a fault in place of the service, which does nothing."""

    def act(service: Service, request: SandboxRequest) -> Result:
        service.lose(request)
        return make(request)

    return Fault(name, act)


def _after_commit(name: str, make: Callable[[SandboxRequest, SandboxResponse], Result]) -> Fault:
    """Return a fault of a response that the service gave after its work."""
    return Fault(name, lambda service, request: make(request, service.handle(request)))


FAULTS: Mapping[str, Callable[..., Fault]] = {maker.__name__: maker for maker in (
    corrupt_gzip, drop_after_commit, drop_before_commit, empty_page_with_next, foreign_next, proxy_page, rate_limited,
    connection_refused, repeated_cursor, server_error, server_error_after_commit, slow_response, read_timeout,
    truncated, wrong_total,
)}  # fmt: skip
"""The functions of this module by their names."""
