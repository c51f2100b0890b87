"""From the two objects of a message to its event: texts, the timestamp, and what it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from .._json import JSON
from .events import WebhookEvent

# Where the published messages name what an event is about; the first that is there counts.
_SUBJECTS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "accounts": ("account", ("content.account.merchantAccountId",)),
    "adjustments": ("refund", ("content.merchantRefundId",)),
    "autobills": (
        "subscription",
        ("content.merchantAutoBillId", "content.autobill.merchantAutoBillId", "content.autobill.VID"),
    ),
    "entitlement": ("account", ("content.merchantAccountId",)),
    "invoices": ("invoice", ("content.invoice_id", "header.invoice_id")),
    "payment methods": ("payment_method", ("content.merchantPaymentMethodId",)),
    "transactions": ("transaction", ("content.merchantTransactionId",)),
}
_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_MAX_BITS: Final = 256


def event_of(message: Mapping[str, JSON], header: Mapping[str, JSON], content: dict[str, JSON]) -> WebhookEvent:
    """Read the event out of a message and its two objects."""
    class_name = _text(header.get("class_name"))
    return WebhookEvent(
        message_id=_text(header.get("message_id")),
        class_name=class_name,
        event_name=_text(header.get("event_name")),
        timestamp=_timestamp(header.get("event_timestamp")),
        subject=None if class_name is None else _subject(class_name, message),
        content=content,
    )


def _subject(class_name: str, message: Mapping[str, JSON]) -> tuple[str, str] | None:
    kind, paths = _SUBJECTS.get(class_name, ("", ()))
    for path in paths:
        value: object = message
        for name in path.split("."):
            value = value.get(name) if isinstance(value, Mapping) else None
        if (identifier := _text(value)) is not None:
            return kind, identifier
    return None


def _text(value: object) -> str | None:
    """Read a text, or a whole number as one; an empty text says nothing."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _MAX_BITS:
        return str(value)
    return value if isinstance(value, str) and value else None


def _timestamp(value: object) -> datetime | None:
    if not isinstance(value, str) or not _TIMESTAMP.fullmatch(value):
        return None
    try:
        told = datetime.fromisoformat(value)
        return told.replace(tzinfo=UTC) if told.tzinfo is None else told.astimezone(UTC)
    except (ValueError, OverflowError):  # a day that does not exist, or one that UTC does not have
        return None
