"""Webhooks as the service writes them, with keys of the published length."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

KEY = "0123456789abcdef0123456789abcdef01234567"
OTHER_KEY = "fedcba9876543210fedcba9876543210fedcba98"
SECRET = "jane.doe@example.com"


def signed(body: bytes, key: str = KEY) -> str:
    """Sign a body like the published sample, without the code of the SDK."""
    return base64.b64encode(hmac.new(key.encode(), body, hashlib.sha256).digest()).decode()


def message(class_name: object = "accounts", event_name: object = "data change", **more: object) -> dict[str, object]:
    header = {
        "class_name": class_name,
        "event_name": event_name,
        "message_id": "m1",
        "event_timestamp": "2026-03-02 09:00:00",
        "merchant_vid": "v1",
        "soap_version": "27.0",
    }
    content: object = {"account": {"merchantAccountId": "a1", "emailAddress": SECRET}}
    return {"header": header | more.pop("header", {}), "content": more.get("content", content)}  # type: ignore[operator]  # `header` is a dict


def json_body(webhook: object = None) -> bytes:
    return json.dumps(message() if webhook is None else webhook).encode()
