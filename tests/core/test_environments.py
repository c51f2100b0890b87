"""The base URL and the credentials of a client: nothing is guessed, and an error names each missing value."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kit.calls import ASYNC, BLOCKING, CREDENTIALS, GROUPS, SECRETS, URL, Group, Run, Service, answer, array, page
from looped import looped
from subscribekit import BillingClient, Environment, GatewayClient, WireNames
from subscribekit._core.config.address import parse_address
from subscribekit.errors import ConfigurationError

ADDRESS_VARIABLE: dict[Group, str] = {
    "billing": "BASE_URL",
    "gateway": "GATEWAY_URL",
    "user_mgmt": "USER_MGMT_URL",
    "storefront": "STOREFRONT_URL",
}
CREDENTIAL_VARIABLES: dict[Group, dict[str, str]] = {
    "billing": {"API_USER": "api_user", "API_KEY": "api_key"},
    "gateway": {"GATEWAY_API_KEY": "api_key"},
    "user_mgmt": {"SESSION_ID": "session_id"},
    "storefront": {"ACCESS_TOKEN": "access_token"},
}
ANSWERS: dict[Group, Any] = {
    "billing": lambda: page(),
    "gateway": lambda: answer({"object": "Subscription", "id": "s"}),
    "user_mgmt": lambda: array(),
    "storefront": lambda: answer({"id": "p"}),
}
CALLS: dict[Group, Any] = {
    "billing": lambda client: client.accounts.list(),
    "gateway": lambda client: client.subscriptions.retrieve("s"),
    "user_mgmt": lambda client: client.accounts.list(),
    "storefront": lambda client: client.payment_methods.update("a", payment_method_id="p", primary=True, active=True),
}


def set_variables(monkeypatch: pytest.MonkeyPatch, name: str, group: Group, address: str | None = None) -> None:
    prefix = f"SUBSCRIBEKIT_{name.upper()}_"
    monkeypatch.setenv(prefix + ADDRESS_VARIABLE[group], address or URL[group])
    for variable, argument in CREDENTIAL_VARIABLES[group].items():
        monkeypatch.setenv(prefix + variable, CREDENTIALS[group][argument])


def authentication(group: Group, run: Run, **options: Any) -> tuple[str, dict[str, str]]:
    """Return the URL and the credential headers that a client with these options sends."""
    service = Service(ANSWERS[group]())
    run(group, CALLS[group], transport=service, **options)
    names = ("authorization", "x-api-key", "cookie")
    return service.only.url, {name: value for name, value in service.only.headers.items() if name in names}


def both(group: Group) -> list[type[Any]]:
    return [BLOCKING[group], ASYNC[group]]


@pytest.mark.parametrize("group", GROUPS)
def test_there_is_no_default_environment(group: Group) -> None:
    for client in both(group):
        with pytest.raises(ConfigurationError, match="SUBSCRIBEKIT_ENVIRONMENT") as caught:
            client()
        assert "there's no default" in str(caught.value)
        with pytest.raises(ConfigurationError, match="no default"):
            client(**CREDENTIALS[group])


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("name", ["production", "staging"])
def test_a_named_environment_reads_its_variables(
    group: Group, name: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(monkeypatch, name, group)
    url, headers = authentication(group, run, environment=name)
    assert url.startswith(URL[group] + "/")
    assert headers == authentication(group, run)[1]


@pytest.mark.parametrize("group", GROUPS)
def test_the_environment_itself_may_be_named_by_a_variable(
    group: Group, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "eu-west")
    set_variables(monkeypatch, "EU_WEST", group)
    url, _ = authentication(group, run, environment=None)
    assert url.startswith(URL[group] + "/")
    client = BLOCKING[group]()
    assert client.environment == "eu-west"
    client.close()


@pytest.mark.parametrize("group", GROUPS)
def test_a_missing_address_is_named(group: Group, monkeypatch: pytest.MonkeyPatch) -> None:
    for client in both(group):
        with pytest.raises(ConfigurationError, match=f"SUBSCRIBEKIT_STAGING_{ADDRESS_VARIABLE[group]}"):
            client(environment="staging", **CREDENTIALS[group])
    set_variables(monkeypatch, "staging", group)
    monkeypatch.setenv(f"SUBSCRIBEKIT_STAGING_{ADDRESS_VARIABLE[group]}", "")
    with pytest.raises(ConfigurationError, match=f"SUBSCRIBEKIT_STAGING_{ADDRESS_VARIABLE[group]}"):
        BLOCKING[group](environment="staging")


@pytest.mark.parametrize(
    ("group", "missing"),
    [(group, name) for group in GROUPS if group != "gateway" for name in CREDENTIAL_VARIABLES[group]],
)
@pytest.mark.parametrize("value", [None, ""])
def test_a_missing_credential_is_named(
    group: Group, missing: str, value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(monkeypatch, "production", group)
    if value is None:
        monkeypatch.delenv(f"SUBSCRIBEKIT_PRODUCTION_{missing}")
    else:
        monkeypatch.setenv(f"SUBSCRIBEKIT_PRODUCTION_{missing}", value)
    for client in both(group):
        with pytest.raises(ConfigurationError, match=f"SUBSCRIBEKIT_PRODUCTION_{missing}") as caught:
            client(environment="production")
        assert CREDENTIAL_VARIABLES[group][missing] in str(caught.value)


def test_a_missing_gateway_key_is_an_error_only_at_a_call_that_needs_it(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(monkeypatch, "production", "gateway")
    monkeypatch.delenv("SUBSCRIBEKIT_PRODUCTION_GATEWAY_API_KEY")
    service = Service(answer({"object": "Campaign", "id": "c"}))

    async def story(client: Any) -> None:
        await run.now(client.campaigns.activate("c"))
        with pytest.raises(ConfigurationError, match="api_key"):
            await run.now(client.subscriptions.retrieve("s"))

    run("gateway", story, environment="production", transport=service)
    assert "x-api-key" not in service.only.headers


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("environment", ["variable", "none"])
def test_base_url_alone_uses_no_credential_from_variables(
    group: Group, environment: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(monkeypatch, "production", group)
    if environment == "variable":
        monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "production")
    if group == "gateway":
        service = Service(answer({"object": "Campaign", "id": "c"}))
        run("gateway", lambda client: client.campaigns.activate("c"), base_url=URL[group], transport=service)
        assert "x-api-key" not in service.only.headers
        return
    for client in both(group):
        with pytest.raises(ConfigurationError, match=r"is missing; pass \w+ to the client"):
            client(base_url=URL[group])


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(
    "other", ["https://other.test", "https://{host}:444", "https://sub.{host}", "https://{host}.evil"]
)
def test_credentials_of_an_environment_go_to_its_own_origin_only(
    group: Group, other: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(monkeypatch, "production", group)
    base_url = other.format(host=URL[group].split("/")[2])
    if group == "gateway":
        with pytest.raises(ConfigurationError, match="api_key"):
            run("gateway", CALLS[group], environment="production", base_url=base_url, transport=Service())
    else:
        for client in both(group):
            with pytest.raises(
                ConfigurationError, match=r"the credentials of environment '\w+' only to its own base URL"
            ):
                client(environment="production", base_url=base_url)
    given = dict.fromkeys(CREDENTIALS[group], "other-4715")
    url, headers = authentication(group, run, environment="production", base_url=base_url, **given)
    assert url.startswith(base_url)
    assert len(headers) == 1
    assert not any(secret in str(headers) for secret in SECRETS)


@pytest.mark.parametrize("group", GROUPS)
def test_credentials_of_an_environment_also_go_to_other_paths_of_its_origin(
    group: Group, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(monkeypatch, "production", group)
    origin = "/".join(URL[group].split("/")[:3])
    url, headers = authentication(group, run, environment="production", base_url=f"{origin}/v2")
    assert url.startswith(f"{origin}/v2/")
    assert headers == authentication(group, run)[1]


@pytest.mark.parametrize("group", GROUPS)
def test_arguments_win_over_variables(group: Group, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(monkeypatch, "production", group)
    given = dict.fromkeys(CREDENTIALS[group], "given-4716")
    _, headers = authentication(group, run, environment="production", **given)
    expected = run_with(group, run, given)
    assert headers == expected


def run_with(group: Group, run: Run, given: dict[str, str]) -> dict[str, str]:
    return authentication(group, run, base_url=URL[group], **given)[1]


@pytest.mark.parametrize("group", GROUPS)
def test_an_environment_object_can_contain_all_settings(group: Group, run: Run) -> None:
    environment = Environment(
        name="mine",
        base_url=URL["billing"],
        gateway_url=URL["gateway"],
        user_mgmt_url=URL["user_mgmt"],
        storefront_url=URL["storefront"],
        api_user=SECRETS[0],
        api_key=SECRETS[1],
        gateway_api_key=SECRETS[2],
        session_id=SECRETS[3],
        access_token=SECRETS[4],
        wire_names=WireNames(accounts_email="mail"),
    )
    url, headers = authentication(group, run, environment=environment)
    assert url.startswith(URL[group])
    assert headers == authentication(group, run)[1]
    assert not any(secret in repr(environment) for secret in SECRETS)
    if group == "billing":
        service = Service(page())
        run(group, lambda client: client.accounts.list(email="x"), environment=environment, transport=service)
        assert service.only.query == [("mail", "x")]


@pytest.mark.parametrize("group", GROUPS)
def test_the_sandbox_needs_nothing_and_ignores_variables(
    group: Group, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_variables(monkeypatch, "sandbox", group, "https://evil.test")
    client = run.client(group, environment="sandbox")
    assert client.base_url.endswith(".sandbox.invalid")
    assert client.environment == "sandbox"
    url, headers = authentication(group, run, environment="sandbox")
    assert url.startswith(client.base_url)
    assert not any(secret in str(headers) for secret in SECRETS)


@pytest.mark.parametrize("name", ["prod", "", "PRODUCTION", "eu-west", 5, 0, False, b"production", b""])
@pytest.mark.parametrize("address", [None, "https://billing.test"])
def test_an_unknown_environment_is_refused(name: Any, address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    # Each name would have a base URL and credentials, so only the name itself can be the reason for the refusal.
    for known in ("PROD", "PRODUCTION", "EU_WEST", "5", "STAGING"):
        set_variables(monkeypatch, known, "billing", "https://wrong.test")
    monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "staging")
    with pytest.raises(ConfigurationError, match=r"^environment must be 'production', 'staging', 'sandbox'"):
        BillingClient(environment=name, base_url=address, api_user="u", api_key="k")


@pytest.mark.parametrize("name", ["", "1a", "a b", "ä", "a=b", "a.b", None, 5])
def test_an_environment_s_name_must_fit_into_the_name_of_a_variable(name: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"Environment\.name"):
        Environment(name=name)


def test_a_bad_name_in_the_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUBSCRIBEKIT_ENVIRONMENT", "eu west")
    with pytest.raises(ConfigurationError, match="must start with a letter"):
        BillingClient(api_user="u", api_key="k")


# Base URLs

BAD_ADDRESSES = [
    "",
    "billing.test",
    "//billing.test",
    "ftp://billing.test",
    "http://billing.test",
    "http://127.0.0.1:8080",
    "https://",
    "https:///path",
    "https://user@billing.test",
    "https://user:secret-4711@billing.test",
    "https://@billing.test",
    "https://billing.test?",
    "https://billing.test/?a=b",
    "https://billing.test/#",
    "https://billing.test#x",
    "https://billing.test/../x",
    "https://billing.test/./x",
    "https://billing.test/a//b",
    "https://billing.test/%2e",
    "https://billing.test:99999",
    "https://billing.test:x",
    "https://bil ling.test",
    "https://billing.test\n",
    "https://billing.test\\@evil.test",
    "https://bïlling.test",
    "https://[::1",
    " https://billing.test",
    "javascript:alert(1)",
]


@looped("url", BAD_ADDRESSES)
@looped("group", GROUPS)
def test_a_base_url_must_be_plain_https(url: str, group: Group) -> None:
    for client in both(group):
        with pytest.raises(ConfigurationError, match="base_url") as caught:
            client(base_url=url, **CREDENTIALS[group])
        assert "secret-4711" not in str(caught.value)


@pytest.mark.parametrize("wrong", [5, b"https://billing.test", ["https://billing.test"]])
def test_a_base_url_is_text(wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="base_url must be a str"):
        BillingClient(base_url=wrong, api_user="u", api_key="k")


@pytest.mark.parametrize("url", ["http://127.0.0.1:8080", "http://[::1]:9", "http://localhost", "http://LOCALHOST:1/a"])
@pytest.mark.parametrize("group", GROUPS)
def test_plain_http_needs_a_loopback_host_and_the_flag(url: str, group: Group) -> None:
    for client in both(group):
        with pytest.raises(ConfigurationError, match="allow_insecure_loopback"):
            client(base_url=url, **CREDENTIALS[group])
        made = client(base_url=url, allow_insecure_loopback=True, **CREDENTIALS[group])
        assert made.base_url == url.lower()


@pytest.mark.parametrize(
    "url",
    [
        "http://billing.test",
        "http://127.0.0.1.evil.test",
        "http://localhost.evil.test",
        "http://0.0.0.0",
        "http://127.0.0.2",
        "http://127.1",
        "http://user@127.0.0.1",
        "http://[::ffff:127.0.0.1]",
    ],
)
def test_other_hosts_are_never_reached_without_tls(url: str) -> None:
    with pytest.raises(ConfigurationError, match="base_url"):
        BillingClient(base_url=url, api_user="u", api_key="k", allow_insecure_loopback=True)


def test_the_error_about_a_bad_base_url_names_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    set_variables(monkeypatch, "production", "gateway", "http://gateway.test")
    with pytest.raises(ConfigurationError, match="PRODUCTION_GATEWAY_URL"):
        GatewayClient(environment="production")


@example("https://%")
@example("https://0/@")
@example("https://[fe80::1%25eth0]")
@given(st.text(alphabet="htps:/.@?#\\%[]a-zA0 \t\n", max_size=30).map(lambda rest: "https://" + rest) | st.text())
def test_an_accepted_address_has_one_https_origin_and_nothing_else(url: str) -> None:
    try:
        address = parse_address("base_url", url)
    except ConfigurationError:
        return
    assert address.url.startswith("https://")
    rest = address.url.removeprefix("https://")
    assert not set(rest) & set("?#\\% \t\n")
    authority = rest.partition("/")[0]
    assert authority
    assert "@" not in authority  # a path may contain it
    assert ".." not in rest.split("/")
    assert address.url == parse_address("base_url", address.url).url


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://billing.test", "https://billing.test"),
        ("https://billing.test/", "https://billing.test"),
        ("https://billing.test:443/rest/", "https://billing.test/rest"),
        ("HTTPS://Billing.TEST:8443/Rest", "https://billing.test:8443/Rest"),
        ("https://[2001:DB8::1]:8443", "https://[2001:db8::1]:8443"),
    ],
)
def test_a_base_url_is_normalized(url: str, expected: str) -> None:
    with BillingClient(base_url=url, api_user="u", api_key="k") as client:
        assert client.base_url == expected
