"""The push notifications of a sandbox as its users hold them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from ..billing.rules.changes import CLASSES
from .dispatch import Dispatch
from .messages import CONTENT_TYPES, Format
from .post import loopback_url
from .receivers import Delivery, Handler, Subscription


class Webhooks:
    """The push notifications of a sandbox; `Sandbox.webhooks`.

    `subscribekit.sandbox.webhooks` lists the messages of each event. A message is sent when the call that caused the
    event is done, before its response is given: a lost response loses no event. `Sandbox.reset` ends all subscriptions.
    """

    def __init__(self, dispatch: Dispatch) -> None:
        self._dispatch = dispatch

    def __repr__(self) -> str:
        return f"<{type(self).__name__} deliveries={len(self.deliveries)}>"

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
                after it; its exceptions are logged and kept in `deliveries`, and affect no call. A URL is posted to in
                its own thread; a call waits for it for two seconds at most, see `wait`.
            key: The key that signs messages.
            classes: Classes of events, such as `["autobills", "transactions"]`; all when left out.
            format: `json` or `urlencoded`.

        Raises:
            ValueError: The key is empty, a class does not exist, or the URL is not on this machine.
            TypeError: `to` is a coroutine function, which would not be awaited, one that takes other arguments, or no
                function at all.
        """
        if not isinstance(key, str) or not key.strip() or not key.isprintable():
            raise ValueError("the key must be a printable text that is not empty")
        if format not in CONTENT_TYPES:
            raise ValueError(f"format must be one of {', '.join(CONTENT_TYPES)}")
        chosen = frozenset(CLASSES if classes is None else [classes] if isinstance(classes, str) else classes)
        if not chosen or not chosen <= set(CLASSES):
            near = "; 'autobills' are the subscriptions" if {"subscription", "subscriptions"} & chosen else ""
            raise ValueError(f"classes must be some of {', '.join(CLASSES)}{near}")
        if not isinstance(to, str) and not callable(to):
            raise TypeError("messages go to a function or to a URL")
        if inspect.iscoroutinefunction(to) or inspect.iscoroutinefunction(getattr(to, "__call__", None)):  # noqa: B004
            raise TypeError("a coroutine function is not awaited here; give a plain one, or the URL of the application")
        if isinstance(to, str):
            loopback_url(to)
        elif not _takes_two(to):
            raise TypeError("the function is given the raw body and the signature: def handler(body, signature)")
        made = Subscription(to, key, chosen, format)
        self._dispatch.add(made)
        return made

    def unsubscribe(self, subscription: Subscription) -> None:
        """Send nothing more to a receiver, also nothing that is held back."""
        self._dispatch.remove(subscription)

    @property
    def deliveries(self) -> list[Delivery]:
        """The messages that were sent, oldest first."""
        return self._dispatch.deliveries

    def release(self) -> None:
        """Send at once what faults hold back, the oldest first."""
        self._dispatch.release()

    def wait(self, seconds: float = 10.0) -> bool:
        """Wait until everything that goes to URLs is posted; tell whether it is."""
        return self._dispatch.wait(seconds)


def _takes_two(to: Handler) -> bool:
    """Tell whether a function can be called with a body and a signature, as far as it says what it takes."""
    try:
        inspect.signature(to).bind(b"", "")
    except TypeError:
        return False
    except ValueError:  # of a built-in one that does not say
        return True
    return True
