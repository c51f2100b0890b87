"""What is known when it is not known whether a write was carried out, and the error that says it."""

from dataclasses import dataclass
from typing import TypeVar, get_args

from ... import errors
from ...errors import OutcomeUnknownError, Phase
from ..operations.operation import Operation
from .retry import Failure

T = TypeVar("T")

_ORDER: tuple[Phase, ...] = get_args(Phase)


@dataclass(slots=True, eq=False, repr=False)
class Doubt:
    """What is known of attempts whose effect is not.

    Attributes:
        phase: How far the furthest of them got.
        likely_applied: One of them was answered with a 2xx.
        is_last: The last attempt is one of them.
    """

    phase: Phase
    likely_applied: bool
    is_last: bool


def doubtful(earlier: Doubt | None, failure: Failure, phase: Phase) -> Doubt | None:
    """Remember of an attempt with unknown effect what a later one must not cover."""
    if not failure.unknown:
        return None if earlier is None else Doubt(earlier.phase, earlier.likely_applied, is_last=False)
    if earlier is None:
        return Doubt(phase, failure.likely_applied, is_last=True)
    furthest = phase if _ORDER.index(phase) > _ORDER.index(earlier.phase) else earlier.phase
    return Doubt(furthest, failure.likely_applied or earlier.likely_applied, is_last=True)


def outcome_unknown(
    operation: Operation[T], name: str, failure: Failure, doubt: Doubt, attempts: int
) -> OutcomeUnknownError:
    """Make the error of a write that may or may not have been carried out."""
    redirect = isinstance(failure.error, errors.UnexpectedRedirectError)
    kind = errors.RedirectOutcomeUnknownError if redirect else OutcomeUnknownError
    error = kind(_sentence(operation, name, failure, doubt, attempts))
    error.method, error.path_template = operation.method, operation.template
    error.resource_id, error.reconcile_key = operation.resource_id, operation.reconcile_key
    error.original_transaction_id = operation.original_transaction_id
    error.phase, error.likely_applied = doubt.phase, doubt.likely_applied
    error.__cause__ = failure.error
    return error


def _sentence(operation: Operation[T], name: str, failure: Failure, doubt: Doubt, attempts: int) -> str:
    charge = operation.reconcile_by == "transaction_id"
    applied = "may or may not have been carried out"
    if doubt.likely_applied:
        applied = "was probably carried out, but its answer is unusable"
    why = str(failure.error).removesuffix(".")
    if not doubt.is_last:
        why = f"an earlier attempt got no usable answer; the last one: {why}"
    sent = "once and not repeated" if attempts == 1 else f"{attempts} times"
    text = f"{name}: The {'charge' if charge else 'request'} {applied}: {why}. It was sent {sent}."
    if charge:
        text += " Do not send it again with a new transaction_id."
    if operation.reconcile_key is not None:
        key = f"{operation.reconcile_by} {operation.reconcile_key!r}"
        text += f" Reconcile by {key} before you decide what to do."
    return text
