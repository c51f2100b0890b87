"""The event that a push notification tells."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from ._content import WebhookContent

__all__ = ["WebhookEvent"]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class WebhookEvent:
    """One event, as `unwrap` returns it. It can be pickled, copied and compared; `content` goes with it.

    Attributes:
        message_id: Identifies the message, also when it is sent again; `None` where it is absent.
        class_name: `accounts`, `adjustments`, `autobills`, `entitlement`, `invoices`, `payment methods`,
            `transactions`, or one that is not published.
        event_name: The event, such as `data change`, `start` or `attempt failed`.
        timestamp: When it happened, in UTC; `None` where it is absent or cannot be read. Compare it with what you know
            already: messages may overtake each other.
        subject: Kind and identifier of what it is about: `("account", "a1")`, and the same with `subscription`,
            `transaction`, `invoice`, `refund` and `payment_method`. For `entitlement` it is the account. If the webhook
            doesn't show the ID, it is the vid. `None` for an unknown class and where both are absent.
        content: The received data, under the service's names, such as `merchantAccountId`. The data
            may be older than what the API shows: before you act on money, retrieve the subject.
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
