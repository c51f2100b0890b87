"""Checks that the SDK sends no value over a limit, even in a model that was read, copied, or constructed unchecked."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

import subscribekit.models
from looped import looped
from samples import SHARE
from subscribekit._core.operations.bodies import body_bytes, body_of
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import (
    Account,
    Address,
    Amazon,
    BillingPlan,
    Campaign,
    EntitlementCharge,
    Event,
    FlatAmountDiscount,
    OpenModel,
    PartnerSubscription,
    PaymentMethod,
    Product,
    Subscription,
    SubscriptionPolicy,
    TokenAmount,
    Transaction,
)
from subscribekit.models._base import Model, read
from subscribekit.models._fields import wire_names
from subscribekit.models._limits import first_fault
from subscribekit.models._names import MODULE_OF

LONG = "s3cret" * 200
CHARGE = EntitlementCharge(transaction_id="t", amount=Decimal("1.10"), currency="USD")
NAIVE = datetime(2026, 5, 1)  # noqa: DTZ001 - the test needs a time without a time zone


def refusal(model: Model) -> str:
    """Return the text of the error for a model that isn't sent. Neither the error nor a warning contains the value."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(InvalidArgumentError) as caught:
            body_of("body", model, Model)
    assert caught.value.outcome == "not_sent"
    assert "s3cret" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("kind", "raw", "place", "reason"),
    [
        (Campaign, {"name": "s3cret" * 500}, "body.name", "at most 1024 characters"),
        (Account, {"id": "s3cret" * 22}, "body.id", "at most 128 characters"),
        (Account, {"id": "s3cret/1"}, "body.id", "use the `vid`"),
        (Account, {"email_type": LONG}, "body.email_type", "at most 1024 characters"),
        (Account, {"metadata": {"a": None, "b": LONG}}, "body.metadata.b", "at most 1024 characters"),
        (Account, {"shipping_address": {"line1": LONG}}, "body.shipping_address.line1", "at most 1024"),
        (Account, {"parent": {"parent": {"id": LONG}}}, "body.parent.parent.id", "at most 128"),
        (
            Subscription,
            {"items": {"object": "List", "data": [{"id": "a"}, {"product": {"id": LONG}}]}},
            "body.items.1.product.id",
            "at most 128",
        ),
        (Subscription, {"policy": ["a", LONG]}, "body.policy.1", "at most 1024"),
        (Subscription, {"billing_plan": {"periods": [{"prices": [{"amount": "1" * 29}]}]}},
         "body.billing_plan.periods.0.prices.0.amount", "at most 28 digits"),
        (PartnerSubscription, {"partnerCode": "s3cret" * 3}, "body.partner_code", "at most 15"),
        (Campaign, {"percentage_discount": 5, "flat_amount_discounts": [{"amount": 5}]},
         "body.flat_amount_discounts", "either a percentage discount or flat amount"),
        (Subscription, {"most_recent_billing": {"items": [{"campaign_id": "a", "price": Decimal("0." + "1" * 29)}]}},
         "body.most_recent_billing.items.0.price", "at most 28 digits"),
    ],
)  # fmt: skip
def test_a_received_value_over_its_limit_is_read_and_not_sent(
    kind: type[Model], raw: dict[str, object], place: str, reason: str
) -> None:
    model = read(kind, raw)
    assert model.unparsed_fields == frozenset()
    text = refusal(model)
    assert text.startswith(f"{place} can't be sent: ")
    assert reason in text


@looped(
    ("model", "place"),
    [
        (CHARGE.model_copy(update={"currency": "s3cret"}), "body.currency"),
        (CHARGE.model_copy(update={"amount": "1.1"}), "body.amount"),
        (CHARGE.model_copy(update={"amount": 1.1}), "body.amount"),
        (CHARGE.model_copy(update={"amount": True}), "body.amount"),
        (CHARGE.model_copy(update={"amount": Decimal("NaN")}), "body.amount"),
        (CHARGE.model_copy(update={"amount": Decimal("-Infinity")}), "body.amount"),
        (CHARGE.model_copy(update={"amount": 10**28}), "body.amount"),
        (CHARGE.model_copy(update={"amount": Decimal(-1)}), "body.original_transaction_id"),
        (CHARGE.model_copy(update={"charge_date": NAIVE}), "body.charge_date"),
        (CHARGE.model_copy(update={"charge_date": "2026-05-01"}), "body.charge_date"),
        (CHARGE.model_copy(update={"transaction_id": ""}), "body.transaction_id"),
        (CHARGE.model_copy(update={"transaction_id": None}), "body.transaction_id"),
        (CHARGE.model_copy(update={"tax_included": "s3cret"}), "body.tax_included"),
        (CHARGE.model_copy(update={"curency": "s3cret"}), "body.curency"),  # codespell:ignore
        (CHARGE.model_copy(update={"taxAmount": Decimal(1)}), "body.taxAmount"),
        (EntitlementCharge.model_construct(amount=Decimal(1)), "body.transaction_id"),
        (Account.model_construct(created=NAIVE), "body.created"),
        (Account.model_construct(shipping_address=Address.model_construct(line1=LONG)), "body.shipping_address.line1"),
        (Account.model_construct(tokens=[TokenAmount.model_construct(amount=0.5)]), "body.tokens.0.amount"),
        (Account.model_construct(tokens=[{"amount": 0.5}]), "body.tokens.0.amount"),
        (Account.model_construct(tokens=5), "body.tokens"),
        (Account.model_construct(shipping_address="s3cret"), "body.shipping_address"),
        (Subscription.model_construct(billing_plan=Account(id="a")), "body.billing_plan"),
        (PaymentMethod(amazon=Amazon.model_validate({"deep": [Address.model_construct(line1=LONG)]})),
         "body.amazon.deep.0.line1"),
    ],
)  # fmt: skip
def test_an_unchecked_value_is_not_sent(model: Model, place: str) -> None:
    assert refusal(model).startswith(f"{place} can't be sent: ")


def test_a_campaign_that_was_received_with_both_discounts_is_sent_after_one_is_removed() -> None:
    campaign = read(Campaign, {"id": "c", "percentage_discount": 5, "flat_amount_discounts": [{"amount": 5}]})
    refusal(campaign)
    campaign.percentage_discount = None
    sent = json.loads(body_of("body", campaign, Campaign))
    assert sent == {"id": "c", "percentage_discount": None, "flat_amount_discounts": [{"amount": 5}]}


def test_a_field_that_was_not_set_is_not_checked() -> None:
    campaign = Campaign(percentage_discount=Decimal(5))
    campaign.__dict__["flat_amount_discounts"] = [FlatAmountDiscount(amount=5)]  # a default, which is never sent
    assert body_of("body", campaign, Campaign) == b'{"percentage_discount":5}'


def test_a_body_that_contains_itself_is_refused() -> None:
    account = Account(parent=Account())
    account.__dict__["parent"] = account
    assert refusal(account) == "body can't be sent: it isn't valid JSON"


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        (Account, {"id": "a", "metadata": {"a": None, "b": {"c": [1, Decimal("1.50")]}, "d": True, "e": "x"}}),
        (Account, {"parent": {"object": "Account", "id": "p", "vid": "v"}, "tier": LONG, "deep": [{"a": LONG}]}),
        (Account, {"created": LONG, "notify_before_billing": "perhaps", "shipping_address": "x", "tokens": "none"}),
        (Account, {"object": None, "email": None, "shipping_address": {"object": None, "floor": LONG}}),
        (Transaction, {"amount": "NaN", "billing_attempt": Decimal("1.5"), "items": [{"quantity": Decimal("1.5")}]}),
        (Subscription, {"policy": {"new": 1}}),
        (Subscription, {"policy": ["a", "b"], "status": "a state of tomorrow"}),
        (PaymentMethod, {"amazon": {"agreement": LONG}, "credit_card": {"object": "CreditCard", "account": 4111}}),
        (EntitlementCharge, {"transactionId": 17, "amount": "1.10", "currency": 978}),
    ],
)
def test_unexpected_values_of_a_response_are_sent_again(kind: type[Model], raw: dict[str, object]) -> None:
    model = read(kind, raw)
    assert first_fault("body", model) is None
    assert read(kind, json.loads(body_bytes("body", model), parse_float=Decimal)) == model


def test_converted_numbers_and_times_are_sent_as_they_were_read() -> None:
    raw = {"id": 17, "created": "2026-05-01", "metadata": {"n": 1}}
    sent = json.loads(body_of("body", read(Account, raw), Account))
    assert sent == {"id": "17", "created": "2026-05-01T00:00:00+00:00", "metadata": {"n": "1"}}


def test_the_check_changes_nothing() -> None:
    account = read(
        Account, {"id": "a", "tokens": {"object": "List", "total_count": 9, "data": [{"amount": 1}]}, "x": 1}
    )
    before = account.model_copy(deep=True)
    tokens = account.tokens
    body_of("body", account, Account)
    assert account == before
    assert account.tokens is tokens
    assert account.model_fields_set == before.model_fields_set


def test_the_policy_is_a_list_or_an_object() -> None:
    assert body_of("body", Subscription(policy=["a"]), Subscription) == b'{"policy":["a"]}'
    policy = SubscriptionPolicy()
    assert body_of("body", Subscription(policy=policy), Subscription) == b'{"policy":{}}'
    plan = BillingPlan(id="p")
    body = body_of("body", Subscription(billing_plan=plan), Subscription)
    assert body == b'{"billing_plan":{"id":"p"}}'
    assert body_of("body", Campaign(products=[Product(id="p")]), Campaign) == b'{"products":[{"id":"p"}]}'


WITHIN_LIMITS = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=0, max_value=10**20)
    | st.text("ab-.:10", min_size=1, max_size=5)
    | st.sampled_from(["2026-05-01", "2026-05-01T00:00:00", "Yes", "1", Decimal("1.50")]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "data", "amount", "a"]), inner, max_size=3)
    ),
    max_leaves=5,
)


def every_field() -> Iterator[tuple[type[Model], str]]:
    for name in MODULE_OF:
        kind: Any = getattr(subscribekit.models, name)
        if isinstance(kind, type) and issubclass(kind, Model):
            yield from ((kind, wire) for wire in wire_names(kind).values())


FIELDS = list(every_field())


@settings(deadline=None, max_examples=1000 // SHARE)
@given(st.sampled_from(FIELDS), WITHIN_LIMITS)
def test_any_received_value_within_the_limits_can_be_sent_again(field: tuple[type[Model], str], value: object) -> None:
    kind, wire = field
    needed = {"transactionId": "t", "originalTransactionId": "o"} if kind is EntitlementCharge else {}
    if kind is EntitlementCharge and wire in needed and not isinstance(value, str):
        return
    assert first_fault("body", read(kind, {**needed, wire: value} if wire != "object" else needed)) is None


@pytest.mark.parametrize("length", [1025, 100_000])
def test_a_long_key_is_not_repeated_in_full(length: int) -> None:
    """A caller's key can be anything, such as a pasted document, so an error shows only the start of the key."""
    key = "k" * length
    with pytest.raises(ValidationError, match="at most 1024 characters") as built:
        Product(metadata={key: "x"})
    with pytest.raises(ValidationError, match="no field 'kkkk") as unknown:
        Product(**cast("Any", {key: "x"}))
    changed = Product(id="p", metadata={})
    assert changed.metadata is not None
    changed.metadata[key] = "x"
    fault = first_fault("product", changed)
    inner = OpenModel(**{key: Product.model_construct({"id"}, id="")})
    deep = first_fault("product", inner)
    assert fault is not None
    assert fault[0].startswith("product.metadata.kkkk")
    assert deep is not None
    for text in (str(built.value), str(unknown.value), *fault, *deep):
        assert len(text) < 400


def with_field(model: OpenModel, name: str) -> OpenModel:
    setattr(model, name, 1)
    return model


@looped(
    "make",
    [
        lambda name: OpenModel(**{name: 1}),
        lambda name: OpenModel.model_validate({name: 1}),
        lambda name: with_field(OpenModel(), name),
        lambda name: OpenModel().model_copy(update={name: 1}),
        lambda name: OpenModel().model_copy(update={"a": {"b": [{name: 1}]}}),
        lambda name: Subscription(policy=SubscriptionPolicy(**{name: 1})),
        lambda name: Event(**{name: 1}),
        lambda name: read(Event, {name: 1}),
    ],
)
def test_a_name_in_an_open_object_has_its_limit(make: Any) -> None:
    """If the service cut off a long name, it would store another field."""
    assert "the name of the field has more than 1,024 characters" in refusal(make("s" + "k" * 1024))
    assert b"k" * 1023 in body_of("body", make("s" + "k" * 1023), Model)
