"""Converts a webhook request to an event, after checks of its size, signature, format, and age, in this order."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from .._datetimes import is_time
from ..errors import ConfigurationError
from ._bodies import parse
from ._reading import event_of
from ._signatures import Body, Key, Signature, fail, refusal
from .errors import WebhookFormatError, WebhookSignatureError
from .events import WebhookEvent


def unwrap(
    body: Body,
    signature: Signature,
    key: Key,
    *,
    max_bytes: int = 1_000_000,
    max_age: float | timedelta | None = None,
    now: datetime | None = None,
) -> WebhookEvent:
    """Verify a webhook, and return its event. The SDK parses the body only if the signature is correct.

    Args:
        body: The raw bytes of the request body, not decoded by a framework.
        signature: The value of the header `X-Webhook-Signature`, or `None` if the request doesn't have the header.
        key: The shared key. During a key rotation, pass both keys.
        max_bytes: Maximum size of the body, in bytes.
        max_age: Maximum age of the event, in seconds or as a `timedelta`. If you set `max_age`, events without a
            timestamp are rejected. By default, events of any age are accepted, because the service may send events
            late.
        now: The time for calculating the age, as a datetime with a time zone. By default, the current time. In tests
            with a sandbox, pass `sandbox.now`.

    Returns:
        The event.

    Raises:
        WebhookSignatureError: The signature is missing, malformed, or wrong. The event is older than `max_age`.
        WebhookFormatError: The body is too large or can't be parsed.
        ConfigurationError: No key was passed, or a key is empty or isn't a string. `max_bytes`, `max_age`, or `now`
            isn't valid.
        TypeError: `body` isn't bytes.
    """
    unwrapped = _unwrapped(body, signature, key, max_bytes, max_age, now)
    del body, signature, key  # otherwise, the traceback would contain the key and the body (test_masking.py)
    try:
        return unwrapped if isinstance(unwrapped, WebhookEvent) else fail(unwrapped)
    finally:
        # Delete the variable, because the frame and the error would otherwise keep each other alive
        # (test_freed_errors.py).
        del unwrapped


def _unwrapped(
    body: Body,
    signature: Signature,
    key: Key,
    max_bytes: int,
    max_age: float | timedelta | None,
    now: datetime | None,
) -> WebhookEvent | Exception:
    """Return the event or the error to raise. A traceback of this function would contain the key and the body."""
    try:
        oldest = None if max_age is None else _oldest(max_age, now)
        _check_limit(max_bytes)
        if isinstance(body, bytes | bytearray | memoryview):
            if memoryview(body).nbytes > max_bytes:
                return WebhookFormatError(f"the body is larger than max_bytes ({max_bytes} bytes)")
            body = bytes(body)  # verify and parse the same copy, because another thread can change a buffer
        refused = refusal(body, signature, key)
        if refused is not None:
            return refused
        event = event_of(*parse(bytes(body)))
        if oldest is not None:
            _check_age(event, oldest)
    except (WebhookFormatError, WebhookSignatureError, ConfigurationError) as error:
        return error.with_traceback(None)
    return event


def _check_limit(max_bytes: int) -> None:
    if not isinstance(max_bytes, int) or isinstance(max_bytes, bool) or max_bytes < 1:
        raise ConfigurationError("max_bytes must be a positive whole number of bytes")


def _oldest(max_age: float | timedelta, now: datetime | None) -> datetime:
    present = datetime.now(UTC) if now is None else now
    if not is_time(present) or present.utcoffset() is None:
        raise ConfigurationError("now must be a datetime with a time zone")
    # Convert subclasses to `datetime`, because `pandas.Timestamp` has a smaller range.
    present = datetime.fromisoformat(present.isoformat())
    seconds = max_age.total_seconds() if isinstance(max_age, timedelta) else max_age
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds < float("inf"):
        raise ConfigurationError("max_age must be a positive, finite number of seconds, or None")
    # Limit `max_age`, because `datetime` can't represent a time before year 1.
    reach = (present - datetime.min.replace(tzinfo=UTC)).total_seconds()
    return present - timedelta(seconds=min(seconds, reach))


def _check_age(event: WebhookEvent, oldest: datetime) -> None:
    if event.timestamp is None:
        raise WebhookFormatError("the event has no timestamp, so its age can't be compared with max_age")
    if event.timestamp < oldest:
        raise WebhookSignatureError("the event is older than max_age allows")
