"""The mistakes of a first hour: for each of them the sentence that a person reads."""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import wraps
from pathlib import Path
from traceback import walk_tb
from types import FrameType
from typing import Any
from unittest.mock import Mock, create_autospec

import httpx
import pytest
from IPython.lib.pretty import pretty

import subscribekit
from core.kit import ASYNC, BLOCKING, Group, Run, Service, answer
from subscribekit import Environment, Limits, Page, Response, RetryPolicy, Timeouts, TraceContext, WireNames
from subscribekit._core.calls.instead import CLIENTS
from subscribekit.drift import Drift
from subscribekit.errors import ConfigurationError, NotFoundError, OutcomeUnknownError, RequestError, SubscribekitError
from subscribekit.hooks import Hooks
from subscribekit.models import (
    Account,
    Address,
    BillingPlan,
    BssAccount,
    CreditCard,
    EntitlementCharge,
    PaymentMethod,
    Product,
    Subscription,
    SubscriptionItem,
    Transaction,
    from_json,
    to_json,
)
from subscribekit.models._base import read
from subscribekit.sandbox import Sandbox

NAIVE = datetime(2026, 1, 31)  # noqa: DTZ001  the mistake
CHARGE = EntitlementCharge(transaction_id="t-1", amount=Decimal("4.90"), currency="USD")
Use = Callable[[Any], object]


@pytest.fixture(params=["blocking", "async"])
def run(request: pytest.FixtureRequest) -> Run:
    """Both styles."""
    return Run(request.param)


@dataclass(frozen=True)
class Mistake:
    """A use of a client, what it raises, and every word of it; `{client}` is the class, `{await}` its style's."""

    group: Group
    use: Use
    kind: type[Exception]
    sentence: str

    def said(self, style: str) -> str:
        own = BLOCKING if style == "blocking" else ASYNC
        words = {"client": own[self.group].__name__, "await": "call" if style == "blocking" else "await"}
        words["pager"] = "Pager" if style == "blocking" else "AsyncPager"
        said = re.sub(r"{(client|await|pager)}", lambda found: words[found[1]], self.sentence)
        return said.replace("a Async", "an Async")


# Calls: arguments and names, the same in both styles

SETTINGS = "a call takes no settings of its own; write client.with_options"
PAGES = "a list reads page after page by itself; {}= is the size of a page, and .take(n) gives n items"
BILLING = "', '".join(CLIENTS["BillingClient"])

CALLS: dict[str, Mistake] = {
    "a number as an id": Mistake(
        "billing", lambda c: c.accounts.retrieve(5), RequestError,
        "account must be text, not int: write str(...) around it",
    ),
    "no id": Mistake(
        "billing", lambda c: c.accounts.retrieve(None), RequestError,
        "account must be text, not NoneType, which an unsaved or unread resource has for an id",
    ),
    "a resource as an id": Mistake(
        "gateway", lambda c: c.subscriptions.retrieve(Subscription(id="s1")), RequestError,
        "subscription must be text, not Subscription: give its `id`",
    ),
    "a resource as a filter": Mistake(
        "billing", lambda c: c.subscriptions.list(account=Account(id="a1")), RequestError,
        "account must be text, not Account: give its `id`",
    ),
    "a path as an id": Mistake(
        "billing", lambda c: c.accounts.retrieve("/accounts/a1"), RequestError,
        r"account must not be a dot segment or contain / \ ? # % or a control character",
    ),
    "an id that is too long": Mistake(
        "gateway", lambda c: c.partner_subscriptions.cancel("x" * 37), RequestError,
        "partner_subscription must have 1 to 36 characters",
    ),
    "a dict as a body": Mistake(
        "billing", lambda c: c.accounts.create({"id": "a1"}), RequestError,
        "body must be an Account, not dict: write Account(...)",
    ),
    "a class as a body": Mistake(
        "billing", lambda c: c.accounts.create(Account), RequestError,
        "body must be an Account, not the class itself: write Account(...)",
    ),
    "another model as a body": Mistake(
        "billing", lambda c: c.accounts.create(Product(id="p1")), RequestError,
        "body must be an Account, not Product: write Account(...)",
    ),
    "an amount as a charge": Mistake(
        "gateway", lambda c: c.entitlements.charge("ps-1", Decimal("4.90")), RequestError,
        "charge must be an EntitlementCharge, not Decimal: write EntitlementCharge(...)",
    ),
    "a page that is too large": Mistake(
        "billing", lambda c: c.accounts.list(limit=1000), RequestError,
        "limit must be a whole number from 1 to 100; it is the size of a page, and .take(n) gives the first n items of "
        "a list",
    ),
    "a page that is too large in group C": Mistake(
        "user_mgmt", lambda c: c.accounts.list(size=1000), RequestError,
        "size must be a whole number from 0 to 100; it is the size of a page, and .take(n) gives the first n items of "
        "a list",
    ),
    "a page size in text": Mistake(
        "billing", lambda c: c.accounts.list(limit="10"), RequestError, "limit must be a whole number from 1 to 100"
    ),
    "a time in text": Mistake(
        "billing", lambda c: c.accounts.list(created_after="2026-01-31"), RequestError,
        "created_after must be a datetime with a time zone: write datetime(2026, 1, 31, tzinfo=UTC)",
    ),
    "a date": Mistake(
        "billing", lambda c: c.accounts.list(created_after=date(2026, 1, 31)), RequestError,
        "created_after must be a datetime with a time zone: write datetime(2026, 1, 31, tzinfo=UTC)",
    ),
    "a time without a zone": Mistake(
        "billing", lambda c: c.accounts.list(created_after=NAIVE), RequestError,
        "created_after must be a datetime with a time zone: write datetime.now(UTC), or .replace(tzinfo=UTC)",
    ),
    "two ends of a list": Mistake(
        "billing", lambda c: c.accounts.list(starting_after="a", ending_before="b"), RequestError,
        "give either starting_after or ending_before, not both",
    ),
    "a checkpoint that is none": Mistake(
        "billing", lambda c: c.accounts.list(checkpoint="x"), RequestError, "checkpoint is damaged"
    ),
    "parameters in text": Mistake(
        "billing", lambda c: c.accounts.list(params="a=1"), RequestError,
        "params must be a mapping of names to values, not str",
    ),
    "a page number": Mistake(
        "billing", lambda c: c.accounts.list(page=2), TypeError,
        f"Accounts.list() got an unexpected keyword argument 'page': {PAGES.format('limit')}",
    ),
    "the page size of group A in group C": Mistake(
        "user_mgmt", lambda c: c.accounts.list(limit=5), TypeError,
        f"Accounts.list() got an unexpected keyword argument 'limit': {PAGES.format('size')}",
    ),
    "a misspelled filter": Mistake(
        "billing", lambda c: c.accounts.list(e_mail="a@b.example"), TypeError,
        "Accounts.list() got an unexpected keyword argument 'e_mail': did you mean email=?",
    ),
    "a timeout of a list": Mistake(
        "billing", lambda c: c.accounts.list(timeout=5), TypeError,
        f"Accounts.list() got an unexpected keyword argument 'timeout': {SETTINGS}(deadline=10.0), or "
        "timeouts=Timeouts(read=10.0) for one step of a call",
    ),
    "a list with an argument too much": Mistake(
        "billing", lambda c: c.accounts.list("a@b.example"), TypeError,
        "Accounts.list() takes 1 positional argument but 2 were given: write accounts.list(...)",
    ),
    "an unknown paginated call": Mistake(
        "user_mgmt", lambda c: c.entities.list("/users"), RequestError,
        "path must be one of the paginated calls, as written in the specification",
    ),
    "a paginated call without its id": Mistake(
        "user_mgmt", lambda c: c.entities.list("/user/{userId}/groups"), RequestError, "user_id is missing"
    ),
    "an empty filter of a deletion": Mistake(
        "user_mgmt", lambda c: c.custom_data.delete("me", "notes", filter=None), RequestError,
        "a filter is built with field(...) or is a string, not NoneType",
    ),
    "an update that changes nothing": Mistake(
        "storefront", lambda c: c.payment_methods.update("a1", payment_method_id="pm1"), RequestError,
        "give primary, active or both; without them the call would change nothing",
    ),
    "a flag in text": Mistake(
        "storefront", lambda c: c.payment_methods.update("a1", payment_method_id="pm1", primary="yes"), RequestError,
        "primary must be True or False",
    ),
    "a method in small letters": Mistake(
        "billing", lambda c: c.request("get", "/accounts"), RequestError,
        "method must be GET, POST, PUT or DELETE, in capital letters",
    ),
    "a PATCH": Mistake(
        "billing", lambda c: c.request("PATCH", "/accounts"), RequestError,
        "method must be GET, POST, PUT or DELETE; a PATCH is none of the interfaces, which update by POST or PUT",
    ),
    "a URL as a path": Mistake(
        "gateway", lambda c: c.request("GET", "https://b.test/accounts"), RequestError,
        "path must start with one '/'; absolute URLs are refused",
    ),
    "a query in a path": Mistake(
        "billing", lambda c: c.request("GET", "/accounts?limit=1"), RequestError,
        "path must not hold a query: write params={'name': 'value'}",
    ),
    "a float as a parameter": Mistake(
        "storefront", lambda c: c.request("GET", "/x", params={"a": 1.5}), RequestError,
        "a must be text, a whole number, a boolean, a datetime or a list of them",
    ),
    "a body of a GET": Mistake(
        "billing", lambda c: c.request("GET", "/accounts", json={}), RequestError,
        "a GET has no body: write params=... for its query",
    ),
    "JSON that was encoded already": Mistake(
        "billing", lambda c: c.request("POST", "/accounts", json="{}"), RequestError,
        "json must be a model, a mapping or a list, not text: give the object itself, and the client encodes it",
    ),
    "body= of a request": Mistake(
        "billing", lambda c: c.request("POST", "/accounts", body={}), TypeError,
        "Resources.request() got an unexpected keyword argument 'body': write json=...",
    ),
    "data= of a request": Mistake(
        "gateway", lambda c: c.request("POST", "/x", data={}), TypeError,
        "Resources.request() got an unexpected keyword argument 'data': write json=...",
    ),
    "headers= of a request": Mistake(
        "billing", lambda c: c.request("GET", "/accounts", headers={}), TypeError,
        "Resources.request() got an unexpected keyword argument 'headers': "
        f"{SETTINGS}(headers={{'X-Name': '...'}})",
    ),
    "verify= of a request": Mistake(
        "billing", lambda c: c.request("GET", "/accounts", verify=False), TypeError,
        "Resources.request() got an unexpected keyword argument 'verify': give the client "
        "ssl_context=ssl.create_default_context(cafile='...') when it is made; certificates are always checked",
    ),
    "timeout= of with_options": Mistake(
        "billing", lambda c: c.with_options(timeout=5), TypeError,
        "with_options() got an unexpected keyword argument 'timeout': write client.with_options(deadline=10.0), or "
        "timeouts=Timeouts(read=10.0) for one step of a call",
    ),
    "a header of the client's own": Mistake(
        "billing", lambda c: c.with_options(headers={"Authorization": "x"}), RequestError,
        "the header Authorization is set by the client itself",
    ),
    "headers as pairs": Mistake(
        "billing", lambda c: c.with_options(headers=[("a", "b")]), RequestError,
        "headers must be a mapping of names to values, not a list: write {'X-Name': '...'}",
    ),
    "a verb as a method": Mistake(
        "billing", lambda c: c.get("/accounts"), AttributeError,
        "'{client}' object has no attribute 'get': write client.request('GET', '/...') for a call that has no method",
    ),
    "a family in the singular": Mistake(
        "billing", lambda c: c.account, AttributeError,
        "'{client}' object has no attribute 'account': did you mean 'accounts'?",
    ),
    "a misspelled family": Mistake(
        "gateway", lambda c: c.entitlments, AttributeError,
        "'{client}' object has no attribute 'entitlments': did you mean 'entitlements'?",
    ),
    "a family by another service's name": Mistake(
        "billing", lambda c: c.customers, AttributeError,
        "'{client}' object has no attribute 'customers': did you mean 'accounts'?",
    ),
    "a family of another client": Mistake(
        "gateway", lambda c: c.accounts, AttributeError,
        "'{client}' object has no attribute 'accounts': write BillingClient().accounts or UserMgmtClient().accounts",
    ),
    "something that no client has": Mistake(
        "user_mgmt", lambda c: c.weather, AttributeError,
        "'{client}' object has no attribute 'weather': this client has accounts, custom_data and entities",
    ),
    "get of a family": Mistake(
        "billing", lambda c: c.accounts.get("a1"), AttributeError,
        "'Accounts' object has no attribute 'get': write accounts.retrieve(...)",
    ),
    "a misspelled operation": Mistake(
        "gateway", lambda c: c.subscriptions.retreive("s1"), AttributeError,
        "'Subscriptions' object has no attribute 'retreive': write subscriptions.retrieve(...)",
    ),
    "another word for a charge": Mistake(
        "gateway", lambda c: c.entitlements.create(CHARGE), AttributeError,
        "'Entitlements' object has no attribute 'create': write entitlements.charge(...)",
    ),
    "all of a family": Mistake(
        "billing", lambda c: c.payment_methods.all(), AttributeError,
        "'PaymentMethods' object has no attribute 'all': write payment_methods.list(...)",
    ),
    "an operation that is none": Mistake(
        "gateway", lambda c: c.partner_subscriptions.retrieve("ps1"), AttributeError,
        "'PartnerSubscriptions' object has no attribute 'retrieve': partner_subscriptions has cancel; client.request "
        "calls what has no method",
    ),
    "timeout= of a call": Mistake(
        "billing", lambda c: c.accounts.retrieve("a1", timeout=5), TypeError,
        f"Accounts.retrieve() got an unexpected keyword argument 'timeout': {SETTINGS}(deadline=10.0), or "
        "timeouts=Timeouts(read=10.0) for one step of a call",
    ),
    "headers= of a charge": Mistake(
        "gateway", lambda c: c.entitlements.charge("ps-1", CHARGE, headers={}), TypeError,
        f"Entitlements.charge() got an unexpected keyword argument 'headers': {SETTINGS}(headers={{'X-Name': '...'}})",
    ),
    "an idempotency key": Mistake(
        "gateway", lambda c: c.entitlements.charge("ps-1", CHARGE, idempotency_key="k"), TypeError,
        "Entitlements.charge() got an unexpected keyword argument 'idempotency_key': the service knows none; a call is "
        "sent again only where that does no harm",
    ),
    "id= of a call": Mistake(
        "billing", lambda c: c.accounts.retrieve(id="a1"), TypeError,
        "Accounts.retrieve() got an unexpected keyword argument 'id': it takes account",
    ),
    "json= of a creation": Mistake(
        "billing", lambda c: c.accounts.create(json={}), TypeError,
        "Accounts.create() got an unexpected keyword argument 'json': write accounts.create(Account(...))",
    ),
    "fields of a creation": Mistake(
        "billing", lambda c: c.accounts.create(email="a@b.example"), TypeError,
        "Accounts.create() got an unexpected keyword argument 'email': write accounts.create(Account(email=...))",
    ),
    "fields of an update": Mistake(
        "billing", lambda c: c.accounts.update("a1", email="a@b.example"), TypeError,
        "Accounts.update() got an unexpected keyword argument 'email': write accounts.update(account, "
        "Account(email=...))",
    ),
    "a call without its identifier": Mistake(
        "billing", lambda c: c.accounts.update(Account(id="a1")), TypeError,
        "Accounts.update() missing 1 required positional argument: 'body': write accounts.update(account, body, ...)",
    ),
    "a call with an argument too much": Mistake(
        "storefront", lambda c: c.payment_methods.update("a1", "pm1", True), TypeError,
        "PaymentMethods.update() takes 2 positional arguments but 4 were given: write payment_methods.update(account, "
        "payment_method_id=..., ...)",
    ),
    "a deletion without a filter": Mistake(
        "user_mgmt", lambda c: c.custom_data.delete("me", "notes"), TypeError,
        "CustomData.delete() missing 1 required keyword-only argument: 'filter': write custom_data.delete(user_id, "
        "property_array_name, filter=...)",
    ),
    "the truth of a list": Mistake(
        "billing", lambda c: bool(c.accounts.list(email="a@b.example")), TypeError,
        "a {pager} has no truth value before it is read: {await} .first()",
    ),
    "the length of a list": Mistake(
        "billing", lambda c: len(c.accounts.list()), TypeError,
        "a {pager} has no length before it is read: {await} .total_count(), or take len() of .to_list()",
    ),
    "the index of a list": Mistake(
        "user_mgmt", lambda c: c.accounts.list()[0], TypeError,
        "a {pager} has no index: {await} .first(), .take(n) or .to_list()[i]",
    ),
    "data of a list": Mistake(
        "billing", lambda c: c.accounts.list().data, AttributeError,
        "'{pager}' object has no attribute 'data': {await} .to_list()",
    ),
    "count of a list": Mistake(
        "user_mgmt", lambda c: c.accounts.list().count(), AttributeError,
        "'{pager}' object has no attribute 'count': {await} .total_count()",
    ),
    "a filter of a list that was made": Mistake(
        "billing", lambda c: c.accounts.list().filter(email="a@b.example"), AttributeError,
        "'{pager}' object has no attribute 'filter': give the filters to the call that makes the list",
    ),
    "a policy that is none": Mistake(  # H170
        "billing", lambda c: c.with_options(retry=None), ConfigurationError,
        "retry must be a RetryPolicy, not None: leave it out to keep it, or write retry=RetryPolicy(max_attempts=3)",
    ),
    "timeouts that are none": Mistake(
        "gateway", lambda c: c.with_options(timeouts=None), ConfigurationError,
        "timeouts must be a Timeouts, not None: leave it out to keep it, or write timeouts=Timeouts(read=10.0), or "
        "deadline=10.0 for a whole call",
    ),
    "a family as a list": Mistake(
        "billing", lambda c: list(c.accounts), TypeError,
        "accounts is a family of calls and holds nothing: write accounts.list()",
    ),
    "the index of a family": Mistake(
        "billing", lambda c: c.accounts["a1"], TypeError,
        "accounts is a family of calls and holds nothing: write accounts.retrieve(...)",
    ),
    "the index of a family that cannot be read": Mistake(
        "gateway", lambda c: c.partner_subscriptions["ps1"], TypeError,
        "partner_subscriptions is a family of calls and holds nothing: partner_subscriptions has cancel",
    ),
    "a list that was not called": Mistake(
        "billing", lambda c: c.accounts.list.first(), AttributeError,
        "accounts.list is a method and has no attribute 'first': write accounts.list(...).first",
    ),
    "a call that was not called": Mistake(
        "gateway", lambda c: c.subscriptions.retrieve.status, AttributeError,
        "subscriptions.retrieve is a method and has no attribute 'status': write subscriptions.retrieve(...).status",
    ),
    "raw responses of a family": Mistake(
        "billing", lambda c: c.accounts.with_raw_response, AttributeError,
        "'Accounts' object has no attribute 'with_raw_response': write client.with_raw_response.accounts",
    ),
    "options of a family": Mistake(
        "gateway", lambda c: c.entitlements.with_options(deadline=3), AttributeError,
        "'Entitlements' object has no attribute 'with_options': write client.with_options(...).entitlements",
    ),
    "a short name of raw responses": Mistake(
        "billing", lambda c: c.raw, AttributeError,
        "'{client}' object has no attribute 'raw': did you mean 'with_raw_response'?",
    ),
    "another word for a plan": Mistake(
        "storefront", lambda c: c.dry_run, AttributeError,
        "'{client}' object has no attribute 'dry_run': did you mean 'plan'?",
    ),
    "another word for resolve": Mistake(
        "gateway", lambda c: c.reconcile(ValueError()), AttributeError,
        "'{client}' object has no attribute 'reconcile': did you mean 'resolve'?",
    ),
    "an id in a list": Mistake(  # H171
        "billing", lambda c: "a1" in c.accounts.list(), TypeError,
        "a {pager} holds resources, and no text is in it: look for any(each.id == ... for each in the list), or "
        "retrieve it by its id",
    ),
    "a negative number of items": Mistake(
        "billing", lambda c: c.accounts.list().take(-1), RequestError, "n must be a whole number that is not negative"
    ),
    "a family of the billing API that has no such name": Mistake(
        "billing", lambda c: c.resource("Chargebacks", Account), RequestError,
        "name must be the plural of a family in lower-case letters and '_', such as 'chargebacks'",
    ),
    "a resource that is no model": Mistake(
        "billing", lambda c: c.resource("chargebacks", dict), RequestError,
        "model must be a model class, such as subscribekit.models.Chargeback",
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", CALLS.values(), ids=CALLS)
def test_a_call_says_what_to_write(mistake: Mistake, run: Run) -> None:
    service = Service(answer({"object": "Account"}))
    with pytest.raises(mistake.kind) as caught:
        run(mistake.group, mistake.use, transport=service)
    text = str(caught.value).removeprefix("BlockingClient.").removeprefix("AsyncClient.")
    # The families of async clients are named as editors show them.
    assert mistake.said(run.style) in (text, text.replace("'Async", "'", 1))
    assert service.sent == []


# Clients

NO_ENVIRONMENT = (
    "say which environment to use: environment='production', 'staging' or 'sandbox', the variable "
    "SUBSCRIBEKIT_ENVIRONMENT, or base_url with credentials; there is no default"
)
NAMED = "environment must be 'production', 'staging', 'sandbox' or an Environment of your own"


@dataclass(frozen=True)
class Making:
    """The arguments of a client, what they raise, and every word of it."""

    group: Group
    options: dict[str, Any]
    sentence: str
    kind: type[Exception] = ConfigurationError
    variables: dict[str, str] = field(default_factory=dict[str, str])


def unexpected(name: str, advice: str) -> str:
    return f"{{client}}() got an unexpected keyword argument {name!r}: {advice}"


SANDBOX = {"environment": "sandbox"}
CLIENT: dict[str, Making] = {
    "nothing": Making("billing", {}, NO_ENVIRONMENT),
    "a short name of an environment": Making(
        "billing", {"environment": "prod"}, f"{NAMED}; 'prod' is none; did you mean 'production'?"
    ),
    "a misspelled environment": Making(
        "gateway", {"environment": "sandboxx"}, f"{NAMED}; 'sandboxx' is none; did you mean 'sandbox'?"
    ),
    "an environment in capitals": Making(
        "storefront", {"environment": "Staging"}, f"{NAMED}; 'Staging' is none; did you mean 'staging'?"
    ),
    "an environment that is unlike all": Making(
        "billing", {"environment": "eu"},
        f"{NAMED}; 'eu' is none: write Environment(name='eu'), or set SUBSCRIBEKIT_ENVIRONMENT=eu and leave the "
        "argument out; both read SUBSCRIBEKIT_EU_BASE_URL and the like",
    ),
    "a long key as an environment": Making("gateway", {"environment": "sk-live-0123456789abcdef"}, NAMED),
    "a key as an environment": Making("billing", {"environment": "a/key+"}, NAMED),
    "no address in the variables": Making(
        "billing", {"environment": "staging"},
        "environment 'staging' has no address for this client: set SUBSCRIBEKIT_STAGING_BASE_URL or give base_url",
    ),
    "a misspelled environment in the variable": Making(
        "gateway", {},
        "environment 'prod' has no address for this client: set SUBSCRIBEKIT_PROD_GATEWAY_URL or give base_url; did "
        "you mean 'production'?",
        variables={"SUBSCRIBEKIT_ENVIRONMENT": "prod"},
    ),
    "no name in the variable": Making(
        "billing", {}, "SUBSCRIBEKIT_ENVIRONMENT must be a name: a letter followed by letters, digits, '-' or '_'",
        variables={"SUBSCRIBEKIT_ENVIRONMENT": "eu west"},
    ),
    "no user in the variables": Making(
        "billing", {"environment": "staging"},
        "api_user is missing: give api_user when the client is made, or set SUBSCRIBEKIT_STAGING_API_USER",
        variables={"SUBSCRIBEKIT_STAGING_BASE_URL": "https://b.test"},
    ),
    "no session in the variables": Making(
        "user_mgmt", {"environment": "staging"},
        "session_id is missing: give session_id when the client is made, or set SUBSCRIBEKIT_STAGING_SESSION_ID",
        variables={"SUBSCRIBEKIT_STAGING_USER_MGMT_URL": "https://u.test"},
    ),
    "an address alone": Making(
        "storefront", {"base_url": "https://s.test"},
        "access_token is missing: give access_token when the client is made",
    ),
    "the credentials of another address": Making(
        "billing", {"environment": "production", "base_url": "https://b.test"},
        "api_user is missing: give api_user when the client is made; those of environment 'production' go only to its "
        "own address, and base_url is another",
    ),
    "plain http": Making(
        "gateway", {"base_url": "http://b.test", "api_key": "k"},
        "base_url must start with https://; plain http:// is only for 127.0.0.1, ::1 and localhost, with "
        "allow_insecure_loopback=True",
    ),
    "an address without a scheme": Making(
        "gateway", {"base_url": "b.test", "api_key": "k"}, "base_url must start with https://"
    ),
    "seconds as timeouts": Making(
        "billing", {**SANDBOX, "timeouts": 3},
        "timeouts must be a Timeouts, not an int: write timeouts=Timeouts(read=10.0), or deadline=10.0 for a whole "
        "call",
    ),
    "a number as a retry policy": Making(
        "gateway", {**SANDBOX, "retry": 3},
        "retry must be a RetryPolicy, not an int: write retry=RetryPolicy(max_attempts=3)"
    ),
    "no deadline written as zero": Making(
        "billing", {**SANDBOX, "deadline": 0}, "deadline must be a positive, finite number of seconds"
    ),
    "an observer alone": Making(
        "billing", {**SANDBOX, "observers": Hooks(on_response=print)},
        "observers must be a list or tuple, not a Hooks: write [...] around it",
    ),
    "the class of an observer": Making(
        "billing", {**SANDBOX, "observers": [Drift]},
        "each of observers must be an Observer, not the class itself: write Drift()",
    ),
    "a token with its scheme": Making(  # H173
        "storefront", {"base_url": "https://s.test", "access_token": "Bearer s3cret"},
        "access_token must be the token alone, without 'Bearer' before it",
    ),
    "a session with its name": Making(
        "user_mgmt", {"base_url": "https://s.test", "session_id": "JSESSIONID=s3cret"},
        "session_id must be the value alone, without 'JSESSIONID=' before it",
    ),
    "a function as observers": Making(
        "billing", {**SANDBOX, "observers": print},
        "observers must be a list or tuple, not a builtin_function_or_method: write "
        "observers=[Hooks(on_response=...)]",
    ),
    "no TLS context": Making(
        "billing", {**SANDBOX, "ssl_context": False}, "ssl_context must be an ssl.SSLContext"
    ),
    "timeout": Making(
        "billing", {**SANDBOX, "timeout": 3},
        unexpected("timeout", "write {client}(deadline=10.0), or timeouts=Timeouts(read=10.0) for one step of a call"),
        TypeError,
    ),
    "verify": Making(
        "gateway", {**SANDBOX, "verify": False},
        unexpected(
            "verify",
            "write {client}(ssl_context=ssl.create_default_context(cafile='...')); certificates are always checked",
        ),
        TypeError,
    ),
    "headers": Making(
        "billing", {**SANDBOX, "headers": {}},
        unexpected("headers", "write {client}(...).with_options(headers={'X-Name': '...'})"), TypeError,
    ),
    "max_retries": Making(
        "user_mgmt", {**SANDBOX, "max_retries": 3},
        unexpected("max_retries", "write {client}(retry=RetryPolicy(max_attempts=3))"), TypeError,
    ),
    "proxies": Making(
        "storefront", {**SANDBOX, "proxies": {}}, unexpected("proxies", "write {client}(proxy='http://host:port')"),
        TypeError,
    ),
    "username": Making(
        "billing", {"base_url": "https://b.test", "username": "u"},
        unexpected("username", "write {client}(api_user='...')"),
        TypeError,
    ),
    "password": Making(
        "billing", {"base_url": "https://b.test", "password": "s3cret"},
        unexpected("password", "write {client}(api_key='...')"), TypeError,
    ),
    "a token of the storefront": Making(
        "storefront", {"base_url": "https://b.test", "token": "s3cret"},
        unexpected("token", "write {client}(access_token='...')"), TypeError,
    ),
    "a key of group C": Making(
        "user_mgmt", {"base_url": "https://b.test", "api_key": "s3cret"},
        unexpected("api_key", "write {client}(session_id='...')"), TypeError,
    ),
    "a misspelled argument": Making(
        "gateway", {"enviroment": "sandbox"}, unexpected("enviroment", "did you mean environment=?"), TypeError
    ),
}  # fmt: skip


@pytest.mark.parametrize("making", CLIENT.values(), ids=CLIENT)
def test_a_client_says_what_it_takes(making: Making, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in making.variables.items():
        monkeypatch.setenv(name, value)
    kind = (BLOCKING if run.style == "blocking" else ASYNC)[making.group]
    with pytest.raises(making.kind) as caught:
        kind(**making.options)
    assert str(caught.value) == making.sentence.replace("{client}", kind.__name__)
    for frame, _ in walk_tb(caught.value.__traceback__):
        if frame.f_code.co_filename.startswith(PACKAGE):
            assert "s3cret" not in repr(frame.f_locals)


@pytest.mark.parametrize("kind", [*BLOCKING.values(), *ASYNC.values()])
def test_a_client_takes_its_arguments_by_name(kind: type[Any]) -> None:
    with pytest.raises(TypeError) as caught:
        kind("sandbox")
    name = kind.__name__
    assert str(caught.value) == f"{name}() takes its arguments by name: write {name}(environment='sandbox')"
    assert list(inspect.signature(kind).parameters) == list(inspect.signature(kind.__init__).parameters)[1:]

    class Own(kind):  # type: ignore[misc,valid-type]  # whatever client it is
        def __init__(self, tenant: str) -> None:
            super().__init__(environment="sandbox")
            self.tenant = tenant

    assert Own("t-1").tenant == "t-1"

    class Wrapping(kind):  # type: ignore[misc,valid-type]  # as above
        @wraps(kind.__init__)
        def __init__(self, *, tenant: str, **options: Any) -> None:
            super().__init__(**options)

    assert Wrapping(tenant="t-1", environment="sandbox").environment == "sandbox"


def test_what_a_name_raises_is_not_covered() -> None:
    class Broken(subscribekit.BillingClient):
        @property
        def accounts(self) -> Any:
            raise AttributeError("of the application")

    with pytest.raises(AttributeError, match=r"^of the application$"):
        _ = Broken(environment="sandbox").accounts


# Settings

BY_NAME = "{}() takes its arguments by name: write {}"
KEYWORD = "{}() got an unexpected keyword argument {!r}: {}"
DEADLINE = "give the client deadline=10.0, which bounds a whole call, retries included"
WHICH = "it takes max_attempts, backoff_base, backoff_max, retry_after_max, retry_unknown and share_retry_after"

SETTING: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "seconds": (
        lambda: Timeouts(5), TypeError,
        BY_NAME.format("Timeouts", "Timeouts(read=10.0), or give the client deadline=10.0 for a whole call"),
    ),
    "timeout of a whole call": (
        lambda: Timeouts(timeout=5), TypeError, KEYWORD.format("Timeouts", "timeout", DEADLINE),
    ),
    "total": (lambda: Timeouts(total=5), TypeError, KEYWORD.format("Timeouts", "total", DEADLINE)),
    "a step by another name": (
        lambda: Timeouts(sock_read=5), TypeError,
        KEYWORD.format("Timeouts", "sock_read", "write Timeouts(read=10.0)"),
    ),
    "a misspelled step": (
        lambda: Timeouts(conect=5), TypeError, KEYWORD.format("Timeouts", "conect", "did you mean connect=?"),
    ),
    "a step that is none": (
        lambda: Timeouts(dns=5), TypeError,
        KEYWORD.format("Timeouts", "dns", "it takes connect, read, write and pool"),
    ),
    "seconds in text": (
        lambda: Timeouts(read="5"), ConfigurationError,
        "Timeouts.read must be a positive, finite number of seconds, not str: write the number without quotes",
    ),
    "a timedelta": (
        lambda: Timeouts(connect=timedelta(seconds=5)), ConfigurationError,
        "Timeouts.connect must be a positive, finite number of seconds, not timedelta: write .total_seconds() after it",
    ),
    "a Decimal": (
        lambda: Limits(keepalive_expiry=Decimal(5)), ConfigurationError,
        "Limits.keepalive_expiry must be a positive, finite number of seconds, not Decimal: write float(...) around it",
    ),
    "no limit": (
        lambda: Timeouts(read=None), ConfigurationError,
        (
            "Timeouts.read must be a positive, finite number of seconds, not None: leave it out for the usual one, "
            "which cannot be switched off"
        ),
    ),
    "no time": (
        lambda: Timeouts(read=0), ConfigurationError, "Timeouts.read must be a positive, finite number of seconds",
    ),
    "a number of attempts": (
        lambda: RetryPolicy(3), TypeError,
        BY_NAME.format("RetryPolicy", "RetryPolicy(max_attempts=3), the first request counted"),
    ),
    "retries": (
        lambda: RetryPolicy(max_retries="3"), TypeError,
        KEYWORD.format("RetryPolicy", "max_retries", "write RetryPolicy(max_attempts=3), the first request counted"),
    ),
    "a pause by another name": (
        lambda: RetryPolicy(backoff_factor=1), TypeError,
        KEYWORD.format("RetryPolicy", "backoff_factor", "write RetryPolicy(backoff_base=0.5)"),
    ),
    "what is retried": (
        lambda: RetryPolicy(status_forcelist=[503]), TypeError,
        KEYWORD.format(
            "RetryPolicy", "status_forcelist",
            "what is retried is no setting: every call is, where that does no harm, and no other",
        ),
    ),
    "jitter": (
        lambda: RetryPolicy(jitter=True), TypeError,
        KEYWORD.format("RetryPolicy", "jitter", "every pause is random already, up to its bound"),
    ),
    "what no policy has": (
        lambda: RetryPolicy(weather=1), TypeError, KEYWORD.format("RetryPolicy", "weather", WHICH),
    ),
    "attempts in text": (
        lambda: RetryPolicy(max_attempts="3"), ConfigurationError,
        "RetryPolicy.max_attempts must be a whole number from 1 to 6, not str: write the number without quotes",
    ),
    "no attempts": (
        lambda: RetryPolicy(max_attempts=0), ConfigurationError,
        "RetryPolicy.max_attempts must be a whole number from 1 to 6; 1 is no retry",
    ),
    "too many attempts": (
        lambda: RetryPolicy(max_attempts=10), ConfigurationError,
        "RetryPolicy.max_attempts must be a whole number from 1 to 6",
    ),
    "half an attempt": (
        lambda: RetryPolicy(max_attempts=2.5), ConfigurationError,
        "RetryPolicy.max_attempts must be a whole number from 1 to 6, not float",
    ),
    "a pool by another name": (
        lambda: Limits(pool_size=5), TypeError,
        KEYWORD.format("Limits", "pool_size", "write Limits(max_connections=100)"),
    ),
    "idle connections by number": (
        lambda: Limits(max_keepalive_connections=5), TypeError,
        KEYWORD.format(
            "Limits", "max_keepalive_connections",
            "write Limits(keepalive_expiry=5.0), the seconds for which an idle connection is kept",
        ),
    ),
    "a number of connections": (
        lambda: Limits(10), TypeError, BY_NAME.format("Limits", "Limits(max_connections=100)"),
    ),
    "connections in text": (
        lambda: Limits(max_connections="10"), ConfigurationError,
        "Limits.max_connections must be a whole number of at least 1, not str: write the number without quotes",
    ),
    "an environment by its name": (
        lambda: Environment("eu"), TypeError,
        BY_NAME.format("Environment", "Environment(name='eu', base_url='https://...')"),
    ),
    "an environment without a name": (
        lambda: Environment(base_url="https://b.test"), TypeError,
        "Environment() needs name=: write Environment(name='eu', base_url='https://...')",
    ),
    "a credential that no environment has": (
        lambda: Environment(name="eu", password="s3cret"), TypeError,
        KEYWORD.format("Environment", "password", "write Environment(api_key='...')"),
    ),
    "the URL of an environment": (
        lambda: Environment(name="eu", url="https://s3cret.test"), TypeError,
        KEYWORD.format("Environment", "url", "write Environment(base_url='https://...')"),
    ),
    "a misspelled wire name": (
        lambda: WireNames(partner_code_heade="X"), TypeError,
        KEYWORD.format("WireNames", "partner_code_heade", "did you mean partner_code_header=?"),
    ),
    "a misspelled hook": (
        lambda: Hooks(on_respons=print), TypeError,
        KEYWORD.format("Hooks", "on_respons", "did you mean on_response=?"),
    ),
    "a hook that is none": (
        lambda: Hooks(on_error=print), TypeError,
        KEYWORD.format("Hooks", "on_error", "write Hooks(on_response=...), whose event has the error"),
    ),
    "a function as hooks": (
        lambda: Hooks(print), TypeError, BY_NAME.format("Hooks", "Hooks(on_response=...)"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("build", "kind", "sentence"), SETTING.values(), ids=SETTING)
def test_a_setting_says_what_it_takes(build: Callable[[], object], kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind) as caught:
        build()
    assert str(caught.value) == sentence
    assert {str(entry.path) for entry in caught.traceback.filter(caught)} - {"<string>"} == {__file__}
    for frame in frames_of(caught.value):
        assert "s3cret" not in repr(frame.f_locals)


SETTINGS_VALUES = (Timeouts, RetryPolicy, Limits, Environment, WireNames, Hooks)


@pytest.mark.parametrize("kind", SETTINGS_VALUES)
def test_a_setting_stays_the_value_that_it_was(kind: type[Any]) -> None:
    given = {"name": "eu"} if kind is Environment else {}
    made = kind(**given)
    assert pickle.loads(pickle.dumps(made)) == copy.copy(made) == copy.deepcopy(made) == replace(made) == made
    assert hash(made) == hash(kind(**given))
    assert list(inspect.signature(kind).parameters) == [each.name for each in fields(kind)]
    assert all(each.kind is each.KEYWORD_ONLY for each in inspect.signature(kind).parameters.values())

    class Own(kind):
        def __init__(self, tenant: str) -> None:
            super().__init__(**given)
            object.__setattr__(self, "tenant", tenant)

    assert Own("t-1").tenant == "t-1"
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'x'$"):
        Own("t-1", x=1)


def test_what_a_setting_raises_itself_is_not_covered() -> None:
    def hook() -> None:
        raise TypeError("of the application")

    class Own(Hooks):
        def __post_init__(self) -> None:
            hook()

    with pytest.raises(TypeError, match=r"^of the application$"):
        Own(on_response=print)


# Models

MODELS: dict[str, tuple[Callable[[], object], str, str]] = {
    "an unknown field": (lambda: CreditCard(number="4"), "number", "no field 'number'; did you mean 'account'?"),
    "one of a nested dict": (
        lambda: PaymentMethod(credit_card={"number": "4"}), "credit_card.number",
        "no field 'number'; did you mean 'account'?",
    ),
    "a field in capitals": (lambda: Account(Email="x"), "Email", "no field 'Email'; did you mean 'email'?"),
    "a field in camel case": (
        lambda: Account(defaultCurrency="EUR"), "defaultCurrency",
        "no field 'defaultCurrency'; did you mean 'default_currency'?",
    ),
    "a field that is like none": (lambda: Account(x1="4"), "x1", "no field 'x1'"),
    "an attribute that is none": (lambda: setattr(Account(), "emial", "x"), "emial", "did you mean 'email'?"),
    "another service's name": (lambda: Address(zip="1"), "zip", "no field 'zip'; did you mean 'postal_code'?"),
    "money in text": (
        lambda: Transaction(amount="4.90"), "amount",
        "Input should be a Decimal or an int: a float or a text is not an exact number; write Decimal('4.90')",
    ),
    "money as a float": (
        lambda: EntitlementCharge(transaction_id="t", amount=4.9), "amount",
        "a float or a text is not an exact number; write Decimal('4.90')",
    ),
    "text for a model": (
        lambda: Subscription(billing_plan="monthly"), "billing_plan", "write BillingPlan(id=...)"
    ),
    "text for a model without an id": (lambda: Account(shipping_address="x"), "shipping_address", "write Address(...)"),
    "another model": (
        lambda: Subscription(items=[Product(id="p")]), "items.0",
        "Input should be a valid dictionary or instance of SubscriptionItem: write SubscriptionItem(...)",
    ),
    "one for a list": (
        lambda: Account(payment_methods=PaymentMethod(id="p")), "payment_methods", "write [PaymentMethod(...)]"
    ),
    "a time in text": (
        lambda: Subscription(starts="2026-01-31"), "starts", "write datetime(2026, 1, 31, tzinfo=UTC)"
    ),
    "a time without a zone": (
        lambda: Subscription(starts=NAIVE), "starts",
        "a naive datetime is ambiguous; write datetime.now(UTC), or .replace(tzinfo=UTC)",
    ),
    "a count in text": (
        lambda: SubscriptionItem(quantity="5"), "quantity", "Input should be a valid integer. `from_json` reads what"
    ),
    "a field by its name on the wire": (
        lambda: EntitlementCharge(transactionId=5), "transaction_id", "(`transactionId` on the wire)"
    ),
    "a nested field by its name on the wire": (
        lambda: BssAccount(addresses=[{"postalCode": 5}]), "addresses.0.postal_code", "(`postalCode` on the wire)"
    ),
    "nothing that is needed": (
        lambda: EntitlementCharge(amount=Decimal(5)), "transaction_id", "Field required (`transactionId` on the wire)"
    ),
    "a text that is too long": (
        lambda: EntitlementCharge(transaction_id="t", currency="EURO"), "currency",
        "String should have at most 3 characters",
    ),
    "an id that is a path": (lambda: BillingPlan(id="a/b"), "id", "no path could name it; use the `vid` in its place"),
    "a float in metadata": (
        lambda: Account(metadata={"a": 1.5}), "metadata.a",
        "Input should be a text, a Decimal, an int or None, which deletes the key",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("build", "place", "sentence"), MODELS.values(), ids=MODELS)
def test_a_model_says_what_to_write(build: Callable[[], object], place: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"validation error") as caught:
        build()
    lines = str(caught.value).splitlines()
    assert place in lines
    assert any(sentence in line for line in lines), lines


def test_an_attribute_of_a_model_says_what_was_meant() -> None:
    account: Any = Account(id="a1")
    for name, near in (("defaultCurrency", "default_currency"), ("emial", "email"), ("customer_id", None)):
        with pytest.raises(AttributeError) as caught:
            getattr(account, name)
        doubt = f"; did you mean {near!r}?" if near else ": Account.model_fields names its fields"
        assert str(caught.value) == f"'Account' object has no attribute {name!r}{doubt}"
    assert not hasattr(account, "defaultCurrency")
    assert read(Account, {"x": 1}).x == 1
    assert copy.deepcopy(account) == pickle.loads(pickle.dumps(account)) == account
    with pytest.raises(AttributeError, match=r"^'Account' object has no attribute '_x'$"):
        _ = account._x


OF_ANOTHER_LIBRARY: dict[str, tuple[Callable[[Any], object], str]] = {
    "an index": (lambda a: a["email"], "Account is no dict: write .email"),
    "an index that is no field": (lambda a: a["emial"], "Account is no dict: write .email"),
    "a number": (lambda a: a[0], "Account is no dict: its fields are attributes"),
    "get": (lambda a: a.get("email"), "'Account' object has no attribute 'get': a field is an attribute, such as .id"),
    "keys": (lambda a: a.keys(), "'Account' object has no attribute 'keys': write .model_fields_set"),
    "to_dict": (
        lambda a: a.to_dict(),
        "'Account' object has no attribute 'to_dict': write .model_dump(), or models.to_json(...) for text to store",
    ),
    "save": (
        lambda a: a.save(),
        (
            "'Account' object has no attribute 'save': a model sends nothing: give it to a call, such as "
            "client.accounts.update(...)"
        ),
    ),
    "a field by its place": (
        lambda a: type(a)("a1"), "Account() takes its fields by name: write Account(id=...)",
    ),
    "a charge by its place": (
        lambda _: EntitlementCharge("t-1"),
        "EntitlementCharge() takes its fields by name: write EntitlementCharge(transaction_id=...)",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "sentence"), OF_ANOTHER_LIBRARY.values(), ids=OF_ANOTHER_LIBRARY)
def test_a_model_is_no_dict(use: Callable[[Any], object], sentence: str) -> None:
    with pytest.raises((TypeError, AttributeError)) as caught:
        use(Account(id="a1", email="s3cret@b.example"))
    assert str(caught.value) == sentence
    assert [str(entry.path) for entry in caught.traceback.filter(caught)][-1] == __file__


def test_a_model_stays_what_libraries_take_it_for() -> None:
    account = Account(id="a1", email="a@b.example")
    assert dict(account)["email"] == "a@b.example"
    assert not isinstance(account, Mapping)
    assert str(inspect.signature(Account)).startswith("(*, object: ")
    assert read(Account, {"get": 1}).get == 1
    assert not hasattr(account, "keys")


PAGED: dict[str, tuple[Callable[[Any], object], str]] = {
    "for over a page": (lambda page: list(page), "a Page is read by its .data"),
    "the index of a page": (lambda page: page[0], "a Page is read by its .data"),
    "items of a page": (lambda page: page.items, "'Page' object has no attribute 'items': write .data"),
    "the page after a page": (
        lambda page: page.has_more,
        (
            "'Page' object has no attribute 'has_more': iterate over the list, or over its .pages(), which reads page "
            "after page"
        ),
    ),
    "the number of a page": (lambda page: page.total, "'Page' object has no attribute 'total': write .total_count"),
    "what no page has": (
        lambda page: page.weather,
        "'Page' object has no attribute 'weather': a page has data, total_count, next, previous and url",
    ),
}


@pytest.mark.parametrize(("use", "sentence"), PAGED.values(), ids=PAGED)
def test_a_page_holds_its_items_in_data(use: Callable[[Any], object], sentence: str) -> None:
    page = Page([Account(id="a1")])
    with pytest.raises((TypeError, AttributeError)) as caught:
        use(page)
    assert str(caught.value) == sentence
    assert copy.deepcopy(page) == pickle.loads(pickle.dumps(page)) == page
    assert page
    assert not hasattr(page, "items")


def test_a_plan_and_a_response_say_how_they_are_used() -> None:
    client = Run("blocking").client("billing", transport=Service(answer({"object": "Account", "id": "a1"})))
    for name in ("send", "execute", "run"):
        with pytest.raises(AttributeError) as caught:
            getattr(client.plan.accounts.retrieve("a1"), name)
        assert str(caught.value) == f"'PlannedRequest' object has no attribute {name!r}: write client.send(plan)"
    with pytest.raises(TypeError, match=r"^a Response is no dict: its result is in \.data$"):
        _ = client.with_raw_response.accounts.retrieve("a1")["id"]


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("Account", "write subscribekit.models.Account"),
        ("OutcomeUnknownError", "write subscribekit.errors.OutcomeUnknownError"),
        ("Hooks", "write subscribekit.hooks.Hooks"),
        ("Sandbox", "write subscribekit.sandbox.Sandbox"),
        (
            "Client",
            "its clients are BillingClient, GatewayClient, UserMgmtClient and StorefrontClient; each has an async one",
        ),
        ("BilingClient", "did you mean 'BillingClient'?"),
    ],
)  # fmt: skip
def test_the_package_says_where_a_name_is(name: str, instead: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(subscribekit, name)
    assert str(caught.value) == f"module 'subscribekit' has no attribute {name!r}: {instead}"
    assert not hasattr(subscribekit, name)


@pytest.mark.parametrize("name", ["webhooks", "errors", "nothing"])
def test_a_module_is_imported_without_looking_for_advice(name: str) -> None:
    program = f"import sys, subscribekit; print(hasattr(subscribekit, {name!r}), sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert "subscribekit._core.calls.instead" not in done.stdout
    assert "subscribekit.models" not in done.stdout


def test_a_sandbox_is_no_client() -> None:
    sandbox = Sandbox()
    for name, instead in (
        ("invoices", "write sandbox.billing().invoices"),
        ("entitlements", "write sandbox.billing().entitlements or sandbox.gateway().entitlements"),
        ("client", "write sandbox.billing(), .gateway(), .user_mgmt() or .storefront() for a client"),
    ):
        with pytest.raises(AttributeError) as caught:
            getattr(sandbox, name)
        assert str(caught.value) == f"'Sandbox' object has no attribute {name!r}: {instead}"
    assert not hasattr(sandbox, "__fspath__")


def test_stored_json_says_what_it_takes() -> None:
    with pytest.raises(TypeError, match=r"^to_json takes a model, not dict$"):
        to_json({"id": "a1"})  # type: ignore[arg-type]  # the mistake
    with pytest.raises(TypeError, match=r"^from_json takes the model first: write from_json\(Account, data\)$"):
        from_json(b"{}", Account)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(ValueError, match=r"^Account: the text is not complete, standard JSON$"):
        from_json(Account, b"{}x")


def test_the_families_that_sentences_name_are_those_of_the_clients() -> None:
    for name, families in CLIENTS.items():
        client = getattr(subscribekit, name)
        own = {each for each in dir(client) if type(inspect.getattr_static(client, each)).__name__ == "cached_property"}
        assert set(families) == own - {"with_raw_response", "plan"}


# The other style

PACKAGE = str(Path(subscribekit.__file__).parent)


@pytest.mark.parametrize("group", BLOCKING)
def test_a_client_is_opened_in_its_own_style(group: Group) -> None:
    blocking, awaited = Run("blocking").client(group), Run("async").client(group)
    own, other = type(blocking).__name__, type(awaited).__name__

    async def story() -> None:
        async with blocking:
            raise AssertionError("never entered")

    with pytest.raises(TypeError) as caught:
        asyncio.run(story())
    assert str(caught.value) == f"{own} blocks: write 'with' instead of 'async with', or use {other}"
    with pytest.raises(TypeError) as caught, awaited:
        raise AssertionError("never entered")
    assert str(caught.value) == f"{other} is opened with 'async with' instead of 'with'"
    with pytest.raises(AttributeError, match=r"'aclose': write client\.close\(\)$"):
        blocking.aclose()
    with pytest.raises(AttributeError, match=r"'close': write await client\.aclose\(\)$"):
        awaited.close()


def test_for_over_an_async_list() -> None:
    with pytest.raises(TypeError) as caught:
        list(Run("async").client("billing").accounts.list())
    assert str(caught.value) == (
        "a list of an async client is read with 'async for': iterate over it with async for, or await .first(), "
        ".take(n) or .to_list()"
    )


async def awaited(thing: Any) -> None:
    await thing


async def iterated(things: Any) -> None:
    async for _ in things:
        pass


async def following(things: Any) -> None:
    next(things)


async def forgotten(client: Any) -> None:
    call = client.accounts.retrieve("a1")
    try:
        _ = call.id
    finally:
        call.close()


AWAIT = (
    "'{}' object can't be awaited" if sys.version_info >= (3, 14) else "object {} can't be used in 'await' expression"
)
PYTHON_S_OWN: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    # A pager must not be awaitable, nor a blocking one async iterable: callers tell results and lists apart by that.
    "await of a list": ("blocking", lambda c: awaited(c.accounts.list()), AWAIT.format("Pager")),
    "await of an async list": (
        "async", lambda c: awaited(c.accounts.list()), AWAIT.format("AsyncPager")
    ),
    "await of a blocking call": (
        "blocking", lambda c: awaited(c.accounts.retrieve("a1")), AWAIT.format("Account")
    ),
    "async for over a blocking list": (
        "blocking", lambda c: iterated(c.accounts.list()), "requires an object with __aiter__ method, got Pager"
    ),
    "next of a list": ("blocking", lambda c: following(c.accounts.list()), "'Pager' object is not an iterator"),
    "an await that was forgotten": ("async", forgotten, "'coroutine' object has no attribute 'id'"),
}  # fmt: skip


@pytest.mark.parametrize(("style", "use", "sentence"), PYTHON_S_OWN.values(), ids=PYTHON_S_OWN)
def test_what_python_itself_says_names_the_class(style: Any, use: Any, sentence: str) -> None:
    client = Run(style).client("billing", transport=Service(answer({"object": "Account", "id": "a1"})))

    async def story() -> None:
        await use(client)

    with pytest.raises((TypeError, AttributeError)) as caught:
        asyncio.run(story())
    assert sentence in str(caught.value)
    assert f"`{caught.value}`" in (Path(__file__).parents[1] / "docs/guides/sync-and-async.md").read_text(
        encoding="utf-8"
    )


NOT_AWAITED = """
import asyncio
from subscribekit import AsyncBillingClient, AsyncGatewayClient

async def main():
    billing, gateway = AsyncBillingClient(environment="sandbox"), AsyncGatewayClient(environment="sandbox")
    billing.payments.reverse("pay-cash-0001")
    gateway.with_raw_response.subscriptions.retrieve("sub-basic-0001")
    print(asyncio.create_task(billing.accounts.retrieve("acct-0001")))

asyncio.run(main())
"""


def test_a_call_that_was_not_awaited_is_named() -> None:  # H172
    done = subprocess.run([sys.executable, "-c", NOT_AWAITED], capture_output=True, text=True, check=True)
    said = re.findall(r"RuntimeWarning: (coroutine .*)", done.stderr)
    assert said[:2] == [
        f"coroutine {name!r} was never awaited" for name in ("payments.reverse", "subscriptions.retrieve")
    ]
    assert "coro=<accounts.retrieve() running at" in done.stdout


AWAITED = """
import asyncio
from subscribekit import BillingClient
billing = BillingClient(environment="sandbox")

async def main():
    return await billing.accounts.retrieve("acct-0001")

asyncio.run(main())
"""


def test_a_result_that_is_awaited_comes_with_the_warning_that_says_why() -> None:
    done = subprocess.run([sys.executable, "-c", AWAITED], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    warned, _, raised = done.stderr.partition("Traceback")
    assert "use AsyncBillingClient and await the same method" in warned
    assert raised.splitlines()[-1] == f"TypeError: {AWAIT.format('Account')}"


LOOP = """
import asyncio, sys, warnings
from subscribekit import BillingClient, GatewayClient
client = BillingClient(environment="sandbox")
client.accounts.retrieve("acct-0001")

async def main():
    await asyncio.to_thread(client.accounts.retrieve, "acct-0001")
    {before}
    client.accounts.list().first()  # here
    client.accounts.retrieve("acct-0001")
    GatewayClient(environment="sandbox").subscriptions.retrieve("sub-basic-0001")

asyncio.run(main())
"""


@pytest.mark.hazard("H127")
@pytest.mark.parametrize(
    ("before", "times"),
    [
        ("", 1),
        ("sys.ps1 = 'In : '", 0),
        ("import subscribekit; warnings.simplefilter('ignore', subscribekit.BlockingCallWarning)", 0),
    ],
    ids=["in a program", "in a shell", "filtered"],
)
def test_a_blocking_client_in_a_running_loop_is_said_once(before: str, times: int, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(LOOP.replace("{before}", before))
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True)
    said = re.findall(r"program.py:(\d+): BlockingCallWarning: (.*)", done.stderr)
    here = 1 + program.read_text().splitlines().index("    client.accounts.list().first()  # here")
    sentence = (
        "a blocking client was called in a running event loop, which stands still until the call ends: use "
        "AsyncBillingClient and await the same method, or asyncio.to_thread. This is said once."
    )
    assert said == [(str(here), sentence)] * times


def test_missing_names_break_no_protocol(run: Run) -> None:
    """`hasattr`, completion and the questions that libraries ask of any object get plain answers."""
    client = run.client("billing")
    for thing in (
        client,
        client.accounts,
        client.accounts.list(),
        client.plan,
        client.with_raw_response.accounts.list(),
    ):
        for name in ("__deepcopy__", "__wrapped__", "_repr_markdown_", "_ipython_display_", "__fspath__", "_driver_"):
            with pytest.raises(AttributeError) as caught:
                getattr(thing, name)
            assert str(caught.value) == f"{type(thing).__name__!r} object has no attribute {name!r}"
        assert not hasattr(thing, "nothing")
        assert getattr(thing, "nothing", 7) == 7
        assert "__getattr__" not in [name for name in dir(thing) if not name.startswith("_")]
        assert not callable(thing)
        assert inspect.unwrap(thing) is thing
    autospec = create_autospec(type(client))
    assert autospec(environment="sandbox").accounts is not None
    assert not hasattr(Mock(spec=client), "nothing")
    assert {"accounts", "request", "with_options"} <= set(dir(Mock(spec=client)))
    assert "timeouts" in inspect.signature(client.with_options).parameters
    assert "result" in inspect.signature(client.request).parameters
    half = object.__new__(type(client))
    assert repr(half) == f"<{type(client).__name__} that was not made>"
    with pytest.raises(AttributeError):
        _ = half._driver


# Errors

PERSON = {"object": "Account", "email": "s3cret@b.example", "shipping_address": {"line1": "s3cret"}, "tags": ["s3cret"]}


@pytest.mark.hazard("H128")
@pytest.mark.parametrize(
    ("result", "body", "shown"),
    [
        (dict, PERSON, "{'object': ***, 'email': ***, 'shipping_address': ***, 'tags': ***}"),
        (list, [PERSON, "s3cret"], "[2 items]"),
        (Account, PERSON, "Account(object='Account', email='***', shipping_address=Address(line1='***'), tags='***')"),
        (dict, {"s3cret" * 20: 1}, f"{{{repr('s3cret' * 20)[:60]}: ***}}"),
        (dict, {str(n): n for n in range(99)}, "39': ***, ...}"),
    ],
    ids=["object", "array", "model", "long names", "many names"],
)
def test_a_raw_result_is_masked_whatever_its_type(result: Any, body: Any, shown: str, run: Run) -> None:
    def use(client: Any) -> Any:
        return client.with_raw_response.request("GET", "/accounts/a1", result=result)

    response = run("billing", use, transport=Service(answer(body)))
    assert isinstance(response, Response)
    assert f"{shown}, status_code=200, headers=Headers(" in repr(response)
    if "object" in body or result is list:
        for text in (repr(response), str(response), f"{response}", repr([response])):
            assert "s3cret" not in text
    planned = run.client("billing").plan.request("POST", "/accounts", json={"email": "s3cret"}, params={"a": "s3cret"})
    for text in (repr(planned), str(planned), f"{planned}"):
        assert "s3cret" not in text


@pytest.mark.parametrize(
    ("name", "instead"),
    [
        ("id", "write .data.id"),
        ("json", "write .data, which was read already"),
        ("status", "write .status_code"),
        ("weather", "the result is in .data"),
    ],
)
def test_a_response_is_not_its_result(name: str, instead: str, run: Run) -> None:
    def use(client: Any, result: Any = Account) -> Any:
        return client.with_raw_response.request("GET", "/accounts/a1", result=result)

    response = run("billing", use, transport=Service(answer({"id": "a1"})))
    with pytest.raises(AttributeError) as caught:
        getattr(response, name)
    assert str(caught.value) == f"'Response' object has no attribute {name!r}: {instead}"
    plain = run("billing", lambda client: use(client, dict), transport=Service(answer({name: 1})))
    with pytest.raises(AttributeError, match=rf": write \.data\['{name}'\]$"):
        getattr(plain, name)
    for again in (copy.copy(response), copy.deepcopy(response), pickle.loads(pickle.dumps(response))):
        assert again == response
    assert not hasattr(response, "__dict__")


def test_what_was_not_found_is_named_by_an_attribute(run: Run) -> None:
    service = Service(answer({"object": "Error", "message": "gone"}, 404))
    with pytest.raises(NotFoundError) as caught:
        run("billing", lambda client: client.accounts.retrieve("person@b.example"), transport=service)
    assert caught.value.resource_id == "person@b.example"
    assert str(caught.value) == (
        "GET /accounts/{account} was answered with 404: gone. Check the identifier, and that it belongs to this "
        "environment."
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.resource_id == "person@b.example"


def charged(client: Any) -> Any:
    return client.entitlements.charge("ps-1", CHARGE)


def test_an_unknown_charge_says_when_and_by_what_it_is_found(run: Run) -> None:
    trace = TraceContext("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
    service = Service(answer({"transactionReferenceId": ""}, Request_Id="r-1"))
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charged, transport=service, trace=trace)
    assert str(caught.value) == (
        "entitlements.charge: The charge was probably carried out, but its answer is unusable: the answer (status 200) "
        "has no transactionReferenceId, so it does not show that it was done. It was sent once and not repeated, at "
        "2026-01-01T00:16:40.000+00:00 (trace id 0af7651916cd43dd8448eb211c80319c, request id r-1). Do not send it "
        "again, under any transaction id, until the operator says that it was not made. Reconcile by transaction_id "
        "'t-1' before you decide what to do. No call reads it, so ask the operator; "
        "client.resolve(error).quote is what to tell."
    )
    assert caught.value.likely_applied is True


@pytest.mark.hazard("H33")
def test_a_request_id_of_the_service_cannot_forge_a_line(run: Run) -> None:
    service = Service(answer({}, Request_Id="r\t1" + "x" * 500))
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charged, transport=service, trace="off")
    assert "(request id r\\t1xxx" in str(caught.value)
    assert "x" * 101 not in str(caught.value)
    assert "trace id" not in str(caught.value)


def test_an_unknown_write_that_can_be_read_says_so(run: Run) -> None:
    names = WireNames(custom_data_filter_param="filter")
    for group, use, readable in (
        ("billing", lambda client: client.payments.reverse("p1"), True),
        ("gateway", lambda client: client.partner_subscriptions.cancel("ps1"), False),
        ("user_mgmt", lambda client: client.custom_data.delete("u1", "notes", filter="a = 1"), False),
    ):
        with pytest.raises(OutcomeUnknownError) as caught:
            run(group, use, transport=Service(httpx.ReadTimeout("x")), wire_names=names)
        assert ("No call reads it, so ask the operator" in str(caught.value)) is not readable
        assert "under any transaction id" not in str(caught.value)


# What a traceback shows

REFUSED: dict[str, tuple[Group, Use]] = {
    "an answer": ("billing", lambda client: client.accounts.list().first()),
    "a page": ("billing", lambda client: client.with_raw_response.accounts.list().first()),
    "a total": ("billing", lambda client: client.accounts.list().total_count()),
    "all items": ("user_mgmt", lambda client: client.accounts.list().to_list()),
    "a free call": ("gateway", lambda client: client.request("GET", "/x")),
    "a path": ("gateway", lambda client: client.request("GET", "x")),
    "a count": ("billing", lambda client: client.accounts.list().take(-1)),
    "headers": ("storefront", lambda client: client.with_options(headers={"Host": "x"})),
    "a name": ("storefront", lambda client: client.weather),
    "a call": ("billing", lambda client: client.accounts.retrieve("a1")),
    "a raw call": ("billing", lambda client: client.with_raw_response.accounts.retrieve("a1")),
    "an identifier": ("billing", lambda client: client.accounts.retrieve("..")),
    "a plan": ("billing", lambda client: client.plan.accounts.retrieve("..")),
    "a call's argument": ("billing", lambda client: client.accounts.retrieve("a1", timeout=5)),
    "an argument": ("storefront", lambda client: client.request("GET", "/x", body=1)),
}


def frames_of(error: BaseException) -> list[FrameType]:
    found = [frame for frame, _ in walk_tb(error.__traceback__)]
    return [frame for frame in found if frame.f_code.co_filename.startswith(PACKAGE)]


@pytest.mark.hazard("H129")
@pytest.mark.parametrize(("group", "use"), REFUSED.values(), ids=REFUSED)
def test_pytest_shows_the_line_of_the_caller(group: Group, use: Use, run: Run) -> None:
    service = Service(*[answer({"object": "Error", "code": "x", "message": "no"}, 400)] * 3)
    with pytest.raises((SubscribekitError, TypeError, AttributeError)) as caught:
        run(group, use, transport=service)
    assert frames_of(caught.value)
    seen = [str(entry.path) for entry in caught.traceback.filter(caught)]
    assert [path for path in seen if path.startswith(PACKAGE)] == []
    assert __file__ in seen
    for frame in frames_of(caught.value):
        assert not re.search(r"\(H\d+", inspect.getsource(frame.f_code))


@pytest.mark.hazard("H129")
@pytest.mark.parametrize("making", CLIENT.values(), ids=CLIENT)
def test_pytest_shows_the_line_that_made_a_client(making: Making, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in making.variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(making.kind) as caught:
        BLOCKING[making.group](**making.options)
    assert [str(entry.path) for entry in caught.traceback.filter(caught)] == [__file__]


def test_an_error_of_the_engine_is_not_hidden(run: Run) -> None:
    class Broken(Service):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            raise KeyError("of the transport")

    service = Broken()
    with pytest.raises(KeyError) as caught:
        Run("blocking")("gateway", lambda client: client.request("GET", "/x"), transport=service)
    assert any("drivers.py" in str(entry.path) for entry in caught.traceback.filter(caught))
    assert run is not None


# What a shell prints

ACCOUNT = Account(
    id="a1",
    email="s3cret@b.example",
    default_currency="EUR",
    shipping_address=Address(line1="s3cret", country="DE"),
    payment_methods=[PaymentMethod(id="pm1", account_holder="s3cret", type="CreditCard"), PaymentMethod(id="pm2")],
    parent=Account(id="a0", name="s3cret", shipping_address=Address(line1="s3cret")),
)


def test_a_resource_prints_over_several_lines() -> None:
    assert (
        pretty(ACCOUNT)
        == """\
Account(
    id='a1',
    parent=Account(id='a0', name='***', ...),
    default_currency='EUR',
    email='***',
    shipping_address=Address(
        line1='***',
        country='DE',
    ),
    payment_methods=ModelList([
        PaymentMethod(id='pm1', type='CreditCard', account_holder='***'),
        PaymentMethod(id='pm2'),
    ]),
)"""
    )
    assert pretty(Account(id="a1")) == "Account(id='a1')"
    assert pretty(Account()) == pretty(Account.__new__(Account)) == "Account()"
    assert pretty(read(Account, {"id": "a1", "x": "s3cret", "tokens": {"x": 1}})).count("'***'") == 2


def test_what_holds_itself_or_much_prints_over_several_lines() -> None:
    account = Account(email="x")
    account.__dict__["parent"] = account
    account.model_fields_set.add("parent")
    assert pretty(account) == "Account(\n    parent=Account(...),\n    email='***',\n)"
    for _ in range(5000):
        account = Account.model_construct(parent=account)
    assert "s3cret" not in pretty(account)
    assert pretty(Account.model_construct(company=10**5000)) == "Account(company=<int that cannot be printed>)"


def test_a_list_prints_its_filters_and_what_to_call_next(run: Run) -> None:
    client = run.client("billing")
    prefix, iterate, call = ("", "iterate over it", "call") if run.style == "blocking" else (
        "Async", "iterate over it with async for", "await"
    )  # fmt: skip
    after = datetime(2026, 1, 31, tzinfo=UTC)
    pager = client.accounts.list(email="s3cret@b.example", created_after=after, limit=5, params={"own": "s3cret"})
    written = f"<{prefix}Pager accounts.list(email=***, created_after='2026-01-31T00:00:00+00:00', own=***, limit=5):"
    said = f"{iterate}, or {call} .first(), .take(n) or .to_list()>"
    assert repr(pager) == f"{written} {said}"
    assert pretty(pager) == f"{written}\n    {said}"
    summaries = client.event_summaries.list(subscription="s1", checkpoint=None)
    assert repr(summaries).startswith(f"<{prefix}Pager event_summaries.list(subscription='s1'): ")
    assert pretty(object.__new__(type(pager))) == f"<{prefix}Pager that was not made>"


def test_a_page_prints_its_first_items() -> None:
    accounts = [Account(id=f"a{n}", email="s3cret") for n in range(12)]
    lines = pretty(Page(accounts, total_count=30, next="/accounts?email=s3cret")).splitlines()
    assert lines[0] == "<Page of 12, total_count=30:"
    assert lines[1] == "    Account(id='a0', email='***'),"
    assert lines[-1] == "... 2 more in .data>"
    assert pretty(Page([{"email": "s3cret"}])) == "<Page of 1, total_count=None>"
