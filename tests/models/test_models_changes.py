"""Checks the partial bodies of the documented changes to a subscription."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from subscribekit.models import Product, Subscription, SubscriptionItem
from subscribekit.models._base import write
from subscribekit.models.subscription_changes import (
    add_item,
    change_payment_method,
    change_plan,
    combine,
    redeem,
    remove_item,
    replace_item,
)

HEAD = {"object": "Subscription", "id": "s1"}


def test_add_an_item() -> None:
    assert write(add_item("s1", "p1", item="i1")) == {
        **HEAD,
        "items": [{"object": "SubscriptionItem", "id": "i1", "product": {"object": "Product", "id": "p1"}}],
    }
    items = add_item("s1", "p1", quantity=3, campaign_code="C").items
    assert items is not None
    assert write(items[0]) == {
        "object": "SubscriptionItem",
        "product": {"object": "Product", "id": "p1"},
        "quantity": 3,
        "campaign_code": "C",
    }


def test_replace_an_item() -> None:
    assert write(replace_item("s1", "old", "new", item="i2", campaign_code="C")) == {
        **HEAD,
        "items": [
            {
                "object": "SubscriptionItem",
                "id": "i2",
                "product": {"object": "Product", "id": "new"},
                "campaign_code": "C",
                "replaces": {"object": "SubscriptionItem", "product": {"object": "Product", "id": "old"}},
            }
        ],
    }


def test_remove_an_item_by_its_identifier_or_its_product() -> None:
    assert write(remove_item("s1", item="i1")) == {
        **HEAD,
        "items": [{"object": "SubscriptionItem", "id": "i1", "replaced_by": {}}],
    }
    assert write(remove_item("s1", product="p1")) == {
        **HEAD,
        "items": [
            {
                "object": "SubscriptionItem",
                "product": {"object": "Product", "id": "p1"},
                "replaced_by": {"object": "SubscriptionItem"},
            }
        ],
    }


@pytest.mark.parametrize("names", [{}, {"item": "i1", "product": "p1"}])
def test_a_removal_needs_either_an_item_or_a_product(names: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="either"):
        remove_item("s1", **names)


def test_change_the_plan() -> None:
    assert write(change_plan("s1", "b2")) == {**HEAD, "billing_plan": {"object": "BillingPlan", "id": "b2"}}
    assert write(change_plan("s1", "b2", campaign_code="C"))["billing_plan_campaign_code"] == "C"


def test_change_the_payment_method() -> None:
    assert write(change_payment_method("s1", vid="v1")) == {
        **HEAD,
        "payment_method": {"object": "PaymentMethod", "vid": "v1"},
    }
    assert write(change_payment_method("s1", payment_method="pm1")) == {
        **HEAD,
        "payment_method": {"object": "PaymentMethod", "id": "pm1"},
    }


@pytest.mark.parametrize("names", [{}, {"vid": "v1", "payment_method": "pm1"}])
def test_a_change_needs_either_a_vid_or_a_payment_method(names: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="either"):
        change_payment_method("s1", **names)


def test_changes_combine_into_one_body() -> None:
    first = change_plan("s1", "b2")
    body = write(combine(first, replace_item("s1", "old", "new"), remove_item("s1", item="i9")))
    assert body["billing_plan"] == {"object": "BillingPlan", "id": "b2"}
    assert [set(item) for item in body["items"]] == [  # type: ignore[attr-defined]  # a list of objects
        {"object", "product", "replaces"},
        {"object", "id", "replaced_by"},
    ]
    assert write(first) == {**HEAD, "billing_plan": {"object": "BillingPlan", "id": "b2"}}


def test_each_change_of_a_field_is_in_the_body() -> None:
    body = write(combine(add_item("s1", "p1"), change_plan("s1", "b2"), change_payment_method("s1", vid="v1")))
    assert body["billing_plan"] == {"object": "BillingPlan", "id": "b2"}
    assert body["payment_method"] == {"object": "PaymentMethod", "vid": "v1"}
    assert len(body["items"]) == 1  # type: ignore[arg-type]  # a list of objects


def test_changes_of_different_subscriptions_or_plans_do_not_combine() -> None:
    with pytest.raises(ValueError, match="id"):
        combine(change_plan("s1", "b2"), add_item("s2", "p1"))
    with pytest.raises(ValueError, match="billing_plan"):
        combine(change_plan("s1", "b2"), change_plan("s1", "b3"))


def test_identifiers_are_checked() -> None:
    with pytest.raises(ValidationError):
        add_item("s/1", "p1")
    with pytest.raises(ValidationError):
        add_item("s1", "")


def subscription_with(*products: str) -> Subscription:
    return Subscription(
        id="s1", items=[SubscriptionItem(id=f"i-{each}", product=Product(id=each)) for each in products]
    )


def test_redeem_replaces_an_item_by_the_same_product() -> None:
    """A new item with the code would bill the product twice."""
    product = {"object": "Product", "id": "p2"}
    assert write(redeem(subscription_with("p1", "p2"), "C", product="p2")) == {
        **HEAD,
        "items": [
            {
                "object": "SubscriptionItem",
                "product": product,
                "replaces": {"object": "SubscriptionItem", "product": product},
                "campaign_code": "C",
            }
        ],
    }
    assert write(redeem(subscription_with("p1"), "C")) == write(replace_item("s1", "p1", "p1", campaign_code="C"))


@pytest.mark.parametrize(
    ("products", "product"), [(["p1", "p2"], None), ([], None), (["p1"], "p2"), (["p1", "p1"], "p1")]
)
def test_redeem_needs_one_item(products: list[str], product: str | None) -> None:
    with pytest.raises(ValueError, match="subscription must have one running item with the product"):
        redeem(subscription_with(*products), "C", product=product)
