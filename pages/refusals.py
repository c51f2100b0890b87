"""Writes the table of errors in `docs/sandbox-assumptions.md`, which comes from the code of the sandbox."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import subscribekit.sandbox
from subscribekit.sandbox.http.responses import INVALID_JSON, UNKNOWN_ENDPOINT
from subscribekit.sandbox.service import FAILED

ROOT = Path(subscribekit.sandbox.__file__).parent
_STATUS_FIRST = frozenset({"billing_refusal", "operation_refusal"})
_CODE_FIRST = frozenset({"coded_refusal", "page_refusal", "input_refusal"})
_TEXTS = {
    "INVALID_JSON": INVALID_JSON,
    "UNKNOWN_ENDPOINT": UNKNOWN_ENDPOINT,
    "FAILED": FAILED,
    "_over(status)": "The subscription has already ended, or is already canceled.",
}

# The specification's statement about an error, by a part of the error's message or code. Other errors are assumed.
_SPECIFIED = {
    INVALID_JSON: "example message",
    UNKNOWN_ENDPOINT: "example message",
    FAILED: "500 means that the service failed",
    " is longer than ": "the service returns 400 for a string over its limit",
    "{path} must be": "the service returns 400 for a value of the wrong type or outside an enumeration",
    "limit must be": "the billing API limits the page size",
    "page-size-error": "the account-lifecycle API has this error code",
    "max-return-page-size": "the account-lifecycle API has this error code",
    "invalid-page-offset": "the account-lifecycle API has this error code",
    "partner-subscription-not-found": "the cancellation of a partner subscription has this error code",
    "authentication-required": "all services except the billing API have this error code",
    "user-not-found": "the account-lifecycle API has this error code",
    "invalid-request": "all services except the billing API have this error code, but the status is assumed",
    "forbidden": "an entitlement charge has this error code, but the status is assumed",
    "not-found": "all services except the billing API have this error code, but the status is assumed",
    "could not be authorized": "402 means a failed authorization",
    "could not be validated": "402 means a failed authorization",
    "Only payments made with": "only Merchant Accepted Payments can be reversed",
    "Only an authorized transaction": "a capture needs an authorized transaction",
    "Only a captured transaction": "a refund needs a captured transaction",
    "larger than the amount that is not refunded": "a refund is at most the amount that isn't refunded yet",
    "either percentage_discount or": "a campaign has one kind of discount",
    "must not contain a slash": "an ID can't contain a slash",
    "minimum commitment": "a cancellation before the end of the minimum commitment needs `force`",
}
_PASSED_ON = frozenset({"coded_refusal(code, f'{kind} not found')", "billing_refusal(status, message)"})
"""Calls that are left out, because the calls of the function that contains them are in the table."""
_BY_CONVENTION = (" not found", "not found.", "exists already", "already exists", "entity not found")


def table() -> str:
    """Return the table."""
    rows = sorted({(status, message, source_of(status, message)) for status, message in found()})
    lines = ["| Status or code | Message | Source |", "|---|---|---|"]
    lines += [f"| {status} | {message} | {source} |" for status, message, source in rows]
    return "\n".join([*lines, ""])


def source_of(status: str, message: str) -> str:
    """Return the source of an error."""
    for part, reason in _SPECIFIED.items():
        if part in message or part == status:
            return f"specified: {reason}"
    if status in {"401", "403"}:
        return "specified: 401 and 403 mean a missing or invalid credential"
    return "by convention" if any(part in message for part in _BY_CONVENTION) else "assumed"


def found() -> Iterator[tuple[str, str]]:
    """Yield the status or the code, and the message, of each error that the code raises or returns."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and ast.unparse(node) not in _PASSED_ON:
                yield from _of_call(node.func.id, node.args)


def _of_call(name: str, args: list[ast.expr]) -> Iterator[tuple[str, str]]:
    if name in _STATUS_FIRST or name in _CODE_FIRST:
        yield _text(args[0]), _text(args[-1] if name == "operation_refusal" else args[1])
    elif name == "present" and len(args) > 1:
        yield _text(args[2]) if len(args) > 2 else "not-found", f"{_text(args[1])} not found"
    elif name == "plain_refusal" and isinstance(args[1], ast.Constant):
        yield _text(args[1]), _text(args[3])
    elif name == "missing":
        yield "404", "{kind} not found."
    elif name == "_wrong":
        expected = _text(args[1]) if isinstance(args[1], ast.Constant) else "{expected}"
        yield "400", f"{{path}} must be {expected}."
    elif name == "invalid":
        yield "invalid-request", ": ".join(_text(one) for one in args)


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{" + _last(part) + "}" for part in node.values
        )
    return _TEXTS.get(ast.unparse(node), "{" + _last(node) + "}")


def _last(node: ast.AST) -> str:
    """Return the name of the value in a message: the last name in its expression."""
    named = [one for one in ast.walk(node) if isinstance(one, ast.Attribute | ast.Name)]
    if not named:
        return "value"
    return (named[0].attr if isinstance(named[0], ast.Attribute) else named[0].id).lower()
