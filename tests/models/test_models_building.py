"""Checks that a new model refuses values that the service would refuse, before anything is sent (H179)."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from pydantic import ValidationError

from looped import looped
from subscribekit._core.operations.bodies import body_of
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import (
    Account,
    Amazon,
    Association,
    Campaign,
    CampaignCode,
    CancelFeePolicy,
    Charge,
    Chargeback,
    CreditCard,
    Diagnostics,
    DirectDebit,
    EntitlementCharge,
    Event,
    ExtendedCardAttributes,
    FlatAmountDiscount,
    GiftCard,
    GiftCardRedemption,
    ModelList,
    PartnerSubscription,
    PaymentMethod,
    PaymentMethodPolicy,
    PayPal,
    ReasonCode,
    Subscription,
    SubscriptionItem,
    SubscriptionPolicy,
    TokenAmount,
    Transaction,
    TransactionPolicy,
    from_json,
)
from subscribekit.models._base import Model, read, write

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def refusal_of(kind: type[Model], secret: str = "", /, **fields: object) -> str:
    """Return the text of the error for a refused model, and check that it doesn't contain the secret."""
    with pytest.raises(ValidationError) as caught:
        kind(**fields)
    text = str(caught.value)
    assert not secret or secret not in text
    return text


@looped(
    ("kind", "field", "value"),
    [
        (Transaction, "amount", 1.5),
        (Transaction, "amount", "1.50"),
        (Transaction, "amount", True),
        (Transaction, "amount", Decimal("NaN")),
        (Transaction, "amount", Decimal("Infinity")),
        (Transaction, "amount", Decimal("1.2345678901234567890123456789")),
        (Transaction, "amount", Decimal("1E+28")),
        (Transaction, "amount", Decimal("1E-29")),
        (Transaction, "amount", 10**28),
        (Transaction, "billing_attempt", "1"),
        (Transaction, "billing_attempt", True),
        (Transaction, "cvn_checked", "No"),
        (Transaction, "cvn_checked", 1),
        (Account, "created", datetime(2030, 1, 1)),  # noqa: DTZ001
        (Account, "created", "2030-01-01T00:00:00Z"),
        (Account, "id", ""),
        (Account, "id", "a/b"),
        (Account, "id", "a" * 129),
        (Account, "vid", "a" * 129),
        (Account, "id", 5),
        (Account, "name", "n" * 1025),
        (Account, "email_type", "n" * 1025),
        (Account, "metadata", {"k": 1.5}),
        (Account, "metadata", {"k": True}),
        (Account, "metadata", {"k": ["x"]}),
        (Account, "metadata", {"k": Decimal("NaN")}),
        (Account, "metadata", {"k": 10**28}),
        (Account, "metadata", {"k": "\ud800"}),
        (Account, "metadata", {"n" * 1025: "v"}),
        (Account, "metadata", {1: "v"}),
        (Association, "flags", {"n" * 1025: "v"}),
        (Subscription, "billing_plan_campaign_id", "c1"),
        (Subscription, "billing_plan_campaign_id", None),
        (Subscription, "billing_plan_history", []),
        (Campaign, "billing_plan_campaign_id", "c1"),
        (Account, "metadata", {"k": "n" * 1025}),
        (Account, "object", "Error"),
        (Account, "payment_methods", "p1"),
        (Account, "payment_methods", {"object": "List", "data": []}),
        (Account, "payment_methods", [Account()]),
        (Account, "shipping_address", Account()),
        (Account, "parent", "a1"),
        (Subscription, "billing_plan", Account()),
        (PartnerSubscription, "id", "a" * 51),
        (PartnerSubscription, "organization_id", "a" * 51),
        (PartnerSubscription, "partner_code", "a" * 16),
        (PartnerSubscription, "partner_customer_id", "a" * 51),
        (PartnerSubscription, "billing_payment_method", "a" * 16),
        (PartnerSubscription, "billing_status", "a" * 51),
    ],
)
def test_refused_values(kind: type[Model], field: str, value: object) -> None:
    assert field in refusal_of(kind, **{field: value})


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        (Transaction, "amount", Decimal(1234567890123456789012345678)),
        (Transaction, "amount", Decimal("0.0000000000000000000000000001")),
        (Transaction, "amount", Decimal("-1.10")),
        (Transaction, "amount", 5),
        (Account, "id", "a" * 128),
        (Account, "id", "two words"),
        (Account, "name", "n" * 1024),
        (Account, "email_type", "a value of tomorrow"),
        (Account, "metadata", {"k" * 1024: "n" * 1024}),
        (Account, "metadata", {"gone": None, "count": 3, "rate": Decimal("1.50")}),
        (PartnerSubscription, "id", "a" * 50),
        (PartnerSubscription, "partner_code", "a" * 15),
        (PartnerSubscription, "billing_payment_method", "a" * 15),
    ],
)
def test_accepted_values(kind: type[Model], field: str, value: object) -> None:
    assert getattr(kind(**{field: value}), field) == value


@pytest.mark.parametrize(
    "kind",
    [
        *(PaymentMethodPolicy, SubscriptionPolicy, TransactionPolicy, ExtendedCardAttributes, DirectDebit, PayPal),
        *(Event, Charge, Chargeback, GiftCard, GiftCardRedemption, CampaignCode, ReasonCode, CancelFeePolicy),
        Diagnostics,
    ],
)
def test_partly_documented_objects_accept_any_field(kind: type[Model]) -> None:
    given = kind.model_validate({"a_field_of_tomorrow": "s3cret"})
    assert write(given) == {"a_field_of_tomorrow": "s3cret"}
    assert read(kind, write(given)) == given
    assert "s3cret" not in repr(given)
    given.model_extra["another"] = 1  # type: ignore[index]  # an open object always has a dictionary for extra fields
    assert write(given)["another"] == 1


def test_metadata_sends_numbers_as_numbers_and_null_to_delete_a_key() -> None:
    account = Account(metadata={"gone": None, "count": 3, "rate": Decimal("1.50"), "text": "x"})
    assert body_of("body", account, Account) == b'{"metadata":{"gone":null,"count":3,"rate":1.50,"text":"x"}}'
    account.metadata = {"gone": None}
    assert write(account) == {"metadata": {"gone": None}}


def test_a_read_only_field_is_kept_and_cannot_be_set() -> None:
    raw = {
        "id": "s1",
        "billing_plan_campaign_id": "c1",
        "billing_plan_history": [{"object": "BillingPlanHistory", "billing_plan": {"id": "p"}}],
    }
    subscription = read(Subscription, raw)
    assert subscription.billing_plan_campaign_id == "c1"
    subscription.description = "new"
    assert json.loads(body_of("body", subscription, Subscription)) == {**raw, "description": "new"}
    with pytest.raises(ValidationError, match="because only the service sets this field"):
        subscription.billing_plan_campaign_id = "c2"
    made = Subscription(id="s1").model_copy(update={"billing_plan_campaign_id": "c2"})
    with pytest.raises(InvalidArgumentError, match="billing_plan_campaign_id"):
        body_of("body", made, Subscription)


def test_an_unknown_field_is_refused_on_every_level() -> None:
    assert "nickname" in refusal_of(Account, nickname="x")
    assert "nickname" in refusal_of(Account, shipping_address={"nickname": "x"})
    assert "nickname" in refusal_of(Subscription, account={"nickname": "x"})


def test_the_error_names_the_field_and_not_the_value() -> None:
    secret = "4111111111111111"
    assert "account" in refusal_of(CreditCard, secret, account=int(secret))
    assert "email" in refusal_of(Account, secret, email=secret * 100)
    assert "credit_card.account" in refusal_of(PaymentMethod, secret, credit_card={"account": int(secret)})


def test_an_assignment_is_checked_like_a_new_model() -> None:
    transaction = Transaction(amount=Decimal("1.10"))
    with pytest.raises(ValidationError):
        transaction.amount = 1.5  # type: ignore[assignment]  # the test assigns a wrong type
    with pytest.raises(ValueError, match="nickname"):
        transaction.nickname = "x"  # type: ignore[attr-defined]  # the test assigns an unknown field
    assert transaction == Transaction(amount=Decimal("1.10"))


def test_amounts_keep_their_digits_and_ints_become_decimals() -> None:
    assert str(Transaction(amount=Decimal("1.10")).amount) == "1.10"
    whole = Transaction(amount=5).amount
    assert isinstance(whole, Decimal)
    assert whole == 5


def test_only_the_given_fields_are_written() -> None:
    assert write(Account()) == {}
    assert write(Account(email=None, name="N")) == {"email": None, "name": "N"}
    assert write(Account(object="Account", id="a1")) == {"object": "Account", "id": "a1"}


def test_collections_are_built_from_any_sequence_and_sent_as_arrays() -> None:
    items = [SubscriptionItem(id="i1"), SubscriptionItem(id="i2")]
    for given in (items, tuple(items), ModelList(items)):
        subscription = Subscription(items=given)
        assert subscription.items == items
        assert subscription.items is not None
        assert subscription.items.total_count is None
        assert write(subscription) == {"items": [{"id": "i1"}, {"id": "i2"}]}
    assert write(Subscription(items=[])) == {"items": []}
    assert write(Subscription(items=None)) == {"items": None}


def test_a_received_collection_keeps_its_form_in_another_model() -> None:
    received = read(Account, {"tokens": {"object": "List", "total_count": 9, "data": [{"amount": 1}]}})
    other = Account(tokens=received.tokens)
    assert write(other) == {"tokens": {"object": "List", "total_count": 9, "data": [{"amount": 1}]}}


def test_a_collection_behaves_as_a_sequence() -> None:
    first, second = TokenAmount(amount=1), TokenAmount(amount=2)
    tokens = ModelList([first, second])
    assert (len(tokens), tokens[1], tokens[-1], tokens[0:1]) == (2, second, second, [first])
    assert list(tokens) == [first, second]
    assert first in tokens
    assert tokens.index(second) == 1
    assert tokens == [first, second]
    assert tokens == ModelList([first, second])
    assert tokens == (first, second)
    assert tokens != [first]
    assert tokens != "text"
    assert list(reversed(tokens)) == [second, first]
    assert repr(ModelList(["a"])) == "ModelList(['a'])"
    with pytest.raises(TypeError):
        hash(tokens)


def test_total_count_may_be_text() -> None:
    account = read(Account, {"tokens": {"object": "List", "total_count": "9", "data": []}})
    assert account.tokens is not None
    assert account.tokens.total_count == 9


def test_a_campaign_has_one_kind_of_discount() -> None:
    flat = [FlatAmountDiscount(currency="EUR", amount=Decimal("5.00"))]
    assert "flat_amount_discounts" in refusal_of(Campaign, percentage_discount=10, flat_amount_discounts=flat)
    assert Campaign(percentage_discount=10, flat_amount_discounts=[]).percentage_discount == 10
    assert Campaign(percentage_discount=None, flat_amount_discounts=flat).flat_amount_discounts == flat
    campaign = Campaign(percentage_discount=10)
    with pytest.raises(ValidationError):
        campaign.flat_amount_discounts = flat
    campaign = Campaign(flat_amount_discounts=flat)
    with pytest.raises(ValidationError):
        campaign.percentage_discount = Decimal(10)


FLAT = FlatAmountDiscount(currency="EUR", amount=Decimal("5.00"))


@pytest.mark.parametrize("clear_first", [True, False])
@pytest.mark.parametrize(
    ("raw", "new", "old"),
    [
        ({"percentage_discount": 10}, ("flat_amount_discounts", [FLAT]), "percentage_discount"),
        ({"flat_amount_discounts": [{"amount": 5}]}, ("percentage_discount", Decimal(10)), "flat_amount_discounts"),
        (
            {"percentage_discount": None, "flat_amount_discounts": {"object": "List", "data": [{"amount": 5}]}},
            ("percentage_discount", Decimal(10)),
            "flat_amount_discounts",
        ),
    ],
)
def test_a_received_campaign_changes_its_kind_of_discount_in_either_order(
    raw: dict[str, object], new: tuple[str, object], old: str, clear_first: bool
) -> None:
    name, value = new
    campaign = read(Campaign, {"id": "c", "x": 1, **raw})
    steps = [(old, None), new] if clear_first else [new, (old, None)]
    for field, content in steps:
        setattr(campaign, field, content)
    copied = read(Campaign, {"id": "c", "x": 1, **raw}).model_copy(update=dict(steps))
    for changed in (campaign, copied):
        sent = json.loads(body_of("body", changed, Campaign))
        assert sent[old] is None
        assert sent["x"] == 1
        assert getattr(changed, name) == value
    both = read(Campaign, raw)
    setattr(both, name, value)
    with pytest.raises(InvalidArgumentError, match="either a percentage discount or flat amount"):
        body_of("body", both, Campaign)


def test_an_assignment_to_a_received_model_is_strict() -> None:
    campaign = read(Campaign, {"percentage_discount": 10})
    for name, value in (
        ("percentage_discount", 1.5),
        ("percentage_discount", "5"),
        ("id", "a#b"),
        ("name", "n" * 1025),
    ):
        with pytest.raises(ValidationError, match=name):
            setattr(campaign, name, value)
    with pytest.raises(ValueError, match="nickname"):
        campaign.nickname = "x"  # type: ignore[attr-defined]  # the test assigns an unknown field


def test_other_fields_of_a_campaign_with_both_discounts_can_be_changed() -> None:
    campaign = read(Campaign, {"percentage_discount": 10, "flat_amount_discounts": [{"amount": 5}]})
    assert campaign.unparsed_fields == frozenset()
    assert campaign.percentage_discount == 10
    assert campaign.flat_amount_discounts == [FlatAmountDiscount(amount=5)]
    campaign.name = "New"
    assert write(campaign)["name"] == "New"


@pytest.mark.parametrize(
    ("field", "limit"),
    [("transaction_id", 128), ("product_code", 128), ("currency", 3), ("original_transaction_id", 128)],
)
def test_lengths_of_an_entitlement_charge(field: str, limit: int) -> None:
    given = {"transaction_id": "t1", field: "x" * limit}
    assert getattr(EntitlementCharge.model_validate(given), field) == "x" * limit
    with pytest.raises(ValidationError):
        EntitlementCharge.model_validate(given | {field: "x" * (limit + 1)})


def test_an_entitlement_charge_needs_its_transaction_id() -> None:
    assert "transaction_id\n  Field required (wire name `transactionId`)" in refusal_of(EntitlementCharge, amount=5)
    assert "transaction_id" in refusal_of(EntitlementCharge, transaction_id="")
    assert "transaction_id" in refusal_of(EntitlementCharge, transaction_id=None)


def test_a_refund_names_the_charge_that_it_refunds() -> None:
    assert "original_transaction_id" in refusal_of(EntitlementCharge, transaction_id="t1", amount=Decimal("-1.00"))
    assert "original_transaction_id" in refusal_of(
        EntitlementCharge, transaction_id="t1", amount=-1, original_transaction_id=""
    )
    refund = EntitlementCharge(transaction_id="t1", amount=Decimal("-1.00"), original_transaction_id="t0")
    with pytest.raises(ValidationError):
        refund.original_transaction_id = None
    charge = EntitlementCharge(transaction_id="t1", amount=Decimal("1.00"))
    with pytest.raises(ValidationError):
        charge.amount = Decimal("-1.00")
    assert charge.amount == Decimal("1.00")
    charge.original_transaction_id = "t0"
    charge.amount = Decimal("-1.00")
    assert read(EntitlementCharge, {"transactionId": "t1", "amount": -1}).amount == -1


def test_the_body_of_an_entitlement_charge() -> None:
    charge = EntitlementCharge(
        transaction_id="t1",
        product_code="p1",
        amount=Decimal("19.90"),
        currency="EUR",
        tax_included=True,
        tax_amount=Decimal("3.10"),
        charge_date=NOW,
    )
    body = write(charge)
    assert body == {
        "transactionId": "t1",
        "productCode": "p1",
        "amount": Decimal("19.90"),
        "currency": "EUR",
        "taxIncluded": True,
        "taxAmount": Decimal("3.10"),
        "chargeDate": "2030-01-01T00:00:00+00:00",
    }
    assert str(body["amount"]) == "19.90"


def test_camel_case_models_accept_both_spellings_and_write_wire_names() -> None:
    assert EntitlementCharge.model_validate({"transactionId": "t1"}) == EntitlementCharge(transaction_id="t1")
    assert EntitlementCharge(transaction_id="t1").model_dump(exclude_unset=True) == {"transactionId": "t1"}


def test_the_wire_name_of_validate_has_no_underscore() -> None:
    method = PaymentMethod(policy=PaymentMethodPolicy(validate_=True, min_chargeback_probability=99))
    assert write(method) == {"policy": {"validate": True, "min_chargeback_probability": 99}}


def test_payment_methods_without_documented_fields_accept_any_field() -> None:
    amazon = Amazon.model_validate({"billing_agreement_id": "B1"})
    assert write(PaymentMethod(amazon=amazon)) == {"amazon": {"billing_agreement_id": "B1"}}
    read_again = read(PaymentMethod, {"amazon": {"billing_agreement_id": "B1"}})
    assert read_again.amazon is not None
    read_again.amazon.object = "Amazon"
    assert write(read_again) == {"amazon": {"object": "Amazon", "billing_agreement_id": "B1"}}


@pytest.mark.parametrize(
    ("kind", "field", "value", "advice"),
    [
        (Campaign, "percentage_discount", "s3cret", "write Decimal('4.90')"),
        (Campaign, "number_of_periods", "s3cret", "call from_json"),
        (Campaign, "apply_discount_per_item", "s3cret", "call from_json"),
        (Campaign, "offer_start_date", "s3cret", "write datetime(2026, 1, 31, tzinfo=UTC)"),
        (Campaign, "id", 17, "call from_json"),
        (Transaction, "amount", 4.9, "write Decimal('4.90')"),
        (Transaction, "amout", 5, "no field 'amout'; did you mean 'amount'?"),  # codespell:ignore
        (Transaction, "zzzz{0}", 5, "no field 'zzzz{0}'"),
        (Subscription, "billing_plan", "s3cret", "instance of BillingPlan"),
        (Account, "shipping_address", "s3cret", "instance of Address"),
        (EntitlementCharge, "tax_amount", "s3cret", "write Decimal('4.90')"),
    ],
)
def test_the_error_says_what_to_write(kind: type[Model], field: str, value: object, advice: str) -> None:
    text = refusal_of(
        kind, "s3cret", **{"transaction_id": "t", field: value} if kind is EntitlementCharge else {field: value}
    )
    assert advice in text
    assert field in text
    if field in kind.model_fields:
        built = EntitlementCharge(transaction_id="t") if kind is EntitlementCharge else kind()
        with pytest.raises(ValidationError) as caught:
            setattr(built, field, value)
        assert advice in str(caught.value)
        assert "s3cret" not in str(caught.value)


def test_the_error_has_the_type_and_location_of_each_refused_value() -> None:
    with pytest.raises(ValidationError) as caught:
        Account(payment_methods=[{"credit_card": {"account": 4111}}], id="")
    assert [(line["type"], line["loc"]) for line in caught.value.errors()] == [
        ("string_too_short", ("id",)),
        ("string_type", ("payment_methods", 0, "credit_card", "account")),
    ]
    assert caught.value.title == "Account"


def test_reading_does_not_call_the_constructor(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(self: Model, /, **data: object) -> None:
        raise AssertionError

    assert not Account.__pydantic_custom_init__
    monkeypatch.setattr(Model, "__init__", refused)
    assert read(Account, {"id": "a", "parent": {"id": "b"}}).parent is not None


CARD = "4111111111111111"


def check_hidden(error: BaseException, secret: str) -> None:
    """Check that neither the data of an error nor the variables of its frames contain a value."""
    assert isinstance(error, ValidationError)
    for shown in (str(error), repr(error), repr(error.errors()), error.json(), repr(error.args)):
        assert secret not in shown
    assert {line["input"] for line in error.errors()} == {"***"}
    assert error.__context__ is error.__cause__ is None
    here, frame = __file__, error.__traceback__
    while frame is not None:
        if frame.tb_frame.f_code.co_filename != here:
            assert secret not in repr(frame.tb_frame.f_locals)
        frame = frame.tb_next


@pytest.mark.parametrize(
    "build",
    [
        lambda: CreditCard(number=CARD),
        lambda: CreditCard(account=int(CARD)),
        lambda: CreditCard(account=[CARD]),
        lambda: PaymentMethod(credit_card={"account": CARD, "number": CARD}),
        lambda: Account(payment_methods=[{"credit_card": {"account": int(CARD)}}]),
        lambda: Account(payment_methods=CARD),
        lambda: Account(email="ann@example.com" + CARD * 80),
        lambda: Campaign(percentage_discount=5, flat_amount_discounts=[FlatAmountDiscount()], description=CARD),
        lambda: setattr(CreditCard(), "account", int(CARD)),
        lambda: setattr(PaymentMethod(), "credit_card", {"number": CARD}),
        lambda: CreditCard.model_validate({"bin": int(CARD)}),
        lambda: PaymentMethod.model_validate({"credit_card": {"account": int(CARD)}}),
        lambda: Account.model_validate({"payment_methods": [{"credit_card": {"account": int(CARD)}}]}),
        lambda: Account.model_validate(CARD),
        lambda: Account.model_validate({"parent": CARD}),
        lambda: CreditCard.model_validate_json(f'{{"bin": {CARD}}}'),
        lambda: CreditCard.model_validate_strings({"last_update_date": CARD}),
        lambda: from_json(CreditCard, f'["{CARD}"]'),
        lambda: from_json(CreditCard, f'{{"object": "{CARD}"}}'),
    ],
)
def test_a_refused_value_does_not_appear_in_the_error(build: Callable[[], object]) -> None:
    with pytest.raises(ValidationError) as caught:
        build()
    check_hidden(caught.value, CARD)


def test_model_validate_raises_the_error_of_pydantic_without_the_value() -> None:
    with pytest.raises(ValidationError) as caught:
        Account.model_validate({"id": "a/b", "email": 5, "name": "x" * 1025})
    lines = {line["loc"]: line for line in caught.value.errors(include_url=False)}
    assert lines[("name",)]["type"] == "string_too_long"
    assert lines[("name",)]["ctx"] == {"max_length": 1024}
    assert "vid" in lines[("id",)]["msg"]
    assert caught.value.title == "Account"
    assert list(inspect.signature(Account.model_validate).parameters)[:2] == ["obj", "strict"]
