"""From an unknown outcome to a verdict, as a generator that asks for reads and waits; the two functions below do them.

Absence counts only when the request can no longer be under way, `after` seconds after it was sent, and when two looks
agree whose `Date`s advance with the time between them. A response that a cache kept decides nothing (H216). Nothing but
reads is ever sent: other requests are refused here, before the driver sees them.
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
from .dates import OldResponseError, ServiceClock, UnreadError, Waiting
from .looks import ASK, ASK_FIRST, TESTS
from .rules import Rule
from .verdict import Verdict, VerdictState

Steps: TypeAlias = Generator[Read | float, Reply, Verdict]
_Looked: TypeAlias = tuple[Conclusion, list[Bounds | None]]
"""The result of a look, with the clock of each response."""

_REPEATABLE = frozenset({Safety.READ, Safety.PUT, Safety.DELETE})
_STATES: dict[Show, VerdictState] = {
    "applied": "applied", "in_effect": "in_effect", "absent": "not_applied", "unclear": "undecided",
}  # fmt: skip
_LOOKS = 3
"""Two that agree, and one more for a read that failed or was old."""

_APART = 2.0
"""Seconds between two looks, so that `Date`s in whole seconds tell a new response from a kept one."""

_FROM_THE_SERVICE = (("Cache-Control", "no-cache"), ("Pragma", "no-cache"))


def unknown_outcome_of(settings: Settings, error: object) -> OutcomeUnknownError:
    """Give the unknown outcome that a caller hands over.

    Raises:
        InvalidArgumentError: It is none, several, or one of another group or base address. Its outcome is that of the
            call.
    """
    if isinstance(error, PreparedRequest):
        raise InvalidArgumentError(
            "resolve takes the error of a call; send a prepared request with client.send(request)"
        )
    found = recorded(error) if isinstance(error, BaseException) else getattr(error, RECORD, None)
    if not isinstance(found, OutcomeUnknownError):
        raise _nothing_to_resolve(error)
    record = dict(found.record)
    if not {"group", "origin", "prefix"} <= record.keys():
        raise _unresolved(found, "it carries no record of its call: it was made by hand, or by an older version")
    if record["group"] != settings.group:
        able = next((f"{name}Client" for group, name in GROUP_NAMES.items() if group == record["group"]), None)
        told = f"it is of the group {record['group']}, and this client of {settings.group}"
        raise _unresolved(found, f"{told}; ask {with_article(able)} or Async{able}" if able else told)
    went_to = record["origin"] + record["prefix"]  # behind a prefix may be another environment
    if went_to != settings.address.url:
        raise _unresolved(found, f"the call went to {went_to}, and this client calls {settings.address.url}")
    return found


def _unresolved(error: OutcomeUnknownError, why: str) -> InvalidArgumentError:
    """Refuse to look; what became of the call is as little known as before, and so the outcome says."""
    what = error.operation or "the call"
    return InvalidArgumentError(
        f"nothing was looked up, and the outcome of {what} is still unknown: {why}", outcome="unknown"
    )


def _nothing_to_resolve(error: object) -> InvalidArgumentError:
    name = type(error).__name__
    known: Outcome = error.outcome if isinstance(error, SubscribekitError) else getattr(error, OUTCOME, "unknown")
    if known != "unknown":
        meaning = "nothing was sent" if known == "not_sent" else "nothing was carried out"
        text = f"there is nothing to resolve: the outcome is known, {known} ({meaning})"
        return InvalidArgumentError(text, outcome=known)
    if isinstance(error, BaseExceptionGroup):
        text = f"the {name} stands for several calls: resolve each of its .exceptions by itself"
        return InvalidArgumentError(text, outcome="unknown")
    if isinstance(error, BaseException):
        text = f"the {name} carries no call whose outcome is unknown; what it may have interrupted is not known"
        return InvalidArgumentError(text, outcome="unknown")
    return InvalidArgumentError(f"resolve takes the error of a call, not {with_article(name)}", outcome="unknown")


def check_times(not_applied_after: float, wait: bool) -> None:
    """Refuse times that are none.

    Raises:
        InvalidArgumentError: `not_applied_after` is negative or not finite, or `wait` isn't a Boolean.
    """
    if type(wait) is not bool:
        raise InvalidArgumentError(
            "wait must be True or False; give the seconds as not_applied_after", outcome="unknown"
        )
    seconds = not_applied_after
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds < float("inf"):
        raise InvalidArgumentError(
            "not_applied_after must be a number of seconds that is finite and not negative", outcome="unknown"
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
    """Look what became of a call, as often as its rule needs.

    Args:
        settings: Those of the client.
        error: The call.
        rule: What to read; `None` if nothing shows it.
        describe: Describes the reads.
        after: Seconds after sending from which an absence counts.
        wait: Whether to wait for that.
        begun: When the looks began, by the client's monotonic clock: a run begins once for all its items.
    """
    if dict(error.record).get("dry_run") == "1":
        verdict = _verdict(error, Conclusion("unclear", "a dry run stores nothing, carried out or not; ask again"))
        return replace(verdict, state="not_applied", safe_to_retry=True)
    if rule is None:
        return _verdict(error, Conclusion("unclear", _unread_of(error)))
    record = dict(error.record)
    sent = Moment.of(record.get(MOMENT))
    latest = Moment.of(record[LATEST]) if LATEST in record else sent
    clock, waiting = ServiceClock(sent, error.sent_at, settings.clock), Waiting(latest, settings.clock, begun, after)
    case = Case(error, rule, describe, settings.clock.now, clock, settings.address.prefix)
    is_late, looks = waiting.left <= 0, list[_Looked]()
    while True:
        looks.append((yield from _look(case)))
        finding, bounds = looks[-1]
        is_late = waiting.is_over(bounds) or is_late
        if _is_decided(case, looks, is_late):
            return _verdict(error, finding)
        waits_for_date = finding.is_untimed and not _is_of_candidates(case)
        is_early = not is_late and not finding.by_absence and not waits_for_date
        if not wait or len(looks) == _LOOKS:
            return _verdict(error, _last(looks, str(waiting) if is_early else ""))
        yield max(waiting.left, _APART) if is_early else _APART
        is_late = is_late or is_early


def _last(looks: list[_Looked], why_early: str) -> Conclusion:
    """Conclude from looks that decide nothing: a resource of the own ID with equal values is in effect (H400)."""
    finding = looks[-1][0]
    told = (each for each, _ in reversed(looks) if each.is_absence or each.is_untimed)
    latest = next(told, finding)
    if latest.is_untimed and latest.shows == "in_effect":
        return latest
    says = "; ".join(filter(None, (finding.says, why_early or _why_undecided(looks))))
    return replace(finding, shows="unclear", says=says)


def _is_decided(case: Case, looks: list[_Looked], is_late: bool) -> bool:
    """Whether a further look could not change the finding of the last one."""
    finding = looks[-1][0]
    if finding.is_final or finding.shows == "applied":
        return True
    if finding.is_untimed:
        return False
    if finding.is_absence:
        return (is_late or finding.by_absence) and sum(map(case.clock.are_new, _alike(looks))) > 1
    if finding.shows == "in_effect":
        return is_late or not _is_of_candidates(case)
    return is_late and not finding.is_old and not any(each.shows == "absent" for each, _ in looks)


def _alike(looks: list[_Looked]) -> list[list[Bounds | None]]:
    """Give what the clock says of the looks in which the same is absent as in the last one."""
    last = looks[-1][0]
    return [bounds for each, bounds in looks if each.is_absence and each.shows == last.shows]


def _why_undecided(looks: list[_Looked]) -> str:
    if not looks[-1][0].is_absence:
        return ""
    return (
        "the Dates of the looks do not advance with the time"
        if len(_alike(looks)) > 1
        else "one look proves no absence"
    )


def _unread_of(error: OutcomeUnknownError) -> str:
    says = "no call of the service reads what it would have changed"
    return says + (ASK_FIRST if dict(error.record).get("safety") == Safety.MONEY else ASK)


def _is_of_candidates(case: Case) -> bool:
    """Whether the resource is recognised by amount and time, so that another one may still come."""
    return case.rule.test in ("credited", "recorded") or (case.rule.test == "refunded" and "id" not in case.record)


def _look(case: Case) -> Generator[Read, Reply, _Looked]:
    """Look once; a response that may be older than the write ends the look."""
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
        finding = replace(finding, shows="unclear", says=f"{finding.says}, although a success status was seen")
    state = _STATES[finding.shows]
    safety = dict(error.record).get("safety", "")
    return Verdict(
        state=state,
        result=finding.result,
        evidence=escape(f"{error.operation}: {finding.says}."),
        safe_to_retry=state == "not_applied" or safety in _REPEATABLE,
        support_details=escape(_quote(error)),
    )


def _quote(error: OutcomeUnknownError) -> str:
    """Write what the operator needs to find the call: identifiers and times, nothing of the customer."""
    record = dict(error.record)
    charge = record.get("transaction_id")  # the caller's name of an entitlement charge; nothing else is called so
    transaction = record.get("path:transaction")
    if error.operation == "transactions.create":
        transaction = record.get("id")
    sent_at = error.sent_at
    told = None if sent_at is None or sent_at.tzinfo is None else sent_at.astimezone(UTC)
    parts = {
        "operation": f"{error.operation} ({error.method} {error.path_template})",
        "time (UTC)": None if told is None else told.isoformat(timespec="milliseconds"),
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
    """Return the operation of a read, which asks caches not to answer.

    Raises:
        AssertionError: The operation isn't a GET that reads.
    """
    if step.operation.safety is not Safety.READ or step.operation.method != "GET":
        raise AssertionError(f"{step.name} is no read, and resolving sends nothing else")
    return replace(step.operation, headers=(*step.operation.headers, *_FROM_THE_SERVICE))


def unread(error: SubscribekitError) -> SubscribekitError:
    """Keep a failed read as a reply; a client that cannot read at all is the caller's to mend."""
    if isinstance(error, ClientClosedError | ConfigurationError | InvalidArgumentError):
        why = str(error).removesuffix("; nothing was sent")
        error.args = (f"nothing was looked up, and the outcome of the call is still unknown: {why}",)
        error.outcome = "unknown"  # that of the write: the caller of `resolve` asks about no other
        raise error
    return error


def run(driver: Driver, steps: Steps) -> Verdict:
    """Do the reads and waits, blocking."""

    def perform(step: Read | float) -> Reply:
        if not isinstance(step, Read):
            driver.settings.clock.sleep(step)
            return None
        try:
            return driver.exchange(checked(step), step.name)
        except SubscribekitError as error:
            return unread(error)

    return drive(steps, perform)
