"""Error responses of the OpenAPI document, for each API: statuses, schemas, headers, and examples from the sandbox."""

from __future__ import annotations

from collections.abc import Iterable

from kit.calls import Group

from .exchanges import Exchange
from .schemas import Components, Json, of

TEXT: Json = {"type": ["string", "null"]}
CODED: Json = {
    "type": "object",
    "properties": {"code": TEXT, "message": TEXT},
    "description": "The error: a code for programs, and a text for developers.",
}
REQUEST_ID: Json = {"Request-Id": {"$ref": "#/components/headers/Request-Id"}}
HEADERS: Json = {
    "Request-Id": {
        "description": "Identifies the request in a support request to the operator.",
        "schema": {"type": "string"},
    },
}
TOTAL_COUNT: Json = {
    "description": "The number of entities in the whole list.",
    "schema": {"type": "integer", "minimum": 0},
}
SCHEMAS: dict[Group, str] = {
    "billing": "BillingError",
    "gateway": "CodedError",
    "user_mgmt": "AccountLifecycleError",
    "storefront": "CodedError",
}
MEANINGS = {
    400: "The request isn't valid.",
    401: "The credential is missing or wrong.",
    402: "The payment method was declined.",
    403: "The credential doesn't allow the request.",
    404: "The resource doesn't exist.",
    409: "The request contradicts the state of the resource.",
    429: "Too many requests arrived in a short time.",
    500: "The service failed.",
    503: "The credential doesn't allow the request, or the service isn't available.",
}
BILLING = (400, 401, 402, 403, 404, 429, 500, 503)
"""The statuses of the billing API (specification, Errors)."""
CODES: dict[str, tuple[int, ...]] = {
    "E5": (400, 401, 404, 500),
    "E6": (400, 401, 404, 409, 500),
    "E7": (400, 401, 404, 500),
    "E8": (400, 401, 403, 404),
    "E9": (400, 401, 404, 500),
    "E10": (400, 401, 403),
    "E11": (400, 401, 404, 500),
    "Limits, rule 6": (400, 401, 403, 404),
}
"""Statuses of the codes that the specification lists per operation. The sandbox chose the statuses."""
SOURCES: dict[Group, tuple[str, ...]] = {
    "billing": ("published",),
    "gateway": ("E5", "E6", "E7", "E8"),
    "user_mgmt": ("E9", "E10", "Limits, rule 6"),
    "storefront": ("E11",),
}
STATED = {("user_mgmt", 400)}
"""The statuses of the APIs other than the billing API that the specification states."""


def statuses(group: Group, source: str) -> tuple[int, ...]:
    """Return the error statuses of an operation."""
    return BILLING if group == "billing" else CODES[source]


def responses(group: Group, source: str) -> Json:
    """Return the error responses of an operation."""
    found = {str(status): f"{SCHEMAS[group]}{status}" for status in statuses(group, source)}
    found["default"] = SCHEMAS[group]
    return {status: {"$ref": f"#/components/responses/{name}"} for status, name in found.items()}


def components(shapes: Components, exchanges: Iterable[Exchange]) -> Json:
    """Return the error responses to which the operations refer."""
    _add_schemas(shapes)
    refused = [each for each in exchanges if each.status >= 400]
    made: Json = {}
    for group, schema in SCHEMAS.items():
        for status in sorted({each for source in SOURCES[group] for each in statuses(group, source)}):
            shown = [each.received for each in refused if (each.group, each.status) == (group, status)]
            assumed = group != "billing" and (group, status) not in STATED
            if schema + str(status) not in made or shown:
                made[schema + str(status)] = _response(group, MEANINGS[status], shown, assumed=assumed)
        made[schema] = _response(group, "Another error.", [], assumed=False)
    return made


def _response(group: Group, text: str, shown: list[object], *, assumed: bool) -> Json:
    content: Json = {"schema": of(SCHEMAS[group])}
    if shown:
        content["example"] = shown[0]
    headers = {"headers": REQUEST_ID} if group == "billing" else {}
    mark = {"x-assumed": True} if assumed else {}
    return {"description": text, **mark, **headers, "content": {"application/json": content}}


def _add_schemas(shapes: Components) -> None:
    detail = shapes.add("ErrorDetail", CODED)
    shapes.add(
        "BillingError",
        {
            "type": "object",
            "description": "An error of the billing API. Some errors have a code and no object.",
            "properties": {
                "object": {"type": "string", "const": "Error", "default": "Error"},
                "code": TEXT,
                "message": TEXT,
            },
        },
    )
    details = {"type": ["array", "null"], "items": detail}
    shapes.add(
        "CodedError",
        {
            "type": "object",
            "description": "An error of the gateway or the storefront.",
            "properties": {"code": TEXT, "message": TEXT, "validationErrors": details},
        },
    )
    _add_account_lifecycle(shapes, details)


def _add_account_lifecycle(shapes: Components, details: Json) -> None:
    value = {"description": "The rejected value, of any type."}
    field: Json = {
        "title": "FieldError",
        "type": "object",
        "description": "An invalid field of a request. The sandbox returns none.",
        "properties": {"code": TEXT, "code_v2": TEXT, "field": TEXT, "message": TEXT, "rejectedValue": value},
    }
    authorities = {"type": ["array", "null"], "items": {"type": "string"}}
    operation = shapes.add(
        "OperationError",
        {
            "type": "object",
            "description": "An invalid or forbidden request.",
            "properties": {"code": TEXT, "message": TEXT, "type": TEXT, "authorities": authorities},
        },
    )
    shapes.add(
        "AccountLifecycleError",
        {
            "type": "object",
            "description": "An error of the account-lifecycle API. An unknown user has only a code and a message.",
            "properties": {
                "code": TEXT,
                "message": TEXT,
                "fieldErrors": {"type": ["array", "null"], "items": field},
                "operationErrors": details,
                "operationError": {"anyOf": [operation, {"type": "null"}]},
                "stackTrace": TEXT,
                "validationErrors": details,
            },
        },
    )
