"""Request bodies of the OpenAPI document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import TypeAdapter

from subscribekit._core.config.unset import Unset

from .methods import Argument, Method
from .schemas import Components, Json

ANY_RESOURCE: Json = {
    "type": "object",
    "description": "Any resource, with the common fields of all resources.",
    "properties": {
        "object": {"type": ["string", "null"], "description": "The type of the resource."},
        "id": {"type": ["string", "null"], "maxLength": 128},
        "vid": {"type": ["string", "null"], "maxLength": 128},
        "created": {"type": ["string", "null"], "format": "date-time"},
        "metadata": {"type": ["object", "null"]},
    },
    "additionalProperties": True,
}
TEXT: Json = {"type": "string", "minLength": 1, "maxLength": 1024}
KINDS: dict[Any, Json] = {
    str: TEXT,
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    Decimal: {"type": "number"},
    date: {"type": "string", "format": "date"},
    datetime: {"type": "string", "format": "date-time"},
}
"""The schemas of arguments, by type. The length limits of texts are those of the SDK."""
OF_VALUES: dict[type, Json] = {
    str: TEXT,
    bool: {"type": "boolean"},
    int: {"type": "number"},
    float: {"type": "number"},
    list: {"type": "array"},
    dict: {"type": "object"},
}
"""The schemas of fields whose name isn't that of an argument, by the type of a value that was sent."""


def body(method: Method, shapes: Components, sent: Json) -> Json:
    """Return the schema of a body: of its model, of any resource, or of the keyword arguments.

    Args:
        method: The operation.
        shapes: The component schemas.
        sent: The body that is the example.
    """
    if method.body is not None:
        return shapes.body(method.body)
    if method.row.family == "generic_resource":
        return shapes.add("AnyResourceRequest", ANY_RESOURCE)
    fields = {name: value for each in (sent, *method.bodies) for name, value in each.items()}
    arguments = {each.name: each for each in method.arguments}
    properties: Json = {}
    required: list[str] = []
    for name, value in fields.items():
        argument = arguments.get(_argument_name(name))
        properties[name] = OF_VALUES[type(value)] if argument is None else _field(argument)
        required += [name] if argument is not None and argument.is_required else []
    schema: Json = {
        "type": "object",
        "description": f"The body of `{method.name}`.",
        "properties": properties,
        **({"required": required} if required else {}),
    }
    words = re.findall(r"[a-z0-9]+", method.name)
    return shapes.add("".join(map(str.title, words)) + "Request", schema)


def _argument_name(field: str) -> str:
    """Return the argument of a field: `payment_method_id` of `paymentMethodId`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", field).lower()


def _field(argument: Argument) -> Json:
    found = list(_schemas(argument.kind))
    known = [value for each in found for value in each.get("enum", [])]
    if known and TEXT in found:
        found = [{**TEXT, "x-extensible-enum": known}, *(each for each in found if each != TEXT and "enum" not in each)]
    schema = found[0] if len(found) == 1 else {"anyOf": found}
    return {**schema, "description": argument.text}


def _schemas(kind: Any) -> Iterator[Json]:
    """Yield the schema of each type of an annotation that can be sent."""
    if get_origin(kind) in (Union, UnionType):
        for each in get_args(kind):
            yield from _schemas(each)
    elif get_origin(kind) is Literal:
        yield {"type": "string", "enum": list(get_args(kind))}
    elif kind in KINDS:
        yield KINDS[kind]
    elif kind not in (type(None), Unset):
        yield TypeAdapter(kind).json_schema()
