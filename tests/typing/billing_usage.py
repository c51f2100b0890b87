"""The types that checkers infer for the billing API. This file is never executed: `test_typing.py` checks it."""

from collections.abc import Coroutine
from typing import assert_type

from subscribekit import AsyncBillingClient, AsyncPager, BillingClient, Page, Pager, PreparedRequest, Response
from subscribekit.models import (
    Account,
    BillingPlanHistory,
    Chargeback,
    Credit,
    EntitlementCheck,
    Refund,
    Subscription,
    Transaction,
)


def blocking(client: BillingClient) -> None:
    family = client.resource("chargebacks", Chargeback)
    assert_type(family.retrieve("cb1"), Chargeback)
    assert_type(family.create(Chargeback()), Chargeback)
    assert_type(family.update("cb1", Chargeback()), Chargeback)
    assert_type(family.list(limit=5), Pager[Chargeback])
    family.delete("cb1")
    assert_type(client.accounts.list_children("a1"), Pager[Account])
    assert_type(client.accounts.grant_credit("a1", Credit()), Credit)
    assert_type(client.accounts.check_entitlement("a1", "films"), EntitlementCheck)
    assert_type(client.subscriptions.create(Subscription(), dryrun=True), Subscription)
    assert_type(client.subscriptions.list_billing_plan_history("s1"), Pager[BillingPlanHistory])
    assert_type(client.transactions.capture("t1"), Transaction)
    assert_type(client.refunds.list("t1"), Pager[Refund])


def raw(client: BillingClient) -> None:
    family = client.with_raw_response.resource("chargebacks", Chargeback)
    assert_type(family.retrieve("cb1"), Response[Chargeback])
    assert_type(family.list().first(), Response[Page[Chargeback]])
    assert_type(client.with_raw_response.refunds.create("t1", Refund()), Response[Refund])


def prepared_requests(client: BillingClient) -> None:
    assert_type(client.prepare.resource("chargebacks", Chargeback).list(), PreparedRequest[Page[Chargeback]])
    assert_type(client.prepare.subscriptions.cancel("s1", settle=True), PreparedRequest[Subscription])


async def asynchronous(client: AsyncBillingClient) -> None:
    family = client.resource("chargebacks", Chargeback)
    pending: Coroutine[object, object, Chargeback] = family.retrieve("cb1")
    assert_type(await pending, Chargeback)
    assert_type(await family.update("cb1", Chargeback()), Chargeback)
    assert_type(family.list(), AsyncPager[Chargeback])
    assert_type(await client.with_raw_response.resource("charges", Chargeback).retrieve("x"), Response[Chargeback])
    assert_type(await client.accounts.create(Account()), Account)


async def misuse(client: BillingClient, other: AsyncBillingClient) -> None:
    other.resource("chargebacks", Chargeback).retrieve("cb1")  # error
    client.resource("chargebacks", str)  # error
    client.resource("chargebacks", Chargeback).create(Account())  # error
    client.resource("chargebacks", Chargeback).retrieve(1)  # error
    client.resource("chargebacks", Chargeback).update("cb1")  # error
    client.subscriptions.create(Account())  # error
    client.subscriptions.change_billing_day("s1")  # error
    client.accounts.grant_credit("a1", "19.90")  # error
    client.transactions.list(customer="a1")  # error
    for _ in other.refunds.list("t1"):  # error
        pass
