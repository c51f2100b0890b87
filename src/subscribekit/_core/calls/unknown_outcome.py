"""What is known when it is not known whether a write was carried out, and the error that says it."""

from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar, get_args

from ... import errors
from ...errors import OutcomeUnknownError, Phase, SubscribekitError
from ..operations.operation import Operation
from .error_bodies import escape
from .retry_table import Rule

T = TypeVar("T")

DO_NOT_REPEAT = "Do not send it again, under any transaction id, until the operator says that it was not made."
"""What is said about an unknown charge, wherever it is said."""
NOT_READABLE = frozenset({"custom_data.delete", "partner_subscriptions.cancel"})
"""Writes, besides charges, whose effect no call of the interfaces shows."""

_ORDER: tuple[Phase, ...] = get_args(Phase)


@dataclass(slots=True, eq=False, repr=False)
class UnknownOutcome:
    """What is known of attempts whose effect is not.

    Attributes:
        phase: How far the furthest of them got.
        likely_applied: One of them was answered with a 2xx.
        is_last: The last attempt is one of them.
    """

    phase: Phase
    likely_applied: bool
    is_last: bool


@dataclass(frozen=True, slots=True)
class Sent:
    """What the operator can find a request by.

    Attributes:
        attempts: How many requests were started.
        at: When the last of them was.
        trace_id: The `X-B3-TraceId` that they carried, if any.
        status_code: Status of the last response, if one began.
        request_id: `Request-Id` of the last response, if one began.
    """

    attempts: int
    at: datetime | None
    trace_id: str | None
    status_code: int | None
    request_id: str | None

    def __str__(self) -> str:
        times = "once and not repeated," if self.attempts == 1 else f"{self.attempts} times, the last time"
        at = "" if self.at is None else f" at {self.at.isoformat(timespec='milliseconds')}"
        named = [f"trace id {self.trace_id}"] if self.trace_id else []
        named += [f"request id {escape(self.request_id)[:100]}"] if self.request_id else []
        return f"It was sent {times}{at}" + (f" ({', '.join(named)})" if named else "")


def remember(earlier: UnknownOutcome | None, rule: Rule, phase: Phase) -> UnknownOutcome | None:
    """Keep of an attempt with unknown effect what a later one must not cover."""
    if not rule.is_unknown:
        return None if earlier is None else UnknownOutcome(earlier.phase, earlier.likely_applied, is_last=False)
    likely = rule.meaning == "likely_applied"
    if earlier is None:
        return UnknownOutcome(phase, likely, is_last=True)
    furthest = phase if _ORDER.index(phase) > _ORDER.index(earlier.phase) else earlier.phase
    return UnknownOutcome(furthest, likely or earlier.likely_applied, is_last=True)


def outcome_unknown(
    operation: Operation[T], name: str, cause: SubscribekitError, known: UnknownOutcome, sent: Sent
) -> OutcomeUnknownError:
    """Make the error of a write that may or may not have been carried out."""
    redirect = isinstance(cause, errors.UnexpectedRedirectError)
    kind = errors.RedirectOutcomeUnknownError if redirect else OutcomeUnknownError
    error = kind(_sentence(operation, name, cause, known, sent))
    error.method, error.path_template = operation.method, operation.template
    error.resource_id, error.reconcile_key = operation.resource_id, operation.reconcile_key
    error.original_transaction_id = operation.original_transaction_id
    error.phase, error.likely_applied = known.phase, known.likely_applied or None
    error.sent_at, error.status_code, error.request_id = sent.at, sent.status_code, sent.request_id
    error.__cause__ = cause
    return error


def _sentence(operation: Operation[T], name: str, cause: SubscribekitError, known: UnknownOutcome, sent: Sent) -> str:
    charge = operation.reconcile_by == "transaction_id"
    applied = "may or may not have been carried out"
    if known.likely_applied:
        applied = "was probably carried out, but its answer is unusable"
    why = str(cause).removesuffix(".")
    if not known.is_last:
        why = f"an earlier attempt got no usable answer; the last one: {why}"
    text = f"{name}: The {'charge' if charge else 'request'} {applied}: {why}. {sent}."
    if charge:
        text += f" {DO_NOT_REPEAT}"
    if operation.reconcile_key is not None:
        key = f"{operation.reconcile_by} {operation.reconcile_key!r}"
        text += f" Reconcile by {key} before you decide what to do"
        text += "; no call reads it, so ask the operator." if charge or name in NOT_READABLE else "."
    return text
