"""One request on its way through a handler: its parameters, query, body, the store and the time."""

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
# The windows that zlib reads each coding with.
_RAW = -zlib.MAX_WBITS
_GZIP = zlib.MAX_WBITS + 16
_CODINGS = {"gzip": _GZIP, "x-gzip": _GZIP, "deflate": zlib.MAX_WBITS}
MAX_BODY = 10 * 1024 * 1024
"""The most bytes of a request's body."""
PAGING = ("limit", "starting_after", "ending_before")


@dataclass(frozen=True)
class Call:
    """A request with what its handler needs; `show` shows a document of group A as it is now."""

    request: SandboxRequest
    params: Mapping[str, str]
    store: Store
    now: datetime
    settings: Settings
    reader: Reader
    show: Callable[[Document], Document]

    @cached_property
    def query(self) -> dict[str, str]:
        """Return the query; of a repeated parameter the last."""
        return dict(self.request.query)

    def accept_query(self, *names: str) -> None:
        """Refuse query parameters that the operation does not have.

        The platform's own treatment is not specified; ignoring a misspelled filter would return an unfiltered list.
        """
        unknown = sorted(set(self.query) - set(names))
        if unknown and not self.settings.unknown_parameters:
            raise billing_refusal(400, f"Unknown query parameter: {', '.join(unknown)[:IDENTIFIER_LIMIT]}.")

    def key(self, name: str) -> str | None:
        """Return a query parameter that is an id or vid."""
        value = self.query.get(name)
        if value is not None and not 1 <= len(value) <= IDENTIFIER_LIMIT:
            raise billing_refusal(400, f"{name} must have 1 to {IDENTIFIER_LIMIT} characters.")
        return value

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Return a query parameter that is a boolean (1/0, true/false, Yes/No)."""
        read = self._read(name, read_boolean, "a boolean")
        return default if read is None else read

    def timestamp(self, name: str) -> datetime | None:
        """Return a query parameter that is a timestamp or date."""
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
        """Refuse B3 headers of another form than that specified for groups B and D."""
        for name, form in _TRACE.items():
            value = self.request.headers.get(name)
            if value is not None and not form.fullmatch(value):
                raise invalid(name, "must be lower-case hexadecimal of the specified length")

    def body(self, shape: str) -> Document:
        """Read the body as a resource of group A."""
        return self.reader.read(shape, self.json())

    def fields(self) -> Document:
        """Read the body as an object of groups B and D."""
        body = self.json()
        if not isinstance(body, dict):
            raise invalid("body", "must be an object")
        return body

    def json(self) -> Value:
        """Parse the body, inflated if its `Content-Encoding` asks for it, or refuse it in the group's shape."""
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
        """Return the bytes of the body.

        Raises:
            Refused: The coding is unknown, or the bytes are too many.
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
            found = inflated(self.request.body, _RAW)  # what some clients send by this name
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
    """Return compressed bytes as they were, or `None` if they are more than `MAX_BODY`.

    Raises:
        zlib.error: They are damaged, or not complete.
    """
    found = b""
    while packed:  # gzip may have several members
        member = zlib.decompressobj(window)
        found += member.decompress(packed, MAX_BODY - len(found) + 1)
        if len(found) > MAX_BODY:
            return None
        if not member.eof:
            raise zlib.error("not complete")
        packed = member.unused_data
    return found
