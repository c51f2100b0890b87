"""The class `Call`: a request with its parsed parameters and body, the store, and the time."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TypeVar, cast

from ..._interrupts import is_of_signal
from ..._json import DamagedJSONError, check_numbers, decode, encode
from ..settings import Settings
from ..store import Store
from ..values import Document, Value, read_boolean, read_timestamp
from .responses import INVALID_JSON, Refused, billing_refusal, coded_refusal, input_refusal, invalid, plain_refusal
from .schema import IDENTIFIER_LIMIT, Reader
from .wire import SandboxRequest

T = TypeVar("T")
_TRACE = {
    "x-b3-traceid": re.compile(r"[0-9a-f]{32}|[0-9a-f]{16}"),
    "x-b3-spanid": re.compile(r"[0-9a-f]{16}"),
    "x-b3-parentspanid": re.compile(r"[0-9a-f]{16}"),
}
# These numbers of window bits select the format of the compressed data for zlib.
_RAW = -zlib.MAX_WBITS
_GZIP = zlib.MAX_WBITS + 16
_CODINGS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": zlib.MAX_WBITS}
MAX_BODY = 10 * 1024 * 1024
"""The maximum size of a request body in bytes, before and after decompression."""
PAGING = ("limit", "starting_after", "ending_before")


@dataclass(frozen=True)
class Call:
    """A request, and the other objects that its handler needs, such as the store and the settings.

    `show` converts a stored document to a response of the billing API.
    """

    request: SandboxRequest
    params: Mapping[str, str]
    store: Store
    now: datetime
    settings: Settings
    reader: Reader
    show: Callable[[Document], Document]

    @cached_property
    def query(self) -> dict[str, str]:
        """The query parameters of the request. If a parameter is repeated, the last value applies."""
        return dict(self.request.query)

    def accept_query(self, *names: str) -> None:
        """Reject query parameters that the operation doesn't accept.

        The specification doesn't define what the service does with unknown parameters. The sandbox rejects a misspelled
        filter, because ignoring the filter would return the whole list.
        """
        unknown = sorted(set(self.query) - set(names))
        if unknown and not self.settings.unknown_parameters:
            raise billing_refusal(400, f"Unknown query parameter: {', '.join(unknown)[:IDENTIFIER_LIMIT]}.")

    def key(self, name: str) -> str | None:
        """Return a query parameter that contains an ID or vid. If the parameter is missing, return `None`."""
        value = self.query.get(name)
        if value is not None and not 1 <= len(value) <= IDENTIFIER_LIMIT:
            raise billing_refusal(400, f"{name} must have 1 to {IDENTIFIER_LIMIT} characters.")
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a Boolean query parameter, whose value is 1 or 0, true or false, or yes or no."""
        read = self._read(name, read_boolean, "a boolean")
        return default if read is None else read

    def timestamp(self, name: str) -> datetime | None:
        """Return a query parameter that contains a timestamp or a date. If the parameter is missing, return `None`."""
        return self._read(name, read_timestamp, "a timestamp")

    def _read(self, name: str, read: Callable[[Value], T | None], kind: str) -> T | None:
        value = self.query.get(name)
        if value is None:
            return None
        found = read(value)
        if found is None:
            raise billing_refusal(400, f"{name} must be {kind}.")
        return found

    def check_trace(self) -> None:
        """Reject B3 headers in a format that the specification of the gateway and the storefront doesn't allow."""
        for name, form in _TRACE.items():
            value = self.request.headers.get(name)
            if value is not None and not form.fullmatch(value):
                raise invalid(name, "must be lowercase hexadecimal digits of the specified length")

    def body(self, shape: str) -> Document:
        """Parse the body of the request as a resource of the billing API."""
        return self.reader.read(shape, self.json())

    def fields(self) -> Document:
        """Parse the body of the request as an object of the gateway or the storefront."""
        body = self.json()
        if not isinstance(body, dict):
            raise invalid("body", "must be an object")
        return body

    def json(self) -> Value:
        """Parse the body of the request, which can be compressed.

        If the body is invalid, raise an error in the shape of the API.
        """
        try:
            parsed = decode(self._inflated())
            check_numbers(parsed)
            encode(parsed)
        except (DamagedJSONError, ValueError, zlib.error) as error:
            if is_of_signal(error):
                raise
            raise self._damaged() from None
        return cast("Value", parsed)

    def _inflated(self) -> bytes:
        """Return the decompressed body of the request.

        Raises:
            Refused: The `Content-Encoding` is unknown, or the body is too large.
            zlib.error: The body is damaged.
        """
        coding = self.request.headers.get("content-encoding", "").strip().lower()
        if not self.request.body or coding in {"", "identity"}:
            return self.request.body
        if coding not in _CODINGS:
            raise plain_refusal(self.request.group, 415, "invalid-request", "Content-Encoding must be gzip or deflate")
        try:
            found = inflated(self.request.body, _CODINGS[coding])
        except zlib.error:
            if coding != "deflate":
                raise
            found = inflated(self.request.body, _RAW)  # some clients send raw deflate data as `deflate`
        if found is None:
            raise plain_refusal(self.request.group, 413, "invalid-request", f"the body is larger than {MAX_BODY} bytes")
        return found

    def _damaged(self) -> Refused:
        if self.request.group == "billing":
            return billing_refusal(400, INVALID_JSON)
        if self.request.group == "user_mgmt":
            return input_refusal("invalid-input-error", INVALID_JSON)
        return coded_refusal("invalid-request", INVALID_JSON)


def inflated(packed: bytes, window: int) -> bytes | None:
    """Decompress bytes, or return `None` if the result would be larger than `MAX_BODY`.

    Raises:
        zlib.error: The bytes are damaged or incomplete.
    """
    found = b""
    while packed:  # a gzip body can contain several compressed members
        member = zlib.decompressobj(window)
        found += member.decompress(packed, MAX_BODY - len(found) + 1)
        if len(found) > MAX_BODY:
            return None
        if not member.eof:
            raise zlib.error("not complete")
        packed = member.unused_data
    return found
