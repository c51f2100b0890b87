"""The event that a push notification tells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .._json import JSON
from ._masked import masked_object

__all__ = ["WebhookEvent"]


@dataclass(frozen=True, kw_only=True, slots=True, repr=False)
class WebhookEvent:
    """One event, as `receive` gives it. It can be pickled, copied and compared; `content` goes with it.

    Attributes:
        message_id: Identifies the message, also when it is sent again; `None` where it is absent.
        class_name: `accounts`, `adjustments`, `autobills`, `entitlement`, `invoices`, `payment methods`,
            `transactions`, or one that is not published.
        event_name: The event, such as `data change`, `start` or `attempt failed`.
        timestamp: When it happened, in UTC; `None` where it is absent or cannot be read. Compare it with what you know
            already: messages may overtake each other.
        subject: Kind and identifier of what it is about: `("account", "a1")`, and the same with `subscription`,
            `transaction`, `invoice`, `refund` and `payment_method`. For `entitlement` it is the account. `None` for an
            unknown class and where the identifier is absent.
        content: The received data, under the names of the service (`merchantAccountId`), fractional numbers as
            `Decimal`. `repr` shows names and no values, at any depth. It may be older than what the API shows: for
            money, retrieve the subject.
    """

    message_id: str | None = None
    class_name: str | None = None
    event_name: str | None = None
    timestamp: datetime | None = None
    subject: tuple[str, str] | None = None
    content: Mapping[str, JSON] = field(default_factory=dict[str, JSON], hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "content", masked_object(dict(self.content)))

    def __repr__(self) -> str:
        return (
            f"WebhookEvent(message_id={self.message_id!r}, class_name={self.class_name!r}, "
            f"event_name={self.event_name!r}, timestamp={self.timestamp!r}, subject={self.subject!r}, "
            f"content={self.content!r})"
        )
