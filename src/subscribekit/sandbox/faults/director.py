"""The director: which request, and which push notification, meets which fault, and how often."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import get_args

from ..._core.config.locks import Guard
from ..billing.rules.changes import Change
from ..http.wire import SandboxRequest
from ..routes import ROUTER
from ..service import Service
from .delivery import DeliveryFault, DeliveryKind
from .matching import Match, Matches, is_class, meant_by, no_request
from .requests import FAULTS, Fault, Result


@dataclass
class FaultRule:
    """A fault that waits for its requests; `fired` counts how often it has happened."""

    match: Match
    fault: Fault | DeliveryFault
    times: int | None
    fired: int = 0
    _meant: Matches = field(default=no_request, repr=False, compare=False)

    @property
    def is_waiting(self) -> bool:
        """Whether it has not happened as often as it shall."""
        return self.times is None or self.fired < self.times

    def meets(self, request: SandboxRequest) -> bool:
        """Tell whether the fault happens to a request."""
        fault = self.fault
        if not isinstance(fault, Fault) or not self._meant(request) or not fault.applies(request):
            return False
        found = ROUTER.find(request) if fault.lists else None
        return not fault.lists or (found is not None and found[0].is_list and found[0].group in fault.lists)

    def concerns(self, change: Change, request: SandboxRequest | None) -> bool:
        """Tell whether the fault happens to the push notification of a change, and of the request that caused it."""
        if not isinstance(self.fault, DeliveryFault):
            return False
        if not is_class(self.match):
            return request is not None and self._meant(request)
        return self.match in (change.class_name, (change.class_name, change.event_name))


class FaultDirector:
    """Decides which request meets which fault."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._rules: list[FaultRule] = []
        self._guard = Guard()

    @property
    def pending(self) -> list[FaultRule]:
        """The rules that have not happened as often as they shall."""
        with self._guard.lock:
            return [rule for rule in self._rules if rule.is_waiting]

    def add(self, match: Match, fault: Fault | DeliveryFault, times: int | None = 1) -> FaultRule:
        """Let a fault happen to the next requests or push notifications that match, in the order of the rules.

        Args:
            match: The requests to meet: a path template (`/payments/{payment}/actions/reverse`; text in
                braces does not count), with a method before it if wanted (`GET /accounts`); the name of an operation
                (`entitlements.charge`, also `gateway.entitlements.charge`); the path of one resource that there is; a
                pair of a method and a part of the path, with an identifier to come behind its resource; or a
                predicate. For `delayed_webhook`, `duplicate_webhook`, and `reordered_webhook` also a class of webhooks
                (`"accounts"`) or a pair of class and event; anything else matches what such requests cause.
            fault: The fault, such as `drop_after_commit()`; see the functions of this module.
            times: How often; `None` means always.

        Raises:
            ValueError: No request can match, the fault cannot happen to those that do, or `times` is not positive.
            TypeError: `match` or `fault` is none.
        """
        if not isinstance(fault, Fault | DeliveryFault):
            raise TypeError(_no_fault(fault))
        if times is not None and (type(times) is not int or times < 1):
            raise ValueError("times must be at least 1, or None for always")
        lists = None if isinstance(fault, DeliveryFault) else fault.lists
        meant = meant_by(match, self._service.store, fault.name, lists)
        rule = FaultRule(match, fault, times, _meant=meant)
        with self._guard.lock:
            self._rules.append(rule)
        return rule

    def clear(self) -> None:
        """Forget all rules."""
        with self._guard.lock:
            self._rules.clear()

    def handle(self, request: SandboxRequest) -> Result:
        """Handle a request, with the fault that waits for it."""
        fault = self._fire(lambda rule: rule.meets(request))
        if not isinstance(fault, Fault):
            return self._service.handle(request)
        since = len(self._service.requests)
        result = fault.act(self._service, request)
        self._service.note(request, since, fault.name, result.status)
        return result

    def of_change(self, change: Change, request: SandboxRequest | None) -> DeliveryFault | None:
        """Return the fault that waits for the push notification of a change."""
        fault = self._fire(lambda rule: rule.concerns(change, request))
        return fault if isinstance(fault, DeliveryFault) else None

    def _fire(self, wanted: Callable[[FaultRule], bool]) -> Fault | DeliveryFault | None:
        with self._guard.lock:
            for rule in self._rules:
                if rule.is_waiting and wanted(rule):
                    rule.fired += 1
                    return rule.fault
        return None


def _no_fault(given: object) -> str:
    """Say what to write in place of what is no fault."""
    name = given if isinstance(given, str) else getattr(given, "__name__", "")
    if name in FAULTS or name in get_args(DeliveryKind):
        return f"write {name}(), with parentheses, of subscribekit.sandbox.faults"
    order = "; the match comes first, then the fault" if isinstance(given, str | tuple) else ""
    return f"the fault must be what a function of this module gives, such as drop_after_commit(), not {given!r}{order}"
