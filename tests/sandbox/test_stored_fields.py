"""Each simple field of a resource is stored when the resource is created or updated, and is in its responses.

The fields and their values come from the shapes, so a new field needs no row here. A field that the sandbox sets
itself, or that it handles in another way, is in `SPECIAL`, and needs its own test.
"""

from __future__ import annotations

from typing import Any

import pytest

import subscribekit.models as models
from looped import looped
from sandbox.wire import Wire
from subscribekit.models import Model
from subscribekit.models._base import read, write
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.billing.shapes import SHAPES
from subscribekit.sandbox.http.schema import Field

PLAN = {"periods": [{"type": "Month", "quantity": 1, "cycles": 0}]}
CARD = {"type": "CreditCard", "credit_card": {"account": "4111111111111111"}}
ORDER = {
    "account": {"id": "acct-0009"},
    "billing_plan": {"id": "plan-monthly"},
    "items": [{"product": {"id": "prod-basic"}}],
}
RESOURCES: dict[str, tuple[str, dict[str, Any]]] = {
    "Account": ("/accounts", {}),
    "BillingPlan": ("/billing_plans", PLAN),
    "Campaign": ("/campaigns", {}),
    "PaymentMethod": ("/payment_methods", CARD),
    "Product": ("/products", {}),
    "RatePlan": ("/rate_plans", {}),
    "SeasonSet": ("/season_sets", {}),
    "Subscription": ("/subscriptions", ORDER),
}
"""The path of each resource that can be created and updated, and the fields that it needs besides its ID."""
COMMON = {"id", "vid", "created", "url", "metadata"}
SPECIAL: dict[str, set[str]] = {
    "BillingPlan": {"used_on_subscriptions"},
    "PaymentMethod": {"vin_vid"},
    "RatePlan": {"has_event_recorded"},
    "Subscription": {
        "balance", "billing_plan_campaign_code", "billing_plan_campaign_id", "billing_state", "currency", "ends",
        "entitled_through", "starts", "status",
    },
}  # fmt: skip
"""The fields of each resource that aren't simply stored: the sandbox sets or uses them, or the model lacks them."""
SIMPLE: list[tuple[str, str]] = [
    (kind, name)
    for kind in RESOURCES
    for name, field in SHAPES[kind].fields.items()
    if name not in COMMON and not (field.shape or field.many)
]
"""The simple fields of the resources: no nested objects and no lists."""


def values_of(field: Field) -> tuple[object, object]:
    """Return two values that a field accepts, as they are in responses."""
    if field.allowed:
        return field.allowed[0], field.allowed[-1]
    least, most = max(field.least, 1), min(field.most, 20)
    two: dict[str, tuple[object, object]] = {
        "text": ("x", "é" * field.limit),
        "boolean": (True, False),
        "integer": (least, most),
        "number": (least, most),
        "timestamp": ("2027-05-01T00:00:00Z", "2028-05-01T10:30:00Z"),
    }
    return two[field.kind]


def refused_by(field: Field) -> object:
    """Return a value that a field refuses."""
    if field.allowed or field.kind != "text":
        return "a value of no type"
    return "x" * (field.limit + 1)


def part(kind: str, name: str, value: object) -> object:
    """Return the value of a field as the model reads it from a response, and writes it."""
    model: type[Model] = getattr(models, kind)
    found = read(model, {name: value})
    assert not found.unparsed_fields
    assert not found.model_extra
    return write(found)[name]


def stored_and_shown(merchant: Wire, kind: str, name: str) -> None:
    """Expect that a field is stored and shown, and that an invalid value is rejected and changes nothing."""
    path, needed = RESOURCES[kind]
    field = SHAPES[kind].fields[name]
    values = values_of(field)
    first, second = [part(kind, name, value) for value in values]
    assert first != second or len(field.allowed) == 1
    made = merchant.made(path, {**needed, "id": f"new-{name}", name: values[0]})
    assert part(kind, name, made.get(name)) == first
    here = f"{path}/new-{name}"
    assert part(kind, name, merchant.good(here).get(name)) == first
    assert part(kind, name, merchant.made(here, {name: values[1]}).get(name)) == second
    for at, more in ((path, {**needed, "id": f"other-{name}"}), (here, {})):
        result = merchant.post(at, {**more, name: refused_by(field)})
        assert (result.status, name in result.body["message"]) == (400, True)
    assert part(kind, name, merchant.good(here).get(name)) == second
    assert merchant.get(f"{path}/other-{name}").status == 404


@pytest.fixture(params=["specification", "published"])
def merchant(request: pytest.FixtureRequest) -> Wire:
    """A sandbox with responses in either form."""
    return Wire(Sandbox(responses=request.param))


@looped(("kind", "name"), [row for row in SIMPLE if row[1] not in SPECIAL.get(row[0], ())])
def test_a_field_is_stored_and_shown(merchant: Wire, kind: str, name: str) -> None:
    stored_and_shown(merchant, kind, name)


@looped(("kind", "name"), [(kind, name) for kind, names in SPECIAL.items() for name in names])
def test_a_special_field_is_not_simply_stored(kind: str, name: str) -> None:
    assert (kind, name) in SIMPLE
    with pytest.raises((AssertionError, KeyError)):
        stored_and_shown(Wire(), kind, name)


def test_most_fields_are_simply_stored() -> None:
    assert len(SIMPLE) > 90
    assert sum(map(len, SPECIAL.values())) < 20
