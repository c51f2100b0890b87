"""Encodes and signs the sandbox's webhooks.

This module doesn't use `subscribekit.webhooks`, because the simulated service must not import code of the clients.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Literal, TypeAlias
from urllib.parse import urlencode

from ..._json import encode
from ..billing.rules.changes import Change
from ..values import Document, Value

Format: TypeAlias = Literal["json", "urlencoded"]
CONTENT_TYPES: dict[Format, str] = {"json": "application/json", "urlencoded": "application/x-www-form-urlencoded"}
_SOAP_VERSION = "27.0"


def message(change: Change, message_id: str, at: datetime, merchant: str) -> Document:
    """Return a webhook as a document with the objects `header` and `content`."""
    header: Document = {
        "class_name": change.class_name,
        "event_name": change.event_name,
        "message_id": message_id,
        "event_timestamp": _formatted(at),
        "merchant_vid": merchant,
        "soap_version": _SOAP_VERSION,
    }
    content: Document = {
        name: _formatted(value) if isinstance(value, datetime) else value for name, value in change.content.items()
    }
    return {"header": header, "content": content}


def encoded(webhook: Document, form: Format) -> bytes:
    """Return a webhook as the body of a request, in the given format."""
    return encode(webhook) if form == "json" else urlencode(list(_fields("", webhook))).encode()


def signature(body: bytes, key: str) -> str:
    """Return the signature of a body, which is the value of the header `X-Webhook-Signature`."""
    return b64encode(hmac.digest(key.encode(), body, hashlib.sha256)).decode()


def _formatted(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def _fields(prefix: str, value: Value) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, each in value.items():
            yield from _fields(f"{prefix}[{name}]" if prefix else name, each)
    elif isinstance(value, list):
        for each in value:
            yield from _fields(f"{prefix}[]", each)
    else:
        yield prefix, str(value)
