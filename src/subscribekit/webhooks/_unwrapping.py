"""From a request to an event: size, signature, format, age, in this order."""

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
    """Verify a message and read its event. Nothing is read before the signature is right.

    Args:
        body: The raw bytes of the request, before any framework decoded them.
        signature: The header `X-Webhook-Signature`, or `None` where the request has none.
        key: The shared key, or several while keys are rotated.
        max_bytes: How large a message may be.
        max_age: Refuse events that happened longer ago, in seconds or as a `timedelta`, and those that do not say
            when they happened. `None` takes events of any age: the service may send them late.
        now: The time that `max_age` counts back from, an aware datetime; the present time when left out. In the
            sandbox it is `sandbox.now`.

    Raises:
        WebhookSignatureError: The signature is missing, malformed or wrong, or the event is too old.
        WebhookFormatError: The message is too large or cannot be read.
        ConfigurationError: There is no key, or one is empty or no text, or another setting is not usable.
        TypeError: `body` is not bytes.
    """
    unwrapped = _unwrapped(body, signature, key, max_bytes, max_age, now)
    del body, signature, key  # test_masking.py expects that no frame of an error shows them
    try:
        return unwrapped if isinstance(unwrapped, WebhookEvent) else fail(unwrapped)
    finally:
        del unwrapped  # otherwise, the error and this frame keep each other alive (test_freed_errors.py)


def _unwrapped(
    body: Body,
    signature: Signature,
    key: Key,
    max_bytes: int,
    max_age: float | timedelta | None,
    now: datetime | None,
) -> WebhookEvent | Exception:
    """Return the event, or the error in its place: no traceback of it holds the key or the message."""
    try:
        oldest = None if max_age is None else _oldest(max_age, now)
        _check_limit(max_bytes)
        if isinstance(body, bytes | bytearray | memoryview):
            if memoryview(body).nbytes > max_bytes:
                return WebhookFormatError(f"the body is larger than {max_bytes} bytes")
            body = bytes(body)  # the verified bytes are read, even if the buffer changes
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
        raise ConfigurationError("max_bytes must be a positive number of bytes")


def _oldest(max_age: float | timedelta, now: datetime | None) -> datetime:
    present = datetime.now(UTC) if now is None else now
    if not is_time(present) or present.utcoffset() is None:
        raise ConfigurationError("now must be a datetime with a time zone")
    present = datetime.fromisoformat(present.isoformat())  # a subclass, such as that of pandas, has other limits
    seconds = max_age.total_seconds() if isinstance(max_age, timedelta) else max_age
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not 0 < seconds < float("inf"):
        raise ConfigurationError("max_age must be a positive, finite number of seconds, or None")
    # A span that leads out of the calendar is as good as one to its beginning.
    reach = (present - datetime.min.replace(tzinfo=UTC)).total_seconds()
    return present - timedelta(seconds=min(seconds, reach))


def _check_age(event: WebhookEvent, oldest: datetime) -> None:
    if event.timestamp is None:
        raise WebhookFormatError("the event does not say when it happened, and max_age needs to know")
    if event.timestamp < oldest:
        raise WebhookSignatureError("the event is older than max_age allows")
