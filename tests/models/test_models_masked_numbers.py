"""The service masks card and account numbers in responses, and a masked number is never sent (H405)."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from looped import looped
from subscribekit import BillingClient
from subscribekit._core.operations.bodies import body_of
from subscribekit.errors import PaymentAuthorizationError
from subscribekit.models import (
    Account,
    CreditCard,
    DirectDebit,
    MerchantAcceptedPayment,
    PaymentMethod,
    Subscription,
    Transaction,
    from_json,
    to_json,
)
from subscribekit.models._base import Model, read
from subscribekit.models._masked_numbers import is_masked, is_masked_but_for_the_end
from subscribekit.sandbox import Sandbox

pytestmark = pytest.mark.hazard("H405")

CARD = "400000XXXXXX0002"
TEXT = "account is masked; leave account out, or set the unmasked number"


def method(number: str = CARD) -> dict[str, Any]:
    return {"id": "pm", "credit_card": {"object": "CreditCard", "account": number, "last_digits": "0002"}}


WITHOUT = {"id": "pm", "credit_card": {"object": "CreditCard", "last_digits": "0002"}}


@looped(
    ("number", "expected"),
    [
        ("400000XXXXXX0002", True),
        ("400000xxxxxx0002", True),
        ("400000******0002", True),
        ("4000 00XX XXXX 0002", True),
        ("XXXXXXXXXXXXXXXXXX3000", True),
        ("XXXXXXXXXXXXXXXX", True),
        ("X3456", True),
        ("DE89XXXXXXXXXX3000", True),
        ("4000000000000002", False),
        ("DE89 3704 0044 0532 0130 00", False),
        ("", False),
        ("NL53FXBB0123456789", False),
        ("gb25 nxbk 1234 5612 3456 78", False),
        ("NL54FXBB0123456789", True),
        ("NL53FX*B0123456789", True),
    ],
)
def test_a_number_with_an_x_or_a_star_is_masked_unless_it_is_an_iban(number: str, expected: bool) -> None:
    assert is_masked(number) is expected


@looped(
    ("account", "expected"),
    [("XXXXXsMAP", True), ("XXXX", True), ("****1234", True), ("EXPRESS-12", False), ("BOX 12", False), ("", False)],
)
def test_a_merchants_account_is_masked_if_only_its_end_is_shown(account: str, expected: bool) -> None:
    assert is_masked_but_for_the_end(account) is expected


@looped(
    "build",
    [
        lambda: CreditCard(account=CARD),
        lambda: DirectDebit(account="XXXXXXXXXXXXXXXXXX3000"),
        lambda: MerchantAcceptedPayment(account="XXXXXsMAP"),
        lambda: PaymentMethod(credit_card={"account": CARD}),
        lambda: Account(payment_methods=[{"direct_debit": {"account": "XXXX3000"}}]),
        lambda: Subscription(payment_method={"credit_card": {"account": CARD}}),
        lambda: setattr(CreditCard(), "account", CARD),
        lambda: setattr(read(CreditCard, {"account": CARD}), "account", CARD),
        lambda: setattr(read(PaymentMethod, method()), "credit_card", {"account": CARD}),
        lambda: CreditCard(**read(CreditCard, {"account": CARD}).model_dump()),
    ],
)
def test_a_class_call_and_an_assignment_refuse_a_masked_number(build: Callable[[], object]) -> None:
    with pytest.raises(ValidationError, match=TEXT) as caught:
        build()
    assert caught.value.errors()[0]["loc"][-1] == "account"
    assert "XX" not in str(caught.value)


LOADS: dict[str, Callable[[type[Any], dict[str, Any]], Any]] = {
    "response": read,
    "model_validate": lambda kind, raw: kind.model_validate(raw),
    "model_validate_json": lambda kind, raw: kind.model_validate_json(json.dumps(raw)),
    "TypeAdapter": lambda kind, raw: TypeAdapter(list[kind]).validate_json(json.dumps([raw]))[0],  # type: ignore[valid-type]
    "from_json": lambda kind, raw: from_json(kind, json.dumps(raw)),
}


@pytest.mark.parametrize("load", LOADS.values(), ids=LOADS)
@looped(
    ("kind", "raw", "sent"),
    [
        (PaymentMethod, method(), WITHOUT),
        (PaymentMethod, {"direct_debit": {"account": "XXXX3000", "country_code": "DE"}},
         {"direct_debit": {"country_code": "DE"}}),
        (PaymentMethod, {"merchant_accepted_payment": {"account": "XXXXXsMAP"}}, {"merchant_accepted_payment": {}}),
        (Account, {"payment_methods": {"object": "List", "data": [method()]}},
         {"payment_methods": {"object": "List", "data": [WITHOUT]}}),
        (Account, {"payment_methods": [method()]}, {"payment_methods": [WITHOUT]}),
        (Subscription, {"account": {"payment_methods": [method()]}, "payment_method": method()},
         {"account": {"payment_methods": [WITHOUT]}, "payment_method": WITHOUT}),
        (Transaction, {"source_payment_method": method()}, {"source_payment_method": WITHOUT}),
        (Account, {"backup": [{"object": "PaymentMethod", **method()}]},
         {"backup": [{"object": "PaymentMethod", **WITHOUT}]}),
        (Account, {"backup": {"object": "Other", "account": CARD}, "note": {"credit_card": {"account": CARD}}},
         {"backup": {"object": "Other", "account": CARD}, "note": {"credit_card": {"account": CARD}}}),
        (PaymentMethod, method("4000000000000002"), method("4000000000000002")),
    ],
)  # fmt: skip
def test_a_masked_number_is_kept_and_not_sent(
    load: Callable[[type[Model], dict[str, Any]], Model],
    kind: type[Model],
    raw: dict[str, Any],
    sent: dict[str, Any],
) -> None:
    model = load(kind, raw)
    assert json.loads(to_json(model)) == raw
    assert json.loads(body_of("body", model, kind)) == sent
    copied = model.model_copy(deep=True)
    assert (
        json.loads(body_of("body", kind.model_validate_json(copied.model_dump_json(exclude_unset=True)), kind)) == sent
    )


def test_an_unchecked_masked_number_is_not_sent() -> None:
    for card in (
        CreditCard(bin="400000").model_copy(update={"account": CARD}),
        CreditCard.model_construct(account=CARD),
    ):
        assert b"XX" not in body_of("body", card, CreditCard)


def test_a_declined_card_stays_declined_after_its_account_was_read_changed_and_written() -> None:
    sandbox = Sandbox()
    with sandbox.billing() as billing:
        methods = {each.id: each for each in billing.payment_methods.list()}
        owner = next(
            account
            for account in billing.accounts.list()
            if any(each.id == "pm-declined-0025" for each in account.payment_methods or ())
        )
        declined = methods["pm-declined-0025"]
        assert declined.credit_card is not None
        assert declined.credit_card.account == CARD
        owner.name = "Ada"
        changed = billing.accounts.update(str(owner.id), owner)
        assert changed.name == "Ada"
        billing.payment_methods.update("pm-declined-0025", declined)
        again = billing.payment_methods.retrieve("pm-declined-0025")
        assert again.credit_card == declined.credit_card
        charge = Transaction(
            account=Account(id=owner.id),
            source_payment_method=PaymentMethod(id="pm-declined-0025"),
            currency="USD",
            amount=Decimal("4.90"),
        )
        with pytest.raises(PaymentAuthorizationError):
            billing.transactions.create(charge)


def test_the_example_of_the_guide_sends_no_masked_number() -> None:
    billing = BillingClient(environment="sandbox")
    account = billing.accounts.retrieve("acct-0001")
    account.name = "Ada"
    assert b"XX" in to_json(account)
    assert b"XX" not in (billing.prepare.accounts.update("acct-0001", account).body or b"")
