"""The shapes of the sandbox and the models have the same fields, with the same types, limits, and documented values."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import subscribekit.models as models
from looped import looped
from subscribekit.models import Model
from subscribekit.sandbox.billing.shapes import SHAPES
from subscribekit.sandbox.billing.shapes.sets import SETS
from subscribekit.sandbox.http.schema import Field

SHAPE_FILE = "src/subscribekit/sandbox/billing/shapes/__init__.py"
SET_FILE = "src/subscribekit/sandbox/billing/shapes/sets.py"

LONGER_TEXTS = {"Refund.id": 255}
"""The fields in which the sandbox accepts longer strings than the model; a sample has an ID of this length."""
OTHER_TYPES = {
    "PaymentMethodPolicy.min_chargeback_probability": "number",
    "PaymentProvider.dispute_address": "nested",
    "SubscriptionPolicy.min_chargeback_probability": "number",
    "TransactionPolicy.min_chargeback_probability": "number",
}
"""The fields that have another type in the shape, because the sandbox accepts more values than the model."""
ANY_VALUE = {
    "BillingPlan.br_tax_category",
    "CarrierBilling.carrier_billing_account_identifier_type",
    "CarrierBilling.customer_identifier_type",
    "Product.br_tax_category",
    "Transaction.status",
    "TransactionStatus.payment_method_type",
}
"""The enumerated fields in which the sandbox accepts any value, because no source lists all values."""


@cache
def properties(kind: type[Model]) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each field that a new model accepts, by wire name."""
    schema = kind.model_json_schema()
    found: dict[str, dict[str, Any]] = schema.get("properties") or schema["$defs"][kind.__name__]["properties"]
    return found


def options(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return the alternatives of a JSON schema, apart from null."""
    for option in schema.get("anyOf", [schema]):
        if "anyOf" in option:
            yield from options(option)
        elif option.get("type") != "null":
            yield option


def type_of(schema: dict[str, Any]) -> str:
    """Return the name that a shape has for the type of a JSON schema."""
    found = list(options(schema))
    formats = {option.get("format") for option in found}
    types = {option.get("type") for option in found}
    if types == {"object"} and "additionalProperties" in found[0]:
        return "metadata"
    if types & {"array", "object"} or any("$ref" in option for option in found):
        return "nested"
    if "date-time" in formats:
        return "timestamp"
    if types == {"boolean", "string"}:
        return "any"
    return "number" if "number" in types else "text" if "string" in types else str(types.pop())


def values_of(schema: dict[str, Any]) -> set[str]:
    """Return the documented values of an enumerated field."""
    found = [option.get("enum", [option["const"]] if "const" in option else []) for option in options(schema)]
    return {value for values in found for value in values}


def limit_of(schema: dict[str, Any]) -> int | None:
    """Return the maximum length of the strings of a field."""
    return max((option["maxLength"] for option in options(schema) if "maxLength" in option), default=None)


def shared() -> Iterator[tuple[str, dict[str, Any], Field | None]]:
    """Return the fields of each model that has a shape, each with its JSON schema and its field of the shape."""
    for name, shape in SHAPES.items():
        kind = getattr(models, name, None)
        for wire, schema in (properties(kind) if kind else {}).items():
            if wire != "object":
                yield f"{name}.{wire}", schema, shape.fields.get(wire)


def words_for(path: str, schema: dict[str, Any]) -> str:
    """Return the row to add for a field that the shapes lack."""
    name, _, wire = path.partition(".")
    if values := sorted(values_of(schema)):
        return f'add to SETS in {SET_FILE}: "{path}": _specified{tuple(values)}, or _published, or _assumed'
    kind, limit = type_of(schema), limit_of(schema)
    if kind == "text" and limit != 1024:
        return f'add to _RESTRICTED in {SHAPE_FILE}: "{path}": Field(limit={limit})'
    return (
        f"add to {name} in {SHAPE_FILE}: {wire}{'' if kind == 'text' else ':Shape' if kind == 'nested' else ':' + kind}"
    )


def fault(path: str, schema: dict[str, Any], field: Field | None) -> str | None:
    """Return the first difference between the model and the shape of a field."""
    if field is None:
        return words_for(path, schema)
    kind, shown = type_of(schema), "nested" if field.shape or field.many else field.kind
    if shown != OTHER_TYPES.get(path, kind):
        return f"{path} is {kind} in the model, and {shown} in the shape"
    values, limit = values_of(schema), LONGER_TEXTS.get(path) or limit_of(schema)
    if (values or field.allowed) and path not in ANY_VALUE:
        return fault_of_values(path, values, set(field.allowed))
    if kind == "text" and limit != field.limit:
        return f"{path} has at most {limit} characters in the model, and {field.limit} in the shape"
    return None


def fault_of_values(path: str, values: set[str], allowed: set[str]) -> str | None:
    """Return the difference between the documented and the allowed values. An assumed set can allow more values."""
    assumed = path in SETS and SETS[path].source == "assumed"
    if values == allowed or (assumed and values < allowed):
        return None
    return f"{path} has the values {sorted(values)} in the model, and {sorted(allowed)} in SETS in {SET_FILE}"


def test_every_field_of_a_model_is_the_same_in_the_shapes() -> None:
    found = list(shared())
    assert len(found) > 400
    missing = [words for each in found if (words := fault(*each))]
    assert not missing, "\n" + "\n".join(missing)


TEXT_64 = {"anyOf": [{"type": "string", "maxLength": 64}, {"type": "null"}]}
SET = {"anyOf": [{"anyOf": [{"enum": ["a", "b"]}, {"type": "string", "maxLength": 1024}]}, {"type": "null"}]}
FLAG = {"anyOf": [{"type": "boolean"}, {"type": "null"}]}
PART = {"anyOf": [{"$ref": "#/$defs/Account"}, {"type": "null"}]}


@looped(
    ("schema", "field", "words"),
    [
        (TEXT_64, None, '"Account.x": Field(limit=64)'),
        (TEXT_64, Field(), "at most 64 characters in the model, and 1024"),
        (TEXT_64, Field(limit=65), "at most 64 characters in the model, and 65"),
        (TEXT_64, Field(limit=64, allowed=("a",)), "the values [] in the model, and ['a']"),
        (TEXT_64, Field("integer"), "is text in the model, and integer"),
        (SET, None, "\"Account.x\": _specified('a', 'b')"),
        (SET, Field(allowed=("a",)), "the values ['a', 'b'] in the model, and ['a']"),
        (SET, Field(allowed=("a", "b", "c")), "the values ['a', 'b'] in the model, and ['a', 'b', 'c']"),
        (SET, Field(), "the values ['a', 'b'] in the model, and []"),
        (FLAG, None, "add to Account in " + SHAPE_FILE + ": x:boolean"),
        (FLAG, Field(), "is boolean in the model, and text"),
        (PART, None, ": x:Shape"),
        (PART, Field(), "is nested in the model, and text"),
    ],
)
def test_a_difference_is_found(schema: dict[str, Any], field: Field | None, words: str) -> None:
    assert words in (fault("Account.x", schema, field) or "")


@looped(
    ("schema", "field"),
    [
        (TEXT_64, Field(limit=64)),
        (SET, Field(allowed=("b", "a"))),
        (FLAG, Field("boolean")),
        (PART, Field(shape="Account")),
    ],
)
def test_equal_fields_are_accepted(schema: dict[str, Any], field: Field) -> None:
    assert fault("Account.x", schema, field) is None


def test_only_an_assumed_set_allows_values_that_the_model_does_not_document() -> None:
    assert SETS["CreditCard.hash_type"].source == "assumed"
    assert fault_of_values("CreditCard.hash_type", {"sha1"}, {"sha1", "md5"}) is None
    assert fault_of_values("CreditCard.hash_type", {"sha1", "new"}, {"sha1", "md5"}) is not None
    assert SETS["Campaign.type"].source == "specification"
    assert fault_of_values("Campaign.type", {"Coupon"}, {"Coupon", "Voucher"}) is not None


def test_each_exception_is_needed() -> None:
    for path, schema, field in shared():
        if path in ANY_VALUE:
            assert values_of(schema)
            assert field == Field()
        assert path not in OTHER_TYPES or OTHER_TYPES[path] != type_of(schema)
        assert path not in LONGER_TEXTS or LONGER_TEXTS[path] != limit_of(schema)
    assert {*LONGER_TEXTS, *OTHER_TYPES, *ANY_VALUE} <= {path for path, _, _ in shared()}
