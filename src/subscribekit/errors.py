"""The SDK's exceptions, whose `outcome` shows whether the service may have carried out the request.

    SubscribekitError
    ├── ConfigurationError, InvalidArgumentError, ClientClosedError: nothing was sent
    ├── ConnectionFailedError, DeadlineExceededError, PoolTimeoutError
    ├── APIError: the service responded with an error
    │   ├── BadRequestError 400
    │   │   ├── ValidationFailedError
    │   │   └── PageSizeError
    │   ├── AuthenticationError 401
    │   ├── PaymentAuthorizationError 402
    │   ├── PermissionDeniedError 403
    │   ├── NotFoundError 404
    │   │   ├── PartnerSubscriptionNotFoundError
    │   │   └── UserNotFoundError
    │   ├── ConflictError 409
    │   ├── RateLimitError 429
    │   └── ServerError 5xx
    │       └── ServiceUnavailableError 503
    ├── InvalidResponseError, ResponseTooLargeError, UnexpectedRedirectError
    ├── PaginationError, FilterNotAppliedError
    ├── BulkError (LedgerError, LeaseLostError): a bulk run rejected an operation or had to stop
    └── OutcomeUnknownError: a write may have been carried out
        └── RedirectOutcomeUnknownError (also an UnexpectedRedirectError)

You can pickle and copy every error, for example to send it to another process. No error contains a credential or the
body of a request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field  # `FieldError` has an attribute `field`, so this needs another name
from datetime import datetime
from typing import Literal, Self, TypeAlias

from ._json_type import JSON

Outcome: TypeAlias = Literal["not_sent", "rejected", "unknown"]
Phase: TypeAlias = Literal[
    "nothing", "connected", "headers_started", "body_sent", "response_started", "response_complete", "not_reported"
]

__all__ = [
    "APIError", "AuthenticationError", "BadRequestError", "BulkError", "ClientClosedError", "ConfigurationError",
    "ConflictError", "ConnectionFailedError", "DeadlineExceededError", "ErrorDetail", "FieldError",
    "FilterNotAppliedError", "InvalidArgumentError", "InvalidResponseError", "LeaseLostError", "LedgerError",
    "NotFoundError", "Outcome", "OutcomeUnknownError", "PageSizeError", "PaginationError",
    "PartnerSubscriptionNotFoundError", "PaymentAuthorizationError", "PermissionDeniedError", "Phase",
    "PoolTimeoutError", "RateLimitError", "RedirectOutcomeUnknownError", "ResponseTooLargeError", "ServerError",
    "ServiceUnavailableError", "SubscribekitError", "UnexpectedRedirectError", "UserNotFoundError",
    "ValidationFailedError",
]  # fmt: skip


class SubscribekitError(Exception):
    """Base class of all errors that the SDK raises.

    Attributes:
        outcome: `not_sent` if no byte of the request left the machine. The outcome of a rejected request, or of a
            failed read, is `rejected`. The outcome is `unknown` if the service may have carried out a write.
        operation: The SDK's name of the operation, such as `entitlements.charge`; `None` outside a call.
        attempts: The number of requests that the SDK started for the call.
        elapsed: Seconds from the start of the call to the error.
        checkpoint: The point at which an iteration stopped. To resume, pass the checkpoint to the same `list(...,
            checkpoint=...)`.
        trace_id: The `X-B3-TraceId` header of the requests, if any.
    """

    outcome: Outcome = "not_sent"
    operation: str | None = None
    attempts: int = 0
    elapsed: float = 0.0
    checkpoint: str | None = None
    trace_id: str | None = None

    def __init__(self, message: str = "", *, outcome: Outcome | None = None) -> None:
        super().__init__(message)
        if outcome is not None:
            self.outcome = outcome

    def during(self, operation: str) -> Self:
        """Set the operation that the error belongs to, and return the error."""
        self.operation = operation
        return self

    def __reduce__(self) -> tuple[object, ...]:
        cause = self.__cause__ if isinstance(self.__cause__, SubscribekitError) else None
        copied = None if cause is None else _without_headers(cause)
        return _restore, (_FORM, type(self), self.args, self._state(), copied)

    def _state(self) -> dict[str, object]:
        """Return the attributes that a pickle or a copy of the error contains."""
        return self.__dict__.copy()


def _without_headers(cause: SubscribekitError) -> SubscribekitError:
    """Copy the cause of an error for a pickle, without the body and the headers of the response."""
    state = {name: value for name, value in cause.__dict__.items() if name != "headers"}
    return _restore(_FORM, type(cause), cause.args, state)


_FORM = 2
"""The version of the pickle format."""


def _restore(
    form: object,
    kind: type[SubscribekitError],
    args: tuple[object, ...],
    state: dict[str, object],
    cause: SubscribekitError | None = None,  # pickles of format 1 pass only 4 arguments, so `cause` needs a default
) -> SubscribekitError:
    """Return the error from a pickle, or raise an error if another version of the SDK wrote the pickle."""
    if form != _FORM:
        raise InvalidArgumentError(
            "the error was pickled by another version of subscribekit; load the pickle with that version",
            outcome="unknown",
        )
    error = kind.__new__(kind, *args)
    error.args = args
    for name, value in state.items():
        setattr(error, name, value)
    if cause is not None:
        error.__cause__ = cause
    return error


class ConfigurationError(SubscribekitError, ValueError):
    """A client, an environment, or a setting is invalid. Nothing was sent."""


class InvalidArgumentError(SubscribekitError, ValueError):
    """An argument of a call is invalid. The SDK checks arguments before any I/O, so nothing was sent."""


class ClientClosedError(SubscribekitError):
    """The client was closed before the call. Nothing was sent."""


class ConnectionFailedError(SubscribekitError):
    """The connection failed before a complete response arrived.

    The outcome is `not_sent` if no byte of the request left the machine, and `rejected` if a read was sent.
    If a write may have reached the service, the SDK raises `OutcomeUnknownError` and not this error.
    """


class DeadlineExceededError(SubscribekitError):
    """The deadline of the call passed before a response arrived, or would have passed during a wait."""


class PoolTimeoutError(SubscribekitError):
    """No connection of the client became free in time. Nothing was sent.

    `Limits(max_connections=...)` limits how many calls of a client run at once. `Timeouts(pool=...)` limits how long
    a call waits for a free connection.
    """


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    """An entry of `validationErrors` (gateway, storefront) or `operationErrors` (account-lifecycle API)."""

    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class FieldError:
    """An entry of `fieldErrors` (account-lifecycle API).

    Attributes:
        code: The error code of the field.
        code_v2: The error code in `codeV2`, which uses the second version of the error codes.
        field: The wire name of the field.
        message: The service's text, shortened to 500 characters, with control characters escaped.
        rejected_value: The value that the service rejected. `repr` masks the value, and pickles and copies don't
            contain the value, because it may be personal.
    """

    code: str | None = None
    code_v2: str | None = None
    field: str | None = None
    message: str | None = None
    rejected_value: JSON = dataclass_field(default=None, compare=False)

    def __repr__(self) -> str:
        value = "" if self.rejected_value is None else ", rejected_value='***'"
        return (
            f"FieldError(code={self.code!r}, code_v2={self.code_v2!r}, field={self.field!r}, "
            f"message={self.message!r}{value})"
        )

    def __reduce__(self) -> tuple[object, ...]:
        return FieldError, (self.code, self.code_v2, self.field, self.message)


class APIError(SubscribekitError):
    """The service responded with an error.

    Attributes:
        status_code: The HTTP status of the response. A 2xx response with an error body also raises this error.
        code: The machine-readable error code in the body, if there is one.
        message: The service's error text from the body, shortened to 500 characters, with control characters escaped.
        type: `operationError.type` in the body (account-lifecycle API).
        authorities: `operationError.authorities` in the body (account-lifecycle API): the permissions that the call
            needs.
        request_id: The `Request-Id` (billing API) or the `X-B3-TraceId` (account-lifecycle API) of the response.
        body: The parsed body, or `None` if the body wasn't JSON. The error's text, `vars(error)`, pickles, and copies
            don't contain the body, because a body can contain a card number or a stack trace.
        keep_body: Set to `True` to include the body in pickles and copies of the error.
        headers: The headers of the response, with lowercase names and without cookies.
    """

    __slots__ = ("_body",)
    _body: Callable[[], JSON]  # if this were a dict, error trackers would show its contents

    outcome: Outcome = "rejected"
    status_code: int = 0
    code: str | None = None
    message: str = ""
    type: str | None = None
    authorities: tuple[str, ...] = ()
    request_id: str | None = None
    keep_body: bool = False
    headers: Mapping[str, str] = {}  # the SDK never changes this default, but assigns a new mapping to each error

    @property
    def body(self) -> JSON:
        """The parsed body of the response, or `None` if the body wasn't JSON."""
        return self._body() if hasattr(self, "_body") else None

    @body.setter
    def body(self, value: JSON) -> None:
        self._body = lambda: value

    def _state(self) -> dict[str, object]:
        return {**self.__dict__, "body": self.body} if self.keep_body else self.__dict__.copy()


class BadRequestError(APIError):
    """Status 400: the request is invalid. Correct the arguments before you repeat the call."""


class ValidationFailedError(BadRequestError):
    """The service rejected one or more fields of the request.

    Attributes:
        validation_errors: The entries of `validationErrors` (gateway, storefront).
        field_errors: The entries of `fieldErrors` (account-lifecycle API).
        operation_errors: The entries of `operationErrors` (account-lifecycle API).
    """

    validation_errors: tuple[ErrorDetail, ...] = ()
    field_errors: tuple[FieldError, ...] = ()
    operation_errors: tuple[ErrorDetail, ...] = ()


class PageSizeError(BadRequestError):
    """The page size or the offset is invalid (`page-size-error`, `max-return-page-size`, or `invalid-page-offset`)."""


class AuthenticationError(APIError):
    """Status 401 or `authentication-required`: the credential is missing, wrong, or expired."""


class PaymentAuthorizationError(APIError):
    """Status 402: the payment wasn't authorized, for example because the card was declined."""


class PermissionDeniedError(APIError):
    """Status 403, `forbidden`, or `ACCESS_FORBIDDEN`. In the billing API, 403 means a wrong user name or password."""


class NotFoundError(APIError):
    """Status 404 or `not-found`: the resource doesn't exist.

    Attributes:
        resource_id: The last identifier in the path, or `None`; the error's text doesn't contain the identifier.
        earlier_attempt_unknown: `True` if an earlier attempt with an unknown outcome may have deleted the resource.
    """

    resource_id: str | None = None
    earlier_attempt_unknown: bool = False


class PartnerSubscriptionNotFoundError(NotFoundError):
    """Error code `partner-subscription-not-found`: the partner subscription doesn't exist in the gateway (E7)."""


class UserNotFoundError(NotFoundError):
    """Error code `user-not-found`: the user doesn't exist in the account-lifecycle API."""


class ConflictError(APIError):
    """Status 409 or `input-conflict`: the request conflicts with existing data."""


class RateLimitError(APIError):
    """Status 429: the client sent more requests than the rate limit allows.

    Attributes:
        retry_after: The number of seconds that the service asked the client to wait, or `None`.
    """

    retry_after: float | None = None


class ServerError(APIError):
    """Status 5xx or `server-error`: the service failed."""


class ServiceUnavailableError(ServerError):
    """Status 503. The specification of the billing API calls this status "Forbidden", and describes it like 403.

    Attributes:
        retry_after: The number of seconds that the service asked the client to wait, or `None`.
    """

    retry_after: float | None = None


class InvalidResponseError(SubscribekitError):
    """The SDK can't read the response, because it isn't JSON, is damaged, or doesn't have the documented structure.

    Attributes:
        status_code: The HTTP status of the response.
        request_id: The `Request-Id` of the response, if any.
    """

    outcome: Outcome = "rejected"
    status_code: int | None = None
    request_id: str | None = None


class ResponseTooLargeError(InvalidResponseError):
    """After decompression, the response is larger than the client's limit of 10 MB."""


class UnexpectedRedirectError(SubscribekitError):
    """The service responded with a redirect. The SDK doesn't follow redirects.

    Attributes:
        status_code: The HTTP status of the response.
        request_id: The `Request-Id` of the response, if any.
    """

    outcome: Outcome = "rejected"
    status_code: int | None = None
    request_id: str | None = None


class PaginationError(SubscribekitError):
    """The SDK can't read a list to the end.

    The service repeated a cursor, returned more than ten pages in a row without a new item, linked to a page at another
    address, or returned fewer items than its `total_count`. The items that you received before the error are correct.
    """

    outcome: Outcome = "rejected"


class FilterNotAppliedError(SubscribekitError):
    """The service returned or counted items that don't match a filter, so it probably ignored the filter.

    If the filter's wire name isn't documented, ask the operator for the name, and set the name in `WireNames`.
    """

    outcome: Outcome = "rejected"


class OutcomeUnknownError(SubscribekitError):
    """The SDK doesn't know whether the service carried out a write.

    The text contains the time, the trace ID, and the request ID, so that the operator can find the request. For an
    entitlement charge, the text also contains this warning: Do not send it again, even with another transaction ID,
    until the operator confirms that it was not made.

    Attributes:
        method: The HTTP method.
        path_template: The path of the operation, with placeholders for the identifiers.
        resource_id: The identifier in the path.
        reconcile_key: The ID by which you can search for the result of the write, if any: the `transaction_id` of an
            entitlement charge, `user/array` for custom data, or otherwise the ID in the body or in the path.
        original_transaction_id: The ID of the charge to refund, if the call is a refund through the gateway (E8).
        phase: The progress of the last request, such as `body_sent`, if the transport reports the progress.
        likely_applied: `True` if the service returned a success status, but the body is missing, damaged, or about
            another resource; otherwise `None`.
        sent_at: The start of the last attempt, in UTC.
        status_code: The HTTP status of the response, if a response started to arrive.
        request_id: The `Request-Id` of the response, if a response started to arrive.
    """

    outcome: Outcome = "unknown"
    method: str = ""
    path_template: str = ""
    resource_id: str | None = None
    reconcile_key: str | None = None
    original_transaction_id: str | None = None
    phase: Phase = "not_reported"
    likely_applied: bool | None = None
    sent_at: datetime | None = None
    status_code: int | None = None
    request_id: str | None = None

    @property
    def group(self) -> str | None:
        """The service of the call, such as `billing`. Only a client of this service can resolve the error."""
        return dict(self.record).get("group")

    @property
    def record(self) -> tuple[tuple[str, str], ...]:
        """Data for `client.resolve(error)`, as pairs of a name and a string.

        The record contains identifiers, keyed digests of the sent values, and the time of sending. The time of sending
        is measured by three clocks that can't be set: the monotonic clock, the machine's boot clock with its boot ID,
        and the service's clock. Pickles and copies of the error contain the record. You can store the record as JSON.
        """
        kept: tuple[tuple[str, str], ...] = vars(self).get("_record", ())
        return kept

    @record.setter
    def record(self, value: tuple[tuple[str, str], ...]) -> None:
        vars(self)["_record"] = value


class RedirectOutcomeUnknownError(OutcomeUnknownError, UnexpectedRedirectError):
    """The response to a write was a redirect, so the service may have carried out the write."""


class BulkError(SubscribekitError):
    """A bulk run rejected an operation, for example because the key belongs to another request. Nothing was sent."""


class LedgerError(BulkError):
    """The ledger of a bulk run can't be used.

    The disk is full; the file is damaged, locked, or not a ledger; or the ledger belongs to a newer version of the SDK,
    or to another environment or origin. If the SDK can't open the ledger, the SDK doesn't change its content.
    """


class LeaseLostError(BulkError):
    """A process renewed its lease too late, so another process may have claimed its items.

    After the lease expired, the process sent nothing more. An item that the process had sent is `unknown`, unless the
    process recorded the item's outcome in time. To send the remaining items, start the process again.
    """
