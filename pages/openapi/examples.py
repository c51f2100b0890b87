"""Adds examples to the component schemas: for each, the object of an exchange that has the most fields."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .exchanges import Exchange
from .schemas import REF, Json

Found = tuple[str, Json]


def add_examples(document: Json, exchanges: Sequence[Exchange]) -> None:
    """Add an example to each component schema: the object with the most fields, and of several the shortest.

    Raises:
        LookupError: Some schemas have no example. The message names them.
    """
    schemas: Json = document["components"]["schemas"]
    best: dict[str, Json] = {}
    ranks: dict[str, tuple[int, int]] = {}
    for name, value in _found(document, schemas, exchanges):
        rank = (len(schemas[name]["properties"].keys() & value.keys()), -len(json.dumps(value)))
        if name not in best or rank > ranks[name]:
            best[name], ranks[name] = value, rank
    if missing := schemas.keys() - best.keys():
        raise LookupError(f"no call of the examples shows {', '.join(sorted(missing))}")
    for name, schema in schemas.items():
        schema["examples"] = [best[name]]


def _found(document: Json, schemas: Json, exchanges: Iterable[Exchange]) -> Iterator[Found]:
    for each in exchanges:
        operation = _operation(document, each)
        if operation is None:
            continue
        parts = [(operation["responses"].get(str(each.status)), each.received)]
        if each.status < 300:
            parts.append((operation.get("requestBody"), each.sent))
        for part, value in parts:
            content = _followed(document, part).get("content") if part else None
            if content is not None and value is not None:
                yield from _objects(content["application/json"]["schema"], value, schemas)


def _operation(document: Json, exchange: Exchange) -> Json | None:
    """Return the operation of an exchange. If several paths match, use the path with the fewest placeholders."""
    fitting = [
        (template.count("{"), template)
        for template, place in document["paths"].items()
        if exchange.values(template) is not None and exchange.method.lower() in place
    ]
    if not fitting:
        return None
    found: Json = document["paths"][min(fitting)[1]][exchange.method.lower()]
    return found if found["tags"] == [exchange.group] else None


def _followed(document: Json, part: Json) -> Json:
    name = part.get("$ref", "").rpartition("/")[2]
    found: Json = document["components"]["responses"][name] if name else part
    return found


def _objects(schema: Json, value: Any, schemas: Json) -> Iterator[Found]:
    """Yield every object of a value with the component that describes it."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(REF)
        if isinstance(value, dict) and _is_of(schemas[name], value):
            yield name, value
            yield from _objects(schemas[name], value, schemas)
        return
    for each in (*schema.get("anyOf", []), *schema.get("allOf", [])):
        yield from _objects(each, value, schemas)
    if isinstance(value, list) and "items" in schema:
        for item in value:
            yield from _objects(schema["items"], item, schemas)
    if isinstance(value, dict):
        for field, inner in schema.get("properties", {}).items():
            if field in value:
                yield from _objects(inner, value[field], schemas)


def _is_of(schema: Json, value: Json) -> bool:
    wanted = schema["properties"].get("object", {}).get("const")
    return wanted is None or value.get("object", wanted) == wanted


def text(document: Json) -> str:
    """Return the document as JSON text."""
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
