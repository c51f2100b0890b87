"""The faults that the server can be scripted with, by the names of the catalogue of hazards.

Each function returns a `Step`. A step takes one request, unless its stage says that it takes a new connection.
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

# Answers that are no fault


@step("request")
def ok(body: Body = THING, headers: Headers = ()) -> Act:
    """Answer 200."""
    return lambda exchange: exchange.send(exchange.framed(200, encode(body), headers))


@step("request")
def no_content() -> Act:
    """Answer 204 without a body."""
    return lambda exchange: exchange.send(exchange.head(204, content_type=None))


@step("request")
def page(
    items: list[dict[str, object]], next_: str | None = None, previous: str | None = None, total: object = None
) -> Act:
    """Answer with a page of group A; `next_` may hold `{self}`, `{sink}`, `{self_host}`, `{sink_host}`."""

    def act(exchange: Exchange) -> None:
        fill = exchange.places.fill
        body = envelope(items, next_ and fill(next_), previous and fill(previous), total)
        exchange.send(exchange.framed(200, encode(body)))

    return act


@step("request")
def offset_page(items: list[object], total: str | int | None = None) -> Act:
    """Answer with a page of group C and its `X-Total-Count`."""
    headers = [] if total is None else [("X-Total-Count", str(total))]
    return lambda exchange: exchange.send(exchange.framed(200, encode(items), headers))


# Statuses


@step("request")
def status(code: int, body: Body = NEUTRAL_ERROR, headers: Headers = ()) -> Act:
    """Answer with a status."""
    return lambda exchange: exchange.send(exchange.framed(code, encode(body), headers))


@step("request")
def rate_limited(*retry_after: str, date: str | None = None, code: int = 429, body: Body = NEUTRAL_ERROR) -> Act:
    """Answer 429 with these Retry-After headers; `date` is the server's clock (see `http_date`)."""
    headers = [("Retry-After", value) for value in retry_after] + ([] if date is None else [("Date", date)])
    return lambda exchange: exchange.send(exchange.framed(code, encode(body), headers))


@step("request")
def redirect(location: str, code: int = 307) -> Act:
    """Answer with a redirect; `location` may hold `{self}`, `{sink}`, `{self_host}`, `{sink_host}`."""
    return lambda exchange: exchange.send(exchange.framed(code, b"", [("Location", location)]))


@step("request")
def html(code: int = 502, ctype: str = "text/html") -> Act:
    """Answer with the error page of a proxy."""
    body = b"<html><head><title>Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>"
    return lambda exchange: exchange.send(exchange.framed(code, body, content_type=ctype))


@step("request")
def wrong_type(ctype: str | None = "text/plain", body: Body = THING) -> Act:
    """Answer 200 with JSON under another media type, or under none."""
    return lambda exchange: exchange.send(exchange.framed(200, encode(body), content_type=ctype))


def http_date(offset: float = 0.0) -> str:
    """Write the moment so many seconds from now as HTTP does."""
    return email.utils.formatdate(time.time() + offset, usegmt=True)


# Connections


@step("connect")
def close_on_accept(how: How = "fin") -> Act:
    """End the connection as soon as it is there, before TLS and before a byte is read."""
    return lambda exchange: exchange.end(how, drain=how != "rst")


@step("ready")
def close_after_handshake(how: How = "fin") -> Act:
    """End the connection after the TLS handshake, before a byte of HTTP is read."""
    return lambda exchange: exchange.end(how, drain=how != "rst")


@step("connect")
def tls_abort() -> Act:
    """Answer the ClientHello with the fatal alert handshake_failure."""

    def act(exchange: Exchange) -> None:
        exchange.connection.receive()
        exchange.send(b"\x15\x03\x03\x00\x02\x02\x28")
        exchange.end("cut")

    return act


@step("connect")
def tls_eof(how: How = "cut") -> Act:
    """Read the ClientHello, then end the connection."""

    def act(exchange: Exchange) -> None:
        exchange.connection.receive()
        exchange.end(how)

    return act


@step("connect")
def tls_stall() -> Act:
    """Read the ClientHello and say nothing."""

    def act(exchange: Exchange) -> None:
        exchange.connection.receive()
        exchange.stall()
        exchange.end("cut")

    return act


@step("connect")
def tls_plaintext() -> Act:
    """Answer the ClientHello in plain HTTP: another protocol lives at this port."""

    def act(exchange: Exchange) -> None:
        exchange.connection.receive()
        exchange.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        exchange.end("cut")

    return act


@step("ready")
def never_read() -> Act:
    """Accept, and leave the request unread: a large body blocks the client's write, a small one its read."""

    def act(exchange: Exchange) -> None:
        exchange.stall()
        exchange.end("rst")

    return act


@step("request")
def drop_on_reuse(how: How = "fin", body: Body = THING) -> Act:
    """Answer 200 and keep the connection, then drop the next request on it after reading it (H05)."""

    def act(exchange: Exchange) -> None:
        exchange.connection.drop_next = how
        exchange.send(exchange.framed(200, encode(body)))

    return act


@step("request")
def close_when_idle(how: How = "fin", body: Body = THING) -> Act:
    """Answer 200 as if the connection stayed, then end it."""

    def act(exchange: Exchange) -> None:
        exchange.send(exchange.framed(200, encode(body)))
        exchange.end(how)

    return act


# Requests that get no response, or one too early


@step("request")
def close_after_request(how: How = "fin") -> Act:
    """Read the request, then end the connection without a byte of a response."""
    return lambda exchange: exchange.end(how)


@step("request")
def stall_before_headers(body: Body = THING) -> Act:
    """Read the request and say nothing; answer 200 if the test releases the server."""

    def act(exchange: Exchange) -> None:
        exchange.stall()
        exchange.send(exchange.framed(200, encode(body)))

    return act


@step("head")
def reset_during_body(after: int = 65536) -> Act:
    """Read so many bytes of the request's body, then reset the connection."""

    def act(exchange: Exchange) -> None:
        if exchange.request is not None:
            exchange.connection.read_body(exchange.request, at_most=after)
        exchange.end("rst")

    return act


@step("head")
def answer_early(code: int = 413, body: Body = NEUTRAL_ERROR) -> Act:
    """Answer before the request's body was read, and read no more of it."""

    def act(exchange: Exchange) -> None:
        exchange.send(exchange.framed(code, encode(body), [("Connection", "close")]))
        exchange.end("fin", drain=True)

    return act


# Answers that break off or crawl


@step("request")
def close_after_headers(code: int = 200, how: How = "fin") -> Act:
    """Send a head that promises a body, then end the connection."""

    def act(exchange: Exchange) -> None:
        exchange.send(exchange.head(code, [("Content-Length", "46")]))
        exchange.end(how)

    return act


@step("request")
def truncate(keep: int = 20, chunked: bool = False, code: int = 200, how: How = "fin", body: Body = THING) -> Act:
    """Send so many bytes of the body, under its true length or in chunks without the last one, then end."""
    payload = encode(body)

    def act(exchange: Exchange) -> None:
        framing = ("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(len(payload)))
        part = _chunk(payload[:keep]) if chunked else payload[:keep]
        exchange.send(exchange.head(code, [framing]) + part)
        exchange.end(how)

    return act


@step("request")
def until_close(keep: int | None = None, code: int = 200, how: How = "fin", body: Body = THING) -> Act:
    """Send the body, or so many bytes of it, without a length: it ends where the connection ends."""

    def act(exchange: Exchange) -> None:
        exchange.send(exchange.head(code) + encode(body)[:keep])
        exchange.end(how)

    return act


@step("request")
def wrong_length(difference: int = -5, body: Body = THING) -> Act:
    """Send a whole body under a length that is off by `difference`, and keep the connection."""
    payload = encode(body)
    length = [("Content-Length", str(len(payload) + difference))]
    return lambda exchange: exchange.send(exchange.head(200, length) + payload)


@step("request")
def stall_mid_body(keep: int = 20, code: int = 200, body: Body = THING) -> Act:
    """Send so many bytes of the body, then nothing; send the rest if the test releases the server."""

    def act(exchange: Exchange) -> None:
        whole = exchange.framed(code, encode(body))
        sent = len(whole) - len(encode(body)) + keep
        exchange.send(whole[:sent])
        exchange.stall()
        exchange.send(whole[sent:])

    return act


@step("request")
def drip(interval: float = 0.02, headers_too: bool = False, body: Body = THING) -> Act:
    """Send the body byte by byte with a pause after each, each shorter than any read timeout (H10)."""

    def act(exchange: Exchange) -> None:
        whole = exchange.framed(200, encode(body))
        at_once = 0 if headers_too else len(whole) - len(encode(body))
        exchange.send(whole[:at_once])
        exchange.drip(whole[at_once:], interval)

    return act


# Contents


@step("request")
def content(kind: ContentKind) -> Act:
    """Answer 200 with JSON that is outside the standard or of the wrong kind (H54 to H56)."""
    return lambda exchange: exchange.send(exchange.framed(200, odd_content(kind)))


@step("request")
def gzip_ok(body: Body = THING) -> Act:
    """Answer 200 with a sound gzip body."""
    return lambda exchange: exchange.send(_gzipped(exchange, gzip.compress(encode(body), mtime=0)))


@step("request")
def gzip_corrupt(kind: GzipFault = "data", body: Body = THING) -> Act:
    """Answer 200 with a damaged gzip body (H51)."""
    return lambda exchange: exchange.send(_gzipped(exchange, damaged_gzip(encode(body), kind)))


@step("request")
def gzip_bomb(megabytes: int = 64, layers: int = 1) -> Act:
    """Answer 200 with a small body that decompresses to so many megabytes of valid JSON (H52)."""
    return lambda exchange: exchange.send(_gzipped(exchange, bomb(megabytes, layers), layers))


@step("request")
def big_body(megabytes: int = 32) -> Act:
    """Answer 200 with so many megabytes of valid JSON, not compressed (H52)."""

    def act(exchange: Exchange) -> None:
        pieces = big_json_chunks(megabytes)
        exchange.send(exchange.head(200, [("Content-Length", str(sum(map(len, pieces))))]))
        for piece in pieces:
            exchange.send(piece)

    return act


@step("request")
def big_header(kilobytes: int = 256) -> Act:
    """Answer 200 with a header of so many kilobytes (H58)."""
    return lambda exchange: exchange.send(exchange.framed(200, encode(THING), [("X-Big", "a" * kilobytes * 1024)]))


@step("request")
def early_hints(times: int = 1) -> Act:
    """Send informational answers before the real one (H58)."""
    hints = b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n" * times
    return lambda exchange: exchange.send(hints + exchange.framed(200, encode(THING)))


@step("request")
def smuggle(kind: Literal["second_answer", "length_and_chunked", "two_lengths"] = "second_answer") -> Act:
    """Send what two readers would frame in two ways, or a response nobody asked for, and keep the connection (H58)."""
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
    """Send these bytes in place of a response, then end the connection."""

    def act(exchange: Exchange) -> None:
        exchange.send(data)
        exchange.end(how)

    return act


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


def _gzipped(exchange: Exchange, squeezed: bytes, layers: int = 1) -> bytes:
    return exchange.framed(200, squeezed, [("Content-Encoding", ", ".join(["gzip"] * layers))])
