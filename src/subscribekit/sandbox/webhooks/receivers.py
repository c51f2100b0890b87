"""Receivers of push notifications, and their messages."""

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
        key: The key that signs messages to it.
        classes: The classes that it gets.
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
        subscription: Its receiver.
        class_name: The class of the event.
        event_name: The event.
        message_id: The same for a message that was sent twice.
        body: The raw bytes.
        signature: The header `X-Webhook-Signature`.
        status: The receiver's response: the status of a URL, or a number that the function returned.
        error: The exception of the function, or why nothing reached the URL.
    """

    subscription: Subscription
    class_name: str
    event_name: str
    message_id: str
    body: bytes = field(repr=False)
    signature: str
    status: int | None = None
    error: Exception | None = None
