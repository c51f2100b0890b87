"""Creates a `WebhookEvent` from a parsed body, and finds the timestamp, the subject, and the content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, cast

from .._json import JSON
from ._content import WebhookContent
from .events import WebhookEvent

# The fields that identify the subject of an event in the published samples. The SDK uses the first of these fields that
# has a value.
_SUBJECTS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "accounts": ("account", ("content.account.merchantAccountId",)),
    "adjustments": ("refund", ("content.merchantRefundId",)),
    "autobills": (
        "subscription",
        ("content.merchantAutoBillId", "content.autobill.merchantAutoBillId"),
    ),
    "entitlement": ("account", ("content.merchantAccountId",)),
    "invoices": ("invoice", ("content.invoice_id", "header.invoice_id")),
    "payment methods": ("payment_method", ("content.merchantPaymentMethodId",)),
    "transactions": ("transaction", ("content.merchantTransactionId",)),
}
# The fields that may contain the `VID` of the subject. Of these fields, the published samples contain only
# `content.autobill.VID`. The other names are assumptions in the style of the published names.
_VIDS: Final[dict[str, tuple[str, ...]]] = {
    "accounts": ("content.account.VID", "content.VID", "content.accountVID", "content.accountVid"),
    "adjustments": ("content.refund.VID", "content.VID", "content.refundVID", "content.refundVid"),
    "autobills": ("content.autobill.VID", "content.VID", "content.autobillVID", "content.autoBillVid"),
    "entitlement": ("content.account.VID", "content.accountVID", "content.accountVid"),
    "invoices": ("content.invoice.VID", "content.VID", "content.invoiceVID", "content.invoiceVid"),
    "payment methods": (
        "content.paymentMethod.VID", "content.VID", "content.paymentMethodVID", "content.paymentMethodVid",
    ),
    "transactions": ("content.transaction.VID", "content.VID", "content.transactionVID", "content.transactionVid"),
}  # fmt: skip
_TIMESTAMP: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_MAX_BITS: Final = 256


def event_of(message: Mapping[str, JSON], header: Mapping[str, JSON], content: dict[str, JSON]) -> WebhookEvent:
    """Return the event of a parsed webhook body."""
    class_name = _text(header.get("class_name"))
    return WebhookEvent(
        message_id=_text(header.get("message_id")),
        class_name=class_name,
        event_name=_text(header.get("event_name")),
        timestamp=_timestamp(header.get("event_timestamp")),
        subject=None if class_name is None else _subject(class_name, message),
        content=WebhookContent(content),
    )


def _subject(class_name: str, message: Mapping[str, JSON]) -> tuple[str, str] | None:
    if class_name not in _SUBJECTS:
        return None
    kind, paths = _SUBJECTS[class_name]
    found = (_text(_value_at(message, path)) for path in (*paths, *_VIDS[class_name]))
    identifier = next((each for each in found if each is not None), None)
    return None if identifier is None else (kind, identifier)


def _value_at(message: Mapping[str, JSON], path: str) -> object:
    value: object = message
    for name in path.split("."):
        value = cast("Mapping[str, object]", value).get(name) if isinstance(value, Mapping) else None
    return value


def _text(value: object) -> str | None:
    """Return a nonempty string unchanged, and an integer as a string. Return `None` for everything else."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() <= _MAX_BITS:
        return str(value)
    return value if isinstance(value, str) and value else None


def _timestamp(value: object) -> datetime | None:
    if not isinstance(value, str) or not _TIMESTAMP.fullmatch(value):
        return None
    try:
        found = datetime.fromisoformat(value)
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):  # the date doesn't exist, or `datetime` can't represent it in UTC
        return None
