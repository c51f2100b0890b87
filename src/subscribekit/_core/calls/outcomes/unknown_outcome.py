"""Creates `OutcomeUnknownError` from the facts about a call's attempts."""

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
"""The warning about a charge with an unknown outcome, in the same words in every message and on every page."""
NOT_READABLE = frozenset({"custom_data.delete", "partner_subscriptions.cancel"})
"""Writes, other than charges, whose effect can't be read with any call."""
RECORD: Final = "__subscribekit__"
"""The attribute that stores the `OutcomeUnknownError` of a call on the exception that interrupted the call."""

OUTCOME: Final = "__subscribekit_outcome__"
"""The attribute that stores the known outcome of a call on the exception that interrupted the call."""

_DRY_RUN = "It was a dry run, which stores nothing, so you can make the call again."
_NO_READ = f"No read can show whether it was carried out, so ask the operator{SUPPORT_DETAILS.text}."
_NO_ID = (
    f"The request has no ID of its own, so reads can't distinguish it from similar requests. Ask the operator"
    f"{SUPPORT_DETAILS.text}."
)
_ORDER: tuple[Phase, ...] = get_args(Phase)


@dataclass(slots=True, eq=False, repr=False)
class UnknownOutcome:
    """Facts about the attempts of a call whose outcome is unknown.

    Attributes:
        phase: The furthest phase that an attempt with an unknown outcome reached.
        likely_applied: Whether an attempt with an unknown outcome got a 2xx status.
        is_last: Whether the outcome of the call's last attempt is unknown.
    """

    phase: Phase
    likely_applied: bool
    is_last: bool


def describe_requests(attempts: int, at: datetime | None, trace_id: str | None, request_id: str | None) -> str:
    """Return a sentence with which the operator can find the requests of a call, without the final period.

    Args:
        attempts: Number of attempts.
        at: Time when the last attempt started.
        trace_id: The `X-B3-TraceId` of the requests, or `None` if the requests had no trace.
        request_id: The request ID in the last response, or `None` if there is no such ID.
    """
    times = "once" if attempts == 1 else f"{attempts} times, the last time"
    when = "" if at is None else f" at {at.isoformat(timespec='milliseconds')}"
    ids = [f"trace id {trace_id}"] if trace_id else []
    ids += [f"request id {escape(request_id)[:100]}"] if request_id else []
    return f"It was sent {times}{when}" + (f" ({', '.join(ids)})" if ids else "")


def remember(earlier: UnknownOutcome | None, rule: Rule, phase: Phase) -> UnknownOutcome | None:
    """Return the facts about all attempts so far, so that a later attempt can't hide an unknown outcome."""
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
    """Create the error of a write that may or may not have been carried out. `sent` describes the requests."""
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
    """Create the record of an interrupted write, which the SDK attaches to the exception that interrupted the write."""
    error = OutcomeUnknownError(
        f"{name}: The call was interrupted, and the request may or may not have been carried out. "
        f"{_what_to_do(operation, name)}"
    ).during(name)
    _describe(error, operation)
    error.phase = phase if known is None or _ORDER.index(phase) > _ORDER.index(known.phase) else known.phase
    error.likely_applied = None if known is None else known.likely_applied or None
    return error


def end_of(error: SubscribekitError, operation: Operation[T]) -> str:
    """Return the error class and the outcome for a log, and, if the outcome is unknown, the reconcile key."""
    key = f", reconcile by {operation.reconcile_key!r}" if error.outcome == "unknown" else ""
    return f"{type(error).__name__} ({error.outcome}){key}"


BY_RECORD: Final = f"; client.resolve(error) finds out whether it was carried out, from error.{RECORD}"
"""End of the note that the SDK adds to the exception that interrupted a call."""


def mark(error: BaseException, record: OutcomeUnknownError) -> None:
    """Attach the record of a call to the exception that ended the call, unless a nested call already attached a record.

    The function replaces the record of an earlier call, because one exception object can interrupt several calls.
    """
    existing: object = vars(error).get(RECORD)
    began = _moment(record)
    if not isinstance(existing, OutcomeUnknownError) or _began_before(existing, record.sent_at, began):
        vars(error)[RECORD] = record


def mark_known(
    error: BaseException, outcome: errors.Outcome, sent_at: datetime | None, began: float | None = None
) -> None:
    """Attach the known outcome of a call to the exception that ended the call.

    If the exception has the record of a nested call, the function doesn't remove that record.

    Args:
        error: The exception that ended the call.
        outcome: The outcome of the call.
        sent_at: Date and time when the last attempt started.
        began: Time when the last attempt started, on the monotonic clock.
    """
    existing: object = vars(error).get(RECORD)
    if isinstance(existing, OutcomeUnknownError) and sent_at is not None and _began_before(existing, sent_at, began):
        del vars(error)[RECORD]
    vars(error)[OUTCOME] = outcome


def _moment(record: OutcomeUnknownError) -> float | None:
    found = Moment.of(dict(record.record).get(MOMENT))
    return None if found is None else found.monotonic


def _began_before(record: OutcomeUnknownError, sent_at: datetime | None, began: float | None) -> bool:
    """Return whether a recorded call began before another call, by the monotonic clock if it measured both calls."""
    recorded_at = _moment(record)
    if recorded_at is not None and began is not None:
        return recorded_at < began
    first = datetime.min.replace(tzinfo=UTC)
    return (record.sent_at or first) < (sent_at or first)


def recorded(error: BaseException) -> OutcomeUnknownError | None:
    """Return the first `OutcomeUnknownError` among an exception, its attached record, and its causes, or `None`.

    The search stops at an SDK error with a known outcome, because the context of such an error can belong to another
    call.
    """
    visited: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in visited:
        found: object = current if isinstance(current, OutcomeUnknownError) else vars(current).get(RECORD)
        if isinstance(found, OutcomeUnknownError):
            return found
        if isinstance(current, SubscribekitError) or OUTCOME in vars(current):
            return None
        visited.append(current)
        current = _source(current)
    return None


def _source(error: BaseException) -> BaseException | None:
    """Return the cause or the context of an exception, or `None` if the context may belong to another call.

    If an interrupt, such as `KeyboardInterrupt`, has a context, the context comes from the interrupted call. For
    example, Ctrl-C in an event loop cancels the call, and asyncio raises `KeyboardInterrupt` while it handles the
    cancellation. The `TimeoutError` of `anyio.fail_after`, and of `asyncio.timeout` in the first releases of Python
    3.11, has the cancellation as its context (H440).
    """
    cause, context = error.__cause__, error.__context__
    if cause is not None or context is None:
        return cause
    is_timeout = type(error) is TimeoutError and not isinstance(context, Exception)
    return context if is_timeout or not isinstance(error, Exception) or is_of_signal(error) else None


def unknown_after_crash(request: PreparedRequest[T], sent_at: datetime) -> OutcomeUnknownError:
    """Create the error of a request that a process may have sent before it died.

    Args:
        request: The prepared request that the process passed to `client.send`.
        sent_at: The time that the process stored before it sent the request, with a time zone.

    Raises:
        InvalidArgumentError: `request` is a read or was built by hand, or `sent_at` has no time zone.
    """
    prepared = prepared_call(request)
    if prepared is None or prepared.operation.safety is Safety.READ:
        raise InvalidArgumentError("request must be a prepared write, for example client.prepare.accounts.create(...)")
    if sent_at.tzinfo is None:
        raise InvalidArgumentError("sent_at must have a time zone, for example tzinfo=UTC")
    name = request.operation
    error = OutcomeUnknownError(
        f"{name}: The process ended before it stored the response, so the request may or may not have been carried "
        f"out. {_what_to_do(prepared.operation, name)}"
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
        why = f"an earlier attempt got no usable response; the last attempt: {why}"
    text = f"{name}: The {'charge' if charge else 'request'} {applied}: {why}. {sent}."
    return f"{text} {_what_to_do(operation, name)}"


def _what_to_do(operation: Operation[T], name: str) -> str:
    if operation.is_dry_run:
        return _DRY_RUN
    charge, key = operation.reconcile_by == "transaction_id", operation.reconcile_key
    if operation.safety is Safety.MONEY and key is None:
        return f"{DO_NOT_REPEAT} {_NO_ID}"
    advice = [DO_NOT_REPEAT] if charge else []
    if key is not None:
        advice.append(f"Reconcile by {operation.reconcile_by} {key!r} before you decide what to do.")
    return " ".join([*advice, _NO_READ if charge or name in NOT_READABLE else RESOLVE.text])
