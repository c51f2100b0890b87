"""Checks that a printed model never shows personal data or payment data."""

from __future__ import annotations

import traceback

import pytest
from models_specification import words
from pydantic import ValidationError

import subscribekit.models
from looped import looped
from subscribekit.models import (
    Account,
    Address,
    CreditCard,
    EventSummary,
    ModelList,
    PaymentMethod,
    Sensitive,
    Subscription,
    Transaction,
    sensitive_fields,
)
from subscribekit.models._base import Model, read, write

# Names of text fields that contain personal or payment data in every model. The list is written by hand.
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
    "EntitlementCharge": {"amount", "tax_amount"},
}


def _models() -> list[type[Model]]:
    values = [getattr(subscribekit.models, name) for name in subscribekit.models.__all__]
    return [value for value in values if isinstance(value, type) and issubclass(value, Model)]


@looped("kind", _models())
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


def test_none_in_a_sensitive_field_is_shown() -> None:
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


def test_a_program_can_get_the_sensitive_fields() -> None:
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
    assert account.unparsed_fields == {"notify_before_billing"}
    assert account == read(Account, write(account))


HUGE = 10**5000
UNPRINTABLE = "unprintable"


class Rude:
    """An application's value whose `repr` raises an exception."""

    def __repr__(self) -> str:
        raise KeyError("s3cret")


@looped("kind", _models())
def test_an_incomplete_model_can_be_printed(kind: type[Model]) -> None:
    for half_built in (kind.__new__(kind), object.__new__(kind), kind.model_construct()):
        assert repr(half_built) == f"{kind.__name__}()"
        assert str(half_built) == ""
        assert f"{[half_built]}" == f"[{kind.__name__}()]"


@pytest.mark.hazard("H95")
def test_a_model_can_be_printed_after_its_construction_failed() -> None:
    kept: list[Account] = []

    class Kept(Account):
        def __new__(cls, **fields: object) -> Kept:
            made = super().__new__(cls)
            kept.append(made)
            return made

    with pytest.raises(ValidationError) as caught:
        Kept(email=5)  # type: ignore[arg-type]  # the test passes a wrong type
    assert repr(kept) == "[Kept()]"
    tracebacks = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    assert "Kept()" in "".join(tracebacks.format())
    assert kept[0] != Kept(id="a1")
    assert kept[0].unparsed_fields == frozenset()


@pytest.mark.parametrize(
    "count", [HUGE, "9" * 5000, -HUGE, True, "x", 1.5, None], ids=lambda count: type(count).__name__
)
def test_a_collection_with_any_count_can_be_printed(count: object) -> None:
    account = read(Account, {"tokens": {"object": "List", "total_count": count, "data": [{"amount": 1}]}})
    assert account.tokens is not None
    assert account.tokens.total_count is None
    assert repr(account) == "Account(tokens=ModelList([TokenAmount(amount=Decimal('1'))]))"


def test_the_type_is_shown_for_a_value_that_cannot_be_printed() -> None:
    transaction = read(Transaction, {"billing_attempt": HUGE, "id": "t1"})
    assert repr(transaction) == f"Transaction(id='t1', billing_attempt=<{UNPRINTABLE} int>)"
    assert repr(ModelList([HUGE, 1])) == f"ModelList([<{UNPRINTABLE} int>, 1])"
    for odd in (Rude(), [Rude()], {"a": Rude()}):
        printed = repr(Account.model_construct(company=odd))
        assert printed == f"Account(company=<{UNPRINTABLE} {type(odd).__name__}>)"
    assert repr(Account.model_construct(company="\ud800")) == "Account(company='\\ud800')"
    assert repr(read(Transaction, {"amount": "1E+279"})) == "Transaction(amount=Decimal('1E+279'))"


def test_a_model_that_contains_itself_can_be_printed() -> None:
    account = Account(id="a1")
    account.__dict__["parent"] = account
    account.model_fields_set.add("parent")
    assert repr(account) == "Account(id='a1', parent=...)"
    account.__dict__["tokens"] = tokens = ModelList([account])
    account.model_fields_set.add("tokens")
    assert repr(tokens) == "ModelList([Account(id='a1', parent=..., tokens=...)])"


def test_a_very_deep_model_can_be_printed() -> None:
    account = Account(id="a0")
    for _ in range(5000):
        account = Account.model_construct(parent=account)
    assert repr(account).startswith("Account(parent=Account(parent=")
    assert repr(ModelList.__new__(ModelList)) == "ModelList()"
