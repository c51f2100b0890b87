"""The bodies that the fault server sends: unusual JSON, damaged gzip, compression bombs, and pages."""

from __future__ import annotations

import functools
import gzip
import json
import zlib
from typing import Literal, get_args

Body = bytes | str | int | float | bool | list[object] | dict[str, object] | None
"""A body. Bytes are sent unchanged, and every other value as JSON."""

THING: dict[str, object] = {"id": "a1", "vid": "s1", "transactionReferenceId": "ref-1"}
"""A valid response to any operation that returns one object."""

NEUTRAL_ERROR: dict[str, object] = {"message": "injected fault"}
"""An error body that has the format of no API, so that only the status matters."""

BILLING_ERROR: dict[str, object] = {"object": "Error", "message": "injected fault"}
GATEWAY_ERROR: dict[str, object] = {"code": "server-error", "message": "injected fault"}

ContentKind = Literal[
    "nan",
    "inf",
    "negative_inf",
    "dup_keys",
    "half",
    "trailing",
    "empty",
    "null",
    "array",
    "string",
    "number",
    "long_decimal",
    "deep",
    "utf16",
    "bad_utf8",
    "bom",
    "lone_surrogate",
    "huge_int",
    "1e400",
]

GzipFault = Literal["data", "crc", "length", "cut", "half", "not", "two", "tail"]

CONTENT_KINDS: tuple[ContentKind, ...] = get_args(ContentKind)
GZIP_FAULTS: tuple[GzipFault, ...] = get_args(GzipFault)

_MEGABYTE = 1 << 20


def encode(body: Body) -> bytes:
    """Return a body as bytes."""
    return body if isinstance(body, bytes) else json.dumps(body).encode()


def odd_content(kind: ContentKind) -> bytes:
    """Return JSON that is invalid, of the wrong type, or near the limits of parsers."""
    match kind:
        case "nan":
            return b'{"id": "a1", "amount": NaN}'
        case "inf":
            return b'{"id": "a1", "amount": Infinity}'
        case "negative_inf":
            return b'{"id": "a1", "amount": -Infinity}'
        case "1e400":
            return b'{"id": "a1", "amount": 1e400}'
        case "huge_int":
            return b'{"id": "a1", "amount": ' + b"9" * 5000 + b"}"
        case "long_decimal":
            return b'{"id": "a1", "vid": "s1", "amount": 19.99000000000000000000000001}'
        case "dup_keys":
            return b'{"id": "a1", "amount": 1, "amount": 1000}'
        case "half":
            whole = encode(THING)
            return whole[: len(whole) // 2]
        case "trailing":
            return encode(THING) + b'{"id": "a2"}'
        case "empty":
            return b""
        case "null":
            return b"null"
        case "array":
            return b"[" + encode(THING) + b"]"
        case "string":
            return b'"a1"'
        case "number":
            return b"1"
        case "deep":
            return b'{"id": "a1", "deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        case "utf16":
            return encode(THING).decode().encode("utf-16")
        case "bom":
            return b"\xef\xbb\xbf" + encode(THING)
        case "bad_utf8":
            return b'{"id": "a1", "name": "\xff\xfe\xc3"}'
        case "lone_surrogate":
            return b'{"id": "a1", "name": "\\ud800"}'


def damaged_gzip(body: bytes, fault: GzipFault) -> bytes:
    """Compress a body and damage the result."""
    whole = gzip.compress(body, mtime=0)
    match fault:
        case "data":
            middle = len(whole) // 2
            return whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :]
        case "crc":
            return whole[:-8] + bytes(byte ^ 0xFF for byte in whole[-8:-4]) + whole[-4:]
        case "length":
            return whole[:-4] + bytes(byte ^ 0xFF for byte in whole[-4:])
        case "cut":
            return whole[:-8]
        case "half":
            return whole[: len(whole) // 2]
        case "not":
            return body
        case "two":
            return whole + gzip.compress(b'{"id": "a2"}', mtime=0)
        case "tail":
            return whole + b"trailing bytes"


@functools.cache
def bomb(megabytes: int, layers: int) -> bytes:
    """Return valid JSON of the given size, compressed once for each layer."""
    squeezed = _squeeze([b'{"id": "', *([b"a" * _MEGABYTE] * megabytes), b'"}'])
    for _ in range(layers - 1):
        squeezed = _squeeze([squeezed])
    return squeezed


def big_json_chunks(megabytes: int) -> list[bytes]:
    """Return the pieces of a valid JSON object. The pieces share one bytes object of a megabyte to save memory."""
    return [b'{"id": "', *([b"a" * _MEGABYTE] * megabytes), b'"}']


def envelope(
    items: list[dict[str, object]], next_: str | None, previous: str | None, total: object
) -> dict[str, object]:
    """Return a page of the billing API, without the fields that are `None`."""
    page: dict[str, object] = {"object": "List", "data": items, "url": "/list"}
    optional = {"total_count": total, "next": next_, "previous": previous}
    return page | {name: value for name, value in optional.items() if value is not None}


def _squeeze(pieces: list[bytes]) -> bytes:
    # Compress the pieces one by one, because the memory of the fault server must not hide the client's in tests that
    # measure memory (H52).
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    return b"".join([*(packer.compress(piece) for piece in pieces), packer.flush()])
