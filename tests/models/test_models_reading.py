"""Checks that unexpected values in a response leave the other values readable, and that nothing is lost."""

from __future__ import annotations

import copy
import pickle
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from pydantic import ValidationError

from subscribekit.models import (
    Account,
    AccountAssociation,
    BillingPlan,
    BillingPlanHistory,
    BssAccount,
    Campaign,
    CurrencyAmount,
    EntitlementCharge,
    EventSummary,
    PaymentMethod,
    Product,
    Subscription,
    SubscriptionPolicy,
    Transaction,
    TransactionStatus,
)
from subscribekit.models._base import read, write


@pytest.mark.parametrize("raw", [[], [{"object": "Account"}], "Account", 5, True, None, {"object": "Error"}])
def test_a_wrong_top_level_is_refused(raw: object) -> None:
    with pytest.raises(ValidationError):
        read(Account, raw)


def test_another_object_at_the_top_is_refused_even_beside_other_damage() -> None:
    with pytest.raises(ValidationError):
        read(Account, {"object": "Subscription", "notify_before_billing": "perhaps"})


def test_an_absent_or_null_object_is_accepted() -> None:
    assert read(Account, {"id": "a1"}).object == "Account"
    assert write(read(Account, {"id": "a1", "object": None})) == {"id": "a1", "object": None}


def test_a_missing_required_field_is_refused() -> None:
    with pytest.raises(ValidationError):
        read(EntitlementCharge, {"amount": 5})


def test_limits_do_not_apply_to_responses() -> None:
    account = read(Account, {"id": "a/b" * 100, "name": "n" * 5000, "vid": ""})
    assert account.id == "a/b" * 100
    assert account.name == "n" * 5000
    assert account.vid == ""


def test_identifiers_sent_as_numbers_become_text() -> None:
    account = read(Account, {"id": 17, "external_id": Decimal("1.10")})
    assert (account.id, account.external_id) == ("17", "1.10")


def test_unknown_fields_are_kept_readable_and_sent_again() -> None:
    raw = {"id": "a1", "tier": {"name": "gold", "since": Decimal("1.50")}, "shipping_address": {"floor": 3}}
    account = read(Account, raw)
    assert account.model_extra == {"tier": {"name": "gold", "since": Decimal("1.50")}}
    assert account.shipping_address is not None
    assert account.shipping_address.model_extra == {"floor": 3}
    assert write(account) == raw


def test_unknown_fields_survive_an_assignment() -> None:
    account = read(Account, {"id": "a1", "tier": "gold", "shipping_address": {"city": "Bonn", "floor": 3}})
    account.name = "New"
    assert account.shipping_address is not None
    account.shipping_address.city = "Köln"
    assert write(account) == {
        "id": "a1",
        "name": "New",
        "tier": "gold",
        "shipping_address": {"city": "Köln", "floor": 3},
    }


@pytest.mark.parametrize(
    "raw",
    [
        {"id": "a1", "created": "yesterday"},
        {"id": "a1", "notify_before_billing": "perhaps"},
        {"id": "a1", "email": ["a@b.example"]},
        {"id": "a1", "shipping_address": "1 Main Street"},
        {"id": "a1", "shipping_address": {"object": "Error", "city": "Bonn"}},
        {"id": "a1", "shipping_address": {"latitude": "north", "city": "Bonn"}},
        {"id": "a1", "payment_methods": "none"},
        {"id": "a1", "payment_methods": [1, 2]},
        {"id": "a1", "payment_methods": {"object": "List", "data": {"id": "p1"}}},
        {"id": "a1", "payment_methods": {"object": "List", "total_count": 1, "data": [{"primary": "maybe"}]}},
        {"id": "a1", "credit": {"currency_amounts": [{"amount": "much", "account": {"created": "never"}}]}},
        {"id": "a1", "metadata": "none"},
        {"id": "a1", "parent": {"parent": {"created": 5, "id": "root"}}},
    ],
)
def test_a_damaged_value_inside_leaves_the_rest_readable_and_is_sent_again(raw: dict[str, object]) -> None:
    account = read(Account, raw)
    assert account.id == "a1"
    assert write(account) == raw


def test_unparsed_fields_names_the_damaged_fields_of_each_object() -> None:
    raw = {
        "payment_methods": {
            "object": "List",
            "data": [{"id": "p1"}, {"id": "p2", "primary": "maybe", "credit_card": {"account_length": "long"}}],
        },
    }
    account = read(Account, raw)
    assert account.unparsed_fields == frozenset()
    assert account.payment_methods is not None
    first, second = account.payment_methods
    assert first.unparsed_fields == frozenset()
    assert second.unparsed_fields == {"primary"}
    assert second.primary is None
    assert second.model_extra == {"primary": "maybe"}
    assert second.credit_card is not None
    assert second.credit_card.unparsed_fields == {"account_length"}


def test_reading_does_not_change_the_raw_response() -> None:
    raw = {"shipping_address": {"latitude": "north"}, "payment_methods": [{"primary": "maybe"}]}
    read(Account, raw)
    assert raw == {"shipping_address": {"latitude": "north"}, "payment_methods": [{"primary": "maybe"}]}


def test_an_assignment_replaces_a_value_that_could_not_be_parsed() -> None:
    account = read(Account, {"id": "a1", "notify_before_billing": "perhaps"})
    account.notify_before_billing = True
    assert account.unparsed_fields == frozenset()
    assert write(account) == {"id": "a1", "notify_before_billing": True}


def test_a_number_that_is_too_large_is_not_parsed() -> None:
    huge = Decimal("1E+999999999")
    transaction = read(Transaction, {"amount": huge, "billing_attempt": huge, "cvn_checked": huge, "id": "t1"})
    assert transaction.id == "t1"
    assert transaction.unparsed_fields == {"amount", "billing_attempt", "cvn_checked"}


@pytest.mark.parametrize(
    "value",
    ["NaN", "Infinity", "-Infinity", "1e9999999999999999999999", "1_000", "0x10", "", "\u0661", Decimal("NaN"), True],
)
def test_a_value_that_is_not_a_number_is_not_parsed(value: object) -> None:
    transaction = read(Transaction, {"amount": value})
    assert transaction.amount is None
    assert transaction.unparsed_fields == {"amount"}


@pytest.mark.parametrize(
    "credit",
    [
        {"object": "Credit"},
        {"currency_amounts": [{"amount": Decimal("1.10")}]},
        [{"object": "Credit"}],
        {"object": "List", "data": [{"object": "Credit"}], "total_count": 1},
        {"object": "List", "data": [], "total_count": 0},
        [],
        None,
    ],
)
def test_credit_is_written_in_the_form_in_which_it_was_read(credit: object) -> None:
    assert write(read(Account, {"credit": credit})) == {"credit": credit}


def test_one_credit_object_reads_as_a_collection_of_one() -> None:
    account = read(Account, {"credit": {"currency_amounts": [{"amount": Decimal("5.00"), "currency": "EUR"}]}})
    assert account.credit is not None
    assert len(account.credit) == 1
    assert account.credit.total_count is None
    assert account.credit[0].currency_amounts is not None
    assert account.credit[0].currency_amounts[0].amount == Decimal("5.00")


@pytest.mark.parametrize("form", ["array", "envelope", "single"])
def test_a_collection_shares_nothing_with_the_raw_response(form: str) -> None:
    element: dict[str, object] = {"object": "TokenAmount", "source": "gift"}
    forms: dict[str, object] = {
        "array": [element],
        "envelope": {"object": "List", "total_count": 7, "data": [element]},
        "single": element,
    }
    raw = {"tokens": forms[form]}
    received = copy.deepcopy(raw)
    account = read(Account, raw)
    assert raw == received
    assert account.tokens is not None
    assert account.tokens.total_count == (7 if form == "envelope" else None)
    element["source"] = "changed"
    for container in (raw["tokens"], forms["array"]):
        assert isinstance(container, (dict, list))
        container.clear()
    assert write(account) == received
    assert write(account.model_copy(deep=True)) == received
    assert write(pickle.loads(pickle.dumps(account))) == received


@pytest.mark.parametrize("codes", [[{"id": "1"}], {"object": "List", "total_count": 1, "data": [{"id": "1"}]}])
def test_score_codes_can_be_an_array_or_an_envelope(codes: object) -> None:
    transaction = read(Transaction, {"score_codes": codes})
    assert transaction.score_codes is not None
    assert [code.id for code in transaction.score_codes] == ["1"]
    assert write(transaction) == {"score_codes": codes}


def test_cvn_checked_can_be_the_text_no() -> None:
    assert read(Transaction, {"cvn_checked": "No"}).cvn_checked is False


def test_status_and_status_log_may_both_occur() -> None:
    transaction = read(Transaction, {"status": "Complete", "status_log": [{"status": "Captured"}]})
    assert transaction.status == "Complete"
    assert transaction.status_log is not None
    assert transaction.status_log[0].status == "Captured"


def test_a_policy_can_be_an_object_or_an_array() -> None:
    as_object = read(Subscription, {"policy": {"ignore_avs_policy": 1, "new_rule": "x"}})
    assert isinstance(as_object.policy, SubscriptionPolicy)
    assert as_object.policy.ignore_avs_policy is True
    assert write(as_object) == {"policy": {"ignore_avs_policy": True, "new_rule": "x"}}
    as_array = read(Subscription, {"policy": ["one", "two"]})
    assert as_array.policy == ["one", "two"]
    assert write(read(PaymentMethod, {"policy": {"validate": 1}})) == {"policy": {"validate": True}}


def test_published_spellings_are_read_into_the_specified_fields() -> None:
    assert read(CurrencyAmount, {"granted_by_cashbox": False}).granted_by_service is False
    assert read(TransactionStatus, {"vin_avs": "NoMatch"}).service_avs == "NoMatch"
    assert write(read(CurrencyAmount, {"granted_by_cashbox": True})) == {"granted_by_service": True}
    assert write(read(TransactionStatus, {"vin_avs": "FullMatch"})) == {"service_avs": "FullMatch"}


def test_wire_misspellings_have_correct_properties() -> None:
    subscription = read(Subscription, {"unkonwn_starts": True})
    assert subscription.unknown_starts is True
    built = Subscription(unkonwn_starts=True)
    built.unknown_starts = False
    assert write(built) == {"unkonwn_starts": False}
    bss = read(BssAccount, {"metadta": {"k": "v"}})
    assert bss.metadata == {"k": "v"}
    bss.metadata = {"k": "w"}
    assert write(bss) == {"metadta": {"k": "w"}}


def test_metadata_numbers_become_text_and_other_kinds_stay() -> None:
    account = read(Account, {"metadata": {"flag": 1, "rate": Decimal("1.10"), "on": True, "none": None, "list": [1]}})
    assert account.metadata == {"flag": "1", "rate": "1.10", "on": True, "none": None, "list": [1]}


def test_a_reference_reads_as_the_full_type() -> None:
    product = read(Product, {"default_billing_plan": {"object": "BillingPlan", "id": "b1", "vid": "v1"}})
    assert product.default_billing_plan is not None
    assert (product.default_billing_plan.id, product.default_billing_plan.vid) == ("b1", "v1")
    assert product.default_billing_plan.periods is None


def test_the_keys_of_an_event_summary_can_have_dots_and_underscores() -> None:
    raw = {
        "rated_unit": {
            "ratable_usage_metric.id": "m1",
            "ratable_usage_metric.name_singular": "call",
            "ratable_usage_metric.name_plural": "calls",
            "ratable_usage_metric.merchant_id": "calls-1",
            "_id": {"copy": 1},
        },
        "rated_unit_total": Decimal("2.50"),
        "event_count": 3,
    }
    summary = read(EventSummary, raw)
    assert summary.rated_unit is not None
    assert (summary.rated_unit.name_singular, summary.rated_unit.merchant_id) == ("call", "calls-1")
    assert summary.rated_unit.model_extra == {"_id": {"copy": 1}}
    assert summary.rated_unit_total == Decimal("2.50")
    assert write(summary) == raw


def test_account_number_is_found_by_the_end_of_its_key() -> None:
    raw = {"attributes": {"bssName": "b", "com.example.account.AccountNumber": 4711}}
    association = read(AccountAssociation, raw)
    assert association.attributes is not None
    assert association.attributes.account_number == "4711"
    assert write(association) == raw
    assert read(AccountAssociation, {"attributes": {}}).attributes is not None


def test_a_campaign_can_have_numbers_as_text_and_a_flag_as_a_number() -> None:
    campaign = read(Campaign, {"max_redemptions": "3", "percentage_discount": "12.50", "on_demand_codes_allowed": 1})
    assert campaign.max_redemptions == 3
    assert str(campaign.percentage_discount) == "12.50"
    assert campaign.on_demand_codes_allowed is True


def test_read_and_built_models_compare_equal() -> None:
    assert read(Account, {"id": "a1", "email": "a@b.example"}) == Account(id="a1", email="a@b.example")
    assert read(Account, {"id": "a1"}) != Account(id="a2")
    assert read(Account, {"id": "a1", "tier": "gold"}) != Account(id="a1")
    assert Account() != Product()


METRIC = {"id": "m1", "name_singular": "call", "name_plural": "calls", "merchant_id": "x", "_seen": 5}
FLAT_METRIC = {f"ratable_usage_metric.{name}": value for name, value in METRIC.items()}


@pytest.mark.parametrize("unit", [FLAT_METRIC, {"ratable_usage_metric": METRIC}])
def test_the_rated_unit_is_read_flat_and_nested(unit: dict[str, object]) -> None:
    summary = read(EventSummary, {"rated_unit": {**unit, "_other": 1}})
    rated = summary.rated_unit
    assert rated is not None
    assert (rated.id, rated.name_singular, rated.name_plural, rated.merchant_id) == ("m1", "call", "calls", "x")
    assert rated.model_extra == {"ratable_usage_metric._seen": 5, "_other": 1}
    assert write(summary) == {"rated_unit": {**FLAT_METRIC, "_other": 1}}


@pytest.mark.parametrize("nested", [METRIC, "text", None, []])
def test_a_rated_unit_in_both_forms_loses_nothing(nested: object) -> None:
    raw = {"rated_unit": {"ratable_usage_metric.id": "flat", "ratable_usage_metric": nested}}
    summary = read(EventSummary, raw)
    assert summary.rated_unit is not None
    assert summary.rated_unit.id == "flat"
    assert write(summary) == raw


@pytest.mark.parametrize("name", ["billing_plan_history", "billingPlanHistory"])
@pytest.mark.parametrize("enveloped", [True, False])
def test_the_history_of_billing_plans_is_read(name: str, enveloped: bool) -> None:
    entries = [{"object": "BillingPlanHistory", "billing_plan": {"id": "p1"}, "starts": "2026-01-01T00:00:00Z", "n": 1}]
    envelope = {"object": "List", "total_count": 1, "data": entries}
    history = read(Subscription, {name: envelope if enveloped else entries}).billing_plan_history
    assert history is not None
    assert type(history[0]) is BillingPlanHistory
    assert history[0].billing_plan == read(BillingPlan, {"id": "p1"})
    assert history[0].starts == datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("shape", ["none", 5, {"p1": "2026"}, [5], [{"object": "Other"}], [{"starts": "soon"}]])
def test_a_history_of_another_shape_is_kept_unparsed(shape: object) -> None:
    subscription = read(Subscription, {"id": "s1", "billing_plan_history": shape})
    assert subscription.id == "s1"
    assert write(subscription) == {"id": "s1", "billing_plan_history": shape}
