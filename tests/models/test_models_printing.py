"""Personal and payment data never show where a model is printed."""

from __future__ import annotations

import pytest
from models_specification import words

import subscribekit.models
from subscribekit.models import (
    Account,
    Address,
    CreditCard,
    EventSummary,
    PaymentMethod,
    Sensitive,
    Subscription,
    sensitive_fields,
)
from subscribekit.models._base import Model, read, write

# Names of fields that hold personal or payment data wherever they occur as text, by hand.
SENSITIVE_NAMES = words("""
email phone fax line1 line2 line3 city postal_code postalCode street bin cvn account_holder card_number
encoded_phone_number local_number raw_input account_identifier customer_identifier exemption_id source_ip
source_mac_address ip paypal_email payer_id reference_id partner_customer_id billing_account_number financial_account
src_phone_number dest_phone_number cid_phone_number ani_phone_number metadata metadta additional_fields display_name
expiration_month expiration_year latitude longitude rib_code bank_sort_code identifier
""")
SENSITIVE_IN = {
    "Account": {"name", "email", "metadata"},
    "Address": {"name", "line1", "line2", "line3", "city", "county", "district", "postal_code", "phone", "fax"},
    "CreditCard": {"account", "bin", "cvn", "expiration_date"},
    "StorefrontCreditCard": {"expiration_date"},
    "DirectDebit": {"account", "bank_sort_code", "rib_code"},
    "MerchantAcceptedPayment": {"account"},
    "StorefrontMerchantAcceptedPayment": {"account"},
    "BssAccount": {"email", "name", "metadta"},
    "BssAddress": {"name", "phone", "fax", "street", "city"},
}


def _models() -> list[type[Model]]:
    values = [getattr(subscribekit.models, name) for name in subscribekit.models.__all__]
    return [value for value in values if isinstance(value, type) and issubclass(value, Model)]


@pytest.mark.parametrize("kind", _models(), ids=lambda kind: kind.__name__)
def test_fields_with_sensitive_names_are_tagged(kind: type[Model]) -> None:
    expected = {name for name in kind.model_fields if name in SENSITIVE_NAMES} | SENSITIVE_IN.get(kind.__name__, set())
    assert expected <= sensitive_fields(kind)


def test_every_tagged_field_is_masked() -> None:
    for kind in _models():
        for name in sensitive_fields(kind):
            printed = repr(kind.model_construct({name}, **{name: "s3cret"}))
            assert printed == f"{kind.__name__}({name}='***')"


def test_other_fields_are_shown() -> None:
    assert repr(Account(id="a1", email="a@b.example", default_currency="EUR", company=None)) == (
        "Account(id='a1', default_currency='EUR', email='***', company=None)"
    )
    assert str(Account(id="a1", email="a@b.example")) == "id='a1' email='***'"


def test_an_absent_value_is_shown_as_absent() -> None:
    assert repr(Account(email=None)) == "Account(email=None)"


def test_nested_models_collections_and_unknown_fields_are_masked() -> None:
    secret = "s3cret"
    subscription = read(
        Subscription,
        {
            "id": "s1",
            "unknown": secret,
            "account": {
                "name": secret,
                "metadata": {"CVN": secret},
                "unknown": {"deep": [secret]},
                "payment_methods": {
                    "object": "List",
                    "total_count": 1,
                    "data": [
                        {"id": "p1", "credit_card": {"account": secret, "unknown": secret, "account_length": secret}}
                    ],
                },
                "credit": {"object": "Credit", "unknown": secret},
            },
        },
    )
    for printed in (repr(subscription), str(subscription), f"{subscription}", repr([subscription])):
        assert secret not in printed
        assert "p1" in printed
        assert "unknown='***'" in printed


def test_damaged_values_are_masked() -> None:
    summary = read(EventSummary, {"event_count": "s3cret"})
    assert repr(summary) == "EventSummary(event_count='***')"


def test_the_tag_can_be_asked_for() -> None:
    assert "email" in sensitive_fields(Account)
    assert "id" not in sensitive_fields(Account)
    assert any(isinstance(item, Sensitive) for item in Address.model_fields["line1"].metadata)
    assert repr(Sensitive()) == "Sensitive()"


def test_card_data_shows_only_the_last_digits() -> None:
    method = PaymentMethod(
        account_holder="A B",
        credit_card=CreditCard(account="4111111111111111", cvn="123", bin="411111", last_digits="1111"),
    )
    assert repr(method) == (
        "PaymentMethod(credit_card=CreditCard(last_digits='1111', cvn='***', account='***', bin='***'),"
        " account_holder='***')"
    )


def test_unknown_fields_stay_masked_after_an_assignment() -> None:
    account = read(Account, {"id": "a1", "tier": "s3cret", "notify_before_billing": "s3cret"})
    account.name = "New"
    assert "s3cret" not in repr(account)
    assert repr(account).count("tier=") == 1
    assert account.notify_before_billing is None
    assert account.unread_fields == {"notify_before_billing"}
    assert account == read(Account, write(account))
