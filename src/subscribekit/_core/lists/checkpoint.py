"""Checkpoints as text: where a list stands, in a short string with a check sum against a slip of the hand."""

import base64
import binascii
from hashlib import blake2b

from ... import _json as json
from ..._json import JSON
from ...errors import RequestError

_CHECK_SUM = 6
_PARTS = 5


def write(parts: list[object]) -> str:
    """Write the parts of a position."""
    value = json.encode(parts)
    return base64.urlsafe_b64encode(blake2b(value, digest_size=_CHECK_SUM).digest() + value).decode().rstrip("=")


def parse(checkpoint: str) -> list[JSON]:
    """Read the parts again.

    Raises:
        RequestError: It is not a checkpoint, or a damaged one.
    """
    damaged = RequestError("checkpoint is damaged")
    if not isinstance(checkpoint, str) or not checkpoint.isascii():
        raise damaged
    try:
        content = base64.b64decode(checkpoint + "=" * (-len(checkpoint) % 4), altchars=b"-_", validate=True)
        value = json.decode(content[_CHECK_SUM:])
    except (ValueError, binascii.Error):
        raise damaged from None
    intact = blake2b(content[_CHECK_SUM:], digest_size=_CHECK_SUM).digest() == content[:_CHECK_SUM]
    if not intact or base64.urlsafe_b64encode(content).decode().rstrip("=") != checkpoint:
        raise damaged
    if not isinstance(value, list) or len(value) != _PARTS:
        raise damaged
    return value
