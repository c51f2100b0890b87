"""Sends webhooks to their receivers in order, without holding a lock while a webhook is sent."""

from __future__ import annotations

import http.client
import logging
import sys
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from ..._core.calls.telemetry.log import log
from ..._core.config.locks import Guard
from ..._interrupts import interrupt_behind
from ..billing.rules.changes import Change, State, changes, state_of
from ..faults import DeliveryFault
from ..http.wire import SandboxRequest
from ..service import Service
from ..values import Document, nested, text
from .messages import CONTENT_TYPES, encoded, message, signature
from .post import LoopbackURL, Postman, loopback_url, post
from .receivers import Delivery, Handler, Subscription

LONGEST_WAIT = 2.0
_NAMES = ("class_name", "event_name", "message_id")
_logger = logging.getLogger("subscribekit.sandbox")


@dataclass(frozen=True)
class _Parcel:
    subscription: Subscription
    webhook: Document

    @property
    def header(self) -> Document:
        return nested(self.webhook, "header")


@dataclass(frozen=True)
class _Held:
    parcel: _Parcel
    until: datetime | None
    """The time when the webhook is sent, or `None` to send it after a later webhook to the same receiver."""


class Dispatch:
    """Sends the webhooks of a sandbox to its receivers."""

    def __init__(
        self,
        service: Service,
        now: Callable[[], datetime],
        fault_for: Callable[[Change, SandboxRequest | None], DeliveryFault | None],
    ) -> None:
        self._service = service
        self._now = now
        self._fault_for = fault_for
        self._subscriptions: list[Subscription] = []
        self._state: State = {}
        self._count = 0
        self._guard = Guard()
        self._outbox: deque[_Parcel] = deque()
        self._held: list[_Held] = []
        self._deliveries: list[Delivery] = []
        self._postman = Postman()
        self._busy = threading.local()

    def add(self, subscription: Subscription) -> None:
        """Add a receiver that gets the webhooks for all events from now on."""
        with self._service.lock:
            self._service.catch_up()
            if not self._subscriptions:
                self._state = state_of(self._service.store, self._now())
            self._subscriptions.append(subscription)

    def remove(self, subscription: Subscription) -> None:
        """Remove a receiver, and drop the webhooks that wait to be sent to this receiver."""
        with self._service.lock, self._guard.lock:
            self._subscriptions = [each for each in self._subscriptions if each is not subscription]
            self._held = [each for each in self._held if each.parcel.subscription is not subscription]
            self._outbox = deque(each for each in self._outbox if each.subscription is not subscription)

    @property
    def deliveries(self) -> list[Delivery]:
        """The webhooks that the sandbox has sent, oldest first."""
        with self._guard.lock:
            return list(self._deliveries)

    def release(self) -> None:
        """Send the webhooks that faults have delayed, oldest first."""
        with self._guard.lock:
            self._outbox.extend(each.parcel for each in self._held)
            self._held.clear()
        self.deliver()

    def wait(self, seconds: float = 10.0) -> bool:
        """Wait until all webhooks to URLs are posted. Return `False` if the webhooks aren't posted within `seconds`."""
        return self._postman.wait(seconds)

    def observe(self, at: datetime, request: SandboxRequest | None) -> None:
        """Create the webhooks for all changes since the last call. The caller must hold the service's lock."""
        if not self._subscriptions:
            return
        store = self._service.store
        previous, self._state = self._state, state_of(store, at)
        with self._guard.lock:
            self._release_due(at)
        for change in changes(store, previous, self._state):
            receivers = [each for each in self._subscriptions if change.class_name in each.classes]
            self._count += 1
            if not receivers:
                continue
            # Derive the ID from the content too, so that a receiver that serves two sandboxes doesn't treat the first
            # webhook of the second sandbox as a duplicate.
            message_id = store.digest(f"message:{self._count}:{at}:{change}")
            webhook = message(change, message_id, at, store.digest("merchant"))
            fault = self._fault_for(change, request)
            with self._guard.lock:
                for subscription in receivers:
                    self._enqueue(_Parcel(subscription, webhook), fault, at)

    def deliver(self, *, longest: float = LONGEST_WAIT) -> None:
        """Send all webhooks that are due. The caller must not hold the service's lock."""
        if not self._subscriptions or getattr(self._busy, "now", False):
            return  # if a receiver makes this call during `deliver`, that `deliver` also sends the new webhooks
        self._busy.now = True
        try:
            with self._guard.lock:
                self._release_due(self._now())
            while (parcel := self._next()) is not None:
                self._send(parcel)
        finally:
            self._busy.now = False
        if longest:
            self._postman.wait(longest)

    def start_over(self, *, remove_receivers: bool) -> None:
        """Drop the webhooks that wait to be sent, and send events only for changes after the current state.

        Args:
            remove_receivers: `True` to also remove all receivers, and to clear the list of deliveries.
        """
        with self._service.lock, self._guard.lock:
            self._held.clear()
            self._outbox.clear()
            if remove_receivers:
                self._subscriptions = []
                self._deliveries.clear()
            if self._subscriptions:
                self._state = state_of(self._service.store, self._now())

    def _enqueue(self, parcel: _Parcel, fault: DeliveryFault | None, at: datetime) -> None:
        if fault is not None and fault.name != "duplicate_webhook":
            self._held.append(_Held(parcel, at + fault.delay if fault.name == "delayed_webhook" else None))
            return
        self._outbox.extend([parcel] * (1 if fault is None else 2))
        held, self._held = self._held, []
        overtaken: list[_Parcel] = []
        for each in held:
            if each.until is None and each.parcel.subscription is parcel.subscription:
                overtaken.append(each.parcel)
            else:
                self._held.append(each)
        self._outbox.extend(reversed(overtaken))

    def _release_due(self, at: datetime) -> None:
        due = [each for each in self._held if each.until is not None and each.until <= at]
        self._outbox.extend(each.parcel for each in due)
        self._held = [each for each in self._held if each.until is None or each.until > at]

    def _next(self) -> _Parcel | None:
        with self._guard.lock:
            return self._outbox.popleft() if self._outbox else None

    def _send(self, parcel: _Parcel) -> None:
        to = parcel.subscription.to
        body = encoded(parcel.webhook, parcel.subscription.format)
        signed = signature(body, parcel.subscription.key)
        if isinstance(to, str):
            url = loopback_url(to)
            self._postman.add(lambda: self._post(parcel, url, body, signed))
        else:
            self._call(to, parcel, body, signed)

    def _call(self, handler: Handler, parcel: _Parcel, body: bytes, signed: str) -> None:
        handled = id(sys.exc_info()[1])
        try:
            result = handler(body, signed)
        except Exception as error:  # noqa: BLE001  the exception of a receiver must not affect the call
            if (interrupt := interrupt_behind(error, handled)) is not None:
                raise interrupt from None
            self._record(parcel, body, signed, None, error)
        else:
            status = result if isinstance(result, int) and not isinstance(result, bool) else None
            self._record(parcel, body, signed, status, None)

    def _post(self, parcel: _Parcel, url: LoopbackURL, body: bytes, signed: str) -> None:
        headers = {"Content-Type": CONTENT_TYPES[parcel.subscription.format], "X-Webhook-Signature": signed}
        try:
            self._record(parcel, body, signed, post(url, body, headers), None)
        except (OSError, http.client.HTTPException) as error:
            self._record(parcel, body, signed, None, error)

    def _record(self, parcel: _Parcel, body: bytes, signed: str, status: int | None, error: Exception | None) -> None:
        class_name, event_name, message_id = (text(parcel.header, name) for name in _NAMES)
        if error is not None:
            log(logging.ERROR, "the receiver of %s / %s failed", class_name, event_name, error=error, to=_logger)
        delivery = Delivery(parcel.subscription, class_name, event_name, message_id, body, signed, status, error)
        with self._guard.lock:
            self._deliveries.append(delivery)
