"""Component schemas of the OpenAPI document: each model for responses, and with limits for request bodies.

The schema of a resource inside another one is only one level deep, and its objects are references. Otherwise, an
account would contain a payment method that contains an account, and so on without end.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, Literal, TypeAlias, get_args

from pydantic.json_schema import models_json_schema

import subscribekit.models
from subscribekit.models import Model
from subscribekit.models._fields import wire_names
from subscribekit.models._scalars import EpochMillis

Json: TypeAlias = dict[str, Any]
Mode = Literal["validation", "serialization"]
Place = Literal["whole", "part", "nested"]
"""The place of an object: by itself, a part of a resource (such as an address), or a resource inside another one."""
PREFIX: dict[Place, str] = {"whole": "", "part": "PartOf", "nested": "Nested"}
Forms: TypeAlias = Mapping[tuple[str, str], set[str]]
"""The forms of lists inside resources (`array` or `List`), by the wire names of the resource's kind and the field."""
REF = "#/components/schemas/"
ENVELOPED = {"descriptions", "entitlements", "items", "payment_methods", "prices"}
"""The lists inside resources that have an envelope (specification, List envelope)."""
ONLY_SENT = {"PaymentMethodPolicy", "SubscriptionPolicy", "TransactionPolicy"}
"""Instructions for one request. No source shows a response with their fields, so responses have an open object."""
ALSO_TEXT = {("Transaction", "cvn_checked")}
"""Booleans that are a text in a published response, such as `No`."""
LINKS: Json = {
    "url": {"type": ["string", "null"], "description": "The path and query of the request."},
    "next": {"type": ["string", "null"], "description": "The path and query of the next page; absent at the end."},
    "previous": {"type": ["string", "null"], "description": "The path and query of the previous page."},
}
REFERENCE: Json = {
    "title": "Reference",
    "type": "object",
    "description": "Identifies a resource inside another one. Other fields of the resource may be present.",
    "properties": {
        "object": {"type": ["string", "null"], "description": "The type of the resource."},
        "id": {"type": ["string", "null"], "description": "The identifier that the merchant chose."},
        "vid": {"type": ["string", "null"], "description": "The identifier that the service assigned."},
    },
    "additionalProperties": True,
}
NULLABLE_REFERENCE: Json = {**REFERENCE, "title": "NullableReference", "type": ["object", "null"]}
"""The schema of a field with a reference or null. `anyOf` with null would need three schemas instead of one."""
ANY_LIST: Json = {
    "type": ["array", "object", "null"],
    "description": "An array, or a List object that has it as `data`.",
}


def of(name: str) -> Json:
    """Return a reference to a component."""
    return {"$ref": REF + name}


class Components:
    """The component schemas in use. Each method that returns a reference adds the schema and all schemas in it."""

    def __init__(self, forms: Forms, wholes: Collection[str]) -> None:
        """Store the forms of lists, and the kinds that an operation sends or returns by themselves."""
        self.made: dict[str, Json] = {}
        self._forms, self._wholes = forms, wholes

    def response(self, kind: type[Model]) -> Json:
        """Return a reference to the schema of a kind in responses."""
        return self._component(kind.__name__, "serialization", place="whole")

    def body(self, kind: type[Model]) -> Json:
        """Return a reference to the schema of a kind in request bodies."""
        return self._component(kind.__name__, "validation", place="whole")

    def page(self, kind: type[Model]) -> Json:
        """Return a reference to a page of the billing API."""
        return self.page_of(self.response(kind))

    def page_of(self, item: Json) -> Json:
        """Return a reference to a page of items that already have a schema."""
        return self._envelope(item, "List", "object", LINKS)

    def add(self, name: str, schema: Json) -> Json:
        """Add a schema that doesn't come from a model, and return a reference to it."""
        self.made[name] = {"title": name, **schema}
        return of(name)

    def _component(self, kind: str, mode: Mode, *, place: Place) -> Json:
        is_other = place in _differing(kind, mode) and (place == "nested" or kind in self._wholes)
        prefix = PREFIX[place] if is_other else ""
        name = f"{prefix}{kind}{'Request' if mode == 'validation' else ''}"
        if name not in self.made:
            self.made[name] = {}  # a model that contains itself finds this entry, which ends the recursion
            self.made[name] = _described(name, kind, mode, self._properties(kind, mode, place=place))
        return of(name)

    def _properties(self, kind: str, mode: Mode, *, place: Place) -> Json:
        millis = set(_in_milliseconds(kind)) if mode == "serialization" else set[str]()
        found: Json = {}
        for field, schema in _raw(kind, mode)["properties"].items():
            made = self._field(kind, field, _options(schema), mode, place=place)
            found[field] = {"type": ["integer", "null"]} if field in millis else made
            if "description" in schema:
                found[field]["description"] = schema["description"]
        return found

    def _field(self, kind: str, field: str, options: list[Json], mode: Mode, *, place: Place) -> Json:
        nullable = {"type": "null"} in options
        lists = [each for each in options if each.get("type") == "array"]
        if lists and any("data" in each.get("properties", {}) for each in options):
            item = self._item(lists[0]["items"], mode, place=place)
            forms = self._forms_of(kind, field)
            if place == "nested" or len(forms) > 1:
                return {**ANY_LIST, "items": item}
            if "List" in forms:
                return self._envelope(item, "Collection", ["object", "null"] if nullable else "object")
            return _one([{"type": "array", "items": item}], nullable=nullable)
        shapes = [self._option(each, mode, place=place) for each in _scalars(options) if each != {"type": "null"}]
        shapes += [{"type": "string"}] if mode == "serialization" and (kind, field) in ALSO_TEXT else []
        return _one(shapes, nullable=nullable)

    def _option(self, option: Json, mode: Mode, *, place: Place) -> Json:
        if option.get("type") == "array":
            return {"type": "array", "items": self._item(option["items"], mode, place=place)}
        return self._item(option, mode, place=place) if _model_of(option) else option

    def _item(self, option: Json, mode: Mode, *, place: Place) -> Json:
        name = _model_of(option)
        if name is None:
            return _one([_plain(each) for each in _options(option)], nullable=False)
        if name in ONLY_SENT and mode == "serialization":
            return {"type": "object"}
        if place == "nested" and not _is_resource(name):
            return {"type": "object"}
        if place == "nested" or (place == "part" and _is_resource(name)):
            self.made |= {"Reference": REFERENCE, "NullableReference": NULLABLE_REFERENCE}
            return of("Reference")
        return self._component(name, mode, place="nested" if _is_resource(name) else "part")

    def _forms_of(self, kind: str, field: str) -> set[str]:
        """Return the one or two forms in which the sandbox sends a list."""
        return self._forms.get((kind, field), {"List"} if field in ENVELOPED else {"array"})

    def _envelope(self, item: Json, suffix: str, kind: str | list[str], more: Json | None = None) -> Json:
        name = item["$ref"].removeprefix(REF) if "$ref" in item else "Text"
        properties: Json = {
            "object": {"type": "string", "const": "List", "default": "List"},
            "data": {"type": "array", "items": item},
            "total_count": {"type": ["integer", "null"], "description": "The number of items of the list."},
        }
        envelope = {"type": kind, "properties": properties | (more or {}), "additionalProperties": True}
        return self.add(name + suffix, envelope)


def expanded(schema: Any, components: Json) -> int:
    """Count a schema and all schemas in it, after each reference is replaced by its component.

    Args:
        schema: The schema.
        components: The schemas that references name.
    """

    @cache
    def of_component(ref: str) -> int:
        return counted(components[ref.removeprefix(REF)])

    def counted(value: Any) -> int:
        if "$ref" in value:
            return of_component(value["$ref"])
        parts = [*value.get("properties", {}).values(), *value.get("anyOf", []), *value.get("allOf", [])]
        parts += [value[name] for name in ("items", "additionalProperties") if isinstance(value.get(name), dict)]
        return 1 + sum(map(counted, parts))

    return counted(schema)


def _described(name: str, kind: str, mode: Mode, properties: Json) -> Json:
    raw = _raw(kind, mode)
    is_open = raw.get("additionalProperties", True) is not False
    text = " ".join(raw.get("description", "").split())
    head = {"title": name, "type": "object", **({"description": text} if text else {})}
    return {**head, "properties": properties, "additionalProperties": is_open}


@cache
def _raw(kind: str, mode: Mode) -> Json:
    """Return pydantic's schema of one model, in which other models are a `$ref` or an object with their title."""
    model: type[Model] = getattr(subscribekit.models, kind)
    _, made = models_json_schema([(model, mode)], ref_template="{model}")
    found: Json = made["$defs"][kind]
    return found


def _model_of(option: Json) -> str | None:
    name: str | None = option.get("$ref") or (option.get("title") if option.get("type") == "object" else None)
    return name if name is not None and hasattr(subscribekit.models, name) else None


def _is_resource(kind: str) -> bool:
    """Return whether paths and references name a model. Models such as an address exist only inside a resource."""
    return {"id", "vid"} <= getattr(subscribekit.models, kind).model_fields.keys()


@cache
def _differing(kind: str, mode: Mode) -> frozenset[Place]:
    """Return the places where the schema of a kind differs from its schema by itself."""
    inner = set(_models_in(_raw(kind, mode)["properties"]))
    if not inner:
        return frozenset()
    has_resources = any(_is_resource(each) or "part" in _differing(each, mode) for each in inner)
    return frozenset({"part", "nested"}) if has_resources else frozenset({"nested"})


def _models_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        name = _model_of(value)
        if name is not None:
            yield name
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _models_in(each)


def _in_milliseconds(kind: str) -> Iterator[str]:
    """Return the times that are numbers on the wire, because pydantic's schema describes them as texts."""
    model: type[Model] = getattr(subscribekit.models, kind)
    for name, field in model.model_fields.items():
        if EpochMillis in get_args(field.annotation):
            yield wire_names(model)[name]


def _options(schema: Json) -> list[Json]:
    found: list[Json] = schema.get("anyOf", [schema])
    return found


def _plain(schema: Json) -> Json:
    """Convert a schema of pydantic to the form on the wire, where amounts are numbers."""
    if schema.get("format") == "decimal":
        return {"type": ["number", "string"]}
    found = {name: each for name, each in schema.items() if name not in ("title", "description")}
    return found if "const" in found else {name: each for name, each in found.items() if name != "default"}


def _scalars(options: list[Json]) -> list[Json]:
    """Merge an enumeration with the text that is also allowed, and remove the text form of amounts."""
    plain = [_plain(each) if not _model_of(each) and "items" not in each else each for each in options]
    plain = [each for each in plain if not str(each.get("pattern", "")).startswith("^[+-]?(?:")]
    known = [value for each in plain for value in each.get("enum", [each["const"]] if "const" in each else [])]
    texts = [each for each in plain if each.get("type") == "string" and not {"enum", "const", "format"} & each.keys()]
    if not known or not texts:
        return plain
    others = [each for each in plain if each.get("type") != "string"]
    return [{**texts[0], "x-extensible-enum": known}, *others]


def _one(shapes: list[Json], *, nullable: bool) -> Json:
    """Return one schema for several shapes."""
    shapes = _merged(shapes)
    if not nullable:
        return shapes[0] if len(shapes) == 1 else {"anyOf": shapes}
    only = shapes[0]
    if only == of("Reference"):
        return of("NullableReference")
    if len(shapes) > 1 or "type" not in only:
        return {"anyOf": [*shapes, {"type": "null"}]}
    enum = {"enum": [*only["enum"], None]} if "enum" in only else {}
    return {**only, "type": [*_types(only), "null"], **enum}


def _merged(shapes: list[Json]) -> list[Json]:
    """Merge shapes of different types, such as an object and an array of texts, into one."""
    names = [name for each in shapes for name in _types(each)]
    arrays = [each for each in shapes if "items" in each]
    is_plain = all(set(each) <= {"type", "items"} and "type" in each for each in shapes)
    if len(shapes) < 2 or len(arrays) > 1 or not is_plain or len({*names}) < len(names):
        return shapes
    return [(arrays[0] if arrays else {}) | {"type": names}]


def _types(schema: Json) -> list[str]:
    found: str | list[str] = schema.get("type", [])
    return [found] if isinstance(found, str) else found
