"""Responses and errors of the four APIs, in the shapes of the specification.

The specification defines each body shape and each error code in this module. The specification documents the HTTP
statuses of the billing API's errors and of page errors. The HTTP statuses of all other error codes are assumptions.
Outside the billing API, an error in the HTTP request itself, such as a wrong content type (415), has the error code
`invalid-request`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from ..values import Document, Value
from .wire import Group

T = TypeVar("T")

UNKNOWN_ENDPOINT = "This endpoint does not exist. Check our API docs."
INVALID_JSON = "JSON is invalid"

_STATUS = {
    "invalid-request": 400,
    "authentication-required": 401,
    "forbidden": 403,
    "not-found": 404,
    "partner-subscription-not-found": 404,
    "user-not-found": 404,
    "input-conflict": 409,
    "server-error": 500,
}


@dataclass(frozen=True)
class Reply:
    """The response of a handler before it's encoded. If `body` is `None`, the response has no content."""

    body: Value = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Refused(Exception):  # noqa: N818  it's a response that ends the handler, not an error of the program
    """An error response that a handler raises. The service sends the attribute `reply` to the client."""

    def __init__(self, status: int, body: Document) -> None:
        super().__init__(status)
        self.reply: Reply = Reply(body, status)


def billing_refusal(status: int, message: str) -> Refused:
    """Return an error in the shape of the billing API."""
    return Refused(status, {"object": "Error", "message": message})


def coded_refusal(code: str, message: str, *details: tuple[str, str]) -> Refused:
    """Return an error with `code` and `message`, in the shape of all APIs except the billing API.

    Each detail is a pair of a code and a message, and becomes a validation error in the response.
    """
    body: Document = {"code": code, "message": message}
    if details:
        body["validationErrors"] = [{"code": kind, "message": problem} for kind, problem in details]
    return Refused(_STATUS[code], body)


def invalid(name: str, problem: str) -> Refused:
    """Return an error about one field, in the shape of the gateway, the storefront, and custom data deletion (E9)."""
    return coded_refusal("invalid-request", "the request is not valid", ("invalid-field", f"{name}: {problem}"))


def present(found: T | None, kind: str, code: str = "not-found") -> T:
    """Return `found`, or raise a "not found" error if `found` is `None`."""
    if found is None:
        raise coded_refusal(code, f"{kind} not found")
    return found


def operation_refusal(status: int, code: str, message: str) -> Refused:
    """Return an error in the shape `operationError` of the account-lifecycle API."""
    error: Document = {"code": code, "message": message, "type": "operation", "authorities": []}
    return Refused(
        status,
        {"operationError": error, "stackTrace": "", "operationErrors": [{"code": code, "message": message}]},
    )


def page_refusal(code: str, message: str) -> Refused:
    """Return an error about a page of a list in the account-lifecycle API, with the specified status 400."""
    return Refused(400, {"operationError": {"code": code, "message": message}})


def plain_refusal(group: Group, status: int, code: str, message: str) -> Refused:
    """Return the error for an invalid HTTP request, such as a wrong content type (415), in the API's simplest shape."""
    if group == "billing":
        return billing_refusal(status, message)
    return Refused(status, {"code": code, "message": message})


def input_refusal(code: str, message: str) -> Refused:
    """Return an error about a whole request to the account-lifecycle API, and not about one field."""
    return Refused(400, {"fieldErrors": [], "operationErrors": [{"code": code, "message": message}]})
