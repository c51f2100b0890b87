"""From what came back to a result or a failure: which row of the retry table, which error. No I/O.

An error body is an error at any status, also under 2xx.
"""

import re
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from .... import _json, errors
from ...._json import JSON
from ....errors import APIError, InvalidResponseError, SubscribekitError, UnexpectedRedirectError
from ...config.environments import Group
from ...http.failure import TransportFailure
from ...http.progress import NOT_SENT
from ...http.received import Received
from ...operations.error_shapes import error_in
from ...operations.identity import Identity
from ...operations.operation import Operation
from ...operations.readers import EmptyBodyError, ShapeError
from ..settings import Settings
from .error_bodies import api_error, escape, excerpt
from .retry_table import Event

T = TypeVar("T")
E = TypeVar("E", InvalidResponseError, UnexpectedRedirectError)

_NO_BODY: JSON = {"": "the body was empty"}
_PASSING = (408, 500, 502, 503, 504)
"""Statuses that say that the service, or a proxy, lost the response: what became of the request is not known."""


@dataclass(slots=True, eq=False, repr=False)
class Result(Generic[T]):
    """A result, told apart from a failure."""

    value: T


@dataclass(slots=True, eq=False, repr=False)
class Failure:
    """An attempt that gave no result.

    Attributes:
        event: The event: the row of the retry table.
        error: The error to raise if the call ends here.
        retry_after: Seconds that the service asked to wait.
        is_final: No retry, whatever the table says: the deadline passed, or the wait is too long.
    """

    event: Event
    error: SubscribekitError
    retry_after: float | None = None
    is_final: bool = False


def classify_failure(failure: TransportFailure, host: str, pool_timeout: float) -> Failure:
    """Say what an attempt without a response means."""
    if failure.kind == "no_free_connection":
        text = f"no connection became free within {pool_timeout:g} s; nothing was sent"
        return Failure(Event.NO_CONNECTION, errors.PoolTimeoutError(text))
    if failure.kind in ("refused_by_proxy", "refused_by_tls"):
        where = f"no secure connection to {host}: " if failure.kind == "refused_by_tls" else ""
        text = f"{where}{failure.reason}; nothing was sent{_trust(failure)}"
        return Failure(Event.NO_CONNECTION, errors.ConnectionFailedError(text))
    text = f"connection to {host} failed: {failure.reason}"
    if failure.phase in NOT_SENT:
        return Failure(Event.NOT_SENT, errors.ConnectionFailedError(f"{text}; nothing was sent"))
    # The outcome is that of a read; a write becomes an OutcomeUnknownError.
    error = errors.ConnectionFailedError(f"{text}; no whole response came", outcome="rejected")
    error.__cause__ = failure.of_application
    return Failure(Event.NO_RESPONSE, error)


def held_back(failure: TransportFailure) -> errors.ConnectionFailedError:
    """Tell observers of a request that waits with all others, and was not sent."""
    return errors.ConnectionFailedError(f"{failure.reason}; nothing was sent")


def deadline_error(deadline: float | None, outcome: errors.Outcome, wait: float = 0.0) -> errors.DeadlineExceededError:
    """Say that the deadline ended a call, or would in the wait that the service asks for."""
    sent = "nothing was sent" if outcome == "not_sent" else "no whole response came"
    passed = f"would pass in the {wait:g} s that the service asks all calls to wait" if wait else "passed"
    text = f"the deadline of {deadline or 0:g} s for the whole call {passed}; {sent}"
    return errors.DeadlineExceededError(text, outcome=outcome)


_UNKNOWN_AUTHORITY = re.compile(r"certificate was not accepted \((unable to (get|verify)|self.signed)")


def _trust(failure: TransportFailure) -> str:
    """Say how your own authority is trusted, where that is what a certificate lacks."""
    if not _UNKNOWN_AUTHORITY.search(failure.reason):
        return ""
    return (
        ". If its certificate authority is one of your own, name the file of it: Environment(ca_file='...'), the "
        "variable SUBSCRIBEKIT_<ENVIRONMENT>_CA_FILE, or ssl_context=ssl.create_default_context(cafile='...')"
    )


def classify(
    operation: Operation[T], received: Received, group: Group, wait: float | None, longest_wait: float
) -> Result[T] | Failure:
    """Say what a response means, of which `wait` is a valid `Retry-After`, if there is one, in seconds."""
    status = received.status
    if 300 <= status < 400:
        return Failure(Event.REDIRECT, _redirect(received))
    try:
        value, is_in_range = _parse(received)
    except _UnreadableError as error:
        if status == 204:  # says that there is no body: one is of a mock's making
            return _empty(operation, received)
        if 200 <= status < 300:
            return _unreadable(received, str(error))
        text = f"the body {escape(str(error))}" if str(error) else ""
        return _refused(api_error(operation, group, received, None, text), group, wait, longest_wait)
    if 200 <= status < 300:
        return _result_of_success(operation, group, received, value, is_in_range=is_in_range)
    body = None if value is _NO_BODY else value
    return _refused(api_error(operation, group, received, body), group, wait, longest_wait)


def _result_of_success(
    operation: Operation[T], group: Group, received: Received, value: JSON, *, is_in_range: bool
) -> Result[T] | Failure:
    """Say what a body under a success status means: a result only if it is no error and about this call."""
    if value is _NO_BODY:
        return _empty(operation, received)
    identity = operation.identity
    shape = error_in(value, operation)
    if shape is not None:
        if identity is not None and identity.is_reference and not identity.is_missing_in(value):
            return Failure(Event.WRONG_SHAPE, _invalid(received, "holds a result and an error at once"))
        if shape == "documented":
            return _refused(api_error(operation, group, received, value), group, None, 0.0)
        text = "" if operation.safety.is_read else _UNDOCUMENTED
        return Failure(Event.UNDOCUMENTED_ERROR, api_error(operation, group, received, value, advice=text))
    if not is_in_range:
        return _damaged(received, _json.OUT_OF_RANGE)
    try:
        result = operation.reader.read(value, received.headers)
    except ShapeError as error:
        return Failure(Event.WRONG_SHAPE, _invalid(received, f"has another shape: {error}"))
    # Of an array the reader has picked the one.
    if identity is not None and isinstance(value, dict) and not identity.is_shown_in(value):
        problem = _of_another(operation, identity, received, value)
        if problem is not None:
            return Failure(Event.DAMAGED, problem)
    return Result(result)


def _of_another(
    operation: Operation[T], identity: Identity, received: Received, value: JSON
) -> InvalidResponseError | None:
    """Return the error for a response that isn't about the resource of the call (H223, H410)."""
    if (other := identity.other_in(value, operation.result)) is not None:
        return about(InvalidResponseError(f"the response shows {other}"), received)
    if not identity.is_missing_in(value):
        return None
    unshown = "which one it is" if operation.safety.is_read else "that it was done"
    return _invalid(received, f"has no {identity.fields[0]}, so it does not show {unshown}")


_UNDOCUMENTED = "No source documents such an error under a success status, so it does not show that nothing was done."


def _empty(operation: Operation[T], received: Received) -> Result[T] | Failure:
    """Say what a success status without a body means; one that just ends may have been cut before its first byte."""
    try:
        result = operation.reader.read_empty()
    except EmptyBodyError as error:
        return _damaged(received, str(error))
    if operation.identity is not None and operation.identity.is_required:
        return _damaged(received, "the body is empty")
    if not received.is_framed:
        return Failure(Event.CUT_OFF, _invalid(received, "is empty, and nothing marks its end"))
    return Result(result)


def _damaged(received: Received, problem: str) -> Failure:
    """As damaged as a body that was cut: a read may get it whole the next time."""
    return Failure(Event.DAMAGED, _invalid(received, f"cannot be read: {problem}"))


class _UnreadableError(ValueError):
    pass


def _parse(received: Received) -> tuple[JSON, bool]:
    """Parse the body, `_NO_BODY` for an empty one, and return whether its numbers are in range.

    JSON is read under any content type except HTML.
    """
    if received.body is None:
        # In own words: another library's text may quote the bytes that it could not read (H33).
        problem = f"was cut off: {received.problem}" if received.damage == "cut" else str(received.problem or "")
        raise _UnreadableError(problem)
    if not received.body or not received.body.reveal().strip():
        return _NO_BODY, True
    kind = received.headers.by_name.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json" and "html" in kind:
        raise _UnreadableError(f"is an HTML page and not JSON{excerpt(received.body.reveal())}")
    try:
        return _json.decode_response(received.body.reveal())
    except _json.DamagedJSONError as error:
        if kind == "application/json" or kind.endswith("+json"):
            raise _UnreadableError(f"cannot be read: {error}") from None
        # A page of a proxy explains itself; other text under a 2xx may be the personal data of a result.
        about = excerpt(received.body.reveal()) if received.status >= 400 else ""
        raise _UnreadableError(f"is {escape(kind)[:60]} and not JSON{about}") from None


def _unreadable(received: Received, problem: str) -> Failure:
    if received.damage == "too_large":
        error = errors.ResponseTooLargeError("the response is larger than 10 MB; it was not read")
        return Failure(Event.WRONG_SHAPE, about(error, received))
    return Failure(Event.CUT_OFF if received.damage == "cut" else Event.DAMAGED, _invalid(received, problem))


def _refused(error: APIError, group: Group, wait: float | None, longest_wait: float) -> Failure:
    """Find the row for an error that the service responded with, at whatever status."""
    is_too_long = wait is not None and wait > longest_wait
    if is_too_long:
        error.args = (f"{error} It asks to wait {wait:g} s, and RetryPolicy.retry_after_max is {longest_wait:g} s.",)
    if isinstance(error, errors.RateLimitError | errors.ServiceUnavailableError):
        error.retry_after = wait
    if isinstance(error, errors.RateLimitError):
        row = Event.RATE_LIMITED_BILLING if group == "billing" else Event.RATE_LIMITED
        return Failure(Event.RATE_LIMITED_LONG if is_too_long else row, error, wait)
    status = error.status_code
    # A transport may pass off an interim status, such as 101, as the response: the real one is still to come.
    if status < 200 or status == 408 or status >= 500 or isinstance(error, errors.ServerError):
        return Failure(_server_event(error, group), error, wait, is_final=is_too_long)
    # The specification shows the code of groups B to D for it, but not its status.
    if status == 401 or isinstance(error, errors.AuthenticationError):
        return Failure(Event.CREDENTIAL_REFUSED, error)
    return Failure(Event.REJECTED, error)


def explain_end(failure: Failure | None, settings: Settings, attempts: int, wait: float) -> None:
    """Say in the error's text that the deadline left no time for the wait that the service asked for."""
    if failure is None or not failure.retry_after or settings.deadline is None:
        return
    if attempts < settings.retry.max_attempts:  # otherwise the attempts were all made
        text = str(failure.error).removesuffix(".")
        late = f"the wait of {wait:g} s before it would pass the deadline of {settings.deadline:g} s for the whole call"
        failure.error.args = (f"{text}. Not sent again, since {late}.",)


def _server_event(error: APIError, group: Group) -> Event:
    if error.status_code == 503 and group == "billing" and is_error_object(error.body):
        return Event.FORBIDDEN_503
    if error.status_code not in _PASSING and error.status_code >= 500:
        return Event.SERVER_ERROR  # these do not pass by themselves
    return Event.NO_RESPONSE


def is_error_object(body: JSON) -> bool:
    """Whether a body is the `Error` object of group A."""
    return isinstance(body, dict) and body.get("object") == "Error"


def _redirect(received: Received) -> UnexpectedRedirectError:
    place = f" to {_host(location)}" if (location := received.headers.get("location")) else ""
    text = f"the service returned {received.status}, a redirect{place}; none is followed"
    return about(UnexpectedRedirectError(text), received)


def _host(location: str) -> str:
    """Name the host of a redirect: never its user, path or query (H20)."""
    try:
        host = urlsplit(location).hostname
    except ValueError:
        host = None
    return escape(host)[:100] if host else "another path"


def _invalid(received: Received, problem: str) -> InvalidResponseError:
    return about(InvalidResponseError(f"the response (status {received.status}) {problem}"), received)


def about(error: E, received: Received) -> E:
    """Say in an error which response it is about."""
    error.status_code, error.request_id = received.status, received.request_id
    return error
