"""From an answer's status, headers and body to a result or a verdict: every error body of every group. No I/O.

The class of an error follows the body's `code` where that is a known one, else the status: the specification shows the
codes of groups B to D but not their statuses. An error body is an error at any status, also under 2xx.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlsplit

from ... import _json as json
from ... import errors
from ...errors import APIError, ErrorDetail, FieldError, InvalidResponseError
from ..config.environments import Group
from ..config.retry_policy import RetryPolicy
from ..http.headers import Headers
from ..operations.operation import Operation
from ..operations.readers import EmptyBodyError, ShapeError
from . import retry
from .retry import Failure

T = TypeVar("T")

_BY_CODE: dict[str, type[APIError]] = {
    "invalid-request": errors.ValidationFailedError,
    "authentication-required": errors.AuthenticationError,
    "forbidden": errors.PermissionDeniedError,
    "ACCESS_FORBIDDEN": errors.PermissionDeniedError,
    "not-found": errors.NotFoundError,
    "partner-subscription-not-found": errors.PartnerSubscriptionNotFoundError,
    "user-not-found": errors.UserNotFoundError,
    "input-conflict": errors.ConflictError,
    "server-error": errors.ServerError,
    "page-size-error": errors.PageSizeError,
    "max-return-page-size": errors.PageSizeError,
    "invalid-page-offset": errors.PageSizeError,
}
_BY_STATUS: dict[int, type[APIError]] = {
    400: errors.BadRequestError,
    401: errors.AuthenticationError,
    402: errors.AuthorizationFailedError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    409: errors.ConflictError,
    429: errors.RateLimitError,
    503: errors.ServiceUnavailableError,
}
_MAX_MESSAGE = 500
_MAX_EXCERPT = 200


@dataclass(slots=True, eq=False, repr=False)
class Answer:
    """What came back, read to its end and decompressed.

    Attributes:
        status: HTTP status.
        headers: The headers.
        body: The whole body; `None` when it could not be read, `problem` then says why.
        problem: Why the body could not be read.
        too_large: The body was larger than the client reads.
        cut: The connection ended inside the body.
    """

    status: int
    headers: Headers
    body: bytes | None
    problem: str = ""
    too_large: bool = False
    cut: bool = False

    @property
    def request_id(self) -> str | None:
        """The service's name for this request."""
        return self.headers.get("request-id")


@dataclass(slots=True, eq=False, repr=False)
class Judge:
    """Turns answers into results or failures for one client."""

    group: Group
    policy: RetryPolicy

    def judge(self, operation: Operation[T], answer: Answer, wait: float | None) -> "Read[T] | Failure":
        """Decide what an answer means.

        Args:
            operation: The call.
            answer: What came back.
            wait: `Retry-After` in seconds, if the answer has a valid one.
        """
        if 300 <= answer.status < 400:
            return retry.redirected(operation.safety, self._redirect(answer))
        try:
            value = self._parse(answer)
        except _UnreadableError as error:
            return self._unreadable(operation, answer, error, wait)
        if not 200 <= answer.status < 300 or (value is not _NO_BODY and operation.reader.is_error(value)):
            error_body = None if value is _NO_BODY else value
            return self._refused(operation, answer, error_body, wait)
        try:
            result = (
                operation.reader.read_empty() if value is _NO_BODY else operation.reader.read(value, answer.headers)
            )
        except EmptyBodyError as error:  # as damaged as one that was cut: a read may get it whole the next time
            return retry.unreadable(operation.safety, "damaged", _invalid(answer, f"cannot be read: {error}"))
        except json.DamagedJSONError as error:
            return retry.unreadable(operation.safety, "damaged", _invalid(answer, f"cannot be read: {error}"))
        except ShapeError as error:
            return retry.unreadable(operation.safety, "shape", _invalid(answer, f"has another shape: {error}"))
        return Read(result)

    def _parse(self, answer: Answer) -> json.JSON:
        """Parse the body; `_NO_BODY` for an empty one."""
        if answer.body is None:
            raise _UnreadableError(answer.problem)
        if not answer.body.strip():
            return _NO_BODY
        kind = answer.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
        if kind != "application/json" and not kind.endswith("+json"):
            # A page of a proxy explains itself; other text under a 2xx may be the personal data of a result.
            about = _excerpt(answer.body) if answer.status >= 400 or "html" in kind else ""
            raise _UnreadableError(f"is {escape(kind)[:60]} and not JSON{about}")
        try:
            return json.decode(answer.body)
        except json.DamagedJSONError as error:
            raise _UnreadableError(f"cannot be read: {error}") from None

    def _unreadable(
        self, operation: Operation[T], answer: Answer, problem: Exception, wait: float | None
    ) -> "Read[T] | Failure":
        if not 200 <= answer.status < 300:
            text = f"the body {escape(str(problem))}" if str(problem) else ""
            return self._refused(operation, answer, None, wait, text)
        kind: object = operation.reader.result
        if kind is type(None):
            return Read(operation.reader.read_empty())  # the status alone says that it was done (H60)
        if answer.too_large:
            error: InvalidResponseError = errors.ResponseTooLargeError(
                "the answer is larger than 10 MB; it was not read"
            )
            return retry.unreadable(operation.safety, "shape", _about(error, answer))
        if answer.cut:
            failure = retry.lost(operation.safety, "answer_started", self.policy, _invalid(answer, str(problem)))
            failure.likely_applied = failure.unknown
            return failure
        return retry.unreadable(operation.safety, "damaged", _invalid(answer, str(problem)))

    def _refused(
        self, operation: Operation[T], answer: Answer, value: json.JSON, wait: float | None, text: str = ""
    ) -> Failure:
        error = api_error(operation, self.group, answer, value, text)
        if isinstance(error, errors.RateLimitError):
            error.retry_after = wait
        return retry.refused(operation.safety, self.group, self.policy, error, wait)

    def _redirect(self, answer: Answer) -> errors.UnexpectedRedirectError:
        place = f" to {_host(location)}" if (location := answer.headers.get("location")) else ""
        error = errors.UnexpectedRedirectError(
            f"the service answered {answer.status}, a redirect{place}; none is followed"
        )
        error.status_code, error.request_id = answer.status, answer.request_id
        return error


@dataclass(slots=True, eq=False, repr=False)
class Read(Generic[T]):
    """A result, told apart from a failure."""

    value: T


class _UnreadableError(ValueError):
    pass


_NO_BODY: json.JSON = {"": "the body was empty"}


def _invalid(answer: Answer, problem: str) -> InvalidResponseError:
    return _about(InvalidResponseError(f"the answer (status {answer.status}) {problem}"), answer)


def _about(error: InvalidResponseError, answer: Answer) -> InvalidResponseError:
    error.status_code, error.request_id = answer.status, answer.request_id
    return error


def _host(location: str) -> str:
    """Name the host of a redirect: never its user, path or query (H20)."""
    try:
        host = urlsplit(location).hostname
    except ValueError:
        host = None
    return escape(host)[:100] if host else "another path"


def escape(text: str) -> str:
    """Make control characters visible, so that a message cannot forge log lines or colour a terminal (H33)."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def _excerpt(body: bytes) -> str:
    text = re.sub(r"<[^>]*>", " ", body[:2000].decode("utf-8", "replace"))
    return f": {escape(' '.join(text.split()))[:_MAX_EXCERPT]!r}"


def _text(value: object) -> str | None:
    return escape(value)[:_MAX_MESSAGE] if isinstance(value, str) else None


def _details(value: json.JSON) -> tuple[ErrorDetail, ...]:
    items = value if isinstance(value, list) else []
    return tuple(ErrorDetail(_text(i.get("code")), _text(i.get("message"))) for i in items if isinstance(i, dict))


def _field_errors(value: json.JSON) -> tuple[FieldError, ...]:
    items = value if isinstance(value, list) else []
    return tuple(
        FieldError(_text(i.get("code")), _text(i.get("code_v2")), _text(i.get("field")), _text(i.get("message")))
        for i in items
        if isinstance(i, dict)
    )


@dataclass(slots=True, eq=False, repr=False)
class _ErrorBody:
    """What the five error shapes of the specification have in common."""

    code: str | None = None
    message: str | None = None
    validation: tuple[ErrorDetail, ...] = ()
    fields: tuple[FieldError, ...] = ()
    operations: tuple[ErrorDetail, ...] = ()


def _read_body(value: json.JSON) -> _ErrorBody:
    if not isinstance(value, dict):
        return _ErrorBody()
    operation = value.get("operationError")
    main: Mapping[str, json.JSON] = operation if isinstance(operation, dict) else value
    operations = _details(value.get("operationErrors"))
    known = next((detail for detail in operations if detail.code in _BY_CODE), operations[0] if operations else None)
    code, message = _text(main.get("code")), _text(main.get("message"))
    if known is not None and code not in _BY_CODE:
        code, message = known.code, message or known.message
    return _ErrorBody(
        code=code,
        message=message,
        validation=_details(value.get("validationErrors")),
        fields=_field_errors(value.get("fieldErrors")),
        operations=operations,
    )


def _class_of(status: int, body: _ErrorBody) -> type[APIError]:
    known = _BY_CODE.get(body.code or "")
    if known is errors.ServerError and status == 503:
        return errors.ServiceUnavailableError
    if known is not None:
        return known
    about_request = status < 300 or status in (400, 422)
    if body.fields or body.validation or (body.operations and about_request):
        return errors.ValidationFailedError
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    return errors.ServerError if status >= 500 else APIError


def api_error(operation: Operation[T], group: Group, answer: Answer, value: json.JSON, text: str = "") -> APIError:
    """Make the error for an error answer."""
    body = _read_body(value)
    kind = _class_of(answer.status, body)
    message = body.message or text or "the service gave no message"
    error = kind(_sentence(operation, group, answer, kind, body, message))
    error.status_code, error.code, error.message = answer.status, body.code, message
    error.request_id, error.body, error.headers = answer.request_id, value, dict(answer.headers)
    if isinstance(error, errors.ValidationFailedError):
        error.validation_errors, error.field_errors = body.validation, body.fields
        error.operation_errors = body.operations
    return error


_ADVICE: dict[type[APIError], str] = {
    errors.AuthenticationError: "Check that the credential belongs to this environment and has not expired.",
    errors.AuthorizationFailedError: "The authorization was declined; repeating it asks the bank again.",
    errors.PageSizeError: "Ask for at most 100 items a page, from an offset that is not negative.",
    errors.RateLimitError: "Slow down; `retry_after` says how long to wait, if the service said so.",
    errors.ValidationFailedError: "Correct the fields named in the error and send the request again.",
    errors.BadRequestError: "Correct the request before sending it again.",
    errors.PermissionDeniedError: "The credential is valid, but may not do this.",
    errors.NotFoundError: "Check the identifier, and that it belongs to this environment.",
    errors.ConflictError: "Read the resource again before you decide.",
}


def _advice(kind: type[APIError], group: Group, operation: Operation[T]) -> str:
    if group == "billing" and kind is errors.PermissionDeniedError:
        return "In the billing API 403 means that authentication failed: check user name and password."
    if group == "billing" and kind is errors.ServiceUnavailableError:
        return (
            "The billing API lists 503 as Forbidden, with the meaning of 403 (check user name and password); a proxy "
            "in front of it uses 503 for overload (try later)."
        )
    if issubclass(kind, errors.ServerError):
        return "Try again later." if operation.safety.is_read else "Find out what became of it before you repeat it."
    return next((_ADVICE[each] for each in kind.__mro__ if each in _ADVICE), "Correct the request.")


def _sentence(
    operation: Operation[T], group: Group, answer: Answer, kind: type[APIError], body: _ErrorBody, message: str
) -> str:
    facts = [f"code {body.code}"] if body.code else []
    facts += [f"{each.field}: {each.code or each.message}" for each in body.fields[:5]]
    facts += [str(each.message or each.code) for each in body.validation[:5]]
    if answer.request_id:
        facts.append(f"request id {escape(answer.request_id)[:100]}")
    about = f" ({'; '.join(facts)})" if facts else ""
    done = f"{operation.method} {operation.template} was answered with {answer.status}"
    return f"{done}: {message}{about}. {_advice(kind, group, operation)}"
