"""Checkpoints: short strings from which an iteration resumes, with a checksum against typing errors."""

import base64
import binascii
import re
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeGuard

from ... import _json as json
from ..._json import JSON
from ...errors import InvalidArgumentError
from ..config.environments import is_a_name

_CHECK_SUM = 6
_TEXT = re.compile(r"[\w-]*", re.ASCII)
"""The characters of URL-safe Base64. `parse` rejects any other character itself, because Python 3.15 only warns about
`+`."""
_PARTS = (5, 6, 7, 8)
"""Possible numbers of parts in a checkpoint. Empty parts at the end are omitted."""
DIGEST = 8
"""Length of the digest of one item, in bytes."""
MAX_DIGESTS = 100
"""Maximum number of recent items in a checkpoint, which is the maximum page size."""
_ABSENT = (None, None, "")
"""Default values of the last three parts of a checkpoint, which can be omitted."""
MAX_OFFSET = 2**63 - 1
"""The largest offset that the SDK sends, which is also the limit of 64-bit integers."""
DAMAGED = "checkpoint is damaged; pass the string of the pager's checkpoint unchanged"


@dataclass(frozen=True, slots=True, repr=False)
class Position:
    """A position in a list: the cursor or offset of a page, and the number of items returned from that page.

    Attributes:
        cursor: Cursor or offset of the page, or `None` for the start of the list.
        taken: Number of items that were returned from the page.
        digest: Digest of the items that were returned from the page. If the page no longer starts with these items, the
            position is invalid.
        recent: Digests of the last items before an offset. With these digests, an iteration doesn't return an item a
            second time if new items have moved the item behind the offset.
    """

    cursor: str | int | None = None
    taken: int = 0
    digest: str | None = None
    recent: bytes = b""


BEGINNING = Position()


@dataclass(slots=True, eq=False, repr=False)
class Checkpoint:
    """The parts of a checkpoint.

    Attributes:
        fingerprint: Digest that identifies the list and its filters.
        direction: Name of the query parameter that contains the cursor or the offset.
        position: The position in the list.
        limit: Size of the page that contains the position, or `None`.
        environment: Name of the environment, or `None` for a client with only a base URL.
    """

    fingerprint: str
    direction: str
    position: Position
    limit: str | None = None
    environment: str | None = None

    def __str__(self) -> str:
        position = self.position
        parts = [self.fingerprint, self.direction, position.cursor, position.taken, self.limit]
        if position.recent:
            parts += [position.digest, self.environment, base64.b64encode(position.recent).decode()]
        elif self.environment is not None:
            parts += [position.digest, self.environment]
        elif position.digest is not None:
            parts.append(position.digest)
        value = json.encode(parts)
        return base64.urlsafe_b64encode(blake2b(value, digest_size=_CHECK_SUM).digest() + value).decode().rstrip("=")


def parse(text: str) -> Checkpoint:
    """Parse a checkpoint.

    Raises:
        InvalidArgumentError: The value isn't a checkpoint, or is damaged.
    """
    damaged = InvalidArgumentError(DAMAGED)
    if not isinstance(text, str) or not _TEXT.fullmatch(text):
        raise damaged
    try:
        content = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        value = json.decode(content[_CHECK_SUM:])
    except (ValueError, binascii.Error):
        raise damaged from None
    intact = blake2b(content[_CHECK_SUM:], digest_size=_CHECK_SUM).digest() == content[:_CHECK_SUM]
    if not intact or base64.urlsafe_b64encode(content).decode().rstrip("=") != text:
        raise damaged
    if not isinstance(value, list) or len(value) not in _PARTS:
        raise damaged
    parts: list[JSON] = [*value, *_ABSENT[len(value) - 5 :]]
    fingerprint, direction, cursor, taken, limit, digest, environment, recent = parts
    # Check the type of each part, because any program can create a checkpoint with a valid checksum.
    if not isinstance(fingerprint, str) or not isinstance(direction, str) or not _is_whole(taken):
        raise damaged
    if not _is_text_or_none(limit) or not _is_text_or_none(digest):
        raise damaged
    if environment is not None and not is_a_name(environment):
        raise damaged
    if not _is_text_or_none(cursor) and not _is_whole(cursor):
        raise damaged
    digests = _digests(recent)
    if digests is None:
        raise damaged
    return Checkpoint(fingerprint, direction, Position(cursor, taken, digest, digests), limit, environment)


def _digests(value: JSON) -> bytes | None:
    """Return the digests of recent items, or `None` if the value is damaged."""
    if not isinstance(value, str):
        return None
    try:
        digests = base64.b64decode(value, validate=True)
    except ValueError:
        return None
    return digests if len(digests) % DIGEST == 0 and len(digests) <= DIGEST * MAX_DIGESTS else None


def _is_whole(value: JSON) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MAX_OFFSET


def _is_text_or_none(value: JSON) -> TypeGuard[str | None]:
    return value is None or isinstance(value, str)
