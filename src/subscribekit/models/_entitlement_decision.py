"""Decides whether a subscription entitles its customer at a given time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NoReturn, Protocol

from .._datetimes import is_time

_SERVING = frozenset({"Active", "Pending Cancel", "Pending Pause"})
_NOT_SERVING = {
    "Pending Activation": "the subscription hasn't started",
    "Cancelled": "the subscription is canceled",
    "Expired": "the subscription has expired",
    "Deleted": "the subscription is deleted",
    "Dryrun": "the subscription is the result of a dry run and doesn't exist",
    "Upgraded": "another subscription replaced this subscription",
    "Paused": "the subscription is paused",
}
_PAID_OR_FREE = frozenset(
    {"Good Standing", "Free/Trial", "Free Period", "Billing Completed", "Unbilled", "Pending Pause", "Pending Resume"}
)
# In these billing states, a payment is missing, but the customer stays entitled until a date in the response.
_ON_GRACE = frozenset({"Grace Period", "In Retry", "Overdue", "Unusable PaymentMethod"})
_DECIDING = ("status", "billing_state", "starts", "ends", "entitled_through")


@dataclass(frozen=True)
class EntitlementDecision:
    """The decision whether a subscription entitles its customer at a given time, and the reason for the decision."""

    decision: Literal["yes", "no", "unknown"]
    """`yes`, `no`, or `unknown` if the received data isn't enough to decide."""
    reason: str
    """The fact that determines the decision, or the fact that is missing."""

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "an EntitlementDecision has no truth value; write .decision == 'yes', which is false for 'unknown'"
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
    """Decide from dates and status whether a subscription entitles its customer at a given time.

    The decision is `unknown` if facts are missing or conflict.
    """
    given: object = at
    if not is_time(given):
        raise TypeError(
            f"the argument at must be a datetime, such as datetime.now(UTC) or datetime(2026, 3, 5, tzinfo=UTC), not "
            f"{type(given).__name__}"
        )
    if at.utcoffset() is None:
        raise ValueError("the argument at must have a time zone; write datetime.now(UTC), or .replace(tzinfo=UTC)")
    unreadable = [name for name in _DECIDING if name in subscription.unparsed_fields]
    if unreadable:
        return EntitlementDecision("unknown", f"the received {unreadable[0]} can't be parsed")
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
        when = "" if due is None else f" at {due.isoformat()}"
        reason = (
            f"in this response, the paid time and the grace period end at {paid.isoformat()}; the next bill is "
            f"due{when}, so retrieve the subscription again after it"
        )
        return EntitlementDecision("no", reason)
    if starts is not None and at < starts:
        return EntitlementDecision("no", f"the subscription starts at {starts.isoformat()}")
    if ends is not None and at >= ends:
        return EntitlementDecision("no", f"the subscription ended at {ends.isoformat()}")
    if through is not None and at >= through:
        return EntitlementDecision("no", f"the paid time and the grace period ended at {through.isoformat()}")
    return None


def _by_status(subscription: _Subscription) -> EntitlementDecision:
    status = subscription.status
    if status is None:
        return EntitlementDecision("unknown", "the response has no status")
    if status in _NOT_SERVING:
        return EntitlementDecision("no", _NOT_SERVING[status])
    if status not in _SERVING:
        return EntitlementDecision("unknown", f"the status {status!r} doesn't say whether the subscription is served")
    return _by_billing_state(subscription, status)


def _by_billing_state(subscription: _Subscription, status: str) -> EntitlementDecision:
    state = subscription.billing_state
    if state is None:
        return EntitlementDecision("yes", f"the status is {status!r}; the response has no billing_state")
    if state in _PAID_OR_FREE:
        return EntitlementDecision("yes", f"the status is {status!r}, and the billing_state is {state!r}")
    if state in _ON_GRACE:
        through = subscription.entitled_through or subscription.ends
        if through is None:
            return EntitlementDecision(
                "unknown", f"the billing_state is {state!r}, but the response has no end of the grace period"
            )
        return EntitlementDecision(
            "yes", f"the billing_state is {state!r}, and the grace period ends at {through.isoformat()}"
        )
    return EntitlementDecision(
        "unknown", f"the status {status!r} and the billing_state {state!r} contradict each other"
    )
