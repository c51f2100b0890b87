"""Correct use. This file is never executed: mypy and basedpyright read each `assert_type` in strict mode."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import assert_type

from subscribekit import (
    ME,
    AsyncBillingClient,
    AsyncGatewayClient,
    AsyncPager,
    AsyncStorefrontClient,
    AsyncUserMgmtClient,
    BillingClient,
    Environment,
    GatewayClient,
    Limits,
    Page,
    Pager,
    PreparedRequest,
    Response,
    RetryPolicy,
    StorefrontClient,
    Timeouts,
    TraceContext,
    UserMgmtClient,
    Verdict,
    WireNames,
    __version__,
    new_transaction_id,
    trace,
)
from subscribekit.errors import (
    APIError,
    ErrorDetail,
    FieldError,
    Outcome,
    OutcomeUnknownError,
    Phase,
    RateLimitError,
    SubscribekitError,
    ValidationFailedError,
)
from subscribekit.filters import Field, Filter, field
from subscribekit.models import (
    Account,
    AccountAssociation,
    Campaign,
    Chargeback,
    EntitlementCharge,
    EntitlementChargeReceipt,
    Entity,
    EventSummary,
    FlatAmountDiscount,
    ModelList,
    PartnerSubscription,
    Payment,
    PaymentMethod,
    StorefrontPaymentMethod,
    Subscription,
    from_json,
    to_json,
)
from subscribekit.sandbox import Sandbox


def clients() -> None:
    environment = Environment(name="eu", base_url="https://billing.example.com", wire_names=WireNames())
    client = BillingClient(
        environment=environment,
        api_user="u",
        api_key="k",
        api_version=None,
        timeouts=Timeouts(connect=1, read=2.5),
        deadline=None,
        retry=RetryPolicy(max_attempts=2),
        limits=Limits(max_connections=4),
        trace=TraceContext("0" * 31 + "1", "0" * 15 + "1"),
        compress_requests=True,
    )
    assert_type(client, BillingClient)
    assert_type(client.environment, str)
    assert_type(client.base_url, str)
    assert_type(client.with_options(deadline=5, trace="off", headers={"X-Tenant": "7"}), BillingClient)
    assert_type(client.close(), None)
    with client as same:
        assert_type(same, BillingClient)
    GatewayClient(environment="production")
    UserMgmtClient(environment="staging", session_id=lambda: "session", cookie_name="SID")
    StorefrontClient(base_url="https://storefront.example.com", access_token="token")
    assert_type(new_transaction_id(), str)
    with trace() as context, trace(context) as continued, trace({"b3": "0"}) as received:
        assert_type((context, continued, received), tuple[TraceContext, TraceContext, TraceContext])
    version: str = __version__
    print(version)


async def async_clients() -> None:
    async def token() -> str:
        return "token"

    client = AsyncStorefrontClient(environment="sandbox", access_token=token)
    async with client as same:
        assert_type(same, AsyncStorefrontClient)
    assert_type(client.with_options(retry=RetryPolicy()), AsyncStorefrontClient)
    assert_type(await client.aclose(), None)
    AsyncUserMgmtClient(environment="sandbox", session_id=token)
    AsyncGatewayClient(environment="sandbox")


def blocking(
    billing: BillingClient, gateway: GatewayClient, users: UserMgmtClient, storefront: StorefrontClient, now: datetime
) -> None:
    assert_type(billing.payments.reverse("p"), Payment)
    assert_type(billing.campaigns.update("c", Campaign(name="x")), Campaign)
    assert_type(billing.accounts.list(limit=5, email="a@b.c", created_after=now, prefetch=True), Pager[Account])
    assert_type(billing.event_summaries.list(account="a", billed=False, start=now), Pager[EventSummary])
    assert_type(gateway.campaigns.activate("c"), Campaign)
    assert_type(gateway.subscriptions.retrieve("s", partner_code="x", include_billing_plan_history=True), Subscription)
    assert_type(gateway.partner_subscriptions.cancel("p"), PartnerSubscription)
    charge = EntitlementCharge(transaction_id=new_transaction_id(), amount=Decimal("1.50"))
    assert_type(gateway.entitlements.charge("p", charge), EntitlementChargeReceipt)
    assert_type(users.custom_data.delete(ME, "bookmarks", filter="a eq 1"), None)
    assert_type(users.accounts.list(offset=5, size=0, concurrency=4), Pager[AccountAssociation])
    assert_type(users.entities.list("/group/{groupId}/users", group_id="g"), Pager[Entity])
    updated = storefront.payment_methods.update("a", payment_method_id="p", primary=True, active=False)
    assert_type(updated, StorefrontPaymentMethod)
    assert_type(storefront.payment_methods.update("a", payment_method_id="p", active=False), StorefrontPaymentMethod)
    assert_type(users.custom_data.delete(4001, "bookmarks", filter="a eq 1"), None)
    assert_type(users.entities.list("/group/{groupId}/users", group_id=7), Pager[Entity])
    assert_type(billing.payments.retrieve("p"), Payment)
    assert_type(billing.payments.list(params={"account": "a"}), Pager[Payment])
    UserMgmtClient(environment="sandbox", api_release="v86")


async def asynchronous(
    billing: AsyncBillingClient,
    gateway: AsyncGatewayClient,
    users: AsyncUserMgmtClient,
    storefront: AsyncStorefrontClient,
) -> None:
    pending: Coroutine[object, object, Payment] = billing.payments.reverse("p")
    assert_type(await pending, Payment)
    assert_type(await billing.payments.reverse("p"), Payment)
    assert_type(await billing.campaigns.update("c", Campaign()), Campaign)
    assert_type(billing.accounts.list(), AsyncPager[Account])
    assert_type(billing.event_summaries.list(), AsyncPager[EventSummary])
    assert_type(await gateway.campaigns.activate("c"), Campaign)
    assert_type(await gateway.subscriptions.retrieve("s"), Subscription)
    assert_type(await gateway.partner_subscriptions.cancel("p"), PartnerSubscription)
    assert_type(await gateway.entitlements.charge("p", EntitlementCharge(transaction_id="t")), EntitlementChargeReceipt)
    assert_type(await users.custom_data.delete("u", "a", filter=field("age").ge(18)), None)
    assert_type(users.accounts.list(), AsyncPager[AccountAssociation])
    assert_type(users.entities.list("/user/groups"), AsyncPager[Entity])
    assert_type(
        await storefront.payment_methods.update("a", payment_method_id="p", primary=True, active=False),
        StorefrontPaymentMethod,
    )
    payment, subscription = await asyncio.gather(billing.payments.reverse("p"), gateway.subscriptions.retrieve("s"))
    assert_type(payment, Payment)
    assert_type(subscription, Subscription)
    task = asyncio.create_task(billing.payments.reverse("p"))
    assert_type(task, asyncio.Task[Payment])
    async with asyncio.timeout(1):
        assert_type(await asyncio.wait_for(billing.payments.reverse("p"), 1), Payment)


def lists(billing: BillingClient) -> None:
    pager = billing.accounts.list()
    for account in pager:
        assert_type(account, Account)
    assert_type(iter(pager), Iterator[Account])
    assert_type(pager.pages(), Iterator[Page[Account]])
    for page in pager.pages():
        assert_type(page.data, list[Account])
        assert_type(page.total_count, int | None)
        assert_type(page.next, str | None)
    assert_type(pager.first(), Account | None)
    assert_type(pager.take(3), list[Account])
    assert_type(pager.to_list(limit=10), list[Account])
    assert_type(pager.total_count(), int | None)
    assert_type(pager.checkpoint, str)
    assert_type([account.email for account in pager], list[str | None])


async def async_lists(billing: AsyncBillingClient) -> None:
    pager = billing.accounts.list(checkpoint="x")
    async for account in pager:
        assert_type(account, Account)
    assert_type(aiter(pager), AsyncIterator[Account])
    assert_type(pager.pages(), AsyncIterator[Page[Account]])
    async for page in pager.pages():
        assert_type(page, Page[Account])
    assert_type(await pager.first(), Account | None)
    assert_type(await pager.take(3), list[Account])
    assert_type(await pager.to_list(), list[Account])
    assert_type(await pager.total_count(), int | None)
    assert_type(pager.checkpoint, str)
    assert_type([account async for account in pager], list[Account])


def raw(billing: BillingClient, gateway: GatewayClient, users: UserMgmtClient, storefront: StorefrontClient) -> None:
    response = billing.with_raw_response.payments.reverse("p")
    assert_type(response, Response[Payment])
    assert_type(response.data, Payment)
    assert_type(response.status_code, int)
    assert_type(response.headers, Mapping[str, str])
    assert_type(response.request_id, str | None)
    assert_type(response.trace_id, str | None)
    assert_type(response.attempts, int)
    assert_type(response.elapsed, float)
    assert_type(gateway.with_raw_response.subscriptions.retrieve("s"), Response[Subscription])
    assert_type(users.with_raw_response.custom_data.delete(ME, "a", filter="x"), Response[None])
    raw_update = storefront.with_raw_response.payment_methods.update(
        "a", payment_method_id="p", primary=True, active=True
    )
    assert_type(raw_update, Response[StorefrontPaymentMethod])
    for page in billing.with_raw_response.accounts.list():
        assert_type(page, Response[Page[Account]])
    assert_type(billing.with_raw_response.accounts.list().first(), Response[Page[Account]])
    assert_type(billing.with_raw_response.request("GET", "/a", result=Account), Response[Account])
    assert_type(users.prepare.request("GET", "/a", result=Account), PreparedRequest[Account])


async def async_raw(billing: AsyncBillingClient, users: AsyncUserMgmtClient) -> None:
    assert_type(await billing.send(billing.prepare.payments.reverse("p")), Payment)
    assert_type(await billing.with_raw_response.payments.reverse("p"), Response[Payment])
    assert_type(await users.with_raw_response.custom_data.delete(ME, "a", filter="x"), Response[None])
    assert_type(await users.with_raw_response.request("GET", "/a", result=Account), Response[Account])
    async for page in billing.with_raw_response.accounts.list():
        assert_type(page, Response[Page[Account]])
    assert_type(await users.with_raw_response.accounts.list().first(), Response[Page[AccountAssociation]])


def prepared_requests(billing: BillingClient, asynchronous_billing: AsyncBillingClient) -> None:
    request = billing.prepare.payments.reverse("p")
    assert_type(request, PreparedRequest[Payment])
    assert_type(billing.send(request), Payment)
    assert_type(request.url, str)
    assert_type(request.body, bytes | None)
    assert_type(request.headers, Mapping[str, str])
    assert_type(billing.prepare.accounts.list(email="a@b.c"), PreparedRequest[Page[Account]])
    assert_type(asynchronous_billing.prepare.payments.reverse("p"), PreparedRequest[Payment])
    assert_type(asynchronous_billing.prepare.accounts.list(), PreparedRequest[Page[Account]])
    assert_type(billing.send(billing.prepare.accounts.list()), Page[Account])


async def verdicts(billing: BillingClient, gateway: AsyncGatewayClient, error: OutcomeUnknownError) -> None:
    assert_type(await gateway.resolve(error, not_applied_after=10.0, wait=False), Verdict)
    verdict = billing.resolve(error)
    assert_type(verdict, Verdict)
    if verdict.state == "not_applied" and verdict.safe_to_retry:
        assert_type(verdict.support_details + verdict.evidence, str)
    if isinstance(verdict.result, Account):
        assert_type(verdict.result.name, str | None)


def free(billing: BillingClient) -> None:
    assert_type(billing.request("GET", "/accounts/a1", result=Account), Account)
    plain = billing.request("POST", "/x", params={"all": True}, json={"amount": Decimal("1.50")})
    for name, value in plain.items():
        assert_type(name, str)
        if isinstance(value, Decimal):
            assert_type(value, Decimal)
    items = billing.request("GET", "/x", result=list, params={"id": ["a", "b"], "n": (1, True), "none": None, "at": ""})
    for item in items:
        assert_type(str(item), str)
    assert_type(billing.with_raw_response.request("GET", "/x", result=list).status_code, int)
    assert_type(billing.prepare.request("GET", "/x").body, bytes | None)
    for item in billing.send(billing.prepare.request("GET", "/x", result=list)):
        assert_type(str(item), str)
    assert_type(billing.collection("/a/b", Account).list(limit=5, params={"k": ["x"]}), Pager[Account])
    assert_type(billing.prepare.collection("/a/b", Account).list(), PreparedRequest[Page[Account]])


async def async_free(billing: AsyncBillingClient, users: AsyncUserMgmtClient) -> None:
    assert_type(billing.collection("/a/b", Account).list(), AsyncPager[Account])
    assert_type(users.collection("/a/b", Entity).list(size=5, concurrency=2), AsyncPager[Entity])
    assert_type(len(await billing.request("GET", "/x", result=list)), int)
    assert_type(await billing.request("PUT", "/a/b", json=Account(id="x"), result=Account), Account)


def generic(billing: BillingClient) -> None:
    family = billing.resource("chargebacks", Chargeback)
    assert_type(family.retrieve("c"), Chargeback)
    assert_type(family.list(limit=3), Pager[Chargeback])
    assert_type(family.create(Chargeback()), Chargeback)
    assert_type(family.delete("c"), None)
    assert_type(billing.with_raw_response.resource("chargebacks", Chargeback).retrieve("c"), Response[Chargeback])
    assert_type(billing.prepare.resource("chargebacks", Chargeback).retrieve("c"), PreparedRequest[Chargeback])


async def async_generic(billing: AsyncBillingClient) -> None:
    family = billing.resource("chargebacks", Chargeback)
    assert_type(await family.retrieve("c"), Chargeback)
    assert_type(family.list(), AsyncPager[Chargeback])


def models(account: Account, summary: EventSummary, read: Campaign, now: datetime) -> None:
    assert_type(read.percentage_discount, Decimal | None)
    assert_type(read.flat_amount_discounts, ModelList[FlatAmountDiscount] | None)
    assert_type(account.id, str | None)
    assert_type(account.email, str | None)
    assert_type(account.created, datetime | None)
    assert_type(account.parent, Account | None)
    assert_type(account.payment_methods, ModelList[PaymentMethod] | None)
    assert_type(account.metadata, dict[str, str] | None)
    if account.payment_methods is not None:
        assert_type(account.payment_methods[0], PaymentMethod)
        assert_type(account.payment_methods.total_count, int | None)
        for method in account.payment_methods:
            assert_type(method.primary, bool | None)
    assert_type(summary.account, Account | None)
    assert_type(summary.event_count, int | None)
    campaign = Campaign(
        name="x",
        percentage_discount=10,
        offer_start_date=now,
        state="Active",
        promotion_code_aliases=["a", "b"],
        products=[],
    )
    campaign.state = "A state that was added later"
    campaign.percentage_discount = Decimal("12.50")
    campaign.flat_amount_discounts = [FlatAmountDiscount(currency="EUR", amount=5)]
    assert_type(campaign.expiration_date, datetime | None)
    charge = EntitlementCharge(transaction_id="t", amount=-1, original_transaction_id="o", charge_date=now)
    assert_type(charge.transaction_id, str)
    assert_type(charge.amount, Decimal | None)


def filters() -> None:
    assert_type(field("age"), Field)
    assert_type(field("age").ge(18), Filter)
    assert_type(field("age").ge(18) & ~field("name").co("x") | field("b").eq(None), Filter)
    assert_type(str(field("age").ge(Decimal("1.5"))), str)


def failures(error: SubscribekitError) -> None:
    assert_type(error.outcome, Outcome)
    assert_type(error.attempts, int)
    assert_type(error.checkpoint, str | None)
    if isinstance(error, RateLimitError):
        assert_type(error.retry_after, float | None)
    elif isinstance(error, ValidationFailedError):
        assert_type(error.validation_errors, tuple[ErrorDetail, ...])
        assert_type(error.field_errors, tuple[FieldError, ...])
    elif isinstance(error, APIError):
        assert_type(error.status_code, int)
        assert_type(error.code, str | None)
    elif isinstance(error, OutcomeUnknownError):
        assert_type(error.phase, Phase)
        assert_type(error.reconcile_key, str | None)
        assert_type(error.sent_at, datetime | None)


def sandbox(box: Sandbox) -> None:
    assert_type(box.billing(), BillingClient)
    assert_type(box.gateway(), GatewayClient)
    assert_type(box.user_mgmt(), UserMgmtClient)
    assert_type(box.storefront(), StorefrontClient)
    assert_type(box.async_billing(), AsyncBillingClient)


def stored(subscription: Subscription) -> None:
    assert_type(to_json(subscription), bytes)
    assert_type(from_json(Subscription, to_json(subscription)), Subscription)
    assert_type(from_json(Account, "{}"), Account)
