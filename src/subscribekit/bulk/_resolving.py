"""From an item whose outcome is unknown to a verdict, and from a verdict to what the ledger says. No I/O."""

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
from ._ledger.records import about_item, error_of, kept_result, plain
from ._values import State

Values: TypeAlias = dict[str, object]


@dataclass(frozen=True, slots=True)
class Resolved:
    """How many items have which verdict.

    Attributes:
        applied: Carried out, and `done` now.
        in_effect: Their request is in effect; `done` now.
        not_applied: Not carried out, and `ready` now.
        undecided: No read can tell; `unknown` as before. Their `note` is for the operator.
        changed: Another process recorded or resolved them meanwhile.
    """

    applied: int = 0
    in_effect: int = 0
    not_applied: int = 0
    undecided: int = 0
    changed: int = 0


def unknown_of(entry: Entry, request: PreparedRequest[object]) -> OutcomeUnknownError:
    """Return the error of an item whose outcome is unknown, as its call raised it or would have raised it."""
    found = None
    if entry.error_type is not None:
        found = error_of(entry.error_type, entry.error_text or "", entry.error)
        if isinstance(found, OutcomeUnknownError):
            return found
    error = unknown_after_crash(request, datetime.fromtimestamp(entry.sent_at or entry.added_at, UTC))
    # A process that died, or was held up, may have sent it at any time until its lease ended (H403).
    error.record += ((MOMENT, entry.claimed or ""), (LATEST, entry.expired or ""))
    error.trace_id, error.request_id, error.__cause__ = entry.trace_id, entry.request_id, found
    about_item(error)
    return error


def counted_from(unknown_sends: Mapping[int, int], clock: Clock) -> Callable[[Entry], float]:
    """Return a function that says from when the age of an item counts, if no clock shows when it was sent (H403).

    All items that are `unknown` now count from now. An item that turns `unknown` later counts from its own reads.

    Args:
        unknown_sends: How often each item that is `unknown` now was sent.
        clock: The client's clock.
    """
    begun = clock.monotonic()
    return lambda entry: begun if unknown_sends.get(entry.id) == entry.sends else clock.monotonic()


def said_by(entry: Entry, verdict: Verdict, now: float) -> Values:
    """Return the columns of an item after a verdict."""
    if verdict.state == "undecided":
        return {"note": plain(f"{verdict.evidence} {verdict.support_details}")}
    state: State = "ready" if verdict.state == "not_applied" else "done"
    return known_outcome(state, verdict.state, plain(verdict.evidence), now, kept_result(entry.shape, verdict.result))


def known_outcome(state: State, verdict: str, note: str | None, now: float, result: Content | None) -> Values:
    """Return the columns of an item whose outcome is known, by a verdict or by a person."""
    known: Values = {"state": state, "verdict": verdict, "note": note, "due": 0}
    return known | ({"tries": 0, "ended_at": None} if state == "ready" else {"ended_at": now, "result": result})
