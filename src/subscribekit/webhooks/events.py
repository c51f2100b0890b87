"""The event of a webhook."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from ._content import WebhookContent

__all__ = ["WebhookEvent"]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class WebhookEvent:
    """An event that `unwrap` returns. You can pickle, copy, and compare events, including their `content`.

    Attributes:
        message_id: The ID of the webhook, which stays the same if the service sends the webhook again. `None` if the
            webhook doesn't contain an ID.
        class_name: `accounts`, `adjustments`, `autobills`, `entitlement`, `invoices`, `payment methods`,
            `transactions`, or an unpublished class. `None` if the webhook doesn't contain a class name.
        event_name: The name of the event, such as `data change`, `start`, or `attempt failed`. `None` if the webhook
            doesn't contain an event name.
        timestamp: When the event happened, in UTC. `None` if the timestamp is missing or invalid. Webhooks can arrive
            out of order, so compare the timestamp with the timestamp of the last event that you processed.
        subject: The kind and the ID of the subject, such as `("account", "a1")`. The kinds are `account`,
            `subscription`, `transaction`, `invoice`, `refund`, and `payment_method`. The subject of an `entitlement`
            event is the account. If the webhook doesn't contain the ID, the subject contains the `vid`. `None` if the
            class is unknown, or if the webhook contains neither the ID nor the `vid`.
        content: The received data, under the service's names, such as `merchantAccountId`. The content may be older
            than the data that the API returns, so retrieve the subject before you move money.
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
