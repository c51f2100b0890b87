"""Signatures: base64 of HMAC-SHA256 over the raw body, the key as text."""

from __future__ import annotations

import hashlib
import hmac
import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from typing import Final, NoReturn, TypeAlias, cast

from ..errors import ConfigurationError
from .errors import WebhookSignatureError

Body: TypeAlias = bytes | bytearray | memoryview
Signature: TypeAlias = str | bytes | None
Key: TypeAlias = str | Iterable[str]

_FORM: Final = re.compile(rb"[A-Za-z0-9+/]{43}=")


def sign(body: Body, key: str) -> str:
    """Sign a message as the service does, for tests of a handler.

    Args:
        body: The raw bytes of the message.
        key: The shared key.

    Returns:
        The value of the header `X-Webhook-Signature`.

    Raises:
        ConfigurationError: The key is empty or no text.
        TypeError: `body` is not bytes.
    """
    signed = _signed(body, key)
    del body, key
    try:
        return signed if isinstance(signed, str) else fail(signed)
    finally:
        del signed


def verify(body: Body, signature: Signature, key: Key) -> None:
    """Check that a message was signed with the shared key. The comparison takes constant time.

    Args:
        body: The raw bytes of the request, before any framework decoded them.
        signature: The header `X-Webhook-Signature`, or `None` where the request has none.
        key: The shared key, or several while keys are rotated.

    Raises:
        WebhookSignatureError: The signature is missing, malformed or wrong.
        ConfigurationError: There is no key, or one is empty or no text. Nothing is verified without a key.
        TypeError: `body` is not bytes.
    """
    refused = refusal(body, signature, key)
    del body, signature, key
    try:
        if refused is not None:
            fail(refused)
    finally:
        del refused


def refusal(body: Body, signature: Signature, key: Key) -> Exception | None:
    """Return why a message must not be used, as a value: no traceback of it holds the key or the message."""
    raw, keys = raw_bytes(body), key_bytes(key)
    if isinstance(keys, Exception):
        return keys
    if isinstance(raw, Exception):
        return raw
    given: object = signature.encode("ascii", "replace") if isinstance(signature, str) else signature
    if given is not None and not isinstance(given, bytes):
        return TypeError(f"the signature must be the text of the header, not {type(signature).__name__}")
    if not given:
        return WebhookSignatureError("the signature is missing: the request has no X-Webhook-Signature header")
    if not _FORM.fullmatch(given):
        return WebhookSignatureError("the signature is malformed: it is not the base64 of 32 bytes")
    matches = [hmac.compare_digest(given, _signature(raw, each)) for each in keys]  # all of them, whichever fits
    if any(matches):
        return None
    hint = "; a key begins or ends with white space" if any(each != each.strip() for each in keys) else ""
    return WebhookSignatureError(f"the signature is wrong: no key that was given makes it of this body{hint}")


def _signed(body: Body, key: str) -> str | Exception:
    raw, keys = raw_bytes(body), key_bytes((key,))
    if isinstance(keys, Exception):
        return keys
    return raw if isinstance(raw, Exception) else _signature(raw, keys[0]).decode()


def _signature(body: bytes, key: bytes) -> bytes:
    return b64encode(hmac.digest(key, body, hashlib.sha256))


def raw_bytes(body: object) -> bytes | TypeError:
    """Return the bytes of a message, which can no longer change."""
    if not isinstance(body, bytes | bytearray | memoryview):
        given = _kind(body)
        return TypeError(f"the body must be the raw bytes of the request, which were signed, not {given}")
    return bytes(cast("Body", body))


def key_bytes(key: Key) -> tuple[bytes, ...] | ConfigurationError:
    """Return the keys, each of which could sign."""
    given = _given(key)
    if given is None:
        return ConfigurationError(f"the key of push notifications must be text, or several texts, not {_kind(key)}")
    if not given:
        return ConfigurationError("there is no key of push notifications: without one nothing can be verified")
    keys: list[bytes] = []
    for each in given:
        if not isinstance(each, str):
            return ConfigurationError(f"the key of push notifications must be text, not {_kind(each)}")
        if not each.strip():
            return ConfigurationError("a key of push notifications is empty")
        if any("\ud800" <= character <= "\udfff" for character in each):
            return ConfigurationError("a key of push notifications is no Unicode text")
        keys.append(each.encode())
    return tuple(keys)


def _given(key: object) -> tuple[object, ...] | None:
    if isinstance(key, str):
        return (key,)
    # Bytes are iterable, and so is a mapping: its names are no secrets.
    several = isinstance(key, Iterable) and not isinstance(key, bytes | bytearray | memoryview | Mapping)
    return tuple(cast("Iterable[object]", key)) if several else None


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__


def fail(error: Exception) -> NoReturn:
    """Raise an error; its traceback keeps this frame, which must not keep the error."""
    try:
        raise error
    finally:
        del error
