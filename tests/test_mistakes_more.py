"""More mistakes of new users: with settings, certificates, models, webhooks, the sandbox, and bulk runs."""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest

import subscribekit
import subscribekit.models
from kit.calls import ASYNC, BLOCKING, Group, Run, Service, answer
from looped import looped
from subscribekit import Environment, RetryPolicy, webhooks
from subscribekit._articles import with_article
from subscribekit.bulk import AsyncRun, RateLimit
from subscribekit.bulk import Run as BulkRun
from subscribekit.drift import DriftDetector
from subscribekit.errors import (
    BadRequestError,
    ConfigurationError,
    ConnectionFailedError,
    InvalidArgumentError,
    PermissionDeniedError,
    ServerError,
)
from subscribekit.models import (
    Account,
    BillingPlan,
    EntitlementCharge,
    Product,
    Subscription,
    SubscriptionItem,
)
from subscribekit.sandbox import Sandbox
from subscribekit.sandbox.faults import proxy_page
from subscribekit.webhooks import WebhookEvent

PACKAGE = Path(subscribekit.__file__).parent


# Words


@looped(
    "phrase",
    [
        "an Account", "an EntitlementCharge", "an int", "an AsyncPager", "an object", "an Observer", "an Invoice",
        "an Unset", "an UnexpectedRedirectError", "an SSLContext", "an HTTPError", "an APIError",
        "a Subscription", "a UserMgmtClient", "a UserNotFoundError", "a UnicodeError", "a URL", "a UUID", "a str",
        "a NoneType", "a Refund", "a float", "a list", "a Session", "a MerchantAcceptedPayment", "a u", "a ",
    ],
)  # fmt: skip
def test_the_article_of_a_name_depends_on_its_sound(phrase: str) -> None:
    assert with_article(phrase.partition(" ")[2]) == phrase


def test_every_model_has_the_article_of_its_first_letter() -> None:
    for name in subscribekit.models.__all__:
        assert with_article(name).startswith("an " if name[0] in "AEIOaeio" else "a ")


def test_no_message_contains_a_fixed_article_before_a_type() -> None:
    """An error message takes the article and the name of a type from `with_article`."""
    guessed = [
        f"{path.relative_to(PACKAGE)}: {found}"
        for path in PACKAGE.rglob("*.py")
        for found in re.findall(r"\b[Aa]n? (?:\"\s+f\")?\{[^}]*__name__[^}]*\}", path.read_text(encoding="utf-8"))
    ]
    assert guessed == []


# Clients and the sources of their settings

NAMED = "environment must be 'production', 'staging', 'sandbox', or an Environment"
OF_ITS_OWN = (
    "write Environment(name={0!r}), or set SUBSCRIBEKIT_ENVIRONMENT={0} and omit the argument; both read "
    "SUBSCRIBEKIT_{1}_BASE_URL and similar variables"
)


@dataclass(frozen=True)
class Making:
    """The arguments of a client and environment variables, and the whole text of the error that they cause."""

    group: Group
    options: dict[str, Any]
    sentence: str
    variables: dict[str, str] = field(default_factory=dict[str, str])
    kind: type[Exception] = ConfigurationError


def requested(client: Any) -> Any:
    return client.request("GET", "/x")


def staging(**values: str) -> dict[str, str]:
    return {f"SUBSCRIBEKIT_STAGING_{name}": value for name, value in values.items()}


BILLING = staging(BASE_URL="https://b.test", API_USER="u", API_KEY="k")
STAGING = {"environment": "staging"}
LINE_END = "must not end with a line break; if you read it from a file, call .strip()"

CLIENT: dict[str, Making] = {
    "your own environment by its name": Making(
        "billing", {"environment": "local"}, f"{NAMED}, not 'local'; {OF_ITS_OWN.format('local', 'LOCAL')}"
    ),
    "one whose variables are there": Making(
        "billing", {"environment": "prod-eu"},
        f"{NAMED}, not 'prod-eu'; {OF_ITS_OWN.format('prod-eu', 'PROD_EU')}",
        {"SUBSCRIBEKIT_PROD_EU_BASE_URL": "https://b.test"},
    ),
    "a key with a line end in a variable": Making(
        "billing", STAGING, f"SUBSCRIBEKIT_STAGING_API_KEY {LINE_END}", BILLING | staging(API_KEY="s3cret\n")
    ),
    "a user with a colon in a variable": Making(
        "billing", STAGING, "SUBSCRIBEKIT_STAGING_API_USER must not contain a colon", BILLING | staging(API_USER="u:k")
    ),
    "a key of the gateway with a space in a variable": Making(
        "gateway", STAGING,
        "SUBSCRIBEKIT_STAGING_GATEWAY_API_KEY must be printable, and must not start or end with a space",
        staging(GATEWAY_URL="https://g.test", GATEWAY_API_KEY=" s3cret"),
    ),
    "a session in quotes in a variable": Making(
        "user_mgmt", STAGING,
        "SUBSCRIBEKIT_STAGING_SESSION_ID must not contain spaces, double quotes, commas, semicolons, or backslashes",
        staging(USER_MGMT_URL="https://u.test", SESSION_ID='"s3cret"'),
    ),
    "a token with a line end in a variable": Making(
        "storefront", STAGING, f"SUBSCRIBEKIT_STAGING_ACCESS_TOKEN {LINE_END}",
        staging(STOREFRONT_URL="https://s.test", ACCESS_TOKEN="s3cret\r\n"),
    ),
    "a key with a line end as an argument": Making(
        "gateway", {"base_url": "https://g.test", "api_key": "s3cret\n"}, f"api_key {LINE_END}"
    ),
    "a key with a line end in an environment": Making(
        "gateway", {"environment": Environment(name="own", gateway_url="https://g.test", gateway_api_key="s3cret\n")},
        f"Environment.gateway_api_key {LINE_END}",
    ),
    "an address without a scheme in a variable": Making(
        "billing", STAGING, "SUBSCRIBEKIT_STAGING_BASE_URL must start with https://",
        BILLING | staging(BASE_URL="b.test"),
    ),
    "an address with a line end in a variable": Making(
        "storefront", STAGING,
        "SUBSCRIBEKIT_STAGING_STOREFRONT_URL must be printable ASCII without spaces and backslashes",
        staging(STOREFRONT_URL="https://s.test\n"),
    ),
    "an address without a scheme in an environment": Making(
        "user_mgmt", {"environment": Environment(name="own", user_mgmt_url="u.test", session_id="s")},
        "Environment.user_mgmt_url must start with https://",
    ),
    "an address of the environment beside another": Making(
        "billing", {**STAGING, "base_url": "https://b.test"}, "SUBSCRIBEKIT_STAGING_BASE_URL must start with https://",
        BILLING | staging(BASE_URL="b.test"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("making", CLIENT.values(), ids=CLIENT)
@pytest.mark.parametrize("clients", [BLOCKING, ASYNC], ids=["blocking", "async"])
def test_the_error_about_a_setting_names_its_source(
    making: Making, clients: dict[Group, type[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in making.variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(making.kind) as caught:
        clients[making.group](**making.options)
    assert str(caught.value) == making.sentence.replace("{client}", clients[making.group].__name__)


def test_both_fixes_for_an_own_environment_work(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("BASE_URL", "https://b.test"), ("API_USER", "u"), ("API_KEY", "k")):
        monkeypatch.setenv(f"SUBSCRIBEKIT_PROD_EU_{name}", value)
    assert BLOCKING["billing"](environment=Environment(name="prod-eu")).base_url == "https://b.test"
    monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "prod-eu")
    assert BLOCKING["billing"]().base_url == "https://b.test"


def test_the_error_about_a_credential_from_a_callable_names_the_argument(run: Run) -> None:
    with pytest.raises(ConfigurationError) as caught:
        run("storefront", requested, base_url="https://s.test", access_token=lambda: "s3cret\n", transport=Service())
    assert str(caught.value) == f"access_token {LINE_END}"


# Responses and connections

OWN_CA_ADVICE = (
    ". If your own CA signed the certificate, pass the file with the CA: Environment(ca_file='...'), the variable "
    "SUBSCRIBEKIT_<ENVIRONMENT>_CA_FILE, or ssl_context=ssl.create_default_context(cafile='...')"
)
NOT_ACCEPTED = "no secure connection to gateway.test: the certificate was not accepted ({}); nothing was sent"


@pytest.mark.parametrize(
    ("reason", "advice"),
    [
        ("unable to get local issuer certificate", OWN_CA_ADVICE),
        ("unable to verify the first certificate", OWN_CA_ADVICE),
        ("self-signed certificate", OWN_CA_ADVICE),
        ("self signed certificate in certificate chain", OWN_CA_ADVICE),
        ("certificate has expired", ""),
        ("Hostname mismatch, certificate is not valid for 'gateway.test'.", ""),
    ],
)
def test_the_error_about_an_own_ca_explains_how_to_trust_it(reason: str, advice: str, run: Run) -> None:
    refused, unknown = httpx.ConnectError("x"), ssl.SSLCertVerificationError()
    unknown.verify_message = reason
    refused.__cause__ = unknown
    with pytest.raises(ConnectionFailedError) as caught:
        run("gateway", requested, transport=Service(refused))
    assert str(caught.value) == f"{NOT_ACCEPTED.format(reason)}{advice}"
    assert caught.value.outcome == "not_sent"


def test_the_error_about_a_refused_credential_names_the_arguments(run: Run) -> None:
    refused = answer({"object": "Error", "code": "ACCESS_FORBIDDEN", "message": "no"}, 403)
    with pytest.raises(PermissionDeniedError) as caught:
        run("billing", lambda client: client.accounts.retrieve("a1"), transport=Service(refused))
    assert str(caught.value) == (
        "GET /accounts/{account} returned 403: no (code ACCESS_FORBIDDEN). In the billing API, 403 means that "
        "authentication failed. Check api_user and api_key."
    )


PAGES = {
    "a title that is the heading": (
        b"<html><head><title>502 Bad Gateway</title></head>\r\n<body><h1>502 Bad Gateway</h1><hr>nginx</body></html>",
        "text/html", "is an HTML page instead of JSON; it starts with '502 Bad Gateway nginx'",
    ),
    "nothing but a number": (
        b"<html><head><title>502</title></head><body><h1>502</h1></body></html>",
        "text/html; charset=utf-8", "is an HTML page instead of JSON; it starts with '502'",
    ),
    "a page with a style": (
        b"<style>body {color: red}</style><script type='x'>alert(1)</script><p>Busy</p>",
        "application/xhtml+xml", "is an HTML page instead of JSON; it starts with 'Busy'",
    ),
    "a page without words": (b"<html></html>", "text/html", "is an HTML page instead of JSON"),
    "plain text": (b"upstream gone", "text/plain", "is text/plain instead of JSON; it starts with 'upstream gone'"),
}  # fmt: skip


@pytest.mark.parametrize(("body", "kind", "finding"), PAGES.values(), ids=PAGES)
def test_the_error_about_a_proxy_page_quotes_its_text_once(body: bytes, kind: str, finding: str, run: Run) -> None:
    with pytest.raises(ServerError) as caught:
        run("billing", lambda c: c.accounts.retrieve("a1"), retry=RetryPolicy(max_attempts=1),
            transport=Service(answer(body, 502, Content_Type=kind)))  # fmt: skip
    assert str(caught.value) == f"GET /accounts/{{account}} returned 502: the body {finding}. Try again later."


# Names, models and events


BUILT: dict[str, tuple[Callable[[], object], str, str]] = {
    "a decimal of a float": (
        lambda: EntitlementCharge(transaction_id="t", amount=Decimal(4711.9)), "amount",  # noqa: RUF032  the mistake
        "Input should have at most 28 digits. A Decimal that is created from a float has more; write Decimal('4.90')",
    ),
    "a decimal of many digits": (
        lambda: EntitlementCharge(transaction_id="t", amount=Decimal("1." + "4711" * 10)), "amount",
        "Input should have at most 28 digits",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("build", "place", "sentence"), BUILT.values(), ids=BUILT)
def test_the_error_about_a_decimal_names_the_limit_of_digits(
    build: Callable[[], object], place: str, sentence: str
) -> None:
    with pytest.raises(ValueError, match=r"validation error") as caught:
        build()
    lines = str(caught.value).splitlines()
    assert lines[1] == place
    assert lines[2].strip().partition(" [type=")[0] == sentence
    assert "4711" not in str(caught.value)


def test_a_subscription_item_with_a_product_is_accepted() -> None:
    product = SubscriptionItem(product=Product(id="prod-basic"))
    with Sandbox().billing() as billing:
        plan = BillingPlan(id="plan-monthly")
        account = Account(id="acct-0001")
        made = billing.subscriptions.create(Subscription(account=account, billing_plan=plan, items=[product]))
    assert [item.product and item.product.id for item in made.items or ()] == ["prod-basic"]


PATHS = {
    "/user/runtime": "did you mean '/user/runtimes'?",
    "/users/{userId}/runtimes": "did you mean '/user/{userId}/runtimes'?",
    "/user/s3cret-4711/groups": "pass '/user/{userId}/groups' and user_id=...",
    "/user/4711/group": "did you mean '/user/{userId}/groups'?",
    "/platform/rest/v85/group/7/users": "pass '/group/{groupId}/users' and group_id=...",
    "/weather": "",
    None: "",
}


@pytest.mark.parametrize(("path", "sentence"), PATHS.items(), ids=str)
def test_the_error_about_a_path_of_entities_suggests_a_valid_path(path: Any, sentence: str, run: Run) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        run("user_mgmt", lambda client: client.entities.list(path), transport=Service())
    first = (
        "path must be one of the specification's paginated paths with its placeholders, such as '/user/{userId}/groups'"
    )
    assert str(caught.value) == f"{first}{'; ' if sentence else ''}{sentence}"


# Functions and bulk runs

CALLED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "a swapped event": (
        lambda: webhooks.record_if_new(set(), WebhookEvent(message_id="m1")), TypeError,
        "event must be a WebhookEvent, not set. Write webhooks.record_if_new(event, 'webhooks.db')",
    ),
    "days as text": (
        lambda: Sandbox().advance(days="31"), TypeError,  # type: ignore[arg-type]  # the mistake
        "days must be a number, not str; for example, call sandbox.advance(days=31)",
    ),
    "hours that are nothing": (
        lambda: Sandbox().advance(hours=None), TypeError,  # type: ignore[arg-type]  # the mistake
        "hours must be a number, not NoneType; for example, call sandbox.advance(hours=1)",
    ),
    "days that are true": (
        lambda: Sandbox().advance(days=True), TypeError,
        "days must be a number, not bool; for example, call sandbox.advance(days=31)",
    ),
    "days as a timedelta": (
        lambda: Sandbox().advance(days=timedelta(days=1)), TypeError,  # type: ignore[arg-type]  # the mistake
        "days must be a number, not timedelta; for example, call sandbox.advance(seconds=delta.total_seconds())",
    ),
    "no number of days": (
        lambda: Sandbox().advance(days=float("nan")), ValueError,
        "days must be a finite number, not nan",
    ),
    "all the time there is": (
        lambda: Sandbox().advance(days=10**400), ValueError,
        "sandbox.advance() can't move the time past January 1, 9000",
    ),
    "time without end": (
        lambda: Sandbox().advance(seconds=float("inf")), ValueError,
        "seconds must be a finite number, not inf",
    ),
    "a handler of one argument": (
        lambda: Sandbox().webhooks.subscribe(lambda event: event, key="k"), TypeError,  # type: ignore[arg-type,misc]
        "to must accept the raw body and the signature; write def handler(body, signature)",
    ),
    "a class by the name of the API": (
        lambda: Sandbox().webhooks.subscribe(print, key="k", classes=["subscriptions"]), ValueError,
        (
            "classes must contain only accounts, adjustments, autobills, entitlement, invoices, payment methods, "
            "transactions; for subscriptions, write 'autobills'"
        ),
    ),
    "a method as a match": (
        lambda: Sandbox().faults.add(Sandbox().gateway().entitlements.charge, proxy_page()), TypeError,
        "match must be the name of the operation, not the method; write 'entitlements.charge'",
    ),
    "a method of an async client as a match": (
        lambda: Sandbox().faults.add(Sandbox().async_billing().payment_methods.list, proxy_page()), TypeError,
        "match must be the name of the operation, not the method; write 'payment_methods.list'",
    ),
    "another machine": (
        lambda: Sandbox().webhooks.subscribe("https://example.com/x", key="k"), ValueError,
        "the webhook URL must be on this machine; use http://127.0.0.1, http://[::1], or http://localhost",
    ),
    "TLS on this machine": (
        lambda: Sandbox().webhooks.subscribe("https://127.0.0.1:8000/x", key="k"), ValueError,
        "the webhook URL must start with http:// and contain only ASCII characters without spaces",
    ),
    "a file of findings": (
        lambda: DriftDetector().check("drift.json"), InvalidArgumentError,
        "accepted must be a result of to_json(), not a file name; pass Path('drift.json').read_text()",
    ),
    "a path of findings": (
        lambda: DriftDetector().check(Path("drift.json")), InvalidArgumentError,
        "accepted must be a result of to_json(), not a file name; pass Path('drift.json').read_text()",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("use", "kind", "sentence"), CALLED.values(), ids=CALLED)
def test_the_error_about_an_argument_of_a_function_names_the_valid_values(
    use: Callable[[], object], kind: type[Exception], sentence: str
) -> None:
    with pytest.raises(kind) as caught:
        use()
    assert str(caught.value) == sentence


@pytest.mark.parametrize("kind", [BulkRun, AsyncRun])
@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"rate_limit": 50}, "rate_limit must be a subscribekit.bulk.RateLimit, not an int"),
        ({"stop": 5}, "stop must be a subscribekit.bulk.StopPolicy, not an int"),
        ({"rate_limit": RateLimit}, "rate_limit must be a subscribekit.bulk.RateLimit, not the class itself"),
    ],
)
def test_the_error_about_an_option_of_a_run_names_its_type(
    kind: Any, option: dict[str, Any], sentence: str, tmp_path: Path
) -> None:
    client = Run("blocking" if kind is BulkRun else "async").client("gateway")
    with pytest.raises(ConfigurationError) as caught:
        kind(tmp_path / "run.db", client, **option)
    assert str(caught.value) == sentence
    assert list(tmp_path.iterdir()) == []


def test_the_error_about_a_second_cancellation_names_the_state() -> None:
    with Sandbox().billing() as billing:
        billing.subscriptions.cancel("sub-basic-0001")
        with pytest.raises(BadRequestError) as caught:
            billing.subscriptions.cancel("sub-basic-0001")
        assert caught.value.message == (
            "The subscription is already canceled at the end of the paid period; set disentitle to end it now."
        )
        billing.subscriptions.cancel("sub-basic-0001", disentitle=True)
        with pytest.raises(BadRequestError) as caught:
            billing.subscriptions.cancel("sub-basic-0001", disentitle=True)
        assert caught.value.message == "The subscription has already ended; its status is Cancelled."
