"""Faults of the delivery of push notifications."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

DeliveryKind: TypeAlias = Literal["delayed_webhook", "duplicate_webhook", "reordered_webhook"]


@dataclass(frozen=True)
class DeliveryFault:
    """One fault of push notifications; the functions of this module make it."""

    name: DeliveryKind
    delay: timedelta = timedelta()


def delayed_webhook(*, hours: int = 1) -> DeliveryFault:
    """Hold a push notification back until the sandbox's time has moved on; it still tells when the event happened.

    Args:
        hours: How long, in the sandbox's time; `Sandbox.advance` moves it.

    Raises:
        ValueError: `hours` is not positive.
    """
    if hours < 1:
        raise ValueError("hours must be at least 1")
    return DeliveryFault("delayed_webhook", timedelta(hours=hours))


def duplicate_webhook() -> DeliveryFault:
    """Send a push notification two times, with the same `message_id`."""
    return DeliveryFault("duplicate_webhook")


def reordered_webhook() -> DeliveryFault:
    """Hold a push notification back until a later one of the same subscription has been sent."""
    return DeliveryFault("reordered_webhook")
