"""The event of a webhook."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from ._content import WebhookContent

__all__ = ["WebhookEvent"]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class WebhookEvent:
    """An event that `unwrap` returns. You can pickle, copy, and compare it, including its `content`.

    Attributes:
        message_id: The ID of the webhook, which stays the same when the service sends it again. `None` if it's missing.
        class_name: `accounts`, `adjustments`, `autobills`, `entitlement`, `invoices`, `payment methods`,
            `transactions`, or an unpublished class. `None` if it's missing.
        event_name: The event, such as `data change`, `start`, or `attempt failed`. `None` if it's missing.
        timestamp: When the event happened, in UTC. `None` if it's missing or not valid. Webhooks can arrive in a
            different order, so compare it with the timestamp of the last event that you processed.
        subject: The kind and the ID of the subject, such as `("account", "a1")`. The kinds are `account`,
            `subscription`, `transaction`, `invoice`, `refund`, and `payment_method`. The subject of an `entitlement`
            event is the account. If the webhook doesn't contain the ID, it's the `vid`. `None` for an unknown class, or
            if the webhook contains neither.
        content: The received data, under the service's names, such as `merchantAccountId`. It may be older than the
            data of the API, so retrieve the subject before you do anything that moves money.
    """

    message_id: str | None = None
    class_name: str | None = None
    event_name: str | None = None
    timestamp: datetime | None = None
    subject: tuple[str, str] | None = None
    content: WebhookContent = field(default_factory=WebhookContent, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", WebhookContent(self.content))

    def __repr__(self) -> str:
        return (
            f"WebhookEvent(message_id={self.message_id!r}, class_name={self.class_name!r}, "
            f"event_name={self.event_name!r}, timestamp={self.timestamp!r}, subject={self.subject!r}, "
            f"content={self.content!r})"
        )
