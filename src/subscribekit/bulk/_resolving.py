"""Builds the errors of items with an unknown outcome, and the columns that a verdict changes. Does no I/O."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias

from .._core.calls.outcomes.record import LATEST, MOMENT
from .._core.calls.outcomes.unknown_outcome import unknown_after_crash
from .._core.calls.prepared.prepared_request import PreparedRequest
from .._core.config.clock import Clock
from .._core.resolving.verdict import Verdict
from .._sealed import Content
from ..errors import OutcomeUnknownError
from ._ledger.entries import Entry
from ._ledger.records import error_of, kept_result, plain, with_run_advice
from ._values import State

Values: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class Resolved:
    """The number of items with each verdict.

    Attributes:
        applied: Items that were carried out and are now `done`.
        in_effect: Items that are now `done`, because their requested state is in effect, whatever caused the state.
        not_applied: Items that were not carried out and are now `ready`.
        undecided: Items that stay `unknown`, because reads can't determine the outcome. The `note` of each item
            contains the details for the operator.
        changed: Items that another caller or process changed while this run resolved them.
    """

    applied: int = 0
    in_effect: int = 0
    not_applied: int = 0
    undecided: int = 0
    changed: int = 0


def unknown_of(entry: Entry, request: PreparedRequest[object]) -> OutcomeUnknownError:
    """Return the error of an item whose outcome is unknown, even if the process died before it raised the error."""
    found = None
    if entry.error_type is not None:
        found = error_of(entry.error_type, entry.error_text or "", entry.error)
        if isinstance(found, OutcomeUnknownError):
            return found
    error = unknown_after_crash(request, datetime.fromtimestamp(entry.sent_at or entry.added_at, UTC))
    # The process died or stalled, so it may have sent the request at any time until its lease ended (H403).
    error.record += ((MOMENT, entry.claimed or ""), (LATEST, entry.expired or ""))
    error.trace_id, error.request_id, error.__cause__ = entry.trace_id, entry.request_id, found
    with_run_advice(error)
    return error


def counting_start(unknown_sends: Mapping[int, int], clock: Clock) -> Callable[[Entry], float]:
    """Return a function that returns the time from which `resolve` counts the age of an item (H403).

    A run uses the returned function if no clock can measure how long ago the item was sent. The times are those of the
    client's monotonic clock.

    If the item was already `unknown` when `resolve` started, its age starts at the start of `resolve`. If the item
    became `unknown` later, its age starts when `resolve` reads the item.

    Args:
        unknown_sends: The number of times that each `unknown` item was sent, by item ID.
        clock: The client's clock.
    """
    started_at = clock.monotonic()
    return lambda entry: started_at if unknown_sends.get(entry.id) == entry.sends else clock.monotonic()


def columns_after(entry: Entry, verdict: Verdict, now: float) -> Values:
    """Return the columns that a verdict changes, with their new values."""
    if verdict.state == "undecided":
        return {"note": plain(f"{verdict.evidence} {verdict.support_details}")}
    state: State = "ready" if verdict.state == "not_applied" else "done"
    return known_outcome(state, verdict.state, plain(verdict.evidence), now, kept_result(entry.shape, verdict.result))


def known_outcome(state: State, verdict: str, note: str | None, now: float, result: Content | None) -> Values:
    """Return the new values of the columns when a verdict or `record_outcome` determines the outcome of an item."""
    known: Values = {"state": state, "verdict": verdict, "note": note, "due": 0}
    return known | ({"tries": 0, "ended_at": None} if state == "ready" else {"ended_at": now, "result": result})
