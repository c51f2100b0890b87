"""Decides whether a subscription entitles its customer at a given time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NoReturn, Protocol

from .._datetimes import is_time

_SERVING = frozenset({"Active", "Pending Cancel", "Pending Pause"})
_NOT_SERVING = {
    "Pending Activation": "the subscription has not begun",
    "Cancelled": "the subscription is cancelled",
    "Expired": "the subscription has expired",
    "Deleted": "the subscription is deleted",
    "Dryrun": "the subscription was only tried out and does not exist",
    "Upgraded": "the subscription was replaced by another one",
    "Paused": "the subscription is paused",
}
_PAID_OR_FREE = frozenset(
    {"Good Standing", "Free/Trial", "Free Period", "Billing Completed", "Unbilled", "Pending Pause", "Pending Resume"}
)
# A payment is missing, but the customer is entitled until a date in the response.
_ON_GRACE = frozenset({"Grace Period", "In Retry", "Overdue", "Unusable PaymentMethod"})
_DECIDING = ("status", "billing_state", "starts", "ends", "entitled_through")


@dataclass(frozen=True)
class EntitlementDecision:
    """Whether a subscription entitles its customer at a given time, and why."""

    decision: Literal["yes", "no", "unknown"]
    """`yes`, `no`, or `unknown` if the received data isn't enough to decide."""
    reason: str
    """The deciding fact, or the missing one."""

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "an EntitlementDecision is neither true nor false: write .decision == 'yes' (it may be 'unknown')"
        )


class _Preview(Protocol):
    """The next bill of a subscription."""

    @property
    def created(self) -> datetime | None: ...


class _Subscription(Protocol):
    """The fields of a subscription that the decision uses."""

    @property
    def status(self) -> str | None: ...
    @property
    def billing_state(self) -> str | None: ...
    @property
    def starts(self) -> datetime | None: ...
    @property
    def ends(self) -> datetime | None: ...
    @property
    def entitled_through(self) -> datetime | None: ...
    @property
    def next_billing(self) -> _Preview | None: ...
    @property
    def unparsed_fields(self) -> frozenset[str]: ...


def decide(subscription: _Subscription, at: datetime) -> EntitlementDecision:
    """Return the decision by status and dates. If a fact is missing or contradictory, it's `unknown`."""
    given: object = at
    if not is_time(given):
        raise TypeError(
            f"`at` must be a datetime such as datetime.now(UTC) or datetime(2026, 3, 5, tzinfo=UTC), not "
            f"{type(given).__name__}"
        )
    if at.utcoffset() is None:
        raise ValueError("`at` has no time zone: use an aware datetime")
    unreadable = [name for name in _DECIDING if name in subscription.unparsed_fields]
    if unreadable:
        return EntitlementDecision("unknown", f"the received {unreadable[0]} could not be read")
    decided = _by_dates(subscription, at)
    return _by_status(subscription) if decided is None else decided


def _by_dates(subscription: _Subscription, at: datetime) -> EntitlementDecision | None:
    starts, ends, through = subscription.starts, subscription.ends, subscription.entitled_through
    for name, moment in (("starts", starts), ("ends", ends), ("entitled_through", through)):
        if moment is not None and moment.utcoffset() is None:
            return EntitlementDecision("unknown", f"{name} has no time zone")
    paid = through or ends
    if subscription.next_billing is not None and paid is not None and at >= paid:
        due = subscription.next_billing.created
        told = "" if due is None else f" at {due.isoformat()}"
        renewing = f"as it was read, it is paid and in grace only through {paid.isoformat()}; it is billed again{told}"
        return EntitlementDecision("no", f"{renewing}: read it again then")
    if starts is not None and at < starts:
        return EntitlementDecision("no", f"the subscription starts at {starts.isoformat()}")
    if ends is not None and at >= ends:
        return EntitlementDecision("no", f"the subscription ended at {ends.isoformat()}")
    if through is not None and at >= through:
        return EntitlementDecision("no", f"the subscription is paid and in grace only through {through.isoformat()}")
    return None


def _by_status(subscription: _Subscription) -> EntitlementDecision:
    status = subscription.status
    if status is None:
        return EntitlementDecision("unknown", "the status was not received")
    if status in _NOT_SERVING:
        return EntitlementDecision("no", _NOT_SERVING[status])
    if status not in _SERVING:
        return EntitlementDecision("unknown", f"the status {status!r} does not tell")
    return _by_billing_state(subscription, status)


def _by_billing_state(subscription: _Subscription, status: str) -> EntitlementDecision:
    state = subscription.billing_state
    if state is None:
        return EntitlementDecision("yes", f"the status is {status!r}; the billing state was not received")
    if state in _PAID_OR_FREE:
        return EntitlementDecision("yes", f"the status is {status!r} and the billing state {state!r}")
    if state in _ON_GRACE:
        through = subscription.entitled_through or subscription.ends
        if through is None:
            return EntitlementDecision("unknown", f"the billing state is {state!r} and no end of grace was received")
        return EntitlementDecision("yes", f"the billing state is {state!r}, with grace through {through.isoformat()}")
    return EntitlementDecision("unknown", f"the status is {status!r}, but the billing state {state!r} does not agree")
