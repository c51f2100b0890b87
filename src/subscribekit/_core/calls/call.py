"""One call from its first attempt to its end: builds the requests, judges what comes back. No I/O.

The drivers carry; everything they need to know is decided here, so both styles behave alike.
"""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Generic, TypeVar

from ... import errors
from ...errors import OutcomeUnknownError, SubscribekitError
from ..config.credentials import Credential
from ..config.secret import Secret
from ..http.decoding import DamagedBodyError, TooLargeError, compress
from ..http.failure import TransportFailure
from ..http.headers import Headers
from ..http.progress import NOT_SENT, Progress
from ..http.transport import RawRequest
from ..operations.operation import Operation, Safety
from . import retry, trace
from .classify import Answer, Judge, Read, escape
from .response import PlannedRequest, Response
from .retry import Failure
from .settings import Settings, fixed_headers, target_of
from .trace import CallTrace
from .unknown_outcome import Doubt, doubtful, outcome_unknown

if TYPE_CHECKING:
    import tenacity

    from .observers import Observation

T = TypeVar("T")

logger = logging.getLogger("subscribekit")
logger.addHandler(logging.NullHandler())  # without it Python prints warnings of a library that nobody set up

_CLOSE_TO_DEADLINE = 0.005


class Call(Generic[T]):
    """The state of one call."""

    __slots__ = (
        "_body", "_doubt", "_end", "_fixed", "_last", "_once_used", "_request_id", "_seen", "_sent", "_sent_at",
        "_settings", "_started", "_status", "_target", "_trace", "_went_out", "attempts", "name", "operation",
        "progress", "renewed", "secret",
    )  # fmt: skip

    def __init__(
        self, settings: Settings, operation: Operation[T], name: str, sent: Callable[[], None] | None = None
    ) -> None:
        if operation.needs_credential and settings.credential.scheme == "none":
            raise errors.ConfigurationError(
                f"this operation needs an API key, only campaigns.activate works without one: "
                f"{settings.credential.remedy}"
            ).during(name)
        self._settings, self.operation, self.name, self._sent = settings, operation, name, sent
        self._target = target_of(settings, operation)
        body = operation.body
        self._body = compress(body) if body is not None and settings.compress else body
        self._fixed = fixed_headers(settings, operation, self._body)
        self._trace: CallTrace | None = None
        self._seen: Observation | None = None
        self._started = settings.clock.monotonic()
        self._end = None if settings.deadline is None else self._started + settings.deadline
        self.attempts = 0
        self.progress = Progress(sent)
        self.secret: Secret | None = None
        self.renewed: Secret | None = None
        self._sent_at = settings.clock.now()
        self._status: int | None = None
        self._request_id: str | None = None
        self._last: Failure | None = None
        self._doubt: Doubt | None = None
        self._once_used = False
        self._went_out = False

    # What is sent

    def start(self) -> None:
        """Begin: tell the observers, then continue or begin the trace, which may be one of theirs."""
        settings, operation = self._settings, self.operation
        if settings.observers:
            from .observers import CallInfo, Observation

            info = CallInfo(
                operation=self.name,
                method=operation.method,
                path_template=operation.template,
                origin=settings.address.origin,
                group=settings.group,
                environment=settings.environment,
            )
            self._seen = Observation.begin(settings.observers, info)
        self._trace = trace.start(settings.trace)

    @property
    def credential(self) -> Credential:
        """The credential that the request will carry."""
        return self._settings.credential

    @property
    def left(self) -> float | None:
        """Seconds that are left of the deadline; `None` without one."""
        return None if self._end is None else max(0.0, self._end - self._settings.clock.monotonic())

    def request(self, secret: Secret) -> RawRequest:
        """Build the next attempt: a new span, times cut to the deadline, the credential last."""
        self.attempts += 1
        self.progress, self._last = Progress(self._sent), None
        self._sent_at = self._settings.clock.now()
        self.secret = secret
        address = self._settings.address
        headers = self._fixed + self._span_headers()
        credential = self.credential.header(address.origin, secret)
        if credential is not None:
            headers.append(credential)
        return RawRequest(
            method=self.operation.method,
            address=address,
            target=self._target,
            headers=[(name.encode("ascii"), value.encode("ascii")) for name, value in headers],
            body=self._body or b"",
            timeouts=self._timeouts(),
            progress=self.progress,
            deadline=self._end,
            max_idle=None if self.operation.safety.is_read else self._settings.write_idle,
        )

    def _span_headers(self) -> list[tuple[str, str]]:
        span = None
        if self._seen is not None:
            span = self._seen.request_started(self.attempts, self._trace.trace_id if self._trace else None)
        return self._trace.headers(span) if self._trace else []

    def _timeouts(self) -> dict[str, float]:
        times, left = self._settings.timeouts, self.left
        every = {"connect": times.connect, "read": times.read, "write": times.write, "pool": times.pool}
        return every if left is None else {name: min(seconds, max(left, 0.001)) for name, seconds in every.items()}

    def plan(self) -> PlannedRequest:
        """Describe the first attempt, its credential masked."""
        traced = trace.start(self._settings.trace)
        headers = self._fixed + (traced.headers() if traced else [])
        credential = self.credential.redacted()
        return PlannedRequest(
            operation=self.name,
            method=self.operation.method,
            url=self._settings.address.origin + self._target,
            headers=Headers(headers + ([credential] if credential else [])),
            body=self._body,
            path_template=self.operation.template,
        )

    # What comes back

    def answered(
        self, status: int, headers: Headers, body: bytes | None, problem: Exception | None
    ) -> Read[T] | Failure:
        """Judge an answer whose status is known."""
        is_cut = problem is not None and not isinstance(problem, TooLargeError | DamagedBodyError)
        answer = Answer(
            status=status,
            headers=headers,
            body=body,
            # In own words: another library's text may quote the bytes that it could not read (H33).
            problem=f"was cut off: {problem}" if is_cut else str(problem),
            too_large=isinstance(problem, TooLargeError),
            cut=is_cut,
        )
        self._status, self._request_id = status, answer.request_id
        settings = self._settings
        wait = retry.retry_after(headers, settings.clock.now()) if status in (429, 503) else None
        judged = Judge(settings.group, settings.retry).judge(self.operation, answer, wait)
        if isinstance(judged, Failure):
            if answer.cut and self.is_too_late and not isinstance(judged.error, errors.APIError):
                judged.error, judged.again = self._deadline_error(judged), False
            self._last = judged
        self._tell_ended(judged.error if isinstance(judged, Failure) else None, status, answer.request_id)
        return judged

    def lost(self, lost: TransportFailure) -> Failure:
        """Judge an attempt that ended without an answer."""
        host = self._settings.address.host
        if lost.kind == "no_free_connection":
            text = f"no connection became free within {self._settings.timeouts.pool:g} s; nothing was sent"
            failure = Failure(errors.PoolTimeoutError(text))
        elif lost.kind == "refused_by_proxy":
            failure = Failure(errors.ConnectionFailedError(f"{lost.reason}; nothing was sent"))
        elif lost.kind == "refused_by_tls":
            text = f"no secure connection to {host}: {lost.reason}; nothing was sent"
            failure = Failure(errors.ConnectionFailedError(text))
        else:
            sent = "nothing was sent" if lost.phase in NOT_SENT else "no whole answer came"
            error = errors.ConnectionFailedError(f"connection to {host} failed: {lost.reason}; {sent}")
            if lost.phase not in NOT_SENT:
                error.outcome = "rejected"  # kept for reads only; a write becomes an OutcomeUnknownError
            failure = retry.lost(self.operation.safety, lost.phase, self._settings.retry, error)
        if self.is_too_late:
            failure.error = self._deadline_error(failure)
            failure.again = False
        self._last = failure
        self._tell_ended(failure.error)
        return failure

    def _tell_ended(
        self, error: SubscribekitError | None, status: int | None = None, request_id: str | None = None
    ) -> None:
        if self._seen is not None:
            self._seen.request_ended(status, request_id, error, self._elapsed)

    def go_on(self) -> None:
        """End the reading of an answer whose pieces go on coming after the deadline, whatever carries them."""
        if self.is_too_late:
            raise self.timed_out()

    def timed_out(self) -> TransportFailure:
        """The failure of an attempt that the deadline ends."""
        phase = self.progress.phase
        return TransportFailure("no answer in time", "headers_started" if phase == "not_reported" else phase)

    @property
    def is_too_late(self) -> bool:
        """Whether the deadline has passed, or leaves no time to do anything in."""
        return self.left is not None and self.left <= _CLOSE_TO_DEADLINE

    def _deadline_error(self, failure: Failure) -> errors.DeadlineExceededError:
        sent = {"not_sent": "nothing was sent", "rejected": "no whole answer came"}[failure.error.outcome]
        text = f"the deadline of {self._settings.deadline:g} s for the whole call passed; {sent}"
        error = errors.DeadlineExceededError(text)
        error.outcome = failure.error.outcome
        return error

    def too_late(self) -> Failure:
        """The failure of a call whose deadline passed before an attempt: that of the one before, if there was one."""
        if self._last is None:
            return Failure(self._deadline_error(Failure(SubscribekitError())))
        self._last.again = False
        return self._last

    def interrupted(self, error: BaseException) -> BaseException:
        """Note that the caller, or an error of another kind, stopped the call (H11): a write's outcome is said.

        Returns:
            The same error. What interrupts (a cancellation, Ctrl-C) loses the engine's frames, whose variables hold the
            request (H31); an error keeps them, since they say where it comes from.
        """
        if not isinstance(error, Exception):
            error.with_traceback(None)
            error.__context__ = None  # that of the caller is set again when it is raised
        self._tell_call_ended(error)
        if self.operation.safety.is_read or self.attempts == 0:
            return error
        outcome, key = self._outcome_so_far(), self.operation.reconcile_key
        error.add_note(f"subscribekit: {self.name} was interrupted; outcome {outcome}, reconcile by {key!r}")
        logger.warning(
            "%s %s interrupted: outcome %s, phase %s, reconcile by %r",
            self.operation.method, self.operation.template, outcome, self.progress.phase, key,
        )  # fmt: skip
        return error

    def _outcome_so_far(self) -> errors.Outcome:
        if self._doubt is not None or (self._last is not None and self._last.unknown):
            return "unknown"
        if self._last is not None:  # between two attempts
            return self._last.error.outcome
        return "not_sent" if self.progress.phase in NOT_SENT else "unknown"

    # Whether to go on

    def controller(self) -> "tenacity.Retrying":
        """Tenacity's controller for this call, entered only after a failure that may be repeated.

        It looks at the call itself: a result given to it would live on in its cycles, and with it an error.
        """
        import tenacity  # only when something failed: it takes as long to import as all of this package

        return tenacity.Retrying(
            retry=tenacity.retry_if_result(lambda _: self._last is not None and self._last.again),
            wait=lambda _: self._wait(self._last),
            stop=lambda state: self._exhausted(self._last, state.upcoming_sleep),
            sleep=self._settings.clock.sleep,
            retry_error_callback=lambda _: None,
        )

    def async_controller(self) -> "tenacity.AsyncRetrying":
        """The same for the async driver; one controller a call, they cannot be shared by tasks."""
        import tenacity

        return tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(lambda _: self._last is not None and self._last.again),
            wait=lambda _: self._wait(self._last),
            stop=lambda state: self._exhausted(self._last, state.upcoming_sleep),
            sleep=self._settings.clock.sleep_async,
            retry_error_callback=lambda _: None,
        )

    def _wait(self, failure: Failure | None) -> float:
        if failure is not None and failure.fresh_credential:
            return 0.0
        drawn = retry.backoff(self._settings.retry, self.attempts, self._settings.clock.uniform)
        return max(drawn, failure.retry_after or 0.0) if failure is not None else drawn

    def _exhausted(self, failure: Failure | None, wait: float) -> bool:
        """Whether the call ends with this failure: attempts, deadline, budget."""
        if failure is None or self.attempts >= self._settings.retry.max_attempts or (failure.once and self._once_used):
            return True
        if self.left is not None and wait >= self.left:
            return True
        if not failure.fresh_credential and not self._settings.budget.spend():
            failure.error.add_note("subscribekit: not sent again, since too many calls of this client failed lately")
            return True
        self._once_used = self._once_used or failure.once
        self._went_out = self._went_out or failure.error.outcome != "not_sent"
        self._doubt = doubtful(self._doubt, failure, self.progress.phase)
        if self._seen is not None:
            self._seen.retrying(failure.error, wait)
        logger.warning(
            "%s %s attempt %d failed (%s), next in %.2f s",
            self.operation.method, self.operation.template, self.attempts, type(failure.error).__name__, wait,
        )  # fmt: skip
        return False

    def renew(self, secret: Secret | None) -> bool:
        """Whether a 401 may be met with this credential: another one, and for the first time."""
        if secret is None or self.renewed is not None or secret == self.secret:
            return False
        self.renewed = secret
        return True

    # How it ends

    def succeed(self, value: T, status: int, headers: Headers) -> Response[T]:
        """Wrap the result."""
        self._settings.budget.succeed()
        response = Response(
            data=value,
            status_code=status,
            headers=headers,
            request_id=headers.get("request-id"),
            trace_id=self._trace.trace_id if self._trace else None,
            attempts=self.attempts,
            elapsed=self._elapsed,
        )
        self._log(str(status), response.request_id)
        self._tell_call_ended(None)
        return response

    def _tell_call_ended(self, error: BaseException | None) -> None:
        if self._seen is not None:
            self._seen.call_ended(error, self.attempts, self._elapsed)

    def fail(self, failure: Failure) -> SubscribekitError:
        """Give the error to raise, complete with what is known."""
        error = failure.error
        self._doubt = doubtful(self._doubt, failure, self.progress.phase)
        if self._doubt is None:
            pass
        elif isinstance(error, errors.NotFoundError) and self.operation.safety is Safety.DELETE:
            error.earlier_attempt_unknown, error.outcome = True, "unknown"
        else:
            error = self._unknown(failure, self._doubt)
        if self._went_out and error.outcome == "not_sent":
            error.outcome = "rejected"  # the last attempt was not sent, one before it was
        # The engine of repetitions and frames of other libraries may live on, which must not keep the error.
        self._last = None
        del failure.error
        self._describe(error)
        if error.__cause__ is not None and isinstance(error.__cause__, SubscribekitError):
            self._describe(error.__cause__)
        self._log(f"{type(error).__name__} ({error.outcome})", getattr(error, "request_id", None))
        self._tell_call_ended(error)
        return error

    def _describe(self, error: SubscribekitError) -> None:
        error.operation, error.attempts, error.elapsed = self.name, self.attempts, self._elapsed
        error.trace_id = self._trace.trace_id if self._trace else None

    @property
    def _elapsed(self) -> float:
        return self._settings.clock.monotonic() - self._started

    def _unknown(self, failure: Failure, doubt: Doubt) -> OutcomeUnknownError:
        error = outcome_unknown(self.operation, self.name, failure, doubt, self.attempts)
        error.sent_at = self._sent_at
        error.status_code, error.request_id = self._status, self._request_id
        return error

    def _log(self, end: str, request_id: str | None) -> None:
        logger.info(
            "%s %s -> %s, %d attempt(s), %.3f s, request id %s",
            self.operation.method, self.operation.template, end, self.attempts, self._elapsed,
            None if request_id is None else escape(request_id)[:100],
        )  # fmt: skip
