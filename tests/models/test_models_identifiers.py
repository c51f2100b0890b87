"""Checks that a new model refuses the identifiers that no path can contain, and that reading accepts all of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import subscribekit.models
from looped import looped
from subscribekit._core.operations.arguments import identifier
from subscribekit._core.operations.bodies import body_of
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import Account, BillingPlan, Campaign, Model, PaymentMethod, Subscription
from subscribekit.models._base import read
from subscribekit.models._scalars import TextLimit

UNREACHABLE = [
    "a/b", "a\\b", "a?b", "a#b", "100%", ".", "..", "..;a", ".;x", "a\nb", "a\x00", "a\x7f", "a\x85b",
    "a\uff0fb", "\uff0e\uff0e", "a\u200bb", "a\u202eb", "a\u2028b",
]  # fmt: skip
REACHABLE = ["a", "two words", "a.b", "...", "a;b", "x" * 128, "käse", "日本", "a@b.example", "~", "a:b", "a&b=c+d"]


@looped("value", UNREACHABLE)
@looped("name", ["id", "vid"])
def test_an_identifier_that_no_path_can_contain_is_refused(name: str, value: str) -> None:
    with pytest.raises(InvalidArgumentError):
        identifier(name, value)
    with pytest.raises(ValidationError, match="use the `vid`") as caught:
        Account(**{name: value})
    assert name in str(caught.value)
    assert value not in str(caught.value).replace("/ \\ ? # %", "") or len(value) < 3
    account = Account()
    with pytest.raises(ValidationError):
        setattr(account, name, value)


@pytest.mark.parametrize("value", REACHABLE)
def test_an_identifier_that_a_path_can_contain_is_accepted(value: str) -> None:
    assert identifier("id", value) == Account(id=value, vid=value).id == value


@given(st.text(min_size=1, max_size=140))
def test_paths_and_models_accept_the_same_identifiers(value: str) -> None:
    try:
        identifier("id", value)
    except InvalidArgumentError:
        with pytest.raises(ValidationError):
            BillingPlan(id=value)
    else:
        assert BillingPlan(id=value).id == value


def test_every_identifier_of_the_billing_api_has_the_rule() -> None:
    checked = 0
    for name in subscribekit.models.__all__:
        kind = getattr(subscribekit.models, name)
        if not (isinstance(kind, type) and issubclass(kind, Model)) or "object" not in kind.model_fields:
            continue
        for field in {"id", "vid"} & set(kind.model_fields):
            if name == "ScoreCode":  # its ID is the number of a reason, which no path contains
                continue
            with pytest.raises(ValidationError, match="vid"):
                kind(**{field: "a#b"})
            checked += 1
    assert checked > 40
    assert TextLimit(5).in_paths is False


@pytest.mark.parametrize("value", UNREACHABLE)
def test_any_identifier_is_read(value: str) -> None:
    account = read(Account, {"id": value, "vid": value, "payment_methods": [{"id": value}]})
    assert account.unparsed_fields == frozenset()
    assert account.id == account.vid == value
    assert account.payment_methods == [read(PaymentMethod, {"id": value})]


def test_a_received_identifier_can_be_sent() -> None:
    raw = {"vid": "v1", "id": "order #5", "products": [{"id": "100%"}]}
    assert json.loads(body_of("body", read(Campaign, raw), Campaign)) == raw


def test_an_unchecked_identifier_is_not_sent() -> None:
    for made in (Account(id="a").model_copy(update={"id": "a#b"}), Account.model_construct(id="a#b")):
        with pytest.raises(InvalidArgumentError, match="use the `vid`"):
            body_of("body", made, Account)
    with pytest.raises(InvalidArgumentError, match=r"body\.account\.id"):
        body_of("body", Subscription(account=Account.model_construct(id="a?b")), Subscription)
