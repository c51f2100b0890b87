"""Decides which fault applies to a request or to a webhook, and counts how often each fault has happened."""

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
from .matching import Match, Matches, is_class, matcher_for, no_request
from .requests import FAULTS, Fault, Result


@dataclass
class FaultRule:
    """A fault, and the requests or webhooks that the fault applies to.

    `fired` counts how often the fault has happened.
    """

    match: Match
    fault: Fault | DeliveryFault
    times: int | None
    fired: int = 0
    _matches: Matches = field(default=no_request, repr=False, compare=False)

    @property
    def is_waiting(self) -> bool:
        """`True` if the fault can still happen, because it has happened fewer than `times` times."""
        return self.times is None or self.fired < self.times

    def meets(self, request: SandboxRequest) -> bool:
        """Return whether the fault applies to a request."""
        fault = self.fault
        if not isinstance(fault, Fault) or not self._matches(request) or not fault.applies(request):
            return False
        found = ROUTER.find(request) if fault.lists else None
        return not fault.lists or (found is not None and found[0].is_list and found[0].group in fault.lists)

    def concerns(self, change: Change, request: SandboxRequest | None) -> bool:
        """Return whether the fault applies to the webhook of a change.

        `request` is the request that caused the change, or `None`.
        """
        if not isinstance(self.fault, DeliveryFault):
            return False
        if not is_class(self.match):
            return request is not None and self._matches(request)
        return self.match in (change.class_name, (change.class_name, change.event_name))


class FaultDirector:
    """Adds faults to a sandbox, and applies them to requests and webhooks."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._rules: list[FaultRule] = []
        self._guard = Guard()

    @property
    def pending(self) -> list[FaultRule]:
        """The rules whose faults can still happen, in the order in which you added the rules."""
        with self._guard.lock:
            return [rule for rule in self._rules if rule.is_waiting]

    def add(self, match: Match, fault: Fault | DeliveryFault, times: int | None = 1) -> FaultRule:
        """Apply a fault to the next matching requests or webhooks.

        If several rules match, the rule that you added first applies.

        Args:
            match: The requests that the fault applies to. Pass a path template, such as
                `/payments/{payment}/actions/reverse`, with any names in the braces. You can write a method before a
                path template, such as `GET /accounts`. You can also pass the name of an operation, such as
                `entitlements.charge` or `gateway.entitlements.charge`, or the path of an existing resource, such as
                `/accounts/acct-0001`. To match all paths that contain a certain part, pass the method and the part as a
                pair, such as `("GET", "/accounts")`. If the part contains the identifier of a resource that doesn't
                exist yet, write the kind of resource before the identifier, such as `("POST", "/accounts/new")`. For
                other conditions, pass a function that accepts a `SandboxRequest` and returns whether the fault applies.

                A fault for webhooks applies to the webhooks that matching requests cause. For a webhook fault, `match`
                can also be a class of webhook events (`"accounts"`), or a pair of a class and an event.
            fault: The fault, such as `drop_after_commit()`.
            times: How often the fault happens. If `times` is `None`, the fault happens to every match.

        Returns:
            The added rule, whose attribute `fired` counts how often the fault has happened.

        Raises:
            ValueError: `match` or `times` is invalid, or the fault can't happen to the matching requests.
            TypeError: `match` or `fault` has the wrong type.
        """
        if not isinstance(fault, Fault | DeliveryFault):
            raise TypeError(_not_a_fault(fault))
        if times is not None and (type(times) is not int or times < 1):
            raise ValueError("times must be a whole number of at least 1, or None to apply the fault to every match")
        lists = None if isinstance(fault, DeliveryFault) else fault.lists
        matches = matcher_for(match, self._service.store, fault.name, lists)
        rule = FaultRule(match, fault, times, _matches=matches)
        with self._guard.lock:
            self._rules.append(rule)
        return rule

    def clear(self) -> None:
        """Remove all rules."""
        with self._guard.lock:
            self._rules.clear()

    def handle(self, request: SandboxRequest) -> Result:
        """Handle a request, and apply the first fault whose rule matches the request."""
        fault = self._fire(lambda rule: rule.meets(request))
        if not isinstance(fault, Fault):
            return self._service.handle(request)
        since = len(self._service.requests)
        result = fault.act(self._service, request)
        self._service.note(request, since, fault.name, result.status)
        return result

    def of_change(self, change: Change, request: SandboxRequest | None) -> DeliveryFault | None:
        """Return the first fault that matches the webhook of a change, or `None`, and count the fault in `fired`."""
        fault = self._fire(lambda rule: rule.concerns(change, request))
        return fault if isinstance(fault, DeliveryFault) else None

    def _fire(self, applies: Callable[[FaultRule], bool]) -> Fault | DeliveryFault | None:
        with self._guard.lock:
            for rule in self._rules:
                if rule.is_waiting and applies(rule):
                    rule.fired += 1
                    return rule.fault
        return None


def _not_a_fault(value: object) -> str:
    """Return the error message for a value that isn't a fault."""
    name = value if isinstance(value, str) else getattr(value, "__name__", "")
    if name in FAULTS or name in get_args(DeliveryKind):
        return f"fault must be a Fault; write {name}() with parentheses, from subscribekit.sandbox.faults"
    order = "; pass the match first, then the fault" if isinstance(value, str | tuple) else ""
    return (
        f"fault must be the result of a function of subscribekit.sandbox.faults, such as drop_after_commit(), "
        f"not {value!r}{order}"
    )
