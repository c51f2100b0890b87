"""Recognizes error bodies by their JSON, at any HTTP status. Does no I/O."""

from collections.abc import Iterator
from typing import Literal, TypeAlias, TypeVar

from ... import errors
from ..._json import JSON
from ...errors import APIError
from ...models._base import Model
from ...models._fields import wire_names
from .operation import Operation

T = TypeVar("T")

ErrorShape: TypeAlias = Literal["documented", "undocumented"]
"""Whether a source documents the error.

If a response with a success status contains an error, only a documented error proves that the request wasn't carried
out.
"""

ERROR_CODES: dict[str, type[APIError]] = {
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
"""Error classes by the codes of the gateway, account-lifecycle, and storefront APIs (specification, Errors)."""

_MARKS = frozenset({"error", "errors", "validationErrors", "fieldErrors", "operationErrors", "operationError"})
_SUSPICIOUS = _MARKS | {"success", "code"}


def error_in(value: JSON, operation: Operation[T]) -> ErrorShape | None:
    """Return whether the body of a response is a documented or an undocumented error, or `None` if it isn't an error.

    A field that the result's model defines isn't a sign of an error, even if its name is `code`. A read that returns a
    resource with `code` and `message` is a success, because a read changes nothing. The platform creates the reference
    of a charge only if the charge succeeded. If a body contains the reference, `code` and `message` are therefore an
    error only if the code is documented.
    """
    if not isinstance(value, dict):
        return None
    if value.get("object") == "Error":
        return "documented"
    if _SUSPICIOUS.isdisjoint(value):  # the check of nearly every response ends here
        return None
    result: type[object] = operation.result
    own = set(wire_names(result).values()) if issubclass(result, Model) else set[str]()
    if not ERROR_CODES.keys().isdisjoint(_codes({name: each for name, each in value.items() if name not in own})):
        return "documented"
    if any(value.get(name) for name in _MARKS - own) or (value.get("success") is False and "success" not in own):
        return "undocumented"
    has_code = (
        value.get("code") is not None and value.get("message") is not None and own.isdisjoint(("code", "message"))
    )
    return "undocumented" if has_code and not _is_result(value, operation) else None


def _is_result(value: dict[str, JSON], operation: Operation[T]) -> bool:
    """Return whether a body contains a result: a resource that was read, or the reference of a charge (H413)."""
    identity = operation.identity
    if operation.safety.is_read:
        return any(value.get(name) for name in ("id", "vid", "object"))
    return identity is not None and identity.is_reference and not identity.is_missing_in(value)


def _codes(value: dict[str, JSON]) -> Iterator[str]:
    """Yield the error codes of a body, from the fields that the specification documents."""
    several = value.get("operationErrors")
    for each in (value, value.get("operationError"), *(several if isinstance(several, list) else ())):
        if isinstance(each, dict) and isinstance(code := each.get("code"), str):
            yield code
