"""One call from its first attempt to its end, as a generator that does no I/O.

`run` yields what has to be done and is sent what came of it; the two drivers do it. Both styles behave alike because
everything is decided here: what is sent, what a response means, whether to retry, which error is raised.
"""

import logging
from collections.abc import Callable, Generator
from datetime import datetime
from operator import methodcaller
from typing import TYPE_CHECKING, Generic, TypeVar

from ... import errors
from ..._sealed import NOTHING, Secret
from ...errors import SubscribekitError
from ..http.failure import TransportFailure, is_held_back
from ..http.progress import NOT_SENT, Progress
from ..http.received import Received
from ..http.transport import RawRequest
from ..operations.operation import Operation, Safety
from . import backoff
from .outcomes import unknown_outcome
from .outcomes.classify import Failure, Result, classify, classify_failure, deadline_error, explain_end, held_back
from .outcomes.error_bodies import in_log
from .outcomes.loading import LOADED, UNLOADABLE, load_before, not_loaded, not_read
from .outcomes.record import record_of, sent_at
from .outcomes.retry_table import Event, Rule, rule_for
from .outcomes.unknown_outcome import UnknownOutcome, mark, mark_known, outcome_unknown, remember
from .prepared.prepared_call import PreparedCall
from .request import body_of, fixed_headers, target_of, timeouts_of
from .response import Response
from .settings import Settings
from .steps import CREDENTIAL, Attempt, Reply, Step
from .telemetry import trace
from .telemetry.log import log, logger
from .telemetry.trace import CallTrace

if TYPE_CHECKING:
    from .telemetry.observers import Observation

__tracebackhide__ = methodcaller("errisinstance", SubscribekitError)  # pytest shows the line of the caller instead

T = TypeVar("T")

_CLOSE_TO_DEADLINE = 0.005


class Call(Generic[T]):
    """The state of one call."""

    __slots__ = (
        "__weakref__", "_began", "_body", "_end", "_fixed", "_last", "_on_sent", "_once_used", "_prepared", "_renewed",
        "_request_id", "_secret", "_seen", "_sent_at", "_settings", "_started", "_status", "_target", "_trace",
        "_unknown", "_went_out", "attempts", "name", "operation", "progress",
    )  # fmt: skip

    def __init__(
        self,
        settings: Settings,
        operation: Operation[T],
        name: str,
        sent: Callable[[], None] | None = None,
        prepared: PreparedCall[T] | None = None,
    ) -> None:
        settings.refuse(operation, name)
        self._settings, self.operation, self.name, self._on_sent = settings, operation, name, sent
        self._prepared = prepared
        if prepared is not None:
            self._target, self._body, self._fixed = prepared.target, prepared.body, list(prepared.headers)
        else:
            self._target = target_of(settings, operation)
            self._body = operation.body if operation.body is None else body_of(settings, operation)
            self._fixed = fixed_headers(settings, operation, self._body)
        self._trace: CallTrace | None = None
        self._seen: Observation | None = None
        self._began = self._started = settings.clock.monotonic()
        self._end = None if settings.deadline is None else self._started + settings.deadline
        self.attempts = 0
        self.progress: Progress | None = None
        self._secret: Secret | None = None
        self._renewed: Secret | None = None
        self._sent_at: datetime | None = None
        self._status: int | None = None
        self._request_id: str | None = None
        self._last: Failure | None = None
        self._unknown: UnknownOutcome | None = None
        self._once_used = False
        self._went_out = False

    # The call

    def run(self) -> Attempt[T]:
        """Go through the call: an attempt, and retries where the table allows them."""
        try:
            self._start()
        except UNLOADABLE as error:
            return not_loaded(error)
        done = yield from self._attempt()
        is_last = self.attempts >= self._settings.retry.max_attempts
        if isinstance(done, Failure) and not is_last and self._wants_retry(done):
            done = yield from self._retries(done)
        return done

    def _start(self) -> None:
        """Load what is needed, tell the observers, then continue or begin the trace, which may be one of theirs."""
        if self.operation.reader.result not in LOADED and self.operation.safety is not Safety.READ:
            load_before(self.operation)
        settings = self._settings
        if settings.observers:
            from .telemetry.observers import observed

            self._seen = observed(settings, self.operation, self.name)
        self._trace = trace.start(settings.trace) if self._prepared is None else self._prepared.trace

    def _attempt(self) -> Attempt[T]:
        """Send one request and say what came of it."""
        received: Reply = None
        while received is None:
            secret: Reply = self._renewed or self._settings.credential.fixed
            if secret is None or self._settings.retry.share_retry_after:
                secret = yield from self._ready()
            if not isinstance(secret, Secret) or self.is_too_late:
                return self._not_attempted(secret)
            last, request = self._last, self._request(secret)
            if self._seen is None or not self.is_too_late:  # a hook may have taken the time that was left
                received = yield request
            if not isinstance(received, Received) and (received is None or is_held_back(received)):
                error = deadline_error(self._settings.deadline, "not_sent") if received is None else held_back(received)
                self.attempts, self._last, received = self.attempts - 1, last, None
                self._tell_ended(error, None)
        done = self._classify(received)
        if isinstance(done, Failure) and done.event is Event.CREDENTIAL_REFUSED and (yield from self._renew(done)):
            self._begin_retry(done, 0.0)  # no policy forbids it: the request was refused before anything was done
            yield 0.0
            done = yield from self._attempt()
        return done

    def _ready(self) -> Generator[Step, Reply, Reply]:
        """Wait as long as all calls of the client do, then give the credential."""
        secret: Reply = None
        while not self.is_too_late and (secret is None or self._settings.shared_wait):
            if wait := self._settings.shared_wait:
                if self._ends_in(wait):
                    return deadline_error(self._settings.deadline, "not_sent", wait)
                yield wait
            secret = self._renewed or self._settings.credential.fixed or (yield CREDENTIAL)
        return secret

    def _retries(self, done: "Response[T] | Failure") -> Attempt[T]:
        """Repeat the attempt as tenacity says; entered only after a failure, as it takes long to import."""
        try:
            from tenacity import Retrying, retry_if_result  # by name: another thread may have got half of it
        except UNLOADABLE:  # no descriptor is free: the failure itself says more
            log(logging.ERROR, "retries could not be loaded; the call ends with its first failure", is_error=True)
            return done
        waits: list[float] = []
        # A result given to tenacity would live on in its cycles, and with it an error: it looks at the call instead.
        for attempt in Retrying(
            retry=retry_if_result(lambda _: self._last is not None and self._wants_retry(self._last)),
            stop=lambda state: (
                self.attempts >= self._settings.retry.max_attempts or self._ends_in(state.upcoming_sleep)
            ),
            wait=lambda _: self._wait(self._last),
            sleep=waits.append,
            retry_error_callback=lambda end: explain_end(self._last, self._settings, self.attempts, end.upcoming_sleep),
        ):
            if waits:
                if not self._begin_retry(done, wait := waits.pop()):
                    break
                yield wait
                done = yield from self._attempt()
            attempt.retry_state.set_result(None)
        return done

    # The request

    @property
    def left(self) -> float | None:
        """Seconds that are left of the deadline; `None` without one."""
        return None if self._end is None else max(0.0, self._end - self._settings.clock.monotonic())

    @property
    def is_too_late(self) -> bool:
        """Whether the deadline has passed, or leaves no time to do anything in."""
        return self._end is not None and self._end - self._settings.clock.monotonic() <= _CLOSE_TO_DEADLINE

    def _ends_in(self, seconds: float) -> bool:
        return self._end is not None and seconds >= self._end - self._settings.clock.monotonic()

    def _request(self, secret: Secret) -> RawRequest:
        """Build the next attempt: a new span, times cut to the deadline, the credential last."""
        settings = self._settings
        self.attempts += 1
        headers = self._fixed.copy()
        span, trace_id = None, None if self._trace is None else self._trace.trace_id
        if self._seen is not None:
            span = self._seen.request_started(self.attempts, trace_id)
        traced = [] if self._trace is None else self._trace.headers(span)
        headers += traced
        signed = settings.credential.signed(headers, settings.address.origin, secret)
        # From here on the request may be on its way: only a reported phase proves that it is not.
        hold_back = settings.refuse_while_waiting if settings.retry.share_retry_after else None
        self._secret, self._sent_at, self._began = secret, settings.clock.now(), settings.clock.monotonic()
        self.progress, self._last = Progress(self._on_sent, hold_back), None
        return RawRequest(
            method=self.operation.method,
            address=settings.address,
            target=self._target,
            headers=signed,
            trace=traced or [each for each in headers if each[0].lower().startswith(b"x-b3-")],
            body=self._body or NOTHING,
            timeouts=timeouts_of(settings, self._end),
            progress=self.progress,
            deadline=self._end,
            max_idle=None if self.operation.safety is Safety.READ else settings.write_idle,
            template=self.operation.template,
            min_idle=settings.min_idle_before_charge if self.operation.safety is Safety.MONEY else 0.0,
        )

    # The response

    def _classify(self, received: Reply) -> "Response[T] | Failure":
        """Say what came of a request."""
        settings = self._settings
        if isinstance(received, Received):
            self._status, found = received.status, received.headers.by_name
            settings.dates.note(found, self._began, settings.clock.monotonic())
            named = found.get("x-b3-traceid") if settings.group == "user_mgmt" else None  # group C has no other name
            self._request_id = received.request_id = named or found.get("request-id")
            try:
                wait = settings.asked_wait(received.headers) if received.status in (429, 503) else None
                done = classify(self.operation, received, settings.group, wait, settings.retry.retry_after_max)
            except UNLOADABLE as error:
                done = not_read(error, received)
            if isinstance(done, Result):
                if self._seen is not None:
                    self._tell_ended(None, received)
                return self._succeed(done.value, received)
        elif isinstance(received, TransportFailure):
            done = classify_failure(received, settings.address.host, settings.timeouts.pool)
        else:
            raise TypeError("a request gets a response or a failure")
        if done.event in (Event.NOT_SENT, Event.NO_CONNECTION, Event.NO_RESPONSE, Event.CUT_OFF) and self.is_too_late:
            if not isinstance(done.error, errors.APIError):
                done.error = deadline_error(settings.deadline, done.error.outcome)
            done.is_final = True
        self._note(done)
        self._tell_ended(done.error, received)
        return done

    def _note(self, failure: Failure) -> None:
        """Keep what a failed attempt means before observers or logs run: those may be interrupted."""
        self._unknown = remember(self._unknown, self._rule(failure), self._phase)
        self._went_out = self._went_out or failure.error.outcome != "not_sent"
        self._last = failure

    @property
    def _phase(self) -> errors.Phase:
        return "not_reported" if self.progress is None else self.progress.phase

    @property
    def is_under_way(self) -> bool:
        """Whether something of the present attempt may have left, and nothing has come of it yet."""
        return self._last is None and self.progress is not None and self._phase not in NOT_SENT

    def timed_out(self) -> TransportFailure:
        """The failure of an attempt that the deadline ends."""
        phase = self._phase
        return TransportFailure("no response in time", "headers_started" if phase == "not_reported" else phase)

    def _not_attempted(self, reply: Reply) -> Failure:
        """End before an attempt: the deadline passed, or the credential cannot be used.

        An earlier attempt was sent and refused; its failure is what the caller must see.
        """
        unusable = reply if isinstance(reply, SubscribekitError) else None
        if self._last is None:
            refused = unusable or deadline_error(self._settings.deadline, "not_sent")
            return Failure(Event.NOT_SENT, refused, is_final=True)
        if unusable is not None:
            self._last.error.add_note(f"subscribekit: not sent again: {unusable}")
        self._last.is_final = True
        return self._last

    def _renew(self, refused: Failure) -> Generator[Step, Reply, bool]:
        """After a 401: only another credential, and only once, makes a retry worth while."""
        refused.is_final = True
        if self._renewed is not None or self._settings.credential.fixed is not None:
            return False
        secret = yield CREDENTIAL
        if isinstance(secret, SubscribekitError):
            refused.error.add_note(f"subscribekit: not sent again: {secret}")
        elif isinstance(secret, Secret) and secret != self._secret and not self.is_too_late:
            self._renewed = secret
        return self._renewed is not None

    # Whether to go on

    def _wants_retry(self, failure: Failure) -> bool:
        """Whether the table allows a retry."""
        if failure.is_final:
            return False
        asked = {"yes": True, "once": not self._once_used, "if_asked": self._settings.retry.retry_unknown}
        return asked.get(rule_for(failure.event, self.operation.safety).retry, False)

    def _wait(self, failure: Failure | None) -> float:
        drawn = backoff.backoff(self._settings.retry, self.attempts, self._settings.clock.uniform)
        return max(drawn, failure.retry_after or 0.0) if failure is not None else drawn

    def _begin_retry(self, done: "Response[T] | Failure", wait: float) -> bool:
        """Note that a retry is made; `False` when the budget of the client is spent."""
        if not isinstance(done, Failure):
            return False
        is_renewal = done.event is Event.CREDENTIAL_REFUSED
        if not is_renewal and not self._settings.budget.spend():
            done.error.add_note("subscribekit: not sent again, since too many calls of this client failed lately")
            return False
        rule = self._rule(done)
        self._once_used = self._once_used or (rule.retry == "once" and not is_renewal)
        if self._seen is not None:
            self._seen.retrying(done.error, wait)
        self._log(
            logging.INFO, "attempt %d failed (%s, status %s, request id %s, after %.3f s), next in %.2f s",
            self.attempts, type(done.error).__name__,
            getattr(done.error, "status_code", None), in_log(getattr(done.error, "request_id", None)),
            self.elapsed, wait,
        )  # fmt: skip
        return True

    def _rule(self, failure: Failure) -> Rule:
        return rule_for(failure.event, self.operation.safety)

    # How it ends

    @property
    def elapsed(self) -> float:
        """Seconds since the call began."""
        return self._settings.clock.monotonic() - self._started

    def _succeed(self, value: T, received: Received) -> Response[T]:
        """Wrap the result."""
        settings = self._settings
        if settings.budget.tokens < settings.budget.CAPACITY:
            settings.budget.succeed()
        response = Response(
            data=value,
            status_code=received.status,
            headers=received.headers,
            request_id=self._request_id,
            trace_id=self._trace.trace_id if self._trace else None,
            attempts=self.attempts,
            elapsed=settings.clock.monotonic() - self._started,
        )
        if logger.isEnabledFor(logging.INFO):
            self._log_end(logging.INFO, str(received.status))
        if self._seen is not None:
            self._seen.result_read(value)
            self._tell_call_ended(None)
        return response

    def fail(self, failure: Failure) -> SubscribekitError:
        """Give the error to raise, complete with what is known."""
        error = failure.error
        if failure is not self._last:  # nothing was sent of the last attempt
            self._note(failure)
        if self._unknown is None:
            pass
        elif isinstance(error, errors.NotFoundError) and self.operation.safety is Safety.DELETE:
            error.earlier_attempt_unknown, error.outcome = True, "unknown"
            mark(error, self._interruption())
        else:
            trace_id = self._trace.trace_id if self._trace else None
            sent = unknown_outcome.told_of_requests(self.attempts, self._sent_at, trace_id, self._request_id)
            error = self._complete(outcome_unknown(self.operation, self.name, error, self._unknown, sent))
        if self._went_out and error.outcome == "not_sent":
            error.outcome = "rejected"  # the last attempt was not sent, one before it was
        del failure.error  # the engine of retries and frames of other libraries may live on, and keep the failure
        self._describe(error)
        if isinstance(error.__cause__, SubscribekitError):
            self._describe(error.__cause__)
        self._log_end(logging.WARNING, unknown_outcome.end_of(error, self.operation))
        self._tell_call_ended(error)
        return error

    def interrupted(self, error: BaseException) -> BaseException:
        """Note that the caller, or an error of another kind, stopped the call (H11): a write's outcome is said.

        The record is kept first: what logs and observers do with the news may be interrupted, too (H248).

        Returns:
            The same error. An interrupt (a cancellation, Ctrl-C) loses the engine's frames, whose variables hold the
            request (H31); an error keeps them, since they say where it comes from.
        """
        outcome, key = self._outcome_so_far(), self.operation.reconcile_key
        if outcome == "unknown":
            mark(error, self._interruption())
        elif self.operation.safety is not Safety.READ:
            mark_known(error, outcome, self._sent_at, self._began)
        if not isinstance(error, Exception):
            error.with_traceback(None)
            error.__context__ = None  # that of the caller is set again when it is raised
        if self.operation.safety is not Safety.READ and self.attempts:
            resolved_by = unknown_outcome.BY_RECORD if outcome == "unknown" else ""
            error.add_note(
                f"subscribekit: {self.name} was interrupted; outcome {outcome}, reconcile by {key!r}{resolved_by}"
            )
            self._log(logging.WARNING, "interrupted: outcome %s, phase %s, reconcile by %r", outcome, self._phase, key)
        self._tell_call_ended(error)
        return error

    def _interruption(self) -> errors.OutcomeUnknownError:
        known, status = self._unknown, self._status or 0
        if self._last is None and 200 <= status < 300:  # the response had come
            known = UnknownOutcome(self._phase, likely_applied=True, is_last=True)
        return self._complete(unknown_outcome.unknown_after_interrupt(self.operation, self.name, self._phase, known))

    def _complete(self, unknown: errors.OutcomeUnknownError) -> errors.OutcomeUnknownError:
        """Put into an unknown outcome what is known, and what it is resolved by."""
        unknown.sent_at, unknown.status_code, unknown.request_id = self._sent_at, self._status, self._request_id
        unknown.record = record_of(self.operation, self._settings) + sent_at(self._settings, self._began, self._sent_at)
        self._describe(unknown)
        return unknown

    def _outcome_so_far(self) -> errors.Outcome:
        """Facts about all attempts, the earlier ones included."""
        if self.operation.safety is not Safety.READ and (self._unknown is not None or self.is_under_way):
            return "unknown"
        return "rejected" if self._went_out or self.is_under_way else "not_sent"

    def _describe(self, error: SubscribekitError) -> None:
        error.operation, error.attempts, error.elapsed = self.name, self.attempts, self.elapsed
        error.trace_id = self._trace.trace_id if self._trace else None

    def _tell_ended(self, error: SubscribekitError | None, received: Received | TransportFailure | None) -> None:
        if self._seen is not None:
            came = received if isinstance(received, Received) else None
            status, request_id = (came.status, came.request_id) if came else (None, None)
            self._seen.request_ended(status, request_id, error, self.elapsed)

    def _tell_call_ended(self, error: BaseException | None) -> None:
        if self._seen is not None:
            self._seen.call_ended(error, self.attempts, self.elapsed)

    def _log_end(self, level: int, end: str) -> None:
        request_id = in_log(self._request_id)
        self._log(level, "-> %s, %d attempt(s), %.3f s, request id %s", end, self.attempts, self.elapsed, request_id)

    def _log(self, level: int, text: str, *args: object) -> None:
        log(level, "%s %s " + text, self.operation.method, self.operation.template, *args)
