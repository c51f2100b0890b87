"""Classifies the reply to a request as a result, or as a failure with its retry rule and its error. Does no I/O.

A response with an error body is an error at any status, even at 2xx.
"""

import re
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from .... import _json, errors
from ...._hints.python_advice import CA_FILE
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
"""Statuses that mean that the service or a proxy lost the response, so the outcome of the request isn't known."""


@dataclass(slots=True, eq=False, repr=False)
class Result(Generic[T]):
    """The result of a call, as opposed to a failure."""

    value: T


@dataclass(slots=True, eq=False, repr=False)
class Failure:
    """The failure of an attempt.

    Attributes:
        event: The event that selects the row of the retry table.
        error: The error to raise if the call isn't retried.
        retry_after: Seconds that the service asked the client to wait.
        is_final: Whether the call must end even if the retry table allows a retry, for example after the deadline.
    """

    event: Event
    error: SubscribekitError
    retry_after: float | None = None
    is_final: bool = False


def classify_failure(failure: TransportFailure, host: str, pool_timeout: float) -> Failure:
    """Return the failure of an attempt that got no complete response."""
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
    # A read raises a ConnectionFailedError with the outcome "rejected". A write raises OutcomeUnknownError instead.
    error = errors.ConnectionFailedError(f"{text}; no complete response arrived", outcome="rejected")
    error.__cause__ = failure.of_application
    return Failure(Event.NO_RESPONSE, error)


def held_back(failure: TransportFailure) -> errors.ConnectionFailedError:
    """Return the error that observers receive for a request that wasn't sent because all calls have to wait."""
    return errors.ConnectionFailedError(f"{failure.reason}; nothing was sent")


def deadline_error(deadline: float | None, outcome: errors.Outcome, wait: float = 0.0) -> errors.DeadlineExceededError:
    """Return the error for a deadline that has passed, or that would pass during the wait the service asked for."""
    sent = "nothing was sent" if outcome == "not_sent" else "no complete response arrived"
    passed = f"would pass during the {wait:g} s that the service asked all calls to wait" if wait else "passed"
    text = f"the deadline of {deadline or 0:g} s for the whole call {passed}; {sent}"
    return errors.DeadlineExceededError(text, outcome=outcome)


_UNKNOWN_AUTHORITY = re.compile(r"certificate was not accepted \((unable to (get|verify)|self.signed)")


def _trust(failure: TransportFailure) -> str:
    """Return the advice to pass your own CA if no known CA signed the certificate; otherwise, an empty string."""
    if not _UNKNOWN_AUTHORITY.search(failure.reason):
        return ""
    return f". If your own CA signed the certificate, pass the file with the CA: {CA_FILE.text}"


def classify(
    operation: Operation[T], received: Received, group: Group, wait: float | None, longest_wait: float
) -> Result[T] | Failure:
    """Classify a response. `wait` is the response's valid `Retry-After` in seconds, or `None`."""
    status = received.status
    if 300 <= status < 400:
        return Failure(Event.REDIRECT, _redirect(received))
    try:
        value, is_in_range = _parse(received)
    except _UnreadableError as error:
        if status == 204:  # a 204 response has no body by definition, so a mock added this body
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
    """Classify the body of a response with a success status.

    A body with an error, or with a resource that the call didn't name, is a failure.
    """
    if value is _NO_BODY:
        return _empty(operation, received)
    identity = operation.identity
    shape = error_in(value, operation)
    if shape is not None:
        if identity is not None and identity.is_reference and not identity.is_missing_in(value):
            return Failure(Event.WRONG_SHAPE, _invalid(received, "contains both a result and an error"))
        if shape == "documented":
            return _refused(api_error(operation, group, received, value), group, None, 0.0)
        text = "" if operation.safety.is_read else _UNDOCUMENTED
        return Failure(Event.UNDOCUMENTED_ERROR, api_error(operation, group, received, value, advice=text))
    if not is_in_range:
        return _damaged(received, _json.OUT_OF_RANGE)
    try:
        result = operation.reader.read(value, received.headers)
    except ShapeError as error:
        return Failure(Event.WRONG_SHAPE, _invalid(received, f"has an unexpected structure: {error}"))
    # If the response is an array, don't check the ID, because `operation.reader` has already selected the resource.
    if identity is not None and isinstance(value, dict) and not identity.is_shown_in(value):
        problem = _of_another(operation, identity, received, value)
        if problem is not None:
            return Failure(Event.DAMAGED, problem)
    return Result(result)


def _of_another(
    operation: Operation[T], identity: Identity, received: Received, value: JSON
) -> InvalidResponseError | None:
    """Return an error if a response isn't about the resource of the call; otherwise, return `None` (H223, H410)."""
    if (other := identity.other_in(value, operation.result)) is not None:
        return about(InvalidResponseError(f"the response shows {other}"), received)
    if not identity.is_missing_in(value):
        return None
    missing = "identify the resource" if operation.safety.is_read else "prove that the request was carried out"
    return _invalid(received, f"has no {identity.fields[0]}, so the response doesn't {missing}")


_UNDOCUMENTED = (
    "The specification doesn't document this error with a success status, so the error doesn't prove that the request "
    "had no effect."
)


def _empty(operation: Operation[T], received: Received) -> Result[T] | Failure:
    """Classify a success status with an empty body. If the response doesn't mark its end, the body may be cut off."""
    try:
        result = operation.reader.read_empty()
    except EmptyBodyError as error:
        return _damaged(received, str(error))
    if operation.identity is not None and operation.identity.is_required:
        return _damaged(received, "the body is empty")
    if not received.is_framed:
        return Failure(Event.CUT_OFF, _invalid(received, "has an empty body and doesn't mark its end"))
    return Result(result)


def _damaged(received: Received, problem: str) -> Failure:
    """Return the failure for a damaged body. Reads are retried, because the next response may be complete."""
    return Failure(Event.DAMAGED, _invalid(received, f"can't be read: {problem}"))


class _UnreadableError(ValueError):
    pass


def _parse(received: Received) -> tuple[JSON, bool]:
    """Parse the body. Return the value, or `_NO_BODY` if the body is empty, and whether all numbers are in range.

    The function accepts JSON with any content type except HTML.
    """
    if received.body is None:
        # Don't use the other library's message, because it can quote the bytes that it couldn't read (H33).
        prefix = {"cut": "was cut off: ", "damaged": "can't be decoded: "}.get(received.damage or "", "")
        raise _UnreadableError(f"{prefix}{received.problem or ''}")
    if not received.body or not received.body.reveal().strip():
        return _NO_BODY, True
    kind = received.headers.by_name.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind != "application/json" and "html" in kind:
        raise _UnreadableError(f"is an HTML page instead of JSON{excerpt(received.body.reveal())}")
    try:
        return _json.decode_response(received.body.reveal())
    except _json.DamagedJSONError as error:
        if kind == "application/json" or kind.endswith("+json"):
            raise _UnreadableError(f"can't be read: {error}") from None
        # Quote a proxy's error page, which explains the failure, but not a 2xx response, which can contain personal
        # data.
        start = excerpt(received.body.reveal()) if received.status >= 400 else ""
        raise _UnreadableError(f"is {escape(kind)[:60]} instead of JSON{start}") from None


def _unreadable(received: Received, problem: str) -> Failure:
    if received.damage == "too_large":
        error = errors.ResponseTooLargeError("the response is larger than 10 MB, so the SDK didn't read it")
        return Failure(Event.WRONG_SHAPE, about(error, received))
    return Failure(Event.CUT_OFF if received.damage == "cut" else Event.DAMAGED, _invalid(received, problem))


def _refused(error: APIError, group: Group, wait: float | None, longest_wait: float) -> Failure:
    """Return the failure for an error response of any status."""
    is_too_long = wait is not None and wait > longest_wait
    if is_too_long:
        limit = f"RetryPolicy.retry_after_max is {longest_wait:g} s"
        error.args = (f"{error} The service asks for a wait of {wait:g} s, but {limit}.",)
    if isinstance(error, errors.RateLimitError | errors.ServiceUnavailableError):
        error.retry_after = wait
    if isinstance(error, errors.RateLimitError):
        row = Event.RATE_LIMITED_BILLING if group == "billing" else Event.RATE_LIMITED
        return Failure(Event.RATE_LIMITED_LONG if is_too_long else row, error, wait)
    status = error.status_code
    # A transport may return an interim status, such as 101, although the final response hasn't arrived yet.
    if status < 200 or status == 408 or status >= 500 or isinstance(error, errors.ServerError):
        return Failure(_server_event(error, group), error, wait, is_final=is_too_long)
    # The specification documents the error code of a rejected credential, but not the status.
    if status == 401 or isinstance(error, errors.AuthenticationError):
        return Failure(Event.CREDENTIAL_REFUSED, error)
    return Failure(Event.REJECTED, error)


def explain_end(failure: Failure | None, settings: Settings, attempts: int, wait: float) -> None:
    """Add to the error's text that the deadline left no time for the wait that the service asked for."""
    if failure is None or not failure.retry_after or settings.deadline is None:
        return
    if attempts < settings.retry.max_attempts:  # after the last attempt, a call ends even without a deadline
        text = str(failure.error).removesuffix(".")
        late = f"a wait of {wait:g} s would pass the deadline of {settings.deadline:g} s for the whole call"
        failure.error.args = (f"{text}. The request wasn't sent again, because {late}.",)


def _server_event(error: APIError, group: Group) -> Event:
    if error.status_code == 503 and group == "billing" and is_error_object(error.body):
        return Event.FORBIDDEN_503
    if error.status_code not in _PASSING and error.status_code >= 500:
        return Event.SERVER_ERROR  # a 5xx status that isn't in `_PASSING`, such as 501, isn't temporary
    return Event.NO_RESPONSE


def is_error_object(body: JSON) -> bool:
    """Return whether a body is the `Error` object of the billing API."""
    return isinstance(body, dict) and body.get("object") == "Error"


def _redirect(received: Received) -> UnexpectedRedirectError:
    place = f" to {_host(location)}" if (location := received.headers.get("location")) else ""
    text = f"the service returned {received.status}, a redirect{place}, and the SDK doesn't follow redirects"
    return about(UnexpectedRedirectError(text), received)


def _host(location: str) -> str:
    """Return the host of a redirect's URL, without the user name, path, and query (H20)."""
    try:
        host = urlsplit(location).hostname
    except ValueError:
        host = None
    return escape(host)[:100] if host else "another path"


def _invalid(received: Received, problem: str) -> InvalidResponseError:
    return about(InvalidResponseError(f"the response (status {received.status}) {problem}"), received)


def about(error: E, received: Received) -> E:
    """Add the status and the request ID of a response to an error, and return the error."""
    error.status_code, error.request_id = received.status, received.request_id
    return error
