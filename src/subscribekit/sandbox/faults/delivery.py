"""Faults that affect the delivery of webhooks."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

DeliveryKind: TypeAlias = Literal["delayed_webhook", "duplicate_webhook", "reordered_webhook"]


@dataclass(frozen=True)
class DeliveryFault:
    """A fault that affects webhooks. To create a `DeliveryFault`, call a function such as `duplicate_webhook()`."""

    name: DeliveryKind
    delay: timedelta = timedelta()


def delayed_webhook(*, hours: int = 1) -> DeliveryFault:
    """Delay a webhook until the sandbox's time has advanced. The webhook contains the original time of the event.

    Args:
        hours: The delay of the webhook in hours of the sandbox's time, which you advance with `Sandbox.advance`.

    Raises:
        ValueError: `hours` is less than 1.
    """
    if hours < 1:
        raise ValueError("hours must be at least 1")
    return DeliveryFault("delayed_webhook", timedelta(hours=hours))


def duplicate_webhook() -> DeliveryFault:
    """Send a webhook twice, with the same `message_id`."""
    return DeliveryFault("duplicate_webhook")


def reordered_webhook() -> DeliveryFault:
    """Delay a webhook until a later webhook has been sent to the same receiver."""
    return DeliveryFault("reordered_webhook")
