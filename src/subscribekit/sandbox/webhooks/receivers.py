"""Receivers of webhooks, and records of sent webhooks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from .messages import Format

Handler: TypeAlias = Callable[[bytes, str], object]


@dataclass(frozen=True, eq=False)
class Subscription:
    """A receiver of webhooks, which `Webhooks.subscribe` returns.

    Attributes:
        to: The function or the URL that receives the webhooks.
        key: The key that signs the webhooks.
        classes: The classes of events that the receiver gets.
        format: The format of the body: `json` or `urlencoded`.
    """

    to: Handler | str
    key: str = field(repr=False)
    classes: frozenset[str]
    format: Format


@dataclass(frozen=True)
class Delivery:
    """A webhook that the sandbox sent to a receiver, for assertions in tests.

    Attributes:
        subscription: The receiver of the webhook.
        class_name: The class of the event.
        event_name: The name of the event.
        message_id: The ID of the webhook. A duplicate has the same ID as the original webhook.
        body: The raw bytes of the body.
        signature: The value of the header `X-Webhook-Signature`.
        status: The HTTP status that the URL returned, or the integer that the function returned. Otherwise, `None`.
        error: The exception that the function raised, or that occurred while the webhook was posted. Otherwise, `None`.
    """

    subscription: Subscription
    class_name: str
    event_name: str
    message_id: str
    body: bytes = field(repr=False)
    signature: str
    status: int | None = None
    error: Exception | None = None
