"""Tests the sandbox's webhooks: their classes, events, subjects, and both formats."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from decimal import Decimal
from urllib.parse import parse_qsl

import pytest

from subscribekit import webhooks
from subscribekit.errors import APIError, OutcomeUnknownError
from subscribekit.models import (
    Account,
    BillingPlan,
    CreditCard,
    Entitlement,
    Payment,
    PaymentMethod,
    Product,
    Refund,
    Subscription,
    SubscriptionItem,
)
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import Fault, drop_after_commit, drop_before_commit, proxy_page

KEY = "0123456789abcdef0123456789abcdef01234567"
Fact = tuple[str | None, str | None, tuple[str, str] | None]


class Inbox:
    """A receiver that verifies and parses webhooks with the SDK."""

    def __init__(self, sandbox: Sandbox, **settings: object) -> None:
        self.events: list[webhooks.WebhookEvent] = []
        self.subscription = sandbox.webhooks.subscribe(self, key=KEY, **settings)  # type: ignore[arg-type]  # the types are those of the caller

    def __call__(self, body: bytes, signature: str) -> None:
        self.events.append(webhooks.unwrap(body, signature, KEY))

    @property
    def facts(self) -> list[Fact]:
        return [(each.class_name, each.event_name, each.subject) for each in self.events]


def test_a_reversed_payment_sends_a_webhook() -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox)
    with sandbox.billing() as billing:
        billing.payments.reverse("pay-cash-0001")
        billing.payments.reverse("pay-cash-0001")  # a second reversal changes nothing
    assert inbox.facts == [("transactions", "attempt failed", ("transaction", "txn-pay-cash-0001"))]
    event = inbox.events[0]
    assert event.timestamp == sandbox.now
    assert event.content["amount"] == Decimal("19.99")


def test_a_webhook_has_the_published_form() -> None:
    """Parses the webhook without the SDK. The signature is the Base64 of an HMAC-SHA256 of the raw body."""
    sandbox = Sandbox()
    sent: list[tuple[bytes, str]] = []
    sandbox.webhooks.subscribe(lambda body, signature: sent.append((body, signature)), key=KEY)
    with sandbox.billing() as billing:
        billing.accounts.update("acct-0001", Account(name="Ann"))
    body, signature = sent[0]
    assert signature == base64.b64encode(hmac.new(KEY.encode(), body, hashlib.sha256).digest()).decode()
    message = json.loads(body)
    assert set(message) == {"header", "content"}
    assert set(message["header"]) == {
        "class_name", "event_name", "message_id", "event_timestamp", "merchant_vid", "soap_version",
    }  # fmt: skip
    assert message["header"]["event_timestamp"] == "2026-03-02 09:00:00"
    assert message["content"]["account"]["merchantAccountId"] == "acct-0001"
    assert b"Ann" not in body  # the sandbox sends only published fields


CARD = PaymentMethod(
    id="pm-new", type="CreditCard", credit_card=CreditCard(account="4111111111111111", expiration_date="203012")
)


def test_the_webhooks_of_a_new_customer_are_in_order() -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox)
    with sandbox.billing() as billing:
        billing.accounts.create(Account(id="acct-new", name="Ann", payment_methods=[CARD]))
        subscription = billing.subscriptions.retrieve("sub-basic-0001")
        assert subscription.items
        billing.subscriptions.create(
            Subscription(
                id="sub-new",
                account=Account(id="acct-new"),
                billing_plan=BillingPlan(id=subscription.billing_plan.id if subscription.billing_plan else None),
                items=[SubscriptionItem(product=Product(id=subscription.items[0].product.id))],  # type: ignore[union-attr]
                currency="USD",
            )
        )
    facts = inbox.facts
    assert facts[:2] == [
        ("accounts", "data change", ("account", "acct-new")),
        ("payment methods", "data change", ("payment_method", "pm-new")),
    ]
    assert ("autobills", "start", ("subscription", "sub-new")) in facts
    assert ("entitlement", "start", ("account", "acct-new")) in facts
    assert next(each for each in facts if each[0] == "transactions")[1] == "attempt succeeded"
    paid = next(each for each in inbox.events if each.class_name == "transactions")
    assert paid.content["autoBillCycle"] == 0
    assert [each[1] for each in facts if each[0] == "invoices"] == ["payment received", "status change"]
    assert len({each.message_id for each in inbox.events}) == len(facts)


def test_an_entitlement_names_what_it_comes_from() -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox, classes=["entitlement"])
    with sandbox.billing() as billing:
        billing.subscriptions.cancel("sub-basic-0001", disentitle=True)
    contents = [each.content for each in inbox.events]
    assert contents
    for content in contents:
        assert content["merchantAccountId"] == "acct-0001"
        assert content["merchantAutobillId"] == "sub-basic-0001"
        assert isinstance(content["merchantEntitlementId"], list)
        assert content["entitlementSource"] in {"Product", "BillingPlan"}
        assert str(content["startTimestamp"])[10] == " "
    assert {each.event_name for each in inbox.events} == {"stop"}


CHANGES: dict[str, tuple[Callable[[Sandbox], object], Fact]] = {
    "an account": (
        lambda sandbox: sandbox.billing().accounts.update("acct-0002", Account(name="Ann")),
        ("accounts", "data change", ("account", "acct-0002")),
    ),
    "a payment method by the billing API": (
        lambda sandbox: sandbox.billing().payment_methods.update("pm-cash-0001", PaymentMethod(active=False)),
        ("payment methods", "data change", ("payment_method", "pm-cash-0001")),
    ),
    "a payment method by the storefront": (
        lambda sandbox: sandbox.storefront().payment_methods.update(
            "acct-0001", payment_method_id="pm-cash-0001", primary=True, active=True
        ),
        ("payment methods", "data change", ("payment_method", "pm-cash-0001")),
    ),
    "a subscription": (
        lambda sandbox: sandbox.billing().subscriptions.update("sub-basic-0001", Subscription(metadata={"a": "b"})),
        ("autobills", "modify", ("subscription", "sub-basic-0001")),
    ),
    "a subscription that runs on": (
        lambda sandbox: sandbox.billing().subscriptions.cancel("sub-basic-0001"),
        ("autobills", "modify", ("subscription", "sub-basic-0001")),
    ),
    "a subscription that ends": (
        lambda sandbox: sandbox.billing().subscriptions.cancel("sub-basic-0001", disentitle=True),
        ("autobills", "stop", ("subscription", "sub-basic-0001")),
    ),
    "time": (
        lambda sandbox: sandbox.advance(days=31),
        ("autobills", "stop", ("subscription", "sub-cancelling-0004")),
    ),
    "a start that lay ahead": (
        lambda sandbox: sandbox.advance(days=31),
        ("autobills", "start", ("subscription", "sub-future-0008")),
    ),
    "a bill": (
        lambda sandbox: sandbox.advance(days=31),
        ("invoices", "payment received", ("invoice", "sub-trial-0003-00000001")),
    ),
}  # fmt: skip


READ_WITHOUT_A_DEFAULT = {
    "entitlement": {
        "merchantAccountId", "merchantEntitlementId", "autoBillItemVid", "endTimestamp", "entitlementSource",
        "merchantAutobillId", "merchantAutoBillItemId", "merchantBillingPlanId", "merchantProductId", "startTimestamp",
    },
    "adjustments": {"merchantRefundId"},
    "invoices": {"invoice_id"},
    "payment methods": {"merchantPaymentMethodId"},
    "transactions": {"merchantTransactionId", "retryNumber"},
}  # fmt: skip
"""For each class, the keys of the content that published receivers read without a default."""


def test_published_receivers_find_every_key_that_they_read() -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox)
    with sandbox.billing() as billing:
        account = billing.accounts.create(Account(name="Without an ID", payment_methods=[CARD]))
        assert account.vid
        billing.accounts.grant_entitlement(account.vid, Entitlement(id="gift"))
        billing.subscriptions.create(
            Subscription(account=Account(vid=account.vid), items=[SubscriptionItem(product=Product(id="prod-basic"))])
        )
        billing.subscriptions.update("sub-basic-0001", Subscription(metadata={"a": "b"}))
        billing.refunds.create("txn-pay-card-0002", Refund(amount=1))
        sandbox.advance(days=31)
    assert {each.class_name for each in inbox.events} == {*READ_WITHOUT_A_DEFAULT, "accounts", "autobills"}
    for event in inbox.events:
        content = dict(event.content)
        inner = content.get("account") or content.get("autobill")
        named = dict(inner) if isinstance(inner, dict) else content
        assert set(content) >= READ_WITHOUT_A_DEFAULT.get(event.class_name or "", set())
        assert event.class_name == "invoices" or named["VID"]  # receivers read it if the ID is empty
        assert None not in content.values()
        assert event.subject is not None or event.class_name == "entitlement"
    given = [event.content for event in inbox.events if event.content.get("merchantEntitlementId") == ["gift"]]
    assert [(each["merchantAccountId"], each["merchantProductId"], each["endTimestamp"]) for each in given] == [
        ("", "", "")
    ]
    assert {each.content["VID"] for each in inbox.events if each.class_name == "entitlement"} >= {account.vid}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_sends_its_webhook(change: str) -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox)
    happen, expected = CHANGES[change]
    happen(sandbox)
    assert expected in inbox.facts
    assert inbox.facts.count(expected) == 1


def test_a_payment_and_a_refund_send_webhooks() -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox, classes=("transactions", "adjustments"))
    with sandbox.billing() as billing:
        payment = Payment(
            id="pay-new", amount=Decimal("5.00"), currency="USD", account=Account(id="acct-0001"),
            payment_method=PaymentMethod(id="pm-cash-0001"),
        )  # fmt: skip
        billing.payments.create(payment)
        assert [fact[:2] for fact in inbox.facts] == [("transactions", "attempt succeeded")]
        subject = inbox.events[0].subject
        assert subject is not None
        billing.refunds.create(subject[1], Refund(id="ref-new", amount=Decimal("2.00")))
    assert inbox.facts[1:] == [("adjustments", "refund", ("refund", "ref-new"))]


def test_each_declined_attempt_sends_a_webhook() -> None:
    sandbox = Sandbox()
    with sandbox.billing() as billing:
        declined = PaymentMethod(credit_card=CreditCard(account="4000000000000002", expiration_date="203012"))
        method = billing.subscriptions.retrieve("sub-basic-0001").payment_method
        assert method is not None
        assert method.id
        billing.payment_methods.update(method.id, declined)
    inbox = Inbox(sandbox)
    sandbox.advance(days=60)
    vid = sandbox.service.store["subscriptions"].find("sub-basic-0001")
    assert vid is not None
    attempts = [
        each for each in inbox.events
        if each.event_name == "attempt failed" and each.content.get("autobillVID") == vid["vid"]
    ]  # fmt: skip
    assert [each.content["retryNumber"] for each in attempts] == list(range(len(attempts)))
    assert len(attempts) >= 3
    times = [each.timestamp for each in inbox.events]
    assert times == sorted(times)  # type: ignore[type-var]  # all events have a timestamp
    assert len(set(times)) > 5  # each timestamp is the time of the event, not the end of `advance`


REFUSED: dict[str, Callable[[Sandbox], object]] = {
    "a read": lambda sandbox: sandbox.billing().accounts.list().to_list(),
    "a refusal": lambda sandbox: sandbox.billing().accounts.update("no-such-one", Account(name="Ann")),
    "a refusal half way": lambda sandbox: sandbox.billing().accounts.create(
        Account(id="acct-half", payment_methods=[CARD, PaymentMethod(id="no-such-one")])
    ),
    "a dry run": lambda sandbox: sandbox.billing().subscriptions.update(
        "sub-basic-0001", Subscription(metadata={"a": "b"}), dryrun=True
    ),
    "the same values again": lambda sandbox: sandbox.billing().subscriptions.update(
        "sub-basic-0001", Subscription(metadata={})
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_call_without_a_change_sends_no_webhook(kind: str) -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox)
    try:
        REFUSED[kind](sandbox)
    except APIError:
        assert "refusal" in kind
    assert inbox.facts == []
    assert sandbox.webhooks.deliveries == []


@pytest.mark.parametrize(("fault", "events"), [(drop_before_commit(), 0), (proxy_page(), 0), (drop_after_commit(), 1)])
def test_a_lost_response_loses_no_event(fault: Fault, events: int) -> None:
    """After an unknown outcome, the webhook shows whether the request was carried out."""
    sandbox = Sandbox()
    inbox = Inbox(sandbox)
    sandbox.faults.add("/payments/{payment}/actions/reverse", fault, times=None)
    with sandbox.billing() as billing, pytest.raises(OutcomeUnknownError):
        billing.payments.reverse("pay-cash-0001")
    assert len(inbox.events) == events


def test_both_formats_contain_the_same_facts() -> None:
    sandbox = Sandbox()
    as_json, as_form = Inbox(sandbox), Inbox(sandbox, format="urlencoded")
    with sandbox.billing() as billing:
        billing.subscriptions.cancel("sub-basic-0001", disentitle=True)
    sandbox.advance(days=40)
    assert as_json.facts == as_form.facts
    assert [each.message_id for each in as_json.events] == [each.message_id for each in as_form.events]
    bodies = [each.body for each in sandbox.webhooks.deliveries if each.subscription is as_form.subscription]
    assert dict(parse_qsl(bodies[0].decode()))["header[soap_version]"] == "27.0"
    for one, other in zip(as_json.events, as_form.events, strict=True):
        assert set(one.content) == set(other.content)
        assert one.timestamp == other.timestamp


def test_a_receiver_gets_only_its_classes() -> None:
    sandbox = Sandbox()
    everything, some, one = Inbox(sandbox), Inbox(sandbox, classes={"autobills"}), Inbox(sandbox, classes="invoices")
    sandbox.advance(days=40)
    assert {fact[0] for fact in some.facts} == {"autobills"}
    assert {fact[0] for fact in one.facts} == {"invoices"}
    assert some.facts == [fact for fact in everything.facts if fact[0] == "autobills"]


def test_the_same_seed_sends_the_same_webhooks() -> None:
    def story(seed: int) -> list[bytes]:
        sandbox = Sandbox(seed=seed)
        Inbox(sandbox)
        sandbox.advance(days=40)
        return [each.body for each in sandbox.webhooks.deliveries]

    assert story(1) == story(1) != story(2)


def test_restoring_a_snapshot_sends_no_webhooks() -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox)
    before = sandbox.snapshot()
    sandbox.advance(days=40)
    first = inbox.facts
    inbox.events.clear()
    sandbox.restore(before)
    assert sandbox.billing().accounts.list(limit=1).first()
    assert inbox.facts == []
    sandbox.advance(days=40)
    assert len(inbox.facts) == len(first)
    numbers = [each.message_id for each in sandbox.webhooks.deliveries]
    assert len(set(numbers)) == len(numbers)  # the repeated events have new message IDs


def test_reset_ends_subscriptions() -> None:
    sandbox = Sandbox()
    inbox = Inbox(sandbox)
    sandbox.reset()
    sandbox.advance(days=40)
    assert inbox.facts == []
    assert sandbox.webhooks.deliveries == []
    again = Inbox(sandbox)
    sandbox.billing().payments.reverse("pay-cash-0001")
    assert len(again.facts) == 1


def test_a_receiver_gets_no_earlier_events() -> None:
    sandbox = Sandbox()
    sandbox.billing().payments.reverse("pay-cash-0001")
    inbox = Inbox(sandbox)
    sandbox.webhooks.unsubscribe(inbox.subscription)
    sandbox.advance(days=40)
    late = Inbox(sandbox)
    sandbox.billing().accounts.update("acct-0001", Account(name="Ann"))
    assert inbox.facts == []
    assert [fact[0] for fact in late.facts] == ["accounts"]


def test_other_events_of_another_sandbox_have_other_ids() -> None:
    """A receiver that remembers message IDs can be used with several sandboxes."""
    seen: list[str] = []
    for use in ("sub-basic-0001", "sub-premium-0002", "sub-basic-0001"):
        sandbox = Sandbox()
        sandbox.webhooks.subscribe(lambda *_: None, key="k")
        sandbox.billing().subscriptions.cancel(use, disentitle=True)
        seen.append(sandbox.webhooks.deliveries[0].message_id)
    assert seen[0] == seen[2] != seen[1]
