"""The class `Webhooks`, which sends a sandbox's webhooks to the receivers of the application."""

from __future__ import annotations

import inspect
from collections.abc import Iterable

from ..billing.rules.changes import CLASSES
from .dispatch import Dispatch
from .messages import CONTENT_TYPES, Format
from .post import loopback_url
from .receivers import Delivery, Handler, Subscription


class Webhooks:
    """The object `Sandbox.webhooks`, which sends the webhooks of a sandbox.

    The documentation of `subscribekit.sandbox.webhooks` lists the events. The sandbox sends a webhook before it returns
    the response of the call that caused the event. If the response is lost, the webhook is still sent. `Sandbox.reset`
    removes all receivers.
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
        """Add a receiver, to which the sandbox sends signed webhooks for all events from now on.

        Args:
            to: A function that accepts the raw body and the signature, or a URL on this machine, such as
                `http://127.0.0.1:8000/hooks`. The sandbox calls the function in the thread of the call that caused the
                event, after the sandbox has carried out the call. The sandbox logs the function's exceptions and stores
                them in `deliveries`. The function's exceptions don't affect the call. The sandbox posts webhooks to a
                URL in a separate thread, and the call that caused the event waits at most two seconds for the receiver;
                see `wait`.
            key: The key that signs the webhooks.
            classes: Classes of events, such as `["autobills", "transactions"]`. The default is all classes.
            format: The format of the body: `json` or `urlencoded`.

        Returns:
            The receiver, which you can pass to `unsubscribe`.

        Raises:
            ValueError: `key` is empty or not printable, a class doesn't exist, `format` is unknown, or the URL isn't on
                this machine.
            TypeError: `to` is neither a URL nor a function, is a coroutine function, or doesn't accept two arguments.
        """
        if not isinstance(key, str) or not key.strip() or not key.isprintable():
            raise ValueError("key must be a printable string that isn't empty")
        if format not in CONTENT_TYPES:
            raise ValueError(f"format must be one of {', '.join(CONTENT_TYPES)}")
        chosen = frozenset(CLASSES if classes is None else [classes] if isinstance(classes, str) else classes)
        if not chosen or not chosen <= set(CLASSES):
            hint = "; for subscriptions, write 'autobills'" if {"subscription", "subscriptions"} & chosen else ""
            raise ValueError(f"classes must contain only {', '.join(CLASSES)}{hint}")
        if not isinstance(to, str) and not callable(to):
            raise TypeError(f"to= must be a function or a URL, not {type(to).__name__}")
        if inspect.iscoroutinefunction(to) or inspect.iscoroutinefunction(getattr(to, "__call__", None)):  # noqa: B004
            raise TypeError("to= can't be a coroutine function; pass a regular function or the URL of your application")
        if isinstance(to, str):
            loopback_url(to)
        elif not _accepts_two_arguments(to):
            raise TypeError("to must accept the raw body and the signature; write def handler(body, signature)")
        subscription = Subscription(to, key, chosen, format)
        self._dispatch.add(subscription)
        return subscription

    def unsubscribe(self, subscription: Subscription) -> None:
        """Remove a receiver, and drop the webhooks that wait to be sent to this receiver."""
        self._dispatch.remove(subscription)

    @property
    def deliveries(self) -> list[Delivery]:
        """The webhooks that the sandbox has sent, oldest first."""
        return self._dispatch.deliveries

    def release(self) -> None:
        """Send the webhooks that faults have delayed, oldest first."""
        self._dispatch.release()

    def wait(self, seconds: float = 10.0) -> bool:
        """Wait until the sandbox has posted all webhooks that have a URL as their destination.

        Args:
            seconds: The maximum time to wait, in seconds.

        Returns:
            `True` if the sandbox has posted all webhooks to URLs, or `False` if the time passed first.
        """
        return self._dispatch.wait(seconds)


def _accepts_two_arguments(to: Handler) -> bool:
    """Return whether a function accepts a body and a signature.

    If the parameters of the function are unknown, the result is `True`.
    """
    try:
        inspect.signature(to).bind(b"", "")
    except TypeError:
        return False
    except ValueError:  # some built-in functions have no signature
        return True
    return True
