"""Common mistakes of new users, and the text of the error that each mistake causes."""

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
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from traceback import walk_tb
from types import FrameType
from typing import Any
from unittest.mock import Mock, create_autospec

import httpx
import pytest
from IPython.lib.pretty import pretty

import subscribekit
from kit.calls import ASYNC, BLOCKING, Group, Run, Service, answer
from looped import looped
from subscribekit import Environment, Limits, Page, Response, RetryPolicy, Timeouts, TraceContext, WireNames
from subscribekit.drift import DriftDetector
from subscribekit.errors import (
    ConfigurationError,
    InvalidArgumentError,
    NotFoundError,
    OutcomeUnknownError,
    SubscribekitError,
)
from subscribekit.hooks import Hooks
from subscribekit.models import (
    Account,
    Address,
    BillingPlan,
    BssAccount,
    EntitlementCharge,
    PaymentMethod,
    Product,
    Subscription,
    Transaction,
    from_json,
    to_json,
)
from subscribekit.models._base import read

NAIVE = datetime(2026, 1, 31)  # noqa: DTZ001  the mistake
CHARGE = EntitlementCharge(transaction_id="t-1", amount=Decimal("4.90"), currency="USD")
Use = Callable[[Any], object]


@dataclass(frozen=True)
class Mistake:
    """A use of a client, and the whole text of its error, in which `{client}` and similar words depend on the style."""

    group: Group
    use: Use
    kind: type[Exception]
    sentence: str

    def text_for(self, style: str) -> str:
        own = BLOCKING if style == "blocking" else ASYNC
        words = {"client": own[self.group].__name__, "await": "call" if style == "blocking" else "await"}
        words["pager"] = "Pager" if style == "blocking" else "AsyncPager"
        text = re.sub(r"{(client|await|pager)}", lambda found: words[found[1]], self.sentence)
        return text.replace("a Async", "an Async")


# Arguments and names of calls, for both styles


CALLS: dict[str, Mistake] = {
    "a number as an id": Mistake(
        "billing", lambda c: c.accounts.retrieve(5), InvalidArgumentError,
        "account must be a string, not int; convert it with str(...)",
    ),
    "no id": Mistake(
        "billing", lambda c: c.accounts.retrieve(None), InvalidArgumentError,
        "account must be a string, not NoneType. A resource has no id until the service returns it",
    ),
    "a resource as an id": Mistake(
        "gateway", lambda c: c.subscriptions.retrieve(Subscription(id="s1")), InvalidArgumentError,
        "subscription must be a string, not Subscription; pass its `id`",
    ),
    "a resource as a filter": Mistake(
        "billing", lambda c: c.subscriptions.list(account=Account(id="a1")), InvalidArgumentError,
        "account must be a string, not Account; pass its `id`",
    ),
    "a path as an id": Mistake(
        "billing", lambda c: c.accounts.retrieve("/accounts/a1"), InvalidArgumentError,
        r"account must not be a dot segment or contain / \ ? # % or a control character",
    ),
    "an id that is too long": Mistake(
        "gateway", lambda c: c.partner_subscriptions.cancel("x" * 37), InvalidArgumentError,
        "partner_subscription must have 1 to 36 characters",
    ),
    "a dict as a body": Mistake(
        "billing", lambda c: c.accounts.create({"id": "a1"}), InvalidArgumentError,
        "body must be an Account, not dict; pass Account(...)",
    ),
    "a class as a body": Mistake(
        "billing", lambda c: c.accounts.create(Account), InvalidArgumentError,
        "body must be an Account, not the class itself; pass Account(...)",
    ),
    "another model as a body": Mistake(
        "billing", lambda c: c.accounts.create(Product(id="p1")), InvalidArgumentError,
        "body must be an Account, not Product; pass Account(...)",
    ),
    "an amount as a charge": Mistake(
        "gateway", lambda c: c.entitlements.charge("ps-1", Decimal("4.90")), InvalidArgumentError,
        "charge must be an EntitlementCharge, not Decimal; pass EntitlementCharge(...)",
    ),
    "a page that is too large": Mistake(
        "billing", lambda c: c.accounts.list(limit=1000), InvalidArgumentError,
        "limit must be an integer from 1 to 100; it's the page size, and .take(n) returns the first n items of "
        "a list",
    ),
    "a page that is too large in group C": Mistake(
        "user_mgmt", lambda c: c.accounts.list(size=1000), InvalidArgumentError,
        "size must be an integer from 0 to 100; it's the page size, and .take(n) returns the first n items of "
        "a list",
    ),
    "a page size in text": Mistake(
        "billing", lambda c: c.accounts.list(limit="10"), InvalidArgumentError,
        "limit must be an integer from 1 to 100",
    ),
    "a time in text": Mistake(
        "billing", lambda c: c.accounts.list(created_after="2026-01-31"), InvalidArgumentError,
        "created_after must be a datetime with a time zone; pass a value such as datetime(2026, 1, 31, tzinfo=UTC)",
    ),
    "a date": Mistake(
        "billing", lambda c: c.accounts.list(created_after=date(2026, 1, 31)), InvalidArgumentError,
        "created_after must be a datetime with a time zone; pass a value such as datetime(2026, 1, 31, tzinfo=UTC)",
    ),
    "a time without a zone": Mistake(
        "billing", lambda c: c.accounts.list(created_after=NAIVE), InvalidArgumentError,
        "created_after must be a datetime with a time zone; pass datetime.now(UTC), or add the zone with "
        ".replace(tzinfo=UTC)",
    ),
    "two ends of a list": Mistake(
        "billing", lambda c: c.accounts.list(starting_after="a", ending_before="b"), InvalidArgumentError,
        "starting_after can't be combined with ending_before",
    ),
    "a checkpoint that is none": Mistake(
        "billing", lambda c: c.accounts.list(checkpoint="x"), InvalidArgumentError,
        "checkpoint is damaged; pass the string of the pager's checkpoint unchanged",
    ),
    "parameters in text": Mistake(
        "billing", lambda c: c.accounts.list(params="a=1"), InvalidArgumentError,
        "params must be a mapping of names to values, not str",
    ),
    "an unknown paginated call": Mistake(
        "user_mgmt", lambda c: c.entities.list("/users"), InvalidArgumentError,
        "path must be one of the specification's paginated paths with its placeholders, such as "
        "'/user/{userId}/groups'",
    ),
    "a paginated call without its id": Mistake(
        "user_mgmt", lambda c: c.entities.list("/user/{userId}/groups"), InvalidArgumentError,
        "user_id is missing; pass user_id, because path contains its placeholder",
    ),
    "an empty filter of a deletion": Mistake(
        "user_mgmt", lambda c: c.custom_data.delete("me", "notes", filter=None), InvalidArgumentError,
        "a filter must be a Filter from field(...) or a str, not NoneType",
    ),
    "an update that changes nothing": Mistake(
        "storefront", lambda c: c.payment_methods.update("a1", payment_method_id="pm1"), InvalidArgumentError,
        "pass primary, active, or both, because otherwise the call changes nothing",
    ),
    "a flag in text": Mistake(
        "storefront", lambda c: c.payment_methods.update("a1", payment_method_id="pm1", primary="yes"),
        InvalidArgumentError, "primary must be True or False",
    ),
    "a method in small letters": Mistake(
        "billing", lambda c: c.request("get", "/accounts"), InvalidArgumentError,
        "method must be GET, POST, PUT, or DELETE, in uppercase",
    ),
    "a PATCH": Mistake(
        "billing", lambda c: c.request("PATCH", "/accounts"), InvalidArgumentError,
        "method must be GET, POST, PUT, or DELETE; the services have no PATCH and update with POST or PUT",
    ),
    "a URL as a path": Mistake(
        "gateway", lambda c: c.request("GET", "https://b.test/accounts"), InvalidArgumentError,
        "path must start with '/', but not with '//', and can't be an absolute URL",
    ),
    "a query in a path": Mistake(
        "billing", lambda c: c.request("GET", "/accounts?limit=1"), InvalidArgumentError,
        "path must not contain a query; pass params={'name': 'value'}",
    ),
    "a float as a parameter": Mistake(
        "storefront", lambda c: c.request("GET", "/x", params={"a": 1.5}), InvalidArgumentError,
        "a must be a string, an integer, a Boolean, a datetime, or a list of these",
    ),
    "a body of a GET": Mistake(
        "billing", lambda c: c.request("GET", "/accounts", json={}), InvalidArgumentError,
        "json can't be combined with GET, which has no body; pass params=... for the query",
    ),
    "JSON that was encoded already": Mistake(
        "billing", lambda c: c.request("POST", "/accounts", json="{}"), InvalidArgumentError,
        "json must be a model, a mapping, or a list; pass the object itself, and the client encodes it",
    ),
    "a header of the client's own": Mistake(
        "billing", lambda c: c.with_options(headers={"Authorization": "x"}), InvalidArgumentError,
        "the header Authorization isn't allowed, because the client sets it; leave it out",
    ),
    "headers as pairs": Mistake(
        "billing", lambda c: c.with_options(headers=[("a", "b")]), InvalidArgumentError,
        "headers must be a mapping of names to values, not a list; pass {'X-Name': '...'}",
    ),
    "the truth of a list": Mistake(
        "billing", lambda c: bool(c.accounts.list(email="a@b.example")), TypeError,
        "a {pager} has no truth value, because the list wasn't read yet; {await} .first()",
    ),
    "a policy that is none": Mistake(  # H170
        "billing", lambda c: c.with_options(retry=None), ConfigurationError,
        "retry must be a RetryPolicy, not None; omit the argument to keep the current value, or pass "
        "retry=RetryPolicy(max_attempts=3)",
    ),
    "timeouts that are none": Mistake(
        "gateway", lambda c: c.with_options(timeouts=None), ConfigurationError,
        "timeouts must be a Timeouts, not None; omit the argument to keep the current value, or pass "
        "timeouts=Timeouts(read=10.0), or deadline=10.0 for a whole call",
    ),
    "an id in a list": Mistake(  # H171
        "billing", lambda c: "a1" in c.accounts.list(), TypeError,
        "a {pager} contains resources, not strings; write any(each.id == ... for each in the list), or retrieve the "
        "resource by its id",
    ),
    "a negative number of items": Mistake(
        "billing", lambda c: c.accounts.list().take(-1), InvalidArgumentError,
        "n must be an integer of at least 0",
    ),
    "a family of the billing API that has no such name": Mistake(
        "billing", lambda c: c.resource("Chargebacks", Account), InvalidArgumentError,
        "name must be the plural name of a resource, with lowercase letters and '_', such as 'chargebacks'",
    ),
    "a resource that is no model": Mistake(
        "billing", lambda c: c.resource("chargebacks", dict), InvalidArgumentError,
        "model must be a model class, such as subscribekit.models.Chargeback",
    ),
}  # fmt: skip


@looped("mistake", CALLS.values())
def test_the_error_about_a_call_names_the_fix(mistake: Mistake, run: Run) -> None:
    service = Service(answer({"object": "Account"}))
    with pytest.raises(mistake.kind) as caught:
        run(mistake.group, mistake.use, transport=service)
    text = str(caught.value)
    # The resources of async clients have the names that editors show.
    assert mistake.text_for(run.style) in (text, text.replace("'Async", "'", 1))
    assert service.sent == []


# Clients

NO_ENVIRONMENT = (
    "environment is missing, and there's no default; pass environment='production', 'staging', or 'sandbox', set the "
    "variable SUBSCRIBEKIT_ENVIRONMENT, or pass base_url with credentials"
)
NAMED = "environment must be 'production', 'staging', 'sandbox', or an Environment"


@dataclass(frozen=True)
class Making:
    """The arguments of a client, and the whole text of the error that they cause."""

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
        "billing", {"environment": "prod"}, f"{NAMED}, not 'prod'; did you mean 'production'?"
    ),
    "a misspelled environment": Making(
        "gateway", {"environment": "sandboxx"}, f"{NAMED}, not 'sandboxx'; did you mean 'sandbox'?"
    ),
    "an environment in capitals": Making(
        "storefront", {"environment": "Staging"}, f"{NAMED}, not 'Staging'; did you mean 'staging'?"
    ),
    "an environment that is unlike all": Making(
        "billing", {"environment": "eu"},
        f"{NAMED}, not 'eu'; write Environment(name='eu'), or set SUBSCRIBEKIT_ENVIRONMENT=eu and omit the argument; "
        "both read SUBSCRIBEKIT_EU_BASE_URL and similar variables",
    ),
    "a long key as an environment": Making("gateway", {"environment": "sk-live-0123456789abcdef"}, NAMED),
    "a key as an environment": Making("billing", {"environment": "a/key+"}, NAMED),
    "no address in the variables": Making(
        "billing", {"environment": "staging"},
        "environment 'staging' has no base URL for this client; set SUBSCRIBEKIT_STAGING_BASE_URL, or pass base_url",
    ),
    "a misspelled environment in the variable": Making(
        "gateway", {},
        "environment 'prod' has no base URL for this client; set SUBSCRIBEKIT_PROD_GATEWAY_URL, or pass base_url; did "
        "you mean 'production'?",
        variables={"SUBSCRIBEKIT_ENVIRONMENT": "prod"},
    ),
    "no name in the variable": Making(
        "billing", {},
        "SUBSCRIBEKIT_ENVIRONMENT must start with a letter and contain only letters, digits, '-', and '_'",
        variables={"SUBSCRIBEKIT_ENVIRONMENT": "eu west"},
    ),
    "no user in the variables": Making(
        "billing", {"environment": "staging"},
        "api_user is missing; pass api_user to the client, or set SUBSCRIBEKIT_STAGING_API_USER",
        variables={"SUBSCRIBEKIT_STAGING_BASE_URL": "https://b.test"},
    ),
    "no session in the variables": Making(
        "user_mgmt", {"environment": "staging"},
        "session_id is missing; pass session_id to the client, or set SUBSCRIBEKIT_STAGING_SESSION_ID",
        variables={"SUBSCRIBEKIT_STAGING_USER_MGMT_URL": "https://u.test"},
    ),
    "an address alone": Making(
        "storefront", {"base_url": "https://s.test"},
        "access_token is missing; pass access_token to the client",
    ),
    "the credentials of another address": Making(
        "billing", {"environment": "production", "base_url": "https://b.test"},
        "api_user is missing; pass api_user to the client, because the SDK sends the credentials of environment "
        "'production' only to its own base URL, and base_url is another URL",
    ),
    "plain http": Making(
        "gateway", {"base_url": "http://b.test", "api_key": "k"},
        "base_url must start with https://; http:// is allowed only for 127.0.0.1, ::1, and localhost, with "
        "allow_insecure_loopback=True",
    ),
    "an address without a scheme": Making(
        "gateway", {"base_url": "b.test", "api_key": "k"}, "base_url must start with https://"
    ),
    "seconds as timeouts": Making(
        "billing", {**SANDBOX, "timeouts": 3},
        "timeouts must be a Timeouts, not an int; pass timeouts=Timeouts(read=10.0), or deadline=10.0 for a whole "
        "call",
    ),
    "a number as a retry policy": Making(
        "gateway", {**SANDBOX, "retry": 3},
        "retry must be a RetryPolicy, not an int; pass retry=RetryPolicy(max_attempts=3)"
    ),
    "no deadline written as zero": Making(
        "billing", {**SANDBOX, "deadline": 0}, "deadline must be a positive, finite number of seconds"
    ),
    "an observer alone": Making(
        "billing", {**SANDBOX, "observers": Hooks(on_response=print)},
        "observers must be a list or tuple, not a Hooks; pass observers=[...] with the observer in the list",
    ),
    "the class of an observer": Making(
        "billing", {**SANDBOX, "observers": [DriftDetector]},
        "each of observers must be an Observer, not a class; pass DriftDetector()",
    ),
    "a token with its scheme": Making(  # H173
        "storefront", {"base_url": "https://s.test", "access_token": "Bearer s3cret"},
        "access_token must be only the token; remove 'Bearer' at its start",
    ),
    "a session with its name": Making(
        "user_mgmt", {"base_url": "https://s.test", "session_id": "JSESSIONID=s3cret"},
        "session_id must be only the value; remove 'JSESSIONID=' at its start",
    ),
    "a function as observers": Making(
        "billing", {**SANDBOX, "observers": print},
        "observers must be a list or tuple, not a builtin_function_or_method; pass "
        "observers=[Hooks(on_response=...)]",
    ),
    "no TLS context": Making(
        "billing", {**SANDBOX, "ssl_context": False}, "ssl_context must be an ssl.SSLContext"
    ),
}  # fmt: skip


@pytest.mark.parametrize("making", CLIENT.values(), ids=CLIENT)
def test_the_error_about_an_argument_of_a_client_names_the_fix(
    making: Making, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in making.variables.items():
        monkeypatch.setenv(name, value)
    kind = (BLOCKING if run.style == "blocking" else ASYNC)[making.group]
    with pytest.raises(making.kind) as caught:
        kind(**making.options)
    assert str(caught.value) == making.sentence.replace("{client}", kind.__name__)
    for frame, _ in walk_tb(caught.value.__traceback__):
        if frame.f_code.co_filename.startswith(PACKAGE):
            assert "s3cret" not in repr(frame.f_locals)


# Settings


SETTING: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "no time": (
        lambda: Timeouts(read=0), ConfigurationError, "Timeouts.read must be a positive, finite number of seconds",
    ),
    "too many attempts": (
        lambda: RetryPolicy(max_attempts=10), ConfigurationError,
        "RetryPolicy.max_attempts must be an int from 1 to 6",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("build", "kind", "sentence"), SETTING.values(), ids=SETTING)
def test_the_error_about_a_setting_names_the_valid_values(
    build: Callable[[], object], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        build()
    assert str(caught.value) == sentence
    assert {str(entry.path) for entry in caught.traceback.filter(caught)} - {"<string>"} == {__file__}


SETTINGS_CLASSES = (Timeouts, RetryPolicy, Limits, Environment, WireNames, Hooks)


@pytest.mark.parametrize("kind", SETTINGS_CLASSES)
def test_a_setting_is_a_value_that_can_be_copied_pickled_and_subclassed(kind: type[Any]) -> None:
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


# Models

MODELS: dict[str, tuple[Callable[[], object], str, str]] = {
    "a field in camel case": (
        lambda: Account(defaultCurrency="EUR"), "defaultCurrency",
        "no field 'defaultCurrency'; did you mean 'default_currency'?",
    ),
    "a field that is like none": (lambda: Account(x1="4"), "x1", "no field 'x1'"),
    "an attribute that is none": (lambda: setattr(Account(), "emial", "x"), "emial", "did you mean 'email'?"),
    "money in text": (
        lambda: Transaction(amount="4.90"), "amount",
        "Input should be a Decimal or an int, because floats and strings aren't exact numbers; write Decimal('4.90')",
    ),
    "money as a float": (
        lambda: EntitlementCharge(transaction_id="t", amount=4.9), "amount",
        "because floats and strings aren't exact numbers; write Decimal('4.90')",
    ),
    "a time in text": (
        lambda: Subscription(starts="2026-01-31"), "starts", "write datetime(2026, 1, 31, tzinfo=UTC)"
    ),
    "a time without a zone": (
        lambda: Subscription(starts=NAIVE), "starts",
        "a naive datetime is ambiguous; write datetime.now(UTC), or .replace(tzinfo=UTC)",
    ),
    "a field by its name on the wire": (
        lambda: EntitlementCharge(transactionId=5), "transaction_id", "(wire name `transactionId`)"
    ),
    "a nested field by its name on the wire": (
        lambda: BssAccount(addresses=[{"postalCode": 5}]), "addresses.0.postal_code", "(wire name `postalCode`)"
    ),
    "nothing that is needed": (
        lambda: EntitlementCharge(amount=Decimal(5)), "transaction_id", "Field required (wire name `transactionId`)"
    ),
    "a text that is too long": (
        lambda: EntitlementCharge(transaction_id="t", currency="EURO"), "currency",
        "String should have at most 3 characters",
    ),
    "an id that is a path": (lambda: BillingPlan(id="a/b"), "id", "because paths contain the ID; use the `vid`"),
    "a float in metadata": (
        lambda: Account(metadata={"a": 1.5}), "metadata.a",
        "Input should be a string, a Decimal, an int, or None, which deletes the key",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("build", "place", "sentence"), MODELS.values(), ids=MODELS)
def test_the_error_about_a_model_names_the_fix(build: Callable[[], object], place: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=r"validation error") as caught:
        build()
    lines = str(caught.value).splitlines()
    assert place in lines
    assert any(sentence in line for line in lines), lines


def test_a_model_is_not_a_mapping() -> None:
    account = Account(id="a1", email="a@b.example")
    assert dict(account)["email"] == "a@b.example"
    assert not isinstance(account, Mapping)
    assert str(inspect.signature(Account)).startswith("(*, object: ")
    assert not hasattr(account, "keys")


def test_errors_about_stored_json_name_the_valid_arguments() -> None:
    with pytest.raises(TypeError, match=r"^model must be an instance of a model class, such as Account, not dict$"):
        to_json({"id": "a1"})  # type: ignore[arg-type]  # the mistake
    expected = r"^kind must be a model class; pass the class first, as in from_json\(Account, data\)$"
    with pytest.raises(TypeError, match=expected):
        from_json(b"{}", Account)  # type: ignore[arg-type]  # the mistake
    with pytest.raises(ValueError, match=r"^Account: data must be complete, standard JSON$"):
        from_json(Account, b"{}x")


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
    assert str(caught.value) == f"{own} is a sync client; write 'with' instead of 'async with', or use {other}"
    with pytest.raises(TypeError) as caught, awaited:
        raise AssertionError("never entered")
    assert str(caught.value) == f"{other} is an async client; write 'async with' instead of 'with'"
    with pytest.raises(AttributeError, match=r"'aclose'; did you mean 'close'\?$"):
        blocking.aclose()
    with pytest.raises(AttributeError, match=r"'close'; did you mean 'aclose'\?$"):
        awaited.close()


def test_the_error_about_a_sync_loop_over_an_async_list_names_the_fix() -> None:
    with pytest.raises(TypeError) as caught:
        list(Run("async").client("billing").accounts.list())
    assert str(caught.value) == (
        "a list of an async client needs 'async for'; iterate over it with async for, or await .first(), "
        ".take(n), or .to_list()"
    )


async def awaited(thing: Any) -> None:
    await thing


async def iterated(things: Any) -> None:
    async for _ in things:
        pass


async def next_of(things: Any) -> None:
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
ERRORS_OF_PYTHON: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    # A pager must not be awaitable, and a sync pager must not be an async iterable, because callers distinguish a
    # list from a result by these differences.
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
    "next of a list": ("blocking", lambda c: next_of(c.accounts.list()), "'Pager' object is not an iterator"),
    "an await that was forgotten": ("async", forgotten, "'coroutine' object has no attribute 'id'"),
}  # fmt: skip


@pytest.mark.parametrize(("style", "use", "sentence"), ERRORS_OF_PYTHON.values(), ids=ERRORS_OF_PYTHON)
def test_errors_of_python_itself_name_the_class(style: Any, use: Any, sentence: str) -> None:
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


def test_the_warning_about_a_call_that_was_not_awaited_names_the_operation() -> None:  # H172
    done = subprocess.run([sys.executable, "-c", NOT_AWAITED], capture_output=True, text=True, check=True)
    warnings = re.findall(r"RuntimeWarning: (coroutine .*)", done.stderr)
    assert warnings[:2] == [
        f"coroutine {name!r} was never awaited" for name in ("AsyncPayments.reverse", "AsyncRawSubscriptions.retrieve")
    ]
    assert "coro=<AsyncAccounts.retrieve() running at" in done.stdout


AWAITED = """
import asyncio
from subscribekit import BillingClient
billing = BillingClient(environment="sandbox")

async def main():
    return await billing.accounts.retrieve("acct-0001")

asyncio.run(main())
"""


def test_awaiting_a_result_also_prints_a_warning_about_the_sync_client() -> None:
    done = subprocess.run([sys.executable, "-c", AWAITED], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    warned, _, raised = done.stderr.partition("Traceback")
    assert "or await the same method of AsyncBillingClient" in warned
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
def test_a_sync_client_in_a_running_loop_causes_one_warning(before: str, times: int, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(LOOP.replace("{before}", before))
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=True)
    warnings = re.findall(r"program.py:(\d+): BlockingCallWarning: (.*)", done.stderr)
    here = 1 + program.read_text().splitlines().index("    client.accounts.list().first()  # here")
    sentence = (
        "a sync client was called in a running event loop, which is blocked until the call ends. Use "
        "asyncio.to_thread, or await the same method of AsyncBillingClient. The SDK warns only once"
    )
    assert warnings == [(str(here), sentence)] * times


def test_hints_about_missing_names_break_no_protocol(run: Run) -> None:
    """`hasattr`, completion, and lookups of special attributes by libraries work as with any object."""
    client = run.client("billing")
    for thing in (
        client,
        client.accounts,
        client.accounts.list(),
        client.prepare,
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
    request = run.client("billing").prepare.request(
        "POST", "/accounts", json={"email": "s3cret"}, params={"a": "s3cret"}
    )
    for text in (repr(request), str(request), f"{request}"):
        assert "s3cret" not in text


def test_a_not_found_error_has_the_id_in_an_attribute(run: Run) -> None:
    service = Service(answer({"object": "Error", "message": "gone"}, 404))
    with pytest.raises(NotFoundError) as caught:
        run("billing", lambda client: client.accounts.retrieve("person@b.example"), transport=service)
    assert caught.value.resource_id == "person@b.example"
    assert str(caught.value) == (
        "GET /accounts/{account} returned 404: gone. Check the identifier, and that it belongs to this environment."
    )
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.resource_id == "person@b.example"


def charged(client: Any) -> Any:
    return client.entitlements.charge("ps-1", CHARGE)


def test_the_error_about_an_unknown_charge_has_its_time_and_ids(run: Run) -> None:
    trace = TraceContext("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")
    service = Service(answer({"transactionReferenceId": ""}, Request_Id="r-1"))
    with pytest.raises(OutcomeUnknownError) as caught:
        run("gateway", charged, transport=service, trace=trace)
    assert str(caught.value) == (
        "entitlements.charge: The charge was probably carried out, but its response is unusable: the response (status "
        "200) has no transactionReferenceId, so the response doesn't prove that the request was carried out. It was "
        "sent once at 2026-01-01T00:16:40.000+00:00 (trace id 0af7651916cd43dd8448eb211c80319c, request id r-1). Do "
        "not send it again, even with another transaction ID, until the operator confirms that it was not made. "
        "Reconcile by transaction_id 't-1' before you decide what to do. No read can show whether it was carried out, "
        "so ask the operator; client.resolve(error).support_details is the text to send."
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


def test_an_unknown_write_names_the_operator_only_if_no_read_can_show_it(run: Run) -> None:
    names = WireNames(custom_data_filter_param="filter")
    for group, use, readable in (
        ("billing", lambda client: client.payments.reverse("p1"), True),
        ("gateway", lambda client: client.partner_subscriptions.cancel("ps1"), False),
        ("user_mgmt", lambda client: client.custom_data.delete("u1", "notes", filter="a = 1"), False),
    ):
        with pytest.raises(OutcomeUnknownError) as caught:
            run(group, use, transport=Service(httpx.ReadTimeout("x")), wire_names=names)
        assert ("No read can show whether it was carried out, so ask the operator" in str(caught.value)) is not readable
        assert "even with another transaction ID" not in str(caught.value)


# Tracebacks

REFUSED: dict[str, tuple[Group, Use]] = {
    "an answer": ("billing", lambda client: client.accounts.list().first()),
    "a page": ("billing", lambda client: client.with_raw_response.accounts.list().first()),
    "a total": ("billing", lambda client: client.accounts.list().total_count()),
    "all items": ("user_mgmt", lambda client: client.accounts.list().to_list()),
    "a free call": ("gateway", lambda client: client.request("GET", "/x")),
    "a path": ("gateway", lambda client: client.request("GET", "x")),
    "a count": ("billing", lambda client: client.accounts.list().take(-1)),
    "a name": ("storefront", lambda client: client.weather),
    "a call": ("billing", lambda client: client.accounts.retrieve("a1")),
    "a raw call": ("billing", lambda client: client.with_raw_response.accounts.retrieve("a1")),
    "an identifier": ("billing", lambda client: client.accounts.retrieve("..")),
    "a prepared request": ("billing", lambda client: client.prepare.accounts.retrieve("..")),
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
    assert frames_of(caught.value) or isinstance(
        caught.value, TypeError
    )  # Python itself raises for an unknown argument
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


def test_the_frames_of_an_internal_error_are_not_hidden() -> None:
    class Broken(Service):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            raise KeyError("of the transport")

    service = Broken()
    with pytest.raises(KeyError) as caught:
        Run("blocking")("gateway", lambda client: client.request("GET", "/x"), transport=service)
    assert any("driver.py" in str(entry.path) for entry in caught.traceback.filter(caught))


# Output in a shell

ACCOUNT = Account(
    id="a1",
    email="s3cret@b.example",
    default_currency="EUR",
    shipping_address=Address(line1="s3cret", country="DE"),
    payment_methods=[PaymentMethod(id="pm1", account_holder="s3cret", type="CreditCard"), PaymentMethod(id="pm2")],
    parent=Account(id="a0", name="s3cret", shipping_address=Address(line1="s3cret")),
)


def test_a_resource_is_printed_on_several_lines() -> None:
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


def test_circular_and_deep_resources_can_be_printed() -> None:
    account = Account(email="x")
    account.__dict__["parent"] = account
    account.model_fields_set.add("parent")
    assert pretty(account) == "Account(\n    parent=Account(...),\n    email='***',\n)"
    for _ in range(5000):
        account = Account.model_construct(parent=account)
    assert "s3cret" not in pretty(account)
    assert pretty(Account.model_construct(company=10**5000)) == "Account(company=<unprintable int>)"


def test_a_list_prints_its_filters_and_the_next_calls(run: Run) -> None:
    client = run.client("billing")
    prefix, iterate, call = ("", "iterate over it", "call") if run.style == "blocking" else (
        "Async", "iterate over it with async for", "await"
    )  # fmt: skip
    after = datetime(2026, 1, 31, tzinfo=UTC)
    pager = client.accounts.list(email="s3cret@b.example", created_after=after, limit=5, params={"own": "s3cret"})
    written = f"<{prefix}Pager accounts.list(email=***, created_after='2026-01-31T00:00:00+00:00', own=***, limit=5):"
    advice = f"{iterate}, or {call} .first(), .take(n), or .to_list()>"
    assert repr(pager) == f"{written} {advice}"
    assert pretty(pager) == f"{written}\n    {advice}"
    summaries = client.event_summaries.list(subscription="s1", checkpoint=None)
    assert repr(summaries).startswith(f"<{prefix}Pager event_summaries.list(subscription='s1'): ")
    assert pretty(object.__new__(type(pager))) == f"<{prefix}Pager that was not created>"


def test_a_page_prints_its_first_items() -> None:
    accounts = [Account(id=f"a{n}", email="s3cret") for n in range(12)]
    lines = pretty(Page(accounts, total_count=30, next="/accounts?email=s3cret")).splitlines()
    assert lines[0] == "<Page of 12, total_count=30:"
    assert lines[1] == "    Account(id='a0', email='***'),"
    assert lines[-1] == "... 2 more in .data>"
    assert pretty(Page([{"email": "s3cret"}])) == "<Page of 1, total_count=None>"
