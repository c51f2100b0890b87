"""Factories make valid resources of every model, the same ones for the same seed, that agree with the arguments."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

import subscribekit.models
from looped import looped
from subscribekit._json import decode, encode
from subscribekit.models import (
    Account,
    Activity,
    Address,
    Campaign,
    Entitlement,
    EntitlementCharge,
    FlatAmountDiscount,
    Invoice,
    PartnerSubscription,
    Payment,
    PaymentMethod,
    PayPal,
    StorefrontPaymentMethod,
    Subscription,
    Transaction,
)
from subscribekit.models._base import CamelModel, Model, OpenModel, read, write
from subscribekit.models._names import MODULE_OF
from subscribekit.sandbox import Sandbox
from subscribekit.testing import Factory, make, make_batch
from subscribekit.testing.factories import restart

ABSTRACT = (Model, CamelModel, OpenModel)
MODELS: list[type[Model]] = [
    kind
    for kind in (getattr(subscribekit.models, name) for name in MODULE_OF)
    if isinstance(kind, type) and issubclass(kind, Model) and kind not in ABSTRACT
]


def test_every_model_is_covered() -> None:
    assert len(MODELS) > 90


@looped("kind", MODELS)
def test_every_model_survives_a_round_trip_unchanged(kind: type[Model]) -> None:
    factory = Factory(seed=11)
    for _ in range(25):
        made = factory.make(kind)
        received = read(kind, decode(encode(write(made))))
        assert received == made
        assert not received.unparsed_fields
        assert not received.model_extra


@looped("kind", MODELS)
def test_every_resource_has_its_ids(kind: type[Model]) -> None:
    made = make(kind)
    for name in {"object", "id", "vid"} & kind.model_fields.keys():
        if kind.model_fields[name].default is not None or name != "object":
            assert getattr(made, name), name
            assert name in made.model_fields_set


@looped("kind", MODELS)
def test_no_field_has_the_name_of_an_argument(kind: type[Model]) -> None:
    assert "seed" not in kind.model_fields


def test_the_same_seed_makes_the_same_resource() -> None:
    assert make(Account, seed=3) == make(Account, seed=3)
    assert make_batch(Account, 4, seed=3) == make_batch(Account, 4, seed=3)
    assert make(Account, seed=3) != make(Account, seed=4)


def test_successive_calls_make_other_resources_in_a_fixed_order() -> None:
    restart()
    first = make_batch(Account, 3)
    assert len({account.id for account in first}) == 3
    assert len({account.vid for account in first}) == 3
    restart()
    assert make_batch(Account, 3) == first


def test_fields_are_set_as_given_and_checked() -> None:
    accounts = make_batch(Account, 2, email="ann@example.com", id=None)
    assert [account.email for account in accounts] == ["ann@example.com"] * 2
    assert accounts[0].id is None
    with pytest.raises(ValidationError, match="emial"):
        make(Account, emial="ann@example.com")
    with pytest.raises(ValidationError, match="Decimal"):
        make(Payment, amount=1.5)


def test_references_in_a_resource_agree() -> None:
    subscription = make(Subscription)
    assert subscription.account is not None
    assert subscription.payment_method == subscription.source_payment_method
    assert subscription.items
    assert re.fullmatch(r"[0-9a-f]{40}", subscription.vid or "")
    account = make(Account)
    assert account.payment_methods
    assert account.payment_methods[0].currency == account.default_currency
    entitlements: Any = account.entitlements
    assert isinstance(entitlements[0], Entitlement)
    assert entitlements[0].account.vid == account.vid


def test_personal_data_belongs_to_nobody() -> None:
    for account in make_batch(Account, 20):
        assert (account.email or "").endswith("@example.com")
        address = account.shipping_address
        assert isinstance(address, Address)
        assert (address.phone or "").startswith("+1 555 01")


@looped("seed", range(20))
def test_a_campaign_has_one_kind_of_discount(seed: int) -> None:
    campaign = make(Campaign, seed=seed)
    assert (campaign.percentage_discount is None) != (campaign.flat_amount_discounts is None)
    assert campaign.offer_start_date is not None
    assert campaign.offer_end_date is not None
    assert campaign.offer_start_date < campaign.offer_end_date
    flat = make(Campaign, seed=seed, flat_amount_discounts=[FlatAmountDiscount(currency="EUR", amount=5)])
    assert flat.percentage_discount is None
    percent = make(Campaign, seed=seed, percentage_discount=Decimal(5))
    assert percent.flat_amount_discounts is None


@looped("seed", range(20))
def test_a_payment_method_is_of_one_kind(seed: int) -> None:
    method = make(PaymentMethod, seed=seed)
    instruments = ("credit_card", "direct_debit", "paypal", "merchant_accepted_payment")
    assert [name for name in instruments if getattr(method, name) is not None] == [
        {
            "CreditCard": "credit_card",
            "DirectDebit": "direct_debit",
            "PayPal": "paypal",
            "MerchantAcceptedPayment": "merchant_accepted_payment",
        }[method.type or ""]
    ]
    paypal = make(PaymentMethod, seed=seed, paypal=PayPal(payer_id="payer-1"))
    assert (paypal.type, paypal.credit_card) == ("PayPal", None)
    custom = make(PaymentMethod, seed=seed, type="Boleto")
    assert all(getattr(custom, name) is None for name in instruments)
    storefront = make(StorefrontPaymentMethod, seed=seed, type="DebitCard")
    assert storefront.credit_card is None


@looped("seed", range(20))
def test_an_activity_has_the_arguments_of_its_type(seed: int) -> None:
    activity = make(Activity, seed=seed)
    arguments = [
        name for name in Activity.model_fields if name.endswith("_args") and getattr(activity, name) is not None
    ]
    assert arguments == [f"{(activity.type or '').lower()}_args"]


@looped("seed", range(20))
def test_amounts_agree(seed: int) -> None:
    transaction = make(Transaction, seed=seed)
    assert transaction.amount == transaction.total == transaction.subtotal
    invoice = make(Invoice, seed=seed)
    assert invoice.invoice_balance == invoice.gross_charges_total
    charge = make(EntitlementCharge, seed=seed)
    assert charge.amount is not None
    assert charge.tax_amount is not None
    assert 0 < charge.tax_amount < charge.amount
    assert charge.original_transaction_id is None


def test_a_made_refund_needs_its_charge_too() -> None:
    with pytest.raises(ValidationError, match="original_transaction_id"):
        make(EntitlementCharge, amount=-5)
    assert make(EntitlementCharge, amount=-5, original_transaction_id="t-1").amount == -5


def test_the_states_of_a_resource_agree() -> None:
    subscription = make(Subscription)
    assert (subscription.status, subscription.billing_state) == ("Active", "Good Standing")
    assert make(PartnerSubscription).billing_status is None
    assert make(PartnerSubscription, billing_status="CANCELLED").billing_status == "CANCELLED"


def test_made_resources_can_be_sent() -> None:
    with Sandbox().billing() as billing:
        account = billing.accounts.create(make(Account, entitlements=None))
        assert account.payment_methods
        method = billing.payment_methods.create(make(PaymentMethod))
        campaign = billing.campaigns.create(make(Campaign, eligible_products=None, eligible_billing_plans=None))
        assert billing.payment_methods.retrieve(method.id or "").type == method.type
        assert campaign.state == "Active"
