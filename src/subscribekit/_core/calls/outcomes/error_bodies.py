"""Converts error bodies, in the five shapes of the specification, to typed errors. Does no I/O.

A known error code in the body determines the class of the exception. If the body has no known error code, the HTTP
status determines the class of the exception. The error code has precedence because the specification documents the
error codes of the gateway, account-lifecycle, and storefront APIs, but not the statuses.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar

from .... import errors
from ...._hints.python_advice import RATE_LIMITED
from ...._json import JSON
from ....errors import APIError, ErrorDetail, FieldError
from ...config.environments import Group
from ...http.received import Received
from ...operations.error_shapes import ERROR_CODES
from ...operations.operation import Operation

T = TypeVar("T")

_BY_STATUS: dict[int, type[APIError]] = {
    400: errors.BadRequestError,
    401: errors.AuthenticationError,
    402: errors.PaymentAuthorizationError,
    403: errors.PermissionDeniedError,
    404: errors.NotFoundError,
    409: errors.ConflictError,
    429: errors.RateLimitError,
    503: errors.ServiceUnavailableError,
}
_MAX_MESSAGE = 500
_MAX_EXCERPT = 200
_NO_TEXT = re.compile(r"<(script|style)\b.*?(</\1>|$)", re.DOTALL | re.IGNORECASE)


def escape(text: str) -> str:
    """Escape control characters, so that a message can't forge log lines or change a terminal's colors (H33)."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in text)


def excerpt(body: bytes) -> str:
    """Quote the start of a proxy's error page, without HTML tags, for the end of an error message.

    The function removes repeated parts, because the title and the heading of a page are often the same.
    """
    text = _NO_TEXT.sub(" ", body[:2000].decode("utf-8", "replace"))
    parts = dict.fromkeys(" ".join(each.split()) for each in re.split("<[^>]*>", text))
    start = escape(" ".join(filter(None, parts)))[:_MAX_EXCERPT]
    return f"; it starts with {start!r}" if start else ""


def _text(value: object) -> str | None:
    return escape(value)[:_MAX_MESSAGE] if isinstance(value, str) else None


def _texts(value: JSON) -> tuple[str, ...]:
    items = value if isinstance(value, list) else []
    return tuple(text for text in map(_text, items) if text is not None)


def _objects(value: JSON) -> list[dict[str, JSON]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _details(value: JSON) -> tuple[ErrorDetail, ...]:
    return tuple(ErrorDetail(_text(i.get("code")), _text(i.get("message"))) for i in _objects(value))


def _field_errors(value: JSON) -> tuple[FieldError, ...]:
    return tuple(
        FieldError(
            _text(i.get("code")),
            _text(i.get("code_v2")),
            _text(i.get("field")),
            _text(i.get("message")),
            i.get("rejectedValue"),
        )
        for i in _objects(value)
    )


@dataclass(slots=True, eq=False, repr=False)
class _ErrorBody:
    """The fields of an error body, in any of the five shapes."""

    code: str | None = None
    message: str | None = None
    type: str | None = None
    authorities: tuple[str, ...] = ()
    validation: tuple[ErrorDetail, ...] = ()
    fields: tuple[FieldError, ...] = ()
    operations: tuple[ErrorDetail, ...] = ()


def _read_body(value: JSON) -> _ErrorBody:
    if not isinstance(value, dict):
        return _ErrorBody()
    operation = value.get("operationError")
    main: Mapping[str, JSON] = operation if isinstance(operation, dict) else value
    operations = _details(value.get("operationErrors"))
    known = next((detail for detail in operations if detail.code in ERROR_CODES), operations[0] if operations else None)
    code, message = _text(main.get("code")), _text(main.get("message"))
    if known is not None and code not in ERROR_CODES:
        code, message = known.code, message or known.message
    return _ErrorBody(
        code=code,
        message=message or _text(value.get("error")),
        type=_text(main.get("type")),
        authorities=_texts(main.get("authorities")),
        validation=_details(value.get("validationErrors")),
        fields=_field_errors(value.get("fieldErrors")),
        operations=operations,
    )


def _class_of(status: int, body: _ErrorBody) -> type[APIError]:
    known = ERROR_CODES.get(body.code or "")
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


def api_error(
    operation: Operation[T], group: Group, received: Received, value: JSON, text: str = "", advice: str = ""
) -> APIError:
    """Create the error for an error response. `advice` replaces the default advice in the message."""
    body = _read_body(value)
    kind = _class_of(received.status, body)
    message = body.message or text or "the service sent no message"
    advice = advice or _advice(kind, group, operation, body.code)
    error = kind(f"{_sentence(operation, received, body, message)} {advice}")
    error.status_code, error.code, error.message = received.status, body.code, message
    error.type, error.authorities = body.type, body.authorities
    error.request_id, error.body, error.headers = received.request_id, value, dict(received.headers)
    if isinstance(error, errors.NotFoundError):
        error.resource_id = operation.resource_id  # the message omits the ID, because messages are logged
    if isinstance(error, errors.ValidationFailedError):
        error.validation_errors, error.field_errors = body.validation, body.fields
        error.operation_errors = body.operations
    return error


_ADVICE: dict[type[APIError], str] = {
    errors.AuthenticationError: "Check that the credential belongs to this environment and has not expired.",
    errors.PaymentAuthorizationError: "The authorization was declined. A retry asks the bank again.",
    errors.PageSizeError: "Request at most 100 items per page, and an offset of at least 0.",
    errors.RateLimitError: RATE_LIMITED.text,
    errors.ValidationFailedError: "Correct the fields that the error names, and send the request again.",
    errors.BadRequestError: "Correct the request before you send it again.",
    errors.PermissionDeniedError: "The credential is valid, but it has no permission for this operation.",
    errors.NotFoundError: "Check the identifier, and that it belongs to this environment.",
    errors.ConflictError: "Read the resource again before you decide what to do.",
}


def _advice(kind: type[APIError], group: Group, operation: Operation[T], code: str | None) -> str:
    if code == "max-return-page-size":
        return "Pass a `size` other than 0, because the list is too long for one page."
    if group == "billing" and kind is errors.PermissionDeniedError:
        return "In the billing API, 403 means that authentication failed. Check api_user and api_key."
    if group == "billing" and kind is errors.ServiceUnavailableError:
        return (
            "If the billing API sent this 503, the status means Forbidden; check api_user and api_key. If a proxy in "
            "front of the API sent the 503, the service is overloaded; try again later."
        )
    if issubclass(kind, errors.ServerError):
        harmless = operation.safety.is_read or operation.is_dry_run
        return "Try again later." if harmless else "Find out whether the request was carried out before you repeat it."
    return next((_ADVICE[each] for each in kind.__mro__ if each in _ADVICE), "Correct the request.")


def _sentence(operation: Operation[T], received: Received, body: _ErrorBody, message: str) -> str:
    facts = [f"code {body.code}"] if body.code else []
    facts += [f"{each.field}: {each.code or each.message}" for each in body.fields[:5]]
    facts += [str(each.message or each.code) for each in body.validation[:5]]
    if received.request_id:
        facts.append(f"request id {escape(received.request_id)[:100]}")
    about = f" ({'; '.join(facts)})" if facts else ""
    done = f"{operation.method} {operation.template} returned {received.status}"
    return f"{done}: {message}{about}."


def in_log(request_id: str | None) -> str | None:
    """Return a request ID for a log. The ID is escaped and shortened, because the service can send any text."""
    return None if request_id is None else escape(request_id)[:100]
