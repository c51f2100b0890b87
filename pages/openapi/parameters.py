"""Parameters of the operations in the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from subscribekit._core.config.environments import API_VERSION, SANDBOX_WIRE_NAMES
from subscribekit._core.config.wire_names import WireNames
from subscribekit._core.operations.arguments import Wire

from .exchanges import Exchange
from .methods import Method
from .schemas import Json

MAX_LENGTHS = {"E7": 36, "E8": 36}
"""The length limits of IDs in the paths of some operations (specification, Limits). The other limits are 128."""
IDENTIFIER = r"^[^/\\?#%\x00-\x1f\x7f-\x9f]+$"
"""The characters that the SDK accepts in IDs. The specification forbids only the slash."""
CURSOR: Json = {"type": "string", "minLength": 1, "maxLength": 128}
MOVING: dict[str, tuple[str, Json]] = {
    "limit": ("The size of the page.", {"type": "integer", "minimum": 1, "maximum": 100, "default": 20}),
    "starting_after": ("The last resource of the page before this one.", CURSOR),
    "ending_before": ("The first resource of the page after this one. Can't be combined with starting_after.", CURSOR),
    "offset": ("The number of results to skip.", {"type": "integer", "minimum": 0, "default": 0}),
    "size": ("The maximum number of results.", {"type": "integer", "minimum": 0, "maximum": 100, "default": 20}),
}
SPAN = "^[0-9a-f]{16}$"
B3 = {
    "X-B3-TraceId": ("The trace that the request belongs to.", "^([0-9a-f]{32}|[0-9a-f]{16})$"),
    "X-B3-SpanId": ("The span of the request.", SPAN),
    "X-B3-ParentSpanId": ("The span that made the request; absent at the root.", SPAN),
}
PARTNER_CODE: Json = {"type": "string", "minLength": 1, "maxLength": 32}


def parameters(method: Method, shown: Exchange) -> list[Json]:
    """Return the parameters of an operation, with the values of an exchange as examples."""
    return [*_in_path(method, shown), *_in_query(method, shown), *_in_header(method)]


def _in_path(method: Method, shown: Exchange) -> Iterator[Json]:
    limit = MAX_LENGTHS.get(method.row.source, 128)
    values = shown.values(method.row.path) or {}
    for name in re.findall(r"\{(\w+)\}", method.row.path):
        yield {
            "name": name,
            "in": "path",
            "required": True,
            "schema": {"type": "string", "minLength": 1, "maxLength": limit, "pattern": IDENTIFIER},
            "example": values[name],
        }


def _in_query(method: Method, shown: Exchange) -> Iterator[Json]:
    """Return the query parameters of the test cases, and `ending_before` for lists that have `starting_after`."""
    sent = dict(shown.query)
    found: dict[str, tuple[list[str], bool]] = {}
    for described in method.described:
        for key, value in described.query:
            name = SANDBOX_WIRE_NAMES.resolve(key.field) if isinstance(key, Wire) else key
            values, _ = found.setdefault(name, ([], isinstance(key, Wire) and _is_assumed(key)))
            values.append(value)
    if "starting_after" in found:
        found["ending_before"] = ([], False)
    for name, (values, is_assumed) in found.items():
        text, schema = MOVING.get(name, ("", _schema(values)))
        yield {
            "name": name,
            "in": "query",
            **({"description": text} if text else {}),
            "schema": schema,
            **({"example": _example(sent[name], schema)} if name in sent else {}),
            **({"x-assumed": True} if is_assumed else {}),
        }


def _is_assumed(key: Wire) -> bool:
    return WireNames().status(key.field) != "published"


def _schema(values: list[str]) -> Json:
    """Return the schema of the values in the test cases: a flag, a time, a day, or a text."""
    if all(each in ("0", "1") for each in values):
        return {"type": "integer", "enum": [0, 1]}
    if all(map(_is_day, values)):
        return {"type": "string", "format": "date"}
    if all(map(_is_time, values)):
        return {"type": "string", "format": "date-time"}
    return {"type": "string", "maxLength": 1024}


def _is_day(value: str) -> bool:
    return re.fullmatch(r"\d{4}-\d{2}-\d{2}", value) is not None and bool(date.fromisoformat(value))


def _is_time(value: str) -> bool:
    return re.match(r"\d{4}-\d{2}-\d{2}T", value) is not None and bool(datetime.fromisoformat(value))


def _example(value: str, schema: Json) -> str | int:
    return int(value) if schema["type"] == "integer" else value


def _in_header(method: Method) -> Iterator[Json]:
    if method.row.group == "billing":
        text = "The version of the API: the date of its last breaking change."
        schema = {"type": "string", "default": API_VERSION}
        yield {"name": "X-API-Version", "in": "header", "description": text, "schema": schema}
    if method.row.source in ("E6", "E7"):
        for name, (text, pattern) in B3.items():
            schema = {"type": "string", "pattern": pattern}
            yield {"name": name, "in": "header", "description": text, "schema": schema}
    for key in dict.fromkeys(
        key.field for each in method.described for key, _ in each.headers if isinstance(key, Wire)
    ):
        name = SANDBOX_WIRE_NAMES.resolve(key)
        text = "The code of the partner."
        yield {"name": name, "in": "header", "description": text, "schema": PARTNER_CODE, "x-assumed": True}
