"""Builds `OutcomeUnknownError` from the facts about the attempts."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, TypeVar, get_args

from .... import errors
from ...._hints.python_advice import RESOLVE, SUPPORT_DETAILS
from ...._interrupts import is_of_signal
from ....errors import InvalidArgumentError, OutcomeUnknownError, Phase, SubscribekitError
from ...operations.operation import Operation, Safety
from ..moments import Moment
from ..prepared.prepare import prepared_call
from ..prepared.prepared_request import PreparedRequest
from .error_bodies import escape
from .record import MOMENT, record_of
from .retry_table import Rule

T = TypeVar("T")

DO_NOT_REPEAT = (
    "Do not send it again, even with another transaction ID, until the operator confirms that it was not made."
)
"""The warning about an unknown charge, the same everywhere."""
NOT_READABLE = frozenset({"custom_data.delete", "partner_subscriptions.cancel"})
"""Writes, besides charges, whose effect no call of the interfaces shows."""
RECORD: Final = "__subscribekit__"
"""Attribute of an exception that interrupted a call: the `OutcomeUnknownError` that the call would have raised."""

OUTCOME: Final = "__subscribekit_outcome__"
"""Attribute of an exception that interrupted a call whose outcome is known: `rejected` or `not_sent`."""

_DRY_RUN = "It was a dry run, which stores nothing: ask again."
_NO_READ = f"No call reads it, so ask the operator{SUPPORT_DETAILS.text}."
_NAMELESS = f"It named no separate id, so nothing tells it from others like it: ask the operator{SUPPORT_DETAILS.text}."
_ORDER: tuple[Phase, ...] = get_args(Phase)


@dataclass(slots=True, eq=False, repr=False)
class UnknownOutcome:
    """Facts about attempts of unknown effect.

    Attributes:
        phase: How far the furthest of them got.
        likely_applied: One of them got a 2xx.
        is_last: The last attempt is one of them.
    """

    phase: Phase
    likely_applied: bool
    is_last: bool


def told_of_requests(attempts: int, at: datetime | None, trace_id: str | None, request_id: str | None) -> str:
    """Say by what the operator can find the requests of a call.

    Args:
        attempts: How many were started.
        at: When the last of them was.
        trace_id: The `X-B3-TraceId` that they carried, if any.
        request_id: `Request-Id` of the last response, if one began.
    """
    times = "once and not repeated," if attempts == 1 else f"{attempts} times, the last time"
    when = "" if at is None else f" at {at.isoformat(timespec='milliseconds')}"
    named = [f"trace id {trace_id}"] if trace_id else []
    named += [f"request id {escape(request_id)[:100]}"] if request_id else []
    return f"It was sent {times}{when}" + (f" ({', '.join(named)})" if named else "")


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
    operation: Operation[T], name: str, cause: SubscribekitError, known: UnknownOutcome, sent: str
) -> OutcomeUnknownError:
    """Make the error of a write that may or may not have been carried out; `sent` tells of its requests."""
    redirect = isinstance(cause, errors.UnexpectedRedirectError)
    kind = errors.RedirectOutcomeUnknownError if redirect else OutcomeUnknownError
    error = kind(_sentence(operation, name, cause, known, sent))
    _describe(error, operation)
    error.phase, error.likely_applied = known.phase, known.likely_applied or None
    error.__cause__ = cause
    return error


def _describe(error: OutcomeUnknownError, operation: Operation[T]) -> None:
    error.method, error.path_template = operation.method, operation.template
    error.resource_id, error.reconcile_key = operation.resource_id, operation.reconcile_key
    error.original_transaction_id = operation.original_transaction_id


def unknown_after_interrupt(
    operation: Operation[T], name: str, phase: Phase, known: UnknownOutcome | None
) -> OutcomeUnknownError:
    """Make the record that an interrupted write leaves on what interrupted it: a cancellation, Ctrl-C."""
    error = OutcomeUnknownError(
        f"{name}: The call was interrupted, and the request may or may not have been carried out. "
        f"{_what_to_do(operation, name)}"
    ).during(name)
    _describe(error, operation)
    error.phase = phase if known is None or _ORDER.index(phase) > _ORDER.index(known.phase) else known.phase
    error.likely_applied = None if known is None else known.likely_applied or None
    return error


def end_of(error: SubscribekitError, operation: Operation[T]) -> str:
    """Say for a log how a call ended; and, if unknown, the reconcile key."""
    key = f", reconcile by {operation.reconcile_key!r}" if error.outcome == "unknown" else ""
    return f"{type(error).__name__} ({error.outcome}){key}"


BY_RECORD: Final = f"; client.resolve(error) looks what became of it, by the record error.{RECORD}"
"""Ends the note of an interrupted call."""


def mark(error: BaseException, record: OutcomeUnknownError) -> None:
    """Leave the record of a call on what ended it; that of an inner call stays.

    One exception object may interrupt several calls: the record of an earlier call says nothing of this one.
    """
    there: object = vars(error).get(RECORD)
    began = _moment(record)
    if not isinstance(there, OutcomeUnknownError) or _began_before(there, record.sent_at, began):
        vars(error)[RECORD] = record


def mark_known(
    error: BaseException, outcome: errors.Outcome, sent_at: datetime | None, began: float | None = None
) -> None:
    """Leave the known outcome of a call on what ended it; the record of an inner call stays.

    Args:
        error: The exception that ended the call.
        outcome: The outcome of the call.
        sent_at: When its last attempt began, by the time of day.
        began: The same by the monotonic clock.
    """
    there: object = vars(error).get(RECORD)
    if isinstance(there, OutcomeUnknownError) and sent_at is not None and _began_before(there, sent_at, began):
        del vars(error)[RECORD]
    vars(error)[OUTCOME] = outcome


def _moment(record: OutcomeUnknownError) -> float | None:
    found = Moment.of(dict(record.record).get(MOMENT))
    return None if found is None else found.monotonic


def _began_before(record: OutcomeUnknownError, sent_at: datetime | None, began: float | None) -> bool:
    """Whether a recorded call began before another one, by the monotonic clock if both times are known."""
    there = _moment(record)
    if there is not None and began is not None:
        return there < began
    first = datetime.min.replace(tzinfo=UTC)
    return (record.sent_at or first) < (sent_at or first)


def recorded(error: BaseException) -> OutcomeUnknownError | None:
    """Find the unknown outcome that an exception is, carries, or was raised from.

    An error of this package whose outcome is known says nothing of the call that its context may hold.
    """
    seen: list[BaseException] = []
    here: BaseException | None = error
    while here is not None and here not in seen:
        found: object = here if isinstance(here, OutcomeUnknownError) else vars(here).get(RECORD)
        if isinstance(found, OutcomeUnknownError):
            return found
        if isinstance(here, SubscribekitError) or OUTCOME in vars(here):
            return None
        seen.append(here)
        here = _came_from(here)
    return None


def _came_from(error: BaseException) -> BaseException | None:
    """Return what an exception was raised from; `None` if its context may belong to another call.

    An interrupt while an error is on its way to the caller has the error as its context: Ctrl-C in an event loop
    cancels the call, and asyncio raises KeyboardInterrupt in the handler of that. The `TimeoutError` of
    `anyio.fail_after`, and of `asyncio.timeout` in the first releases of Python 3.11, has the cancellation as its
    context (H440).
    """
    cause, context = error.__cause__, error.__context__
    if cause is not None or context is None:
        return cause
    is_timeout = type(error) is TimeoutError and not isinstance(context, Exception)
    return context if is_timeout or not isinstance(error, Exception) or is_of_signal(error) else None


def unknown_after_crash(request: PreparedRequest[T], sent_at: datetime) -> OutcomeUnknownError:
    """Make the error of a request that a process sent before it died.

    Args:
        request: The prepared request that `client.send` sent.
        sent_at: When it was sent at the latest, with a time zone: the time that was stored before sending.

    Raises:
        InvalidArgumentError: The request is a read or was built by hand, or the time has no zone.
    """
    prepared = prepared_call(request)
    if prepared is None or prepared.operation.safety is Safety.READ:
        raise InvalidArgumentError("only a write that client.prepare prepared has an unknown outcome")
    if sent_at.tzinfo is None:
        raise InvalidArgumentError("sent_at must have a time zone")
    name = request.operation
    error = OutcomeUnknownError(
        f"{name}: The process that sent the request ended before its response was kept; it may or may not have been "
        f"carried out. {_what_to_do(prepared.operation, name)}"
    ).during(name)
    _describe(error, prepared.operation)
    error.attempts, error.sent_at = 1, sent_at.astimezone(UTC)
    error.trace_id = None if prepared.trace is None else prepared.trace.trace_id
    error.record = record_of(prepared.operation, prepared)
    return error


def _sentence(operation: Operation[T], name: str, cause: SubscribekitError, known: UnknownOutcome, sent: str) -> str:
    charge = operation.reconcile_by == "transaction_id"
    applied = "may or may not have been carried out"
    if known.likely_applied:
        applied = "was probably carried out, but its response is unusable"
    why = str(cause).removesuffix(".")
    if not known.is_last:
        why = f"an earlier attempt got no usable response; the last one: {why}"
    text = f"{name}: The {'charge' if charge else 'request'} {applied}: {why}. {sent}."
    return f"{text} {_what_to_do(operation, name)}"


def _what_to_do(operation: Operation[T], name: str) -> str:
    if operation.is_dry_run:
        return _DRY_RUN
    charge, key = operation.reconcile_by == "transaction_id", operation.reconcile_key
    if operation.safety is Safety.MONEY and key is None:
        return f"{DO_NOT_REPEAT} {_NAMELESS}"
    told = [DO_NOT_REPEAT] if charge else []
    if key is not None:
        told.append(f"Reconcile by {operation.reconcile_by} {key!r} before you decide what to do.")
    return " ".join([*told, _NO_READ if charge or name in NOT_READABLE else RESOLVE.text])
