"""Who receives push notifications, and what was sent to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from .messages import Format

Handler: TypeAlias = Callable[[bytes, str], object]


@dataclass(frozen=True, eq=False)
class Subscription:
    """One receiver of push notifications; `Webhooks.subscribe` makes it.

    Attributes:
        to: The function or URL.
        key: What messages to it are signed with.
        classes: The classes that it is told of.
        format: `json` or `urlencoded`.
    """

    to: Handler | str
    key: str = field(repr=False)
    classes: frozenset[str]
    format: Format


@dataclass(frozen=True)
class Delivery:
    """A message that was sent, for assertions.

    Attributes:
        subscription: Whom it was sent to.
        class_name: The class of the event.
        event_name: The event.
        message_id: The same for a message that was sent twice.
        body: The raw bytes.
        signature: The header `X-Webhook-Signature`.
        status: What the receiver answered: the status of a URL, or a number that the function returned.
        error: What the function raised, or why nothing reached the URL.
    """

    subscription: Subscription
    class_name: str
    event_name: str
    message_id: str
    body: bytes = field(repr=False)
    signature: str
    status: int | None = None
    error: Exception | None = None
