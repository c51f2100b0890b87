"""Read-only clients, and clients that check amounts against the minor units of their currency (H246, H247)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from billing.cases import Case
from billing.tables import ALL
from kit.calls import ASYNC, BLOCKING, CREDENTIALS, GROUPS, URL, Group, Run, Service, answer, page
from looped import looped
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit._core.operations.minor_units import MINOR_UNITS
from subscribekit._core.operations.operation import Safety
from subscribekit.errors import ConfigurationError, InvalidArgumentError
from subscribekit.models import (
    Account,
    Credit,
    CurrencyAmount,
    EntitlementCharge,
    Product,
    ProductPrice,
    RatePlan,
    RatePlanPrice,
    RatePlanTier,
    Subscription,
    SubscriptionItem,
    Token,
    TokenAmount,
    Transaction,
    TransactionItem,
)

WRITES = tuple(case for case in ALL if case.safety is not Safety.READ)
READ_ONLY: dict[str, dict[str, Any]] = {"argument": {"read_only": True}, "variable": {}}
VARIABLE = "SUBSCRIBEKIT_READ_ONLY"


@pytest.fixture(params=READ_ONLY)
def read_only_options(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    if request.param == "variable":
        monkeypatch.setenv(VARIABLE, "1")
    return READ_ONLY[request.param]


def refused(group: Group, use: Callable[[Any], Any], run: Run, **options: Any) -> InvalidArgumentError:
    """Return the error of a call that must be refused before anything is sent."""
    service = Service()
    with pytest.raises(InvalidArgumentError) as caught:
        run(group, use, transport=service, wire_names=SANDBOX_WIRE_NAMES, **options)
    assert service.sent == []
    assert caught.value.outcome == "not_sent"
    return caught.value


# Read-only


@looped("case", WRITES)
def test_a_read_only_client_refuses_every_write_of_the_catalog(
    case: Case, read_only_options: dict[str, Any], run: Run
) -> None:
    error = refused(case.group, case.use, run, **read_only_options)
    assert error.operation == case.name
    assert "read-only" in str(error)


@looped("case", WRITES)
def test_a_read_only_client_does_not_send_the_prepared_request_of_a_write(
    case: Case, read_only_options: dict[str, Any], run: Run
) -> None:
    preparer = BLOCKING[case.group](
        base_url=URL[case.group], wire_names=SANDBOX_WIRE_NAMES, **CREDENTIALS[case.group], **read_only_options
    )
    request = case.use(preparer.prepare)  # a read-only client can prepare a write
    assert "read-only" in str(refused(case.group, lambda client: client.send(request), run, **read_only_options))


@looped("method", ["POST", "PUT", "DELETE"])
@looped("group", GROUPS)
def test_a_read_only_client_refuses_requests_with_other_methods_than_get(
    group: Group, method: str, read_only_options: dict[str, Any], run: Run
) -> None:
    def use(client: Any) -> Any:
        return client.request(method, "/things/t1", json=None if method == "DELETE" else {})

    refused(group, use, run, **read_only_options)
    refused(group, lambda client: use(client.with_raw_response), run, **read_only_options)


@pytest.mark.parametrize("group", GROUPS)
def test_a_read_only_client_reads(group: Group, read_only_options: dict[str, Any], run: Run) -> None:
    service = Service(answer({"id": "a1"}), answer({"id": "a1"}))
    assert run(group, lambda client: client.request("GET", "/things/a1"), transport=service, **read_only_options) == {
        "id": "a1"
    }

    async def request(client: Any) -> Any:
        return await run.now(client.send(client.prepare.request("GET", "/things/a1")))

    assert run(group, request, transport=service, **read_only_options) == {"id": "a1"}


def test_a_read_only_client_lists(read_only_options: dict[str, Any], run: Run) -> None:
    found = run(
        "billing", lambda client: client.accounts.list(), transport=Service(page("a1", "a2")), **read_only_options
    )
    assert [each.id for each in found] == ["a1", "a2"]


@pytest.mark.parametrize(("group", "name"), [("user_mgmt", "session_id"), ("storefront", "access_token")])
def test_a_refused_write_does_not_request_the_credential(
    group: Group, name: str, read_only_options: dict[str, Any], run: Run
) -> None:
    def provider() -> str:
        raise AssertionError("a refused call must not request a credential")

    given = {"base_url": URL[group], name: provider, **read_only_options}
    refused(group, lambda client: client.request("POST", "/things"), run, **given)


def test_a_copy_with_other_options_stays_read_only(read_only_options: dict[str, Any], run: Run) -> None:
    refused("billing", lambda client: client.with_options(deadline=5).payments.reverse("p1"), run, **read_only_options)
    with pytest.raises(TypeError, match="read_only"):
        run.client("billing", **read_only_options).with_options(read_only=False)


def test_the_argument_does_not_override_the_variable(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv(VARIABLE, "1")
    refused("billing", lambda client: client.payments.reverse("p1"), run, read_only=False)


@pytest.mark.parametrize("value", ["", "0", None])
@pytest.mark.parametrize("group", GROUPS)
def test_a_client_writes_if_the_variable_is_unset_empty_or_0(
    group: Group, value: str | None, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    if value is not None:
        monkeypatch.setenv(VARIABLE, value)
    service = Service(answer({}))
    run(group, lambda client: client.request("POST", "/things"), transport=service)
    assert service.only.method == "POST"


@pytest.mark.parametrize("value", ["true", "yes", "2", " 1", "on", "false"])
@pytest.mark.parametrize("group", GROUPS)
def test_another_value_of_the_variable_is_refused(group: Group, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, value)
    for kind in (BLOCKING[group], ASYNC[group]):
        with pytest.raises(ConfigurationError, match=f"{VARIABLE} must be 1 or 0"):
            kind(base_url=URL[group], **CREDENTIALS[group])


def test_the_repr_says_that_a_client_is_read_only(run: Run) -> None:
    assert repr(run.client("billing", read_only=True)).endswith("host='billing.test' read_only=True>")
    assert "read_only" not in repr(run.client("billing"))


# Minor units


def charge(amount: str, currency: str = "USD", tax: str | None = None) -> EntitlementCharge:
    return EntitlementCharge(
        transaction_id="tx1",
        product_code="film",
        amount=Decimal(amount),
        currency=currency,
        tax_amount=None if tax is None else Decimal(tax),
    )


def charged(amount: str, currency: str = "USD", tax: str | None = None) -> Callable[[Any], Any]:
    return lambda client: client.entitlements.charge("ps1", charge(amount, currency, tax))


@pytest.mark.parametrize(
    ("amount", "currency"),
    [("19.999", "USD"), ("0.001", "EUR"), ("10.5", "JPY"), ("1.0001", "BHD"), ("1.00001", "CLF"), ("4.905", "USD")],
)
def test_more_digits_than_the_currency_has_are_refused(amount: str, currency: str, run: Run) -> None:
    error = refused("gateway", charged(amount, currency), run, check_minor_units=True)
    assert str(error).startswith("amount has ")
    assert amount not in str(error)
    assert error.operation == "entitlements.charge"


@looped(
    ("amount", "currency"),
    [("19.99", "USD"), ("19.9900", "USD"), ("10", "JPY"), ("10.0", "JPY"), ("1.001", "BHD"), ("1.0001", "CLF"),
     ("1.23456", "XXX"), ("1.23456", "QQQ"), ("0", "JPY"), ("100000000000", "USD")],
)  # fmt: skip
def test_amounts_that_fit_and_unknown_currencies_pass(amount: str, currency: str, run: Run) -> None:
    service = Service(answer({"transactionReferenceId": "r1"}))
    run("gateway", charged(amount, currency), transport=service, check_minor_units=True)
    assert service.only.method == "POST"


def test_minor_units_are_not_checked_by_default(run: Run) -> None:
    service = Service(answer({"transactionReferenceId": "r1"}))
    run("gateway", charged("19.999"), transport=service)
    assert service.only.method == "POST"


def test_a_tax_is_checked_under_its_name_on_the_wire(run: Run) -> None:
    assert str(refused("gateway", charged("19.99", tax="1.999"), run, check_minor_units=True)).startswith("taxAmount")


def transaction(**item: Any) -> Transaction:
    return Transaction(account=Account(id="a1"), currency="USD", items=[TransactionItem(sku="x", **item)])


TOO_EXACT: dict[str, tuple[Callable[[Any], Any], str]] = {
    "item of a transaction": (
        lambda client: client.transactions.create(transaction(price=Decimal("19.999"))), "items[0].price",
    ),
    "price by quantity": (
        lambda client: client.transactions.create(transaction(price=Decimal("0.005"), quantity=Decimal(3))),
        "items[0].price",
    ),
    "credit": (
        lambda client: client.accounts.grant_credit(
            "a1", Credit(currency_amounts=[CurrencyAmount(currency="JPY", amount=Decimal("0.5"))])
        ),
        "currency_amounts[0].amount",
    ),
    "item of a subscription": (
        lambda client: client.subscriptions.create(
            Subscription(account=Account(id="a1"), currency="USD", items=[SubscriptionItem(amount=Decimal("9.999"))])
        ),
        "items[0].amount",
    ),
    "price of a product": (
        lambda client: client.products.create(
            Product(id="p1", prices=[ProductPrice(currency="USD", amount=Decimal("9.999"))])
        ),
        "prices[0].amount",
    ),
    "request": (
        lambda client: client.request("POST", "/x", json={"a": [{"currency": "usd", "amount": Decimal("9.999")}]}),
        "a[0].amount",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", TOO_EXACT)
def test_nested_amounts_are_checked(case: str, run: Run) -> None:
    use, place = TOO_EXACT[case]
    assert place in str(refused("billing", use, run, check_minor_units=True))


FREE: tuple[Callable[[Any], Any], ...] = (
    lambda client: client.transactions.create(transaction(price=Decimal("0.005"), quantity=Decimal(1000))),
    lambda client: client.accounts.grant_credit(
        "a1", Credit(token_amounts=[TokenAmount(token=Token(id="t1"), amount=Decimal("0.12345"))])
    ),
    lambda client: client.rate_plans.create(
        RatePlan(id="t1", tier=[RatePlanTier(rate_price=[RatePlanPrice(currency="USD", amount=Decimal("0.00045"))])])
    ),
    lambda client: client.request(
        "POST", "/x", json={"currency": "USD", "part": {"token": "t", "amount": Decimal("0.001")}}
    ),
    lambda client: client.request("POST", "/x", json={"currency": 5, "amount": Decimal("0.001"), "more": None}),
)


@pytest.mark.parametrize(
    "use", FREE, ids=["price by quantity", "tokens", "price of usage", "tokens within money", "no currency"]
)
def test_numbers_that_are_not_amounts_of_money_may_have_any_digits(use: Callable[[Any], Any], run: Run) -> None:
    service = Service(answer({"id": "t1"}))
    run("billing", use, transport=service, check_minor_units=True)
    assert service.only.method == "POST"


def test_a_prepared_request_is_checked_when_it_is_made_and_when_it_is_sent(run: Run) -> None:
    strict = run.client("gateway", check_minor_units=True)
    with pytest.raises(InvalidArgumentError, match="amount has 3 decimal places"):
        charged("19.999")(strict.prepare)
    request = charged("19.999")(run.client("gateway").prepare)
    refused("gateway", lambda client: client.send(request), run, check_minor_units=True)


def test_a_body_that_is_nested_too_deeply_to_be_checked_is_refused(run: Run) -> None:
    deep: Any = {"currency": "USD", "amount": Decimal("0.001")}
    for _ in range(250):
        deep = {"a": deep}
    refused("storefront", lambda client: client.request("POST", "/x", json=deep), run, check_minor_units=True)


@looped("wrong", [1, 0, None, "yes", "True"])
@looped("name", ["read_only", "check_minor_units"])
@looped("group", GROUPS)
def test_read_only_and_check_minor_units_are_booleans(group: Group, name: str, wrong: Any) -> None:
    for kind in (BLOCKING[group], ASYNC[group]):
        with pytest.raises(ConfigurationError, match=f"^{name} must be True or False"):
            kind(base_url=URL[group], **CREDENTIALS[group], **{name: wrong})


def test_the_table_has_each_currency_of_the_standard_once() -> None:
    assert Counter(MINOR_UNITS.values()) == {0: 17, 2: 139, 3: 7, 4: 2}
    assert all(code.isalpha() and code.isupper() and len(code) == 3 for code in MINOR_UNITS)
