"""Writes common requests and parses common responses faster than h11. This module does no I/O.

If a response is parsed incorrectly, the SDK can report an incorrect outcome of a charge. Therefore, the functions of
this module return `None` for every request or response that they can't handle exactly like h11. If a function returns
`None`, the library h11 handles the request or response.
"""

import re
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from types import SimpleNamespace

from ...._sealed import Content, Sealed
from ..transport import RawHeaders, RawRequest

try:
    import httptools
except ImportError:  # Emscripten has no httptools, so h11 parses all responses there
    httptools = None  # type: ignore[assignment]  # None means that the module is missing

_METHODS = frozenset({"GET", "POST", "PUT", "DELETE"})
_TARGET = re.compile(r"[\x21-\x7e]+")
_NAME = re.compile(rb"[-!#$%&'*+.^_`|~0-9a-zA-Z]+")
_VALUE = re.compile(rb"(?:[^\x00\s]+(?:[ \t]+[^\x00\s]+)*)?")
_LEFT_TO_H11 = frozenset({b"connection", b"expect", b"transfer-encoding", b"upgrade"})
"""Request headers that change the state of h11. If a request has one of these headers, h11 must write the request."""

_STATUS_LINE = re.compile(rb"HTTP/1\.1 [2-9][0-9][0-9](?: [\t -~]*)?\r\n")
_EMPTY_LINE, _END_OF_CHUNKS = b"\r\n\r\n", b"\r\n0\r\n\r\n"
_NO_BODY = (204, 304)
_MOST_DIGITS = 15
_IN_CHUNKS = -1


class _Fields(Sealed[dict[bytes, bytes]]):
    """The headers of a response by name."""

    __slots__ = ()


class _Pieces(Sealed[list[bytes]]):
    """The contents of the chunks of a body."""

    __slots__ = ()


@dataclass(slots=True, eq=False, repr=False)
class PlainResponse:
    """A response with a body of known length.

    Attributes:
        head: The status and the headers.
        length: The number of bytes of the body that `HTTP11.piece` hasn't returned yet.
        unread: The bytes that arrived after the head. Bytes beyond `length` are unrequested.
    """

    head: tuple[int, RawHeaders]
    length: int
    unread: Content


def written(request: RawRequest) -> Content | None:
    """Return the bytes of a request, or `None` if h11 must write or reject the request."""
    names = [*map(bytes.lower, map(itemgetter(0), request.headers.reveal()))]
    is_plain = (
        request.method in _METHODS
        and names[:1] == [b"host"]
        and len(set(names)) == len(names)
        and _LEFT_TO_H11.isdisjoint(names)
        and _TARGET.fullmatch(request.target)
        and all(map(_NAME.fullmatch, names))
        and all(map(_VALUE.fullmatch, map(itemgetter(1), request.headers.reveal())))
        and _is_framed(request, names)
    )
    return Content.of(partial(_joined, request)) if is_plain else None


def _is_framed(request: RawRequest, names: list[bytes]) -> bool:
    if b"content-length" not in names:
        return not request.body
    return request.headers.reveal()[names.index(b"content-length")][1] == b"%d" % len(request.body)


def _joined(request: RawRequest) -> bytes:
    first = f"{request.method} {request.target} HTTP/1.1".encode()
    return b"\r\n".join((first, *map(b": ".join, request.headers.reveal()), b"", request.body.reveal()))


def response_in(data: Content) -> PlainResponse | None:
    """Parse a response from its first bytes, or return `None` if h11 must parse or reject the response."""
    end = data.reveal().find(_EMPTY_LINE) + len(_EMPTY_LINE)
    if httptools is None or end < len(_EMPTY_LINE) or not _STATUS_LINE.match(data.reveal()):
        return None
    fields, pieces, events = _Fields({}), _Pieces([]), list[str]()
    # If a signal handler raises an exception during a callback, httptools replaces the exception with its own. All
    # callbacks are methods of built-in objects, because Python runs no signal handler inside such methods (H481).
    parser = httptools.HttpResponseParser(
        SimpleNamespace(
            on_message_begin=partial(events.append, "begin"),
            on_header=fields.reveal().__setitem__,
            on_body=pieces.reveal().append,
            on_message_complete=partial(events.append, "complete"),
        )
    )
    try:
        parser.feed_data(data.reveal()[:end])
        head = (parser.get_status_code(), _headers(fields))
        length = _length(head[0], fields, lines=data.reveal().count(b"\n", 0, end))
        if length != _IN_CHUNKS:
            return None if length is None else PlainResponse(head, length, data.part(end))
        parser.feed_data(data.reveal()[end:])
    except (httptools.HttpParserError, httptools.HttpParserUpgrade):
        return None
    # httptools skips empty lines after a message, so check that the data ends with the last chunk.
    if events != ["begin", "complete"] or not data.reveal().endswith(_END_OF_CHUNKS):
        return None
    body = Content.of(partial(b"".join, pieces.reveal()))
    return PlainResponse(head, len(body), body)


def _headers(fields: _Fields) -> RawHeaders:
    return [*zip(fields.reveal(), map(bytes.strip, fields.reveal().values()), strict=True)]


def _length(status: int, fields: _Fields, lines: int) -> int | None:
    """Return the length of the body or `_IN_CHUNKS`, or return `None` if h11 must parse the response."""
    by_name = _Fields(dict(zip(map(bytes.lower, fields.reveal()), fields.reveal().values(), strict=True)))
    # The head consists of the status line, one line for each header, and an empty line. If there are fewer header names
    # than header lines, a header name occurs twice.
    if status in _NO_BODY or len(by_name.reveal()) != lines - 2:
        return None
    length, coding, connection = map(by_name.reveal().get, (b"content-length", b"transfer-encoding", b"connection"))
    if connection is not None and connection.lower() != b"keep-alive":
        return None
    if length is None:
        return _IN_CHUNKS if coding is not None and coding.lower() == b"chunked" else None
    return int(length) if coding is None and length.isdigit() and len(length) <= _MOST_DIGITS else None
