"""Checks that operations refuse wrong arguments before anything is sent."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from typing import Any

import pytest

from kit.calls import Run, Service
from looped import looped
from subscribekit.errors import InvalidArgumentError
from subscribekit.models import Account, Chargeback, Payment, PaymentMethod, Product, Refund, Subscription, Transaction

from .cases import CHILD, IF_MINE, IF_MY_ID, MINE
from .tables import WITH_ROWS

Use = Callable[..., Any]

PAGED: dict[str, Use] = {
    "accounts": lambda c, **paging: c.accounts.list(**paging),
    "children": lambda c, **paging: c.accounts.list_children("a1", **paging),
    "activities": lambda c, **paging: c.activities.list(**paging),
    "billing_plans": lambda c, **paging: c.billing_plans.list(**paging),
    "campaigns": lambda c, **paging: c.campaigns.list(**paging),
    "entitlements": lambda c, **paging: c.entitlements.list(**paging),
    "event_summaries": lambda c, **paging: c.event_summaries.list(**paging),
    "invoices": lambda c, **paging: c.invoices.list(**paging),
    "payment_methods": lambda c, **paging: c.payment_methods.list(**paging),
    "products": lambda c, **paging: c.products.list(**paging),
    "rate_plans": lambda c, **paging: c.rate_plans.list(**paging),
    "refunds": lambda c, **paging: c.refunds.list("t1", **paging),
    "season_sets": lambda c, **paging: c.season_sets.list(**paging),
    "subscriptions": lambda c, **paging: c.subscriptions.list(**paging),
    "transactions": lambda c, **paging: c.transactions.list(**paging),
    "conventional": lambda c, **paging: c.resource("chargebacks", Chargeback).list(**paging),
}
PAGES = [
    {"limit": 0},
    {"limit": 101},
    {"limit": True},
    {"starting_after": "a", "ending_before": "b"},
    {"starting_after": "a\nb"},
    {"ending_before": ""},
    {"max_pages": 0},
    {"checkpoint": "not one"},
]
NAMED_IN_THE_PATH = (MINE, IF_MINE, IF_MY_ID, CHILD)


def refused(run: Run, use: Use, *parts: str) -> None:
    """Check that a call is refused, that the error contains the given parts, and that nothing was sent."""
    service = Service()
    with pytest.raises(InvalidArgumentError) as caught:
        run("billing", use, transport=service)
    assert service.sent == []
    assert caught.value.outcome == "not_sent"
    for part in parts:
        assert part in str(caught.value)


@looped("name", PAGED)
@pytest.mark.parametrize("paging", PAGES, ids=str)
def test_wrong_paging_arguments_are_refused(name: str, paging: dict[str, Any], run: Run) -> None:
    refused(run, lambda c: PAGED[name](c, **paging), *([] if len(paging) == 2 else [next(iter(paging))]))


@looped("name", PAGED)
def test_every_list_reads_backwards(name: str, run: Run) -> None:
    request = PAGED[name](run.client("billing", transport=Service()).prepare, ending_before="z1")
    assert request.url.endswith("?ending_before=z1")


@looped(
    "use",
    [
        lambda c, bad: c.accounts.retrieve(bad),
        lambda c, bad: c.accounts.retrieve_child("a1", bad),
        lambda c, bad: c.accounts.remove_child("a1", bad),
        lambda c, bad: c.accounts.list_children(bad),
        lambda c, bad: c.accounts.check_entitlement(bad, "films"),
        lambda c, bad: c.accounts.revoke_entitlement("a1", bad),
        lambda c, bad: c.accounts.update(bad, Account()),
        lambda c, bad: c.payment_methods.update(bad, PaymentMethod()),
        lambda c, bad: c.products.update(bad, Product()),
        lambda c, bad: c.subscriptions.cancel(bad),
        lambda c, bad: c.subscriptions.finish(bad),
        lambda c, bad: c.subscriptions.list_item_history(bad),
        lambda c, bad: c.transactions.capture(bad),
        lambda c, bad: c.refunds.create(bad, Refund()),
        lambda c, bad: c.refunds.list(bad),
        lambda c, bad: c.resource("chargebacks", Chargeback).retrieve(bad),
        lambda c, bad: c.resource("chargebacks", Chargeback).delete(bad),
        *(case.use for case in WITH_ROWS if case.shows in NAMED_IN_THE_PATH and case.group == "billing"),
    ],
)
@pytest.mark.parametrize("bad", ["", "a" * 129, "a/b", "..", "a?b", "a#b", "a%2Fb", "a\nb", None, 7])
def test_invalid_identifiers_in_paths_are_refused(use: Use, bad: object, run: Run) -> None:
    refused(run, lambda c: use(c, bad))


@looped(
    "use",
    [
        lambda c: c.accounts.create(Product()),
        lambda c: c.accounts.add_child("a1", {"id": "child"}),
        lambda c: c.accounts.grant_credit("a1", Account()),
        lambda c: c.subscriptions.create(None),
        lambda c: c.subscriptions.update("s1", {}),
        lambda c: c.transactions.create(Payment()),
        lambda c: c.refunds.create("t1", Transaction()),
        lambda c: c.payments.create("y1"),
        lambda c: c.resource("chargebacks", Chargeback).create(Account()),
        lambda c: c.resource("chargebacks", Chargeback).update("cb1", {"id": "cb1"}),
    ],
)
def test_a_body_of_another_class_is_refused(use: Use, run: Run) -> None:
    refused(run, use, "body must be a")


@pytest.mark.parametrize(
    "use",
    [
        lambda c, bad: c.subscriptions.change_billing_day("s1", to_date=bad),
        lambda c, bad: c.invoices.list(invoice_date=bad),
    ],
)
@pytest.mark.parametrize("bad", [datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02", 20260102])
def test_a_day_is_a_date_without_time(use: Use, bad: object, run: Run) -> None:
    refused(run, lambda c: use(c, bad), "must be a date without a time")


def test_a_day_is_sent_with_a_year_of_four_digits(run: Run) -> None:
    client = run.client("billing", transport=Service())
    request = client.prepare.subscriptions.change_billing_day("s1", to_date=date(999, 1, 2))
    assert request.url.endswith("?to_date=0999-01-02")


@looped(
    "use",
    [
        lambda c, bad: c.payment_methods.list(account=bad),
        lambda c, bad: c.subscriptions.list(account=bad),
        lambda c, bad: c.products.list(entitlement=bad),
        lambda c, bad: c.entitlements.list(account=bad),
        lambda c, bad: c.transactions.list(subscription=bad),
        lambda c, bad: c.invoices.list(subscription=bad),
        lambda c, bad: c.activities.list(account=bad),
    ],
)
@looped("bad", ["", "a" * 129])
def test_invalid_identifiers_in_filters_are_refused(use: Use, bad: str, run: Run) -> None:
    refused(run, lambda c: use(c, bad), "must have 1 to 128 characters")


def test_invalid_texts_in_queries_are_refused(run: Run) -> None:
    refused(run, lambda c: c.subscriptions.cancel("s1", reason_code="x" * 1025), "reason_code")
    refused(run, lambda c: c.accounts.update("a1", Account(), update_behavior=""), "update_behavior")
    refused(run, lambda c: c.subscriptions.update("s1", Subscription(), effective_date="x\ny"), "effective_date")


@looped(
    ("use", "name"),
    [
        (lambda c, bad: c.accounts.update("a1", Account(), replace_on_all_subscriptions=bad), "replace_on_all"),
        (lambda c, bad: c.accounts.update("a1", Account(), ignore_avs=bad), "ignore_avs"),
        (lambda c, bad: c.accounts.update("a1", Account(), ignore_cvn=bad), "ignore_cvn"),
        (lambda c, bad: c.subscriptions.create(Subscription(), dryrun=bad), "dryrun"),
        (lambda c, bad: c.subscriptions.update("s1", Subscription(), dryrun=bad), "dryrun"),
        (lambda c, bad: c.subscriptions.update("s1", Subscription(), bill_prorated_period=bad), "bill_prorated_period"),
        (lambda c, bad: c.subscriptions.cancel("s1", disentitle=bad), "disentitle"),
        (lambda c, bad: c.subscriptions.cancel("s1", force=bad), "force"),
        (lambda c, bad: c.subscriptions.cancel("s1", settle=bad), "settle"),
        (lambda c, bad: c.subscriptions.cancel("s1", send_cancellation_notice=bad), "send_cancellation_notice"),
        (lambda c, bad: c.subscriptions.change_billing_day("s1", to_date=date(2026, 1, 2), perm=bad), "perm"),
        (lambda c, bad: c.subscriptions.list(include_children=bad), "include_children"),
        (lambda c, bad: c.transactions.create(Transaction(), dryrun=bad), "dryrun"),
        (lambda c, bad: c.transactions.list(include_children=bad), "include_children"),
        (lambda c, bad: c.products.list(include_children=bad), "include_children"),
        (lambda c, bad: c.entitlements.list(include_children=bad), "include_children"),
        (lambda c, bad: c.entitlements.list(show_all=bad), "show_all"),
    ],
)
@pytest.mark.parametrize("bad", ["no", "false", "", 0, 1])
def test_a_flag_is_true_or_false(use: Use, name: str, bad: object, run: Run) -> None:
    refused(run, lambda c: use(c, bad), name, "True or False")


def test_all_refunds_are_listed_only_if_the_transaction_is_omitted(run: Run) -> None:
    """If data from outside has no transaction ID, the call must not list the refunds of all customers (H322)."""
    prepare = run.client("billing", transport=Service()).prepare
    assert prepare.refunds.list().path_template == "/refunds"
    assert prepare.refunds.list("...").path_template == "/transactions/{transaction}/refunds"
    for empty in (None, ""):
        refused(run, lambda c, given=empty: c.refunds.list(given), "transaction")
