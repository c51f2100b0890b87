"""Creates and verifies the signatures of webhooks.

A signature is the base64 of HMAC-SHA256 over the raw body. The HMAC key is the text of the shared key, in UTF-8.
"""

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
    """Return the signature that the service would send with a webhook, so that you can test your handler.

    Args:
        body: The raw bytes of the body.
        key: The shared key.

    Returns:
        The value of the header `X-Webhook-Signature`.

    Raises:
        ConfigurationError: The key is empty or isn't a string.
        TypeError: `body` isn't bytes.
    """
    signed = _signed(body, key)
    del body, key
    try:
        return signed if isinstance(signed, str) else fail(signed)
    finally:
        del signed


def verify(body: Body, signature: Signature, key: Key) -> None:
    """Check that a webhook was signed with the shared key. The comparison takes constant time.

    Args:
        body: The raw bytes of the request body, not decoded by a framework.
        signature: The value of the header `X-Webhook-Signature`, or `None` if the request doesn't have the header.
        key: The shared key. During a key rotation, pass both keys.

    Raises:
        WebhookSignatureError: The signature is missing, malformed, or wrong.
        ConfigurationError: No key was passed, or a key is empty or isn't a string.
        TypeError: `body` isn't bytes.
    """
    refused = refusal(body, signature, key)
    del body, signature, key
    try:
        if refused is not None:
            fail(refused)
    finally:
        del refused


def refusal(body: Body, signature: Signature, key: Key) -> Exception | None:
    """Return the error if the webhook must be rejected. A traceback of this function would contain the key."""
    raw, keys = raw_bytes(body), key_bytes(key)
    if isinstance(keys, Exception):
        return keys
    if isinstance(raw, Exception):
        return raw
    given: object = signature.encode("ascii", "replace") if isinstance(signature, str) else signature
    if given is not None and not isinstance(given, bytes):
        return TypeError(f"signature must be the value of the header, not {type(signature).__name__}")
    if not given:
        return WebhookSignatureError("the signature is missing, because the request has no X-Webhook-Signature header")
    if not _FORM.fullmatch(given):
        return WebhookSignatureError(
            "the signature is malformed, because it isn't the base64 of 32 bytes; pass the header unchanged"
        )
    # Compare all keys even after a match, so that the duration doesn't depend on which key matches.
    matches = [hmac.compare_digest(given, _signature(raw, each)) for each in keys]
    if any(matches):
        return None
    hint = "; a key starts or ends with white space, so strip it" if any(each != each.strip() for each in keys) else ""
    return WebhookSignatureError(f"the signature doesn't match the body for any of the given keys{hint}")


def _signed(body: Body, key: str) -> str | Exception:
    raw, keys = raw_bytes(body), key_bytes((key,))
    if isinstance(keys, Exception):
        return keys
    return raw if isinstance(raw, Exception) else _signature(raw, keys[0]).decode()


def _signature(body: bytes, key: bytes) -> bytes:
    return b64encode(hmac.digest(key, body, hashlib.sha256))


def raw_bytes(body: object) -> bytes | TypeError:
    """Return an immutable copy of the body, or an error if the body isn't bytes."""
    if not isinstance(body, bytes | bytearray | memoryview):
        return TypeError(
            f"body must be the raw bytes of the request, not {_kind(body)}. Pass the body before you decode or parse it"
        )
    return bytes(cast("Body", body))


def key_bytes(key: Key) -> tuple[bytes, ...] | ConfigurationError:
    """Return the keys as bytes, or an error if a key is invalid."""
    given = _given(key)
    if given is None:
        return ConfigurationError(f"key must be a string or a list of strings, not {_kind(key)}")
    if not given:
        return ConfigurationError("key is empty; pass the shared key for webhooks")
    keys: list[bytes] = []
    for each in given:
        if not isinstance(each, str):
            return ConfigurationError(f"key must be a string, not {_kind(each)}")
        if not each.strip():
            return ConfigurationError("key is empty or only white space; pass the shared key for webhooks")
        if any("\ud800" <= character <= "\udfff" for character in each):
            return ConfigurationError("key must be valid Unicode text, without lone surrogates")
        keys.append(each.encode())
    return tuple(keys)


def _given(key: object) -> tuple[object, ...] | None:
    if isinstance(key, str):
        return (key,)
    # Bytes and mappings are iterable, too, but they aren't collections of signing keys.
    several = isinstance(key, Iterable) and not isinstance(key, bytes | bytearray | memoryview | Mapping)
    return tuple(cast("Iterable[object]", key)) if several else None


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__


def fail(error: Exception) -> NoReturn:
    """Raise an error, and delete the variable, so that the error's traceback doesn't refer to the error itself."""
    try:
        raise error
    finally:
        del error
