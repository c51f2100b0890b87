"""Cases of accounts, payment methods, entitlements, and activities."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

from subscribekit._core.operations.operation import Safety
from subscribekit.models import (
    Account,
    Activity,
    ActivityNote,
    Credit,
    CreditCard,
    CurrencyAmount,
    Entitlement,
    EntitlementCheck,
    PaymentMethod,
    PaymentMethodPolicy,
)

from .cases import PAGED, PAGING, Case

_NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)
_CREDIT = Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=Decimal("19.90"), reason="outage")])
_CREDIT_SENT = '{"currency_amounts":[{"currency":"USD","amount":19.90,"reason":"outage"}]}'
_CHILD = Account(id="child", parent=Account(id="a1"))
_NOTE = Activity(account=Account(id="a1"), timestamp=_NOON, type="Note", note_args=ActivityNote(note="called"))
_NOTE_SENT = (
    '{"account":{"id":"a1"},"timestamp":"2026-01-02T12:00:00+00:00","type":"Note","note_args":{"note":"called"}}'
)
_CARD = PaymentMethod(
    id="pm1",
    type="CreditCard",
    credit_card=CreditCard(account="4111111111111111", expiration_date="203112"),
    policy=PaymentMethodPolicy(validate_=True, min_chargeback_probability=90),
)
_CARD_SENT = (
    '{"id":"pm1","type":"CreditCard","credit_card":{"expiration_date":"203112","account":"4111111111111111"},'
    '"policy":{"validate":true,"min_chargeback_probability":90}}'
)

CASES = (
    Case(
        "accounts.list",
        lambda c: c.accounts.list(
            **PAGING,
            email="a b@example.com",
            created_after=_NOON,
            created_before=_NOON,
            payment_method="pm1",
            boleto_fiscal_number="1",
            carrier_billing_encoded_phone_number="2",
            carrier_billing_phone_number="3",
            credit_card_account="4",
            direct_debit_account="5",
        ),
        "GET /accounts",
        [Account(id="a1")],
        query=(
            ("email", "a b@example.com"),
            ("created_after", "2026-01-02T12:00:00+00:00"),
            ("created_before", "2026-01-02T12:00:00+00:00"),
            ("payment_method", "pm1"),
            ("boleto_fiscal_number", "1"),
            ("carrier_billing_encoded_phone_number", "2"),
            ("carrier_billing_phone_number", "3"),
            ("credit_card_account", "4"),
            ("direct_debit_account", "5"),
            *PAGED,
        ),
    ),
    Case(
        "accounts.create",
        lambda c: c.accounts.create(Account(id="a1", email="a@example.com")),
        "POST /accounts",
        Account(id="a1", vid="v1"),
        body='{"id":"a1","email":"a@example.com"}',
        safety=Safety.WRITE,
        key="a1",
    ),
    Case(
        "accounts.create",
        lambda c: c.accounts.create(Account(name="No identifier")),
        "POST /accounts",
        Account(vid="v1"),
        body='{"name":"No identifier"}',
        safety=Safety.WRITE,
    ),
    Case(
        "accounts.retrieve", lambda c: c.accounts.retrieve("a 1"), "GET /accounts/a%201", Account(id="a 1"), key="a 1"
    ),
    Case(
        "accounts.update",
        lambda c: c.accounts.update("vid1", Account(id="a1", company=None)),
        "POST /accounts/vid1",
        Account(id="a1"),
        body='{"id":"a1","company":null}',
        safety=Safety.WRITE,
        key="a1",
    ),
    Case(
        "accounts.update",
        lambda c: c.accounts.update(
            "a1",
            Account(payment_methods=[PaymentMethod(vid="v9", primary=True)]),
            update_behavior="CatchUp",
            replace_on_all_subscriptions=True,
            ignore_avs=False,
            ignore_cvn=True,
        ),
        "POST /accounts/a1",
        Account(id="a1"),
        query=(
            ("update_behavior", "CatchUp"),
            ("replace_on_all_subscriptions", "1"),
            ("ignore_avs", "0"),
            ("ignore_cvn", "1"),
        ),
        body='{"payment_methods":[{"vid":"v9","primary":true}]}',
        safety=Safety.MONEY,
        key="a1",
    ),
    Case(
        "accounts.update",
        lambda c: c.accounts.update("a1", Account(name="n"), update_behavior="Validate"),
        "POST /accounts/a1",
        Account(id="a1"),
        query=(("update_behavior", "Validate"),),
        body='{"name":"n"}',
        safety=Safety.WRITE,
        key="a1",
    ),
    Case(
        "accounts.list_children",
        lambda c: c.accounts.list_children("a1", **PAGING),
        "GET /accounts/a1/children",
        [_CHILD],
        query=PAGED,
        key="a1",
    ),
    Case(
        "accounts.retrieve_child",
        lambda c: c.accounts.retrieve_child("a1", "child"),
        "GET /accounts/a1/children/child",
        _CHILD,
        key="child",
    ),
    Case(
        "accounts.add_child",
        lambda c: c.accounts.add_child("a1", _CHILD),
        "POST /accounts/a1/children",
        _CHILD,
        body='{"id":"child","parent":{"id":"a1"}}',
        safety=Safety.WRITE,
        key="child",
        empty=True,
    ),
    Case(
        "accounts.remove_child",
        lambda c: c.accounts.remove_child("a1", "child"),
        "DELETE /accounts/a1/children/child",
        None,
        safety=Safety.DELETE,
        key="child",
        empty=True,
    ),
    Case(
        "accounts.retrieve_credit",
        lambda c: c.accounts.retrieve_credit("a1"),
        "GET /accounts/a1/credits",
        _CREDIT,
        key="a1",
    ),
    Case(
        "accounts.grant_credit",
        lambda c: c.accounts.grant_credit("a1", _CREDIT),
        "POST /accounts/a1/credits",
        _CREDIT,
        body=_CREDIT_SENT,
        safety=Safety.MONEY,
        key="a1",
        empty=True,
    ),
    Case(
        "accounts.grant_entitlement",
        lambda c: c.accounts.grant_entitlement("a1", Entitlement(id="films", ends=_NOON, active=True)),
        "POST /accounts/a1/entitlements",
        Entitlement(id="films"),
        body='{"id":"films","ends":"2026-01-02T12:00:00+00:00","active":true}',
        safety=Safety.WRITE,
        key="films",
        empty=True,
    ),
    Case(
        "accounts.check_entitlement",
        lambda c: c.accounts.check_entitlement("a1", "films"),
        "GET /accounts/a1/entitlements/films",
        EntitlementCheck(state=True),
        key="films",
    ),
    Case(
        "accounts.revoke_entitlement",
        lambda c: c.accounts.revoke_entitlement("a1", "films"),
        "DELETE /accounts/a1/entitlements/films",
        None,
        safety=Safety.DELETE,
        key="films",
        empty=True,
    ),
    Case(
        "payment_methods.list",
        lambda c: c.payment_methods.list(**PAGING, account="a1"),
        "GET /payment_methods",
        [PaymentMethod(id="pm1")],
        query=(("account", "a1"), *PAGED),
    ),
    Case(
        "payment_methods.create",
        lambda c: c.payment_methods.create(_CARD),
        "POST /payment_methods",
        PaymentMethod(id="pm1", primary=True),
        body=_CARD_SENT,
        safety=Safety.WRITE,
        key="pm1",
    ),
    Case(
        "payment_methods.retrieve",
        lambda c: c.payment_methods.retrieve("pm1"),
        "GET /payment_methods/pm1",
        PaymentMethod(id="pm1"),
        key="pm1",
    ),
    Case(
        "payment_methods.update",
        lambda c: c.payment_methods.update("pm1", PaymentMethod(active=False)),
        "POST /payment_methods/pm1",
        PaymentMethod(id="pm1", active=False),
        body='{"active":false}',
        safety=Safety.WRITE,
        key="pm1",
        empty=True,
    ),
    Case(
        "entitlements.list",
        lambda c: c.entitlements.list(**PAGING, account="a1", include_children=True, show_all=False),
        "GET /entitlements",
        [Entitlement(id="films")],
        query=(("account", "a1"), ("include_children", "1"), ("show_all", "0"), *PAGED),
    ),
    Case(
        "activities.list",
        lambda c: c.activities.list(**PAGING, account="a1"),
        "GET /activities",
        [_NOTE],
        query=(("account", "a1"), *PAGED),
    ),
    Case(
        "activities.create",
        lambda c: c.activities.create(_NOTE),
        "POST /activities",
        _NOTE.model_copy(update={"vid": "v1"}),
        body=_NOTE_SENT,
        safety=Safety.WRITE,
    ),
)
