"""Carries out the steps that become due over time, such as bills, retries, and expirations.

The published samples document the following steps. When the service of a subscription that is `Pending Cancel` ends,
the subscription becomes `Cancelled`. After the last period of a plan, the subscription is `Expired` and its billing is
completed. A subscription whose start is in the future begins at its start time. The service retries a declined charge.
The service sends refunds in batches, and then sets their status to `Complete`. When the offer period of a campaign is
over, the campaign becomes `Complete`.

The sandbox assumes that a subscription ends if a charge is still unpaid at the end of the grace period. A subscription
that ends because of an unpaid charge has the service's reason code 5 (ended for non-payment) and the billing state
`Failed To Collect`. The sandbox assumes that a refund becomes `Complete` after one day. The sandbox carries out only
the steps that this docstring describes. For example, a subscription that is paid by direct debit stays `Processing`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from operator import itemgetter
from typing import TypeAlias

from ...settings import Settings
from ...store import Store
from ...values import Document, documents, later, nested, text, timestamp, whole
from .credit import lines_due
from .cycle import bill_again, open_billing, plan_of, retry
from .ledger import capture_now, method_of
from .pricing import period_at, total

REFUND_TIME = timedelta(days=1)
Step: TypeAlias = Callable[[], None]
_Due: TypeAlias = tuple[datetime, str, Step]
"""The time when a step is due, the vid of the resource that the step changes, and the step."""


def catch_up(
    store: Store,
    now: datetime,
    settings: Settings,
    done: Callable[[datetime], None],
    failed: Callable[[datetime, Exception], None],
) -> None:
    """Carry out all steps that are due, starting with the step that was due first.

    Args:
        store: The store whose documents the steps change.
        now: The sandbox's current time.
        settings: The merchant's settings.
        done: A function that is called after each successful step, with the time of the step.
        failed: A function that is called after each failed step, with the time of the step and the error. After a
            failed step, the sandbox carries out no more steps for the same resource, because the step would fail again
            in every later call.
    """
    while (due := min(_upcoming(store, settings), key=itemgetter(0), default=None)) is not None and due[0] <= now:
        at, vid, step = due
        try:
            step()
        except Exception as error:  # noqa: BLE001  a failed step must not break later calls (H470)
            store.stuck.add(vid)
            failed(at, error)
        else:
            done(at)


def _upcoming(store: Store, settings: Settings) -> Iterator[_Due]:
    for at, vid, step in _all_upcoming(store, settings):
        if vid not in store.stuck:
            yield at, vid, step


def _all_upcoming(store: Store, settings: Settings) -> Iterator[_Due]:
    for subscription in store["subscriptions"]:
        vid = text(subscription, "vid")
        yield from ((at, vid, step) for at, step in _of_subscription(store, subscription, settings))
    for refund in store["refunds"]:
        created = timestamp(refund, "created")
        if created is not None and text(refund, "status") == "Processing":
            yield created + REFUND_TIME, text(refund, "vid"), _setting(refund, status="Complete")
    for vid, captured in store.uncaptured.items():
        yield captured, vid, _capturing(store, vid, captured)
    for campaign in store["campaigns"]:
        ends = timestamp(campaign, "offer_end_date")
        if ends is not None and text(campaign, "state") == "Active":
            yield later(ends, timedelta(seconds=1)), text(campaign, "vid"), _setting(campaign, state="Complete")


def _of_subscription(store: Store, subscription: Document, settings: Settings) -> Iterator[tuple[datetime, Step]]:
    def doing(step: Callable[[Store, Document, datetime, Settings], None], at: datetime) -> tuple[datetime, Step]:
        return at, lambda: step(store, subscription, at, settings)

    begins, upcoming, again, ends = (timestamp(subscription, name) for name in ("_begins", "_next", "_retry", "ends"))
    status = text(subscription, "status")
    if begins is not None:
        yield doing(_begin, begins)
    if status == "Pending Cancel" and ends is not None:
        yield ends, _setting(subscription, status="Cancelled")
    unpaid = text(subscription, "billing_state") == "In Retry"
    if unpaid and ends is not None and status == "Active":
        yield doing(_give_up, ends)
    if again is not None and (ends is None or again <= ends):
        yield doing(retry, again)
    if upcoming is not None:
        runs = period_at(plan_of(store, subscription), whole(subscription, "_cycle")) is not None
        yield doing(bill_again if runs else _expire, upcoming)


def _capturing(store: Store, vid: str, at: datetime) -> Step:
    return lambda: capture_now(store, store["transactions"].find(vid) or {"vid": vid}, at)


def _setting(document: Document, **fields: str) -> Step:
    return lambda: document.update(fields)


def _begin(store: Store, subscription: Document, at: datetime, settings: Settings) -> None:
    """Start a subscription at its start time. If the card is declined, schedule a retry of the charge."""
    subscription.pop("_begins")
    if method_of(store, subscription) is None and total(lines_due(store, subscription, at)) > 0:
        return
    retries: Document = {"immediate_auth_failure_policy": "putAutoBillInRetryCycle"}
    subscription["_policy"] = nested(subscription, "_policy") | retries
    open_billing(store, subscription, at, settings)


def _give_up(store: Store, subscription: Document, at: datetime, settings: Settings) -> None:  # noqa: ARG001  a step
    for name in ("_next", "_retry"):
        subscription.pop(name, None)
    subscription |= {
        "status": "Cancelled",
        "billing_state": "Failed To Collect",
        "cancel_reason": {"object": "CancelReason", "reason_code": "5", "description": "Ended for non-payment"},
    }
    _end_items(subscription, at)


def _expire(store: Store, subscription: Document, at: datetime, settings: Settings) -> None:  # noqa: ARG001  a step
    subscription.pop("_next")
    subscription |= {"status": "Expired", "billing_state": "Billing Completed", "ends": at, "entitled_through": at}
    _end_items(subscription, at)


def _end_items(subscription: Document, at: datetime) -> None:
    for item in documents(subscription, "items"):
        item.setdefault("ends", at)
