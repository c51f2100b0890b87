"""Who is told of what happens in a sandbox, and how it reaches them."""

from __future__ import annotations

import http.client
import inspect
import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from ..http.wire import Request
from ..service import Service
from ..values import Document, nested, text
from .faults import DeliveryFault, PushEvent
from .happenings import CLASSES, State, happenings, state_of
from .messages import CONTENT_TYPES, Format, encoded, message, signature
from .post import LoopbackURL, Postman, loopback_url, post

Handler: TypeAlias = Callable[[bytes, str], object]

PATIENCE = 2.0
_NAMES = ("class_name", "event_name", "message_id")
_logger = logging.getLogger("subscribekit.sandbox")


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class _Parcel:
    subscription: Subscription
    told: Document

    @property
    def header(self) -> Document:
        return nested(self.told, "header")


@dataclass(frozen=True)
class _Held:
    parcel: _Parcel
    until: datetime | None
    """`None`: until a later one has been sent."""


class Webhooks:
    """The push notifications of a sandbox; `Sandbox.webhooks`.

    What is sent for what stands in `subscribekit.sandbox.webhooks`. A message is sent when the call that caused the
    event is done, before its response is given: a lost response loses no event. `Sandbox.reset` ends all subscriptions.
    """

    def __init__(
        self, service: Service, now: Callable[[], datetime], fault_for: Callable[[PushEvent], DeliveryFault | None]
    ) -> None:
        self._service = service
        self._now = now
        self._fault_for = fault_for
        self._subscriptions: list[Subscription] = []
        self._state: State = {}
        self._count = 0
        self._lock = threading.Lock()
        self._outbox: deque[_Parcel] = deque()
        self._held: list[_Held] = []
        self._deliveries: list[Delivery] = []
        self._postman = Postman()
        self._busy = threading.local()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} subscriptions={len(self._subscriptions)} deliveries={len(self._deliveries)}>"

    def subscribe(
        self,
        to: Handler | str,
        *,
        key: str,
        classes: Iterable[str] | None = None,
        format: Format = "json",  # noqa: A002  the settings' word
    ) -> Subscription:
        """Send signed messages for what happens from now on.

        Args:
            to: A function that takes the raw body and the signature, or a URL on this machine
                (`http://127.0.0.1:8000/hooks`). The function is called in the thread of the call that caused the event,
                after it; what it raises is logged and kept in `deliveries`, and disturbs nobody. A URL is posted to in
                a thread of its own; a call waits for it for two seconds at most, see `wait`.
            key: What messages are signed with.
            classes: Classes of events, such as `["autobills", "transactions"]`; all when left out.
            format: `json` or `urlencoded`.

        Raises:
            ValueError: The key is empty, a class does not exist, or the URL is not on this machine.
            TypeError: `to` is a coroutine function, which nobody would await, or no function at all.
        """
        if not isinstance(key, str) or not key.strip() or not key.isprintable():
            raise ValueError("the key must be a printable text that is not empty")
        if format not in CONTENT_TYPES:
            raise ValueError(f"format must be one of {', '.join(CONTENT_TYPES)}")
        chosen = frozenset(CLASSES if classes is None else [classes] if isinstance(classes, str) else classes)
        if not chosen or not chosen <= set(CLASSES):
            raise ValueError(f"classes must be some of {', '.join(CLASSES)}")
        if not isinstance(to, str) and not callable(to):
            raise TypeError("messages go to a function or to a URL")
        if inspect.iscoroutinefunction(to) or inspect.iscoroutinefunction(getattr(to, "__call__", None)):  # noqa: B004
            raise TypeError("nobody awaits a coroutine function here; give a plain one, or the URL of the application")
        if isinstance(to, str):
            loopback_url(to)
        made = Subscription(to, key, chosen, format)
        with self._service.lock:
            self._service.catch_up()
            if not self._subscriptions:
                self._state = state_of(self._service.store, self._now())
            self._subscriptions.append(made)
        return made

    def unsubscribe(self, subscription: Subscription) -> None:
        """Send nothing more to a receiver, also nothing that is held back."""
        with self._service.lock, self._lock:
            self._subscriptions = [each for each in self._subscriptions if each is not subscription]
            self._held = [each for each in self._held if each.parcel.subscription is not subscription]
            self._outbox = deque(each for each in self._outbox if each.subscription is not subscription)

    @property
    def deliveries(self) -> list[Delivery]:
        """The messages that were sent, oldest first."""
        with self._lock:
            return list(self._deliveries)

    def release(self) -> None:
        """Send at once what faults hold back, the oldest first."""
        with self._lock:
            self._outbox.extend(each.parcel for each in self._held)
            self._held.clear()
        self.deliver()

    def wait(self, seconds: float = 10.0) -> bool:
        """Wait until everything that goes to URLs is posted; tell whether it is."""
        return self._postman.wait(seconds)

    def observe(self, at: datetime, request: Request | None) -> None:
        """Take note of what happened, while the service is locked; `deliver` sends it."""
        if not self._subscriptions:
            return
        store = self._service.store
        before, self._state = self._state, state_of(store, at)
        with self._lock:
            self._let_go(at)
        for happening in happenings(store, before, self._state):
            self._count += 1
            told = message(happening, store.digest(f"message:{self._count}"), at, store.digest("merchant"))
            fault = self._fault_for(PushEvent(happening.class_name, happening.event_name, request))
            with self._lock:
                for subscription in self._subscriptions:
                    if happening.class_name in subscription.classes:
                        self._take(_Parcel(subscription, told), fault, at)

    def deliver(self, *, patience: float = PATIENCE) -> None:
        """Send what is to be sent, while the service is not locked."""
        if not self._subscriptions or getattr(self._busy, "now", False):
            return  # a function that uses the sandbox again: the loop below it goes on with what that causes
        self._busy.now = True
        try:
            with self._lock:
                self._let_go(self._now())
            while (parcel := self._next()) is not None:
                self._send(parcel)
        finally:
            self._busy.now = False
        if patience:
            self._postman.wait(patience)

    def start_over(self, *, forget: bool) -> None:
        """Begin with the present state of the store, which came there by no event.

        Args:
            forget: End all subscriptions too.
        """
        with self._service.lock, self._lock:
            self._held.clear()
            self._outbox.clear()
            if forget:
                self._subscriptions = []
                self._deliveries.clear()
            if self._subscriptions:
                self._state = state_of(self._service.store, self._now())

    def _take(self, parcel: _Parcel, fault: DeliveryFault | None, at: datetime) -> None:
        if fault is not None and fault.name != "twice":
            self._held.append(_Held(parcel, at + fault.delay if fault.name == "late" else None))
            return
        self._outbox.extend([parcel] * (1 if fault is None else 2))
        overtaken = [
            each for each in self._held if each.until is None and each.parcel.subscription is parcel.subscription
        ]
        self._outbox.extend(each.parcel for each in reversed(overtaken))
        self._held = [each for each in self._held if each not in overtaken]

    def _let_go(self, at: datetime) -> None:
        due = [each for each in self._held if each.until is not None and each.until <= at]
        self._outbox.extend(each.parcel for each in due)
        self._held = [each for each in self._held if each.until is None or each.until > at]

    def _next(self) -> _Parcel | None:
        with self._lock:
            return self._outbox.popleft() if self._outbox else None

    def _send(self, parcel: _Parcel) -> None:
        to = parcel.subscription.to
        body = encoded(parcel.told, parcel.subscription.format)
        signed = signature(body, parcel.subscription.key)
        if isinstance(to, str):
            url = loopback_url(to)
            self._postman.add(lambda: self._post(parcel, url, body, signed))
        else:
            self._hand(to, parcel, body, signed)

    def _hand(self, handler: Handler, parcel: _Parcel, body: bytes, signed: str) -> None:
        try:
            result = handler(body, signed)
        except Exception as error:  # noqa: BLE001  whatever an application raises, the sandbox's own call goes on
            self._note(parcel, body, signed, None, error)
        else:
            status = result if isinstance(result, int) and not isinstance(result, bool) else None
            self._note(parcel, body, signed, status, None)

    def _post(self, parcel: _Parcel, url: LoopbackURL, body: bytes, signed: str) -> None:
        headers = {"Content-Type": CONTENT_TYPES[parcel.subscription.format], "X-Webhook-Signature": signed}
        try:
            self._note(parcel, body, signed, post(url, body, headers), None)
        except (OSError, http.client.HTTPException) as error:
            self._note(parcel, body, signed, None, error)

    def _note(self, parcel: _Parcel, body: bytes, signed: str, status: int | None, error: Exception | None) -> None:
        class_name, event_name, message_id = (text(parcel.header, name) for name in _NAMES)
        if error is not None:
            _logger.error("the receiver of %s / %s failed", class_name, event_name, exc_info=error)
        made = Delivery(parcel.subscription, class_name, event_name, message_id, body, signed, status, error)
        with self._lock:
            self._deliveries.append(made)
