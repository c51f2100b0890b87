"""Which JSON is an error body, whatever the status says. No I/O."""

from ..._json import JSON

ERROR_CODES = frozenset(
    {
        "invalid-request", "authentication-required", "forbidden", "ACCESS_FORBIDDEN", "not-found",
        "partner-subscription-not-found", "user-not-found", "input-conflict", "server-error", "page-size-error",
        "max-return-page-size", "invalid-page-offset",
    }
)  # fmt: skip
"""The codes of groups B to D (specification, Errors)."""

_LISTS = frozenset({"validationErrors", "fieldErrors", "operationErrors"})


def has_error_shape(value: JSON) -> bool:
    """Whether it is one of the error bodies of the specification: an `Error`, or with a list of errors."""
    if not isinstance(value, dict):
        return False
    if value.get("object") == "Error" or "operationError" in value:
        return True
    if _LISTS.isdisjoint(value):  # as in nearly every response
        return False
    return any(isinstance(errors := value.get(name), list) and bool(errors) for name in _LISTS)


def has_known_code(value: JSON) -> bool:
    """Whether it has a code that the specification lists."""
    return isinstance(value, dict) and isinstance(code := value.get("code"), str) and code in ERROR_CODES


def has_error_code(value: JSON) -> bool:
    """Whether it has a known code, or a code and a message where a result was expected.

    What has an identity and a code that nobody documents is a result.
    """
    if not isinstance(value, dict) or "code" not in value:
        return False
    if has_known_code(value):
        return True
    if "message" not in value:
        return False
    return not any(value.get(name) for name in ("id", "vid", "object"))
