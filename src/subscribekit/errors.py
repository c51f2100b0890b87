"""The errors of this package. Each says what became of the request.

    SubscribekitError
    ├── ConfigurationError, InvalidArgumentError, ClientClosedError          nothing was sent
    ├── ConnectionFailedError, DeadlineExceededError, PoolTimeoutError
    ├── APIError                                                     the service responded with an error
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
    ├── BulkError (LedgerError, LeaseLostError)                      a bulk run, or an item of it, is refused
    └── OutcomeUnknownError                                          a write that may or may not have been done
        └── RedirectOutcomeUnknownError (also an UnexpectedRedirectError)

Every error can be pickled and copied, so it crosses process borders; none holds a credential or a request body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as dataclass_field  # a field of FieldError is called field
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
    """Base of every error that this package raises.

    Attributes:
        outcome: `not_sent` when no byte of the request left the machine; `rejected` when the service refused it, or
            when it was a read, which changes nothing; `unknown` when a write may or may not have been done.
        operation: The SDK's name of the call, such as `entitlements.charge`; `None` outside a call.
        attempts: How many requests were started for the call.
        elapsed: Seconds from the start of the call to the error.
        checkpoint: Where an iteration stopped; give it to the same `list(..., checkpoint=...)` to go on.
        trace_id: The `X-B3-TraceId` that was sent, if any.
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
        """Note the call that the error belongs to."""
        self.operation = operation
        return self

    def __reduce__(self) -> tuple[object, ...]:
        cause = self.__cause__ if isinstance(self.__cause__, SubscribekitError) else None
        copied = None if cause is None else _without_headers(cause)
        return _restore, (_FORM, type(self), self.args, self._state(), copied)

    def _state(self) -> dict[str, object]:
        """The parts of the error that go into another process."""
        return self.__dict__.copy()


def _without_headers(cause: SubscribekitError) -> SubscribekitError:
    """Copy a cause to go with its error; the response's body and headers stay where they arrived."""
    state = {name: value for name, value in cause.__dict__.items() if name != "headers"}
    return _restore(_FORM, type(cause), cause.args, state)


_FORM = 2
"""Version of the pickled form."""


def _restore(
    form: object,
    kind: type[SubscribekitError],
    args: tuple[object, ...],
    state: dict[str, object],
    cause: SubscribekitError | None = None,  # the first form, which had no version, is one argument shorter
) -> SubscribekitError:
    """Return the error of a pickle; refuse one in another form, whose values have other names."""
    if form != _FORM:
        raise InvalidArgumentError(
            "the error was pickled by another version of subscribekit and can't be read; read it with that version",
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
    """A client, an environment or a setting is not usable; nothing was sent."""


class InvalidArgumentError(SubscribekitError, ValueError):
    """An argument of a call is refused before any I/O; nothing was sent."""


class ClientClosedError(SubscribekitError):
    """The client was closed before this call; nothing was sent."""


class ConnectionFailedError(SubscribekitError):
    """No whole response came from the service.

    The outcome is `not_sent` when no byte of the request left the machine, `rejected` for a read. A write that may
    have arrived raises `OutcomeUnknownError` instead.
    """


class DeadlineExceededError(SubscribekitError):
    """The whole-call deadline passed before a response came."""


class PoolTimeoutError(SubscribekitError):
    """No connection became free in time; nothing was sent.

    `Limits(max_connections=...)` bounds how many calls of one client run at once; `Timeouts(pool=...)` how long a call
    waits for its turn.
    """


@dataclass(frozen=True, slots=True)
class ErrorDetail:
    """One entry of `validationErrors` (groups B and D) or `operationErrors` (group C)."""

    code: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class FieldError:
    """One entry of `fieldErrors` (group C).

    Attributes:
        code: The code.
        code_v2: The code of the second version.
        field: Name of the field on the wire.
        message: The text, shortened to 500 characters, control characters escaped.
        rejected_value: The value that the service refused. It may be personal: `repr` masks it, and pickles
            and copies leave it out.
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
        status_code: HTTP status of the response. An error body makes an error at any status, also under 200.
        code: The body's machine-readable code, if it has one.
        message: The body's text, shortened to 500 characters, control characters escaped.
        type: The body's `operationError.type` (group C).
        authorities: The body's `operationError.authorities` (group C): what the caller would have needed.
        request_id: The response's `Request-Id` (group A) or `X-B3-TraceId` (group C).
        body: The parsed body, or `None` when it was not JSON. A service may echo a card number, and group C sends a
            stack trace: the body is no part of the error's text, of `vars(error)`, of its pickles and copies.
        keep_body: Set it to `True` to let pickles and copies carry the body.
        headers: The response's headers, names in lower case, cookies left out.
    """

    __slots__ = ("_body",)
    _body: Callable[[], JSON]  # a function, because tools that record variables show what an attribute holds

    outcome: Outcome = "rejected"
    status_code: int = 0
    code: str | None = None
    message: str = ""
    type: str | None = None
    authorities: tuple[str, ...] = ()
    request_id: str | None = None
    keep_body: bool = False
    headers: Mapping[str, str] = {}  # replaced on every instance, never changed

    @property
    def body(self) -> JSON:
        """The parsed body of the response, or `None`."""
        return self._body() if hasattr(self, "_body") else None

    @body.setter
    def body(self, value: JSON) -> None:
        self._body = lambda: value

    def _state(self) -> dict[str, object]:
        return {**self.__dict__, "body": self.body} if self.keep_body else self.__dict__.copy()


class BadRequestError(APIError):
    """400: the request is not acceptable; correct it before sending it again."""


class ValidationFailedError(BadRequestError):
    """The service found fault with fields of the request.

    Attributes:
        validation_errors: Entries of `validationErrors` (groups B and D).
        field_errors: Entries of `fieldErrors` (group C).
        operation_errors: Entries of `operationErrors` (group C).
    """

    validation_errors: tuple[ErrorDetail, ...] = ()
    field_errors: tuple[FieldError, ...] = ()
    operation_errors: tuple[ErrorDetail, ...] = ()


class PageSizeError(BadRequestError):
    """`page-size-error`, `max-return-page-size` or `invalid-page-offset` of group C."""


class AuthenticationError(APIError):
    """401 or `authentication-required`: the credential is missing, wrong or expired."""


class PaymentAuthorizationError(APIError):
    """402: the authorization failed, for example the card was declined."""


class PermissionDeniedError(APIError):
    """403, `forbidden` or `ACCESS_FORBIDDEN`. In group A, 403 means that user name or password is wrong."""


class NotFoundError(APIError):
    """404 or `not-found`: there is no such resource.

    Attributes:
        resource_id: The last identifier in the path of the call; it is no part of the text. `None` for a call without
            one.
        earlier_attempt_unknown: An earlier attempt of the same call ended without a response, so a delete may have
            been done by it.
    """

    resource_id: str | None = None
    earlier_attempt_unknown: bool = False


class PartnerSubscriptionNotFoundError(NotFoundError):
    """`partner-subscription-not-found` of E7."""


class UserNotFoundError(NotFoundError):
    """`user-not-found` of group C."""


class ConflictError(APIError):
    """409 or `input-conflict`."""


class RateLimitError(APIError):
    """429: too many requests.

    Attributes:
        retry_after: Seconds that the service asked to wait, or `None` when it did not say.
    """

    retry_after: float | None = None


class ServerError(APIError):
    """5xx or `server-error`: the service failed."""


class ServiceUnavailableError(ServerError):
    """503; in group A the specification lists it as "Forbidden", with the meaning of 403.

    Attributes:
        retry_after: Seconds that the service asked to wait, or `None` when it did not say.
    """

    retry_after: float | None = None


class InvalidResponseError(SubscribekitError):
    """The response cannot be understood: no JSON, damaged JSON or gzip, or another shape than documented.

    Attributes:
        status_code: HTTP status of the response.
        request_id: The response's `Request-Id`, if any.
    """

    outcome: Outcome = "rejected"
    status_code: int | None = None
    request_id: str | None = None


class ResponseTooLargeError(InvalidResponseError):
    """The response is larger than the client reads (10 MB after decompression)."""


class UnexpectedRedirectError(SubscribekitError):
    """The service responded with a redirect; none is followed.

    Attributes:
        status_code: HTTP status of the response.
        request_id: The response's `Request-Id`, if any.
    """

    outcome: Outcome = "rejected"
    status_code: int | None = None
    request_id: str | None = None


class PaginationError(SubscribekitError):
    """A list doesn't end, leads elsewhere, or ends too early.

    The service repeated a cursor, returned more than ten pages in a row without a new item, linked to another address,
    or returned fewer items than its `total_count`. The items that were returned so far are right.
    """

    outcome: Outcome = "rejected"


class FilterNotAppliedError(SubscribekitError):
    """An item does not match the filter that was asked for, so the list is not the filtered one.

    The wire name of the filter is an assumption (`WireNames`); the service seems not to know it.
    """

    outcome: Outcome = "rejected"


class OutcomeUnknownError(SubscribekitError):
    """A write whose effect is not known: it may or may not have been done.

    Its text says when it was sent and what the operator finds it by: time, trace id, request id. Of a charge it says:
    Do not send it again, even with another transaction ID, until the operator confirms that it was not made.

    Attributes:
        method: HTTP method.
        path_template: Path of the operation, identifiers left out.
        resource_id: The identifier in the path.
        reconcile_key: The key to look the operation up by: the `transaction_id` of an entitlement charge, otherwise the
            body's own `id` or the identifier in the path, `user/array` for custom data; `None` when there is none.
        original_transaction_id: For a refund by E8, the charge that it refunds.
        phase: How far the request got, as the transport reported it.
        likely_applied: `True` when a 2xx status was seen and only its content is missing or damaged; `None` when
            nothing speaks for or against it.
        sent_at: When the last attempt was started (UTC).
        status_code: Status of the response, if one began.
        request_id: `Request-Id` of the response, if one began.
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
        """Group of the client that made the call, such as `billing`: one of that group can resolve the error."""
        return dict(self.record).get("group")

    @property
    def record(self) -> tuple[tuple[str, str], ...]:
        """Further data for `client.resolve(error)`: names and texts.

        It holds identifiers, keyed digests of the sent values, and the time of sending on clocks that can't be set: the
        monotonic clock, the machine's boot clock with its boot ID, and the service's clock. It goes with the error into
        pickles and copies, and can be kept as JSON.
        """
        kept: tuple[tuple[str, str], ...] = vars(self).get("_record", ())
        return kept

    @record.setter
    def record(self, value: tuple[tuple[str, str], ...]) -> None:
        vars(self)["_record"] = value


class RedirectOutcomeUnknownError(OutcomeUnknownError, UnexpectedRedirectError):
    """A write got a redirect, which may mean "done, look there"."""


class BulkError(SubscribekitError):
    """A bulk run refuses something, such as a key with another request; nothing was sent for it."""


class LedgerError(BulkError):
    """The ledger of a bulk run cannot be used, or not at this moment.

    It is no ledger, damaged, of a newer version, of another environment or origin, locked by another program, or the
    disk is full. Its content is not changed.
    """


class LeaseLostError(BulkError):
    """A process was held up for longer than its lease, and its items may be another caller's by now.

    Nothing more was sent by it. Its sent items are `unknown` unless its outcome was written in time; running again
    goes on with the rest.
    """
