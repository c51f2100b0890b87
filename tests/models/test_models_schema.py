"""Checks the JSON schemas of the models. FastAPI and other tools describe requests and responses with them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

import pytest
from fastapi import FastAPI

import subscribekit.models
from looped import looped
from subscribekit.models import Account, EntitlementCharge, Subscription, Transaction
from subscribekit.models._base import Model
from subscribekit.models._fields import wire_names

MODELS = [
    value
    for name in subscribekit.models.__all__
    if isinstance(value := getattr(subscribekit.models, name), type) and issubclass(value, Model)
]
MODES: tuple[Literal["validation", "serialization"], ...] = ("validation", "serialization")


def schema_of(kind: type[Model], mode: Literal["validation", "serialization"]) -> dict[str, Any]:
    schema = kind.model_json_schema(mode=mode)
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return dict(schema["$defs"][name]) if name else schema


@pytest.mark.parametrize("mode", MODES)
@looped("kind", MODELS)
def test_a_schema_lists_every_field_under_its_wire_name(
    kind: type[Model], mode: Literal["validation", "serialization"]
) -> None:
    assert set(schema_of(kind, mode).get("properties", {})) == set(wire_names(kind).values())


def test_a_schema_has_the_limits_and_types() -> None:
    account = schema_of(Account, "validation")
    assert account["additionalProperties"] is False
    assert account["properties"]["id"]["anyOf"][0] == {"type": "string", "minLength": 1, "maxLength": 128}
    assert account["properties"]["created"]["anyOf"][0] == {"type": "string", "format": "date-time"}
    assert account["properties"]["metadata"]["anyOf"][0] == {
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "null"]},
    }
    assert account["properties"]["payment_methods"]["anyOf"][0]["type"] == "array"
    reference = schema_of(Subscription, "validation")["properties"]["account"]["anyOf"][0]
    assert reference == {"type": "object", "title": "Account"}
    assert schema_of(EntitlementCharge, "validation")["required"] == ["transactionId"]


def test_the_schema_of_an_amount_is_what_pydantic_writes() -> None:
    assert schema_of(Transaction, "validation")["properties"]["amount"]["anyOf"][0]["type"] == "number"
    assert schema_of(Transaction, "serialization")["properties"]["amount"]["anyOf"][0]["type"] == "string"
    assert Transaction(amount=Decimal("1.10")).model_dump_json(exclude_unset=True) == '{"amount":"1.10"}'


def test_the_schema_of_a_dump_allows_unknown_fields() -> None:
    assert "additionalProperties" not in schema_of(Account, "serialization")


def test_an_application_with_every_model_has_an_openapi_document() -> None:
    app = FastAPI()
    for kind in MODELS:

        def change(body: Any) -> Any:
            return body

        change.__annotations__ = {"body": kind, "return": kind}
        app.post(f"/{kind.__name__}")(change)
    document = app.openapi()
    assert len(document["paths"]) == len(MODELS)
    assert {"Account-Input", "Account-Output"} <= set(document["components"]["schemas"])
