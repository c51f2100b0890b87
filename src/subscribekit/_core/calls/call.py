"""One call and its retries, as a generator that does no I/O.

`run` yields steps: send a request, get the credential, or wait. A driver performs each step and sends the reply
back to the generator. Sync and async calls behave the same because the drivers decide nothing. The retry table decides
whether an attempt may be repeated. This module applies the retry table, and the limits of the call.
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

__tracebackhide__ = methodcaller(
    "errisinstance", SubscribekitError
)  # pytest hides this module's frames and shows the caller's line

T = TypeVar("T")

_CLOSE_TO_DEADLINE = 0.005
"""If at most this many seconds are left until the deadline, the call doesn't start another step."""


class Call(Generic[T]):
    """The state of one call."""

    __slots__ = (
        "__weakref__", "_attempt_started_at", "_body", "_deadline", "_failure", "_headers", "_observation", "_on_sent",
        "_prepared", "_renewed_secret", "_request_id", "_secret", "_sent_at", "_settings", "_single_retry_used",
        "_started_at", "_status", "_target", "_trace", "_unknown", "_was_sent", "attempts", "name", "operation",
        "progress",
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
            self._target, self._body, self._headers = prepared.target, prepared.body, list(prepared.headers)
        else:
            self._target = target_of(settings, operation)
            self._body = operation.body if operation.body is None else body_of(settings, operation)
            self._headers = fixed_headers(settings, operation, self._body)
        self._trace: CallTrace | None = None
        self._observation: Observation | None = None
        self._attempt_started_at = self._started_at = settings.clock.monotonic()
        self._deadline = None if settings.deadline is None else self._started_at + settings.deadline
        self.attempts = 0
        self.progress: Progress | None = None
        self._secret: Secret | None = None
        self._renewed_secret: Secret | None = None
        self._sent_at: datetime | None = None
        self._status: int | None = None
        self._request_id: str | None = None
        self._failure: Failure | None = None
        self._unknown: UnknownOutcome | None = None
        self._single_retry_used = False
        self._was_sent = False

    def run(self) -> Attempt[T]:
        """Make the first attempt of the call, and then retry if the retry table allows a retry."""
        try:
            self._start()
        except UNLOADABLE as error:
            return not_loaded(error)
        done = yield from self._attempt()
        is_last = self.attempts >= self._settings.retry.max_attempts
        if isinstance(done, Failure) and not is_last and self._allows_retry(done):
            done = yield from self._retry(done)
        return done

    def _start(self) -> None:
        """Load the models, notify the observers, and then start the trace, which may continue an observer's span."""
        if self.operation.reader.result not in LOADED and self.operation.safety is not Safety.READ:
            load_before(self.operation)
        settings = self._settings
        if settings.observers:
            from .telemetry.observers import observed

            self._observation = observed(settings, self.operation, self.name)
        self._trace = trace.start(settings.trace) if self._prepared is None else self._prepared.trace

    def _attempt(self) -> Attempt[T]:
        """Send one request and classify the reply."""
        received: Reply = None
        while received is None:
            secret: Reply = self._renewed_secret or self._settings.credential.fixed
            if secret is None or self._settings.retry.share_retry_after:
                secret = yield from self._wait_for_credential()
            if not isinstance(secret, Secret) or self.is_too_late:
                return self._fail_before_attempt(secret)
            last, request = self._failure, self._build_request(secret)
            if self._observation is None or not self.is_too_late:  # observers may use up the time until the deadline
                received = yield request
            if not isinstance(received, Received) and (received is None or is_held_back(received)):
                error = deadline_error(self._settings.deadline, "not_sent") if received is None else held_back(received)
                self.attempts, self._failure, received = self.attempts - 1, last, None
                self._notify_ended(error, None)
        done = self._classify(received)
        if isinstance(done, Failure) and done.event is Event.CREDENTIAL_REFUSED and (yield from self._renew(done)):
            self._record_retry(done, 0.0)  # a 401 means that nothing was carried out, so every policy allows a retry
            yield 0.0
            done = yield from self._attempt()
        return done

    def _wait_for_credential(self) -> Generator[Step, Reply, Reply]:
        """Wait as long as the service asked all calls of the client to wait, and then return the credential."""
        secret: Reply = None
        while not self.is_too_late and (secret is None or self._settings.shared_wait):
            if wait := self._settings.shared_wait:
                if self._deadline_within(wait):
                    return deadline_error(self._settings.deadline, "not_sent", wait)
                yield wait
            secret = self._renewed_secret or self._settings.credential.fixed or (yield CREDENTIAL)
        return secret

    def _retry(self, done: "Response[T] | Failure") -> Attempt[T]:
        """Retry with tenacity, which is slow to import and is therefore imported only after a failure."""
        # The import can fail if no file descriptor is free, or if another thread is still importing tenacity.
        try:
            from tenacity import Retrying, retry_if_result
        except UNLOADABLE:
            log(logging.ERROR, "can't import tenacity, so the call isn't retried", is_error=True)
            return done
        waits: list[float] = []
        # The retry conditions read the state of the call instead of the result of an attempt, because tenacity would
        # keep the result alive in a reference cycle.
        for attempt in Retrying(
            retry=retry_if_result(lambda _: self._failure is not None and self._allows_retry(self._failure)),
            stop=lambda state: (
                self.attempts >= self._settings.retry.max_attempts or self._deadline_within(state.upcoming_sleep)
            ),
            wait=lambda _: self._wait(self._failure),
            sleep=waits.append,
            retry_error_callback=lambda end: explain_end(
                self._failure, self._settings, self.attempts, end.upcoming_sleep
            ),
        ):
            if waits:
                if not self._record_retry(done, wait := waits.pop()):
                    break
                yield wait
                done = yield from self._attempt()
            attempt.retry_state.set_result(None)
        return done

    @property
    def left(self) -> float | None:
        """Seconds until the deadline, or `None` if the call has no deadline."""
        return None if self._deadline is None else max(0.0, self._deadline - self._settings.clock.monotonic())

    @property
    def is_too_late(self) -> bool:
        """Whether the deadline has passed or is too close to start another step."""
        return self._deadline is not None and self._deadline - self._settings.clock.monotonic() <= _CLOSE_TO_DEADLINE

    def _deadline_within(self, seconds: float) -> bool:
        return self._deadline is not None and seconds >= self._deadline - self._settings.clock.monotonic()

    def _build_request(self, secret: Secret) -> RawRequest:
        """Build the request of the next attempt, with a new span, the credential, and timeouts within the deadline."""
        settings = self._settings
        self.attempts += 1
        headers = self._headers.copy()
        span, trace_id = None, None if self._trace is None else self._trace.trace_id
        if self._observation is not None:
            span = self._observation.request_started(self.attempts, trace_id)
        traced = [] if self._trace is None else self._trace.headers(span)
        headers += traced
        signed = settings.credential.signed(headers, settings.address.origin, secret)
        # As soon as `progress` is set, the call treats the request as in flight unless the transport reports otherwise.
        hold_back = settings.refuse_while_waiting if settings.retry.share_retry_after else None
        self._secret, self._sent_at, self._attempt_started_at = secret, settings.clock.now(), settings.clock.monotonic()
        self.progress, self._failure = Progress(self._on_sent, hold_back), None
        return RawRequest(
            method=self.operation.method,
            address=settings.address,
            target=self._target,
            headers=signed,
            trace=traced or [each for each in headers if each[0].lower().startswith(b"x-b3-")],
            body=self._body or NOTHING,
            timeouts=timeouts_of(settings, self._deadline),
            progress=self.progress,
            deadline=self._deadline,
            max_idle=None if self.operation.safety is Safety.READ else settings.write_idle,
            template=self.operation.template,
            min_idle=settings.min_idle_before_charge if self.operation.safety is Safety.MONEY else 0.0,
        )

    def _classify(self, received: Reply) -> "Response[T] | Failure":
        """Classify the reply to a request."""
        settings = self._settings
        if isinstance(received, Received):
            self._status, headers = received.status, received.headers.by_name
            settings.dates.note(headers, self._attempt_started_at, settings.clock.monotonic())
            # The account-lifecycle API identifies a request by its trace ID.
            trace_id = headers.get("x-b3-traceid") if settings.group == "user_mgmt" else None
            self._request_id = received.request_id = trace_id or headers.get("request-id")
            try:
                wait = settings.asked_wait(received.headers) if received.status in (429, 503) else None
                done = classify(self.operation, received, settings.group, wait, settings.retry.retry_after_max)
            except UNLOADABLE as error:
                done = not_read(error, received)
            if isinstance(done, Result):
                if self._observation is not None:
                    self._notify_ended(None, received)
                return self._succeed(done.value, received)
        elif isinstance(received, TransportFailure):
            done = classify_failure(received, settings.address.host, settings.timeouts.pool)
        else:
            raise TypeError("the reply to a RawRequest must be a Received or a TransportFailure")
        if done.event in (Event.NOT_SENT, Event.NO_CONNECTION, Event.NO_RESPONSE, Event.CUT_OFF) and self.is_too_late:
            if not isinstance(done.error, errors.APIError):
                done.error = deadline_error(settings.deadline, done.error.outcome)
            done.is_final = True
        self._record_failure(done)
        self._notify_ended(done.error, received)
        return done

    def _record_failure(self, failure: Failure) -> None:
        """Record a failed attempt, before an interrupt can stop the call in an observer or a log handler."""
        self._unknown = remember(self._unknown, self._rule(failure), self._phase)
        self._was_sent = self._was_sent or failure.error.outcome != "not_sent"
        self._failure = failure

    @property
    def _phase(self) -> errors.Phase:
        return "not_reported" if self.progress is None else self.progress.phase

    @property
    def is_under_way(self) -> bool:
        """Whether the current attempt may have sent bytes and has no known result yet."""
        return self._failure is None and self.progress is not None and self._phase not in NOT_SENT

    def timed_out(self) -> TransportFailure:
        """Return the failure of an attempt that reached the deadline."""
        phase = self._phase
        return TransportFailure("no response in time", "headers_started" if phase == "not_reported" else phase)

    def _fail_before_attempt(self, reply: Reply) -> Failure:
        """Return the previous attempt's failure, or a new failure if the first attempt can't start."""
        unusable = reply if isinstance(reply, SubscribekitError) else None
        if self._failure is None:
            refused = unusable or deadline_error(self._settings.deadline, "not_sent")
            return Failure(Event.NOT_SENT, refused, is_final=True)
        if unusable is not None:
            self._failure.error.add_note(f"subscribekit: not retried: {unusable}")
        self._failure.is_final = True
        return self._failure

    def _renew(self, refused: Failure) -> Generator[Step, Reply, bool]:
        """Get a new credential after the first 401 of a call, and return `True` if the credential has changed."""
        refused.is_final = True
        if self._renewed_secret is not None or self._settings.credential.fixed is not None:
            return False
        secret = yield CREDENTIAL
        if isinstance(secret, SubscribekitError):
            refused.error.add_note(f"subscribekit: not retried: {secret}")
        elif isinstance(secret, Secret) and secret != self._secret and not self.is_too_late:
            self._renewed_secret = secret
        return self._renewed_secret is not None

    def _allows_retry(self, failure: Failure) -> bool:
        """Return whether the retry table and the retry policy allow a retry."""
        if failure.is_final:
            return False
        allowed = {"yes": True, "once": not self._single_retry_used, "if_asked": self._settings.retry.retry_unknown}
        return allowed.get(rule_for(failure.event, self.operation.safety).retry, False)

    def _wait(self, failure: Failure | None) -> float:
        drawn = backoff.backoff(self._settings.retry, self.attempts, self._settings.clock.uniform)
        return max(drawn, failure.retry_after or 0.0) if failure is not None else drawn

    def _record_retry(self, done: "Response[T] | Failure", wait: float) -> bool:
        """Record a retry, or return `False` if the client's retry budget is used up."""
        if not isinstance(done, Failure):
            return False
        is_renewal = done.event is Event.CREDENTIAL_REFUSED
        if not is_renewal and not self._settings.budget.spend():
            done.error.add_note("subscribekit: not retried, because too many recent calls of this client failed")
            return False
        rule = self._rule(done)
        self._single_retry_used = self._single_retry_used or (rule.retry == "once" and not is_renewal)
        if self._observation is not None:
            self._observation.retrying(done.error, wait)
        self._log(
            logging.INFO, "attempt %d failed (%s, status %s, request id %s, after %.3f s), next in %.2f s",
            self.attempts, type(done.error).__name__,
            getattr(done.error, "status_code", None), in_log(getattr(done.error, "request_id", None)),
            self.elapsed, wait,
        )  # fmt: skip
        return True

    def _rule(self, failure: Failure) -> Rule:
        return rule_for(failure.event, self.operation.safety)

    @property
    def elapsed(self) -> float:
        """Seconds since the call started."""
        return self._settings.clock.monotonic() - self._started_at

    def _succeed(self, value: T, received: Received) -> Response[T]:
        """Wrap the result in a response."""
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
            elapsed=settings.clock.monotonic() - self._started_at,
        )
        if logger.isEnabledFor(logging.INFO):
            self._log_end(logging.INFO, str(received.status))
        if self._observation is not None:
            self._observation.result_read(value)
            self._notify_call_ended(None)
        return response

    def fail(self, failure: Failure) -> SubscribekitError:
        """Return the error to raise, with all known facts about the call."""
        error = failure.error
        if failure is not self._failure:  # a failure that `_classify` didn't return isn't recorded yet
            self._record_failure(failure)
        if self._unknown is None:
            pass
        elif isinstance(error, errors.NotFoundError) and self.operation.safety is Safety.DELETE:
            error.earlier_attempt_unknown, error.outcome = True, "unknown"
            mark(error, self._unknown_after_interrupt())
        else:
            trace_id = self._trace.trace_id if self._trace else None
            sent = unknown_outcome.describe_requests(self.attempts, self._sent_at, trace_id, self._request_id)
            error = self._add_facts(outcome_unknown(self.operation, self.name, error, self._unknown, sent))
        if self._was_sent and error.outcome == "not_sent":
            error.outcome = "rejected"  # the last attempt wasn't sent, but an earlier attempt was
        self._describe(error)
        del failure.error  # without this line, a library that stores the failure would keep the error alive
        if isinstance(error.__cause__, SubscribekitError):
            self._describe(error.__cause__)
        self._log_end(logging.WARNING, unknown_outcome.end_of(error, self.operation))
        self._notify_call_ended(error)
        return error

    def interrupted(self, error: BaseException) -> BaseException:
        """Attach the outcome of a write to the exception that stopped the call, such as a cancellation (H11).

        The method attaches the record before it calls log handlers and observers, because another interrupt can stop
        the method there (H248).

        Returns:
            The same exception. The traceback of a cancellation or Ctrl-C is removed, because its frames contain the
            request (H31). Any other exception keeps its traceback, which shows where the exception was raised.
        """
        outcome, key = self._outcome_so_far(), self.operation.reconcile_key
        if outcome == "unknown":
            mark(error, self._unknown_after_interrupt())
        elif self.operation.safety is not Safety.READ:
            mark_known(error, outcome, self._sent_at, self._attempt_started_at)
        if not isinstance(error, Exception):
            error.with_traceback(None)
            error.__context__ = None  # `raise` in the driver sets the context to the exception that the caller handles
        if self.operation.safety is not Safety.READ and self.attempts:
            resolved_by = unknown_outcome.BY_RECORD if outcome == "unknown" else ""
            error.add_note(
                f"subscribekit: {self.name} was interrupted; outcome {outcome}, reconcile by {key!r}{resolved_by}"
            )
            self._log(logging.WARNING, "interrupted: outcome %s, phase %s, reconcile by %r", outcome, self._phase, key)
        self._notify_call_ended(error)
        return error

    def _unknown_after_interrupt(self) -> errors.OutcomeUnknownError:
        known, status = self._unknown, self._status or 0
        if self._failure is None and 200 <= status < 300:  # a response with a success status had already arrived
            known = UnknownOutcome(self._phase, likely_applied=True, is_last=True)
        return self._add_facts(unknown_outcome.unknown_after_interrupt(self.operation, self.name, self._phase, known))

    def _add_facts(self, unknown: errors.OutcomeUnknownError) -> errors.OutcomeUnknownError:
        """Add the facts about the call to an error, and the record that `resolve` needs."""
        unknown.sent_at, unknown.status_code, unknown.request_id = self._sent_at, self._status, self._request_id
        unknown.record = record_of(self.operation, self._settings) + sent_at(
            self._settings, self._attempt_started_at, self._sent_at
        )
        self._describe(unknown)
        return unknown

    def _outcome_so_far(self) -> errors.Outcome:
        """Return the outcome of all attempts so far."""
        if self.operation.safety is not Safety.READ and (self._unknown is not None or self.is_under_way):
            return "unknown"
        return "rejected" if self._was_sent or self.is_under_way else "not_sent"

    def _describe(self, error: SubscribekitError) -> None:
        error.operation, error.attempts, error.elapsed = self.name, self.attempts, self.elapsed
        error.trace_id = self._trace.trace_id if self._trace else None

    def _notify_ended(self, error: SubscribekitError | None, received: Received | TransportFailure | None) -> None:
        if self._observation is not None:
            response = received if isinstance(received, Received) else None
            status, request_id = (response.status, response.request_id) if response else (None, None)
            self._observation.request_ended(status, request_id, error, self.elapsed)

    def _notify_call_ended(self, error: BaseException | None) -> None:
        if self._observation is not None:
            self._observation.call_ended(error, self.attempts, self.elapsed)

    def _log_end(self, level: int, end: str) -> None:
        request_id = in_log(self._request_id)
        self._log(level, "-> %s, %d attempt(s), %.3f s, request id %s", end, self.attempts, self.elapsed, request_id)

    def _log(self, level: int, text: str, *args: object) -> None:
        log(level, "%s %s " + text, self.operation.method, self.operation.template, *args)
