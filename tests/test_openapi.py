"""The OpenAPI document is valid, has every operation, and describes what is sent and received (H323)."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

import pytest

from billing.cases import Case
from billing.coverage_page import rows
from billing.tables import ALL
from looped import looped
from pages.written import DOCS
from samples import IN_GATE


@cache
def document() -> dict[str, Any]:
    text = (resources.files("subscribekit") / "_docs/openapi.json").read_text(encoding="utf-8")
    assert (DOCS / "openapi.json").read_text(encoding="utf-8") == text
    found: dict[str, Any] = json.loads(text)
    return found


def operation(case: Case) -> dict[str, Any]:
    """The part of the document that is about a call."""
    described = case.described()[1]
    path = described.template.replace("/chargebacks", "/{family}")
    found: dict[str, Any] = document()["paths"][path][described.method.lower()]
    return found


def faults(content: dict[str, Any], text: str | bytes) -> list[str]:
    jsonschema = pytest.importorskip("jsonschema")
    schema = {**content["content"]["application/json"]["schema"], "components": document()["components"]}
    return [each.message for each in jsonschema.Draft202012Validator(schema).iter_errors(json.loads(text))]


@IN_GATE
def test_the_document_is_valid() -> None:
    pytest.importorskip("openapi_spec_validator").validate(document())


def test_it_has_every_operation_once() -> None:
    found = {(verb.upper(), path) for path, verbs in document()["paths"].items() for verb in verbs if verb != "servers"}
    assert found == {(row.method, row.path) for row in rows()}
    each = [verbs[verb] for verbs in document()["paths"].values() for verb in verbs if verb != "servers"]
    assert len({one["operationId"] for one in each}) == len(each)
    assert {one["x-safety"] for one in each} == {row.safety for row in rows() if " or " not in row.safety}


def test_every_reference_leads_somewhere() -> None:
    named = set(document()["components"]["schemas"])
    text = json.dumps(document())
    wanted = {part.partition('"')[0] for part in text.split('"#/components/schemas/')[1:]}
    assert wanted <= named
    assert {"Account-Input", "Account-Output", "List"} <= wanted


@looped("case", ALL)
def test_what_a_call_sends_and_receives_is_described(case: Case) -> None:
    described, found = case.described()[1], operation(case)
    if described.body:
        assert faults(found["requestBody"], described.body.reveal()) == []
    assert {name for name, _ in case.query} <= {each["name"] for each in found["parameters"]}
    if case.gives is not None:
        assert faults(found["responses"]["200"], case.answer) == []


def test_the_description_refuses_what_no_model_takes() -> None:
    create = document()["paths"]["/accounts"]["post"]
    assert faults(create["requestBody"], '{"id": "a1"}') == []
    assert faults(create["requestBody"], '{"nmae": "x"}')
    assert faults(create["requestBody"], '{"name": 5}')
    assert faults(create["responses"]["200"], '{"id": "a1", "a_field_of_tomorrow": {"x": 1}}') == []
    assert faults(create["responses"]["200"], '{"id": 5}')
    charge = document()["paths"]["/v1/entitlement/{partner_subscription}/charge"]["post"]["requestBody"]
    assert faults(charge, '{"transactionId": "t", "amount": 4.90}') == []
    assert faults(charge, '{"transactionId": "t", "amount": "4.90"}')
    transaction = document()["paths"]["/transactions/{transaction}"]["get"]["responses"]["200"]
    for amount in ("4.90", '"4.90"', "null"):
        assert faults(transaction, f'{{"amount": {amount}}}') == []
