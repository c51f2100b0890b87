"""Resolves an unknown outcome to a verdict, as a generator that yields reads to send and times to wait.

A request that is still in flight may create its resource later. Therefore, a missing resource leads to the verdict
`not_applied` only if at least `after` seconds have passed since the request was sent. For the verdict `not_applied`,
two checks must agree that the resource is missing. The `Date` headers must advance between the two checks, because a
cached response proves nothing (H216). This module sends only reads, because the function `checked` rejects any other
request.
"""

from collections.abc import Generator
from dataclasses import replace
from datetime import UTC
from typing import TypeAlias

from ..._articles import with_article
from ...errors import (
    ClientClosedError,
    ConfigurationError,
    InvalidArgumentError,
    Outcome,
    OutcomeUnknownError,
    SubscribekitError,
)
from ..calls.driver import Driver
from ..calls.driving import drive
from ..calls.moments import Bounds, Moment
from ..calls.outcomes.error_bodies import escape
from ..calls.outcomes.record import LATEST, MOMENT
from ..calls.outcomes.unknown_outcome import OUTCOME, RECORD, recorded
from ..calls.prepared.prepared_request import PreparedRequest
from ..calls.settings import Settings
from ..config.environments import GROUP_NAMES
from ..operations.operation import Operation, Safety
from .case import Case, Conclusion, Describe, Read, Reply, Show
from .checks import ASK, ASK_FIRST, TESTS
from .dates import OldResponseError, ServiceClock, UnreadError, Waiting
from .rules import Rule
from .verdict import Verdict, VerdictState

Steps: TypeAlias = Generator[Read | float, Reply, Verdict]
_Checked: TypeAlias = tuple[Conclusion, list[Bounds | None]]
"""The conclusion of a check, and, for each response, the earliest and latest time of the service's clock."""

_REPEATABLE = frozenset({Safety.READ, Safety.PUT, Safety.DELETE})
_STATES: dict[Show, VerdictState] = {
    "applied": "applied", "in_effect": "in_effect", "absent": "not_applied", "unclear": "undecided",
}  # fmt: skip
_MAX_CHECKS = 3
"""Maximum number of checks: two checks that must agree, and a third check if a read failed or was old."""

_APART = 2.0
"""Seconds between two checks, so that a `Date` in whole seconds distinguishes a new response from a cached response."""

_FROM_THE_SERVICE = (("Cache-Control", "no-cache"), ("Pragma", "no-cache"))


def unknown_outcome_of(settings: Settings, error: object) -> OutcomeUnknownError:
    """Return the `OutcomeUnknownError` from the argument of `resolve`.

    Raises:
        InvalidArgumentError: The argument has no unknown outcome, or several unknown outcomes. The SDK also raises
            `InvalidArgumentError` if the call was sent to another service or base URL than the client's. The `outcome`
            of the `InvalidArgumentError` is the outcome of the call.
    """
    if isinstance(error, PreparedRequest):
        raise InvalidArgumentError(
            "error must be the error of a call, not a PreparedRequest; send the request with client.send(request)"
        )
    found = recorded(error) if isinstance(error, BaseException) else getattr(error, RECORD, None)
    if not isinstance(found, OutcomeUnknownError):
        raise _nothing_to_resolve(error)
    record = dict(found.record)
    if not {"group", "origin", "prefix"} <= record.keys():
        raise _unresolved(
            found,
            "the error has no record of its call, because the error was created by hand or by an older version of the "
            "SDK; send the error's text to the operator",
        )
    if record["group"] != settings.group:
        able = next((f"{name}Client" for group, name in GROUP_NAMES.items() if group == record["group"]), None)
        why = f"the call was sent to the service {record['group']!r}, and this client is for {settings.group!r}"
        raise _unresolved(found, f"{why}; use {with_article(able)} or an Async{able}" if able else why)
    sent_to = record["origin"] + record["prefix"]  # base URLs with different paths can belong to different environments
    if sent_to != settings.address.url:
        raise _unresolved(
            found,
            f"the call went to {sent_to}, and this client calls {settings.address.url}; use a client for the base URL "
            f"of the call",
        )
    return found


def _unresolved(error: OutcomeUnknownError, why: str) -> InvalidArgumentError:
    """Return the error for a call that can't be resolved. Its outcome stays `unknown`."""
    name = error.operation or "the call"
    return InvalidArgumentError(
        f"nothing was read, and the outcome of {name} is still unknown: {why}", outcome="unknown"
    )


def _nothing_to_resolve(error: object) -> InvalidArgumentError:
    name = type(error).__name__
    known: Outcome = error.outcome if isinstance(error, SubscribekitError) else getattr(error, OUTCOME, "unknown")
    if known != "unknown":
        meaning = "nothing was sent" if known == "not_sent" else "nothing was carried out"
        text = f"there's nothing to resolve, because the outcome is known: {known} ({meaning})"
        return InvalidArgumentError(text, outcome=known)
    if isinstance(error, BaseExceptionGroup):
        text = f"the {name} can contain several calls; resolve each of its .exceptions separately"
        return InvalidArgumentError(text, outcome="unknown")
    if isinstance(error, BaseException):
        text = f"the {name} has no record of a call, so the SDK doesn't know which call it may have interrupted"
        return InvalidArgumentError(text, outcome="unknown")
    return InvalidArgumentError(f"error must be the error of a call, not {with_article(name)}", outcome="unknown")


def check_times(not_applied_after: float, wait: bool) -> None:
    """Check the arguments `not_applied_after` and `wait` of `resolve`.

    Raises:
        InvalidArgumentError: `not_applied_after` is negative or not finite, or `wait` isn't a Boolean.
    """
    if type(wait) is not bool:
        raise InvalidArgumentError(
            "wait must be True or False; pass the seconds as not_applied_after", outcome="unknown"
        )
    seconds = not_applied_after
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < float("inf"):
        raise InvalidArgumentError(
            "not_applied_after must be a finite number of seconds that isn't negative", outcome="unknown"
        )


def resolving(
    settings: Settings,
    error: OutcomeUnknownError,
    rule: Rule | None,
    describe: Describe,
    after: float,
    wait: bool,
    begun: float,
) -> Steps:
    """Find out whether a call was carried out, with as many checks as the call's rule needs.

    Args:
        settings: The client's settings.
        error: The error of the call.
        rule: The rule of the operation, or `None` if reads can't show the effect of the operation.
        describe: Returns the operations of the reads.
        after: If the request is at least this many seconds old, a missing resource proves that the call wasn't carried
            out.
        wait: Whether to wait until a missing resource proves that the call wasn't carried out.
        begun: Time of the first check, on the client's monotonic clock. A bulk run passes the same time for all items.
    """
    if dict(error.record).get("dry_run") == "1":
        verdict = _verdict(error, Conclusion("unclear", "a dry run stores nothing, so you can make the call again"))
        return replace(verdict, state="not_applied", safe_to_retry=True)
    if rule is None:
        return _verdict(error, Conclusion("unclear", _unread_of(error)))
    record = dict(error.record)
    sent = Moment.of(record.get(MOMENT))
    latest = Moment.of(record[LATEST]) if LATEST in record else sent
    clock, waiting = ServiceClock(sent, error.sent_at, settings.clock), Waiting(latest, settings.clock, begun, after)
    case = Case(error, rule, describe, settings.clock.now, clock, settings.address.prefix)
    is_late, checks = waiting.left <= 0, list[_Checked]()
    while True:
        checks.append((yield from _check(case)))
        finding, bounds = checks[-1]
        is_late = waiting.is_over(bounds) or is_late
        if _is_decided(case, checks, is_late):
            return _verdict(error, finding)
        waits_for_date = finding.is_untimed and not _is_of_candidates(case)
        is_early = not is_late and not finding.by_absence and not waits_for_date
        if not wait or len(checks) == _MAX_CHECKS:
            return _verdict(error, _last(checks, str(waiting) if is_early else ""))
        yield max(waiting.left, _APART) if is_early else _APART
        is_late = is_late or is_early


def _last(checks: list[_Checked], why_early: str) -> Conclusion:
    """Return the conclusion for checks that didn't lead to a decision.

    A resource with the caller's own ID and equal values is `in_effect`, even if the resource's age isn't known (H400).
    """
    finding = checks[-1][0]
    latest = next((each for each, _ in reversed(checks) if each.is_absence or each.is_untimed), finding)
    if latest.is_untimed and latest.shows == "in_effect":
        return latest
    evidence = "; ".join(filter(None, (finding.evidence, why_early or _why_undecided(checks))))
    return replace(finding, shows="unclear", evidence=evidence)


def _is_decided(case: Case, checks: list[_Checked], is_late: bool) -> bool:
    """Return whether further checks are unnecessary, because they can't change the last check's conclusion."""
    finding = checks[-1][0]
    if finding.is_final or finding.shows == "applied":
        return True
    if finding.is_untimed:
        return False
    if finding.is_absence:
        return (is_late or finding.by_absence) and sum(map(case.clock.are_new, _alike(checks))) > 1
    if finding.shows == "in_effect":
        return is_late or not _is_of_candidates(case)
    return is_late and not finding.is_old and not any(each.shows == "absent" for each, _ in checks)


def _alike(checks: list[_Checked]) -> list[list[Bounds | None]]:
    """Return the bounds of the service's time for all checks that found the same data missing as the last check."""
    last = checks[-1][0]
    return [bounds for each, bounds in checks if each.is_absence and each.shows == last.shows]


def _why_undecided(checks: list[_Checked]) -> str:
    if not checks[-1][0].is_absence:
        return ""
    return (
        "the Date headers of the reads don't advance with the time between them"
        if len(_alike(checks)) > 1
        else "a single check doesn't prove that something is missing"
    )


def _unread_of(error: OutcomeUnknownError) -> str:
    evidence = "no read shows whether it was carried out"
    return evidence + (ASK_FIRST if dict(error.record).get("safety") == Safety.MONEY else ASK)


def _is_of_candidates(case: Case) -> bool:
    """Return whether a test finds resources by their values, so that a second matching resource can appear later."""
    return case.rule.test in ("credited", "recorded") or (case.rule.test == "refunded" and "id" not in case.record)


def _check(case: Case) -> Generator[Read, Reply, _Checked]:
    """Do one check. The check ends early if a response may be older than the write."""
    steps, reply, bounds = TESTS[case.rule.test](case), None, list[Bounds | None]()
    try:
        while True:
            step = steps.send(reply)
            reply = yield step
            bounds.append(case.clock.check(step.name, reply))
    except StopIteration as stop:
        finding: Conclusion = stop.value
    except UnreadError as why:
        finding = Conclusion("unclear", str(why), is_old=isinstance(why, OldResponseError))
    return finding, bounds


def _verdict(error: OutcomeUnknownError, finding: Conclusion) -> Verdict:
    if finding.shows == "absent" and error.likely_applied:
        finding = replace(finding, shows="unclear", evidence=f"{finding.evidence}, although the response was a success")
    state = _STATES[finding.shows]
    safety = dict(error.record).get("safety", "")
    return Verdict(
        state=state,
        result=finding.result,
        evidence=escape(f"{error.operation}: {finding.evidence}."),
        safe_to_retry=state == "not_applied" or safety in _REPEATABLE,
        support_details=escape(_quote(error)),
    )


def _quote(error: OutcomeUnknownError) -> str:
    """Return the text with which the operator can find the call. The text contains no personal data of the customer."""
    record = dict(error.record)
    charge = record.get("transaction_id")  # only entitlement charges have a transaction ID
    transaction = record.get("path:transaction")
    if error.operation == "transactions.create":
        transaction = record.get("id")
    sent_at = error.sent_at
    time = None if sent_at is None or sent_at.tzinfo is None else sent_at.astimezone(UTC)
    parts = {
        "operation": f"{error.operation} ({error.method} {error.path_template})",
        "time (UTC)": None if time is None else time.isoformat(timespec="milliseconds"),
        "request id": error.request_id,
        "trace id": error.trace_id,
        "transaction id": charge,
        "transaction": transaction,
        "refund of transaction": error.original_transaction_id,
        "identifier": None if error.reconcile_key in (charge, transaction) else error.reconcile_key,
    }
    return "; ".join(f"{name}: {value if value is not None else 'none'}" for name, value in parts.items()
                     if value is not None or name in ("request id", "trace id", "time (UTC)"))  # fmt: skip


def checked(step: Read) -> Operation[object]:
    """Return the operation of a read, with headers that prevent responses from a cache.

    Raises:
        AssertionError: The operation isn't a read, or its method isn't GET.
    """
    if step.operation.safety is not Safety.READ or step.operation.method != "GET":
        raise AssertionError(f"{step.name} isn't a read, and resolve sends only reads")
    return replace(step.operation, headers=(*step.operation.headers, *_FROM_THE_SERVICE))


def unread(error: SubscribekitError) -> SubscribekitError:
    """Return the error of a failed read. If the client can't send any read, raise the error."""
    if isinstance(error, ClientClosedError | ConfigurationError | InvalidArgumentError):
        why = str(error).removesuffix("; nothing was sent")
        error.args = (f"nothing was read, and the outcome of the call is still unknown: {why}",)
        error.outcome = "unknown"  # this is the outcome of the write, not of the failed read
        raise error
    return error


def run(driver: Driver, steps: Steps) -> Verdict:
    """Send the reads that resolve a call, and wait between them, with the driver of a sync client."""

    def perform(step: Read | float) -> Reply:
        if not isinstance(step, Read):
            driver.settings.clock.sleep(step)
            return None
        try:
            return driver.exchange(checked(step), step.name)
        except SubscribekitError as error:
            return unread(error)

    return drive(steps, perform)
