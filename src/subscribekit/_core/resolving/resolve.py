"""From an unknown outcome to a verdict, as a generator that asks for reads and waits; the two functions below do them.

Absence counts only when the request can no longer be under way, `after` seconds after it was sent, and when two looks
agree whose responses were made one after the other. A response that a cache kept decides nothing (H216). Nothing but
reads is ever sent: other requests are refused here, before the driver sees them.
"""

from collections import Counter
from collections.abc import Generator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

from ..._articles import with_article
from ...errors import (
    ClientClosedError,
    ConfigurationError,
    Outcome,
    OutcomeUnknownError,
    RequestError,
    SubscribekitError,
)
from ..calls.drivers import AsyncDriver, Driver
from ..calls.error_bodies import escape
from ..calls.event_loop_warning import ASYNC_CLIENT
from ..calls.response import PlannedRequest
from ..calls.settings import Settings
from ..calls.unknown_outcome import OUTCOME, RECORD, recorded
from ..operations.operation import Operation, Safety
from .case import Case, Describe, Finding, Read, Reply
from .dates import Dates, UnreadError
from .looks import ASK, ASK_FIRST, TESTS
from .rules import Rule
from .verdict import State, Verdict

Steps: TypeAlias = Generator[Read | float, Reply, Verdict]

_REPEATABLE = frozenset({Safety.READ, Safety.PUT, Safety.DELETE})
_LOOKS = 3
"""Two that agree, and one more for a read that failed."""

_APART = 2.0
"""Seconds between two looks, so that the whole seconds of their `Date`s differ."""

_FROM_THE_SERVICE = (("Cache-Control", "no-cache"), ("Pragma", "no-cache"))


def unknown_outcome_of(settings: Settings, error: object) -> OutcomeUnknownError:
    """Give the unknown outcome that a caller hands over.

    Raises:
        RequestError: It is none, several, or one of another group or base address. Its outcome is that of the call.
    """
    if isinstance(error, PlannedRequest):
        raise RequestError("resolve takes the error of a call; send a plan with client.send(plan)")
    found = recorded(error) if isinstance(error, BaseException) else getattr(error, RECORD, None)
    if not isinstance(found, OutcomeUnknownError):
        raise _nothing_to_resolve(error)
    record = dict(found.record)
    if not {"group", "origin", "prefix"} <= record.keys():
        raise _unresolved(found, "it carries no record of its call: it was made by hand, or by an older version")
    if record["group"] != settings.group:
        able = next((name for group, name in ASYNC_CLIENT.items() if group == record["group"]), None)
        told = f"it is of the group {record['group']}, and this client of {settings.group}"
        raise _unresolved(found, f"{told}; ask {with_article(able.removeprefix('Async'))} or {able}" if able else told)
    went_to = record["origin"] + record["prefix"]  # behind a prefix may be another environment
    if went_to != settings.address.url:
        raise _unresolved(found, f"the call went to {went_to}, and this client calls {settings.address.url}")
    return found


def _unresolved(error: OutcomeUnknownError, why: str) -> RequestError:
    """Refuse to look; what became of the call is as little known as before, and so the outcome says."""
    what = error.operation or "the call"
    return RequestError(f"nothing was looked up, and the outcome of {what} is still unknown: {why}", outcome="unknown")


def _nothing_to_resolve(error: object) -> RequestError:
    name = type(error).__name__
    known: Outcome = error.outcome if isinstance(error, SubscribekitError) else getattr(error, OUTCOME, "unknown")
    if known != "unknown":
        meaning = "nothing was sent" if known == "not_sent" else "nothing was carried out"
        text = f"there is nothing to resolve: the outcome is known, {known} ({meaning})"
        return RequestError(text, outcome=known)
    if isinstance(error, BaseExceptionGroup):
        text = f"the {name} stands for several calls: resolve each of its .exceptions by itself"
        return RequestError(text, outcome="unknown")
    if isinstance(error, BaseException):
        text = f"the {name} carries no call whose outcome is unknown; what it may have interrupted is not known"
        return RequestError(text, outcome="unknown")
    return RequestError(f"resolve takes the error of a call, not {with_article(name)}", outcome="unknown")


def check_times(after: float, wait: bool) -> None:
    """Refuse times that are none.

    Raises:
        RequestError: `after` is negative or not finite, or `wait` no boolean.
    """
    if type(wait) is not bool:
        raise RequestError("wait must be True or False; give the seconds as after", outcome="unknown")
    if isinstance(after, bool) or not isinstance(after, int | float) or not 0 <= after < float("inf"):
        raise RequestError("after must be a number of seconds that is finite and not negative", outcome="unknown")


def resolving(
    settings: Settings, error: OutcomeUnknownError, rule: Rule | None, describe: Describe, after: float, wait: bool
) -> Steps:
    """Look what became of a call, as often as its rule needs."""
    if dict(error.record).get("dry_run") == "1":
        verdict = _verdict(error, Finding("absent", "a dry run stores nothing, carried out or not; ask again"))
        return replace(verdict, state="not_applied", repeatable=True)
    if rule is None:
        return _verdict(error, Finding("unclear", _unread_of(error)))
    case = Case(error, rule, describe, settings.clock.now, settings.address.prefix)
    left = _left(error, after, settings.clock.now())
    finding, is_late, agreeing = Finding("unclear", "nothing was read"), left <= 0, Counter[str]()
    dates = Dates(case.sent_at)
    for _ in range(_LOOKS):
        finding = yield from _look(case, dates)
        shows = "gone" if finding.by_absence else finding.shows
        agreeing[shows] += 1
        if finding.is_final or shows == "applied" or agreeing["gone"] == 2:
            break
        if shows == "in_effect" and (is_late or not _is_of_candidates(rule, error)):
            break
        if is_late and (agreeing["absent"] == 2 or (shows == "unclear" and not agreeing["absent"])):
            break
        if not wait:
            says = "one look proves no absence" if is_late else f"the request may still be under way for {left:.0f} s"
            return _verdict(error, replace(finding, shows="unclear", says=f"{finding.says}; {says}"))
        is_early = not is_late and shows != "gone"
        yield max(left, _APART) if is_early else _APART
        is_late = is_late or is_early
    if finding.by_absence and agreeing["gone"] < 2:
        finding = replace(finding, shows="unclear")
    return _verdict(error, finding, is_lost=finding.shows == "absent" and agreeing["absent"] >= 2)


def _unread_of(error: OutcomeUnknownError) -> str:
    says = "no call of the service reads what it would have changed"
    return says + (ASK_FIRST if dict(error.record).get("safety") == Safety.MONEY else ASK)


def _left(error: OutcomeUnknownError, after: float, now: datetime) -> float:
    """Seconds until a request can no longer be under way.

    A request that seems to be sent in the future was sent by a clock that is ahead: then the whole time is waited from
    now on, neither less nor, by hours, more.
    """
    sent_at = error.sent_at
    if sent_at is None or sent_at.tzinfo is None:
        return after
    return min(after, max(0.0, after - (now - sent_at).total_seconds()))


def _is_of_candidates(rule: Rule, error: OutcomeUnknownError) -> bool:
    """Whether the resource is told by amount and time, so that another one may still come."""
    names = {name for name, _ in error.record}
    return rule.test in ("credited", "recorded") or (rule.test == "refunded" and "id" not in names)


def _look(case: Case, dates: Dates) -> Generator[Read, Reply, Finding]:
    """Look once; a response that a cache may have kept ends the look, for it decides nothing."""
    steps, reply = TESTS[case.rule.test](case), None
    dates.begin()
    try:
        while True:
            step = steps.send(reply)
            reply = yield step
            dates.check(step.name, reply, case.now())
    except StopIteration as stop:
        finding: Finding = stop.value
        if dates.is_repeated and (finding.by_absence or finding.shows == "absent"):
            return Finding("unclear", f"{finding.says}, in a response that is not newer than that of the look before")
        return finding
    except UnreadError as why:
        return Finding("unclear", str(why))


def _verdict(error: OutcomeUnknownError, finding: Finding, *, is_lost: bool = False) -> Verdict:
    state: State = "undecided"
    if is_lost and error.likely_applied:
        finding = replace(finding, says=f"{finding.says}, although a success status was seen")
    elif is_lost:
        state = "not_applied"
    if finding.shows in ("applied", "in_effect"):
        state = "applied" if finding.shows == "applied" else "in_effect"
    safety = dict(error.record).get("safety", "")
    return Verdict(
        state=state,
        result=finding.result,
        evidence=escape(f"{error.operation}: {finding.says}."),
        repeatable=state == "not_applied" or safety in _REPEATABLE,
        quote=escape(_quote(error)),
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


def _checked(step: Read) -> Operation[Any]:
    if step.operation.safety is not Safety.READ or step.operation.method != "GET":
        raise AssertionError(f"{step.name} is no read, and resolving sends nothing else")
    return replace(step.operation, headers=(*step.operation.headers, *_FROM_THE_SERVICE))


def _unread(error: SubscribekitError) -> SubscribekitError:
    """Keep a failed read as a reply; a client that cannot read at all is the caller's to mend."""
    if isinstance(error, ClientClosedError | ConfigurationError | RequestError):
        why = str(error).removesuffix("; nothing was sent")
        error.args = (f"nothing was looked up, and the outcome of the call is still unknown: {why}",)
        error.outcome = "unknown"  # that of the write: the caller of `resolve` asks about no other
        raise error
    return error.with_traceback(None)


def run(driver: Driver, steps: Steps) -> Verdict:
    """Do the reads and waits, blocking."""
    reply: Reply = None
    try:
        while True:
            step = steps.send(reply)
            if isinstance(step, Read):
                try:
                    reply = driver.exchange(_checked(step), step.name)
                except SubscribekitError as error:
                    reply = _unread(error)
            else:
                driver.settings.clock.sleep(step)
                reply = None
    except StopIteration as stop:
        verdict: Verdict = stop.value
        return verdict


async def run_async(driver: AsyncDriver, steps: Steps) -> Verdict:
    """Do the reads and waits in the event loop."""
    reply: Reply = None
    try:
        while True:
            step = steps.send(reply)
            if isinstance(step, Read):
                try:
                    reply = await driver.exchange(_checked(step), step.name)
                except SubscribekitError as error:
                    reply = _unread(error)
            else:
                await driver.settings.clock.sleep_async(step)
                reply = None
    except StopIteration as stop:
        verdict: Verdict = stop.value
        return verdict
