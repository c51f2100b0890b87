"""Replies and refusals of the four groups, in the body shapes of the specification.

Specified: every body shape and every code used here. Assumed: the HTTP status of each code of groups B to D and of the
group C bodies other than the page errors, because the specification shows none. A refusal that comes from HTTP itself,
such as 415, has the code `invalid-request` in groups B to D.
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
    """The response of a handler, before encoding; `body=None` is a response without content."""

    body: Value = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


class Refused(Exception):  # noqa: N818  it is a response that ends the handler, not a fault of the program
    """A refusal that ends the handler; the service returns it."""

    def __init__(self, status: int, body: Document) -> None:
        super().__init__(status)
        self.reply: Reply = Reply(body, status)


def billing_refusal(status: int, message: str) -> Refused:
    """Refuse in group A's shape."""
    return Refused(status, {"object": "Error", "message": message})


def coded_refusal(code: str, message: str, *details: tuple[str, str]) -> Refused:
    """Refuse in the {code, message} shape of groups B to D, with validation details as (code, message) pairs."""
    body: Document = {"code": code, "message": message}
    if details:
        body["validationErrors"] = [{"code": kind, "message": told} for kind, told in details]
    return Refused(_STATUS[code], body)


def invalid(name: str, told: str) -> Refused:
    """Refuse one field in the shape of groups B and D, and of E9."""
    return coded_refusal("invalid-request", "the request is not valid", ("invalid-field", f"{name}: {told}"))


def present(found: T | None, kind: str, code: str = "not-found") -> T:
    """Return what groups B to D have, or refuse what does not exist."""
    if found is None:
        raise coded_refusal(code, f"{kind} not found")
    return found


def operation_refusal(status: int, code: str, message: str) -> Refused:
    """Refuse in group C's operationError shape."""
    error: Document = {"code": code, "message": message, "type": "operation", "authorities": []}
    return Refused(
        status,
        {"operationError": error, "stackTrace": "", "operationErrors": [{"code": code, "message": message}]},
    )


def page_refusal(code: str, message: str) -> Refused:
    """Refuse a page of a group C list (status 400 is specified)."""
    return Refused(400, {"operationError": {"code": code, "message": message}})


def plain_refusal(group: Group, status: int, code: str, message: str) -> Refused:
    """Refuse a request in the plain shape of its group, with a status of HTTP itself."""
    if group == "billing":
        return billing_refusal(status, message)
    return Refused(status, {"code": code, "message": message})


def input_refusal(code: str, message: str) -> Refused:
    """Refuse a group C request as a whole."""
    return Refused(400, {"fieldErrors": [], "operationErrors": [{"code": code, "message": message}]})
