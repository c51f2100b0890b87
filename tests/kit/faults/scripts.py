"""The faults that a script of the server can contain.

Each function returns a `Step`. A step handles one request, or, depending on its stage, one new connection.
"""

from __future__ import annotations

import email.utils
import gzip
import time
from typing import Literal

from kit.faults.payloads import (
    NEUTRAL_ERROR,
    THING,
    Body,
    ContentKind,
    GzipFault,
    big_json_chunks,
    bomb,
    damaged_gzip,
    encode,
    envelope,
    odd_content,
)
from kit.faults.steps import Act, step
from kit.faults.wire import Exchange, Headers, How

# Responses without a fault


@step("request")
def ok(body: Body = THING, headers: Headers = ()) -> Act:
    """Respond with 200."""
    return lambda exchange: exchange.send(exchange.framed(200, encode(body), headers))


@step("request")
def no_content() -> Act:
    """Respond with 204 and without a body."""
    return lambda exchange: exchange.send(exchange.head(204, content_type=None))


@step("request")
def page(
    items: list[dict[str, object]], next_: str | None = None, previous: str | None = None, total: object = None
) -> Act:
    """Respond with a page of the billing API. `next_` can contain the names that `Places.fill` replaces."""

    def act(exchange: Exchange) -> None:
        fill = exchange.places.fill
        body = envelope(items, next_ and fill(next_), previous and fill(previous), total)
        exchange.send(exchange.framed(200, encode(body)))

    return act


@step("request")
def offset_page(items: list[object], total: str | int | None = None) -> Act:
    """Respond with a page of the account-lifecycle API and its `X-Total-Count`."""
    headers = [] if total is None else [("X-Total-Count", str(total))]
    return lambda exchange: exchange.send(exchange.framed(200, encode(items), headers))


# Statuses


@step("request")
def status(code: int, body: Body = NEUTRAL_ERROR, headers: Headers = ()) -> Act:
    """Respond with a status."""
    return lambda exchange: exchange.send(exchange.framed(code, encode(body), headers))


@step("request")
def rate_limited(*retry_after: str, date: str | None = None, code: int = 429, body: Body = NEUTRAL_ERROR) -> Act:
    """Respond with 429 and these Retry-After headers. `date` is the time of the server (see `http_date`)."""
    headers = [("Retry-After", value) for value in retry_after] + ([] if date is None else [("Date", date)])
    return lambda exchange: exchange.send(exchange.framed(code, encode(body), headers))


@step("request")
def redirect(location: str, code: int = 307) -> Act:
    """Respond with a redirect. `location` can contain the names that `Places.fill` replaces."""
    return lambda exchange: exchange.send(exchange.framed(code, b"", [("Location", location)]))


@step("request")
def html(code: int = 502, ctype: str = "text/html") -> Act:
    """Respond with the error page of a proxy."""
    body = b"<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"
    return lambda exchange: exchange.send(exchange.framed(code, body, content_type=ctype))


@step("request")
def wrong_type(ctype: str | None = "text/plain", body: Body = THING) -> Act:
    """Respond with 200 and JSON that has another media type, or none."""
    return lambda exchange: exchange.send(exchange.framed(200, encode(body), content_type=ctype))


def http_date(offset: float = 0.0) -> str:
    """Return the time in `offset` seconds in the format of HTTP."""
    return email.utils.formatdate(time.time() + offset, usegmt=True)


# Connections


@step("connect")
def close_on_accept(how: How = "fin") -> Act:
    """End a new connection immediately, before the TLS handshake and before a byte is read."""
    return lambda exchange: exchange.end(how, drain=how != "rst")


@step("ready")
def close_after_handshake(how: How = "fin") -> Act:
    """End the connection after the TLS handshake, before a byte of HTTP is read."""
    return lambda exchange: exchange.end(how, drain=how != "rst")


@step("connect")
def tls_abort() -> Act:
    """Respond to the ClientHello with the fatal alert handshake_failure."""

    def act(exchange: Exchange) -> None:
        exchange.connection.receive()
        exchange.send(b"\x15\x03\x03\x00\x02\x02\x28")
        exchange.end("cut")

    return act


@step("connect")
def tls_eof(how: How = "cut") -> Act:
    """Read the ClientHello, and then end the connection."""

    def act(exchange: Exchange) -> None:
        exchange.connection.receive()
        exchange.end(how)

    return act


@step("connect")
def tls_stall() -> Act:
    """Read the ClientHello, and send nothing."""

    def act(exchange: Exchange) -> None:
        exchange.connection.receive()
        exchange.stall()
        exchange.end("cut")

    return act


@step("connect")
def tls_plaintext() -> Act:
    """Respond to the ClientHello in plain HTTP, like a port that serves another protocol."""

    def act(exchange: Exchange) -> None:
        exchange.connection.receive()
        exchange.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        exchange.end("cut")

    return act


@step("ready")
def never_read() -> Act:
    """Accept the connection, but don't read. A large body blocks the client's write, and a small one its read."""

    def act(exchange: Exchange) -> None:
        exchange.stall()
        exchange.end("rst")

    return act


@step("request")
def drop_on_reuse(how: How = "fin", body: Body = THING) -> Act:
    """Respond with 200 and keep the connection. Read the next request on it, and then drop the connection (H05)."""

    def act(exchange: Exchange) -> None:
        exchange.connection.drop_next = how
        exchange.send(exchange.framed(200, encode(body)))

    return act


@step("request")
def close_when_idle(how: How = "fin", body: Body = THING) -> Act:
    """Respond with 200 and without `Connection: close`, and then end the connection."""

    def act(exchange: Exchange) -> None:
        exchange.send(exchange.framed(200, encode(body)))
        exchange.end(how)

    return act


# Requests without a response, or with an early response


@step("request")
def close_after_request(how: How = "fin") -> Act:
    """Read the request, and then end the connection without a byte of a response."""
    return lambda exchange: exchange.end(how)


@step("request")
def stall_before_headers(body: Body = THING) -> Act:
    """Read the request, and send nothing. Respond with 200 if the test releases the server."""

    def act(exchange: Exchange) -> None:
        exchange.stall()
        exchange.send(exchange.framed(200, encode(body)))

    return act


@step("head")
def reset_during_body(after: int = 65536) -> Act:
    """Read `after` bytes of the request's body, and then reset the connection."""

    def act(exchange: Exchange) -> None:
        if exchange.request is not None:
            exchange.connection.read_body(exchange.request, at_most=after)
        exchange.end("rst")

    return act


@step("head")
def answer_early(code: int = 413, body: Body = NEUTRAL_ERROR) -> Act:
    """Respond before the request's body was read, and ignore the body."""

    def act(exchange: Exchange) -> None:
        exchange.send(exchange.framed(code, encode(body), [("Connection", "close")]))
        exchange.end("fin", drain=True)

    return act


# Incomplete and slow responses


@step("request")
def close_after_headers(code: int = 200, how: How = "fin") -> Act:
    """Send a head with the length of a body, and then end the connection without the body."""

    def act(exchange: Exchange) -> None:
        exchange.send(exchange.head(code, [("Content-Length", "46")]))
        exchange.end(how)

    return act


@step("request")
def truncate(keep: int = 20, chunked: bool = False, code: int = 200, how: How = "fin", body: Body = THING) -> Act:
    """Send `keep` bytes of the body, with its full length or without the last chunk, and end the connection."""
    payload = encode(body)

    def act(exchange: Exchange) -> None:
        framing = ("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(len(payload)))
        part = _chunk(payload[:keep]) if chunked else payload[:keep]
        exchange.send(exchange.head(code, [framing]) + part)
        exchange.end(how)

    return act


@step("request")
def until_close(keep: int | None = None, code: int = 200, how: How = "fin", body: Body = THING) -> Act:
    """Send the body, or `keep` bytes of it, without a length, so that the end of the connection ends it."""

    def act(exchange: Exchange) -> None:
        exchange.send(exchange.head(code) + encode(body)[:keep])
        exchange.end(how)

    return act


@step("request")
def wrong_length(difference: int = -5, body: Body = THING) -> Act:
    """Send the whole body with a length that is wrong by `difference`, and keep the connection."""
    payload = encode(body)
    length = [("Content-Length", str(len(payload) + difference))]
    return lambda exchange: exchange.send(exchange.head(200, length) + payload)


@step("request")
def stall_mid_body(keep: int = 20, code: int = 200, body: Body = THING) -> Act:
    """Send `keep` bytes of the body, and then nothing. Send the rest if the test releases the server."""

    def act(exchange: Exchange) -> None:
        whole = exchange.framed(code, encode(body))
        sent = len(whole) - len(encode(body)) + keep
        exchange.send(whole[:sent])
        exchange.stall()
        exchange.send(whole[sent:])

    return act


@step("request")
def drip(interval: float = 0.02, headers_too: bool = False, body: Body = THING) -> Act:
    """Send the body byte by byte, with an interval after each byte that is shorter than the read timeout (H10)."""

    def act(exchange: Exchange) -> None:
        whole = exchange.framed(200, encode(body))
        at_once = 0 if headers_too else len(whole) - len(encode(body))
        exchange.send(whole[:at_once])
        exchange.drip(whole[at_once:], interval)

    return act


# Bodies


@step("request")
def content(kind: ContentKind) -> Act:
    """Respond with 200 and JSON that is invalid or of the wrong type (H54 to H56)."""
    return lambda exchange: exchange.send(exchange.framed(200, odd_content(kind)))


@step("request")
def gzip_ok(body: Body = THING) -> Act:
    """Respond with 200 and a valid gzip body."""
    return lambda exchange: exchange.send(_gzipped(exchange, gzip.compress(encode(body), mtime=0)))


@step("request")
def gzip_corrupt(kind: GzipFault = "data", body: Body = THING) -> Act:
    """Respond with 200 and a damaged gzip body (H51)."""
    return lambda exchange: exchange.send(_gzipped(exchange, damaged_gzip(encode(body), kind)))


@step("request")
def gzip_bomb(megabytes: int = 64, layers: int = 1) -> Act:
    """Respond with 200 and a small body that decompresses to the given size of valid JSON (H52)."""
    return lambda exchange: exchange.send(_gzipped(exchange, bomb(megabytes, layers), layers))


@step("request")
def big_body(megabytes: int = 32) -> Act:
    """Respond with 200 and the given size of valid JSON, not compressed (H52)."""

    def act(exchange: Exchange) -> None:
        pieces = big_json_chunks(megabytes)
        exchange.send(exchange.head(200, [("Content-Length", str(sum(map(len, pieces))))]))
        for piece in pieces:
            exchange.send(piece)

    return act


@step("request")
def big_header(kilobytes: int = 256) -> Act:
    """Respond with 200 and a header of the given size (H58)."""
    return lambda exchange: exchange.send(exchange.framed(200, encode(THING), [("X-Big", "a" * kilobytes * 1024)]))


@step("request")
def early_hints(times: int = 1) -> Act:
    """Send informational responses before the final one (H58)."""
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n" * times
    return lambda exchange: exchange.send(hints + exchange.framed(200, encode(THING)))


@step("request")
def smuggle(kind: Literal["second_answer", "length_and_chunked", "two_lengths"] = "second_answer") -> Act:
    """Send a response with an ambiguous end, or a second response, and keep the connection (H58)."""
    evil = b'{"id": "smuggled"}'

    def act(exchange: Exchange) -> None:
        good = encode(THING)
        if kind == "second_answer":
            exchange.send(exchange.framed(200, good) + exchange.framed(200, evil))
        elif kind == "length_and_chunked":
            framing = [("Content-Length", str(len(good))), ("Transfer-Encoding", "chunked")]
            exchange.send(exchange.head(200, framing) + _chunk(evil) + b"0\r\n\r\n")
        else:
            framing = [("Content-Length", str(len(good))), ("Content-Length", str(len(good) + len(evil)))]
            exchange.send(exchange.head(200, framing) + good + evil)

    return act


@step("request")
def raw(data: bytes = b"nonsense\r\n\r\n", how: How = "fin") -> Act:
    """Send these bytes instead of a response, and then end the connection."""

    def act(exchange: Exchange) -> None:
        exchange.send(data)
        exchange.end(how)

    return act


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def _gzipped(exchange: Exchange, squeezed: bytes, layers: int = 1) -> bytes:
    return exchange.framed(200, squeezed, [("Content-Encoding", ", ".join(["gzip"] * layers))])
