"""Checks that every operation refuses a wrong argument before it sends anything, and that the error names it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, TypeVar, get_args

import pytest

from descriptions import families, methods
from kit.calls import BLOCKING, CREDENTIALS, URL, Group, Service
from looped import looped
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import (
    Account,
    Chargeback,
    EntitlementCharge,
    Model,
    Refund,
    Subscription,
    Transaction,
    money,
    subscription_changes,
)

from .tables import ALL

NO_KIND = object()
"""A value that no argument accepts."""
WRONG: list[Any] = [
    NO_KIND, 5, -1, 1.5, True, b"x", "", "a/b", "x" * 2000, "\ud800", [1], ["x"], {"a": 1}, {"id": "x"}, {1}, (),
    Account, Account(), Refund(), lambda: None, ..., Exception("x"), None,
]  # fmt: skip


def operations() -> Iterator[tuple[Group, str, str, list[inspect.Parameter]]]:
    """Yield each operation with its positional parameters."""
    for group, family, resource in families():
        for name, each in methods(resource).items():
            parameters = list(inspect.signature(each).parameters.values())[1:]
            yield group, family, name, [one for one in parameters if one.kind is not one.KEYWORD_ONLY]


def valid_value(parameter: inspect.Parameter) -> Any:
    """Return a value that the parameter accepts."""
    if parameter.name == "path":
        return "/user/accounts"
    if isinstance(parameter.annotation, TypeVar):
        return Chargeback()
    if parameter.annotation is EntitlementCharge:
        return EntitlementCharge(transaction_id="x")
    kinds = [parameter.annotation, *get_args(parameter.annotation)]
    return next((kind() for kind in kinds if isinstance(kind, type) and issubclass(kind, Model)), "x")


def required_keywords(group: Group, name: str, method: Callable[..., Any]) -> dict[str, Any]:
    """Return the keyword arguments of a case if the operation has a required one, or else an empty dictionary."""
    parameters = inspect.signature(method).parameters.values()
    if all(each.kind is not each.KEYWORD_ONLY or each.default is not each.empty for each in parameters):
        return {}
    return next(case.keywords for case in ALL if (case.group, case.name) == (group, name))


def prepared_method(client: Any, family: str, name: str) -> Callable[..., Any]:
    """Return the method of `client.prepare`."""
    prepare = client.prepare
    of = prepare.resource("chargebacks", Chargeback) if family == "generic_resource" else getattr(prepare, family)
    method: Callable[..., Any] = getattr(of, name)
    return method


POSITIONS = [
    (group, family, name, parameters, position)
    for group, family, name, parameters in operations()
    for position in range(len(parameters))
]


def test_operations_have_positional_parameters() -> None:
    assert len(POSITIONS) > 60
    assert {group for group, *_ in POSITIONS} == {"billing", "gateway", "user_mgmt", "storefront"}


@looped(("group", "family", "name", "parameters", "position"), POSITIONS)
def test_the_error_about_a_wrong_argument_names_the_argument(
    group: Group, family: str, name: str, parameters: list[inspect.Parameter], position: int
) -> None:
    with BLOCKING[group](base_url=URL[group], wire_names=SANDBOX_WIRE_NAMES, **CREDENTIALS[group]) as client:
        method = prepared_method(client, family, name)
        more = required_keywords(group, f"{family}.{name}", method)
        for wrong in WRONG:
            given = [wrong if at == position else valid_value(each) for at, each in enumerate(parameters)]
            refused = ""
            try:
                method(*given, **more)
            except InvalidArgumentError as error:
                refused = str(error)
            assert refused or wrong is not NO_KIND
            assert not refused or parameters[position].name.split("_")[0] in refused, wrong


KEYWORDS = [
    (group, family, name, method, keyword.name)
    for group, family, resource in families()
    for name, method in methods(resource).items()
    for keyword in inspect.signature(method).parameters.values()
    if keyword.kind is keyword.KEYWORD_ONLY
]


def test_operations_have_keyword_parameters() -> None:
    assert len(KEYWORDS) > 200


@looped(("group", "family", "name", "described", "keyword"), KEYWORDS)
def test_the_error_about_a_wrong_keyword_names_the_keyword(
    group: Group, family: str, name: str, described: Callable[..., Any], keyword: str
) -> None:
    positional = next(each for *found, each in operations() if found == [group, family, name])
    with BLOCKING[group](base_url=URL[group], wire_names=SANDBOX_WIRE_NAMES, **CREDENTIALS[group]) as client:
        method = prepared_method(client, family, name)
        keywords = required_keywords(group, f"{family}.{name}", described) | {keyword: NO_KIND}
        with pytest.raises(InvalidArgumentError, match=keyword):
            method(*map(valid_value, positional), **keywords)


HELPERS: list[tuple[str, Callable[[Any], Any]]] = [
    ("redeem", lambda wrong: subscription_changes.redeem(wrong, "X")),
    ("combine", lambda wrong: subscription_changes.combine(wrong)),
    ("combine", lambda wrong: subscription_changes.combine(Subscription(id="s"), wrong)),
    ("refundable_amount", lambda wrong: money.refundable_amount(wrong, [])),
    ("refundable_amount", lambda wrong: money.refundable_amount(Transaction(id="t", amount=5), [wrong])),
    ("item_tax", money.item_tax),
    ("item_total", money.item_total),
    ("items_total", lambda wrong: money.items_total([wrong])),
    ("tax_total", lambda wrong: money.tax_total([wrong])),
]


@looped(("name", "call"), HELPERS)
@looped("wrong", ["sub-1", *(each for each in WRONG if not isinstance(each, Refund))])
def test_the_error_of_a_helper_names_the_accepted_class(name: str, call: Callable[[Any], Any], wrong: Any) -> None:
    kind = "(Subscription|Transaction|TransactionItem|Refund)"
    with pytest.raises(TypeError, match=rf"^({name} requires|\w+ must (be|contain)) (a |only )?{kind}"):
        call(wrong)


CLIENT: list[tuple[str, Callable[[Any, Any], Any]]] = [
    ("method", lambda client, wrong: client.request(wrong, "/x")),
    ("path", lambda client, wrong: client.request("GET", wrong)),
    ("name", lambda client, wrong: client.resource(wrong, Chargeback)),
    ("model", lambda client, wrong: client.resource("chargebacks", wrong)),
    ("path", lambda client, wrong: client.collection(wrong, Chargeback).list()),
    ("item", lambda client, wrong: client.collection("/x", wrong)),
    ("request", lambda client, wrong: client.send(wrong)),
    ("error|has no record of a call", lambda client, wrong: client.resolve(wrong)),
]


@looped(("name", "call"), CLIENT)
@looped("wrong", [each for each in WRONG if each is not Account])
def test_the_error_of_a_client_names_the_wrong_argument(name: str, call: Callable[[Any, Any], Any], wrong: Any) -> None:
    client = BLOCKING["billing"](base_url=URL["billing"], **CREDENTIALS["billing"], transport=Service())
    with client, pytest.raises((InvalidArgumentError, TypeError), match=name):
        call(client, wrong)
