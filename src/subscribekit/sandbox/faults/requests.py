"""Faults that happen to requests, before or after the service handles the request."""

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
    """A broken connection: refused, lost before the response, cut within the response, or too slow to respond."""

    breakage: Breakage
    response: SandboxResponse | None = None

    @property
    def status(self) -> Seen:
        """How the connection broke, as `RecordedRequest.client_saw` describes it."""
        return _SEEN[self.breakage]


@dataclass(frozen=True)
class Dripping:
    """A complete response whose body is sent in pieces. `pause` is the simulated wait before each piece, in seconds."""

    response: SandboxResponse
    pieces: tuple[bytes, ...]
    pause: float

    @property
    def status(self) -> int:
        """The HTTP status of the response."""
        return self.response.status


Result: TypeAlias = SandboxResponse | Broken | Dripping


@dataclass(frozen=True)
class Fault:
    """A fault that affects requests.

    Args:
        name: The name of the fault, such as `read_timeout`.
        act: A function that applies the fault to a request, and returns the result that the client gets.
        applies: A function that returns whether the fault can apply to a request.
        lists: The APIs whose lists the fault changes, or an empty tuple if the fault doesn't change lists.
    """

    name: str
    act: Callable[[Service, SandboxRequest], Result]
    applies: Callable[[SandboxRequest], bool] = lambda request: True  # noqa: ARG005  the common case
    lists: tuple[Group, ...] = ()


def connection_refused() -> Fault:
    """Simulate a refused connection. The client sends nothing."""
    return Fault("connection_refused", lambda _service, _request: Broken("refused"))


def drop_before_commit() -> Fault:
    """Simulate a connection that is lost after the request was sent, but before the service handles the request."""
    return _in_place("drop_before_commit", lambda _request: Broken("lost"))


def drop_after_commit() -> Fault:
    """Simulate a lost response: the service carries out the request, and then the connection is lost."""
    return _after_commit("drop_after_commit", lambda _request, _response: Broken("lost"))


def read_timeout(*, committed: bool = False) -> Fault:
    """Simulate a read timeout. The client reports the timeout immediately, without waiting.

    Args:
        committed: `True` if the service carries out the request before the timeout.

    Raises:
        ValueError: `committed` isn't a Boolean.
    """
    if type(committed) is not bool:
        raise ValueError(f"committed must be True or False, not {committed!r}")

    if committed:
        return _after_commit("read_timeout", lambda _request, _response: Broken("timed_out"))
    return _in_place("read_timeout", lambda _request: Broken("timed_out"))


def proxy_page(status: int = 502) -> Fault:
    """Return an HTML page, such as the error page of a proxy, instead of handling the request.

    Args:
        status: The HTTP status of the page, from 200 to 599.

    Raises:
        ValueError: `status` isn't a whole number from 200 to 599.
    """
    _check_status(status)
    page = f"<!DOCTYPE html><html><head><title>{status}</title></head><body><h1>{status}</h1></body></html>"

    response = SandboxResponse(status, {"Content-Type": "text/html; charset=utf-8"}, page.encode())
    return _in_place("proxy_page", lambda _request: response)


def truncated() -> Fault:
    """Cut the connection in the middle of the response's body, after the service has carried out the request."""
    return _after_commit("truncated", lambda _request, response: Broken("cut", response))


def slow_response(seconds: float = 90.0, *, pieces: int = 9) -> Fault:
    """Send the response's body slowly, in pieces, after the service has carried out the request.

    The client waits no real time, because the sandbox advances its clients' clock before each piece. If the deadline of
    the call passes during the simulated delay, the call fails. All clients of a sandbox share one clock, so this fault
    also affects the deadlines of calls that run at the same time. A sandbox that is served on a port
    (`subscribekit.sandbox.server`) waits in real time. A response without a body isn't delayed.

    Args:
        seconds: The total delay of all pieces. The default delay is longer than a client's default deadline.
        pieces: The maximum number of pieces of the body. Each piece has at least one byte.

    Raises:
        ValueError: `seconds` is negative or isn't finite, or `pieces` is less than 1.
    """
    is_time = isinstance(seconds, int | float | Decimal) and type(seconds) is not bool and 0 <= seconds < float("inf")
    if not is_time or type(pieces) is not int or pieces < 1:
        raise ValueError(
            "seconds must be a finite number of at least 0, and pieces must be a whole number of at least 1"
        )

    def slow_down(_request: SandboxRequest, response: SandboxResponse) -> Dripping:
        size = max(1, -(-len(response.body) // pieces))
        pieces_of_body = tuple(response.body[at : at + size] for at in range(0, len(response.body), size))
        return Dripping(response, pieces_of_body, seconds / max(1, len(pieces_of_body)))

    return _after_commit("slow_response", slow_down)


def corrupt_gzip() -> Fault:
    """Return a damaged gzip response, after the service has carried out the request."""

    def damage(_request: SandboxRequest, response: SandboxResponse) -> SandboxResponse:
        is_packed = response.headers.get("Content-Encoding") == "gzip"
        packed = response.body if is_packed else gzip.compress(response.body, mtime=0)
        # Damage only the checksum, because every decoder reports a wrong checksum as damaged data. If the
        # compressed data itself were damaged, a decoder could report an incomplete stream instead.
        damaged = packed[:-GZIP_TRAILER] + bytes(255 - byte for byte in packed[-GZIP_TRAILER:])
        return SandboxResponse(response.status, {**response.headers, "Content-Encoding": "gzip"}, damaged)

    return _after_commit("corrupt_gzip", damage)


def rate_limited(retry_after: int | str | None = 1) -> Fault:
    """Return the HTTP status 429 instead of handling the request.

    Args:
        retry_after: The value of the `Retry-After` header: a number of seconds, or a date. `None` omits the header.
    """
    return _in_place(
        "rate_limited", lambda request: error_response(request.group, 429, "too many requests", retry_after)
    )


def server_error(status: int = 500, *, retry_after: int | str | None = None) -> Fault:
    """Return a server error instead of handling the request.

    Args:
        status: The HTTP status, from 200 to 599.
        retry_after: The value of the `Retry-After` header: a number of seconds, or a date. `None` omits the header.

    Raises:
        ValueError: `status` isn't a whole number from 200 to 599.
    """
    _check_status(status)
    return _in_place("server_error", lambda request: error_response(request.group, status, "server error", retry_after))


def server_error_after_commit(status: int = 500) -> Fault:
    """Return a server error after the service has carried out the request.

    Args:
        status: The HTTP status, from 200 to 599.

    Raises:
        ValueError: `status` isn't a whole number from 200 to 599.
    """
    _check_status(status)
    return _after_commit(
        "server_error_after_commit", lambda request, _response: error_response(request.group, status, "server error")
    )


def repeated_cursor() -> Fault:
    """Change the `next` link of a page to the address of the same page.

    The fault applies only to requests with a cursor.
    """

    def change(request: SandboxRequest, page: Document, _service: Service) -> None:
        page["next"] = next_address(request, dict(request.query).get("starting_after", ""))

    return Fault("repeated_cursor", on_page(change), continues, _WITH_CURSORS)


def empty_page_with_next() -> Fault:
    """Return an empty page whose `next` link returns the page that was requested, so that no item is lost."""

    def change(request: SandboxRequest, page: Document, service: Service) -> None:
        cursor = f"void-{service.store.number('void')}"
        requested = dict(request.query).get("starting_after", "")
        service.store.cursors[cursor] = service.store.cursors.get(requested, requested)
        page["data"] = []
        page["next"] = next_address(request, cursor)

    return Fault("empty_page_with_next", on_page(change), goes_ahead, _WITH_CURSORS)


def foreign_next(address: str = "https://elsewhere.invalid/accounts?starting_after=acct-0001") -> Fault:
    """Change the `next` link of a page to `address`.

    Args:
        address: The address in the `next` link, which can be any string.

    Raises:
        ValueError: `address` isn't a string.
    """
    if type(address) is not str:
        raise ValueError(f"address must be a string, not {address!r}")

    def change(_request: SandboxRequest, page: Document, _service: Service) -> None:
        page["next"] = address

    return Fault("foreign_next", on_page(change), lists=_WITH_CURSORS)


def wrong_total(total: int = 1_000_000) -> Fault:
    """Return a wrong total number of items with a page of a list.

    The billing API returns the total in the field `total_count`, and the account-lifecycle API returns it in the header
    `X-Total-Count`.

    Args:
        total: The wrong total number of items.

    Raises:
        ValueError: `total` isn't a whole number.
    """
    if type(total) is not int:
        raise ValueError(f"total must be a whole number, not {total!r}")

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
        raise ValueError(f"status must be a whole number from 200 to 599, such as 502, not {status!r}")


def _in_place(name: str, make: Callable[[SandboxRequest], Result]) -> Fault:
    """Create a fault that replaces the service's response. The service doesn't handle the request."""

    def act(service: Service, request: SandboxRequest) -> Result:
        service.lose(request)
        return make(request)

    return Fault(name, act)


def _after_commit(name: str, make: Callable[[SandboxRequest, SandboxResponse], Result]) -> Fault:
    """Create a fault that changes or drops the response after the service has carried out the request."""
    return Fault(name, lambda service, request: make(request, service.handle(request)))


FAULTS: Mapping[str, Callable[..., Fault]] = {maker.__name__: maker for maker in (
    corrupt_gzip, drop_after_commit, drop_before_commit, empty_page_with_next, foreign_next, proxy_page, rate_limited,
    connection_refused, repeated_cursor, server_error, server_error_after_commit, slow_response, read_timeout,
    truncated, wrong_total,
)}  # fmt: skip
"""A mapping from the name of each request fault to the function that creates the fault."""
