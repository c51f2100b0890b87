"""Checks for every operation that its response identifies the resource of the call (H410, H412).

The table `OPS` has the rule of each operation, which says which identifiers are compared. The cases that have `shows`
add rows to the table. One test calls each operation with the responses of its rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import httpx
import pytest

from kit.calls import Always, Group, Run, Sent, answer
from looped import looped
from samples import is_of_style
from subscribekit import _json as json
from subscribekit._core.config.environments import SANDBOX_WIRE_NAMES
from subscribekit.errors import InvalidResponseError, OutcomeUnknownError, SubscribekitError
from subscribekit.models import (
    Account,
    Activity,
    BillingPlan,
    Campaign,
    Chargeback,
    Credit,
    CurrencyAmount,
    Entitlement,
    EntitlementCharge,
    Event,
    EventSummary,
    Payment,
    PaymentMethod,
    Product,
    RatePlan,
    Refund,
    SeasonSet,
    Subscription,
    Transaction,
)

from .cases import CHILD, IF_MINE, IF_MY_ID, IF_SENT, KIND, MINE, NOTHING, REFERENCE, SENT, Case
from .tables import ALL, WITH_ROWS

V, W = "vid-1", "vid-2"
"""IDs that the SDK recognizes as vids: the vid of the call, and another vid."""

Call = Callable[[Any, str], Any]
"""A function that makes the call. The text is the identifier of the resource that the call names or creates."""


@dataclass(frozen=True)
class Op:
    """One operation and its rule.

    Attributes:
        name: The SDK's name of the operation.
        rule: The identifiers that are compared, as a key of `RULES`.
        call: The function that makes the call.
        kind: The `object` of the resource, if its model has one.
        group: The API of the operation.
    """

    name: str
    rule: str
    call: Call
    kind: str | None = None
    group: Group = "billing"

    def __str__(self) -> str:
        return f"{self.group} {self.name}"


CHARGE = EntitlementCharge(transaction_id="tx-1", amount=Decimal(1), currency="USD")
CREDIT = Credit(currency_amounts=[CurrencyAmount(currency="USD", amount=Decimal(1))])


def chargebacks(client: Any) -> Any:
    return client.resource("chargebacks", Chargeback)


def row(case: Case) -> Op:
    """Return the row of a case that has `shows`."""
    assert case.shows is not None
    return Op(case.name, case.shows, case.use, getattr(case.gives, "object", None), case.group)


OPS = (
    # Reads
    Op("accounts.retrieve", MINE, lambda c, at: c.accounts.retrieve(at), "Account"),
    Op("accounts.retrieve_child", CHILD, lambda c, at: c.accounts.retrieve_child("p1", at), "Account"),
    Op("accounts.retrieve_credit", KIND, lambda c, at: c.accounts.retrieve_credit(at), "Credit"),
    Op("accounts.check_entitlement", KIND, lambda c, at: c.accounts.check_entitlement("a1", at), "Boolean"),
    Op("activities.retrieve", MINE, lambda c, at: c.activities.retrieve(at), "Activity"),
    Op("billing_plans.retrieve", MINE, lambda c, at: c.billing_plans.retrieve(at), "BillingPlan"),
    Op("campaigns.retrieve", MINE, lambda c, at: c.campaigns.retrieve(at), "Campaign"),
    Op("entitlements.retrieve", MINE, lambda c, at: c.entitlements.retrieve(at), "Entitlement"),
    Op("event_summaries.retrieve", KIND, lambda c, at: c.event_summaries.retrieve(at), "EventSummary"),
    Op("events.retrieve", MINE, lambda c, at: c.events.retrieve(at), "Event"),
    Op("invoices.retrieve", MINE, lambda c, at: c.invoices.retrieve(at), "Invoice"),
    Op("payment_methods.retrieve", MINE, lambda c, at: c.payment_methods.retrieve(at), "PaymentMethod"),
    Op("payments.retrieve", MINE, lambda c, at: c.payments.retrieve(at), "Payment"),
    Op("products.retrieve", MINE, lambda c, at: c.products.retrieve(at), "Product"),
    Op("rate_plans.retrieve", MINE, lambda c, at: c.rate_plans.retrieve(at), "RatePlan"),
    Op("refunds.retrieve", MINE, lambda c, at: c.refunds.retrieve(at), "Refund"),
    Op("season_sets.retrieve", MINE, lambda c, at: c.season_sets.retrieve(at), "SeasonSet"),
    Op("subscriptions.retrieve", MINE, lambda c, at: c.subscriptions.retrieve(at), "Subscription"),
    Op("transactions.retrieve", MINE, lambda c, at: c.transactions.retrieve(at), "Transaction"),
    Op("generic_resource.retrieve", MINE, lambda c, at: chargebacks(c).retrieve(at), "Chargeback"),
    Op("subscriptions.retrieve", MINE, lambda c, at: c.subscriptions.retrieve(at), "Subscription", "gateway"),
    # Writes with a documented response
    Op("accounts.create", SENT, lambda c, at: c.accounts.create(Account(id=at)), "Account"),
    Op("accounts.update", MINE, lambda c, at: c.accounts.update(at, Account(name="n")), "Account"),
    Op("activities.create", "any id or vid", lambda c, at: c.activities.create(Activity(type="Note")), "Activity"),
    Op("billing_plans.create", SENT, lambda c, at: c.billing_plans.create(BillingPlan(id=at)), "BillingPlan"),
    Op("campaigns.update", MINE, lambda c, at: c.campaigns.update(at, Campaign(name="n")), "Campaign"),
    Op("payment_methods.create", SENT, lambda c, at: c.payment_methods.create(PaymentMethod(id=at)), "PaymentMethod"),
    Op("refunds.create", SENT, lambda c, at: c.refunds.create("t1", Refund(id=at, amount=Decimal(1))), "Refund"),
    Op("subscriptions.create", SENT, lambda c, at: c.subscriptions.create(Subscription(id=at)), "Subscription"),
    Op("subscriptions.update", MINE, lambda c, at: c.subscriptions.update(at, Subscription()), "Subscription"),
    Op("subscriptions.cancel", MINE, lambda c, at: c.subscriptions.cancel(at), "Subscription"),
    Op("transactions.create", SENT, lambda c, at: c.transactions.create(Transaction(id=at)), "Transaction"),
    Op("transactions.capture", MINE, lambda c, at: c.transactions.capture(at), "Transaction"),
    Op("campaigns.activate", MINE, lambda c, at: c.campaigns.activate(at), "Campaign", "gateway"),
    Op("partner_subscriptions.cancel", MINE, lambda c, at: c.partner_subscriptions.cancel(at), None, "gateway"),
    Op("entitlements.charge", REFERENCE, lambda c, at: c.entitlements.charge(at, CHARGE), None, "gateway"),
    Op(
        "payment_methods.update", SENT,
        lambda c, at: c.payment_methods.update("a1", payment_method_id=at, primary=True), None, "storefront",
    ),
    # Writes with an undocumented response
    Op("accounts.add_child", IF_SENT, lambda c, at: c.accounts.add_child("p1", Account(id=at)), "Account"),
    Op(
        "accounts.grant_entitlement", IF_SENT,
        lambda c, at: c.accounts.grant_entitlement("a1", Entitlement(id=at)), "Entitlement",
    ),
    Op("accounts.grant_credit", NOTHING, lambda c, at: c.accounts.grant_credit(at, CREDIT), "Credit"),
    Op("billing_plans.update", IF_MY_ID, lambda c, at: c.billing_plans.update(at, BillingPlan()), "BillingPlan"),
    Op("campaigns.create", IF_SENT, lambda c, at: c.campaigns.create(Campaign(id=at)), "Campaign"),
    Op("events.create", IF_SENT, lambda c, at: c.events.create(Event(id=at)), "Event"),
    Op("events.update", IF_MINE, lambda c, at: c.events.update(at, Event()), "Event"),
    Op(
        "payment_methods.update", IF_MINE,
        lambda c, at: c.payment_methods.update(at, PaymentMethod(active=False)), "PaymentMethod",
    ),
    Op("payments.create", IF_SENT, lambda c, at: c.payments.create(Payment(id=at)), "Payment"),
    Op("products.create", IF_SENT, lambda c, at: c.products.create(Product(id=at)), "Product"),
    Op("products.update", IF_MINE, lambda c, at: c.products.update(at, Product()), "Product"),
    Op("rate_plans.create", IF_SENT, lambda c, at: c.rate_plans.create(RatePlan(id=at)), "RatePlan"),
    Op("season_sets.create", IF_SENT, lambda c, at: c.season_sets.create(SeasonSet(id=at)), "SeasonSet"),
    Op("subscriptions.finish", NOTHING, lambda c, at: c.subscriptions.finish(at), "Subscription"),
    Op("transactions.cancel", IF_MINE, lambda c, at: c.transactions.cancel(at), "Transaction"),
    Op("generic_resource.create", IF_SENT, lambda c, at: chargebacks(c).create(Chargeback(id=at)), "Chargeback"),
    Op("generic_resource.update", IF_MINE, lambda c, at: chargebacks(c).update(at, Chargeback()), "Chargeback"),
    # Deletions
    Op("accounts.remove_child", NOTHING, lambda c, at: c.accounts.remove_child("p1", at), "Account"),
    Op("accounts.revoke_entitlement", NOTHING, lambda c, at: c.accounts.revoke_entitlement("a1", at), "Entitlement"),
    Op("generic_resource.delete", NOTHING, lambda c, at: chargebacks(c).delete(at), "Chargeback"),
    Op(
        "custom_data.delete", NOTHING,
        lambda c, at: c.custom_data.delete(at, "toys", filter="age ge 4"), None, "user_mgmt",
    ),
    *map(row, WITH_ROWS),
)  # fmt: skip
LISTS = {(case.group, case.name) for case in ALL if "list" in case.name}

Responses = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Responses that are a success, and responses that aren't."""

SHOW_MINE = [{"id": "mine"}, {"id": "mine", "vid": W}, {"id": "x", "vid": "mine"}]
SHOW_MY_VID = [{"vid": V}, {"id": "x", "vid": V}, {"id": V, "vid": W}]
SHOW_NOTHING: list[dict[str, Any]] = [{}, {"id": None, "vid": ""}, {"id": ["mine"]}, {"id": {"id": "mine"}}]
OTHERS = [{"id": "OTHER"}, {"id": "Mine"}, {"id": "mine "}, {"id": "OTHER", "vid": W}, {"id": 17}]
OTHER_VIDS = [{"vid": W}, {"id": "x", "vid": W}]
OTHER_KINDS = [{"object": "Novel", "id": "OTHER", "vid": W}]
NUMBERS = [{"id": json.decode(b"17.0")}, {"id": json.decode(b"1e1")}, {"id": "017"}, {"id": "17.0"}, {"id": True}]

RULES: dict[str, dict[str, Responses]] = {
    MINE: {
        "mine": (SHOW_MINE, [*SHOW_NOTHING, *OTHERS, {"vid": W}]),
        V: ([*SHOW_MY_VID, {"id": "x"}], [*SHOW_NOTHING, *OTHER_VIDS]),
        "17": ([{"id": 17}, {"id": "17"}], [*NUMBERS, {"id": 18}]),
    },
    CHILD: {
        "mine": (
            [*SHOW_MINE, {"id": "mine", "parent": {"id": "p1"}}, {"id": "mine", "parent": {"vid": W}}],
            [*SHOW_NOTHING, *OTHERS, {"id": "mine", "parent": {"id": "p2"}}, {"id": "p1"}],
        ),
        V: ([*SHOW_MY_VID, {"id": "x"}], OTHER_VIDS),
    },
    KIND: {"mine": ([{}, {"id": "OTHER"}], [{"object": None}])},
    SENT: {
        "mine": ([{"id": "mine"}, {"id": "mine", "vid": W}], [*SHOW_NOTHING, *OTHERS, {"vid": W}, {"vid": "mine"}]),
        "17": ([{"id": 17}], NUMBERS),
    },
    "any id or vid": {"": ([{"id": "x"}, {"vid": "x"}, {"id": 17}], SHOW_NOTHING)},
    REFERENCE: {"mine": ([{"transactionReferenceId": "r1", "id": "OTHER"}], [{}, {"id": "mine"}])},
    IF_MINE: {
        "mine": ([*SHOW_NOTHING, *SHOW_MINE, *OTHER_KINDS, {"vid": W}], OTHERS),
        V: ([*SHOW_NOTHING, *SHOW_MY_VID, *OTHER_KINDS, {"id": "x"}], OTHER_VIDS),
        "17": ([{"id": 17}], NUMBERS[2:4]),
    },
    IF_MY_ID: {
        "mine": ([*SHOW_NOTHING, {"id": "mine", "vid": W}, *OTHER_KINDS, {"vid": W}], OTHERS),
        V: ([*SHOW_NOTHING, *OTHER_KINDS, {"id": "x"}, *OTHER_VIDS], []),
    },
    IF_SENT: {
        "mine": ([*SHOW_NOTHING, {"id": "mine", "vid": W}, *OTHER_KINDS, {"vid": W}], [*OTHERS, {"id": "a1"}]),
        "17": ([{"id": 17}], NUMBERS[2:4]),
    },
    NOTHING: {"mine": ([*SHOW_NOTHING, *OTHERS, *OTHER_KINDS], [])},
}


def responses(op: Op, rule: Responses) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield each response of a rule, with the `object` of the resource, and without it if the rule allows that."""
    good, bad = rule
    for shown, is_good in [*((each, True) for each in good), *((each, False) for each in bad)]:
        yield ({"object": op.kind, **shown} if op.kind else shown), is_good
        if op.kind and op.rule != KIND and "object" not in shown:
            yield shown, is_good


def test_the_table_has_every_operation() -> None:
    assert {(op.group, op.name) for op in OPS} | LISTS == {(case.group, case.name) for case in ALL}
    assert {op.rule for op in OPS} == RULES.keys()


@pytest.mark.hazard("H410", "H411", "H412")
@looped("op", OPS)
def test_a_response_is_a_success_only_if_its_rule_accepts_it(op: Op, run: Run) -> None:
    """H410 to H412: if the response is about another resource, a read is retried once, and a write becomes unknown.

    Sync and async calls share the code that decides. Each operation therefore runs with one of the two clients, or with
    both in the gate.
    """
    if not is_of_style(run.style, op):
        return
    for at, rule in RULES[op.rule].items():
        for content, is_good in responses(op, rule):
            ended, requests = result_of(op, at, content, run)
            message = f"{op} by {at}: {content}"
            if is_good:
                assert (isinstance(ended, SubscribekitError), len(requests)) == (False, 1), message
            elif requests[0].method == "GET":
                assert (type(ended), len(requests)) == (InvalidResponseError, 2), message
            else:
                assert (type(ended), len(requests)) == (OutcomeUnknownError, 1), message
                assert ended.likely_applied, message


def result_of(op: Op, at: str, content: dict[str, Any], run: Run) -> tuple[Any, list[Sent]]:
    """Make the call with a new client, whose retry budget is full. Return its result or error, and the requests."""
    service = Always(lambda _: answer(json.encode(content)))
    try:
        ended = run(op.group, lambda c: op.call(c, at), transport=service, wire_names=SANDBOX_WIRE_NAMES)
    except SubscribekitError as error:
        ended = error
    return ended, service.sent


TEXTS = (
    (lambda c: c.accounts.retrieve("mine"), {"id": "OTHER"}, "the response shows the account 'OTHER', not 'mine'"),
    (lambda c: c.accounts.retrieve(V), {"vid": W}, "the response shows the account 'vid-2', not 'vid-1'"),
    (lambda c: c.billing_plans.retrieve("b"), {"id": 17}, "the response shows the billing plan '17', not 'b'"),
    (
        lambda c: c.accounts.retrieve_child("p1", "mine"),
        {"id": "mine", "parent": {"id": "p2"}},
        "the response shows the parent 'p2', not 'p1'",
    ),
    (
        lambda c: c.accounts.retrieve_child(V, "mine"),
        {"id": "mine", "parent": {"id": "p2", "vid": W}},
        "the response shows the parent 'vid-2', not 'vid-1'",
    ),
    (lambda c: c.accounts.retrieve("mine"), {"id": "\x1b[2J\n"}, r"the response shows the account '\x1b[2J\n', not"),
    (lambda c: c.accounts.retrieve("mine"), {"id": "x" * 999}, f"the account '{'x' * 200}', not 'mine'"),
    (lambda c: c.accounts.retrieve("mine"), {}, "has no id, so the response doesn't identify the resource"),
    (lambda c: c.payments.reverse("mine"), {"id": "OTHER"}, "the response shows the payment 'OTHER', not 'mine'"),
    (lambda c: c.payments.create(Payment(id="p")), {"id": "q"}, "the response shows the payment 'q', not 'p'"),
    (lambda c: c.subscriptions.cancel("mine"), {}, "has no id, so the response doesn't prove that the request was"),
)


@looped(("call", "shown", "text"), TEXTS)
def test_the_error_names_both_resources(call: Any, shown: dict[str, Any], text: str, run: Run) -> None:
    service = Always(lambda _: answer(json.encode(shown)))
    with pytest.raises((InvalidResponseError, OutcomeUnknownError)) as caught:
        run("billing", call, transport=service)
    assert text in str(caught.value)


def test_a_parent_named_by_a_vid_is_not_compared_with_an_id(run: Run) -> None:
    shown = {"object": "Account", "id": "mine", "parent": {"object": "Account", "id": "p2"}}
    child = run("billing", lambda c: c.accounts.retrieve_child(V, "mine"), transport=Always(lambda _: answer(shown)))
    assert (child.id, child.parent.id) == ("mine", "p2")


def test_a_child_that_is_named_by_its_vid_is_compared_by_its_vid(run: Run) -> None:
    def add(client: Any) -> Any:
        return client.accounts.add_child("p1", Account(vid=V))

    for shown in ({"id": "x"}, {"id": "x", "vid": V}, {}):
        assert run("billing", add, transport=Always(lambda _, shown=shown: answer(shown))).vid == shown.get("vid")
    with pytest.raises(OutcomeUnknownError, match="the account 'vid-2', not 'vid-1'"):
        run("billing", add, transport=Always(lambda _: answer({"id": "x", "vid": W})))


def test_a_read_succeeds_if_the_second_response_is_right(run: Run) -> None:
    found = iter([{"id": "OTHER"}, {"id": "mine"}])
    account = run("billing", lambda c: c.accounts.retrieve("mine"), transport=Always(lambda _: answer(next(found))))
    assert account.id == "mine"


@pytest.mark.hazard("H411")
def test_a_numeric_id_is_read_as_text(run: Run) -> None:
    account = run("billing", lambda c: c.accounts.retrieve("17"), transport=Always(lambda _: answer({"id": 17})))
    assert account.id == "17"
    flags = run(
        "storefront",
        lambda c: c.payment_methods.update("a1", payment_method_id="17", primary=True),
        transport=Always(lambda _: answer([{"id": 16}, {"id": 17, "primary": True}])),
    )
    assert flags.primary is True


def test_an_event_summary_needs_no_id_in_a_generic_read(run: Run) -> None:
    def read(client: Any) -> Any:
        return client.resource("event_summaries", EventSummary).retrieve("x")

    shown = {"object": "EventSummary", "event_count": 2}
    assert run("billing", read, transport=Always(lambda _: answer(shown))).event_count == 2
    with pytest.raises(InvalidResponseError, match="has no object"):
        run("billing", read, transport=Always(lambda _: answer({"event_count": 2})))


def test_an_account_without_credit_has_an_empty_credit(run: Run) -> None:
    empty = Always(lambda _: answer({"object": "Credit"}))
    credit = run("billing", lambda c: c.accounts.retrieve_credit("a1"), transport=empty)
    assert credit.currency_amounts is None


@looped("shown", [[], [{"object": "Payment", "id": "OTHER"}], "done", None, 7])
def test_an_undocumented_response_that_is_not_an_object_is_a_success(shown: Any, run: Run) -> None:
    assert run(
        "billing", lambda c: c.payments.reverse("mine"), transport=Always(lambda _: httpx.Response(200, json=shown))
    )
