"""One call from its first attempt to its end: builds the requests, judges what comes back. No I/O.

The drivers carry; everything they need to know is decided here, so both styles behave alike.
"""

import logging
import ssl
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Generic, TypeVar, get_args
from urllib.parse import quote

import httpx
import tenacity

from .. import errors
from .._version import __version__
from ..errors import OutcomeUnknownError, Phase, SubscribekitError
from . import retry, trace
from .answer import Answer, Judge, Read, escape
from .auth import Credential
from .body import BodyDecoder, DamagedBodyError, TooLargeError, compress
from .clock import Clock
from .config import Address, Group, RetryPolicy, Secret, Timeouts, WireNames
from .headers import Headers
from .network import DEADLINE, MAX_IDLE, WAITED, WAITING
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
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    compress: bool = False
    budget: Budget = field(default_factory=Budget, repr=False)


def resolve(settings: Settings, name: str | Wire) -> str:
    """Give the name on the wire; raises `ConfigurationError` for one that is not set."""
    return name if isinstance(name, str) else settings.wire_names.resolve(name.field)


def url_of(settings: Settings, operation: Operation[T]) -> str:
    """Build the URL; spaces are `%20`, every segment and value is quoted once."""
    path = "/".join(quote(segment, safe="") for segment in operation.path)
    # Names first, apart from their values: the frame of a name that is not set must not show a card number (H31).
    names = [resolve(settings, name) for name in map(itemgetter(0), operation.query)]
    values = map(itemgetter(1), operation.query)
    pairs = [f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in zip(names, values, strict=True)]
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
    names = [resolve(settings, name) for name in map(itemgetter(0), operation.headers)]
    headers += zip(names, map(itemgetter(1), operation.headers), strict=True)
    headers += settings.headers
    return headers


class Call(Generic[T]):
    """The state of one call."""

    __slots__ = (
        "_body", "_doubt", "_end", "_fixed", "_last", "_once_used", "_request_id", "_sent_at", "_settings", "_started",
        "_status", "_trace", "_url", "attempts", "name", "operation", "phase", "renewed", "secret",
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
        self.renewed: Secret | None = None
        self._sent_at = settings.clock.now()
        self._status: int | None = None
        self._request_id: str | None = None
        self._last: Failure | None = None
        self._doubt: Doubt | None = None
        self._once_used = False

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
        self.phase, self._last = "not_reported", None
        self._sent_at = self._settings.clock.now()
        self.secret = secret
        headers = self._fixed + (self._trace.headers() if self._trace else [])
        try:
            url = httpx.URL(self._url)
        except httpx.InvalidURL:
            raise errors.RequestError("the address with its query is too long; the request was not made") from None
        if str(url) != self._url:
            raise errors.RequestError("the request would go to another address than the arguments say; it was not made")
        request = httpx.Request(
            self.operation.method,
            url,
            headers=headers,
            stream=httpx.ByteStream(self._body or b""),
            extensions={"timeout": self._timeouts()},
        )
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

    def traced(self, event: str, _: object = None) -> None:
        """Note how far the request got, from the transport's trace events."""
        reached = _PHASES.get(event)
        if reached is not None:
            self.phase = reached
        elif self.phase == "not_reported":
            self.phase = "nothing"

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
            problem=f"was cut off: {_reason(problem)}" if is_cut and problem is not None else str(problem),
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
        if self.is_too_late:
            failure.error = self._deadline_error(failure)
            failure.again = False
        self._last = failure
        return failure

    def _lost(self, error: Exception, reason: str) -> Failure:
        phase = self.phase
        if phase == "not_reported":
            phase = "nothing" if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) else "headers_started"
        sent = "nothing was sent" if phase in retry.NOT_SENT_PHASES else "no whole answer came"
        text = f"connection to {self._settings.address.host} failed: {reason}; {sent}"
        failed = errors.ConnectionFailedError(text)
        if phase not in retry.NOT_SENT_PHASES:
            failed.outcome = "rejected"  # kept for reads only; a write becomes an OutcomeUnknownError
        return retry.lost(self.operation.safety, phase, self._settings.retry, failed)

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
        if self.operation.safety.is_read or self.attempts == 0:
            return error
        outcome, key = self._outcome_so_far(), self.operation.reconcile_key
        error.add_note(f"subscribekit: {self.name} was interrupted; outcome {outcome}, reconcile by {key!r}")
        logger.warning(
            "%s %s interrupted: outcome %s, phase %s, reconcile by %r",
            self.operation.method, self.operation.template, outcome, self.phase, key,
        )  # fmt: skip
        return error

    def _outcome_so_far(self) -> errors.Outcome:
        if self._doubt is not None or (self._last is not None and self._last.unknown):
            return "unknown"
        if self._last is not None:  # between two attempts
            return self._last.error.outcome
        return "not_sent" if self.phase in retry.NOT_SENT_PHASES else "unknown"

    # Whether to go on

    def controller(self) -> tenacity.Retrying:
        """Tenacity's controller for this call, entered only after a failure that may be repeated."""
        return tenacity.Retrying(
            retry=tenacity.retry_if_result(lambda last: isinstance(last, Failure) and last.again),
            wait=lambda state: self._wait(state.outcome.result() if state.outcome else None),
            stop=lambda state: self._exhausted(state.outcome.result() if state.outcome else None, state.upcoming_sleep),
            sleep=self._settings.clock.sleep,
            retry_error_callback=lambda _: None,
        )

    def async_controller(self) -> tenacity.AsyncRetrying:
        """The same for the async driver; one controller a call, they cannot be shared by tasks."""
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
        self._note_doubt(failure)
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

    def _note_doubt(self, failure: Failure) -> None:
        """Remember of an attempt with unknown effect what a later one must not cover."""
        if failure.unknown:
            earlier = self._doubt
            is_further = earlier is None or _ORDER.index(self.phase) > _ORDER.index(earlier.phase)
            self._doubt = Doubt(
                phase=self.phase if is_further or earlier is None else earlier.phase,
                likely_applied=failure.likely_applied or (earlier is not None and earlier.likely_applied),
                is_last=True,
            )
        elif self._doubt is not None:
            self._doubt.is_last = False

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
        error = failure.error
        self._note_doubt(failure)
        if self._doubt is None:
            pass
        elif isinstance(error, errors.NotFoundError) and self.operation.safety is Safety.DELETE:
            error.earlier_attempt_unknown, error.outcome = True, "unknown"
        else:
            error = self._unknown(failure, self._doubt)
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

    def _unknown(self, failure: Failure, doubt: "Doubt") -> OutcomeUnknownError:
        cause = failure.error
        redirect = isinstance(cause, errors.UnexpectedRedirectError)
        kind = errors.RedirectOutcomeUnknownError if redirect else OutcomeUnknownError
        error = kind(self._unknown_text(failure, doubt))
        error.method, error.path_template = self.operation.method, self.operation.template
        error.resource_id, error.reconcile_key = self.operation.resource_id, self.operation.reconcile_key
        error.original_transaction_id = self.operation.original_transaction_id
        error.phase, error.likely_applied = doubt.phase, doubt.likely_applied
        error.sent_at = self._sent_at
        error.status_code, error.request_id = self._status, self._request_id
        error.__cause__ = cause
        return error

    def _unknown_text(self, failure: Failure, doubt: "Doubt") -> str:
        operation = self.operation
        # A free POST is as careful as a charge, but is none that anybody knows of.
        money = operation.safety is Safety.MONEY and operation.reconcile_key != operation.resource_id
        what, key = ("The charge", "transaction_id") if money else ("The request", "the identifier")
        applied = "was probably carried out, but its answer is unusable" if doubt.likely_applied else (
            "may or may not have been carried out"
        )  # fmt: skip
        why = str(failure.error).removesuffix(".")
        if not doubt.is_last:
            why = f"an earlier attempt got no usable answer; the last one: {why}"
        sent = "once and not repeated" if self.attempts == 1 else f"{self.attempts} times"
        text = f"{self.name}: {what} {applied}: {why}. It was sent {sent}."
        if money:
            text += " Do not send it again with a new transaction_id."
        if operation.reconcile_key is not None:
            text += f" Reconcile by {key} {operation.reconcile_key!r} before you decide what to do."
        return text

    def _log(self, end: str, request_id: str | None) -> None:
        logger.info(
            "%s %s -> %s, %d attempt(s), %.3f s, request id %s",
            self.operation.method, self.operation.template, end, self.attempts, self._elapsed,
            None if request_id is None else escape(request_id)[:100],
        )  # fmt: skip


@dataclass(slots=True)
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


_ORDER: tuple[Phase, ...] = get_args(Phase)
_PHASES: Mapping[str, Phase] = {
    WAITING: "nothing",
    WAITED: "not_reported",
    # Through a proxy the request to open the tunnel is reported first; the call's own has not begun.
    "proxy.start_tls.started": "connected",
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


_WAITING_FOR_BYTES = (ssl.SSLWantReadError, ssl.SSLWantWriteError)  # in the context of what ended the wait
_PASSING = (ssl.SSLEOFError, ssl.SSLZeroReturnError, ssl.SSLSyscallError, *_WAITING_FOR_BYTES)


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
            # A backend's own class of this kind may lack the reason.
            return f"the certificate was not accepted ({getattr(each, 'verify_message', 'not verified')})"
        if isinstance(each, ssl.SSLError) and not isinstance(each, _WAITING_FOR_BYTES):
            return f"TLS failed ({each.reason or 'connection ended'})"
        if isinstance(each, OSError) and each.strerror and not isinstance(each, TimeoutError):
            return each.strerror
    return next((text for kind, text in _REASONS if isinstance(error, kind)), "the connection failed")


def _is_refusal_by_tls(error: Exception) -> bool:
    """Whether the TLS handshake was refused for good; an end of the stream inside it may pass (F3, F4)."""
    return any(isinstance(each, ssl.SSLError) and not isinstance(each, _PASSING) for each in _chain(error))


def read_body(headers: Headers) -> BodyDecoder:
    """Make the decoder for an answer's body."""
    return BodyDecoder(headers.get("content-encoding", ""))
