"""Hooks are functions of your application that the SDK calls when it sends a request, gets a response, or retries.

    from subscribekit import BillingClient
    from subscribekit.hooks import Hooks, ResponseEvent

    def measure(event: ResponseEvent) -> None:
        print(event.request.call.operation, event.status_code, event.elapsed)

    client = BillingClient(environment="sandbox", observers=[Hooks(on_response=measure)])

If a hook raises an exception, the SDK logs the exception and continues. To receive events for which there are no hooks,
derive a class from `Observer`.
"""

from ._core.calls.telemetry.observers import Hooks
from ._core.config.observer import CallInfo, CallObserver, Observer, RequestEvent, ResponseEvent, RetryEvent
from ._public import publish

__all__ = ["CallInfo", "CallObserver", "Hooks", "Observer", "RequestEvent", "ResponseEvent", "RetryEvent"]

publish(__name__, CallInfo, CallObserver, Hooks, Observer, RequestEvent, ResponseEvent, RetryEvent)
