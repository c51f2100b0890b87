"""The exceptions for webhooks. The error messages contain no part of the body, the signature, or a key."""

from __future__ import annotations

from ..errors import Outcome, SubscribekitError

__all__ = ["WebhookFormatError", "WebhookSignatureError"]


class WebhookSignatureError(SubscribekitError):
    """The signature is invalid, or the event is older than `max_age` allows.

    A signature is invalid if it's missing, malformed, or wrong.

    Do not use any data from the rejected request. Return status 400 or 401.
    """

    outcome: Outcome = "rejected"


class WebhookFormatError(SubscribekitError):
    """The body is too large, is neither JSON nor URL-encoded, or lacks a required field.

    Return status 400, because the webhook would fail again if the service sent it again.
    """

    outcome: Outcome = "rejected"
