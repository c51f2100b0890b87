"""One call from its first attempt to its end: builds the requests, judges what comes back. No I/O.

The drivers carry; everything they need to know is decided here, so both styles behave alike.
"""

import logging
import ssl
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import quote

import httpx
import tenacity

from .. import errors
from .._version import __version__
from ..errors import OutcomeUnknownError, Phase, SubscribekitError
from . import retry, trace
from .answer import Answer, Judge, Read
from .auth import Credential
from .body import BodyDecoder, DamagedBodyError, TooLargeError, compress
from .clock import Clock
from .config import Address, Group, RetryPolicy, Secret, Timeouts, WireNames
from .headers import Headers
from .network import DEADLINE, MAX_IDLE
from .operation import Operation, Safety, Wire
from .response import PlannedRequest, Response
from .retry import Budget, Failure
from .trace import Trace

T = TypeVar("T")

logger = logging.getLogger("subscribekit")

USER_AGENT = f"subscribekit/{__version__} python/{sys.version_info.major}.{sys.version_info.minor}"
_CLOSE_TO_DEADLINE = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a client applies to each of its calls; immutable, so threads and tasks share it (H84)."""

    group: Group
    environment: str
    address: Address
    credential: Credential
    wire_names: WireNames
    timeouts: Timeouts
    deadline: float | None
    retry: RetryPolicy
    trace: Trace
    write_idle: float
    clock: Clock
    api_version: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    compress: bool = False
    budget: Budget = field(default_factory=Budget, repr=False)


def resolve(settings: Settings, name: str | Wire) -> str:
    """Give the name on the wire; raises `ConfigurationError` for one that is not set."""
    return name if isinstance(name, str) else settings.wire_names.resolve(name.field)


def url_of(settings: Settings, operation: Operation[T]) -> str:
    """Build the URL; spaces are `%20`, every segment and value is quoted once."""
    path = "/".join(quote(segment, safe="") for segment in operation.path)
    pairs = [f"{quote(resolve(settings, name), safe='')}={quote(value, safe='')}" for name, value in operation.query]
    return f"{settings.address.url}/{path}" + (f"?{'&'.join(pairs)}" if pairs else "")


def fixed_headers(settings: Settings, operation: Operation[T], body: bytes | None) -> list[tuple[str, str]]:
    """The headers that do not change between attempts; the credential is not among them."""
    netloc = settings.address.origin.partition("://")[2]
    headers = [
        ("Host", netloc),
        ("Accept", "application/json"),
        ("Accept-Encoding", "gzip"),
        ("User-Agent", USER_AGENT),
    ]
    if body is not None or settings.group == "user_mgmt":
        # Group C answers with an error to a request without it, body or not.
        headers.append(("Content-Type", "application/json"))
    if settings.group == "billing":
        if settings.api_version is not None:
            headers.append(("X-API-Version", settings.api_version))
        if body is None or settings.compress:
            # The specification asks for it to get a compressed answer; a plain body is never labelled so (H46).
            headers.append(("Content-Encoding", "gzip"))
    if body is not None:
        headers.append(("Content-Length", str(len(body))))
    elif operation.method in ("POST", "PUT"):
        headers.append(("Content-Length", "0"))
    headers += [(resolve(settings, name), value) for name, value in operation.headers]
    headers += settings.headers
    return headers


class Call(Generic[T]):
    """The state of one call."""

    __slots__ = (
        "_body", "_end", "_fixed", "_once_used", "_refreshed", "_reported", "_sent_at", "_settings", "_started",
        "_trace", "_uncertain", "_url", "attempts", "name", "operation", "phase", "secret",
    )  # fmt: skip

    def __init__(self, settings: Settings, operation: Operation[T], name: str) -> None:
        if operation.needs_credential and settings.credential.scheme == "none":
            raise errors.ConfigurationError(
                "this operation needs an API key; give api_key when the client is made (only campaigns.activate works "
                "without one)"
            )
        self._settings, self.operation, self.name = settings, operation, name
        self._url = url_of(settings, operation)
        body = operation.body
        self._body = compress(body) if body is not None and settings.compress else body
        self._fixed = fixed_headers(settings, operation, self._body)
        self._trace = trace.start(settings.trace)
        self._started = settings.clock.monotonic()
        self._end = None if settings.deadline is None else self._started + settings.deadline
        self.attempts = 0
        self.phase: Phase = "not_reported"
        self.secret: Secret | None = None
        self._sent_at = settings.clock.now()
        self._reported = self._refreshed = self._once_used = self._uncertain = False

    # What is sent

    @property
    def credential(self) -> Credential:
        """The credential that the request will carry."""
        return self._settings.credential

    @property
    def left(self) -> float | None:
        """Seconds that are left of the deadline; `None` without one."""
        return None if self._end is None else max(0.0, self._end - self._settings.clock.monotonic())

    def request(self, secret: Secret) -> httpx.Request:
        """Build the next attempt: a new span, times cut to the deadline, the credential last."""
        self.attempts += 1
        self.phase, self._reported = "not_reported", False
        self._sent_at = self._settings.clock.now()
        self.secret = secret
        headers = self._fixed + (self._trace.headers() if self._trace else [])
        request = httpx.Request(
            self.operation.method,
            self._url,
            headers=headers,
            stream=httpx.ByteStream(self._body or b""),
            extensions={"timeout": self._timeouts()},
        )
        if str(request.url) != self._url:
            raise errors.RequestError("the request would go to another address than the arguments say; it was not made")
        if self._end is not None:
            request.extensions[DEADLINE] = self._end
        if not self.operation.safety.is_read:
            request.extensions[MAX_IDLE] = self._settings.write_idle
        credential = self.credential.header(self._settings.address.origin, secret)
        if credential is not None:
            request.headers[credential[0]] = credential[1]
        return request

    def _timeouts(self) -> dict[str, float]:
        times, left = self._settings.timeouts, self.left
        every = {"connect": times.connect, "read": times.read, "write": times.write, "pool": times.pool}
        return every if left is None else {name: min(seconds, max(left, 0.001)) for name, seconds in every.items()}

    def plan(self) -> PlannedRequest:
        """Describe the first attempt, its credential masked."""
        headers = self._fixed + (self._trace.headers() if self._trace else [])
        credential = self.credential.redacted()
        return PlannedRequest(
            operation=self.name,
            method=self.operation.method,
            url=self._url,
            headers=Headers(headers + ([credential] if credential else [])),
            body=self._body,
            path_template=self.operation.template,
        )

    # What comes back

    def traced(self, event: str) -> None:
        """Note how far the request got, from the transport's trace events."""
        if not self._reported:
            self._reported, self.phase = True, "nothing"
        reached = _PHASES.get(event)
        if reached is not None:
            self.phase = reached

    def answered(
        self, status: int, headers: Headers, body: bytes | None, problem: Exception | None
    ) -> Read[T] | Failure:
        """Judge an answer whose status is known."""
        answer = Answer(
            status=status,
            headers=headers,
            body=body,
            problem=str(problem) or "was cut off before its end",
            too_large=isinstance(problem, TooLargeError),
            cut=problem is not None and not isinstance(problem, TooLargeError | DamagedBodyError),
        )
        settings = self._settings
        wait = retry.retry_after(headers, settings.clock.now()) if status in (429, 503) else None
        judged = Judge(settings.group, settings.retry).judge(self.operation, answer, wait)
        if (
            isinstance(judged, Failure)
            and answer.cut
            and self._expired
            and not isinstance(judged.error, errors.APIError)
        ):
            judged.error, judged.again = self._deadline_error(judged), False
        return judged

    def lost(self, error: Exception) -> Failure:
        """Judge an attempt that ended without an answer."""
        reason = _reason(error)
        if isinstance(error, httpx.PoolTimeout):
            text = f"no connection became free within {self._settings.timeouts.pool:g} s; nothing was sent"
            failure = Failure(errors.PoolTimeoutError(text))
        elif isinstance(error, httpx.ProxyError):
            failure = Failure(errors.ConnectionFailedError("the proxy refused the connection; nothing was sent"))
        elif isinstance(error, httpx.ConnectError) and _is_refusal_by_tls(error):
            text = f"no secure connection to {self._settings.address.host}: {reason}; nothing was sent"
            failure = Failure(errors.ConnectionFailedError(text))
        else:
            failure = self._lost(error, reason)
        if self._expired:
            failure.error = self._deadline_error(failure)
            failure.again = False
        return failure

    def _lost(self, error: Exception, reason: str) -> Failure:
        phase = self.phase
        if not self._reported:
            phase = "nothing" if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) else "headers_started"
        sent = "nothing was sent" if phase in retry.NOT_SENT_PHASES else "no whole answer came"
        text = f"connection to {self._settings.address.host} failed: {reason}; {sent}"
        failed = errors.ConnectionFailedError(text)
        if phase not in retry.NOT_SENT_PHASES:
            failed.outcome = "rejected"  # kept for reads only; a write becomes an OutcomeUnknownError
        return retry.lost(self.operation.safety, phase, self._settings.retry, failed)

    @property
    def _expired(self) -> bool:
        return self.left is not None and self.left <= _CLOSE_TO_DEADLINE

    def _deadline_error(self, failure: Failure) -> errors.DeadlineExceededError:
        error = errors.DeadlineExceededError(f"the deadline of {self._settings.deadline:g} s for the whole call passed")
        error.outcome = failure.error.outcome
        return error

    def expired_before_sending(self) -> Failure | None:
        """The failure of a call whose deadline passed before its first attempt."""
        return Failure(self._deadline_error(Failure(SubscribekitError()))) if self._expired else None

    def interrupted(self, error: BaseException) -> None:
        """Note that the caller stopped the call (H11): nothing is swallowed, a write's outcome is said."""
        if self.operation.safety.is_read or self.attempts == 0:
            return
        not_sent = self._reported and self.phase in retry.NOT_SENT_PHASES and not self._uncertain
        outcome = "not_sent" if not_sent else "unknown"
        key = self.operation.reconcile_key
        error.add_note(f"subscribekit: {self.name} was interrupted; outcome {outcome}, reconcile by {key!r}")
        logger.warning(
            "%s %s interrupted: outcome %s, phase %s, reconcile by %s",
            self.operation.method, self.operation.template, outcome, self.phase, key,
        )  # fmt: skip

    # Whether to go on

    def controller(self, failure: Failure) -> "tenacity.Retrying | None":
        """Tenacity's controller for this call, entered only after a failure that may be repeated."""
        if not failure.again:
            return None
        return tenacity.Retrying(
            retry=tenacity.retry_if_result(lambda last: isinstance(last, Failure) and last.again),
            wait=lambda state: self._wait(state.outcome.result() if state.outcome else None),
            stop=lambda state: self._exhausted(state.outcome.result() if state.outcome else None, state.upcoming_sleep),
            sleep=self._settings.clock.sleep,
            retry_error_callback=lambda _: None,
        )

    def async_controller(self, failure: Failure) -> "tenacity.AsyncRetrying | None":
        """The same for the async driver; one controller a call, they cannot be shared by tasks."""
        if not failure.again:
            return None
        return tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(lambda last: isinstance(last, Failure) and last.again),
            wait=lambda state: self._wait(state.outcome.result() if state.outcome else None),
            stop=lambda state: self._exhausted(state.outcome.result() if state.outcome else None, state.upcoming_sleep),
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
            return True
        self._once_used = self._once_used or failure.once
        self._uncertain = self._uncertain or failure.unknown
        logger.warning(
            "%s %s attempt %d failed (%s), next in %.2f s",
            self.operation.method, self.operation.template, self.attempts, type(failure.error).__name__, wait,
        )  # fmt: skip
        return False

    def refresh(self, secret: Secret) -> bool:
        """Whether a 401 may be met with this credential: another one, and for the first time."""
        fresh = not self._refreshed and secret != self.secret
        self._refreshed = True
        return fresh

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
        return response

    def fail(self, failure: Failure) -> SubscribekitError:
        """Give the error to raise, complete with what is known."""
        error, outcome_is_unknown = failure.error, failure.unknown or self._uncertain
        if outcome_is_unknown and isinstance(error, errors.NotFoundError) and self.operation.safety is Safety.DELETE:
            error.earlier_attempt_unknown, error.outcome = True, "unknown"
        elif outcome_is_unknown and not self.operation.safety.is_read:
            error = self._unknown(failure)
        self._describe(error)
        if error.__cause__ is not None and isinstance(error.__cause__, SubscribekitError):
            self._describe(error.__cause__)
        self._log(f"{type(error).__name__} ({error.outcome})", getattr(error, "request_id", None))
        return error

    def _describe(self, error: SubscribekitError) -> None:
        error.operation, error.attempts, error.elapsed = self.name, self.attempts, self._elapsed
        error.trace_id = self._trace.trace_id if self._trace else None

    @property
    def _elapsed(self) -> float:
        return self._settings.clock.monotonic() - self._started

    def _unknown(self, failure: Failure) -> OutcomeUnknownError:
        cause = failure.error
        redirect = isinstance(cause, errors.UnexpectedRedirectError)
        kind = errors.RedirectOutcomeUnknownError if redirect else OutcomeUnknownError
        error = kind(self._unknown_text(failure))
        error.method, error.path_template = self.operation.method, self.operation.template
        error.resource_id, error.reconcile_key = self.operation.resource_id, self.operation.reconcile_key
        error.original_transaction_id = self.operation.original_transaction_id
        error.phase, error.likely_applied = self.phase, failure.likely_applied
        error.sent_at = self._sent_at
        error.status_code = getattr(cause, "status_code", None)
        error.request_id = getattr(cause, "request_id", None)
        error.__cause__ = cause
        return error

    def _unknown_text(self, failure: Failure) -> str:
        operation = self.operation
        money = operation.safety is Safety.MONEY
        what, key = ("The charge", "transaction_id") if money else ("The request", "the identifier")
        applied = "was probably carried out, but its answer is unusable" if failure.likely_applied else (
            "may or may not have been carried out"
        )  # fmt: skip
        sent = "was sent once and not repeated" if self.attempts == 1 else f"was sent {self.attempts} times"
        text = f"{self.name}: {what} {applied}: {failure.error}. It {sent}."
        if money:
            text += " Do not send it again with a new transaction_id."
        if operation.reconcile_key is not None:
            text += f" Reconcile by {key} {operation.reconcile_key!r} before you decide what to do."
        return text

    def _log(self, end: str, request_id: str | None) -> None:
        logger.info(
            "%s %s -> %s, %d attempt(s), %.3f s, request id %s",
            self.operation.method, self.operation.template, end, self.attempts, self._elapsed, request_id,
        )  # fmt: skip


_PHASES: Mapping[str, Phase] = {
    "connection.connect_tcp.complete": "connected",
    "http11.send_request_headers.started": "headers_started",
    "http11.send_request_body.complete": "body_sent",
    "http11.receive_response_headers.complete": "answer_started",
    "http11.receive_response_body.complete": "answer_complete",
}

_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (httpx.ConnectTimeout, "no connection in time"),
    (httpx.ReadTimeout, "no answer in time"),
    (httpx.WriteTimeout, "the request could not be written in time"),
    (httpx.RemoteProtocolError, "the connection ended or the answer was not HTTP"),
    (httpx.ReadError, "the connection was lost while reading"),
    (httpx.WriteError, "the connection was lost while writing"),
    (TimeoutError, "no answer in time"),
)


def _chain(error: BaseException) -> list[BaseException]:
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain:
        chain.append(current)
        current = current.__cause__ or current.__context__
    return chain


def _reason(error: Exception) -> str:
    """Say why, in own words: texts of other libraries may quote what was sent (H28)."""
    for each in _chain(error):
        if isinstance(each, ssl.SSLCertVerificationError):
            return f"the certificate was not accepted ({each.verify_message})"
        if isinstance(each, ssl.SSLError):
            return f"TLS failed ({each.reason or 'connection ended'})"
        if isinstance(each, OSError) and each.strerror and not isinstance(each, TimeoutError):
            return each.strerror
    return next((text for kind, text in _REASONS if isinstance(error, kind)), "the connection failed")


def _is_refusal_by_tls(error: Exception) -> bool:
    """Whether the TLS handshake was refused for good; an end of the stream inside it may pass (F3, F4)."""
    for each in _chain(error):
        if isinstance(each, ssl.SSLError):
            return not isinstance(each, ssl.SSLEOFError | ssl.SSLZeroReturnError)
    return False


def read_body(headers: Headers) -> BodyDecoder:
    """Make the decoder for an answer's body."""
    return BodyDecoder(headers.get("content-encoding", ""))
