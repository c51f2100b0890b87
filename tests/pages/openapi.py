"""Writes the OpenAPI document of all operations, from their cases, their signatures and the models."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from typing import Any, get_args, get_origin, get_type_hints

from pydantic.json_schema import models_json_schema

import subscribekit.models
from billing.cases import Case
from billing.coverage_page import SAFETY, TITLES
from billing.tables import ALL, BY_CONVENTION
from core.kit import Group
from descriptions import described, families, methods
from subscribekit._core.config.environments import API_VERSION
from subscribekit._core.lists.pager import Pager
from subscribekit._core.operations.arguments import Wire
from subscribekit._version import __version__
from subscribekit.models import Model
from subscribekit.models._fields import wire_names
from subscribekit.models._scalars import EpochMillis

Json = dict[str, Any]
REF = "#/components/schemas/{model}"
SERVERS: dict[Group, str] = {
    "billing": "https://billing.example",
    "gateway": "https://gateway.example",
    "user_mgmt": "https://user-mgmt.example",
    "storefront": "https://storefront.example",
}
SECURITY: dict[Group, Json] = {
    "billing": {"type": "http", "scheme": "basic", "description": "API user and API key."},
    "gateway": {"type": "apiKey", "in": "header", "name": "X-API-KEY"},
    "user_mgmt": {"type": "apiKey", "in": "cookie", "name": "session", "description": "The name is the operator's."},
    "storefront": {"type": "http", "scheme": "bearer"},
}
INFO = f"""\
Every operation of subscribekit {__version__}, made from its code. Fields of responses may be absent or null, and other
fields may be present. Amounts are decimal numbers: do not read them as binary floats. `x-safety` says what a second
request would do, `x-source` where the operation comes from. Addresses, and query parameters with `x-assumed`, are no
facts about the service: the operator gives them.
"""
COUNTS = {"limit": (1, 100), "size": (0, 100), "offset": (0, None)}
TEXT: Json = {"type": "string"}


def document() -> str:
    """Give the document as JSON text."""
    paths: Json = {}
    kinds: set[type[Model]] = set()
    for group, family, resource in families():
        for name, method in methods(resource).items():
            cases = [each for each in ALL if (each.group, each.name) == (group, f"{family}.{name}")]
            for number, (place, found) in enumerate(_of_paths(cases).items()):
                verb, template = place
                operation = _operation(group, f"{family}.{name}", method, found, kinds)
                if number:
                    operation["operationId"] += f".{number + 1}"
                paths.setdefault(template.replace("/chargebacks", "/{family}"), {"servers": [{"url": SERVERS[group]}]})[
                    verb.lower()
                ] = operation
    whole: Json = {
        "openapi": "3.1.0",
        "info": {"title": "Subscription billing", "version": __version__, "description": INFO},
        "servers": [{"url": SERVERS["billing"]}],
        "tags": [{"name": group, "description": TITLES[group]} for group in SERVERS],
        "paths": dict(sorted(paths.items())),
        "components": {"securitySchemes": SECURITY, "schemas": _schemas(kinds)},
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _of_paths(cases: list[Case]) -> dict[tuple[str, str], list[Case]]:
    found: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        operation = case.described()[1]
        found.setdefault((operation.method, operation.template), []).append(case)
    return found


def _operation(group: Group, name: str, method: Any, cases: list[Case], kinds: set[type[Model]]) -> Json:
    operations = [each.described()[1] for each in cases]
    first, text = operations[0], inspect.getdoc(method) or ""
    hints = get_type_hints(method)
    result: Any = hints.pop("return")
    result = get_args(result)[0] if get_origin(result) is Pager else result
    body = next(filter(_is_model, hints.values()), None)
    kinds.update(each for each in (result, body) if _is_model(each))
    template = first.template.replace("/chargebacks", "/{family}")
    summary, _, rest = text.partition("\n")
    made: Json = {
        "operationId": f"{group}.{name}",
        "tags": [group],
        "summary": summary.rstrip("."),
        "description": " ".join(rest.partition("\nArgs:")[0].split()),
        "x-source": "by convention"
        if all(each in BY_CONVENTION for each in cases)
        else described(group, name).source.name,
        "x-safety": SAFETY[first.safety],
        "security": [{group: []}] if first.needs_credential else [],
        "parameters": [*_in_path(template), *_in_query(operations, cases), *_in_header(group)],
        "responses": {
            "200": {"description": "Success.", **_content(_shown(group, cases[0], result))},
            "default": {"description": "An error.", **_content({"type": "object"})},
        },
    }
    sent = [json.loads(each.body) for each in cases if each.body]
    if sent:
        fields = {field: {} for each in sent for field in each}
        schema = {"$ref": REF.format(model=f"{body.__name__}-Input")} if body else {"properties": fields}
        made["requestBody"] = {"required": True, **_content({"type": "object"} | schema if not body else schema)}
    return made


def _is_model(hint: object) -> bool:
    return isinstance(hint, type) and issubclass(hint, Model)


def _content(schema: Json) -> Json:
    return {"content": {"application/json": {"schema": schema}}} if schema else {}


def _shown(group: Group, case: Case, result: Any) -> Json:
    if case.gives is None:
        return {}
    item: Json = {"$ref": REF.format(model=f"{result.__name__}-Output")} if _is_model(result) else {"type": "object"}
    if not isinstance(case.gives, list):
        return item
    array = {"type": "array", "items": item}
    return (
        array
        if group == "user_mgmt"
        else {"allOf": [{"$ref": REF.format(model="List")}, {"properties": {"data": array}}]}
    )


def _in_path(template: str) -> Iterator[Json]:
    for name in re.findall(r"\{(\w+)\}", template):
        yield {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _in_query(described: list[Any], cases: list[Case]) -> Iterator[Json]:
    markers = {name.field for each in described for name, _ in each.query if isinstance(name, Wire)}
    for name in dict.fromkeys(name for case in cases for name, _ in case.query):
        least, most = COUNTS.get(name, (None, None))
        bounds = {"minimum": least, "maximum": most}
        schema = {"type": "integer", **{key: each for key, each in bounds.items() if each is not None}}
        made: Json = {"name": name, "in": "query", "schema": TEXT if least is None else schema}
        yield made | ({"x-assumed": True} if any(each.endswith(name) for each in markers) else {})


def _in_header(group: Group) -> Iterator[Json]:
    if group == "billing":
        yield {"name": "X-API-Version", "in": "header", "schema": {"type": "string", "default": API_VERSION}}


def _schemas(kinds: set[type[Model]]) -> Json:
    """Describe the models as they travel; late references become references to those that are described."""
    known = set(kinds)
    while True:
        ordered = sorted(known, key=lambda kind: kind.__name__)
        modes: list[Any] = [(kind, mode) for kind in ordered for mode in ("validation", "serialization")]
        _, made = models_json_schema(modes, ref_template=REF)
        named = {title for title in _late(made) if not any(kind.__name__ == title for kind in known)}
        if not named:
            break
        known |= {getattr(subscribekit.models, title) for title in named}
    schemas = {name: _wire(schema, name) for name, schema in made["$defs"].items()}
    for name in [name for name in schemas if name.endswith("-Output")]:
        for field in _in_milliseconds(getattr(subscribekit.models, name.removesuffix("-Output"))):
            schemas[name]["properties"][field]["anyOf"][0] = {"type": "integer"}
    envelope = {"object": {"const": "List"}, "total_count": {"type": ["integer", "null"]}, "data": {"type": "array"}}
    links = {name: {"type": ["string", "null"]} for name in ("url", "next", "previous")}
    schemas["List"] = {"type": "object", "properties": envelope | links}
    return dict(sorted(schemas.items()))


def _in_milliseconds(kind: type[Model]) -> Iterator[str]:
    """Give the times that travel as numbers; a dump of pydantic has them as text."""
    for name, field in kind.model_fields.items():
        if EpochMillis in get_args(field.annotation):
            yield wire_names(kind)[name]


def _late(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("type") == "object" and "title" in value and "properties" not in value and len(value) == 2:
            yield value["title"]
        for each in value.values():
            yield from _late(each)
    elif isinstance(value, list):
        for each in value:
            yield from _late(each)


def _wire(value: Any, owner: str) -> Any:
    """Write a schema of pydantic as one of what travels: amounts are numbers."""
    if isinstance(value, list):
        return [_wire(each, owner) for each in value]
    if not isinstance(value, dict):
        return value
    if value.get("type") == "object" and "title" in value and len(value) == 2:
        return {"$ref": REF.format(model=value["title"] + ("-Output" if owner.endswith("-Output") else "-Input"))}
    if value.get("format") == "decimal":
        return {"type": ["number", "string"]}
    if "anyOf" in value:
        parts = [each for each in value["anyOf"] if not str(each.get("pattern", "")).startswith("^[+-]?(?:")]
        value = {**value, "anyOf": parts}
    return {name: _wire(each, owner) for name, each in value.items()}
