"""The two errors of push notifications; neither names anything of the message, its signature or a key."""

from __future__ import annotations

from ..errors import Outcome, SubscribekitError

__all__ = ["WebhookFormatError", "WebhookSignatureError"]


class WebhookSignatureError(SubscribekitError):
    """The signature is missing, malformed or wrong, or the event is older than `max_age` allows.

    Nothing of the message may be used. Return 400 or 401.
    """

    outcome: Outcome = "rejected"


class WebhookFormatError(SubscribekitError):
    """The message cannot be read: too large, neither JSON nor URL-encoded, or without what is needed of it.

    Return 400: the same bytes will not become readable.
    """

    outcome: Outcome = "rejected"
