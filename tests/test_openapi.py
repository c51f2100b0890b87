"""The OpenAPI document is valid, complete, and fit for generators and mocks (H323, H490 to H492)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import pytest

from billing.cases import Case
from billing.tables import ALL
from looped import looped
from pages.coverage import rows
from pages.openapi.schemas import expanded, of
from pages.written import DOCS
from samples import IN_GATE
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit._core.config.wire_names import WireNames

REF = "#/components/schemas/"


@cache
def document() -> dict[str, Any]:
    text = (resources.files("subscribekit") / "_docs/openapi.json").read_text(encoding="utf-8")
    assert (DOCS / "openapi.json").read_text(encoding="utf-8") == text
    found: dict[str, Any] = json.loads(text)
    return found


def schemas() -> dict[str, Any]:
    found: dict[str, Any] = document()["components"]["schemas"]
    return found


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, verbs in document()["paths"].items():
        for verb, found in verbs.items():
            if verb != "servers":
                yield verb.upper(), path, found


def named(name: str) -> dict[str, Any]:
    """Return the operation with a name."""
    (found,) = (each for _, _, each in operations() if name in each["x-sdk-names"])
    return found


def operation(case: Case) -> dict[str, Any]:
    """Return the part of the document that describes the operation of a case."""
    described = case.described()[1]
    path = described.template.replace("/chargebacks", "/{family}")
    found: dict[str, Any] = document()["paths"][path][described.method.lower()]
    return found


def parameters(found: dict[str, Any]) -> dict[str, Any]:
    return {each["name"]: each for each in found["parameters"]}


def success(found: dict[str, Any]) -> dict[str, Any]:
    response: dict[str, Any] = found["responses"].get("200") or found["responses"]["204"]
    return response


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the document, except those in examples."""
    if isinstance(value, dict):
        yield value
        for name, each in value.items():
            if name not in ("example", "examples"):
                yield from objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from objects(each)


def validator(schema: dict[str, Any]) -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    return jsonschema.Draft202012Validator(
        {**schema, "components": document()["components"]}, format_checker=jsonschema.FormatChecker()
    )


def violations(content: dict[str, Any], text: str | bytes) -> list[str]:
    schema = content["content"]["application/json"]["schema"]
    return [each.message for each in validator(schema).iter_errors(json.loads(text))]


@IN_GATE
def test_the_document_is_valid() -> None:
    pytest.importorskip("openapi_spec_validator").validate(document())


@pytest.mark.hazard("H490")
def test_the_document_has_each_operation_of_the_coverage_page_once_with_its_name() -> None:
    expected = Counter((f"{row.group}.{row.name}", row.method, row.path) for row in rows())
    found = Counter((name, verb, path) for verb, path, each in operations() for name in each["x-sdk-names"])
    assert found == expected
    assert set(expected.values()) == {1}
    identifiers = [each["operationId"] for _, _, each in operations()]
    assert len(set(identifiers)) == len(identifiers)
    for _, _, each in operations():
        plain = [name.replace("resource(name, model)", "resource") for name in each["x-sdk-names"]]
        assert each["operationId"].startswith(tuple(plain))


@pytest.mark.hazard("H490")
def test_two_methods_with_one_request_share_an_entry() -> None:
    shared = [each["x-sdk-names"] for _, _, each in operations() if len(each["x-sdk-names"]) > 1]
    assert shared == [["user_mgmt.accounts.list", "user_mgmt.entities.list"]]


@looped("row", list(rows()))
def test_safety_and_source_are_those_of_the_coverage_page(row: Any) -> None:
    found = document()["paths"][row.path][row.method.lower()]
    if found["x-sdk-names"][0] == f"{row.group}.{row.name}":
        assert (found["x-safety"], found["x-source"], found["tags"]) == (row.safety, row.source, [row.group])


def test_every_reference_has_a_target() -> None:
    references = {each["$ref"] for each in objects(document()) if "$ref" in each}
    for each in references:
        place: Any = document()
        for part in each.removeprefix("#/").split("/"):
            place = place[part]
    used = {each.removeprefix(REF) for each in references if each.startswith(REF)}
    assert used == schemas().keys()
    assert {"Account", "AccountRequest", "AccountList", "NestedAccount", "Reference"} <= used


@looped("case", ALL)
def test_the_body_and_the_query_of_a_call_match_the_document(case: Case) -> None:
    described, found = case.described()[1], operation(case)
    if described.body:
        assert violations(found["requestBody"], described.body.reveal()) == []
    assert {name for name, _ in case.query} <= parameters(found).keys()


@looped("place", [(verb, path) for verb, path, _ in operations()])
def test_the_examples_of_an_operation_fit_its_description(place: tuple[str, str]) -> None:
    found = document()["paths"][place[1]][place[0].lower()]
    for part in (found.get("requestBody", {}), success(found)):
        for content in part.get("content", {}).values():
            assert [each.message for each in validator(content["schema"]).iter_errors(content["example"])] == []
    for each in found["parameters"]:
        if "example" in each:
            validator(each["schema"]).validate(each["example"])
        assert each["in"] != "path" or "example" in each


@pytest.mark.hazard("H491")
@looped("name", list(schemas()))
def test_each_schema_has_its_own_name_and_an_example_that_fits(name: str) -> None:
    schema = schemas()[name]
    assert schema["title"] == name
    assert len(schema["examples"]) == 1
    assert [each.message for each in validator(schema).iter_errors(schema["examples"][0])] == []


@pytest.mark.hazard("H491")
def test_each_array_has_items_and_each_constant_an_equal_default() -> None:
    for each in objects(document()):
        if "const" in each:
            assert each["default"] == each["const"]
        if each.get("type") == "array" or "array" in (each.get("type") or ()):
            assert each["items"]


@pytest.mark.hazard("H491")
def test_a_resource_inside_a_resource_inside_a_resource_is_a_reference() -> None:
    reference = schemas()["Reference"]
    assert reference["properties"].keys() == {"object", "id", "vid"}
    assert reference["additionalProperties"] is True
    inside = schemas()["Subscription"]["properties"]["account"]["anyOf"][0]
    assert inside == {"$ref": REF + "NestedAccount"}
    assert schemas()["NestedAccount"]["properties"]["parent"] == {"$ref": REF + "NullableReference"}
    assert schemas()["NullableReference"]["properties"] == reference["properties"]
    for name, schema in schemas().items():
        if name.startswith("Nested") and not name.endswith(("Collection", "List")):
            used = {each["$ref"].removeprefix(REF) for each in objects(schema["properties"]) if "$ref" in each}
            assert used <= {"Reference", "NullableReference"}, name


@pytest.mark.hazard("H491")
def test_the_document_stays_small_when_its_references_are_followed() -> None:
    assert sum(expanded(of(name), schemas()) for name in schemas()) < 12_000


def test_the_schemas_refuse_bodies_that_the_models_refuse() -> None:
    create = named("billing.accounts.create")
    assert violations(create["requestBody"], '{"id": "a1"}') == []
    assert violations(create["requestBody"], '{"names": "x"}')
    assert violations(create["requestBody"], '{"name": 5}')
    assert violations(success(create), '{"id": "a1", "a_field_of_tomorrow": {"x": 1}}') == []
    assert violations(success(create), '{"id": 5}')
    charge = named("gateway.entitlements.charge")["requestBody"]
    assert violations(charge, '{"transactionId": "t", "amount": 4.90}') == []
    assert violations(charge, '{"transactionId": "t", "amount": "4.90"}')
    transaction = success(named("billing.transactions.retrieve"))
    for amount in ("4.90", '"4.90"', "null"):
        assert violations(transaction, f'{{"amount": {amount}}}') == []


def test_the_session_is_the_documented_cookie() -> None:
    scheme = document()["components"]["securitySchemes"]["user_mgmt"]
    assert (scheme["type"], scheme["in"], scheme["name"]) == ("apiKey", "cookie", "JSESSIONID")
    assert named("user_mgmt.accounts.list")["security"] == [{"user_mgmt": []}]
    assert named("gateway.campaigns.activate")["security"] == []


def test_deleting_custom_data_responds_without_content() -> None:
    found = named("user_mgmt.custom_data.delete")
    assert "200" not in found["responses"]
    assert found["responses"]["204"] == {"description": "Success."}


def test_each_list_of_the_billing_api_can_be_read_in_both_directions() -> None:
    lists = [each for _, _, each in operations() if "starting_after" in parameters(each)]
    assert len(lists) > 15
    assert all("ending_before" in parameters(each) for each in lists)
    limit = parameters(named("billing.accounts.list"))["limit"]["schema"]
    assert (limit["minimum"], limit["maximum"], limit["default"]) == (1, 100, 20)


def test_traces_are_described_where_the_specification_shows_them() -> None:
    for name in ("gateway.subscriptions.retrieve", "gateway.partner_subscriptions.cancel"):
        pattern = parameters(named(name))["X-B3-TraceId"]["schema"]["pattern"]
        assert [bool(re.search(pattern, "a" * length)) for length in (15, 16, 24, 32, 33)] == [0, 1, 0, 1, 0]
        assert {"X-B3-SpanId", "X-B3-ParentSpanId"} <= parameters(named(name)).keys()
    code = parameters(named("gateway.subscriptions.retrieve"))["X-Partner-Code"]
    assert (code["in"], code["schema"]["maxLength"], code["x-assumed"]) == ("header", 32, True)


@looped("place", [(verb, path) for verb, path, _ in operations()])
def test_responses_have_the_headers_of_their_api(place: tuple[str, str]) -> None:
    found = document()["paths"][place[1]][place[0].lower()]
    group = found["tags"][0]
    responses = [success(found), *(_followed(each) for each in found["responses"].values())]
    assert all(("Request-Id" in each.get("headers", {})) == (group == "billing") for each in responses)
    pages = group == "user_mgmt" and place[0] == "GET"
    assert ("X-Total-Count" in success(found).get("headers", {})) == pages


def _followed(response: dict[str, Any]) -> dict[str, Any]:
    name = response.get("$ref", "").rpartition("/")[2]
    found: dict[str, Any] = document()["components"]["responses"][name] if name else response
    return found


def test_identifiers_in_paths_have_the_limits_of_the_specification() -> None:
    for _, path, each in operations():
        limit = 36 if each["x-source"] in ("E7", "E8") else 128
        for parameter in each["parameters"]:
            if parameter["in"] == "path":
                assert (parameter["schema"]["minLength"], parameter["schema"]["maxLength"]) == (1, limit), path


def test_errors_have_the_statuses_and_the_shape_of_their_api() -> None:
    billing = {"400", "401", "402", "403", "404", "429", "500", "503", "default"}
    for _, _, each in operations():
        statuses = each["responses"].keys() - {"200", "204"}
        assert "default" in statuses
        assert statuses >= {"400", "default"}
        assert (each["tags"] == ["billing"]) == (statuses == billing)
    shapes = {"billing.accounts.list": "BillingError", "gateway.entitlements.charge": "CodedError"}
    for name, shape in (shapes | {"user_mgmt.accounts.list": "AccountLifecycleError"}).items():
        response = _followed(named(name)["responses"]["400"])
        content = response["content"]["application/json"]
        assert content["schema"] == {"$ref": REF + shape}
        assert [each.message for each in validator(content["schema"]).iter_errors(content["example"])] == []
    assert "x-assumed" not in _followed(named("user_mgmt.accounts.list")["responses"]["400"])
    assert _followed(named("gateway.entitlements.charge")["responses"]["403"])["x-assumed"] is True


@pytest.mark.hazard("H492")
def test_exactly_the_wire_names_that_no_source_shows_are_marked_as_assumed() -> None:
    lists = {"accounts": "billing.accounts.list", "event_summaries": "billing.event_summaries.list"}
    for field in WireNames.__dataclass_fields__:
        prefix = next((each for each in lists if field.startswith(each)), None)
        if prefix is not None:
            marked = parameters(named(lists[prefix]))[SANDBOX_WIRE_NAMES.resolve(field)].get("x-assumed", False)
            assert marked == (WireNames().status(field) != "published"), field
    assert parameters(named("user_mgmt.custom_data.delete"))["filter"]["x-assumed"] is True
    assert "x-assumed" not in parameters(named("billing.accounts.list"))["email"]
